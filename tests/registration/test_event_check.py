"""`deckcheck event check` from the command line: outputs, files, statuses, and what never gets out."""

from __future__ import annotations

import csv
import json
import os
import stat
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from factories.commands import run_here, run_process
from factories.event_lists import EVENT, ILLEGAL, UNDECIDED, UNREADABLE, a_list, an_event, legal
from factories.rosters import ANOTHER, LEGAL, OPEN_END, OTHER, TOO_LATE, UNSETTLED, entry, judged, receipt
from factories.rosters import ILLEGAL as SMALL_ILLEGAL
from factories.rosters import UNDECIDED as SMALL_UNDECIDED
from factories.rosters import UNREADABLE as SMALL_UNREADABLE
from jsonschema import Draft7Validator

from deckcheck.registration.acceptance import state_of
from deckcheck.registration.submissions import Player
from deckcheck.support.documents import load_schema

SECRETS = ("水野", "みずの", "0017", "アクア")


def run(folder: Path, *arguments: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    return run_process(
        ["event", "check", *arguments],
        cwd=folder,
        env=os.environ | {"DECKCHECK_LANG": lang, "PYTHONUTF8": "1"},
        encoding="utf-8",
    )


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A folder with an event: a legal list, an illegal one and one with an unknown card."""
    an_event(
        tmp_path,
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017"),
        a_list("乙", ILLEGAL),
        a_list("=丙", UNDECIDED),
    )
    return tmp_path


def test_every_output_goes_where_it_is_asked_to_go(event: Path) -> None:
    outputs = {form: run(event, "event.yaml", "--output-format", form).stdout for form in ("json", "csv")}
    Draft7Validator(load_schema("roster")).validate(json.loads(outputs["json"]))
    rows = list(csv.reader(StringIO(outputs["csv"].removeprefix("\ufeff"), newline="")))
    assert rows[3][2] == "'=丙"
    for form, text in outputs.items():
        done = run(event, "event.yaml", "--output-format", form, "--output", f"out.{form}")
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        assert (event / f"out.{form}").read_text("utf-8") == text.replace("\r\n", "\n")


def test_files_with_names_are_for_their_owner_alone(event: Path) -> None:
    (event / "old.csv").write_text("old")
    (event / "old.csv").chmod(0o644)
    for name in ("old.csv", "new.csv"):
        run(event, "event.yaml", "--output-format", "csv", "-o", name)
        assert stat.S_IMODE((event / name).stat().st_mode) == 0o600
        assert "水野" in (event / name).read_text("utf-8")


@pytest.mark.parametrize("target", ["event.yaml", "lists/01.txt", "lists/new.txt", "winter-cup.log.jsonl"])
@pytest.mark.parametrize("option", ["--output", "--letters"])
def test_the_events_own_files_are_not_written_over(event: Path, target: str, option: str) -> None:
    before = {file: file.read_bytes() for file in event.rglob("*") if file.is_file()}
    done = run(event, "event.yaml", option, target)
    assert done.returncode == 2 and "will not be overwritten" in done.stderr
    assert {file: file.read_bytes() for file in event.rglob("*") if file.is_file()} == before


def letters(folder: Path, *lists: str, more: str = "") -> list[str]:
    """The letters to the players of these lists, written in this process."""
    file = an_event(folder, *lists, more=more)
    assert run_here("event", "check", file, "--letters", folder / "letters", "--lang", "en") in (1, 2, 3)
    return [path.read_text("utf-8") for path in sorted((folder / "letters").glob("*.txt"))]


@pytest.mark.parametrize(
    ("lang", "head", "line"),
    [
        ("en", "The smallest change that makes it legal (1 copy):", "Main deck: アクア・サーファー: 5 → 4"),
        ("ja", "次のように変えれば、ルールに合います（最小の変更、1枚）。", "メインデッキ: アクア・サーファー: 5 → 4"),
    ],
)  # fmt: skip
def test_the_letter_to_an_illegal_list_names_the_smallest_change(
    tmp_path: Path, lang: str, head: str, line: str
) -> None:
    """Behind what is wrong, before what to do by when; the same each time."""
    illegal = a_list("乙", ILLEGAL, language=lang)
    first, second = letters(tmp_path, illegal, a_list("甲", legal(), language=lang))
    assert f"\n\n{head}\n   {line}\n\n" in first
    assert first.index("アクア・サーファー") < first.index(head) < first.rindex("2026")
    assert head not in second and "→" not in second
    assert letters(tmp_path, illegal, a_list("甲", legal(), language=lang)) == [first, second]


@pytest.mark.parametrize(
    "text",
    [
        ILLEGAL.replace("3 x アクア・ナイト", "3 x 誰も知らない新カード"),
        ILLEGAL.replace("\n\n", "\n&&&& ???? 12:\n\n"),
        '{"main": [',
        "",
        UNDECIDED,
    ],
)
def test_a_list_that_is_not_known_for_certain_gets_no_change(tmp_path: Path, text: str) -> None:
    [letter] = letters(tmp_path, a_list("乙", text, language="en"))
    assert "makes it legal" not in letter and "→" not in letter


def test_an_accepted_list_gets_no_change(tmp_path: Path) -> None:
    file = an_event(tmp_path, a_list("乙", ILLEGAL, language="en"))
    run_here("event", "accept", file, "乙", "--by", "judge", "--reason", "late ban")
    [letter] = letters(tmp_path, a_list("乙", ILLEGAL, language="en"))
    assert "has been accepted" in letter and "makes it legal" not in letter


@pytest.mark.parametrize(
    ("lists", "status"),
    [
        ([legal()], 0),
        ([legal(), ILLEGAL], 1),
        ([legal(), UNDECIDED], 3),
        ([UNREADABLE], 3),
        ([ILLEGAL, UNDECIDED], 1),
        (["", legal()], 1),
        ([ILLEGAL, '{"main": ['], 2),
    ],
)
def test_the_exit_status(tmp_path: Path, lists: list[str], status: int) -> None:
    an_event(
        tmp_path, *(a_list(f"p{at}", text) if text[:1] != "{" else text for at, text in enumerate(lists))
    )
    event = tmp_path / "event.yaml"
    event.write_text(EVENT + "required: []\n", encoding="utf-8")
    done = run(tmp_path, "event.yaml")
    assert done.returncode == status, done.stdout + done.stderr


def test_the_status_tells_the_gravest_matter() -> None:
    """Of lists that don't count nothing is graded, and of those that can't be told apart everything."""
    twice = [entry(1, SMALL_ILLEGAL, "青木"), entry(2, LEGAL, "青木")]
    assert state_of(judged(*twice)) == "fine"
    assert state_of(judged(entry(1, LEGAL, "青木", None), entry(2, OTHER, "青木", None))) == "problems"
    assert state_of(judged(entry(1, submitted=None))) == "fine"
    assert state_of(judged(entry(1, submitted=TOO_LATE))) == "problems"
    assert state_of(judged(entry(1, submitted=TOO_LATE), event=OPEN_END)) == "fine"
    assert state_of(judged(entry(1, name=" "))) == "problems"
    assert state_of(judged(entry(1), accepted=[receipt(1, Player("参加者1"), ANOTHER)])) == "problems"
    assert state_of(judged(entry(1, UNSETTLED), entry(2, SMALL_UNDECIDED))) == "undecided"
    assert state_of(judged(entry(1, None), entry(2, SMALL_UNREADABLE))) == "unreadable"
    assert state_of(judged()) == "fine"


def test_names_are_never_on_standard_error(event: Path) -> None:
    """Not in what is told of mistakes, of the disk, or of the event."""
    blocked = event / "blocked"
    blocked.write_text("")
    for arguments in (
        ("--output", "blocked/x.csv"),
        ("--letters", "blocked"),
        ("--output", "."),
        ("--letters", "lists"),
        ("--output", "lists/01.txt"),
    ):
        done = run(event, "event.yaml", *arguments)
        assert done.returncode == 2 and done.stderr
        assert not [secret for secret in SECRETS if secret in done.stderr]
    (event / "event.yaml").write_text(EVENT + "deadlin: 1\n", encoding="utf-8")
    done = run(event, "event.yaml")
    assert done.returncode == 2 and "deadlin" in done.stderr
    assert not [secret for secret in SECRETS if secret in done.stderr]


def test_internal_errors_of_the_command_are_private(
    event: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("水野 光")

    monkeypatch.setattr("deckcheck.registration.roster.read_entries", broken)
    assert run_here("event", "check", event / "event.yaml") == 2
    out, err = capfd.readouterr()
    assert "ValueError" in err
    assert "水野" not in out + err
