"""`deckcheck convert`: a list in another notation, or the reason why that can't hold it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import GameData
from deckcheck.decklists.fitted import fitted
from deckcheck.decklists.notations.common import Listing, Row
from deckcheck.decklists.notations.registry import NAMES, notation
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.vocabulary import make_vocabulary
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.format import Format
from deckcheck.rewriting.canonical import make_formatter, own_header
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import UNSAFE, safe

CANONICAL = "canonical"
OURS = ("csv", "tsv", "yaml", "json")
TARGETS = (CANONICAL, *OURS, *NAMES)


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
    if to == CANONICAL:
        return Converted(make_formatter(table)(text, path, tuple(format.zones if format else ()), notation))
    old = _fitted(table.read(text, path, notation), table, format)
    _require_clear(old)
    header = own_header(old, text)
    if header is None:
        raise user_error(_("its header can be read in two ways"), path=path)
    header = {key: " ".join(value.split()) for key, value in header.items()}
    _require_visible([*header.values(), *map(_named, old.entries)], path)
    listing = _listing(table, old, header.get("deck", ""), tuple(format.zones if format else ()))
    try:
        made = _written_for(format, listing, header, to)
        new = _fitted(table.read(made, "-", to), table, format)
    except UserError as error:
        raise UserError(
            [one._replace(path=path, line=None, column=None) for one in error.problems]
        ) from error
    _require_same(old, new, path)
    kept = header if to in OURS else {key: value for key, value in new.header.items() if key == "deck"}
    if any(new.header.get(key) != header.get(key) for key in kept):
        raise user_error(_("its header would change"), path=path)
    unclear = _is_unclear(table, made, target, new, format)
    return Converted(made, _left_out(old, header.keys() - kept.keys()), unclear)


def _require_clear(deck: Deck) -> None:
    """Raises UserError with the first place that isn't read without doubt."""
    doubts = [one for one in deck.diagnostics if one.id in ("invalid-line", "unknown-zone")]
    twofold = [one for one in deck.entries if one.copies != one.most]
    if doubts:
        said, line, column = doubts[0].message, doubts[0].line, doubts[0].column
    elif twofold:
        said = _("the copies on this line can be read in two ways")
        line, column = twofold[0].line, twofold[0].column
    else:
        return
    raise user_error(
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


def _named(entry: Entry) -> str:
    return entry.cards[0].name if len(entry.cards) == 1 else entry.written


def _listing(table: GameData, deck: Deck, title: str, zones: Sequence[str]) -> Listing:
    game = table.game
    found: dict[str, dict[str, Row]] = {zone: {} for zone in dict.fromkeys((*zones, *game.zones))}
    for entry in deck.entries:
        if not entry.copies:
            continue
        card = entry.cards[0] if len(entry.cards) == 1 else None
        name = _named(entry)
        key = f"{'' if card is None else '='}{name}"
        rows = found.setdefault(entry.zone, {})
        before = rows[key].copies if key in rows else 0
        rows[key] = Row(name, before + entry.copies, card)
    return Listing(
        title,
        {zone: tuple(rows.values()) for zone, rows in found.items() if rows},
        make_vocabulary(game),
        {zone.id: zone.name for zone in game.zones.values()},
        table.catalog.find,
    )


def _fitted(deck: Deck, table: GameData, format: Format | None) -> Deck:
    names = {zone.id: zone.name for zone in table.game.zones.values()}
    return deck if format is None else fitted(deck, format, names, None)


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


def _written(listing: Listing, header: dict[str, str], to: str) -> str:
    if to in ("csv", "tsv"):
        return sheet(listing, header, "," if to == "csv" else "\t")
    if to == "json":
        return as_json(listing, header)
    return as_yaml(listing, header) if to == "yaml" else notation(to).write(listing)


Content = Counter[tuple[str, str, tuple[str, ...]]]


def _content(deck: Deck) -> Content:
    """How many of what stand where; a name that may mean several cards is those cards."""
    found: Content = Counter()
    for entry in deck.entries:
        cards = tuple(card.name for card in entry.cards)
        found[entry.zone, _named(entry) if len(cards) < 2 else "", cards] += entry.copies
    return +found


def _require_same(old: Deck, new: Deck, path: str) -> None:
    """Raises UserError with a card of which not the same would be read."""
    was, now = _content(old), _content(new)
    unread = [one for one in new.diagnostics if one.id in ("invalid-line", "unknown-zone")]
    if was == now and not unread:
        return
    changed = [*(was - now), *(now - was)]
    name = (changed[0][1] or changed[0][2][0]) if changed else unread[0].written
    raise user_error(
        _("in that notation {name!r} wouldn't be read as it is", name=name),
        path=path,
    )


def _left_out(deck: Deck, keys: set[str]) -> tuple[Words, ...]:
    found: list[Words] = [_("{key}", key=key) for key in sorted(keys)]
    if deck.directives:
        number = len(deck.directives)
        found.append(
            Localized(
                f"deckcheckへの指示{number}件", f"{number} instruction{'s' * (number > 1)} to deckcheck"
            )
        )
    return tuple(found)


def _is_unclear(table: GameData, made: str, target: str, new: Deck, format: Format | None) -> bool:
    """Whether the content, with the ending of the path, doesn't tell what was written."""
    try:
        read = _fitted(table.read(made, target), table, format)
    except UserError:
        return True
    told = read.notation == new.notation or {read.notation, new.notation} <= AS_TEXT
    return not told or _content(read) != _content(new) or bool(read.diagnostics) > bool(new.diagnostics)


_COLUMNS = ("Zone", "Count", "Name")
_FORMULA = ("=", "+", "-", "@")


def sheet(listing: Listing, header: Mapping[str, str], delimiter: str) -> str:
    """A table with a row for each card, below what the list says of itself.

    Raises UserError for an unknown name that a spreadsheet would take for a formula.
    """
    import csv
    import io

    page = io.StringIO()
    writer = csv.writer(page, delimiter=delimiter, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for zone, rows in listing.zones.items():
        for row in rows:
            if row.card is None and row.name.startswith(_FORMULA):
                raise user_error(
                    _("a spreadsheet could take {row!r} for a formula, so it isn't written", row=row.name)
                )
            writer.writerow((zone, row.copies, row.name))
    return "".join(f"# {key}: {value}\n" for key, value in header.items()) + page.getvalue()


def tree(listing: Listing, header: Mapping[str, str]) -> dict[str, object]:
    """Plain values: what the list says of itself, and its cards."""
    cards = [
        {"zone": zone, "count": row.copies, "name": row.name}
        for zone, rows in listing.zones.items()
        for row in rows
    ]
    return {**header, "cards": cards}


def as_json(listing: Listing, header: Mapping[str, str]) -> str:
    """The tree as JSON."""
    import json

    return json.dumps(tree(listing, header), ensure_ascii=False, indent=1) + "\n"


def as_yaml(listing: Listing, header: Mapping[str, str]) -> str:
    """The tree as YAML."""
    import yaml

    dumped = yaml.safe_dump(tree(listing, header), allow_unicode=True, sort_keys=False, width=10_000)
    return str(dumped)
