"""Under which folded names a card is looked up."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from deckcheck.cards.record import Record

Fold = Callable[[str], str]

NAME, HALF = 0, 1
"""How strong a key is: a half counts only where no name matches."""

_READING = re.compile(r"\([^()]*\)")


class Keys(NamedTuple):
    """The look-up of a whole table; cards are numbers.

    `cards` gives for a key the cards it can mean and how strongly. `tails`
    gives the cards whose name ends, behind a blank, with the key: people leave
    the title off, and then it is good for a suggestion only.
    """

    cards: Mapping[str, Mapping[int, int]]
    tails: Mapping[str, Sequence[int]]


def keys_of(records: Sequence[Record], joint: Sequence[tuple[Record, Sequence[int]]], fold: Fold) -> Keys:
    """The keys of `records`, which are numbered as they come.

    `joint` holds the records that are no cards of their own, each with the
    numbers of the cards it is made of.
    """
    cards: dict[str, dict[int, int]] = defaultdict(dict)
    tails: dict[str, dict[int, None]] = defaultdict(dict)
    for number, record in enumerate(records):
        _add(cards, tails, number, record, fold)
    for record, numbers in joint:
        for number in numbers:
            _add(cards, tails, number, record, fold)
    _add_without_readings(cards)
    for table in (cards, tails):
        table.pop("", None)
    return Keys(cards, {key: list(found) for key, found in tails.items()})


def _add(
    cards: dict[str, dict[int, int]],
    tails: dict[str, dict[int, None]],
    number: int,
    record: Record,
    fold: Fold,
) -> None:
    for name in (*single_names(record), *_joined(record)):
        cards[fold(name)][number] = NAME
    for part in record.get("parts", ()):
        cards[fold(part["name"])].setdefault(number, HALF)
    for name in (*single_names(record), *(part["name"] for part in record.get("parts", ()))):
        pieces = name.split()
        if len(pieces) > 1:
            tails[fold(pieces[-1])][number] = None


def single_names(record: Record) -> Iterator[str]:
    """The names each of which is the whole card's: its own, its aliases, its faces'."""
    yield record["name"]
    yield from record.get("aliases", ())
    yield from (face["name"] for face in record.get("faces", ()))


def _joined(record: Record) -> Iterator[str]:
    faces = [face["name"] for face in record.get("faces", ())]
    for face in faces:
        yield f"{record['name']}/{face}"
    if len(faces) > 1:
        yield "/".join([record["name"], *faces])
    if record.get("parts"):
        yield "/".join(part["name"] for part in record["parts"])


def _add_without_readings(cards: dict[str, dict[int, int]]) -> None:
    short: dict[str, set[int]] = defaultdict(set)
    for key, found in cards.items():
        without = _READING.sub("", key)
        if without != key:
            short[without].update(number for number, strength in found.items() if strength == NAME)
    for key, numbers in short.items():
        if len(numbers) == 1 and key not in cards:
            cards[key] = {numbers.pop(): NAME}
