"""`deckcheck convert`: a list in another notation, or the reason why that can't hold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import GameData
from deckcheck.decklists.fitted import fitted
from deckcheck.decklists.notations.common import Listing, Row
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.decklists.notations.registry import notation as notation_named
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.vocabulary import make_vocabulary
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.format import Format
from deckcheck.rewriting.canonical import Formatter
from deckcheck.rewriting.comparison import changed_card, contents, own_header
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import UNSAFE, safe

CANONICAL = "canonical"
OURS = ("csv", "tsv", "yaml", "json")
TARGETS = (CANONICAL, *OURS, *NAMES)

_DOUBTS = ("invalid-line", "unknown-zone")


class Converted(NamedTuple):
    """A list in another notation.

    `left_out` tells what it says beside its cards and isn't written; `unclear` is true
    where its notation has to be named for it to be read as what it is.
    """

    text: str
    left_out: tuple[Words, ...] = ()
    unclear: bool = False


def convert(
    table: GameData,
    text: str,
    path: str,
    to: str,
    *,
    notation: str | None = None,
    format: Format | None = None,
    target: str = "-",
) -> Converted:
    """The list in the notation `to`, one of TARGETS; what comes out reads as the same deck.

    `notation` is that of the list, where it is told. The zones of its `format`
    come first, and one of which the notation knows nothing may be listed as
    another, as the format says. `target` is the path under which the result will stand. Raises
    UserError, with what is to blame, for a list that can't be read without
    doubt, and for one of which something would be lost.
    """
    zones = () if format is None else tuple(format.zones)
    if to == CANONICAL:
        return Converted(Formatter(table).format(text, path, zones, notation))
    names = {zone.id: zone.name for zone in table.game.zones.values()}

    def read(text: str, path: str, notation: str | None) -> Deck:
        deck = table.read(text, path, notation)
        return deck if format is None else fitted(deck, format, names, None)

    old = read(text, path, notation)
    _require_clear(old)
    header = own_header(old, text)
    if header is None:
        raise user_error(_("its header can be read in two ways"), path=path)
    header = {key: " ".join(value.split()) for key, value in header.items()}
    _require_visible([*header.values(), *map(_name, old.entries)], path)
    listing = Listing(
        header.get("deck", ""),
        _rows(old, [*zones, *table.game.zones]),
        make_vocabulary(table.game),
        names,
        table.catalog.find,
    )
    try:
        made = _written_for(format, listing, header, to)
        new = read(made, "-", to)
    except UserError as error:
        raise UserError(
            [one._replace(path=path, line=None, column=None) for one in error.problems]
        ) from error
    was = contents(old)
    name = changed_card(was, contents(new))
    if name is None:
        name = next((one.written for one in new.diagnostics if one.id in _DOUBTS), None)
    if name is not None:
        raise user_error(_("in that notation {name!r} wouldn't be read as it is", name=name), path=path)
    kept = {key for key in header if to in OURS or (key == "deck" and key in new.header)}
    if any(new.header.get(key) != header[key] for key in kept):
        raise user_error(_("its header would change"), path=path)
    try:
        # Whether the content, with the ending of the path, tells what was written.
        again = read(made, target, None)
        is_clear = again.notation == to or {again.notation, new.notation} <= AS_TEXT
        is_clear &= contents(again) == was and bool(again.diagnostics) <= bool(new.diagnostics)
    except UserError:
        is_clear = False
    return Converted(made, _left_out(old, header.keys() - kept), not is_clear)


def _require_clear(deck: Deck) -> None:
    """Raises UserError with the first place that isn't read without doubt."""
    for one in deck.diagnostics:
        if one.id in _DOUBTS:
            raise _not_converted(deck, one.message, one.line, one.column)
    for entry in deck.entries:
        if entry.copies != entry.most:
            said = _("the copies on this line can be read in two ways")
            raise _not_converted(deck, said, entry.line, entry.column)


def _not_converted(deck: Deck, said: Words, line: int, column: int) -> UserError:
    return user_error(
        _("{said}; the list is not converted", said=said),
        path=deck.path,
        line=line,
        column=column,
        excerpt=deck.lines[line - 1],
    )


def _require_visible(texts: Iterable[str], path: str) -> None:
    """Raises UserError with the first text that holds control characters."""
    for text in texts:
        if UNSAFE.search(text.replace("\t", " ")):
            raise user_error(
                _("this holds control characters, so it isn't written: {text}", text=safe(text)),
                path=path,
            )


def _name(entry: Entry) -> str:
    return entry.card.name if entry.card else entry.written


def _rows(deck: Deck, zones: Iterable[str]) -> dict[str, Sequence[Row]]:
    """The cards zone by zone, each once."""
    found: dict[str, dict[tuple[str, bool], Row]] = {zone: {} for zone in zones}
    for entry in deck.entries:
        if entry.copies:
            rows, key = found.setdefault(entry.zone, {}), (_name(entry), entry.card is None)
            before = rows[key].copies if key in rows else 0
            rows[key] = Row(key[0], before + entry.copies, entry.card)
    return {zone: tuple(rows.values()) for zone, rows in found.items() if rows}


def _written_for(format: Format | None, listing: Listing, header: dict[str, str], to: str) -> str:
    """The list in that notation, with a zone of which it knows nothing where the format says that lists put it."""
    try:
        return _written(listing, header, to)
    except UserError:
        for zone, (listed, most) in ({} if format is None else format.listed_as).items():
            rows = listing.zones.get(zone, ())
            if rows and listed not in listing.zones and sum(row.copies for row in rows) <= most:
                moved = {listed if at == zone else at: held for at, held in listing.zones.items()}
                return _written(listing._replace(zones=moved), header, to)
        raise


def _left_out(deck: Deck, keys: set[str]) -> tuple[Words, ...]:
    found: list[Words] = [_("{key}", key=key) for key in sorted(keys)]
    if number := len(deck.directives):
        english = f"{number} instruction{'s' * (number > 1)} to deckcheck"
        found.append(Localized(f"deckcheckへの指示{number}件", english))
    return tuple(found)


_COLUMNS = ("Zone", "Count", "Name")
_FORMULA = ("=", "+", "-", "@")


def _written(listing: Listing, header: Mapping[str, str], to: str) -> str:
    """Raises UserError for what the notation can't hold."""
    if to not in OURS:
        return notation_named(to).write(listing)
    rows = [(zone, row.copies, row.name) for zone, rows in listing.zones.items() for row in rows]
    if to in ("csv", "tsv"):
        unknown = (row.name for rows in listing.zones.values() for row in rows if row.card is None)
        formula = next((name for name in unknown if name.startswith(_FORMULA)), None)
        if formula is not None:
            raise user_error(
                _("a spreadsheet could take {row!r} for a formula, so it isn't written", row=formula)
            )
        return "".join(f"# {key}: {value}\n" for key, value in header.items()) + _sheet(rows, to)
    tree = {**header, "cards": [dict(zip(("zone", "count", "name"), row, strict=True)) for row in rows]}
    if to == "json":
        import json

        return json.dumps(tree, ensure_ascii=False, indent=1) + "\n"
    import yaml

    return str(yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=10_000))


def _sheet(rows: Iterable[Sequence[object]], to: str) -> str:
    import csv
    import io

    page = io.StringIO()
    csv.writer(page, delimiter="," if to == "csv" else "\t", lineterminator="\n").writerows([_COLUMNS, *rows])
    return page.getvalue()
