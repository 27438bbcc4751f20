"""MTGJSON: AtomicCards (one entry per name) and AllPrintings (sets with their cards), and files of the same form."""

from collections.abc import Iterator, Sequence
from pathlib import Path

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
    Fields,
    Printing,
    banlists_of,
    card_of,
    objects_in,
    printing_of,
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
                meta = read_value(events, event)
                yield DataDate(Fields(meta).text("date") if isinstance(meta, dict) else None)
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
            yield from _named(objects_in(read_value(events, event, _NESTED)), [])
        elif event[0] == "start_map":
            reader.limit_next(_MOST_SET)
            yield from _set(events, key)
        else:
            raise user_error(_OTHER, path=str(reader.path))


def _set(events: Events, code: str) -> Iterator[SourceCard | Omission]:
    groups: dict[str, list[Fields]] = {}
    released: str | None = None
    for key, event in pairs(events):
        if key == "cards" and event[0] == "start_array":
            for item in items(events):
                for entry in objects_in([read_value(events, item, _NESTED)]):
                    if "foreignData" in entry:
                        entry["foreignData"] = _japanese(entry)
                    groups.setdefault(entry.text("name") or "", []).append(entry)
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
            day = entry.text("originalReleaseDate") or released
            printings.append(printing_of(code, day, entry.texts("availability"), entry.text("rarity")))
        yield from _named(entries, printings)


def _named(entries: Sequence[Fields], printings: Sequence[Printing]) -> Iterator[SourceCard | Omission]:
    """Yields the items for entries with the same name: one for a card with faces, else one per version of the card."""
    known = {code for entry in entries for code in entry.texts("printings") or ()}
    every = list(printings)
    every += ({"set": code} for code in sorted(known))
    unique = list({tuple(sorted(printing.items())): printing for printing in every}.values())
    faces: dict[str, Fields] = {}
    for entry in sorted(entries, key=lambda entry: entry.text("side") or ""):
        if entry.text("faceName") is not None:
            faces.setdefault(entry["faceName"], entry)
    versions: dict[str, Fields] = {}
    for entry in entries:
        versions.setdefault(str([entry.get(key) for key in ("text", "manaCost", "type")]), entry)
    for front in [list(faces.values())] if faces else [[entry] for entry in versions.values()]:
        found = _card(front, entries, unique)
        if found is not None:
            yield found


def _card(
    faces: Sequence[Fields], entries: Sequence[Fields], printings: Sequence[Printing]
) -> SourceCard | Omission | None:
    front = faces[0]
    layout, name, meld = front.text("layout") or "normal", front.text("name") or "", None
    if layout == "meld":
        parts = front.texts("cardParts")
        meld = parts[-1] if parts else name.rpartition(" // ")[2]
        faces = faces[:1]
    keyed = faces if layout in BOTH_HALVES else faces[:1]
    return card_of(
        layout,
        [_face(entry) for entry in faces],
        value=front.number("manaValue", "convertedManaCost"),
        identity=front.texts("colorIdentity"),
        # The key is missing without keywords; each entry has those of its own face.
        keywords=[word for entry in keyed for word in entry.texts("keywords") or ()],
        legalities=front.get("legalities"),
        may_lead=front.object("leadershipSkills").get("commander") is True,
        source_id=front.object("identifiers").text("scryfallOracleId") or "",
        aliases=dict.fromkeys(_aliases(entries, layout, name)),
        printings=printings,
        meld=meld,
        is_rebalanced=front.get("isRebalanced") is True or name.startswith("A-"),
    )


def _face(entry: Fields) -> Face:
    return Face(
        name=entry.text("faceName") or entry.text("name") or "",
        cost=entry.text("manaCost", ""),
        value=entry.number("faceManaValue", "faceConvertedManaCost"),
        colours=entry.texts("colors"),
        supertypes=entry.texts("supertypes"),
        types=entry.texts("types"),
        subtypes=entry.texts("subtypes"),
        text=entry.text("text", ""),
        has_power=entry.text("power") is not None,
    )


def _aliases(entries: Sequence[Fields], layout: str, name: str) -> Iterator[str]:
    for entry in entries:
        if entry.text("faceName") is not None and " // " in name:
            yield name
        # Another name of a half isn't a name of the whole card.
        whole = layout not in BOTH_HALVES
        first = (entry.text("side") or "a") == "a" or layout in TWO_SIDES
        found = [entry.text("asciiName"), entry.text("flavorName")]
        found += [entry.text("faceFlavorName")] if whole and first else []
        for foreign in _japanese(entry):
            found += [foreign.text("name"), *([foreign.text("faceName")] if whole and first else [])]
        yield from filter(None, found)


def _japanese(entry: Fields) -> list[Fields]:
    foreign = (data for data in entry.objects("foreignData") if data.get("language") == "Japanese")
    return [
        Fields((key, data[key]) for key in ("language", "name", "faceName") if key in data)
        for data in foreign
    ]
