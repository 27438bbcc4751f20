"""Corrects the bundled cards: each correction says what is changed and why."""

from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.card_file import (
    LISTS,
    CardSet,
    Fields,
    Flaw,
    Shape,
    Vocabulary,
    mistakes_in,
    text,
    yaml_items,
)
from deckcheck.cards.sets import Sets
from deckcheck.model.card import several_cards
from deckcheck.support.documents import Document
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.messages import Words, _

_CHANGES = ("set", "unset", "add_aliases", "remove_printings")


def _mapping(value: Any) -> Flaw | None:
    return None if isinstance(value, dict) else Flaw(_("must be a mapping of keys to values"))


_ENTRY = Fields(
    _("must be a mapping with card and reason"),
    ("card", "reason"),
    {
        **dict.fromkeys(("card", "reason", "same_as"), text),
        "set": _mapping,
        **{key: [text] for key in ("unset", "add_aliases", "remove_printings")},
    },
)


def correct(cards: CardSet, path: Path, data: bytes, words: Vocabulary, sets: Sets) -> dict[str, list[str]]:
    """Apply the corrections in `data` to `cards`, in their order; returns their reasons by the card's name.

    Raises UserError for an entry that is malformed, names no card, or changes nothing.
    """
    reasons: dict[str, list[str]] = {}
    for place in yaml_items(path, data, "corrections"):
        correction = _Correction(place, cards, words)
        correction.check()
        entry = place.data
        before = correction.known("card").data["name"]
        item = correction.joined(sets) if "same_as" in entry else correction.changed()
        name = item.data["name"]
        earlier = reasons.pop(before, []) if before != name else []
        cards.put(item, before)
        reasons.setdefault(name, []).extend([*earlier, entry["reason"]])
    return reasons


class _Correction(NamedTuple):
    """One entry of the file, and the cards that it corrects."""

    at: Document
    cards: CardSet
    words: Vocabulary

    def error(self, message: Words, *keys: str | int, hint: Words | None = None) -> UserError:
        return UserError([self.at.problem(message, hint, keys)])

    def at_keys(self, value: Any, *keys: str) -> Document:
        """A value that is at these keys or comes from there."""
        return self.at._replace(data=value, keys=(*self.at.keys, *keys))

    def require(self, shape: Shape, value: Any, *keys: str) -> None:
        """Raises UserError if a value, which is at the keys or comes from there, has another shape."""
        if problems := mistakes_in(self.at_keys(value, *keys), shape):
            raise UserError(problems)

    def check(self) -> None:
        """Raises UserError unless the entry says one thing to do."""
        entry = self.at.data
        self.require(_ENTRY, entry)
        for key in entry:
            if not entry[key]:
                raise self.error(Flaw(_("is empty"), route=(key,)).labelled, key)
        has_changes = not entry.keys().isdisjoint(_CHANGES)
        if ("same_as" in entry) == has_changes:
            raise self.error(_("must hold either same_as or changes (set, …)"))

    def known(self, key: str) -> Document:
        """The card that is named under a key."""
        name = self.at.data[key]
        cards = self.cards.find(name)
        if len(cards) > 1:
            raise self.error(several_cards(name, [item.data["name"] for item in cards]), key)
        if not cards:
            hint = did_you_mean(name, [item.data["name"] for item in self.cards])
            raise self.error(_("no such card: {name}", name=name), key, hint=hint)
        return cards[0]

    def joined(self, sets: Sets) -> Document:
        """The card that stays, with the other one's names and printings added, from the earlier day on."""
        dropped, kept = self.known("card"), self.known("same_as")
        if dropped is kept:
            raise self.error(_("is the card itself"), "same_as")
        record = dict(kept.data)
        names = dict.fromkeys(
            name for item in (kept, dropped) for name in (item.data["name"], *item.data.get("aliases", ()))
        )
        record["aliases"] = [name for name in names if name != record["name"]]
        printings = record.get("printings", [])
        others = [item for item in dropped.data.get("printings", ()) if item not in printings]
        record["printings"] = printings + others
        days = [sets.first_day(item.data) for item in (dropped, kept)]
        known_days = [day for day in days if day is not None]
        if known_days:
            record["released"] = min(known_days)
        return kept._replace(data=record)

    def changed(self) -> Document:
        """The card with the changes of the entry."""
        entry, before = self.at.data, self.known("card")
        record = dict(before.data)
        place_of_change = "set" if "set" in entry else "card"
        for key, value in entry.get("set", {}).items():
            default: Any = [] if key in LISTS else True if key == "verified" else None
            if record.get(key, default) == value:
                raise self.error(_("{key}: has that value already", key=key), "set", key)
            record[key] = value
        self.require(self.words.card, record, place_of_change)
        for place, key in enumerate(entry.get("unset", ())):
            if key not in record or key == "name":
                raise self.error(_("{key}: nothing to unset", key=key), "unset", place)
            del record[key]
        for place, alias in enumerate(entry.get("add_aliases", ())):
            if alias in (record["name"], *record.get("aliases", ())):
                raise self.error(_("is an alias already: {alias}", alias=alias), "add_aliases", place)
            record["aliases"] = [*record.get("aliases", ()), alias]
        for place, code in enumerate(entry.get("remove_printings", ())):
            left = [item for item in record.get("printings", ()) if item["set"] != code]
            if len(left) == len(record.get("printings", ())):
                raise self.error(_("has no such printing: {set}", set=code), "remove_printings", place)
            record["printings"] = left
        self.require(self.words.card, record, place_of_change)
        name = record["name"]
        if name != before.data["name"] and name in self.cards:
            raise self.error(_("is another card's name: {name}", name=name), "set", "name")
        return before._replace(data=record)
