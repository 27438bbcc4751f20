"""The columns of a batch as arrays of numbers: decks, cards, zones and copies; whatever is wrong with them is an error."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from deckcheck.checking.judge import GameData
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, _

Array = npt.NDArray[Any]

COLUMNS = ("deck", "zone", "card", "copies")
"""One row per card: the deck, the zone (null: where the card belongs), the card by name or id, and the copies."""
LISTS = ("deck", "list")
"""One row per deck: the deck and its list as text."""

MOST_COPIES = 10**9
UNKNOWN, ASIDE, _HOME = -1, -2, -3
"""What a card or a zone is that isn't known, and a zone whose cards aren't in the deck."""


class Rows(NamedTuple):
    """The rows of a batch. The arrays have one number per row; those of `card` and `zone` are UNKNOWN or ASIDE below 0."""

    decks: pa.Array
    """The decks in the order of their first rows."""
    deck: Array
    card: Array
    zone: Array
    copies: Array
    names: "Words"
    """The cards as they are written."""
    zone_words: "Words"


class Words(NamedTuple):
    """The words of a column, each once, and the number of the word in each row."""

    words: Sequence[str]
    number: Array

    def at(self, row: int) -> str:
        """The word of a row."""
        return self.words[int(self.number[row])]


class Coding:
    """Cards and zones of a game as numbers; the cards in the order that canonical JSON gives their names."""

    def __init__(self, data: GameData, zones: Mapping[str, object]) -> None:
        self.cards: tuple[Card, ...] = tuple(sorted(data.catalog, key=_in_canonical_order))
        self.zones = tuple(zones)
        self.default_zone = data.game.default_zone
        self._catalog = data.catalog
        self._words = Vocabulary(data.game)
        self._numbers = {card: number for number, card in enumerate(self.cards)}
        self._zone_numbers = {zone: number for number, zone in enumerate(self.zones)}
        homes = (self._zone_numbers.get(card.home or self.default_zone, UNKNOWN) for card in self.cards)
        # The last is for cards that aren't known.
        self._homes = np.array([*homes, self._zone_numbers[self.default_zone]], np.int64)
        self._card_cache: dict[str, int] = {}
        self._zone_cache: dict[str, int] = {"": _HOME}

    def rows(self, batch: pa.RecordBatch) -> Rows:
        """The rows of a batch in long form. Raises UserError for a wrong column, and for a wrong value with its row."""
        decks, deck_number = decks_of(batch)
        zone, card, copies = (_column(batch, name) for name in COLUMNS[1:])
        cards = _words("card", card)
        if "" in cards.words:
            raise _at_row("card", _("it is empty"), int(np.argmax(cards.number == cards.words.index(""))))
        zones = _words("zone", zone)
        number = _numbers(_typed("copies", copies, pa.types.is_integer, _("whole numbers")))
        wrong = (number < 0) | (number > MOST_COPIES)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise _at_row("copies", _("{n} copies", n=int(number[row])), row)
        found = np.array([self._card_number(word) for word in cards.words] or [0], np.int64)[cards.number]
        known = np.array([self._zone_number(word) for word in zones.words] or [0], np.int64)
        placed = known[zones.number]
        if "" in zones.words:
            placed = np.where(placed == _HOME, self._homes[found], placed)
        return Rows(decks, deck_number, found, placed, number.astype(np.int64), cards, zones)

    def _card_number(self, written: str) -> int:
        number = self._card_cache.get(written)
        if number is None:
            cards = self._catalog.find(written)
            number = self._numbers[cards[0]] if len(cards) == 1 else UNKNOWN
            self._card_cache[written] = number
        return number

    def _zone_number(self, written: str) -> int:
        number = self._zone_cache.get(written)
        if number is None:
            zone = (
                written if written in self._zone_numbers else self._words.zones.get(self._words.fold(written))
            )
            number = ASIDE if zone in self._words.aside else self._zone_numbers.get(zone or "", UNKNOWN)
            self._zone_cache[written] = number
        return number


def _in_canonical_order(card: Card) -> bytes:
    return card.name.encode("utf-16-be", "surrogatepass")


def lists(batch: pa.RecordBatch) -> tuple[pa.Array, list[str]]:
    """The decks of a batch with one list per row. Raises UserError for a wrong column."""
    deck, texts = (_column(batch, name) for name in LISTS)
    return _typed("deck", deck, _is_name, _NAMES), _typed("list", texts, _is_text, _("text")).to_pylist()


def decks_of(batch: pa.RecordBatch) -> tuple[pa.Array, Array]:
    """The decks of a batch, in the order of their first rows, and the number of the deck in each row. Raises UserError."""
    # Most batches have the rows of a deck together.
    runs = pc.run_end_encode(
        _typed("deck", _column(batch, "deck"), _is_name, _NAMES), run_end_type=pa.int64()
    )
    ends, decks = _numbers(runs.run_ends), runs.values.dictionary_encode()
    return decks.dictionary, np.repeat(_numbers(decks.indices).astype(np.int64), np.diff(ends, prepend=0))


_NAMES = _("text or whole numbers")


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    places = batch.schema.get_all_field_indices(name)
    if len(places) != 1:
        wanted = LISTS if "list" in batch.schema.names else COLUMNS
        reason = _("it is there twice") if places else _("it is missing")
        hint = _("the columns are {columns}", columns=", ".join(wanted))
        raise user_error(_("column {column}: {reason}", column=name, reason=reason), hint=hint)
    column = batch.column(places[0])
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _typed(name: str, column: pa.Array, is_right: Callable[[pa.DataType], bool], wanted: Message) -> pa.Array:
    """A column of that type, without a dictionary. Raises UserError for another type, and for a value that is missing."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not is_right(column.type) and not (pa.types.is_null(column.type) and not len(column)):
        given = str(column.type)
        raise user_error(
            _("column {column}: {type} instead of {wanted}", column=name, type=given, wanted=wanted)
        )
    if column.null_count:
        raise _at_row(name, _("it is null"), int(np.argmax(np.asarray(column.is_null()))))
    return column


def _at_row(name: str, reason: Message, row: int) -> UserError:
    return user_error(_("column {column}, row {row}: {reason}", column=name, row=row + 1, reason=reason))


def _is_text(type: pa.DataType) -> bool:
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))


def _is_name(type: pa.DataType) -> bool:
    return _is_text(type) or bool(pa.types.is_integer(type))


def _numbers(column: pa.Array) -> Array:
    """The whole numbers of a column without nulls."""
    numbers: Array = np.asarray(column)
    return numbers


def _words(name: str, column: pa.Array) -> Words:
    """The words of a column; "" for null."""
    if not pa.types.is_dictionary(column.type):
        column = (column.cast(pa.string()) if pa.types.is_null(column.type) else column).dictionary_encode()
    if not _is_name(column.type.value_type):
        _typed(name, column, _is_name, _NAMES)
    words = ["" if word is None else str(word) for word in column.dictionary.to_pylist()]
    indices = column.indices
    if indices.null_count:
        indices = pc.fill_null(indices, pa.scalar(len(words), indices.type))
        words.append("")
    return Words(words, _numbers(indices))
