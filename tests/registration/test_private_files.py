"""What holds names is for its owner alone and spares the event's own files; no error tells a name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from factories.commands import run_here
from factories.event_lists import EVENT, a_list, an_event, legal
from factories.event_runs import event_of_three, run

SECRETS = ("水野", "みずの", "0017", "甲", "アクア")
OUTPUTS = (
    ("event", "check", "event.yaml", "-o"),
    ("event", "check", "event.yaml", "--letters-csv"),
    ("event", "check", "event.yaml", "--letters"),
    ("sheet", "event.yaml", "-o"),
)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_of_three(tmp_path)


def content(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refused(folder: Path, *words: str) -> str:
    done = run(folder, *words)
    assert done.status == 2 and "Traceback" not in done.err
    assert not [secret for secret in SECRETS if secret in done.err]
    return done.err


@pytest.mark.parametrize("words", [OUTPUTS[0], OUTPUTS[1], OUTPUTS[3]])
def test_a_file_that_others_could_read_is_for_its_owner_once_names_are_in_it(
    event: Path, words: tuple[str, ...]
) -> None:
    (event / "old").touch(mode=0o644)
    run(event, *words, "old")
    assert stat.S_IMODE((event / "old").stat().st_mode) == 0o600
    assert "水野" in (event / "old").read_text("utf-8")
    assert not list(event.glob(".*"))


@pytest.mark.parametrize("words", OUTPUTS)
def test_the_events_own_files_are_not_written_over(event: Path, words: tuple[str, ...]) -> None:
    before = content(event)
    for target in ("event.yaml", "lists/01.txt", "lists/new.txt", "winter-cup.log.jsonl"):
        assert "will not be overwritten" in refused(event, *words, target)
    assert content(event) == before


@pytest.mark.parametrize("words", [*OUTPUTS, ("event", "init")])
def test_an_output_that_is_a_link_to_itself_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    an_event(tmp_path, a_list("水野", legal()))
    (tmp_path / "loop").symlink_to("loop")
    assert refused(tmp_path, *words, "loop").count("loop: error:") == 1
    assert (tmp_path / "loop").is_symlink()


@pytest.mark.parametrize("kind", ["itself", "nothing", "pipe"])
def test_a_log_that_keeps_nothing_is_refused(tmp_path: Path, kind: str) -> None:
    an_event(tmp_path, a_list("水野", legal()), more="log: out\n")
    log = tmp_path / "out"
    if kind == "pipe":
        os.mkfifo(log)
    else:
        log.symlink_to({"itself": "out", "nothing": os.devnull}[kind])
    assert "'out' is no file that can hold a log" in refused(tmp_path, "event", "accept", "event.yaml")
    assert log.is_fifo() if kind == "pipe" else log.is_symlink()


@pytest.mark.parametrize(
    "arguments",
    [
        ["accept", "event.yaml", "--by", "甲"],
        ["accept", "event.yaml", "--by", "J", "--reason", "R"],
        ["accept", "event.yaml", "0017", "--by", " ", "--reason", "R"],
        ["audit", "event.yaml"],
        ["draw", "event.yaml", "--seed", "甲"],
        ["draw", "event.yaml", "--seed", "x", "--share", "甲"],
        ["accept", "nothing.yaml"],
        ["check", "event.yaml", "--output", "blocked/x.csv"],
        ["check", "event.yaml", "--letters", "blocked"],
        ["check", "event.yaml", "--output", "."],
        ["check", "broken.yaml"],
    ],
)
def test_no_mistake_names_anybody(event: Path, arguments: list[str]) -> None:
    (event / "blocked").touch()
    (event / "broken.yaml").write_text(EVENT + "deadlin: 1\n", encoding="utf-8")
    assert refused(event, "event", *arguments)


@pytest.mark.parametrize(
    ("function", "command"),
    [
        ("deckcheck.registration.roster.read_entries", ("event", "check")),
        ("deckcheck.cli.sheet.render_html", ("sheet",)),
    ],
)
def test_an_error_of_ours_names_nobody(
    event: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    function: str,
    command: tuple[str, ...],
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("水野 光")

    monkeypatch.setattr(function, broken)
    assert run_here(*command, event / "event.yaml") == 2
    out, err = capfd.readouterr()
    assert "ValueError" in err and "水野" not in out + err
