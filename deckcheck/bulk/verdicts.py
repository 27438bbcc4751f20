"""Judges a batch of decks: clauses as arrays, and what these leave open deck by deck.

A batch has one row per card (`deck`, `zone`, `card`, `copies`) or one row per deck (`deck`, `list`).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from deckcheck.bulk.answers import CardAnswers
from deckcheck.bulk.blocks import COPIES_BITS, Block, Held
from deckcheck.bulk.clauses import ClauseArrays, superseding
from deckcheck.bulk.fingerprints import Fingerprints
from deckcheck.bulk.rows import ASIDE, UNKNOWN, Array, Coding, Rows, lists
from deckcheck.checking.judge import LoadedFormat, SuggestionCache, check, load_format
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNKNOWN_ZONE, Report
from deckcheck.rules.counting import Zones
from deckcheck.rules.predicates import FREE, holds
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

    `rules` are the ids of the rules that a deck breaks, `open` those that stay undecided, of severity error. `as_of` is an
    ISO date (default: today, or that of a list). Raises UserError for a batch that can't be read, and for a format that
    can't be loaded.
    """
    as_of = None if as_of is None else day_of_option("as_of", as_of)
    loaded = format if isinstance(format, LoadedFormat) else _opened(format)
    if "list" in batch.schema.names and "card" not in batch.schema.names:
        return _judge_lists(batch, loaded, as_of, best_of)
    return _prepared(loaded, as_of or today().isoformat(), best_of).judge(batch)


@lru_cache(_MOST_OPENED)
def _opened(format: str | Path) -> LoadedFormat:
    return load_format(format)


@lru_cache(_MOST_OPENED)
def _prepared(format: LoadedFormat, as_of: str, best_of: int | None) -> "FormatArrays":
    return FormatArrays(format, as_of, best_of)


class Verdict(NamedTuple):
    """The ids that a deck breaks, and those that stay open; the verdict follows from them."""

    rules: tuple[str, ...]
    open: tuple[str, ...]

    @classmethod
    def of(cls, report: Report) -> "Verdict":
        """Those of a report."""
        errors = [finding for finding in report.findings if finding.severity == "error"]
        rules, opened = (
            tuple(dict.fromkeys(finding.rule for finding in errors if finding.verdict == state))
            for state in ("violated", "undecided")
        )
        return cls(rules, opened)


def _judge_lists(
    batch: pa.RecordBatch, format: LoadedFormat, as_of: str | None, best_of: int | None
) -> pa.RecordBatch:
    decks, texts = lists(batch)
    plain = _without_suggestions(format)
    results = Results(len(texts))
    for row, text in enumerate(texts):
        place = f"list {row + 1}"
        try:
            report = check(text, plain, as_of=as_of, best_of=best_of, path=place, suppressions=False)
        except UserError as error:
            raise placed_at(error, place) from error
        results.put(row, Verdict.of(report))
        results.fingerprints[row] = report.fingerprint
    return results.batch(decks)


def _without_suggestions(format: LoadedFormat) -> LoadedFormat:
    """The format for decks whose findings nobody reads."""
    return format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))


class FormatArrays:
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
        """How many decks went through the evaluator."""

    def judge(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The verdicts on the decks of a batch in long form. Raises UserError."""
        rows = self._coding.rows(batch)
        size = len(rows.decks)
        counted = rows.zone != ASIDE
        unclear = counted & ((rows.card < 0) | (rows.zone < 0) | (rows.copies >> COPIES_BITS > 0))
        apart = np.zeros(size, bool)
        apart[rows.deck[unclear]] = True
        counted &= (rows.copies > 0) & ~apart[rows.deck]
        # Decks with cards in a zone that the format lacks are left to the evaluator.
        foreign = (rows.zone >= 0) & ~self._played[rows.zone]
        single = apart.copy()
        single[rows.deck[foreign]] = True
        columns = (rows.deck, rows.card, rows.zone, rows.copies)
        if not counted.all():
            columns = tuple(column[counted] for column in columns)
        block = Block.of_rows(size, self._coding.zones, len(self._coding.cards), *columns)
        apart[block.decks_with_many] = True
        single |= apart
        results = Results(size, tuple(dict.fromkeys(clause.prepared.rule.id for clause in self._clauses)))
        # A few decks at a time stay in the processor's cache.
        for first, part in block.slices(_DECKS_AT_ONCE):
            decks = slice(first, first + part.size)
            # Infinity minus infinity gives NaN, which is handled later.
            with np.errstate(invalid="ignore"):
                single[decks] |= self._judge_block(part, first, results)
            results.fingerprints[decks] = self._fingerprints.of(part, ~apart[decks])
        if self._partial is not None:
            results.add_open(self._partial, results.legal_or_open())
        for deck, report in self._evaluated(rows, single):
            results.put(deck, Verdict.of(report))
            if apart[deck]:
                results.fingerprints[deck] = report.fingerprint
        return results.batch(rows.decks)

    def _judge_block(self, block: Block, first: int, results: "Results") -> Array:
        """Add what the clauses find in a block, whose first deck has that number; returns those for the evaluator."""
        flagged = {zones: self._flagged(block, zones) for zones in self._bans}
        size, cards, overs = block.size, len(self._cards.cards), list[Array]()
        rivals = {at for others in self._superseding for at in others}
        hard, opened = np.zeros(size, bool), dict[str, Array]()
        all_found = []
        for at, clause in enumerate(self._clauses):
            if clause.is_plain_ban:
                found = clause.find_among(block, flagged[clause.clause.selection.zones])
            else:
                found = clause.find(block)
            hard |= found.hard
            if clause.by_name and not clause.is_capped and (at in rivals or self._superseding[at]):
                hard |= found.violated | found.open
            overs.append(found.over)
            all_found.append(found)
        for clause, found, others in zip(self._clauses, all_found, self._superseding, strict=True):
            rule, over, open_over = clause.prepared.rule.id, found.over, found.open_over
            is_open = found.open.copy()
            is_open[open_over // cards] = True
            # What clauses of one rule leave open is only reported once.
            hard |= is_open & opened.get(rule, False)
            opened[rule] = opened.get(rule, False) | is_open
            for other in others if len(over) or len(open_over) else ():
                over, open_over = (
                    over[~np.isin(over, overs[other])],
                    open_over[~np.isin(open_over, overs[other])],
                )
            results.add_broken(rule, np.concatenate([np.flatnonzero(found.violated), over // cards]) + first)
            results.add_open(rule, np.concatenate([np.flatnonzero(found.open), open_over // cards]) + first)
        return hard

    def _flagged(self, block: Block, zones: Zones) -> Held:
        """The rows that some plain ban on these zones may forbid."""
        held, world = block.held(zones), self._cards.world
        wheres = [clause.clause.selection.where for clause in self._bans[zones]]

        def ask(card: Card) -> int:
            return max(holds(where, card, world, FREE) for where in wheres if where is not None)

        return held.take(np.flatnonzero(self._cards.of_cards(("bans", zones), held.card, ask)))

    def _evaluated(self, rows: Rows, single: Array) -> Iterator[tuple[int, Report]]:
        """The reports of the evaluator on some decks."""
        wanted = np.flatnonzero(single[rows.deck] & (rows.zone != ASIDE))
        wanted = wanted[np.argsort(rows.deck[wanted], kind="stable")]
        decks = rows.deck[wanted]
        starts = np.flatnonzero(np.diff(decks, prepend=-1)).tolist()
        for start, end in zip(starts, [*starts[1:], len(wanted)], strict=False):
            self.evaluated += 1
            deck = self._deck_of(rows, wanted[start:end].tolist())
            report = check(deck, self._plain, as_of=self._as_of, best_of=self._best_of)
            yield int(decks[start]), report

    def _deck_of(self, rows: Rows, places: list[int]) -> Deck:
        """The deck of some rows, as if it were a list of them."""
        coding, find = self._coding, self._format.game_data.catalog.find
        entries, diagnostics, lines = [], dict[str, Diagnostic](), []
        for line, row in enumerate(places, 1):
            name, copies, zone = rows.names.at(row), int(rows.copies[row]), int(rows.zone[row])
            where = rows.zone_words.at(row) if zone == UNKNOWN else coding.zones[zone]
            entries.append(Entry(name, find(name), copies, copies, where, line, 1))
            lines.append(f"{copies} x {name}")
            if zone == UNKNOWN and where not in diagnostics:
                message = _("no zone is called “{zone}”", zone=where)
                diagnostics[where] = Diagnostic(UNKNOWN_ZONE, message, line, 1, where, where)
        return Deck("-", tuple(entries), tuple(diagnostics.values()), {}, "text", tuple(lines))


class Results:
    """The results for decks numbered from 0."""

    def __init__(self, size: int, rules: tuple[str, ...] = ()) -> None:
        self._size = size
        self._rules = {rule: at for at, rule in enumerate(rules)}
        self._broken: list[tuple[str, Array]] = []
        self._open: list[tuple[str, Array]] = []
        self._single: dict[int, Verdict] = {}
        self.fingerprints: list[str | None] = [None] * size

    def add_broken(self, rule: str, decks: Array) -> None:
        """That decks break a rule."""
        if len(decks):
            self._broken.append((rule, decks))

    def add_open(self, rule: str, decks: Array) -> None:
        """That a rule stays undecided for decks."""
        if len(decks):
            self._open.append((rule, decks))

    def legal_or_open(self) -> Array:
        """The decks that break no rule."""
        return np.flatnonzero(~self._has(self._broken))

    def put(self, deck: int, verdict: Verdict) -> None:
        """The result for a deck, instead of what was added."""
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
        """By deck, the ids of the pairs of an id and decks, each once, in their order."""
        most = len(places) + 1
        keys = [decks * most + places[id] for id, decks in pairs]
        unique = np.unique(np.concatenate([*keys, np.zeros(0, np.int64)]))
        ends = np.searchsorted(unique, np.arange(self._size + 1) * most)
        values = pa.array(places, pa.string()).take(pa.array(unique % most))
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


_VERDICTS = ["legal", "undecided", "illegal"]
_LEGAL, _UNDECIDED, _ILLEGAL = range(3)
