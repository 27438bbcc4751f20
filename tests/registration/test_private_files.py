"""What holds names is for its owner alone and spares the event's own files; no error tells a name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from factories.events import EVENT, a_list, an_event, event_of_three, legal, put, run

SECRETS = ("水野", "みずの", "0017", "甲", "アクア")
OUTPUTS = (
    ("event", "check", "event.yaml", "-o"),
    ("event", "check", "event.yaml", "--letters-csv"),
    ("sheet", "event.yaml", "-o"),
    ("event", "check", "event.yaml", "--letters"),
)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_of_three(tmp_path)


def refused(folder: Path, *words: str) -> str:
    done = run(folder, *words)
    assert done.status == 2 and "Traceback" not in done.err
    assert not [secret for secret in SECRETS if secret in done.err]
    return done.err


def test_a_file_that_others_could_read_is_for_its_owner_once_names_are_in_it(event: Path) -> None:
    for words in OUTPUTS[:3]:
        (event / "old").touch()
        (event / "old").chmod(0o644)
        run(event, *words, "old")
        assert stat.S_IMODE((event / "old").stat().st_mode) == 0o600
        assert "水野" in (event / "old").read_text("utf-8")
    assert not list(event.glob(".*"))


@pytest.mark.parametrize("words", [*OUTPUTS, ("event", "init")])
def test_an_output_spares_the_events_own_files_and_is_no_link_to_itself(
    event: Path, words: tuple[str, ...]
) -> None:
    (event / "loop").symlink_to("loop")
    before = {file: file.read_bytes() for file in event.rglob("*") if file.is_file()}
    assert refused(event, *words, "loop").count("loop: error:") == 1
    if words in OUTPUTS:
        for target in ("event.yaml", "lists/01.txt", "lists/new.txt", "winter-cup.log.jsonl"):
            assert "will not be overwritten" in refused(event, *words, target)
    assert {file: file.read_bytes() for file in event.rglob("*") if file.is_file()} == before
    assert (event / "loop").is_symlink()


@pytest.mark.parametrize("target", ["out", os.devnull, None])
def test_a_log_that_keeps_nothing_is_refused(tmp_path: Path, target: str | None) -> None:
    """A link to itself or to nothing, or a pipe."""
    an_event(tmp_path, a_list("水野", legal()), more="log: out\n")
    log = tmp_path / "out"
    if target is None:
        os.mkfifo(log)
    else:
        log.symlink_to(target)
    assert "'out' is no file that can hold a log" in refused(tmp_path, "event", "accept", "event.yaml")
    assert log.is_fifo() if target is None else log.is_symlink()


@pytest.mark.parametrize(
    "words",
    [
        "accept event.yaml --by 甲",
        "accept event.yaml --by J --reason R",
        "accept event.yaml 0017 --by 　 --reason R",
        "audit event.yaml",
        "draw event.yaml --seed 甲",
        "draw event.yaml --seed x --share 甲",
        "accept nothing.yaml",
        "check event.yaml --output blocked/x.csv",
        "check event.yaml --letters blocked",
        "check event.yaml --output .",
        "check broken.yaml",
    ],
)
def test_no_mistake_names_anybody(event: Path, words: str) -> None:
    put(event, {"blocked": "", "broken.yaml": EVENT + "deadlin: 1\n"})
    assert refused(event, "event", *words.split(" "))


def test_a_broken_log_is_told_with_its_line(event: Path) -> None:
    run(event, "event", "accept", "event.yaml")
    log = event / "winter-cup.log.jsonl"
    log.write_text(log.read_text("utf-8").replace("水野", "水田"), "utf-8")
    for command in (["accept", "event.yaml"], ["draw", "event.yaml", "--seed", "x"]):
        said = refused(event, "event", *command)
        assert "winter-cup.log.jsonl:1" in said and "水田" not in said


@pytest.mark.parametrize(
    ("function", "command"),
    [
        ("deckcheck.registration.roster.read_entries", ("event", "check")),
        ("deckcheck.cli.event_sheet_verify.render_html", ("sheet",)),
    ],
)
def test_an_error_of_ours_names_nobody(
    event: Path, monkeypatch: pytest.MonkeyPatch, function: str, command: tuple[str, ...]
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("水野 光")

    monkeypatch.setattr(function, broken)
    assert "ValueError" in refused(event, *command, "event.yaml")
