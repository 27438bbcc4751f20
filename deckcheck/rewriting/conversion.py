"""`deckcheck convert`: writes a list in another notation, unless that would lose something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import GameData, LoadedFormat, read_deck
from deckcheck.decklists.notations.common import Listing, Row
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck
from deckcheck.model.finding import FindingId
from deckcheck.model.format import Format
from deckcheck.rewriting.formatter import Formatter, changed_card, own_header
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, Words, _, n_, series
from deckcheck.support.safe_text import UNSAFE, safe

CANONICAL = "canonical"
OURS = ("csv", "tsv", "yaml", "json")
TARGETS = (CANONICAL, *OURS, *NAMES)

UNREAD = (FindingId.INVALID_LINE, FindingId.UNKNOWN_ZONE)
"""What the reader says of lines whose cards or zones aren't certain."""


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
    zones = () if format is None else tuple(format.format.zones)
    if to == CANONICAL:
        return Converted(Formatter(table).format(text, path, zones, notation))
    names = {zone.id: zone.name for zone in table.game.zones.values()}

    def read(text: str, path: str, notation: str | None) -> Deck:
        return table.read(text, path, notation) if format is None else read_deck(format, text, path, notation)

    old = read(text, path, notation)
    _require_clear(old)
    header = own_header(old, text)
    if header is None:
        raise user_error(_("its header can be read in two ways"), path=path)
    header = {key: " ".join(value.split()) for key, value in header.items()}
    cards = _rows(old, [*zones, *table.game.zones])
    for value in (*header.values(), *(row.name for rows in cards.values() for row in rows)):
        if re.search(UNSAFE, value.replace("\t", " ")):
            problem = _("this holds control characters, so it isn't written: {text}", text=safe(value))
            raise user_error(problem, path=path)
    title, words = header.get("deck", ""), Vocabulary(table.game)
    listing = Listing(title, cards, words, names, table.catalog.find)
    try:
        converted = write_for(None if format is None else format.format, listing, header, to)
        new = read(converted, "-", to)
    except UserError as error:
        problems = [replace(problem, path=path, line=None, column=None) for problem in error.problems]
        raise UserError(problems) from error
    unread = (diagnostic.written for diagnostic in new.diagnostics if diagnostic.id in UNREAD)
    name = changed_card(old, new) or next(unread, None)
    if name is not None:
        raise user_error(_("in that notation {name!r} wouldn't be read as it is", name=name), path=path)
    kept = {key for key in header if to in OURS or (key == "deck" and key in new.header)}
    if any(new.header.get(key) != header[key] for key in kept):
        raise user_error(_("its header would change"), path=path)
    try:
        # Check that the notation can be detected from the content and the path.
        again = read(converted, target, None)
        is_clear = again.notation == to or {again.notation, new.notation} <= AS_TEXT
        is_clear &= changed_card(old, again) is None and bool(again.diagnostics) <= bool(new.diagnostics)
    except UserError:
        is_clear = False
    left_out: list[Words] = [_("{key}", key=key) for key in sorted(header.keys() - kept)]
    if old.directives:
        count = len(old.directives)
        left_out.append(n_("{n} instruction to deckcheck", "{n} instructions to deckcheck", count))
    return Converted(converted, tuple(left_out), not is_clear)


def _require_clear(deck: Deck) -> None:
    """Raises UserError for the first place that can't be read with certainty."""
    problems = [(item.message, item.line, item.column) for item in deck.diagnostics if item.id in UNREAD]
    for problem, line, column in problems:
        message, excerpt = _("{said}; the list is not converted", said=problem), deck.lines[line - 1]
        raise user_error(message, path=deck.path, line=line, column=column, excerpt=excerpt)


def _rows(deck: Deck, zones: Iterable[str]) -> dict[str, Sequence[Row]]:
    """The cards by zone, each once."""
    by_zone: dict[str, dict[tuple[str, Card | None], int]] = {zone: {} for zone in zones}
    for entry in deck.entries:
        rows = by_zone.setdefault(entry.zone, {})
        key = (entry.card.name if entry.card else entry.written, entry.card)
        rows[key] = rows.get(key, 0) + entry.copies
    return {
        zone: tuple(Row(name, copies, card) for (name, card), copies in rows.items() if copies)
        for zone, rows in by_zone.items()
        if any(rows.values())
    }


def write_for(format: Format | None, listing: Listing, header: Mapping[str, str], to: str) -> str:
    """The list in that notation, where zones that it lacks move to those given by the format's `listed_as`."""
    try:
        return _write(listing, header, to)
    except UserError:
        if format is None or to in OURS:
            raise
        moved = dict(listing.zones)
        for zone, listed_as in format.listed_as.items():
            rows = listing.zones.get(zone, ())
            is_free = listed_as.zone not in listing.zones
            is_lacking = not notation_named(to).has_zone(listing.words, zone)
            if rows and is_lacking and is_free and sum(row.copies for row in rows) <= listed_as.most:
                moved[listed_as.zone] = (*moved.get(listed_as.zone, ()), *moved.pop(zone))
        if moved == listing.zones:
            raise
    return _write(replace(listing, zones=moved), header, to)


def _write(listing: Listing, header: Mapping[str, str], to: str) -> str:
    """The list in that notation. Raises UserError if the notation can't represent it."""
    if to not in OURS:
        return notation_named(to).write(listing)
    rows = [(zone, row) for zone, rows in listing.zones.items() for row in rows]
    if to in ("csv", "tsv"):
        import csv
        import io

        page = io.StringIO()
        writer = csv.writer(page, delimiter="," if to == "csv" else "\t", lineterminator="\n")
        writer.writerow(("Zone", "Count", "Name"))
        for zone, row in rows:
            if row.card is None and row.name.startswith(("=", "+", "-", "@")):
                raise user_error(
                    _("a spreadsheet could take {row!r} for a formula, so it isn't written", row=row.name)
                )
            writer.writerow((zone, row.copies, row.name))
        return "".join(f"# {key}: {value}\n" for key, value in header.items()) + page.getvalue()
    cards = [{"zone": zone, "count": row.copies, "name": row.name} for zone, row in rows]
    tree = {**header, "cards": cards}
    if to == "json":
        import json

        return json.dumps(tree, ensure_ascii=False, indent=1) + "\n"
    import yaml

    return str(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=10_000))
