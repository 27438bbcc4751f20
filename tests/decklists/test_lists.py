"""Lists and what they say: tables of texts with the cards that are read, the lines that are told, and what is noted.

A case gives a `text`, or a `sample` of a notation with what is replaced in it (`but`), and perhaps `path` and the notation
that the user names (`named`); it is read with the cards of a `game`, or as a `format` has it read. It says `reads` (zone,
copies, card as written), `told` (lines that aren't read or whose zone is unknown), `notes` (ids of other remarks), `title`,
or `refused` (the line at which no card can be read); and where it matters `notation`, `header`, and the `places` of the
entries. Where a line is given with a column, as "3:12", that is compared, too.
"""

from __future__ import annotations

from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml
from factories.notations import SAMPLES
from factories.reader_lists import content

from deckcheck.checking.judge import GameData, Loader, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.rewriting.fmt_and_fix import formatted
from deckcheck.support.errors import UserError

TABLES = sorted((Path(__file__).parent / "lists").glob("*.yaml"))
GIVEN = ("game", "format", "path", "named", "text", "sample", "but")
UNREAD = ("invalid-line", "unknown-zone")


@cache
def _table(game: str) -> GameData:
    return Loader().game(game)


_format = cache(load_format)


def text_of(case: dict[str, Any]) -> str:
    text = str(case["text"] if "text" in case else SAMPLES[case["sample"]])
    for old, new in case.get("but", {}).items():
        assert old in text
        text = text.replace(old, new)
    return text


def _read(case: dict[str, Any]) -> Deck:
    text, path, named = text_of(case), case.get("path", "list.txt"), case.get("named")
    if "format" in case:
        return read_deck(_format(case["format"]), text, path, named)
    return _table(case["game"]).read(text, path, named)


def _place(line: int | None, column: int | None, wanted: object) -> object:
    """A place as precisely as a case gives it."""
    return f"{line}:{column}" if isinstance(wanted, str) else line or 0


def _says(case: dict[str, Any]) -> dict[str, Any]:
    """What a list says, as the cases write it."""
    try:
        deck = _read(case)
    except UserError as error:
        problem = error.problems[0]
        return {"refused": _place(problem.line, problem.column, case.get("refused"))}
    said: dict[str, Any] = {"reads": [f"{entry.zone} {entry.copies} {entry.name}" for entry in deck.entries]}
    precise = case.get("told", [0])[0]
    told = sorted(
        {
            (one.line, one.column if isinstance(precise, str) else 0)
            for one in deck.diagnostics
            if one.id in UNREAD
        }
    )
    notes = sorted({one.id for one in deck.diagnostics if one.id not in UNREAD})
    said |= {"told": [_place(*place, precise) for place in told]} if told else {}
    said |= {"notes": notes} if notes else {}
    said |= {"title": deck.header["deck"]} if "deck" in deck.header else {}
    more = {
        "notation": deck.notation,
        "header": deck.header,
        "places": [f"{entry.line}:{entry.column}" for entry in deck.entries],
    }
    return said | {key: value for key, value in more.items() if key in case}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_table(path: Path) -> None:
    wrong = []
    for case in yaml.safe_load(path.read_text("utf-8")):
        said = _says(case)
        wanted = {key: value for key, value in case.items() if key not in GIVEN}
        if said != wanted:
            wrong.append((text_of(case), said, wanted))
    assert not wrong, "\n".join(
        f"{text!r}\n  says {said}\n  not  {wanted}" for text, said, wanted in wrong[:10]
    )


@pytest.mark.parametrize("stem", ["lines_told", "first_line_told"])
def test_what_is_told_is_never_read_as_that_card(stem: str) -> None:
    """In these tables the odd line names a card, which must not be read from it without a word."""
    path = next(path for path in TABLES if path.stem == stem)
    for case in yaml.safe_load(path.read_text("utf-8")):
        odd = 1 if stem == "first_line_told" else 2
        if odd not in case.get("told", []) and "notes" not in case:
            names = [entry for entry in _read(case).entries if entry.line == odd]
            assert all(not entry.cards for entry in names), case["text"]


@pytest.mark.parametrize("stem", ["files", "notations", "format_zones", "pasted"])
def test_what_is_written_of_a_card_stands_at_its_place(stem: str) -> None:
    path = next(path for path in TABLES if path.stem == stem)
    for case in yaml.safe_load(path.read_text("utf-8")):
        if "refused" not in case:
            deck = _read(case)
            for entry in deck.entries:
                # Only what XML has to escape stands otherwise in its line.
                rest = unescape(deck.lines[entry.line - 1][entry.column - 1 :])
                assert rest.startswith(entry.written), (text_of(case), entry)


def test_what_is_laid_out_stays_what_it_is() -> None:
    path = next(path for path in TABLES if path.stem == "pasted")
    for case in yaml.safe_load(path.read_text("utf-8")):
        loaded = _format(case["format"])
        laid = formatted(loaded.game_data, case["text"], "deck.txt").text
        assert content(read_deck(loaded, laid, "deck.txt")) == content(_read(case)), case["text"]
        assert formatted(loaded.game_data, laid, "deck.txt").text == laid
