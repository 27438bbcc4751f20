"""`deckcheck convert`: writes a list in another notation, unless that would lose something."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import GameData, LoadedFormat, read_deck
from deckcheck.decklists.header_directives_comments import KEYS, read_header
from deckcheck.decklists.notations.registry import NAMES, Listing, Row
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_LINES, AS_TEXT
from deckcheck.model.card import Card, is_japanese
from deckcheck.model.deck import Deck
from deckcheck.model.finding import FindingId
from deckcheck.model.format import Format
from deckcheck.rewriting.fmt_and_fix import changed_card, formatted, made_certain, problem_of
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safe_text import UNSAFE, safe

CANONICAL = "canonical"
OURS = (CANONICAL, "csv", "tsv", "yaml", "json")
"""The notations with a place for every zone and header."""
TARGETS = (*OURS, *NAMES)

UNREAD = (FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE)
"""What the reader says of lines whose cards or zones aren't certain."""

_FORMULA = ("=", "+", "-", "@")
"""Signs with which a spreadsheet begins a formula."""


class Converted(Struct, frozen=True):
    """A list in another notation; `left_out` is what it lacks, `unclear`: its notation can't be detected."""

    text: str
    left_out: tuple[Words, ...] = ()
    unclear: bool = False

    def notes(self, to: str) -> Iterator[Message]:
        """What the list lacks in the notation `to`, and how to read it if that isn't detected."""
        if self.left_out:
            names = series(self.left_out)
            yield _("left out (not supported by {notation}): {names}", notation=to, names=names)
        if self.unclear:
            yield _(
                "this notation cannot be detected from the content; use --notation {notation} to read it",
                notation=to,
            )


def convert(
    table: GameData,
    text: str,
    path: str,
    to: str,
    *,
    notation: str | None = None,
    format: LoadedFormat | None = None,
    target: str = "-",
) -> Converted:
    """The list in the notation `to`, one of TARGETS; the result is the same deck when read.

    `notation` is that of the list, if known, and `target` the path of the result. The zones of `format` come
    first, and its `listed_as` applies to zones that the notation lacks. Raises UserError for a list that
    can't be read with certainty or would lose something.
    """
    read = table.read if format is None else partial(read_deck, format)
    names = None if format is None else format.zone_names
    old = read(text, path, notation)
    if to == CANONICAL and old.notation in AS_LINES:
        done = formatted(table, text, path, notation, names)
        _require_none(done.unclear)
        return Converted(done.text)
    told = (item for item in old.diagnostics if item.id in (*UNREAD, FindingId.TOTAL_MISMATCH))
    _require_none(problem_of(old, item) for item in told)
    header = _header(old, text)
    listing = listing_of(old, table, format)
    for value in (*header.values(), *(row.name for rows in listing.zones.values() for row in rows)):
        if re.search(UNSAFE, value.replace("\t", " ")):
            problem = _("this holds control characters, so it isn't written: {text}", text=safe(value))
            raise user_error(problem, path=path)
    try:
        converted = write(listing, header, to, None if format is None else format.format)
        if to == CANONICAL:
            converted = formatted(table, converted, "-", None, names).text
        new = read(converted, "-", "text" if to == CANONICAL else to)
    except UserError as error:
        problems = [replace(problem, path=path, line=None, column=None) for problem in error.problems]
        raise UserError(problems) from error
    doubtful = made_certain(old, new)
    _require_none([] if doubtful is None else [problem_of(old, doubtful)])
    unread = (diagnostic.written for diagnostic in new.diagnostics if diagnostic.id in UNREAD)
    name = changed_card(old, new) or next(unread, None)
    if name is not None:
        raise user_error(_("in that notation {name!r} wouldn't be read as it is", name=name), path=path)
    kept = {key for key in header if to in OURS or (key == "deck" and key in new.header)}
    if any(new.header.get(key) != header[key] for key in kept):
        raise user_error(_("its header would change"), path=path)
    left_out: list[Words] = [_("{key}", key=key) for key in sorted(header.keys() - kept)]
    if old.directives:
        count = len(old.directives)
        left_out.append(n_("{n} instruction to deckcheck", "{n} instructions to deckcheck", count))
    return Converted(converted, tuple(left_out), not _is_clear(read, converted, target, new))


def _is_clear(read: Callable[[str, str, str | None], Deck], text: str, path: str, deck: Deck) -> bool:
    """Whether a text is read as a deck by its content and path."""
    try:
        again = read(text, path, None)
    except UserError:
        return False
    is_same = again.notation == deck.notation or {again.notation, deck.notation} <= AS_TEXT
    return is_same and changed_card(deck, again) is None and bool(again.diagnostics) <= bool(deck.diagnostics)


def _require_none(unclear: Iterable[Problem]) -> None:
    """Raises UserError for the first place that isn't clear, or a sum that would be lost."""
    for problem in unclear:
        message = _("{said}; the list is not converted", said=problem.message)
        raise UserError([replace(problem, message=message, hint=None)])


def _header(deck: Deck, text: str) -> dict[str, str]:
    """The header of a list in the order of KEYS, including that in the comments of YAML. Raises UserError if the two contradict each other."""
    above = {} if deck.notation in AS_TEXT else read_header(text)
    header = {**above, **deck.header}
    if header != {**deck.header, **above}:
        raise user_error(_("its header can be read in two ways"), path=deck.path)
    return {key: " ".join(header[key].split()) for key in KEYS if key in header}


def listing_of(
    deck: Deck, table: GameData, format: LoadedFormat | None = None, spelt: Callable[[str], str] = str
) -> Listing:
    """The cards of a deck as they are to be written: each once in a zone, the zones of `format` first.

    `spelt` gives the spelling of a card's name.
    """
    zones = table.game.zones
    order = [*(() if format is None else format.format.zones), *zones]
    by_zone: dict[str, dict[tuple[str, Card | None], int]] = {zone: {} for zone in order}
    for entry in deck.entries:
        rows = by_zone.setdefault(entry.zone, {})
        key = (spelt(entry.card.name) if entry.card else entry.written, entry.card)
        rows[key] = rows.get(key, 0) + entry.copies
    listed = {
        zone: tuple(Row(name, copies, card) for (name, card), copies in rows.items() if copies)
        for zone, rows in by_zone.items()
        if any(rows.values())
    }
    names = {zone.id: zone.name for zone in zones.values()} if format is None else format.zone_names
    lang = "ja" if any(map(is_japanese, deck.lines)) else "en"
    return Listing(listed, table.read.words, names, table.catalog.find, lang)


def write(listing: Listing, header: Mapping[str, str], to: str, format: Format | None = None) -> str:
    """The list in that notation. Raises UserError if the notation can't represent it.

    Zones that the notation lacks move to those given by the format's `listed_as`.
    """
    match to:
        case "canonical":
            return plain_list(listing, header)
        case "csv" | "tsv":
            return _sheet(listing, header, "," if to == "csv" else "\t")
        case "yaml":
            import yaml

            return str(
                yaml.safe_dump(_tree(listing, header), allow_unicode=True, sort_keys=False, width=10_000)
            )
        case "json":
            return json.dumps(_tree(listing, header), ensure_ascii=False, indent=1) + "\n"
    return notation_named(to).write(_with_moved(listing, to, format), header.get("deck", ""))


def _with_moved(listing: Listing, to: str, format: Format | None) -> Listing:
    """The listing with the zones that a notation lacks where the format says that lists put them."""
    zones = dict(listing.zones)
    for zone, listed_as in {} if format is None else format.listed_as.items():
        rows = zones.get(zone, ())
        is_free = listed_as.zone not in listing.zones
        is_lacking = notation_named(to).section_of(listing.words, zone) is None
        if rows and is_lacking and is_free and sum(row.copies for row in rows) <= listed_as.most:
            zones[listed_as.zone] = (*zones.get(listed_as.zone, ()), *zones.pop(zone))
    return replace(listing, zones=zones)


def plain_list(listing: Listing, header: Mapping[str, str]) -> str:
    """The list as text: its header, then its cards by zone under headings."""
    blocks = ["\n".join(f"# {key}: {value}" for key, value in header.items())]
    for zone, rows in listing.zones.items():
        heading = listing.names[zone].in_(listing.lang) if zone in listing.names else f"[{zone}]"
        blocks.append("\n".join([heading, *(f"{row.copies} x {row.name}" for row in rows)]))
    return "\n\n".join(filter(None, blocks)) + "\n"


def _sheet(listing: Listing, header: Mapping[str, str], delimiter: str) -> str:
    page = io.StringIO()
    writer = csv.writer(page, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("Zone", "Count", "Name"))
    for zone, rows in listing.zones.items():
        for row in rows:
            if row.card is None and row.name.startswith(_FORMULA):
                raise user_error(
                    _("a spreadsheet could take {row!r} for a formula, so it isn't written", row=row.name)
                )
            writer.writerow((zone, row.copies, row.name))
    return "".join(f"# {key}: {value}\n" for key, value in header.items()) + page.getvalue()


def _tree(listing: Listing, header: Mapping[str, str]) -> dict[str, object]:
    cards = [
        {"zone": zone, "count": row.copies, "name": row.name}
        for zone, rows in listing.zones.items()
        for row in rows
    ]
    return {**header, "cards": cards}
