"""From a list line by line to the same list in the canonical notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Literal, NamedTuple

from deckcheck.decklists.linewise import Look, Looker, make_looker
from deckcheck.decklists.seen import NOT_READ, Seen
from deckcheck.decklists.shapes import shape_of
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.rewriting.comments import beside, said
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

Ending = Literal["as written", "apart", "within"]
"""Where sums and comments go that stand behind all entries: apart behind a blank line, within the last zone
they stood in, or whichever of both the list has."""


class _Section(NamedTuple):
    """A zone: the comments over its heading, the heading, and what stands below."""

    above: list[str]
    heading: str
    rows: list[str]


class _Loose(NamedTuple):
    """A line that isn't yet known to belong anywhere, and whether a blank one stands before it."""

    text: str
    apart: bool


def lay_out(style: Style, look: Look, path: str, header: Mapping[str, str], ending: Ending) -> str:
    """The text of a list in canonical notation.

    `header` is what the list says of itself outside of the lines that were
    looked at. Raises UserError for what can't be carried over. Whether the
    result reads the same is for the caller to see.
    """
    page = _Page(style, look, path, header)
    for number, seen in look.lines:
        page.add(number, seen)
    return page.text(ending)


class _Page:
    """The list as far as it was gone through."""

    def __init__(self, style: Style, look: Look, path: str, header: Mapping[str, str]) -> None:
        self._style, self._look, self._path = style, look, path
        self._header = list(header.items())
        self._top: list[str] = []
        self._sections: dict[str, _Section] = {}
        self._zone = style.looker.words.default
        self._next: str | None = None
        self._loose: list[_Loose] = []
        self._apart = False
        self._behind_header = bool(header)
        # What stands behind the last entry or heading.
        self._rest: list[_Loose] = []
        self._cards_on: dict[int, int] = {}
        for number, seen in look.lines:
            cards = len(seen.more) if seen.kind == "several" else seen.kind == "entry"
            self._cards_on[number] = self._cards_on.get(number, 0) + cards

    def add(self, number: int, seen: Seen) -> None:
        """The next line."""
        kind = seen.kind
        if kind == "blank":
            self._apart = True
        elif kind in ("comment", "furniture"):
            self._add_comment(number)
        elif kind == "count":
            # The entry has it.
            return
        elif kind in ("header", "title"):
            self._add_header(number, seen)
        elif kind == "heading":
            self._add_heading(number, seen)
        elif kind in ("label", "total"):
            self._add_mark(number, seen)
        elif kind in ("entry", "several"):
            self._add_entries(number, seen)
        else:
            raise self._refuse(number, NOT_READ)

    def _refuse(self, number: int, message: Words) -> UserError:
        line = self._look.source[number - 1]
        column = len(line) - len(line.lstrip()) + 1
        return user_error(
            _("{message}; the list is left as it is", message=message),
            path=self._path,
            line=number,
            column=column,
            excerpt=line,
        )

    def _asked(self, number: int) -> str:
        """What a line says to us, as the end of a line."""
        asked = self._look.said.get(number)
        return "" if asked is None else f" # deckcheck: {asked}"

    def _add_comment(self, number: int) -> None:
        text, asked = self._look.source[number - 1], self._asked(number)
        # Where nothing but a directive stood, its reader sees a comment of one sign.
        line = asked.strip() if asked and text.strip() == "#" else comment(text) + asked
        self._loose.append(_Loose(line, self._apart))
        self._apart = False

    def _add_header(self, number: int, seen: Seen) -> None:
        if seen.why is not None:
            raise self._refuse(number, NOT_READ)
        pair = (seen.key or "deck", seen.written)
        if pair not in self._header:
            self._header.append(pair)
        if seen.zone is not None:
            self._next = seen.zone
        asked = self._asked(number).strip()
        if asked:
            self._loose.append(_Loose(asked, False))
        if not self._sections:
            self._top += [one.text for one in self._loose]
            self._loose.clear()
            self._behind_header = True
        self._apart = False

    def _split(self) -> tuple[list[str], list[str]]:
        """The loose lines that stand apart from the next line, and those right before it."""
        if self._apart:
            at = len(self._loose)
        else:
            at = next((at for at in reversed(range(len(self._loose))) if self._loose[at].apart), 0)
        far, near = self._loose[:at], self._loose[at:]
        return [one.text for one in far], [one.text for one in near]

    def _settle(self) -> None:
        """What stood behind an entry wasn't the end of the list."""
        if self._rest:
            self._section(self._zone).rows.extend(one.text for one in self._rest)
            self._rest.clear()

    def _section(self, zone: str, number: int | None = None, seen: Seen | None = None) -> _Section:
        section = self._sections.get(zone)
        if section is None:
            line = heading(self._style, zone, seen) + (self._asked(number) if number else "")
            section = self._sections[zone] = _Section([], line, [])
        return section

    def _add_heading(self, number: int, seen: Seen) -> None:
        self._settle()
        first, before = not self._sections, self._zone
        far, near = self._split()
        if first and not self._apart and self._behind_header and not any(one.apart for one in self._loose):
            far, near = far + near, []
        self._loose.clear()
        if first:
            self._top += far
        elif far:
            self._section(before).rows.extend(far)
        zone = self._zone = seen.zone or self._style.looker.words.default
        if zone not in self._sections:
            self._section(zone, number, seen).above.extend(near)
        else:
            section = self._sections[zone]
            section.rows.extend(near)
            if seen.total is not None or self._asked(number):
                section.rows.append(heading(self._style, zone, seen) + self._asked(number))
        self._apart = False

    def _comments_here(self) -> list[str]:
        """The comments before an entry, a label or a sum; at the top of the list those apart stay there."""
        far, near = self._split()
        self._loose.clear()
        if not self._sections:
            self._top += far
            far = []
        return far + near

    def _add_mark(self, number: int, seen: Seen) -> None:
        line = mark(self._style, seen)
        if line is None:
            raise self._refuse(number, _("this line can't be written in another way"))
        if seen.kind == "label" and seen.zone is not None:
            self._settle()
            self._zone = seen.zone
            before = self._comments_here()
            self._section(self._zone).rows.extend([*before, line + self._asked(number)])
        elif self._sections:
            self._rest += [*self._loose, _Loose(line + self._asked(number), self._apart)]
            self._loose.clear()
        else:
            before = self._comments_here()
            self._section(self._zone).rows.extend([*before, line + self._asked(number)])
        self._apart = False

    def _add_entries(self, number: int, seen: Seen) -> None:
        entries = seen.more if seen.kind == "several" else (seen,)
        if any(entry.kind != "entry" for entry in entries):
            raise self._refuse(number, NOT_READ)
        if self._cards_on[number] > 1 and number in self._look.said:
            raise self._refuse(
                number,
                _("with several cards on one line, nobody can tell of which one its instruction speaks"),
            )
        self._settle()
        before = self._comments_here()
        comments = self._beside(number, entries)
        for entry, beside_it in zip(entries, comments, strict=True):
            zone = entry.zone or self._next or self._zone
            line = self._entry(number, entry, zone, alone=len(entries) == 1)
            if beside_it and line is not None:
                line += f" # {beside_it}"
            if line is None:
                line = self._look.source[number - 1].strip()
            self._section(zone).rows.extend([*before, line + self._asked(number)])
            before = []
        self._next = None
        self._apart = False

    def _beside(self, number: int, entries: Sequence[Seen]) -> Sequence[str]:
        line = self._look.source[number - 1]
        if line == f"{entries[0].copies} x {entries[0].written}":
            # Most lines of a list that was formatted before.
            return [""]
        if self._look.notation == "text":
            return beside(self._style.looker.words, line, entries).comments
        nothing = [""] * (len(entries) - 1)
        if self._look.notation != "yaml" or self._cards_on[number] > 1:
            return [*nothing, ""]
        last = entries[-1]
        rest = line[last.column - 1 + len(last.written) :]
        return [*nothing, said(rest.partition(" #")[2])]

    def _entry(self, number: int, entry: Seen, zone: str, *, alone: bool) -> str | None:
        """The line of an entry, None where it has to stay as it is."""
        style = self._style
        if entry.copies != entry.most:
            if alone and self._look.notation == "text":
                return None
            raise self._refuse(number, _("the copies on this line can be read in two ways"))
        name = entry.cards[0].name if len(entry.cards) == 1 else entry.written
        line = f"{entry.copies} x {name}"
        if len(entry.cards) != 1:
            read = style.looker.classify(line)
            same = (read.kind, read.written, read.copies) == ("entry", entry.written, entry.copies)
            if not same and alone and self._look.notation == "text":
                return None
        if entry.zone == zone == style.looker.words.default and entry.home is not None:
            # It would be counted at home, were it not told otherwise.
            line = f"{style.headings[zone]}: {line}"
        return line

    def text(self, ending: Ending) -> str:
        """All of it."""
        rest = [*self._rest, *self._loose]
        if ending == "apart":
            at = 0
        else:
            at = next((at for at, one in zip(count(), rest) if one.apart), len(rest))
            at = len(rest) if ending == "within" else at
        within, apart = ([one.text for one in part] for part in (rest[:at], rest[at:]))
        order = [zone for zone in self._style.order if zone in self._sections or zone == self._zone]
        order += [zone for zone in self._sections if zone not in self._style.headings]
        keys = {key: at for at, key in enumerate(HEADER)}
        header = sorted(self._header, key=lambda pair: keys.get(pair[0], len(keys)))
        blocks = [[*(f"# {key}: {value}" for key, value in header), *self._top]]
        for zone in order:
            if zone not in self._sections and not within:
                continue
            section = self._section(zone)
            rows = [*section.rows, *within] if zone == self._zone else section.rows
            blocks.append([*section.above, section.heading, *rows])
        blocks.append(apart)
        return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


HEADER = ("format", "date", "as-of", "best-of", "deck", "player", "expect")
"""The header's keys in the order in which they are written."""

_PLAIN = " \t#/!■□●○◆◇▼▽▲△★☆◎▶►▷▸※・•*=_~+|│─━"
_PAIRS = ("[]", "<>", "《》", "「」", "『』")


class Style(NamedTuple):
    """A game's canonical notation.

    `order` are its zones as they follow each other, `headings` what each is
    called, `counters` its words behind a number of copies.
    """

    looker: Looker
    order: Sequence[str]
    headings: Mapping[str, str]
    counters: Sequence[str]


def make_style(game: Game, catalog: Catalog) -> Style:
    """The canonical notation of a game."""
    names = {zone.id: zone.name.ja for zone in game.zones.values()}
    return Style(make_looker(game, catalog), tuple(game.zones), names, game.words.counters)


def comment(line: str) -> str:
    """A line that is a comment, marked with "#"."""
    bare = line.strip()
    if bare.startswith("//"):
        return f"# {bare.lstrip('/').lstrip()}".rstrip()
    if not bare.startswith("#"):
        return f"# {bare}"
    marks = bare[: len(bare) - len(bare.lstrip("#"))]
    return f"{marks} {bare[len(marks) :].lstrip()}".rstrip()


def heading(style: Style, zone: str, seen: Seen | None) -> str:
    """The line that begins a zone; `seen` is the one in the list, None where it has none.

    It is left as it stands when it says more than the zone and a sum.
    """
    classify = style.looker.classify
    written = "" if seen is None else seen.written.strip()
    total = None if seen is None else seen.total
    if zone in style.headings and (seen is None or not _says_more(style, seen, zone)):
        name = style.headings[zone]
        tail = "" if total is None else f" {total}"
        choices = [name + tail, f"【{name}】{tail}"]
    else:
        choices = [written, zone, f"[{zone}]"]
    for line in choices:
        read = classify(line)
        if read.kind in ("heading", "heading?") and read.total == total:
            return line
    return written or choices[-1]


def _says_more(style: Style, seen: Seen, zone: str) -> bool:
    words = style.looker.words
    letters = "".join(char for char in words.fold(seen.written) if char.isalnum())
    names = (key for key, named in words.zones.items() if named == zone)
    known = [*names, *map(words.fold, style.counters), *words.totals, "cards", "card"]
    if seen.total is not None:
        known.append(str(seen.total))
    for word in sorted(known, key=len, reverse=True):
        letters = letters.replace("".join(filter(str.isalnum, word)), "", 1) if word else letters
    return bool(letters)


def mark(style: Style, seen: Seen) -> str | None:
    """A label or a sum as a line with "#" that reads the same; None where there is none.

    The zone of a label is only told by the lines around it.
    """
    zone = None if seen.kind == "label" else seen.zone
    choices = [_undecorated(seen.written), seen.written.strip().lstrip("#/").strip()]
    if seen.total is not None and seen.kind == "total":
        choices += [f"{seen.total}{word}" for word in style.counters]
    for text in choices:
        line = f"# {text}"
        read = style.looker.classify(line)
        if (read.kind, read.total, read.zone) == (seen.kind, seen.total, zone):
            return line
    return None


def _undecorated(text: str) -> str:
    shape = shape_of(text)
    start, end = 0, len(text)
    while start < end:
        if shape[start] in _PLAIN:
            start += 1
        elif shape[end - 1] in _PLAIN:
            end -= 1
        elif shape[start] + shape[end - 1] in _PAIRS and not any(
            char in shape[start + 1 : end - 1] for char in shape[start] + shape[end - 1]
        ):
            start, end = start + 1, end - 1
        else:
            break
    return text[start:end]
