"""Judges a batch of decks: clauses as arrays, and the decks that these leave open one by one.

A batch has one row per card (`deck`, `zone`, `card`, `copies`) or one row per deck (`deck`, `list`).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from deckcheck.bulk.batches import ASIDE, UNKNOWN, Array, Coding, Rows, RowsPart, list_rows
from deckcheck.bulk.clause_arrays import CardAnswers, ClauseArrays, superseding
from deckcheck.bulk.deck_arrays import COPIES_BITS, Block, CardRows, Fingerprints
from deckcheck.bulk.stored_files import are_lists
from deckcheck.cards.suggestions import SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, load_format
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import UNKNOWN_ZONE, Report
from deckcheck.rules.counting import State, Zones
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


def _judge_lists(
    batch: pa.RecordBatch, format: LoadedFormat, as_of: str | None, best_of: int | None
) -> pa.RecordBatch:
    decks, texts = list_rows(batch)
    plain, results = _without_suggestions(format), BatchResults(decks, format)
    for row, text in enumerate(texts):
        place = f"list {row + 1}"
        try:
            report = check(text, plain, as_of=as_of, best_of=best_of, path=place, suppressions=False)
        except UserError as error:
            raise placed_at(error, place) from error
        results.add_report(row, report)
    return results.batch()


def _without_suggestions(format: LoadedFormat) -> LoadedFormat:
    """The format for decks whose findings aren't shown."""
    return format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))


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

    def judge(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The verdicts on the decks of a batch in long form. Raises UserError."""
        rows = self._coding.rows(batch)
        results = BatchResults(rows.decks, self._format)
        # A few decks at a time stay in the processor's cache, which the evaluator would fill with other things.
        left = [deck for part in rows.parts(_DECKS_AT_ONCE) for deck in self._judge_part(part, results)]
        for deck in left:
            report = check(self._deck(rows, deck), self._plain, as_of=self._as_of, best_of=self._best_of)
            results.add_report(deck, report)
        if self._partial is not None:
            results.add("undecided", self._partial, np.flatnonzero(~results.have("violated")))
        return results.batch()

    def _judge_part(self, part: RowsPart, results: "BatchResults") -> list[int]:
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
            found, undecidable = self._judge_block(block)
        for_evaluator |= undecidable | unreadable
        for state, rule, decks in found:
            results.add(state, rule, decks[~for_evaluator[decks]] + part.first)
        results.fingerprints[part.first : part.first + size] = self._fingerprints.of(block, ~unreadable)
        return (np.flatnonzero(for_evaluator) + part.first).tolist()

    def _judge_block(self, block: Block) -> tuple[list[tuple[State, str, Array]], Array]:
        """The decks of a block that break or leave open each rule, and whether each deck is for the evaluator."""
        flagged = {zones: self._flagged(block, zones) for zones in self._bans}
        superseding_others = {at for others in self._superseding for at in others}
        for_evaluator, opened = np.zeros(block.size, bool), dict[str, Array]()
        results = []
        for at, clause in enumerate(self._clauses):
            if clause.is_plain_ban:
                result = clause.find_among(block, flagged[clause.clause.selection.zones])
            else:
                result = clause.find(block)
            for_evaluator |= result.for_evaluator
            may_supersede = at in superseding_others or self._superseding[at]
            if clause.by_name and not clause.is_capped and may_supersede:
                for_evaluator |= result.violated | result.open
            results.append(result)
        cards, found = len(self._cards.cards), list[tuple[State, str, Array]]()
        for clause, result, others in zip(self._clauses, results, self._superseding, strict=True):
            rule, over, open_over = clause.prepared.rule.id, result.over, result.open_over
            is_open = result.open.copy()
            is_open[open_over // cards] = True
            # An open rule is reported only once, whatever its clauses.
            for_evaluator |= is_open & opened.get(rule, False)
            opened[rule] = opened.get(rule, False) | is_open
            if others and (len(over) or len(open_over)):
                by_others = np.concatenate([results[other].over for other in others])
                over, open_over = (keys[~np.isin(keys, by_others)] for keys in (over, open_over))
            found.append(("violated", rule, np.append(np.flatnonzero(result.violated), over // cards)))
            found.append(("undecided", rule, np.append(np.flatnonzero(result.open), open_over // cards)))
        return found, for_evaluator

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


class BatchResults:
    """The results for the decks of a batch, numbered from 0."""

    def __init__(self, decks: pa.Array, format: LoadedFormat) -> None:
        self._decks = decks
        self._rules = [rule.id for rule in format.format.rules]
        self._found: dict[str, list[tuple[str, Array]]] = {"violated": [], "undecided": []}
        self.fingerprints: list[str | None] = [None] * len(decks)

    def add(self, state: State, rule: str, decks: Array) -> None:
        """Record that decks break a rule or leave it undecided."""
        if len(decks):
            self._found[state].append((rule, decks))

    def add_report(self, deck: int, report: Report) -> None:
        """Record the rules of a report, and its fingerprint if there is none yet."""
        for finding in report.findings:
            if finding.severity == "error":
                self.add(finding.verdict.value, finding.rule, np.array([deck]))
        self.fingerprints[deck] = self.fingerprints[deck] or report.fingerprint

    def have(self, state: State) -> Array:
        """Whether each deck breaks any rule, or leaves any undecided."""
        found = np.zeros(len(self._decks), bool)
        for _rule, decks in self._found[state]:
            found[decks] = True
        return found

    def batch(self) -> pa.RecordBatch:
        """The results as a batch."""
        others = {rule for pairs in self._found.values() for rule, _decks in pairs}.difference(self._rules)
        rules = [*self._rules, *sorted(others)]
        verdicts = np.where(self.have("violated"), 2, self.have("undecided"))
        arrays = [
            self._decks,
            _VERDICTS.take(pa.array(verdicts)),
            *(self._lists(pairs, rules) for pairs in self._found.values()),
            pa.array(self.fingerprints, pa.string()),
        ]
        schema = SCHEMA.set(0, SCHEMA.field(0).with_type(self._decks.type))
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    def _lists(self, pairs: Iterable[tuple[str, Array]], rules: Sequence[str]) -> pa.ListArray:
        """For each deck, the rules of the pairs that contain it, each once, in the order of `rules`."""
        most, place = len(rules) + 1, {rule: at for at, rule in enumerate(rules)}
        keys = [decks * most + place[rule] for rule, decks in pairs]
        unique = np.unique(np.concatenate([*keys, np.zeros(0, np.int64)]))
        ends = np.searchsorted(unique, np.arange(len(self._decks) + 1) * most)
        values = pa.array(rules, pa.string()).take(pa.array(unique % most))
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


_VERDICTS = pa.array(["legal", "undecided", "illegal"])
