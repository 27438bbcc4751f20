"""Plain lines under headings: Magic Online's text, Magic Arena's and Moxfield's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from deckcheck.decklists.deck_builder import with_side
from deckcheck.decklists.lines import COMMENT, CardLine, Heading, Numbered
from deckcheck.decklists.notations.registry import SIDE, Listing, Notation, Row, zone_of
from deckcheck.decklists.rows import LineReader
from deckcheck.decklists.text import read_text
from deckcheck.model.card import Card
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


class PlainLines(Notation):
    """Lines that the reader of text knows by their own signs."""

    gap_begins_side = False

    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:  # noqa: ARG002 - as in Notation
        lines = read_text(reader, text, rules_are_gaps=not self.gap_begins_side)
        return with_side(reader.words, lines, zone_of(reader.words, SIDE)) if self.gap_begins_side else lines


class _MagicOnline(PlainLines):
    """The main deck, an empty line and the sideboard, without headings."""

    between = "\n\n"
    gap_begins_side = True
    name = _("Magic Online's text")
    one_slash = True

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        rows = super().section_rows(listing)
        if rows[SIDE[0]] and not rows[self.main[0]]:
            raise user_error(_("{name} can't hold a sideboard without a main deck", name=self.name))
        return rows


class _Arena(PlainLines):
    """`4 Name (SET) 123` under Deck, Sideboard, Commander and Companion."""

    between = "\n\n"
    gap_begins_side = True
    name = _("Magic Arena's text")
    main = ("Deck", "Main")
    companion = ("Companion",)
    sections = (("Commander",), companion, main, SIDE)
    title = "About\nName {}"
    heading = "{}"

    def read(self, reader: LineReader, text: str, path: str) -> Iterable[Numbered]:
        """The numbered lines; a companion that is also listed in the sideboard counts once."""
        numbered = list(super().read(reader, text, path))
        words = reader.words
        companion, side = zone_of(words, self.companion), zone_of(words, SIDE)
        zone = words.default
        counted_already: Counter[tuple[Card, ...]] = Counter()
        for _number, line in numbered:
            zone = line.zone if isinstance(line, Heading) else zone
            for item in line.items if isinstance(line, CardLine) else ():
                if (item.zone or zone) == companion and item.cards:
                    counted_already[item.cards] += item.copies
        zone = words.default
        for index, (number, line) in enumerate(numbered):
            zone = line.zone if isinstance(line, Heading) else zone
            if not isinstance(line, CardLine) or zone != side or companion is None:
                continue
            items = []
            for item in line.items:
                twice = min(counted_already[item.cards], item.copies)
                counted_already[item.cards] -= twice
                items += [replace(item, copies=item.copies - twice)] if item.copies > twice else []
            numbered[index] = number, (replace(line, items=tuple(items)) if items else COMMENT)
        return numbered

    def section_rows(self, listing: Listing) -> dict[str, Sequence[Row]]:
        """The rows by section; Arena lists a companion's copies in the sideboard again."""
        rows = super().section_rows(listing)
        twice = {row.name: row.copies for row in rows[self.companion[0]]}
        rows[SIDE[0]] = [replace(row, copies=row.copies + twice.get(row.name, 0)) for row in rows[SIDE[0]]]
        return rows


class _Moxfield(PlainLines):
    """`1 Name (SET) 123 *F*`, with headings such as `SIDEBOARD:` for all but the main deck."""

    between = "\n\n"
    name = _("Moxfield's text")
    main = ("Main", "Mainboard", "Deck")
    sections = (main, ("Commander",), ("Companion",), SIDE)

    def section_lines(self, section: str) -> Sequence[str]:
        return () if section == self.main[0] else [f"{section.upper()}:"]


NOTATIONS: Mapping[str, Notation] = {"mtgo": _MagicOnline(), "arena": _Arena(), "moxfield": _Moxfield()}
