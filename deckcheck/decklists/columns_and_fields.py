"""Records with heads: rows of tables and the fields of YAML, JSON and XML. The head says what a cell is.

A cell under a head that nobody knows is accounted for like any text: a number, another card, a zone's word or a word
that takes the card out makes its line one that is told.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import clean, compiled, shape_of
from deckcheck.decklists.header_directives_comments import header_key
from deckcheck.decklists.line_reader import LineReader, item_of
from deckcheck.decklists.lines import (
    MOST_COPIES,
    CardLine,
    Comment,
    Item,
    Line,
    Stretch,
    Taken,
    UnreadError,
    Why,
    told,
)
from deckcheck.decklists.unexplained import leftover
from deckcheck.decklists.vocabulary import (
    ASIDE,
    Vocabulary,
    contains_zone_word,
    is_label,
    phrases,
    zone_in_heads,
    zones_named,
)

_WEAK_REFUSALS = frozenset({"", "-", "0", "n", "no"})
"""Answers that say no only under a head that asks for them."""
_MAY_COUNT = frozenset({"", "0", "1", "x", "×", "✕", "n", "y", "in"})
"""Answers that may be a count, or its sign, under the name of a zone."""
_COUNT = r"[x*]?\s*(?P<n>[0-9]{1,3}(?:,[0-9]{3})+|(?!00)[0-9]{1,9})(?:\.0{1,4})?\s*(?:[x*]|WORD)?"
_SMALL_NUMBER = r"[x*+-]?\s*[0-9]{1,2}\s*(?:[x*]|WORD)?"
_OTHER_COUNT = r"(?:→|->|⇒|=>)\s*[0-9]|(?<![0-9])[0-9]{1,2}\s*WORD"
"""Matches what may be another count within a remark (`→1枚`, `1枚に`)."""
_TALLY = r"[^\w\s-][^\w-]*"
"""Matches signs that may be a count (`★★★★`, `||||`) or an answer (`?`, `[ ]`)."""
_SUM_BEHIND = r"[ \t]*\([0-9]{1,3}\)"
_AROUND = " =;,.|!:、。-/\"'"
_LONGEST_HEAD, _LONGEST_CELL = 40, 400


class Column(Struct, frozen=True):
    """A column or field: `role` is name, count, zone, kind, used, other, "=" (of `zone`), or "" if nobody knows."""

    head: str
    role: str
    zone: str = ""


NO_COLUMN = Column("", "")


def column_of(words: Vocabulary, head: str) -> Column:
    """What the cells under a head are."""
    bare = clean(head).strip(" *\"'")
    folded = words.fold(bare) if len(bare) < _LONGEST_HEAD else ""
    # "name 2" is the head of a second column of names.
    role = words.columns.get(folded) or words.columns.get(folded.rstrip("23456789"))
    if role is not None:
        return Column(bare, role)
    zone = words.zones.get(folded)
    if zone is not None:
        return Column(bare, "=", zone)
    return Column(bare, "other" if folded in words.facts else "")


def columns_of(words: Vocabulary, heads: Sequence[str]) -> list[Column]:
    """What the cells under each of a row of heads are; that of a zone beside that of counts is over its cards.

    Beside counts of zones, that of a total is their sum.
    """
    columns = [column_of(words, head) for head in heads]
    if any(column.role == "=" for column in columns):
        columns = [
            replace(column, role="count") if words.fold(column.head) in words.totals else column
            for column in columns
        ]
    if zone_in_heads(words, heads) is None:
        return columns
    return [
        replace(column, role="name") if words.fold(column.head) in words.zones else column
        for column in columns
    ]


def is_head(columns: Sequence[Column], cells: Sequence[str]) -> bool:
    """Whether a row holds the heads of columns: for names, or for the cards or counts of zones."""
    roles = [column.role for column in columns]
    if any(len(cell) >= _LONGEST_HEAD for cell in cells):
        return False
    unknown = [column for column in columns if not column.role and column.head]
    return ("name" in roles and len(cells) > 1) or (roles.count("=") > 1 and not unknown)


def count_in(words: Vocabulary, cell: str) -> int | None:
    """The count in a cell that holds nothing else (`4`, `x4`, `4.0`, `1,000`, `4枚`); None for other cells."""
    pattern = _COUNT.replace("WORD", words.counter)
    match = compiled(pattern).fullmatch(shape_of(clean(cell)).strip())
    return int(match["n"].replace(",", "")) if match else None


class Field(Struct, frozen=True):
    """A cell with its column and its place: the 1-based line and column of its text."""

    column: Column
    text: str
    line: int
    place: int


def _answered(words: Vocabulary, field: Field) -> Field:
    """A field under a zone's name that says yes, no or nothing, as one that says where the card is, or nothing."""
    answer = shape_of(clean(field.text)).strip()
    is_answer = answer in words.answers_yes | words.answers_no and answer not in _MAY_COUNT
    if field.column.role != "=" or not is_answer:
        return field
    column = Column("", "zone" if answer in words.answers_yes else "other")
    return replace(field, column=column, text=field.column.zone)


def _unexplained(field: Field) -> UnreadError:
    cell = clean(field.text).strip()[:40]
    is_unknown = field.column.head and not field.column.role
    part = f"{field.column.head}: {cell}" if is_unknown else cell
    return UnreadError(Why.UNEXPLAINED.filled(part=part), field.place)


class RecordReader:
    """Reads records, each of which is a card with its count and zone, or several side by side."""

    def __init__(self, reader: LineReader) -> None:
        self._reader, self.words = reader, reader.words
        self._first_of: dict[str, str] = {}
        """The deck and the player that the first records name, folded, by the keys of headers."""

    def read(self, fields: Sequence[Field], raw: str, within: str | None = None) -> Line:
        """The line of a record; `within` is the zone around it, which a field of the record may overrule."""
        try:
            items = self._items(fields, within)
        except UnreadError as error:
            return told(raw, error.why, error.column)
        return CardLine(tuple(items)) if items else Comment(raw.strip())

    def _items(self, fields: Sequence[Field], within: str | None) -> list[Item]:
        """The cards of a record. Raises UnreadError if a field of it may change the deck otherwise."""
        filled = [field for field in fields if field.text.strip()]
        self._require_same_list(filled)
        answered = [_answered(self.words, field) for field in filled]
        roles = [field.column.role for field in answered]
        if not {"zone", "="} & set(roles):
            for field, role in zip(filled, roles, strict=True):
                if field.column.role == "=" and field.column.zone == self.words.default and role == "other":
                    raise _unexplained(field)
        lacks_count = "count" not in roles and any(field.column.role == "count" for field in fields)
        read = [self._item(group, within) for group in self._groups(answered)]
        items = [item for item in read if item is not None]
        if lacks_count and any(not item.copies for item in items):
            raise UnreadError(Why.NO_COUNT, items[0].column)
        unanswered = next(
            (field for field in fields if field.column.role == "used" and field not in filled), None
        )
        if items and unanswered is not None:
            raise UnreadError(Why.NO_ANSWER.filled(head=unanswered.column.head), unanswered.place)
        return [replace(item, copies=item.copies or 1) for item in items]

    def _require_same_list(self, fields: Sequence[Field]) -> None:
        """Raises UnreadError if a field names another deck or player than the records before."""
        for field in fields:
            key, text = header_key(field.column.head), field.text
            if key not in ("deck", "player") or field.column.role not in ("", "kind"):
                continue
            if count_in(self.words, text) is not None or zones_named(self.words, text):
                # It says how many cards are in the deck, or where they are.
                continue
            written = self.words.fold(text)
            if self._first_of.setdefault(key, written) != written:
                raise UnreadError(Why.OTHER_LIST, field.place)

    def _groups(self, fields: Sequence[Field]) -> list[list[Field]]:
        """The fields of each card of a record: two columns of names with a count each are two cards. Raises UnreadError."""
        names = [index for index, field in enumerate(fields) if field.column.role == "name"]
        counts = [field for field in fields if field.column.role == "count"]
        zoned = [field for field in fields if field.column.role == "="]
        if zoned:
            return self._counts_of_zones(zoned, fields)
        if len(names) < 2 or len(counts) < 2:
            return [list(fields)]
        if len(names) != len(counts):
            raise UnreadError(Why.NOT_READ, fields[0].place)
        first_is_name = fields.index(counts[0]) > names[0]
        begins = names if first_is_name else [fields.index(count) for count in counts]
        ends = [*begins[1:], len(fields)]
        shared = list(fields[: begins[0]])
        return [[*shared, *fields[start:end]] for start, end in zip(begins, ends, strict=True)]

    def _counts_of_zones(self, zoned: Sequence[Field], fields: Sequence[Field]) -> list[list[Field]]:
        """A card with its copies in each zone, whose sum a count of its own must be. Raises UnreadError."""
        own = [count_in(self.words, field.text) for field in fields if field.column.role == "count"]
        copies = [count_in(self.words, field.text) or 0 for field in zoned]
        if (own and own != [sum(copies)]) or all(field.column.role != "name" for field in fields):
            raise UnreadError(Why.NOT_READ, zoned[0].place)
        rest = [field for field in fields if field.column.role not in ("=", "count")]
        groups = []
        for field in zoned:
            zone = replace(field, column=Column("", "zone"), text=field.column.zone)
            groups.append([*rest, replace(field, column=Column("", "count")), zone])
        return groups

    def _item(self, fields: Sequence[Field], within: str | None) -> Item | None:
        """The card of these fields, with 0 copies without a count; None if it isn't in the deck. Raises UnreadError."""
        names = [field for field in fields if field.column.role == "name"]
        if not names:
            self._require_no_card(fields)
            return None
        chosen = next((field for field in names if self._reader.find(clean(field.text).strip())), names[0])
        item = self._named(chosen)
        zones = [] if item.zone is None else [item.zone]
        for field in fields:
            if field.column.role == "name" and field is not chosen:
                self._require_other_name(field, item)
            elif field.column.role not in ("name", "count"):
                zones += self._zones_in(field, item)
        aside = [zone for zone in zones if zone in self.words.aside]
        zones = list(dict.fromkeys(aside or zones))
        if len(zones) > 1:
            raise UnreadError(Why.TWO_ZONES, chosen.place)
        copies = self._copies([field for field in fields if field.column.role == "count"], chosen, item)
        zone = next(iter(zones), within)
        known = zone is None or zone in self.words.zone_ids or zone in self.words.aside
        placed = replace(item, copies=copies or 0, zone=zone, is_zone_known=known)
        return None if copies == 0 else placed

    def _copies(self, counts: Sequence[Field], chosen: Field, item: Item) -> int | None:
        """The copies that fields of counts or the `chosen` field of the name give; None for none. Raises UnreadError."""
        if not counts and not item.copies and self._reader.row(clean(chosen.text)).may_hide_count:
            raise UnreadError(Why.NO_COUNT, chosen.place)
        if not counts:
            return item.copies or None
        numbers = {count_in(self.words, count.text) for count in counts}
        if item.copies and numbers != {item.copies}:
            raise UnreadError(Why.UNEXPLAINED.filled(part=item.written), item.column)
        number = numbers.pop()
        if numbers or number is None or number > MOST_COPIES:
            raise UnreadError(Why.BAD_COUNT, counts[0].place)
        return number

    def _require_no_card(self, fields: Sequence[Field]) -> None:
        """Raises UnreadError if the fields of a record without a name may be about a card."""
        rows = [self._reader.row(clean(field.text)[:_LONGEST_CELL]) for field in fields]
        for field, row in zip(fields, rows, strict=True):
            is_fact = field.column.role in ("other", "kind")
            if field.column.role == "count" or row.names or (row.numbers and not is_fact):
                raise UnreadError(Why.NOT_READ, field.place)
        for field, row in zip(fields, rows, strict=True):
            if contains_zone_word(self.words, row.shape) or self.words.says_out(row.shape):
                raise _unexplained(field)

    def _require_other_name(self, field: Field, item: Item) -> None:
        """Raises UnreadError if a text in a second column of names can't be another name of a card."""
        cards = self._reader.find(clean(field.text).strip())
        is_other = not set(cards).issubset(item.cards) if cards else self._may_count(field, item)
        if is_other:
            raise _unexplained(field)

    def _named(self, field: Field) -> Item:
        """The card that a field of a name names, without a count unless the field has one. Raises UnreadError."""
        text = clean(field.text)
        row = self._reader.row(text)
        if row.unread and self._reader.is_longer_name(row, 0, len(text.rstrip())):
            return item_of(self.words, text.strip(), (), 0, field.place, None)
        if not row.names and len(text) < _LONGEST_CELL and not row.problem:
            bare = text.strip().strip("《》【】「」『』\"'* ")
            if not bare or leftover(bare, (Stretch(Taken.CARD, 0, len(bare)),)):
                raise UnreadError(Why.UNEXPLAINED.filled(part=bare or text.strip()), field.place)
            return item_of(self.words, bare, (), 0, field.place, None)
        return self._reader.item_in(row, field.place)

    def _zones_in(self, field: Field, item: Item) -> Sequence[str]:
        """The zones that a field says, which is neither a name nor a count. Raises UnreadError if it may say how many cards there are, or that they are out."""
        words, role = self.words, field.column.role
        cell = clean(field.text).strip()
        shape = shape_of(cell)
        named = zones_named(words, compiled(_SUM_BEHIND).sub("", shape).strip(_AROUND))
        if words.fold(cell) in words.unused:
            return (words.zones[words.fold(cell)],)
        if role == "zone" and not named:
            # An unknown word for a zone is a zone that the format doesn't have.
            return () if is_label(words, words.fold(cell)) else (cell,)
        if role == "" and words.says_where(field.column.head):
            if shape != "false":
                raise _unexplained(field)
            return ()
        if role == "used" and shape in words.answers_no and cell.lower() not in words.answers_yes:
            return (ASIDE,)
        if not self._is_clear(field, item, shape, named):
            raise _unexplained(field)
        return named if role in ("zone", "kind") else ()

    def _is_clear(self, field: Field, item: Item, shape: str, named: Sequence[str]) -> bool:
        """Whether a field says no more than the zones that it names."""
        role = field.column.role
        if role == "used":
            return shape in self.words.answers_yes - self.words.answers_no
        if role in ("kind", "") and shape in self.words.answers_no - _WEAK_REFUSALS:
            return False
        if role in ("zone", "kind"):
            cell = clean(field.text).strip()
            return not (self._says_more(shape, item) if named else self._may_change_deck(cell, shape, item))
        if role == "other":
            # Without a head, it is a zone's name that the field denies.
            return not field.column.head or not self._is_elsewhere_or_out(field)
        return not self._may_count(field, item)

    def _is_elsewhere_or_out(self, field: Field) -> bool:
        """Whether a cell that sorts no cards is nothing but a word for another zone, or one that takes the card out."""
        words = self.words
        shape = shape_of(clean(field.text)).strip()
        zone = words.zones.get(words.fold(shape), words.default)
        is_out = words.comment_says_out(shape) and shape not in words.answers_no
        return zone != words.default or is_out

    def _says_more(self, shape: str, item: Item) -> bool:
        """Whether a part of a cell that names a zone is a number, or says that the card is out."""
        _whole, parts = phrases(compiled(_SUM_BEHIND).sub("", shape))
        words = [part.strip(_AROUND) for part in parts if not zones_named(self.words, part)]
        return any(word and self._may_change_deck(word, word, item) for word in words)

    def _may_change_deck(self, cell: str, shape: str, item: Item) -> bool:
        """Whether a cell that sorts cards may say how many there are, where they are, or that they are out."""
        if contains_zone_word(self.words, shape) or self._may_be_count(shape):
            return True
        return self.words.says_out(shape) and not self._reader.is_fact(cell, item.cards)

    def _may_count(self, field: Field, item: Item) -> bool:
        """Whether a cell under a head that nobody knows may be a count, another card, or say where the card is."""
        words, cell = self.words, clean(field.text).strip()
        shape = shape_of(cell)
        others = self._reader.find(cell)
        row = self._reader.row(cell) if len(cell) < _LONGEST_CELL else None
        return bool(
            self._may_be_count(shape)
            or (others and not set(others) & set(item.cards))
            or compiled(_TALLY).fullmatch(shape)
            or zones_named(words, shape)
            or contains_zone_word(words, shape)
            or words.says_out(shape)
            or (row is not None and row.names and row.numbers and not others)
        )

    def _may_be_count(self, shape: str) -> bool:
        """Whether a cell is a number as small as a count, or a remark with another count."""
        number, other = (text.replace("WORD", self.words.counter) for text in (_SMALL_NUMBER, _OTHER_COUNT))
        return (compiled(number).fullmatch(shape) or compiled(other).search(shape)) is not None
