"""Mends the bundled cards: each correction says what is changed and why."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.cardfile import (
    LISTS,
    Fields,
    Flaw,
    Located,
    Record,
    Shape,
    Vocabulary,
    flaws,
    text,
    yaml_items,
)
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.messages import Words, _

Dates = Mapping[str, str]
Cards = dict[str, Located]
"""Cards by folded name, in the order of the table."""

_CHANGES = ("set", "unset", "add_aliases", "remove_printings")


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


def correct(cards: Cards, path: Path, data: bytes, words: Vocabulary, dates: Dates) -> dict[str, list[str]]:
    """Apply the corrections in `data` to `cards`, in their order; their reasons by folded name.

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
        key, (new, item) = words.fold(entry["card"]), correction.result(dates)
        earlier = reasons.pop(key, []) if new != key else []
        if new != key:
            del cards[key]
        cards[new] = item
        reasons.setdefault(new, []).extend([*earlier, entry["reason"]])
    return reasons


class _Correction(NamedTuple):
    """One entry of the file, and the cards that it speaks of."""

    at: Located
    cards: Cards
    words: Vocabulary

    def error(self, message: Words, *keys: str | int, hint: Words | None = None) -> UserError:
        return UserError([self.at.problem(message, keys, hint)])

    def require(self, shape: Shape, value: Any, *keys: str) -> None:
        """Raises UserError where a value, which is at the keys or comes from there, has another shape."""
        found = flaws(shape, value)
        if problems := [self.at.problem(flaw.labelled, (*keys, *flaw.keys), flaw.hint) for flaw in found]:
            raise UserError(problems)

    def result(self, dates: Dates) -> tuple[str, Located]:
        """The card that this entry makes, and its folded name."""
        fold, entry = self.words.fold, self.at.record
        if "add" in entry:
            return fold(entry["card"]), self._added()
        before = self._known("card")
        if "same_as" in entry:
            other = self._known("same_as")
            if other is before:
                raise self.error(_("is the card itself"), "same_as")
            return fold(other.record["name"]), other._replace(record=_joined(before, other, dates))
        record = self._changed(dict(before.record))
        new = fold(record["name"])
        if new != fold(entry["card"]) and new in self.cards:
            raise self.error(_("is another card's name: {name}", name=record["name"]), "set", "name")
        return new, before._replace(record=record)

    def _known(self, key: str) -> Located:
        name = self.at.record[key]
        found = self.cards.get(self.words.fold(name))
        if found is None:
            hint = did_you_mean(name, [item.record["name"] for item in self.cards.values()])
            raise self.error(_("no such card: {name}", name=name), key, hint=hint)
        return found

    def _added(self) -> Located:
        name = self.at.record["card"]
        if self.words.fold(name) in self.cards:
            raise self.error(_("is in the card table already: {name}", name=name), "card")
        record = {"name": name, "home": self.words.zones[0], **self.at.record["add"]}
        if record["name"] != name:
            raise self.error(_("card and name differ"), "add", "name")
        self.require(self.words.card, record, "add")
        return self.at._replace(record=record, keys=(*self.at.keys, "add"))

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


def _joined(gone: Located, kept: Located, dates: Dates) -> dict[str, Any]:
    """The card that stays, with the names and printings of the other one, and from the earlier day."""
    record = dict(kept.record)
    names = (name for item in (kept, gone) for name in (item.record["name"], *item.record.get("aliases", ())))
    record["aliases"] = [name for name in dict.fromkeys(names) if name != record["name"]]
    printings = record.get("printings", [])
    others = [item for item in gone.record.get("printings", ()) if item not in printings]
    record["printings"] = printings + others
    days = [day for item in (gone, kept) if (day := first_day(item.record, dates)) is not None]
    if days:
        record["released"] = min(days)
    return record


def first_day(record: Record, dates: Dates) -> str | None:
    """The day from which the card exists: its own date, else its first printing if all are dated."""
    if "released" in record:
        return str(record["released"])
    days: list[str] = [
        item.get("released") or dates.get(item["set"], "") for item in record.get("printings", ())
    ]
    return min(days) if days and all(days) else None
