"""What Magic's card data says of cards in each format, as one list a format."""

from pathlib import Path

from deckcheck.cards.importers import magic
from deckcheck.cards.importers.found import Item, Stamp
from deckcheck.cards.importers.kinds import Kind, source
from deckcheck.cards.importers.magic import Found
from deckcheck.cards.importers.stated import Stated, day_in
from deckcheck.cards.importers.unpack import Advance

_STATUSES = ("banned", "restricted")


def read(kind: Kind, path: Path, advance: Advance) -> list[Stated]:
    """A list for each format in which something is banned or restricted. Raises UserError as the source does."""
    date: str | None = None
    told: dict[str, dict[str, str]] = {}
    legal: dict[str, set[str]] = {}
    for found in source(kind).read(path, advance):
        if isinstance(found, Stamp):
            date = found.date and day_in(found.date)
        elif isinstance(found, Found) and found.legalities:
            item = magic.card_of(found)
            if isinstance(item, Item):
                _sort(item.record["name"], found, told, legal)
    date = date or day_in(path.name)
    return [
        Stated(
            format,
            format,
            date,
            dict(sorted(told[format].items())),
            frozenset(legal[format] - told[format].keys()),
        )
        for format in sorted(told)
        if told[format]
    ]


def _sort(name: str, found: Found, told: dict[str, dict[str, str]], legal: dict[str, set[str]]) -> None:
    for format, said in (found.legalities or {}).items():
        status = said.lower()
        statuses = told.setdefault(format, {})
        if status in _STATUSES:
            # Of the appearances of one card some may be told as legal nowhere.
            statuses[name] = status
        else:
            legal.setdefault(format, set()).add(name)
        legal.setdefault(format, set())
