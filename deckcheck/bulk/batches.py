"""Batches of stored decks: their columns, checked (whatever is wrong is an error that names its row), and a verdict for each deck."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from deckcheck.cards.names import SuggestionCache
from deckcheck.checking.judge import LoadedFormat, ZoneWords, check, load_format
from deckcheck.model.card import Card
from deckcheck.model.deck import NAMED_CARDS, Deck, Entry
from deckcheck.model.finding import Report, fingerprint_of
from deckcheck.rules.counting import Tally
from deckcheck.rules.evaluator import evaluate, one_per_cause
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.messages import Message, _

MOST_COPIES = 10**9


class CardRows(NamedTuple):
    """The decks of a batch with a row per card, in the order of their first rows, and the indices of the rows of each.

    `zones` and `cards` are the different words of these columns; for each row there is the index of its word (None for null).
    """

    decks: pa.Array
    rows: list[list[int]]
    zones: list[str]
    zone_at: list[int | None]
    cards: list[str]
    card_at: list[int]
    copies: list[int]


class DeckLists(NamedTuple):
    """The decks of a batch with a row per deck, and the text of each list."""

    decks: pa.Array
    texts: list[str]


def read_batch(batch: object) -> CardRows | DeckLists:
    """The decks of what `pyarrow.table()` takes. Raises UserError for a wrong column, and TypeError for anything else."""
    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else _table(batch)
    names = table.schema.names
    are_lists = "list" in names and "card" not in names
    deck_column = _column(table, "deck", _is_name, _("text or whole numbers"))
    decks = deck_column.dictionary_encode()
    _values("deck", deck_column)
    if are_lists:
        texts = _values("list", _column(table, "list", _is_text, _("text")))
        for row, deck in enumerate(decks.indices.to_pylist()):
            if deck != row:
                raise _at_row("deck", _("{deck} is there already", deck=str(deck_column[row])), row)
        return DeckLists(deck_column, texts)
    zones, zone_at = _words("zone", _column(table, "zone", _is_name, _("text or whole numbers")))
    cards, card_at = _words("card", _column(table, "card", _is_name, _("text or whole numbers")))
    copies = _values("copies", _column(table, "copies", pa.types.is_integer, _("whole numbers")))
    for row, number in enumerate(copies):
        if not 0 <= number <= MOST_COPIES:
            raise _at_row("copies", _("{n} copies", n=number), row)
    rows: list[list[int]] = [[] for _deck in decks.dictionary]
    for row, deck in enumerate(decks.indices.to_pylist()):
        rows[deck].append(row)
    return CardRows(decks.dictionary, rows, zones, zone_at, cards, card_at, copies)


def _table(batch: object) -> pa.Table:
    try:
        return pa.table(batch)
    except (TypeError, ValueError, pa.ArrowException) as error:
        kind = f"{type(batch).__module__}.{type(batch).__qualname__}"
        raise TypeError(
            f"a batch is an Arrow table or what pyarrow.table() takes, not {kind}: {error}"
        ) from error


def _column(table: pa.Table, name: str, is_right: Callable[[pa.DataType], bool], wanted: Message) -> pa.Array:
    """A column in one piece, without a dictionary, of the right type; only zones may be null or empty."""
    places = table.schema.get_all_field_indices(name)
    if len(places) != 1:
        reason = _("there are two of them") if places else _("it is missing")
        columns = "deck, list" if "list" in table.schema.names else "deck, zone, card, copies"
        hint = None if places else _("the columns are {columns}", columns=columns)
        raise user_error(_("column {column}: {reason}", column=name, reason=reason), hint=hint)
    column = table.column(places[0]).combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = _without_view(column.dictionary).take(column.indices)
    column = _without_view(column)
    if pa.types.is_null(column.type) and (name == "zone" or not len(column)):
        # A column without values may have no type.
        column = column.cast(pa.int64() if name == "copies" else pa.string())
    if not is_right(column.type):
        mistyped = _(
            "column {column}: {type} instead of {wanted}", column=name, type=str(column.type), wanted=wanted
        )
        raise user_error(mistyped)
    if name != "zone" and column.null_count:
        reason = _("it is empty") if name == "card" else _("it is null")
        raise _at_row(name, reason, pc.index(column.is_null(), True).as_py())
    if name in ("deck", "card") and _is_text(column.type):
        empty = pc.index(column, pa.scalar("", column.type)).as_py()
        if empty >= 0:
            raise _at_row(name, _("it is empty"), empty)
    return column


def _without_view(column: pa.Array) -> pa.Array:
    """Text that may be stored as views as plain text, which all functions take."""
    return column.cast(pa.string()) if pa.types.is_string_view(column.type) else column


def _words(name: str, column: pa.Array) -> tuple[list[str], list[Any]]:
    """The different words of a column, and for each row the index of its word."""
    coded = column.dictionary_encode()
    return [str(word) for word in _values(name, coded.dictionary, column)], coded.indices.to_pylist()


def _values(name: str, column: pa.Array, rows: pa.Array | None = None) -> list[Any]:
    """The values of a column, or of the dictionary of `rows`. Raises UserError with the row of one that isn't UTF-8."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError as error:
        for row, value in enumerate(column if rows is None else rows):
            try:
                value.as_py()
            except UnicodeDecodeError:
                raise _at_row(name, _("not UTF-8"), row) from error
        raise
    return values


def _at_row(name: str, reason: Message, row: int) -> UserError:
    return user_error(_("column {column}, row {row}: {reason}", column=name, row=row + 1, reason=reason))


def _is_text(type: pa.DataType) -> bool:
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))


def _is_name(type: pa.DataType) -> bool:
    return _is_text(type) or bool(pa.types.is_integer(type))


_MOST_OPENED = 16

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
    decks = read_batch(batch)
    loaded = format if isinstance(format, LoadedFormat) else _opened(format)
    if isinstance(decks, DeckLists):
        results = _judge_lists(decks, loaded, as_of, best_of)
    else:
        results = _prepared(loaded, as_of or today().isoformat(), best_of).judge(decks)
    rules = [rule.id for rule in loaded.format.rules]
    columns = [
        decks.decks,
        [result.verdict for result in results],
        [_ordered(result.broken, rules) for result in results],
        [_ordered(result.undecided, rules) for result in results],
        [result.fingerprint for result in results],
    ]
    schema = SCHEMA.set(0, SCHEMA.field(0).with_type(decks.decks.type))
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema
    )


@lru_cache(_MOST_OPENED)
def _opened(format: str | Path) -> LoadedFormat:
    return load_format(format)


@lru_cache(_MOST_OPENED)
def _prepared(format: LoadedFormat, as_of: str, best_of: int | None) -> "_RowJudge":
    return _RowJudge(format, as_of, best_of)


class _Result(NamedTuple):
    """The ids of the rules of severity error that a deck breaks, and of those that stay undecided."""

    broken: set[str]
    undecided: set[str]
    fingerprint: str | None

    @property
    def verdict(self) -> str:
        return "illegal" if self.broken else "undecided" if self.undecided else "legal"


def _ordered(ids: Iterable[str], rules: list[str]) -> list[str]:
    """The ids in the order of the format, then those that are built in."""
    return sorted(ids, key=lambda id: (rules.index(id) if id in rules else len(rules), id))


def _result_of(report: Report) -> _Result:
    errors = [finding for finding in report.findings if finding.severity == "error"]
    broken = {finding.rule for finding in errors if finding.verdict == "violated"}
    undecided = {finding.rule for finding in errors if finding.verdict != "violated"}
    return _Result(broken, undecided, report.fingerprint)


def _without_suggestions(format: LoadedFormat) -> LoadedFormat:
    """The format for decks whose findings aren't shown."""
    return format.with_catalog(SuggestionCache(format.game_data.catalog, budget=0))


def _judge_lists(
    lists: DeckLists, format: LoadedFormat, as_of: str | None, best_of: int | None
) -> list[_Result]:
    plain, results = _without_suggestions(format), list[_Result]()
    for row, text in enumerate(lists.texts, 1):
        place = f"list {row}"
        try:
            report = check(text, plain, as_of=as_of, best_of=best_of, path=place, suppressions=False)
        except UserError as error:
            raise placed_at(error, place) from error
        results.append(_result_of(report))
    return results


class _RowJudge:
    """Judges batches in long form by a format on a day."""

    def __init__(self, format: LoadedFormat, as_of: str, best_of: int | None) -> None:
        self._format, self._as_of, self._best_of = format, as_of, best_of
        self._plain, self._prepared = _without_suggestions(format), format.prepared(as_of, best_of)
        self._game = format.game_data.game
        self._words = ZoneWords(self._game, self._prepared.zones)
        self._set_aside = {name for kind in format.format.set_aside for name in kind.names}

    def judge(self, batch: CardRows) -> list[_Result]:
        """The results for the decks of a batch."""
        zones = [self._words.zone(word) for word in batch.zones]
        cards = [tuple(self._format.game_data.catalog.find(name)) for name in batch.cards]
        results = []
        for rows in batch.rows:
            contents = self._certain_contents(batch, rows, zones, cards)
            if contents is not None:
                results.append(self._evaluated(contents))
                continue
            report = check(_deck(batch, rows), self._plain, as_of=self._as_of, best_of=self._best_of)
            results.append(_result_of(report))
        return results

    def _certain_contents(
        self, batch: CardRows, rows: list[int], zones: list[str | None], cards: list[tuple[Card, ...]]
    ) -> dict[str, dict[Card, int]] | None:
        """The cards of a deck by zone; None if a card isn't certain or in no zone of the format."""
        contents: dict[str, dict[Card, int]] = {}
        for row in rows:
            zone_index, candidates, copies = batch.zone_at[row], cards[batch.card_at[row]], batch.copies[row]
            zone = zones[zone_index] if zone_index is not None else ""
            if zone is None:
                continue
            if len(candidates) != 1 or candidates[0].name in self._set_aside:
                return None
            card = candidates[0]
            zone = zone or card.home or self._game.default_zone
            if zone not in self._format.format.zones:
                return None
            if copies:
                held = contents.setdefault(zone, {})
                held[card] = held.get(card, 0) + copies
        return contents

    def _evaluated(self, contents: dict[str, dict[Card, int]]) -> _Result:
        """The result for certain cards in zones of the format, in which a check finds no more than the evaluator."""
        tally = Tally(contents)
        outcomes, _assumptions = evaluate(self._prepared.clauses, tally, self._game.assumed_absent)
        kept = one_per_cause(outcomes)[0] if outcomes else []
        errors = [outcome for outcome in kept if outcome.clause.severity == "error"]
        broken = {outcome.rule.id for outcome in errors if outcome.state == "violated"}
        undecided = {outcome.rule.id for outcome in errors if outcome.state == "undecided"}
        if self._prepared.partial is not None and not broken:
            undecided.add(self._prepared.partial.rule)
        zones = {
            zone: {card.name: copies for card, copies in held.items()} for zone, held in contents.items()
        }
        return _Result(broken, undecided, fingerprint_of(self._game.id, zones, {}))


def _deck(batch: CardRows, rows: list[int]) -> Deck:
    """A deck of which something is uncertain, for a check."""
    entries = list[Entry]()
    for line, row in enumerate(rows, 1):
        zone_index, name, copies = batch.zone_at[row], batch.cards[batch.card_at[row]], batch.copies[row]
        zone = "" if zone_index is None else batch.zones[zone_index]
        entries.append(Entry(name, (), copies, zone, line, 1))
    lines = tuple(f"{entry.copies} x {entry.written}" for entry in entries)
    return Deck("-", tuple(entries), (), {}, NAMED_CARDS, lines)
