"""A project with formats of its own and settings, and `deckcheck` run in it."""

from __future__ import annotations

import json
from pathlib import Path

from factories import commands
from factories.commands import Done

LEGAL = "4 x 天災 デドダム\n4 x 青銅の鎧\n"
RULES = """\
format: club/{id}
game: duel-masters
name: {name}
zones: {{main: {{}}}}
rules:
  - {{id: most, at_most: {most}}}
  - {{id: once, per: name, at_most: {each}, severity: warning}}
"""


def put(folder: Path, name: str, content: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content, encoding="utf-8")


def small_project(tmp_path: Path) -> Path:
    for id, most, each in (("wide", 60, 4), ("narrow", 5, 1), ("other", 8, 9)):
        put(tmp_path, f"formats/{id}.yaml", RULES.format(id=id, name=id.title(), most=most, each=each))
    put(tmp_path, "deck.txt", LEGAL)
    put(tmp_path, "small/deck.txt", LEGAL)
    put(tmp_path, "drafts/deck.txt", "no deck at all\n")
    put(tmp_path, "own.txt", "# format: other\n" + LEGAL)
    put(
        tmp_path,
        "deckcheck.toml",
        'format = "club/wide"\nas-of = "2024-01-01"\nlang = "en"\nformats = ["formats"]\nexclude = ["drafts/"]\n'
        '[[decks]]\npath = "small/"\nformat = "narrow"\n',
    )
    return tmp_path


def deckcheck(folder: Path, *words: str, given: str = "", **variables: str) -> Done:
    return commands.deckcheck(*words, cwd=folder, given=given, **variables)


def check(folder: Path, *arguments: str, given: str = "", **variables: str) -> Done:
    return deckcheck(folder, "check", *arguments, given=given, **variables)


def judged_by(done: Done) -> list[tuple[str, str, str]]:
    """Path, format and day of every deck."""
    return [(one["path"], one["format"], one["as_of"]) for one in json.loads(done.out)["decks"]]
