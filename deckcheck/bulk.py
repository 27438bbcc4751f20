"""Stored decks by the million: batches of Arrow in, verdicts out, and the cards that a change of list affects.

Files, partitions and parallelism are left to the engine that holds the decks. It needs `deckcheck[arrow]`.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Literal

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise ImportError("deckcheck.bulk needs pyarrow: pip install 'deckcheck[arrow]'") from error
from msgspec import Struct

from deckcheck.cards.names import FewSuggestions
from deckcheck.checking.judge import LoadedFormat, check, load_format, zone_meant
from deckcheck.model import format as model
from deckcheck.model.card import Card
from deckcheck.model.deck import NAMED_CARDS, Deck, Entry
from deckcheck.model.finding import CanonicalList, Report, State, Verdict
from deckcheck.model.format import Clause, Predicate, Severity, Sides, leaves, zones_needed
from deckcheck.rules import counting
from deckcheck.rules.clauses import PreparedClause
from deckcheck.rules.counting import Copies, Interval, Tally
from deckcheck.rules.evaluator import evaluate, one_per_cause
from deckcheck.rules.predicates import NO, World, holds
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.messages import Message, _

__all__ = ["SCHEMA", "affected", "judge"]

MOST_COPIES = 10**9

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
    batch: Any, format: str | Path | LoadedFormat, *, as_of: str | None = None, best_of: int | None = None
) -> pa.RecordBatch:
    """The verdicts on the decks of a batch, one row per deck in the order of their first rows; see SCHEMA.

    A batch is a record batch, a table, or what else `pyarrow.table()` takes, such as a data frame. It has one row per card
    (`deck`, `zone`, `card`, `copies`) or one row per deck (`deck`, `list`). `rules` are the ids of the rules that a deck breaks,
    `open` those that stay undecided, of severity error, in the order of the format. `as_of` is an ISO date (default: today, or
    that of a list). Raises UserError for a batch that can't be read and for a format that can't be loaded, and TypeError for
    what is no batch.
    """
    as_of = None if as_of is None else day_of_option("as_of", as_of)
    names, contents = _read(batch)
    judging = _Judge(format if isinstance(format, LoadedFormat) else _opened(format), as_of, best_of)
    results = []
    for row, (name, content) in enumerate(zip(names.to_pylist(), contents, strict=True), 1):
        result = judging.of_text(content, row) if isinstance(content, str) else judging.of_rows(content)
        results.append({"deck": name} | result)
    schema = SCHEMA.set(0, SCHEMA.field(0).with_type(names.type))
    return pa.RecordBatch.from_pylist(results, schema=schema)


@lru_cache(maxsize=16)
def _opened(format: str | Path) -> LoadedFormat:
    return load_format(format)


class _Row(Struct, frozen=True):
    """Copies of a card in a deck; `zone` is empty where none is given."""

    zone: str
    card: str
    copies: int


class _Judge:
    """Judges the decks of a batch by a format on a day: of each the columns of SCHEMA but its name."""

    def __init__(self, format: LoadedFormat, as_of: str | None, best_of: int | None) -> None:
        catalog, game = format.game_data.catalog, format.game_data.game
        # The findings aren't shown, so nobody reads suggestions.
        plain = format.with_catalog(FewSuggestions(catalog, 0))
        self._check = partial(check, format=plain, best_of=best_of, suppressions=False)
        self._format, self._game, self._as_of = format.format, game, as_of
        self._prepared = format.prepared(as_of or today().isoformat(), best_of)
        zones, words = self._prepared.zones, format.game_data.read.words
        self._zone, self._find = cache(lambda word: zone_meant(word, zones, words)), cache(catalog.find)
        self._set_aside = {name for kind in format.format.set_aside for name in kind.names}
        self._positions = {rule.id: position for position, rule in enumerate(format.format.rules)}

    def of_text(self, text: str, row: int) -> dict[str, object]:
        """The result for the list in a row."""
        place = f"list {row}"
        try:
            return self._of_report(self._check(text, as_of=self._as_of, path=place))
        except UserError as error:
            raise placed_at(error, place) from error

    def of_rows(self, rows: list[_Row]) -> dict[str, object]:
        """The result for a deck in long form, by the evaluator alone where a check finds no more than that."""
        zones = self._certain_zones(rows)
        if zones is None:
            entries = [Entry(row.card, (), row.copies, row.zone, line, 1) for line, row in enumerate(rows, 1)]
            lines = [f"{row.copies} x {row.card}" for row in rows]
            deck = Deck("-", tuple(entries), (), {}, NAMED_CARDS, tuple(lines))
            return self._of_report(self._check(deck, as_of=self._prepared.world.as_of))
        outcomes, _assumptions = evaluate(self._prepared.clauses, Tally(zones), self._game.assumed_absent)
        kept = one_per_cause(outcomes)[0] if outcomes else []
        states = {
            (outcome.rule.id, outcome.state) for outcome in kept if outcome.clause.severity == Severity.ERROR
        }
        partial = self._prepared.partial
        if partial is not None and State.VIOLATED not in {state for _rule, state in states}:
            states.add((partial.rule, State.UNDECIDED))
        named = {zone: {card.name: copies for card, copies in held.items()} for zone, held in zones.items()}
        return self._result(states, CanonicalList(named, {}).fingerprint(self._game.id))

    def _certain_zones(self, rows: list[_Row]) -> dict[str, Copies] | None:
        """The cards of a deck by zone; None if a card isn't certain or in no zone of the format."""
        zones: dict[str, Copies] = {}
        for row in rows:
            zone, candidates = self._zone(row.zone), self._find(row.card)
            if zone is None:
                continue
            if len(candidates) != 1 or candidates[0].name in self._set_aside:
                return None
            card = candidates[0]
            zone = zone or card.home or self._game.default_zone
            if zone not in self._format.zones:
                return None
            if row.copies:
                held = zones.setdefault(zone, {})
                held[card] = held.get(card, 0) + row.copies
        return zones

    def _of_report(self, report: Report) -> dict[str, object]:
        states = {(finding.rule, finding.verdict) for finding in report.errors}
        return self._result(states, report.fingerprint)

    def _result(self, states: set[tuple[str, State]], fingerprint: str | None) -> dict[str, object]:
        """The result by the states of rules of severity error: in the order of the format, then those that are built in."""
        positions = self._positions
        ordered = sorted(states, key=lambda state: (positions.get(state[0], len(positions)), state[0]))
        broken = [rule for rule, state in ordered if state == State.VIOLATED]
        undecided = [rule for rule, state in ordered if state == State.UNDECIDED]
        verdict = Verdict.ILLEGAL if broken else Verdict.UNDECIDED if undecided else Verdict.LEGAL
        return {"verdict": verdict, "rules": broken, "open": undecided, "fingerprint": fingerprint}


def _read(batch: object) -> tuple[pa.Array, Sequence[list[_Row] | str]]:
    """The names of the decks in a batch, and the rows or the text of each. Raises UserError, or TypeError for what is no batch."""
    table = _table(batch)
    deck_column = _column(table, "deck")
    decks = deck_column.dictionary_encode()
    if "list" in table.schema.names and "card" not in table.schema.names:
        texts = _column(table, "list").to_pylist()
        for row, deck in enumerate(decks.indices.to_pylist()):
            if deck != row:
                raise _at_row("deck", _("{deck} is there already", deck=str(deck_column[row])), row)
        return deck_column, texts
    zones, cards = _words(_column(table, "zone")), _words(_column(table, "card"))
    copies = _column(table, "copies").to_pylist()
    for row, number in enumerate(copies):
        if not 0 <= number <= MOST_COPIES:
            raise _at_row("copies", _("{n} copies", n=number), row)
    contents: list[list[_Row]] = [[] for _name in decks.dictionary]
    for deck, card_row in zip(decks.indices.to_pylist(), map(_Row, zones, cards, copies), strict=True):
        contents[deck].append(card_row)
    return decks.dictionary, contents


def _table(batch: object) -> pa.Table:
    try:
        return pa.table(batch)
    except (TypeError, ValueError, pa.ArrowException) as error:
        kind = f"{type(batch).__module__}.{type(batch).__qualname__}"
        raise TypeError(
            f"a batch is an Arrow table or what pyarrow.table() takes, not {kind}: {error}"
        ) from error


def _column(table: pa.Table, name: str) -> pa.Array:
    """A column in one piece, without a dictionary, of the right type; only zones may be null or empty."""
    places = table.schema.get_all_field_indices(name)
    if len(places) != 1:
        reason = _("there are two of them") if places else _("it is missing")
        columns = "deck, list" if "list" in table.schema.names else "deck, zone, card, copies"
        hint = None if places else _("the columns are {columns}", columns=columns)
        raise user_error(_("column {column}: {reason}", column=name, reason=reason), hint=hint)
    column = table.column(places[0]).combine_chunks()
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    words = coded.dictionary
    if pa.types.is_string_view(words.type):
        # Few functions take views.
        words = words.cast(pa.string())
    column = words.take(coded.indices)
    if pa.types.is_null(column.type) and (name == "zone" or not len(column)):
        # A column without values may have no type.
        column = column.cast(pa.int64() if name == "copies" else pa.string())
    is_text = bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))
    is_number = bool(pa.types.is_integer(column.type))
    is_right, wanted = is_text or is_number, _("text or whole numbers")
    if name == "list":
        is_right, wanted = is_text, _("text")
    elif name == "copies":
        is_right, wanted = is_number, _("whole numbers")
    if not is_right:
        reason = _("{type} instead of {wanted}", type=str(column.type), wanted=wanted)
        raise user_error(_("column {column}: {reason}", column=name, reason=reason))
    if name != "zone" and column.null_count:
        reason = _("it is empty") if name == "card" else _("it is null")
        raise _at_row(name, reason, pc.index(column.is_null(), True).as_py())
    if name in ("deck", "card") and is_text:
        empty = pc.index(column, pa.scalar("", column.type)).as_py()
        if empty >= 0:
            raise _at_row(name, _("it is empty"), empty)
    if _has_bad_text(column):
        rows = range(len(column))
        raise _at_row(name, _("not UTF-8"), next(row for row in rows if _has_bad_text(column.slice(row, 1))))
    return column


def _has_bad_text(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return True
    return False


def _words(column: pa.Array) -> list[str]:
    """The words of a column, each different one a single text; null is empty."""
    coded = column.dictionary_encode()
    words = [str(word) for word in coded.dictionary.to_pylist()]
    return ["" if code is None else words[code] for code in coded.indices.to_pylist()]


def _at_row(name: str, reason: Message, row: int) -> UserError:
    return user_error(_("column {column}, row {row}: {reason}", column=name, row=row + 1, reason=reason))


# The cards that a format treats differently on two days


def affected(
    format: str | Path | LoadedFormat, since: str, until: str, *, best_of: int | None = None
) -> frozenset[str] | Literal["all"]:
    """Every name, as the card table spells it, of the cards that some rule treats differently on the second of two days.

    Or "all" if any deck may change.

    The verdict and the rules of a deck of known cards without these are the same on both days. The days are ISO dates. Raises
    UserError for a format that can't be loaded.
    """
    loaded = format if isinstance(format, LoadedFormat) else load_format(format)
    first = loaded.prepared(day_of_option("since", since), best_of)
    last = loaded.prepared(day_of_option("until", until), best_of)
    if (first.partial is None) != (last.partial is None):
        return "all"
    earlier = {(clause.rule.id, clause.clause): clause for clause in first.clauses}
    later = {(clause.rule.id, clause.clause): clause for clause in last.clauses}
    names, conditions = set[str](), set[Predicate]()
    # A pass over all cards takes seconds.
    cards = tuple(loaded.game_data.catalog)
    for key in earlier.keys() ^ later.keys():
        clause = earlier.get(key) or later[key]
        where = clause.clause.selection.where
        if where is None or not _allows_none(clause):
            return "all"
        names |= {card.name for card in cards if holds(where, card, clause.world) != NO}
    for key in earlier.keys() & later.keys():
        conditions |= set(_conditions(earlier[key].clause))
        for _clause, sides in _combinations(earlier[key]) ^ _combinations(later[key]):
            names |= {name for side in sides if isinstance(side, model.Named) for name in side.names}
    for condition in conditions:
        changed = _answered_otherwise(condition, cards, first.world, last.world)
        if changed is None:
            return "all"
        names |= changed
    return frozenset(name for card in cards if card.name in names for name in card.names)


def _allows_none(prepared: PreparedClause) -> bool:
    """Whether a deck without any of the cards that the clause selects certainly keeps it."""
    clause = prepared.clause
    if (
        zones_needed(clause.selection.where)
        or clause.loop
        or clause.is_of_sides
        or clause.either
        or clause.terms
    ):
        return False
    return counting.judge(Interval(0, 0), prepared.limits(Tally({}))) == State.KEPT


def _conditions(clause: Clause) -> Iterator[Predicate]:
    """Yields the conditions on cards in the clause and in its bounds, its condition and its alternatives."""
    sides = clause.measure.descriptions if isinstance(clause.measure, Sides) else ()
    for predicate in (clause.selection.where, *sides):
        yield from leaves(predicate)
    inner = [term.clause for term in clause.terms] + list(clause.either)
    if clause.condition is not None:
        inner.append(clause.condition)
    for other in inner:
        yield from _conditions(other)


def _combinations(clause: PreparedClause) -> set[tuple[Clause, tuple[Predicate | None, ...]]]:
    """The combinations that the clause and its alternatives bound, by their sides."""
    combinations = {
        (clause.clause, tuple(side.predicate for side in sides)) for sides, _listing in clause.combinations
    }
    return combinations.union(*map(_combinations, clause.either))


def _answered_otherwise(
    condition: Predicate, cards: Sequence[Card], first: World, last: World
) -> set[str] | None:
    """The cards for which the answer differs between two worlds; None for perhaps any."""
    if isinstance(condition, model.NoOtherCard):
        # A new card may be alike to any.
        start, end = sorted((first.as_of, last.as_of))
        is_same = not any(start < (card.released or "") <= end for card in cards)
        inner = [_answered_otherwise(leaf, cards, first, last) for leaf in leaves(condition.where)]
        return set() if is_same and all(changed == set() for changed in inner) else None
    if not isinstance(condition, model.HasStatus | model.Rank | model.Has):
        # Nothing else depends on the day.
        return set()
    ways: list[Predicate] = [condition]
    if isinstance(condition, model.Has) and model.EACH in condition.values:
        # A loop asks for any of the values, one after the other.
        values = {value for card in cards for value in card.dated.get(condition.attribute, ())}
        ways = [model.Has(condition.attribute, frozenset([value])) for value in values]
    return {
        card.name for card in cards if any(holds(way, card, first) != holds(way, card, last) for way in ways)
    }
