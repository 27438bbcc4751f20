"""Batches of stored decks: their columns as arrays of numbers, and streams of batches cut between decks.

Whatever is wrong with a column is an error.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from deckcheck.bulk.stored_files import COLUMNS, LISTS, are_lists
from deckcheck.checking.judge import GameData
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, _

Array = npt.NDArray[Any]

ROWS = 2**18
"""The usual number of rows in a batch; smaller batches are judged more slowly."""
_MOST_SORTED = 2**22
"""The largest arrays to be merged, which takes three times their memory."""

MOST_COPIES = 10**9
_MOST_NAMES = 1_000_000
UNKNOWN, ASIDE, _HOME = -1, -2, -3
"""The numbers for an unknown card or zone, a zone whose cards aren't in the deck, and a card's home."""


class WordColumn(NamedTuple):
    """The words of a column, each once, and the number of the word in each row."""

    words: Sequence[str]
    number: Array

    def at(self, row: int) -> str:
        """The word of a row."""
        return self.words[int(self.number[row])]


class Rows(NamedTuple):
    """The rows of a batch, grouped by deck."""

    decks: pa.Array
    """The decks in the order of their first rows."""
    starts: Array
    """The index of each deck's first row, followed by the number of rows."""
    names: WordColumn
    """The cards as written."""
    zone_words: WordColumn
    copies: Array
    card_of_name: Array
    """The number of the card for each name; UNKNOWN without a card."""
    zone_of_word: Array
    """The number of the zone for each word, or UNKNOWN, ASIDE or _HOME."""
    homes: Array
    """The number of each card's home zone, followed by that for an unknown card."""

    def parts(self, most: int) -> "Iterator[RowsPart]":
        """Yields the coded rows of at most `most` decks at a time."""
        for first in range(0, len(self.decks), most):
            yield self.part(first, min(first + most, len(self.decks)))

    def part(self, first: int, last: int) -> "RowsPart":
        """The coded rows of the decks from `first` to before `last`."""
        start, end = int(self.starts[first]), int(self.starts[last])
        deck = np.repeat(np.arange(last - first), np.diff(self.starts[first : last + 1]))
        card = self.card_of_name.take(self.names.number[start:end])
        zone = self.zone_of_word.take(self.zone_words.number[start:end])
        if (at_home := zone == _HOME).any():
            zone = np.where(at_home, self.homes[card], zone)
        return RowsPart(first, last - first, start, deck, card, zone, self.copies[start:end].astype(np.int64))


class RowsPart(NamedTuple):
    """The rows of `size` decks, which are numbered from 0; numbers of cards and zones below 0 are UNKNOWN or ASIDE."""

    first: int
    """The number of the first deck in its batch."""
    size: int
    start: int
    """The number of the first row."""
    deck: Array
    card: Array
    zone: Array
    copies: Array


class Coding:
    """Cards and zones of a game as numbers, in the order of their names in canonical JSON."""

    def __init__(self, data: GameData, zones: Mapping[str, object]) -> None:
        self.cards: tuple[Card, ...] = tuple(
            sorted(data.catalog, key=lambda card: canonical_order(card.name))
        )
        self.zones = tuple(sorted(zones, key=canonical_order))
        self.default_zone = data.game.default_zone
        self._catalog = data.catalog
        self._words = Vocabulary(data.game)
        self._numbers = {card: number for number, card in enumerate(self.cards)}
        self._zone_numbers = {zone: number for number, zone in enumerate(self.zones)}
        homes = (self._zone_numbers.get(card.home or self.default_zone, UNKNOWN) for card in self.cards)
        # The last value is for unknown cards.
        self._homes = np.array([*homes, self._zone_numbers[self.default_zone]], np.int64)
        self._card_cache: dict[str, int] = {}
        self._name_cache: pa.Array | None = None
        self._zone_cache: dict[str, int] = {"": _HOME}

    def rows(self, batch: pa.RecordBatch) -> Rows:
        """The rows of a batch in long form. Raises UserError for a wrong column, and for a wrong value with its row."""
        decks, runs, lengths = _runs_of(batch)
        zone, card, copies = (_column(batch, name) for name in COLUMNS[1:])
        cards, zones = _words("card", self._encoded(card)), _words("zone", zone)
        if "" in cards.words:
            empty = np.isin(cards.number, [at for at, word in enumerate(cards.words) if not word])
            if empty.any():
                raise _at_row("card", _("it is empty"), int(np.argmax(empty)))
        number = _numbers(_typed("copies", copies, pa.types.is_integer, _("whole numbers")))
        if len(number) and (number.min() < 0 or number.max() > MOST_COPIES):
            row = int(np.argmax((number < 0) | (number > MOST_COPIES)))
            raise _at_row("copies", _("{n} copies", n=int(number[row])), row)
        if len(runs) > len(decks):
            of_row = np.repeat(runs, lengths)
            order = np.argsort(of_row, kind="stable")
            cards, zones = (words._replace(number=words.number[order]) for words in (cards, zones))
            number, lengths = number[order], np.bincount(of_row)
        known_zones = np.array([*map(self._zone_number, zones.words)] or [0], np.int64)
        return Rows(
            decks,
            np.append(0, np.cumsum(lengths)),
            cards,
            zones,
            number,
            self._card_numbers(cards.words),
            known_zones,
            self._homes,
        )

    def _encoded(self, column: pa.Array) -> pa.Array:
        """A column of names as a dictionary, which stays the same for all batches until there are new names."""
        names = self._name_cache
        if not is_text(column.type) or (names is not None and len(names) > len(column)):
            return column
        if names is None or names.type != column.type or len(names) > _MOST_NAMES:
            encoded = column.dictionary_encode()
            self._name_cache = encoded.dictionary
            return encoded
        # Looking up known names is twice as fast as encoding them.
        indices = pc.index_in(column, value_set=names)
        if indices.null_count > column.null_count:
            others = column.filter(indices.is_null()).unique().drop_null()
            self._name_cache = names = pa.concat_arrays([names, others])
            indices = pc.index_in(column, value_set=names)
        return pa.DictionaryArray.from_arrays(indices, names)

    def _card_numbers(self, names: Sequence[str]) -> Array:
        """The numbers of the cards with these names; UNKNOWN for a name of no card or several."""
        known = self._card_cache
        if len(known) > _MOST_NAMES:
            known.clear()
        for name in {*names} - known.keys():
            cards = self._catalog.find(name)
            known[name] = self._numbers[cards[0]] if len(cards) == 1 else UNKNOWN
        return np.array([*map(known.__getitem__, names)] or [0], np.int64)

    def _zone_number(self, written: str) -> int:
        number = self._zone_cache.get(written)
        if number is None:
            zone = (
                written if written in self._zone_numbers else self._words.zones.get(self._words.fold(written))
            )
            number = ASIDE if zone in self._words.aside else self._zone_numbers.get(zone or "", UNKNOWN)
            self._zone_cache[written] = number
        return number


def canonical_order(name: str) -> bytes:
    """A key to sort names as canonical JSON does."""
    return name.encode("utf-16-be", "surrogatepass")


def list_rows(batch: pa.RecordBatch) -> tuple[pa.Array, list[str]]:
    """The decks of a batch with one list per row, all different, and the lists. Raises UserError for a wrong column."""
    decks, lists = _deck_column(batch), _typed("list", _column(batch, "list"), is_text, _("text"))
    indices = _numbers(decks.dictionary_encode().indices)
    rows = np.arange(len(indices))
    _texts("deck", decks, rows)
    again = np.flatnonzero(indices != rows)
    if len(again):
        row = int(again[0])
        raise _at_row("deck", _("{deck} is there already", deck=str(decks[row])), row)
    return decks, _texts("list", lists, rows)


def _runs_of(batch: pa.RecordBatch) -> tuple[pa.Array, Array, Array]:
    """The decks of a batch, and for each run of rows the number of its deck and its length."""
    runs = pc.run_end_encode(_deck_column(batch), run_end_type=pa.int64())
    decks, lengths = runs.values.dictionary_encode(), np.diff(_numbers(runs.run_ends), prepend=0)
    number = _numbers(decks.indices)
    try:
        decks.dictionary.validate(full=True)
    except pa.ArrowInvalid:
        _texts("deck", decks.dictionary, np.repeat(number, lengths))
    return decks.dictionary, number, lengths


_NAMES = _("text or whole numbers")


def _deck_column(batch: pa.RecordBatch) -> pa.Array:
    column = _typed("deck", _column(batch, "deck"), _is_name, _NAMES)
    if is_text(column.type):
        empty = pc.index(column, pa.scalar("", column.type)).as_py()
        if empty >= 0:
            raise _at_row("deck", _("it is empty"), empty)
    return column


def _column(batch: pa.RecordBatch, name: str) -> pa.Array:
    places = batch.schema.get_all_field_indices(name)
    if len(places) != 1:
        wanted = LISTS if are_lists(batch.schema.names) else COLUMNS
        raise column_twice(name) if places else column_missing(name, wanted)
    column = batch.column(places[0])
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    is_coded = pa.types.is_dictionary(column.type)
    if is_coded and pa.types.is_string_view(column.type.value_type):
        return pa.DictionaryArray.from_arrays(column.indices, column.dictionary.cast(pa.string()))
    if pa.types.is_null(column.type) and not len(column):
        # A table without rows may have columns without a type.
        return column.cast(pa.int64() if name == "copies" else pa.string())
    return column.cast(pa.string()) if pa.types.is_string_view(column.type) else column


def column_missing(name: str, wanted: Sequence[str]) -> UserError:
    """The error for a required column that is missing."""
    hint = _("the columns are {columns}", columns=", ".join(wanted))
    return user_error(_("column {column}: {reason}", column=name, reason=_("it is missing")), hint=hint)


def column_twice(name: str) -> UserError:
    """The error for two columns with the same name."""
    return user_error(_("column {column}: {reason}", column=name, reason=_("there are two of them")))


def _typed(name: str, column: pa.Array, is_right: Callable[[pa.DataType], bool], wanted: Message) -> pa.Array:
    """A column of that type, without a dictionary. Raises UserError for another type, and for a missing value."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not is_right(column.type):
        raise _mistyped(name, column.type, wanted)
    if column.null_count:
        raise _at_row(name, _("it is null"), int(np.argmax(np.asarray(column.is_null()))))
    return column


def _mistyped(name: str, type: pa.DataType, wanted: Message) -> UserError:
    message = _("column {column}: {type} instead of {wanted}", column=name, type=str(type), wanted=wanted)
    return user_error(message)


def _at_row(name: str, reason: Message, row: int) -> UserError:
    return user_error(_("column {column}, row {row}: {reason}", column=name, row=row + 1, reason=reason))


def is_text(type: pa.DataType) -> bool:
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))


def _is_name(type: pa.DataType) -> bool:
    return is_text(type) or bool(pa.types.is_integer(type))


def _numbers(column: pa.Array) -> Array:
    """The whole numbers of a column without nulls."""
    numbers: Array = np.asarray(column)
    return numbers


def _words(name: str, column: pa.Array) -> WordColumn:
    """The words of a column; "" for null."""
    type = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_null(type):
        column = pa.nulls(len(column), pa.string())
    elif not _is_name(type):
        raise _mistyped(name, type, _NAMES)
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    indices, nulls = column.indices, [""] if column.indices.null_count else []
    if nulls:
        indices = indices.cast(pa.int64()).fill_null(len(column.dictionary))
    number = _numbers(indices)
    return WordColumn(_texts(name, column.dictionary, number) + nulls, number)


def _texts(name: str, words: pa.Array, indices: Array) -> list[str]:
    """The words as text, "" for null. Raises UserError with the first row of one that isn't UTF-8."""
    try:
        return ["" if word is None else str(word) for word in words.to_pylist()]
    except UnicodeDecodeError as error:
        for at, word in enumerate(words):
            try:
                word.as_py()
            except UnicodeDecodeError:
                row = int(np.argmax(indices == at))
                raise _at_row(name, _("not UTF-8"), row) from error
        raise


# Streams


class WholeDecks(NamedTuple):
    """The rows of whole decks, and the decks, each once."""

    rows: pa.RecordBatch
    decks: pa.Array


def by_deck(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[pa.RecordBatch]:
    """Yields the same rows in batches of whole decks; each but the last has about `rows` rows.

    The rows of a deck have to follow each other, across batches too. Raises UserError for a deck that comes again after
    other decks, and for a column `deck` that can't be read. It keeps a batch of rows, and 12 bytes for each deck.
    """
    index = DeckIndex()
    for whole in whole_decks(batches, rows):
        duplicate = index.add(whole.decks)
        if duplicate is not None:
            raise comes_again(duplicate.deck)
        yield whole.rows


def whole_decks(batches: Iterable[pa.RecordBatch], rows: int = ROWS) -> Iterator[WholeDecks]:
    """Like `by_deck`, but a deck may come again in another batch of the result."""
    parts, count, wanted = list[pa.RecordBatch](), 0, rows
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            parts.append(batch.slice(start, rows))
            count += parts[-1].num_rows
            if count >= wanted:
                joined = _joined(parts)
                decks, deck = _in_order(joined)
                cut = int(np.searchsorted(deck, len(decks) - 1))
                if cut:
                    yield WholeDecks(joined.slice(0, cut), decks[:-1])
                parts, count = [joined.slice(cut)], joined.num_rows - cut
                wanted = count + rows
    if parts:
        joined = _joined(parts)
        yield WholeDecks(joined, _in_order(joined)[0])


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    [whole] = pa.Table.from_batches(parts).combine_chunks().to_batches()
    return whole


def _in_order(batch: pa.RecordBatch) -> tuple[pa.Array, Array]:
    """The decks of a batch, and the number of the deck in each row. Raises UserError if a deck comes again."""
    decks, runs, lengths = _runs_of(batch)
    deck = np.repeat(runs, lengths)
    again = np.flatnonzero(deck[1:] < deck[:-1])
    if len(again):
        raise comes_again(str(decks[int(deck[again[0] + 1])]))
    return decks, deck


def comes_again(deck: str) -> UserError:
    """The error for a deck whose rows don't follow each other."""
    message = _("deck {deck} comes again after other decks", deck=deck)
    return user_error(message, hint=_("sort the rows by deck"))


class Duplicate(NamedTuple):
    """A deck that was found before, and the path of the file with it."""

    deck: str
    path: str


class DeckIndex:
    """The decks of files as hashes, in sorted arrays that are each at least twice as long as the next."""

    def __init__(self) -> None:
        self._hashes: list[Array] = []
        self._files: list[Array] = []
        self._paths: list[str] = []

    def add(self, decks: pa.Array, path: str = "") -> Duplicate | None:
        """Add decks of a file that are all different; returns the first of them that was found before."""
        if not len(decks):
            return None
        if path not in self._paths[-1:]:
            self._paths.append(path)
        # A deck may be a number in one file and text in another.
        names = decks.cast(pa.string()).cast(pa.binary()).to_pylist()
        hashes = np.fromiter(map(hash, names), np.int64, len(names))
        for known, files in zip(self._hashes, self._files, strict=True):
            at = np.searchsorted(known, hashes).clip(max=len(known) - 1)
            again = np.flatnonzero(known[at] == hashes)
            if len(again):
                return Duplicate(str(decks[int(again[0])]), self._paths[files[at[again[0]]]])
        self._push(hashes, np.full(len(hashes), len(self._paths) - 1, np.int32))
        while len(self._hashes) > 1 and len(self._hashes[-2]) < min(2 * len(self._hashes[-1]), _MOST_SORTED):
            last = self._hashes.pop(), self._files.pop()
            before = self._hashes.pop(), self._files.pop()
            self._push(*map(np.concatenate, zip(before, last, strict=True)))
        return None

    def _push(self, hashes: Array, files: Array) -> None:
        order = np.argsort(hashes, kind="stable")
        self._hashes.append(hashes[order])
        self._files.append(files[order])
