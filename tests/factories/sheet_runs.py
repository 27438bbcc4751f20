"""`deckcheck sheet` run over a deck and over an event."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from factories.commands import run_process
from factories.event_lists import ILLEGAL, UNREADABLE, a_list, an_event, legal

SECRETS = ("水野", "みずの", "0017", "アクア")


def run(
    folder: Path, *arguments: str, given: str = "", lang: str = "en"
) -> subprocess.CompletedProcess[bytes]:
    return run_process(
        ["sheet", *arguments],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if key != "DECKCHECK_FORMAT"}
        | {"DECKCHECK_LANG": lang, "PYTHONUTF8": "1"},
        given=given.encode(),
    )


def made(folder: Path, *arguments: str, given: str = "", lang: str = "en") -> str:
    done = run(folder, *arguments, given=given, lang=lang)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def refused(folder: Path, *arguments: str, given: str = "") -> str:
    done = run(folder, *arguments, given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode()


def deck_file(tmp_path: Path) -> Path:
    text = "# format: duel-masters/duemagic\n# date: 2026-11-27\n" + a_list(
        "水野 光", legal(), table="7", id="0017"
    )
    (tmp_path / "deck.txt").write_text(text, encoding="utf-8")
    return tmp_path


def event_file(tmp_path: Path) -> Path:
    """Five players: three with a table, one whose list can't be read and who has none, one without a list."""
    an_event(
        tmp_path,
        a_list("水野 光", legal(), reading="みずの ひかる", id="0017", table="10"),
        a_list("乙", ILLEGAL, table="9", language="en"),
        a_list("丙", UNREADABLE, reading="へい"),
        a_list("丁", "", reading="てい"),
        a_list("戊", legal(3), table="9"),
        more="language: ja\norganiser: カード店\n",
    )
    return tmp_path
