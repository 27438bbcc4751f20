"""MTGJSON: AtomicCards (one entry per name) and AllPrintings (sets with their cards), and files of the same form."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deckcheck.importers.json_stream import (
    Advance,
    Events,
    Reader,
    items,
    json_events,
    pairs,
    read_value,
    skip,
)
from deckcheck.importers.magic import (
    BOTH_HALVES,
    TWO_SIDES,
    Face,
    banlists_of,
    card_of,
    mapping_or_empty,
    mappings_in,
    number_of,
    printing_of,
    string_or_none,
    strings_in,
)
from deckcheck.importers.source_kinds import DataDate, Omission, SourceCard, StatedList
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

_MOST_CARD = 8 * 1024 * 1024
_MOST_SET = 128 * 1024 * 1024
_NESTED = frozenset(
    (
        *("availability", "cardParts", "colorIdentity", "colors", "foreignData", "identifiers", "keywords"),
        *("leadershipSkills", "legalities", "printings", "subtypes", "supertypes", "types"),
    )
)
"""The keys of a card whose lists and mappings are read; the others are large."""

_OTHER = _("neither AtomicCards nor AllPrintings of MTGJSON")


def read(path: Path, advance: Advance) -> Iterator[SourceCard | Omission | DataDate]:
    """Yields the cards in the file. Raises UserError if it can't be read to its end."""
    with json_events(path, advance, "start_map", _OTHER, _MOST_CARD) as (events, reader):
        found = False
        for key, event in pairs(events):
            if key == "data" and event[0] == "start_map":
                found = True
                yield from _data(events, reader)
            elif key == "meta":
                yield DataDate(string_or_none(mapping_or_empty(read_value(events, event)).get("date")))
            else:
                skip(events, event)
    if not found:
        raise user_error(_OTHER, path=str(path))


def banlists(path: Path, advance: Advance) -> list[StatedList]:
    """A list for each format. Raises UserError as `read` does."""
    return banlists_of(read(path, advance), path)


def _data(events: Events, reader: Reader) -> Iterator[SourceCard | Omission]:
    for key, event in pairs(events):
        if event[0] == "start_array":
            reader.limit_next(_MOST_CARD)
            yield from _named(mappings_in(read_value(events, event, _NESTED)), [])
        elif event[0] == "start_map":
            reader.limit_next(_MOST_SET)
            yield from _set(events, key)
        else:
            raise user_error(_OTHER, path=str(reader.path))


def _set(events: Events, code: str) -> Iterator[SourceCard | Omission]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    released: str | None = None
    for key, event in pairs(events):
        if key == "cards" and event[0] == "start_array":
            for item in items(events):
                entry = read_value(events, item, _NESTED)
                if isinstance(entry, dict):
                    if "foreignData" in entry:
                        entry["foreignData"] = _japanese(entry)
                    groups.setdefault(string_or_none(entry.get("name")) or "", []).append(entry)
        elif key == "tokens" and event[0] == "start_array":
            for item in items(events):
                skip(events, item)
                yield Omission("token")
        elif key == "code" and event[0] == "string":
            code = event[1]
        elif key == "releaseDate" and event[0] == "string":
            released = event[1]
        else:
            skip(events, event)
    for entries in groups.values():
        printings = []
        for entry in entries:
            day = string_or_none(entry.get("originalReleaseDate")) or released
            printings.append(printing_of(code, day, entry.get("availability"), entry.get("rarity")))
        yield from _named(entries, printings)


def _named(
    entries: Sequence[Mapping[str, Any]], printings: Sequence[dict[str, Any]]
) -> Iterator[SourceCard | Omission]:
    """Yields the items for entries with the same name: one for a card with faces, else one per version of the card."""
    known = {code for entry in entries for code in strings_in(entry.get("printings")) or ()}
    every = [*printings, *({"set": code} for code in sorted(known))]
    unique = list({tuple(sorted(printing.items())): printing for printing in every}.values())
    faces: dict[str, Mapping[str, Any]] = {}
    for entry in sorted(entries, key=lambda entry: string_or_none(entry.get("side")) or ""):
        if string_or_none(entry.get("faceName")) is not None:
            faces.setdefault(entry["faceName"], entry)
    versions: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        versions.setdefault(str([entry.get(key) for key in ("text", "manaCost", "type")]), entry)
    for front in [list(faces.values())] if faces else [[entry] for entry in versions.values()]:
        found = _card(front, entries, unique)
        if found is not None:
            yield found


def _card(
    faces: Sequence[Mapping[str, Any]],
    entries: Sequence[Mapping[str, Any]],
    printings: Sequence[dict[str, Any]],
) -> SourceCard | Omission | None:
    front = faces[0]
    layout = string_or_none(front.get("layout")) or "normal"
    name = string_or_none(front.get("name")) or ""
    meld = None
    if layout == "meld":
        parts = strings_in(front.get("cardParts"))
        meld = parts[-1] if parts else name.rpartition(" // ")[2]
        faces = faces[:1]
    keyed = faces if layout in BOTH_HALVES else faces[:1]
    return card_of(
        layout,
        [_face(entry) for entry in faces],
        value=number_of(front.get("manaValue", front.get("convertedManaCost"))),
        identity=strings_in(front.get("colorIdentity")),
        # The key is missing without keywords; each entry has those of its own face.
        keywords=[
            string_or_none
            for entry in keyed
            for string_or_none in strings_in(entry.get("keywords", [])) or ()
        ],
        legalities=front.get("legalities"),
        may_lead=mapping_or_empty(front.get("leadershipSkills")).get("commander") is True,
        source_id=string_or_none(mapping_or_empty(front.get("identifiers")).get("scryfallOracleId")) or "",
        aliases=dict.fromkeys(_aliases(entries, layout, name)),
        printings=printings,
        meld=meld,
        is_rebalanced=front.get("isRebalanced") is True or name.startswith("A-"),
    )


def _face(entry: Mapping[str, Any]) -> Face:
    return Face(
        name=string_or_none(entry.get("faceName")) or string_or_none(entry.get("name")) or "",
        cost=string_or_none(entry.get("manaCost", "")),
        value=number_of(entry.get("faceManaValue", entry.get("faceConvertedManaCost"))),
        colours=strings_in(entry.get("colors")),
        supertypes=strings_in(entry.get("supertypes")),
        types=strings_in(entry.get("types")),
        subtypes=strings_in(entry.get("subtypes")),
        text=string_or_none(entry.get("text", "")),
        has_power=string_or_none(entry.get("power")) is not None,
    )


def _aliases(entries: Sequence[Mapping[str, Any]], layout: str, name: str) -> Iterator[str]:
    for entry in entries:
        if string_or_none(entry.get("faceName")) is not None and " // " in name:
            yield name
        # Another name of a half isn't a name of the whole card.
        whole = layout not in BOTH_HALVES
        first = (string_or_none(entry.get("side")) or "a") == "a" or layout in TWO_SIDES
        for key in ("asciiName", "flavorName", *(["faceFlavorName"] if whole and first else [])):
            if string_or_none(entry.get(key)):
                yield entry[key]
        for foreign in _japanese(entry):
            for key in ("name", *(["faceName"] if whole and first else [])):
                if string_or_none(foreign.get(key)):
                    yield foreign[key]


def _japanese(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    foreign = (data for data in mappings_in(entry.get("foreignData")) if data.get("language") == "Japanese")
    return [{key: data[key] for key in ("language", "name", "faceName") if key in data} for data in foreign]
