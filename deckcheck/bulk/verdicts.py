"""Judges a batch of decks: clauses as arrays, and the decks that these leave open one by one.

A batch has one row per card (`deck`, `zone`, `card`, `copies`) or one row per deck (`deck`, `list`).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from deckcheck.bulk.clause_arrays import ClauseArrays, superseding
from deckcheck.bulk.columns import ASIDE, UNKNOWN, Array, Coding, Rows, RowsPart, list_rows
from deckcheck.bulk.deck_arrays import COPIES_BITS, Block, CardRows
from deckcheck.bulk.deck_fingerprints import Fingerprints
from deckcheck.bulk.predicate_arrays import CardAnswers
from deckcheck.bulk.stored_files import are_lists
from deckcheck.cards.suggestions import SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNKNOWN_ZONE, Report
from deckcheck.rules.counting import Zones
from deckcheck.rules.predicates import FREE, NO, holds
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import UserError, placed_at
from deckcheck.support.messages import _

_MOST_OPENED = 16
_DECKS_AT_ONCE = 2048

SCHEMA = pa.schema(
    [
        pa.field("deck", pa.string(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("rules", pa.list_(pa.string()), nullable=False),
        pa.field("open", pa.list_(pa.string()), nullable=False),
        pa.field("fingerprint", pa.string()),
    ]
)
"""The columns of a result; `deck` has the type that it has in the batch."""


def judge(
    batch: pa.RecordBatch,
    format: str | Path | LoadedFormat,
    *,
    as_of: str | None = None,
    best_of: int | None = None,
) -> pa.RecordBatch:
    """The verdicts on the decks of a batch, one row per deck in the order of their first rows; see SCHEMA.

    `rules` are the ids of the rules that a deck breaks, `open` those that stay undecided, of severity error, in the order
    of the format. `as_of` is an
    ISO date (default: today, or that of a list). Raises UserError for a batch that can't be read, and for a format that
    can't be loaded.
    """
    as_of = None if as_of is None else day_of_option("as_of", as_of)
    loaded = format if isinstance(format, LoadedFormat) else _opened(format)
    if are_lists(batch.schema.names):
        return _judge_lists(batch, loaded, as_of, best_of)
    return _prepared(loaded, as_of or today().isoformat(), best_of).judge(batch)


@lru_cache(_MOST_OPENED)
def _opened(format: str | Path) -> LoadedFormat:
    return load_format(format)


@lru_cache(_MOST_OPENED)
def _prepared(format: LoadedFormat, as_of: str, best_of: int | None) -> "BatchJudge":
    return BatchJudge(format, as_of, best_of)


class RuleIds(NamedTuple):
    """The ids of the rules that a deck breaks, and of those that stay open; the verdict follows from them."""

    rules: tuple[str, ...]
    open: tuple[str, ...]

    @classmethod
    def of(cls, report: Report) -> "RuleIds":
        """The ids in a report."""
        errors = [finding for finding in report.findings if finding.severity == "error"]
        rules, opened = (
            tuple(dict.fromkeys(finding.rule for finding in errors if finding.verdict == state))
            for state in ("violated", "undecided")
        )
        return cls(rules, opened)


def _judge_lists(
    batch: pa.RecordBatch, format: LoadedFormat, as_of: str | None, best_of: int | None
) -> pa.RecordBatch:
    decks, texts = list_rows(batch)
    plain = _without_suggestions(format)
    results = BatchResults(len(texts), _rule_ids(format))
    for row, text in enumerate(texts):
        place = f"list {row + 1}"
        try:
            report = check(text, plain, as_of=as_of, best_of=best_of, path=place, suppressions=False)
        except UserError as error:
            raise placed_at(error, place) from error
        results.put(row, RuleIds.of(report))
        results.fingerprints[row] = report.fingerprint
    return results.batch(decks)


def _without_suggestions(format: LoadedFormat) -> LoadedFormat:
    """The format for decks whose findings aren't shown."""
    return format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))


def _rule_ids(format: LoadedFormat) -> tuple[str, ...]:
    """The order of ids in results."""
    return tuple(rule.id for rule in format.format.rules)


class BatchJudge:
    """A format on a day, to judge batches of decks; it keeps answers for cards."""

    def __init__(self, format: LoadedFormat, as_of: str, best_of: int | None) -> None:
        prepared = format.prepared(as_of, best_of)
        self._format, self._as_of, self._best_of = format, as_of, best_of
        self._plain = _without_suggestions(format)
        self._coding = Coding(format.game_data, prepared.names.zones)
        self._fingerprints = Fingerprints(format.game_data.game.id, self._coding.zones, self._coding.cards)
        self._cards = CardAnswers(self._coding.cards, prepared.world)
        self._clauses = [
            ClauseArrays(clause, self._cards, format.game_data.game.assumed_absent)
            for clause in prepared.clauses
            if clause.clause.severity == "error"
        ]
        self._superseding = superseding(self._clauses)
        self._played = np.array([zone in format.format.zones for zone in self._coding.zones])
        self._partial = None if prepared.partial is None else prepared.partial.rule
        self._bans: dict[Zones, list[ClauseArrays]] = {}
        for clause in self._clauses:
            if clause.is_plain_ban:
                self._bans.setdefault(clause.clause.selection.zones, []).append(clause)
        self.evaluated = 0
        """The number of decks that the evaluator judged."""

    def judge(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The verdicts on the decks of a batch in long form. Raises UserError."""
        rows = self._coding.rows(batch)
        results, by_evaluator = BatchResults(len(rows.decks), _rule_ids(self._format)), list[_Evaluated]()
        # A few decks at a time stay in the processor's cache.
        for part in rows.parts(_DECKS_AT_ONCE):
            by_evaluator += self._judge_part(part, results)
        if self._partial is not None:
            results.add_open(self._partial, results.legal_or_open())
        for deck, is_readable in by_evaluator:
            self.evaluated += 1
            report = check(self._deck(rows, deck), self._plain, as_of=self._as_of, best_of=self._best_of)
            results.put(deck, RuleIds.of(report))
            if not is_readable:
                results.fingerprints[deck] = report.fingerprint
        return results.batch(rows.decks)

    def _judge_part(self, part: RowsPart, results: "BatchResults") -> "list[_Evaluated]":
        """Add what the clauses find in some decks; returns those for the evaluator."""
        size, columns = part.size, (part.deck, part.card, part.zone, part.copies)
        unreadable, for_evaluator = np.zeros(size, bool), np.zeros(size, bool)
        # Decks with cards in a zone that the format lacks are left to the evaluator.
        for_evaluator[part.deck[~self._played[part.zone] & (part.zone >= 0)]] = True
        if (
            not len(part.deck)
            or min(part.card.min(), part.zone.min(), part.copies.min() - 1) < 0
            or part.copies.max() >> COPIES_BITS
        ):
            counted = part.zone != ASIDE
            uncertain = (part.card < 0) | (part.zone < 0) | (part.copies >> COPIES_BITS > 0)
            unreadable[part.deck[counted & uncertain]] = True
            counted &= (part.copies > 0) & ~unreadable[part.deck]
            columns = tuple(column[counted] for column in columns)
        block = Block.of_rows(size, self._coding.zones, len(self._coding.cards), *columns)
        unreadable[block.decks_with_many()] = True
        # Infinity minus infinity gives NaN, which is handled later.
        with np.errstate(invalid="ignore"):
            for_evaluator |= self._judge_block(block, part.first, results)
        results.fingerprints[part.first : part.first + size] = self._fingerprints.of(block, ~unreadable)
        decks = np.flatnonzero(for_evaluator | unreadable)
        return [_Evaluated(part.first + deck, not unreadable[deck]) for deck in decks.tolist()]

    def _judge_block(self, block: Block, first: int, results: "BatchResults") -> Array:
        """Add what the clauses find in a block, whose first deck has that number; returns those for the evaluator."""
        flagged = {zones: self._flagged(block, zones) for zones in self._bans}
        size, cards, overs = block.size, len(self._cards.cards), list[Array]()
        superseding_others = {at for others in self._superseding for at in others}
        for_evaluator, opened = np.zeros(size, bool), dict[str, Array]()
        all_found = []
        for at, clause in enumerate(self._clauses):
            if clause.is_plain_ban:
                found = clause.find_among(block, flagged[clause.clause.selection.zones])
            else:
                found = clause.find(block)
            for_evaluator |= found.for_evaluator
            if (
                clause.by_name
                and not clause.is_capped
                and (at in superseding_others or self._superseding[at])
            ):
                for_evaluator |= found.violated | found.open
            overs.append(found.over)
            all_found.append(found)
        for clause, found, others in zip(self._clauses, all_found, self._superseding, strict=True):
            rule, over, open_over = clause.prepared.rule.id, found.over, found.open_over
            is_open = found.open.copy()
            is_open[open_over // cards] = True
            # An open rule is reported only once, whatever its clauses.
            for_evaluator |= is_open & opened.get(rule, False)
            opened[rule] = opened.get(rule, False) | is_open
            for other in others if len(over) or len(open_over) else ():
                over, open_over = (
                    over[~np.isin(over, overs[other])],
                    open_over[~np.isin(open_over, overs[other])],
                )
            results.add_broken(rule, np.concatenate([np.flatnonzero(found.violated), over // cards]) + first)
            results.add_open(rule, np.concatenate([np.flatnonzero(found.open), open_over // cards]) + first)
        return for_evaluator

    def _flagged(self, block: Block, zones: Zones) -> CardRows:
        """The rows that any plain ban on these zones may forbid."""
        rows, world = block.rows(zones), self._cards.world
        wheres = [clause.clause.selection.where for clause in self._bans[zones]]

        def ask(card: Card) -> int:
            return max(holds(where, card, world, FREE) for where in wheres if where is not None)

        return rows.where(self._cards.of_cards(("bans", zones), rows.card, ask) != NO)

    def decks(self, batch: pa.RecordBatch) -> Iterator[tuple[object, Deck]]:
        """The decks of a batch in long form by their names, for the evaluator. Raises UserError."""
        rows = self._coding.rows(batch)
        for number, name in enumerate(rows.decks.to_pylist()):
            yield name, self._deck(rows, number)

    def _deck(self, rows: Rows, deck: int) -> Deck:
        """A deck, read as if it were a list of its rows."""
        coding, find, part = self._coding, self._format.game_data.catalog.find, rows.part(deck, deck + 1)
        entries, diagnostics, lines = [], dict[str, Diagnostic](), list[str]()
        for row, (number, copies) in enumerate(
            zip(part.zone.tolist(), part.copies.tolist(), strict=True), part.start
        ):
            if number == ASIDE:
                continue
            name, line = rows.names.at(row), len(lines) + 1
            zone = rows.zone_words.at(row) if number == UNKNOWN else coding.zones[number]
            entries.append(Entry(name, find(name), copies, copies, zone, line, 1))
            lines.append(f"{copies} x {name}")
            if number == UNKNOWN and zone not in diagnostics:
                message = _("no zone is called “{zone}”", zone=zone)
                diagnostics[zone] = Diagnostic(UNKNOWN_ZONE, message, line, 1, zone, zone)
        return Deck("-", tuple(entries), tuple(diagnostics.values()), {}, "text", tuple(lines))


class _Evaluated(NamedTuple):
    """A deck for the evaluator, and whether the arrays can give its fingerprint."""

    deck: int
    is_readable: bool


class BatchResults:
    """The results for decks numbered from 0."""

    def __init__(self, size: int, rules: tuple[str, ...] = ()) -> None:
        self._size = size
        self._rules = {rule: at for at, rule in enumerate(rules)}
        self._broken: list[tuple[str, Array]] = []
        self._open: list[tuple[str, Array]] = []
        self._single: dict[int, RuleIds] = {}
        self.fingerprints: list[str | None] = [None] * size

    def add_broken(self, rule: str, decks: Array) -> None:
        """Record that decks break a rule."""
        if len(decks):
            self._broken.append((rule, decks))

    def add_open(self, rule: str, decks: Array) -> None:
        """Record that a rule stays undecided for decks."""
        if len(decks):
            self._open.append((rule, decks))

    def legal_or_open(self) -> Array:
        """The decks that break no rule."""
        return np.flatnonzero(~self._has(self._broken))

    def put(self, deck: int, verdict: RuleIds) -> None:
        """Set the result for a deck, replacing what was added."""
        self._single[deck] = verdict

    def batch(self, decks: pa.Array) -> pa.RecordBatch:
        """The results as a batch."""
        single = np.zeros(self._size, bool)
        single[list(self._single)] = True
        columns = []
        for pairs, name in ((self._broken, "rules"), (self._open, "open")):
            column = [(id, found[~single[found]]) for id, found in pairs]
            column += [
                (id, np.array([deck])) for deck, each in self._single.items() for id in getattr(each, name)
            ]
            columns.append(column)
        others = sorted({id for column in columns for id, _ in column} - self._rules.keys())
        places = {id: at for at, id in enumerate((*self._rules, *others))}
        is_illegal, is_open = map(self._has, columns)
        verdicts = np.where(is_illegal, _ILLEGAL, np.where(is_open, _UNDECIDED, _LEGAL))
        arrays = [
            decks,
            pa.array(_VERDICTS).take(pa.array(verdicts)),
            *(self._lists(column, places) for column in columns),
            pa.array(self.fingerprints, pa.string()),
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA.set(0, SCHEMA.field(0).with_type(decks.type)))

    def _has(self, pairs: Iterable[tuple[str, Array]]) -> Array:
        """Whether each deck is in any of the pairs."""
        found = np.zeros(self._size, bool)
        for _id, decks in pairs:
            found[decks] = True
        return found

    def _lists(self, pairs: Iterable[tuple[str, Array]], places: Mapping[str, int]) -> pa.ListArray:
        """For each deck, the ids of the (id, decks) pairs that contain it, each once, in order."""
        most = len(places) + 1
        keys = [decks * most + places[id] for id, decks in pairs]
        unique = np.unique(np.concatenate([*keys, np.zeros(0, np.int64)]))
        ends = np.searchsorted(unique, np.arange(self._size + 1) * most)
        values = pa.array(places, pa.string()).take(pa.array(unique % most))
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


_VERDICTS = ["legal", "undecided", "illegal"]
_LEGAL, _UNDECIDED, _ILLEGAL = range(3)
