"""`check --watch` checks again when a file changes, and ends when it is told to."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories.club_project import LEGAL, RULES, deckcheck
from factories.commands import environment

from deckcheck.cli.command import STOPPED
from deckcheck.cli.watch import files_to_watch, stamps, watch_files
from deckcheck.config.settings import settings_for

PATIENCE = 60.0


def put(folder: Path, name: str, content: str) -> None:
    """A file that is there as a whole at once, so that nobody sees half of it."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    half = folder / ".half"
    half.write_text(content, encoding="utf-8")
    half.replace(folder / name)


class Watching:
    """A watch at work, and the lines that it wrote so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "deckcheck", "check", "--watch", "--lang", "en", *arguments],
            cwd=folder,
            env=environment(PYTHONUNBUFFERED="1"),
            stdout=subprocess.PIPE,
            # Through one pipe, so that the lines stay in their order.
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode())

    def until(self, wanted: str) -> list[str]:
        """The lines up to the one that holds `wanted`."""
        seen: list[str] = []
        end = time.monotonic() + PATIENCE
        while not seen or wanted not in seen[-1]:
            try:
                seen.append(self.lines.get(timeout=max(end - time.monotonic(), 0.01)))
            except queue.Empty:
                pytest.fail(f"{wanted!r} was never written, only {seen}")
        return seen

    def waits(self) -> str:
        """All that is written until it waits for a change."""
        return "".join(self.until("waiting for changes"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    put(tmp_path, "formats/house.yaml", RULES.format(id="house", name="House", most=60, each=4))
    put(tmp_path, "deckcheck.toml", 'format = "house"\nformats = ["formats"]\nas-of = "2024-01-01"\n')
    put(tmp_path, "decks/a.txt", LEGAL)
    return tmp_path


@pytest.fixture
def watching(project: Path) -> Iterator[Watching]:
    started = Watching(project, "decks")
    yield started
    started.process.kill()
    started.process.communicate(timeout=30)


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_changes_are_checked_until_it_is_stopped(project: Path, watching: Watching) -> None:
    assert "decks/a.txt: legal" in watching.waits()
    # A list changes.
    put(project, "decks/a.txt", LEGAL + "5 x フェアリー・ライフ\n")
    again = watching.until("waiting for changes")
    assert again[:2] == ["\n", "──── changed: decks/a.txt ────\n"]
    assert "warning[once]" in "".join(again)
    # One is added.
    put(project, "decks/deep/b.txt", LEGAL)
    said = watching.waits()
    assert "──── changed: decks/deep/b.txt ────" in said
    assert "2 decks: 2 legal" in said
    # The settings break, and are mended.
    put(project, "deckcheck.toml", "fromat = 1\n")
    said = watching.waits()
    assert "deckcheck.toml:1:1: error: unknown key 'fromat'" in said
    put(project, "deckcheck.toml", 'format = "house"\nformats = ["formats"]\nignore = ["once"]\n')
    assert "decks/a.txt: legal, 1 ignored" in watching.waits()
    # The format changes.
    put(project, "formats/house.yaml", RULES.format(id="house", name="House", most=2, each=4))
    said = watching.waits()
    assert "changed: formats/house.yaml" in said
    assert "2 decks: 0 legal, 2 illegal" in said
    # A list goes away.
    (project / "decks" / "deep" / "b.txt").unlink()
    said = watching.waits()
    assert said.startswith("\n──── changed: decks/deep/b.txt ────\ndecks/a.txt:")
    assert "decks/a.txt: illegal" in said
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(timeout=30) == 130
    time.sleep(0.1)
    left = [watching.lines.get_nowait() for _ in range(watching.lines.qsize())]
    assert left == [], "no traceback"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("decks", "--output-format", "json"), "--watch only works with text output on the screen"),
        (("decks", "--output", "out.txt"), "--watch only works with text output on the screen"),
        (("-",), "--watch cannot be used with standard input"),
    ],
)
def test_what_cannot_be_watched(project: Path, arguments: tuple[str, ...], said: str) -> None:
    done = deckcheck(project, "check", "--watch", "--lang", "en", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"error: {said}\n"


def test_settings_that_ask_for_another_form_cannot_be_watched(project: Path) -> None:
    put(project, "deckcheck.toml", 'output-format = "json"\n')
    assert deckcheck(project, "check", "--watch", "decks").status == 2


def test_all_is_watched_on_which_results_hang(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    put(project, "decks/cards.yaml", "cards: []\n")
    put(project, "decks/own.yaml", "format: club/own\nrules: []\n")
    put(project, "more.yaml", "cards: []\n")
    put(project, "house/house.yaml", "format: x\n")
    put(project, "house/base.yaml", "format: y\n")
    put(project, "deckcheck.toml", 'format = "house"\nformats = ["formats"]\ncards = ["more.yaml"]\n')
    found = files_to_watch(
        ["decks"], str(Path("house", "house.yaml")), ["extra.yaml"], lambda: settings_for(["decks"])
    )
    expected = ("decks/a.txt", "decks/cards.yaml", "decks/own.yaml", "more.yaml", "extra.yaml", "deckcheck.toml", "formats/house.yaml", "formats", "house/house.yaml", "house/base.yaml")  # fmt: skip
    assert {str(Path(path)) for path in expected} <= set(found)
    assert len(found) == len(set(found))


def test_a_stamp_tells_what_is_not_there(tmp_path: Path) -> None:
    put(tmp_path, "a", "1")
    names = [str(tmp_path / "a"), str(tmp_path / "b"), "bad\0name"]
    assert [stamps(names)[name] is None for name in names] == [False, True, True]


def test_it_waits_for_a_change_and_ends_when_the_check_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("1")
    runs: list[str] = []

    def once() -> int:
        runs.append(file.read_text())
        if len(runs) == 3:
            return STOPPED
        # It changes while it is checked, so that the next look must see it.
        file.write_text(runs[-1] + "1")
        return 0

    assert watch_files(once, lambda: [str(file)], "ja", pause=0.01) == STOPPED
    assert runs == ["1", "11", "111"]
    assert capsys.readouterr().out == f"\n──── 変更: {file} ────\n" * 2
