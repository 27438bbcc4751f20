"""Decks as a database stores them, some with mistakes, and what a check and `judge` say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

import pyarrow as pa

from deckcheck.bulk import judge
from deckcheck.cards.names import SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.source import decode
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import Report
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

DAY = "2026-08-20"

Row = tuple[str, str | None, str, int]
"""A deck, a zone, a card and its copies."""


def batch_of(rows: Sequence[Row]) -> pa.RecordBatch:
    """Rows in long form."""
    columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
    types = (pa.string(), pa.string(), pa.string(), pa.int32())
    arrays = [pa.array(column, type) for column, type in zip(columns, types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=["deck", "zone", "card", "copies"])


def case_decks(format: LoadedFormat, step: int) -> list[list[Row]]:
    """The decks of the cases of a format's game, one of so many."""
    decks = []
    for file in sorted(shipped("formats").glob(f"{format.format.game}/*.cases/*"))[::step]:
        deck = read_deck(format, decode(file.read_bytes(), file.name), file.name)
        rows = [
            (entry.cards[0].name if entry.cards else entry.written, entry.copies, entry.zone)
            for entry in deck.entries
        ]
        decks.append([("", zone, name, copies) for name, copies, zone in rows])
    return decks


def mishandled(
    rows: Sequence[Row], name: str, chance: Random, names: Sequence[str], zones: Sequence[str | None]
) -> list[Row]:
    """The rows of a deck with a few cards more, fewer, others, split, or in other zones; in any order."""
    found = [(name, zone, card, copies) for _, zone, card, copies in rows]
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        at = chance.randrange(len(found)) if found else 0
        _deck, zone, card, copies = found[at] if found else (name, zones[0], names[0], 1)
        match chance.randrange(8):
            case 0:
                found[at : at + 1] = []
            case 1:
                found[at : at + 1] = [(name, zone, card, max(copies + chance.choice((-2, -1, 1, 4)), 0))]
            case 2:
                found[at : at + 1] = [(name, zone, chance.choice(names), copies)]
            case 3:
                found[at : at + 1] = [(name, chance.choice(zones), card, copies)]
            case 4:
                found[at : at + 1] = [
                    (name, zone, card, copies - copies // 2),
                    (name, zone, card, copies // 2),
                ]
            case 5:
                found.append(
                    (name, chance.choice(zones), chance.choice(names), chance.choice((1, 1, 2, 4, 5, 0)))
                )
            case 6:
                found.append((name, zone, card, chance.choice((1, 3))))
            case 7 if chance.random() < 0.3:
                found.append(
                    (name, chance.choice([*zones, "Shed", None]), chance.choice([*names[:9], "???"]), 40_000)
                )
    chance.shuffle(found)
    return found or [(name, zones[0], names[0], 0)]


Result = tuple[str, set[str], set[str], str | None]
"""A verdict, the ids that are violated and those that are open, and the fingerprint."""


def results_of(report: Report) -> Result:
    """Those of a report."""
    errors = [finding for finding in report.findings if finding.severity == "error"]
    violated, opened = (
        {finding.rule for finding in errors if finding.verdict == state}
        for state in ("violated", "undecided")
    )
    return report.verdict, violated, opened, report.fingerprint


def deck_of_rows(rows: Sequence[Row], format: LoadedFormat, zone_words: Mapping[str, str]) -> Deck:
    """The deck of rows as a table says it, with a zone on each row."""
    data, entries, lines, diagnostics = format.game_data, [], [], []
    for number, (_, word, name, copies) in enumerate(rows, 1):
        cards = data.catalog.find(name)
        home = cards[0].home if len(cards) == 1 else None
        zone = zone_words.get(word, word) if word else home or data.game.default_zone
        entries.append(Entry(name, cards, copies, zone, number, 1))
        lines.append(f"{copies} x {name}")
        if zone not in {*data.game.zones, *format.format.zones}:
            message = Localized("?", "?")
            diagnostics.append(Diagnostic("unknown-zone", message, number, 1, zone, zone))
    return Deck("-", tuple(entries), tuple(diagnostics), {}, "csv", tuple(lines))


def by_evaluator(
    rows: Sequence[Row],
    format: LoadedFormat,
    day: str,
    best_of: int | None = None,
    zone_words: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Result]:
    """What the evaluator says of each deck, one by one."""
    decks: dict[str, list[Row]] = {}
    for row in rows:
        decks.setdefault(row[0], []).append(row)
    plain = format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))
    return {
        name: results_of(check(deck_of_rows(own, format, zone_words), plain, as_of=day, best_of=best_of))
        for name, own in decks.items()
    }


def by_judge(
    rows: Sequence[Row], format: LoadedFormat, day: str, best_of: int | None = None
) -> dict[str, Result]:
    """What `judge` says of the same decks."""
    found = judge(batch_of(rows), format, as_of=day, best_of=best_of).to_pylist()
    for row in found:
        assert len({*row["rules"]}) == len(row["rules"]) and len({*row["open"]}) == len(row["open"])
    return {
        row["deck"]: (row["verdict"], {*row["rules"]}, {*row["open"]}, row["fingerprint"]) for row in found
    }
