"""The columns of a batch of stored decks, checked: whatever is wrong with one is an error that names its row."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from deckcheck.support.errors import UserError, user_error
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
