"""Mends the bundled cards: each correction says what is changed and why."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.check import Vocabulary, did_you_mean, flaws, shown, text_flaw
from deckcheck.cards.record import LISTS, Record
from deckcheck.cards.source import Located, yaml_document
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Document

Dates = Mapping[str, str]
Cards = dict[str, Located]
"""Cards by folded name, in the order of the table."""

_CHANGES = ("set", "unset", "add_aliases", "remove_printings")
_KEYS = frozenset({"card", "reason", "same_as", "add", *_CHANGES})


class _Correction(NamedTuple):
    """One entry of the file and how to complain about it."""

    document: Document
    place: int
    entry: Any

    def wrong(self, message: Words, *route: str | int, hint: Words | None = None) -> UserError:
        return UserError([self.document.problem(("corrections", self.place, *route), message, hint)])


def correct(
    cards: Cards, path: Path, data: bytes, words: Vocabulary, dates: Dates, home: str
) -> dict[str, list[str]]:
    """Applies the corrections in `data` to `cards`, in their order.

    Returns the reasons by folded name. `home` is the zone of cards that name
    none. Raises UserError for an entry that is malformed, names no card, or
    changes nothing.
    """
    document = yaml_document(path, data)
    value = document.data
    if (
        not isinstance(value, dict)
        or list(value) != ["corrections"]
        or not isinstance(value["corrections"], list)
    ):
        message = _("must hold a list under the key corrections only")
        raise UserError([document.problem((), message)])
    reasons: dict[str, list[str]] = {}
    for place, entry in enumerate(value["corrections"]):
        correction = _Correction(document, place, entry)
        _check_form(correction)
        _apply(correction, cards, words, dates, home, reasons)
    return reasons


def _check_form(correction: _Correction) -> None:
    entry = correction.entry
    if not isinstance(entry, dict):
        raise correction.wrong(_("must be a mapping with card and reason"))
    for key in entry:
        if key not in _KEYS:
            raise correction.wrong(
                _("unknown key: {key}", key=shown(key)),
                key,
                hint=did_you_mean(key, _KEYS),
            )
    for key in ("card", "reason", *({"same_as"} & entry.keys())):
        flaw = text_flaw(entry.get(key))
        if flaw is not None:
            raise correction.wrong(_("{key}: {flaw}", key=key, flaw=flaw), key)
    for key, kind in (
        ("set", dict),
        ("unset", list),
        ("add_aliases", list),
        ("remove_printings", list),
        ("add", dict),
    ):
        if key in entry and (not isinstance(entry[key], kind) or not entry[key]):
            raise correction.wrong(
                (
                    _("{key}: must be a list that holds something", key=key)
                    if kind is list
                    else _("{key}: must be a mapping that holds something", key=key)
                ),
                key,
            )
        if kind is list and not all(isinstance(item, str) for item in entry.get(key, ())):
            raise correction.wrong(_("{key}: must hold text", key=key), key)
    ways = [key for key in ("same_as", "add") if key in entry] + [
        "/".join(_CHANGES) for _unused in range(any(key in entry for key in _CHANGES))
    ]
    if len(ways) != 1:
        raise correction.wrong(_("must hold one of same_as, add, or changes (set, …)"))


def _apply(
    correction: _Correction,
    cards: Cards,
    words: Vocabulary,
    dates: Dates,
    home: str,
    reasons: dict[str, list[str]],
) -> None:
    entry = correction.entry
    key = words.fold(entry["card"])
    if "add" in entry:
        new, item = key, _added(correction, cards.get(key), words)
    elif "same_as" in entry:
        gone = _known(correction, cards, words.fold, "card")
        other = _known(correction, cards, words.fold, "same_as")
        if other is gone:
            raise correction.wrong(_("is the card itself"), "same_as")
        new, item = words.fold(other.record["name"]), other._replace(record=_joined(gone, other, dates))
    else:
        before = _known(correction, cards, words.fold, "card")
        record = _changed(correction, dict(before.record), words, home)
        new, item = words.fold(record["name"]), before._replace(record=record)
        if new != key and new in cards:
            name = record["name"]
            raise correction.wrong(_("is another card's name: {name}", name=name), "set", "name")
    if new != key:
        del cards[key]
    cards[new] = item
    earlier = reasons.pop(key, []) if new != key else []
    reasons.setdefault(new, []).extend([*earlier, entry["reason"]])


def _added(correction: _Correction, known: Located | None, words: Vocabulary) -> Located:
    name = correction.entry["card"]
    if known is not None:
        raise correction.wrong(_("is in the table already: {name}", name=name), "card")
    record = {"name": name, **correction.entry["add"]}
    if record["name"] != name:
        raise correction.wrong(_("card and name differ"), "add", "name")
    _check_result(correction, record, words)
    keys = ("corrections", correction.place, "add")
    document = correction.document
    return Located(record, document.path, document.line(keys), document, keys)


def _known(correction: _Correction, cards: Cards, fold: Callable[[str], str], key: str) -> Located:
    name = correction.entry[key]
    found = cards.get(fold(name))
    if found is None:
        names = [item.record["name"] for item in cards.values()]
        raise correction.wrong(_("no such card: {name}", name=name), key, hint=did_you_mean(name, names))
    return found


def _joined(gone: Located, kept: Located, dates: Dates) -> dict[str, Any]:
    record = dict(kept.record)
    known = [record["name"], *record.get("aliases", ())]
    names = [gone.record["name"], *gone.record.get("aliases", ())]
    record["aliases"] = [*known[1:], *dict.fromkeys(name for name in names if name not in known)]
    printings = record.get("printings", [])
    record["printings"] = printings + [
        item for item in gone.record.get("printings", ()) if item not in printings
    ]
    days = [day for item in (gone, kept) if (day := first_day(item.record, dates)) is not None]
    if days:
        record["released"] = min(days)
    return record


def first_day(record: Record, dates: Dates) -> str | None:
    """The day from which the card exists: its own date, else its first printing if all are dated."""
    if "released" in record:
        return str(record["released"])
    printings = record.get("printings", ())
    days: list[str] = [item.get("released") or dates.get(item["set"], "") for item in printings]
    return min(days) if days and all(days) else None


def _changed(correction: _Correction, record: dict[str, Any], words: Vocabulary, home: str) -> dict[str, Any]:
    entry = correction.entry
    for key, value in entry.get("set", {}).items():
        if (record[key] if key in record else _default(key, home)) == value:
            raise correction.wrong(_("{key}: has that value already", key=key), "set", key)
        record[key] = value
    _check_result(correction, record, words)
    for place, key in enumerate(entry.get("unset", ())):
        if key not in record or key == "name":
            raise correction.wrong(_("{key}: nothing to unset", key=key), "unset", place)
        del record[key]
    for place, alias in enumerate(entry.get("add_aliases", ())):
        if alias in (record["name"], *record.get("aliases", ())):
            raise correction.wrong(_("is an alias already: {alias}", alias=alias), "add_aliases", place)
        record["aliases"] = [*record.get("aliases", ()), alias]
    for place, code in enumerate(entry.get("remove_printings", ())):
        printings = record.get("printings", [])
        left = [item for item in printings if item["set"] != code]
        if len(left) == len(printings):
            raise correction.wrong(_("has no such printing: {code}", code=code), "remove_printings", place)
        record["printings"] = left
    _check_result(correction, record, words)
    return record


def _default(key: str, home: str) -> Any:
    if key in LISTS:
        return []
    return {"home": home, "verified": True}.get(key)


def _check_result(correction: _Correction, record: Mapping[str, Any], words: Vocabulary) -> None:
    entry, document = correction.entry, correction.document
    inside = next((key for key in ("add", "set") if key in entry), "card")
    problems = [
        document.problem(
            ("corrections", correction.place, inside, *flaw.route),
            flaw.message,
            flaw.hint,
        )
        for flaw in flaws(record, words)
    ]
    if problems:
        raise UserError(problems)
