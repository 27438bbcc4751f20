"""Decks to be judged by lists of which only some entries are known."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from deckcheck.formats.lookup import Folders
from deckcheck.model.deck import Directive
from deckcheck.model.finding import Report
from deckcheck.report.suppressions import suppressed

DAY = "2026-08-01"
BEFORE_LISTS = "2024-01-01"
"""Before the first day for which the bundled lists of Legacy, Vintage and Pauper are complete."""

BOLTS = "4 Lightning Bolt\n56 Mountain\n"
LOTUS = "1 Black Lotus\n3 Lightning Bolt\n56 Mountain\n"

_LISTS = {"legacy": "Legacy", "pauper": "Pauper", "vintage": "Vintage"}
_LIST = """\
banlist: magic/{id}
name: {name} banned and restricted list
replaces_bundled: true
partial: true
cards:
- {{card: Black Lotus, history: [{{from: 2004-09-20, status: banned}}]}}
"""
_RESTRICTED = "- {card: Ponder, history: [{from: 2008-09-20, status: restricted}]}\n"


def some_lists(folder: Path) -> Folders:
    """A project in the folder with lists of its own, of which only some entries are known."""
    lists = folder / "lists"
    lists.mkdir()
    for id, name in _LISTS.items():
        text = _LIST.format(id=id, name=name) + (_RESTRICTED if id == "vintage" else "")
        (lists / f"{id}.yaml").write_text(text, "utf-8")
    (folder / "deckcheck.toml").write_text('banlists = ["lists"]\n', "utf-8")
    return Folders(banlists=(lists,))


def asked(report: Report, *rules: str) -> Report:
    directive = Directive(True, rules, "", 9, 1, None)
    with_it = replace(report, deck=replace(report.deck, directives=(directive,)))
    return suppressed(with_it, {"out", "most"})
