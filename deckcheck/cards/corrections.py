"""Corrects the bundled cards: each correction says what is changed and why."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.card_file import (
    LISTS,
    Fields,
    Flaw,
    Located,
    Shape,
    Vocabulary,
    text,
    yaml_items,
)
from deckcheck.cards.folding import Fold
from deckcheck.cards.sets import Sets
from deckcheck.model.card import several_cards
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.messages import Words, _

_CHANGES = ("set", "unset", "add_aliases", "remove_printings")


class Cards:
    """The cards of a table by name, in order. If two names fold alike, an exact spelling decides."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self._cards: dict[str, Located] = {}
        self._alike: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[Located]:
        return iter(self._cards.values())

    def alike(self, key: str) -> list[str]:
        """The names that fold to this key."""
        return self._alike.get(key, [])

    def has(self, name: str) -> bool:
        """Whether a card has exactly this name."""
        return name in self._cards

    def find(self, name: str) -> list[Located]:
        """The cards that a name can mean."""
        names = [name] if name in self._cards else self.alike(self._fold(name))
        return [self._cards[known] for known in names]

    def put(self, item: Located, instead_of: str | None = None) -> None:
        """Add a card, in place of one with the same name or the one named."""
        name = item.record["name"]
        if instead_of is not None and instead_of != name:
            self.remove(instead_of)
        if name not in self._cards:
            self._alike.setdefault(self._fold(name), []).append(name)
        self._cards[name] = item

    def remove(self, name: str) -> None:
        """Remove the card with exactly this name."""
        del self._cards[name]
        self._alike[self._fold(name)].remove(name)


def _mapping(value: Any) -> Flaw | None:
    return None if isinstance(value, dict) else Flaw(_("must be a mapping of keys to values"))


_ENTRY = Fields(
    _("must be a mapping with card and reason"),
    ("card", "reason"),
    {
        **dict.fromkeys(("card", "reason", "same_as"), text),
        **dict.fromkeys(("add", "set"), _mapping),
        **{key: [text] for key in ("unset", "add_aliases", "remove_printings")},
    },
)


def correct(cards: Cards, path: Path, data: bytes, words: Vocabulary, sets: Sets) -> dict[str, list[str]]:
    """Apply the corrections in `data` to `cards`, in their order; their reasons by name.

    Raises UserError for an entry that is malformed, names no card, or changes nothing.
    """
    reasons: dict[str, list[str]] = {}
    for at in yaml_items(path, data, "corrections"):
        entry = at.record
        correction = _Correction(at, cards, words)
        correction.require(_ENTRY, entry)
        for key in entry:
            if not entry[key]:
                raise correction.error(Flaw(_("is empty"), route=(key,)).labelled, key)
        if sum(("same_as" in entry, "add" in entry, not entry.keys().isdisjoint(_CHANGES))) != 1:
            raise correction.error(_("must hold one of same_as, add, or changes (set, …)"))
        before, item = correction.result(sets)
        name = item.record["name"]
        earlier = reasons.pop(before, []) if before not in (None, name) else []
        cards.put(item, before)
        reasons.setdefault(name, []).extend([*earlier, entry["reason"]])
    return reasons


class _Correction(NamedTuple):
    """One entry of the file, and the cards that it corrects."""

    at: Located
    cards: Cards
    words: Vocabulary

    def error(self, message: Words, *keys: str | int, hint: Words | None = None) -> UserError:
        return UserError([self.at.problem(message, keys, hint)])

    def require(self, shape: Shape, value: Any, *keys: str) -> None:
        """Raises UserError if a value, which is at the keys or comes from there, has another shape."""
        if problems := self.at.with_record(value, *keys).problems(shape):
            raise UserError(problems)

    def result(self, sets: Sets) -> tuple[str | None, Located]:
        """The name of the card that this entry changes or drops, if any, and the resulting card."""
        entry = self.at.record
        if "add" in entry:
            return None, self._added()
        before = self._known("card")
        if "same_as" in entry:
            other = self._known("same_as")
            if other is before:
                raise self.error(_("is the card itself"), "same_as")
            return before.record["name"], other._replace(record=_joined(before, other, sets))
        record = self._changed(dict(before.record))
        name = record["name"]
        if name != before.record["name"] and self.cards.has(name):
            raise self.error(_("is another card's name: {name}", name=name), "set", "name")
        return before.record["name"], before._replace(record=record)

    def _known(self, key: str) -> Located:
        name = self.at.record[key]
        found = self.cards.find(name)
        if len(found) > 1:
            raise self.error(several_cards(name, [item.record["name"] for item in found]), key)
        if not found:
            hint = did_you_mean(name, [item.record["name"] for item in self.cards])
            raise self.error(_("no such card: {name}", name=name), key, hint=hint)
        return found[0]

    def _added(self) -> Located:
        name = self.at.record["card"]
        if self.cards.has(name):
            raise self.error(_("is in the card table already: {name}", name=name), "card")
        record = {"name": name, "home": self.words.zones[0], **self.at.record["add"]}
        if record["name"] != name:
            raise self.error(_("card and name differ"), "add", "name")
        self.require(self.words.card, record, "add")
        return self.at.with_record(record, "add")

    def _changed(self, record: dict[str, Any]) -> dict[str, Any]:
        entry = self.at.record
        changed = "set" if "set" in entry else "card"
        for key, value in entry.get("set", {}).items():
            default: Any = [] if key in LISTS else True if key == "verified" else None
            if record.get(key, default) == value:
                raise self.error(_("{key}: has that value already", key=key), "set", key)
            record[key] = value
        self.require(self.words.card, record, changed)
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
        self.require(self.words.card, record, changed)
        return record


def _joined(gone: Located, kept: Located, sets: Sets) -> dict[str, Any]:
    """The card that stays, with the other one's names and printings added, from the earlier day on."""
    record = dict(kept.record)
    names = (name for item in (kept, gone) for name in (item.record["name"], *item.record.get("aliases", ())))
    record["aliases"] = [name for name in dict.fromkeys(names) if name != record["name"]]
    printings = record.get("printings", [])
    others = [item for item in gone.record.get("printings", ()) if item not in printings]
    record["printings"] = printings + others
    days = [day for item in (gone, kept) if (day := sets.first_day(item.record)) is not None]
    if days:
        record["released"] = min(days)
    return record
