"""What comes with a game: its cards, the days of its sets, and the corrections that are applied to the cards."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.card_file import MOST_BYTES, CardSet, Entry, Vocabulary, mistakes, normal, read_cards
from deckcheck.model.card import Days, several_cards
from deckcheck.support.documents import Document, Keys, parse_yaml, require_shape
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.files import decoded, read_bytes
from deckcheck.support.messages import Words, _
from deckcheck.support.safe_text import brief

_CONTENT = "4"
"""Increased whenever the same files would give other cards; the version of a table depends on it."""

_CHANGES = ("set", "unset", "add_aliases", "remove_printings")


class TableCards(Struct, frozen=True):
    """The cards of a table, the sets of the game, and a hash of the content."""

    cards: CardSet
    sets: Sets
    version: str


def bundled_cards(texts: tuple[Path, Path, Path], words: Vocabulary) -> TableCards:
    """The corrected cards that come with a game: the cards, their sets and corrections. Raises UserError."""
    cards_file, sets_file, corrections_file = texts
    contents = [read_bytes(path, most=MOST_BYTES) if path.exists() else b"" for path in texts]
    records, days, corrections = contents
    sets = read_sets(sets_file, days) if days else Sets({"released": {}})
    cards = CardSet(words.fold)
    for item in read_cards(cards_file, records, words):
        # Bundled cards without a home belong in the first zone; for the user's own cards, it is unknown.
        cards.put(Entry(replace(item, data={"home": words.zones[0], **item.data})))
    if corrections:
        correct(cards, corrections_file, corrections, words, sets)
    return TableCards(cards, sets, version_of(contents))


def version_of(contents: Iterable[bytes], *before: str) -> str:
    """The version of a table of these files, over a table of the version `before`."""
    marks = [hashlib.sha256(content).hexdigest() for content in contents]
    return hashlib.sha256("\n".join([_CONTENT, *before, *marks]).encode()).hexdigest()


# Sets


class Sets:
    """The sets of a game by their codes; `content` is that of sets.json."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content
        self.released: Mapping[str, str] = content["released"]
        self._approximate = frozenset(content.get("approximate", ()))
        self._ongoing = frozenset(content.get("ongoing", ()))
        self._opening = {
            (attribute, word): frozenset(codes)
            for attribute, words in content.get("opening", {}).items()
            for word, codes in words.items()
        }

    def day_of(self, printing: Mapping[str, Any]) -> str | None:
        """The day of a printing: its own, or that of its set unless cards are added to it for years."""
        code = printing["set"]
        return printing.get("released") or (None if code in self._ongoing else self.released.get(code))

    def first_day(self, record: Mapping[str, Any]) -> str | None:
        """The day since which a card exists: its own, else that of its first printing whose day is certain.

        None if there is no such printing, or one in an unknown set.
        """
        if "released" in record:
            return str(record["released"])
        days = []
        for printing in record.get("printings", ()):
            code = printing["set"]
            if "released" in printing:
                days.append(printing["released"])
            elif code not in self.released:
                return None
            elif code not in self._approximate | self._ongoing:
                days.append(self.released[code])
        return min(days, default=None)

    def days_of_values(self, record: Mapping[str, Any]) -> dict[str, dict[str, Days]]:
        """By attribute and value, when a card got the values that a set opens, if that was after its first day."""
        by_attribute: dict[str, dict[str, Days]] = {}
        first = self.first_day(record) or ""
        for (attribute, word), codes in self._opening.items():
            if word in record.get(attribute, ()):
                days = self._days_in(codes, record.get("printings", ()))
                if days is not None and days.sure > first:
                    by_attribute.setdefault(attribute, {})[word] = days
        return by_attribute

    def _days_in(self, codes: frozenset[str], printings: Sequence[Mapping[str, Any]]) -> Days | None:
        """The days of the first printing in one of these sets; None if no day is known.

        A printing whose day is unknown may have been the first. Without a printing in one of these sets, it may have
        been any, since the file may not know the newest sets.
        """
        inside = [printing for printing in printings if printing["set"] in codes]
        days = [self.day_of(printing) for printing in inside or printings]
        known = [day for day in days if day is not None]
        if not known:
            return None
        first = "" if len(known) < len(days) else min(known)
        return Days(first, min(known) if inside else max(known))


def read_sets(path: Path, data: bytes) -> Sets:
    """The sets in sets.json. Raises UserError."""
    # JSON is also YAML.
    document = parse_yaml(decoded(data, str(path)), str(path))
    require_shape(document, "sets")
    return Sets(document.data)


# Corrections


def correct(cards: CardSet, path: Path, data: bytes, words: Vocabulary, sets: Sets) -> None:
    """Apply the corrections in `data` to `cards`, in their order.

    Raises UserError for an entry that is malformed, names no card, or changes nothing.
    """
    document = parse_yaml(decoded(data, str(path)), str(path))
    require_shape(document, "corrections")
    for correction in document.under("corrections"):
        if ("same_as" in correction.data) != correction.data.keys().isdisjoint(_CHANGES):
            raise _refused(correction, _("must hold either same_as or changes (set, …)"))
        card = _known(correction, "card", cards)
        reasons = (*card.corrections, correction.data["reason"])
        if "same_as" in correction.data:
            kept = _known(correction, "same_as", cards)
            if kept is card:
                raise _refused(correction, _("is the card itself"), "same_as")
            record, reasons = _united(kept, card, sets), (*kept.corrections, *reasons)
        else:
            record = _changed(correction, card, words)
            if record["name"] != card.name and record["name"] in cards:
                message = _("is another card's name: {name}", name=record["name"])
                raise _refused(correction, message, "set", "name")
        cards.put(Entry(replace(card.item, data=record), reasons), card.name)


def _refused(correction: Document, message: Words, *keys: str | int, hint: Words | None = None) -> UserError:
    return UserError([correction.problem(message, hint, keys)])


def _known(correction: Document, key: str, cards: CardSet) -> Entry:
    """The card that a correction names under a key."""
    name = correction.data[key]
    meant = cards.find(name)
    if len(meant) > 1:
        raise _refused(correction, several_cards(name, [card.name for card in meant]), key)
    if not meant:
        hint = did_you_mean(name, [card.name for card in cards])
        raise _refused(correction, _("no such card: {name}", name=name), key, hint=hint)
    return meant[0]


def _united(kept: Entry, dropped: Entry, sets: Sets) -> dict[str, Any]:
    """The record of the card that stays, with the other one's names and printings, from the earlier day on."""
    record = dict(kept.record)
    names = dict.fromkeys(
        name for card in (kept, dropped) for name in (card.name, *card.record.get("aliases", ()))
    )
    record["aliases"] = [name for name in names if name != kept.name]
    printings = record.get("printings", [])
    others = [item for item in dropped.record.get("printings", ()) if item not in printings]
    record["printings"] = printings + others
    days = [day for card in (kept, dropped) if (day := sets.first_day(card.record)) is not None]
    if days:
        record["released"] = min(days)
    return record


def _changed(correction: Document, card: Entry, words: Vocabulary) -> dict[str, Any]:
    """The record of a card with the changes of a correction, each of which must change something."""
    record = dict(card.record)
    for kind in _CHANGES:
        changes = correction.data.get(kind, {})
        for place, step in enumerate(changes):
            keys = (kind, step if kind == "set" else place)
            before, record = record, _with_change(record, kind, step, changes)
            if normal(record) == normal(before):
                raise _refused(correction, _("{change}: changes nothing", change=brief(step)), *keys)
            marks: dict[Keys, tuple[int, int]] = {(): correction.mark(keys)}
            problems = mistakes(Document(correction.path, record, marks, correction.lines), words)
            if problems:
                raise UserError(problems)
    return record


def _with_change(record: dict[str, Any], kind: str, step: str, changes: Any) -> dict[str, Any]:
    """The record with one step of a kind of changes: a key, a name or the code of a set."""
    if kind == "set":
        return {**record, step: changes[step]}
    if kind == "unset":
        return {key: value for key, value in record.items() if key != step}
    if kind == "add_aliases":
        aliases = record.get("aliases", [])
        return record if step in (record["name"], *aliases) else {**record, "aliases": [*aliases, step]}
    left = [printing for printing in record.get("printings", ()) if printing["set"] != step]
    return {**record, "printings": left}
