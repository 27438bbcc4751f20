"""`deckcheck fmt`: formats a list in the canonical notation, unless that would lose something."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from deckcheck.checking.judge import GameData
from deckcheck.decklists.header import read_header
from deckcheck.decklists.lexer import shape_of
from deckcheck.decklists.line import NOT_READ, Kind, Line
from deckcheck.decklists.read import Outline, make_reader
from deckcheck.model.deck import Deck
from deckcheck.rewriting.comparison import difference, own_header
from deckcheck.rewriting.trailing_comments import bare_comment, remainder
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_MOST_PASSES = 4
_HINT = _("it is left as it is")
_OTHER = _("it would be read as another list")
_LATE_FORMAT = _("its line with the format isn't at the top, and moving it could change the verdict")
_SEVERAL_CARDS = _("with several cards on one line, it is unclear which one the instruction is about")
_NUMBER = re.compile(r"\d+")
# Strings of YAML and JSON may contain these, but a text must not.
_NEVER_IN_FILES = re.compile("[\r\0\ud800-\udfff]|\\A\ufeff")


class Formatter:
    """Formats lists of a game, and single lines, in the canonical notation."""

    def __init__(self, table: GameData) -> None:
        self.game, self._read = table.game, table.read
        reader = make_reader(table.game, table.catalog)
        self._outline_of, self._classify = reader.outline, reader.classify
        self.line_reader = reader.line_reader
        self._headings = {zone.id: zone.name.ja for zone in table.game.zones.values()}

    def format(self, text: str, path: str, zones: Iterable[str] = (), notation: str | None = None) -> str:
        """The list in canonical notation, with the same meaning; formatting it again changes nothing.

        `zones` come first, then those of the game; `notation` is that of the list, if known. Raises UserError
        for a list that can't be read or would lose something.
        """
        order = list(dict.fromkeys((*zones, *self._headings)))
        for _unused in range(_MOST_PASSES):
            outline = self._outline_of(text, path, notation)
            formatted = self._format_once(text, self._read(text, path, notation), outline, order)
            if formatted == text:
                return formatted
            # The result is plain text, even if the path is that of a sheet or a tree.
            text, path, notation = formatted, path if outline.notation == "text" else "-", None
        raise uncertain(path, _OTHER)

    def _format_once(self, text: str, old: Deck, outline: Outline, order: Sequence[str]) -> str:
        """The list in canonical notation, by the first layout that keeps its meaning."""
        for diagnostic in old.diagnostics:
            if diagnostic.id == "invalid-line":
                raise _refused(old, diagnostic.message, diagnostic.line, diagnostic.column)
        header = own_header(old, text)
        if header is None:
            raise uncertain(old.path, _("its header can be read in two ways"))
        page = _Page(self, outline, old, {} if outline.notation == "text" else header)
        why: Words | None = None
        for formatted in page.texts(order):
            new = self._read(formatted, "-")
            problem = difference(old, new, header)
            if problem is not None or new.notation != "text" or _NEVER_IN_FILES.search(formatted):
                why = why or problem or _OTHER
            elif read_header(formatted).get("format") == read_header(text).get("format"):
                return formatted
            else:
                raise user_error(_LATE_FORMAT, path=old.path, hint=_HINT)
        raise uncertain(old.path, why or _OTHER)

    def heading(self, zone: str, item: Line | None = None) -> str:
        """The heading of a zone; that of the list is kept if it holds more than the zone and a sum."""
        written, total = ("", None) if item is None else (item.written.strip(), item.total)
        name = self._headings.get(zone)
        choices = [written, zone, f"[{zone}]"]
        says_more = len(_NUMBER.findall(written)) > (total is not None)
        if name is not None and not says_more:
            tail = "" if total is None else f" {total}"
            choices = [name + tail, f"【{name}】{tail}"]
        return self._first_read_as(choices, "heading", total) or written or choices[-1]

    def mark(self, item: Line) -> str | None:
        """A label or a sum as a line with "#" that keeps its meaning; None if there is none."""
        choices = [_undecorated(item.written), item.written.strip().lstrip("#/").strip()]
        if item.total is not None and item.kind == "total":
            choices += [f"{item.total}{word}" for word in self.game.words.counters]
        # The zone of a label depends on the surrounding lines.
        zone = item.zone if item.kind == "total" else None
        return self._first_read_as([f"# {text}" for text in choices], item.kind, item.total, zone)

    def entry(self, item: Line, zone: str, *, may_stay: bool) -> str | None:
        """The line of an entry in a zone; None if its count isn't certain, or if it `may_stay` and would change."""
        line = f"{item.copies} x {item.cards[0].name if len(item.cards) == 1 else item.written}"
        read = self._classify(line) if may_stay and len(item.cards) != 1 else item
        if item.copies != item.most or read[:2] != item[:2] or read.copies != item.copies:
            return None
        if item.zone == zone == self.game.default_zone and item.home is not None:
            # Without the zone, the card would move home.
            return f"{self._headings[zone]}: {line}"
        return line

    def _first_read_as(
        self, lines: Iterable[str], kind: str, total: int | None, zone: str | None = None
    ) -> str | None:
        """The first of `lines` that is read as this kind, with this sum and zone (None: any); None if there is none."""
        for line in lines:
            read = self._classify(line)
            if read.kind.rstrip("?") == kind and read.total == total and zone in (None, read.zone):
                return line
        return None


def _refused(deck: Deck, message: Words, line: int, column: int) -> UserError:
    refusal = _("{message}; the list is left as it is", message=message)
    return user_error(refusal, path=deck.path, line=line, column=column, excerpt=deck.lines[line - 1])


def uncertain(path: str, why: Words) -> UserError:
    """The UserError for a list that can't be formatted with certainty."""
    return user_error(_("this can't be formatted with certainty: {why}", why=why), path=path, hint=_HINT)


HEADER = ("format", "date", "as-of", "best-of", "deck", "player", "expect")
"""The header keys in writing order."""


_ANCHORS: tuple[Kind, ...] = ("entry", "several", "heading")
"""Comments after the last of these lines may refer to the last zone or to the whole list."""


class _Page:
    """The lines of a list, sorted by zones and written canonically."""

    def __init__(self, formatter: Formatter, outline: Outline, deck: Deck, header: Mapping[str, str]) -> None:
        """`header` comes in addition to the lines in `outline`. Raises UserError for a line that can't be kept."""
        self._formatter, self._outline, self._deck = formatter, outline, deck
        self._header = list(header.items())
        self._top: list[str] = []
        self._zones: dict[str, list[str]] = {}
        self._zone, self._next = formatter.game.default_zone, ""
        # Comments whose zone isn't known yet, in groups separated by empty lines.
        self._pending: list[list[str]] = [[]]
        self._below_header = bool(header)
        self._cards_on = Counter(number for number, item in outline.lines for _entry in item.parts)
        anchors = [
            at
            for at, (_number, item) in enumerate(outline.lines)
            if item.kind in _ANCHORS or (item.kind == "label" and item.zone is not None)
        ]
        for at, (number, item) in enumerate(outline.lines):
            instruction = outline.directives.get(number)
            directive = "" if instruction is None else f" # deckcheck: {instruction}"
            self._add(number, item, directive, is_last=at > max(anchors, default=0))

    def texts(self, order: Sequence[str]) -> Iterable[str]:
        """The possible layouts, which put the comments after all cards as in the list, apart from the last zone, or in it."""
        header = [f"# {key}: {value}" for known in HEADER for key, value in self._header if key == known]
        for size in dict.fromkeys((1, 0, len(self._pending))):
            within, apart = list(chain(*self._pending[:size])), list(chain(*self._pending[size:]))
            zones = dict(self._zones)
            if within:
                rows = zones.get(self._zone) or [self._formatter.heading(self._zone)]
                zones[self._zone] = rows + within
            sections = (zones[zone] for zone in dict.fromkeys((*order, *zones)) if zone in zones)
            blocks = [header + self._top, *sections, apart]
            yield "\n\n".join("\n".join(block) for block in blocks if block) + "\n"

    def _add(self, number: int, item: Line, directive: str, *, is_last: bool) -> None:
        """Add a line with its directive, which ends a line."""
        match item.kind:
            case "blank":
                self._pending.append([])
            case "comment" | "furniture":
                self._zone = item.zone or self._zone
                self._pending[-1].append(_comment(self._outline.source[number - 1].strip(), directive))
            case "count":
                pass  # It is part of the entry.
            case "header" | "title" if item.why is None:
                self._add_header(item, directive)
            case "heading":
                self._add_heading(item, directive)
            case "label" | "total":
                line = self._formatter.mark(item)
                if line is None:
                    raise self._refuse(number, _("this line can't be written in another way"))
                if item.kind == "label" and item.zone is not None:
                    self._zone = item.zone
                if is_last and self._zones:
                    self._pending[-1].append(line + directive)
                else:
                    self._put(self._zone, line + directive)
            case "entry" | "several":
                self._add_entries(number, item, directive)
            case _:
                raise self._refuse(number, NOT_READ)

    def _refuse(self, number: int, message: Words) -> UserError:
        line = self._outline.source[number - 1]
        return _refused(self._deck, message, number, len(line) - len(line.lstrip()) + 1)

    def _add_header(self, item: Line, directive: str) -> None:
        pair = (item.key if item.kind == "header" else "deck", item.written)
        if pair not in self._header:
            self._header.append(pair)
        self._next = item.zone or self._next
        self._pending[-1] += [directive.strip()] if directive else []
        if not self._zones:
            self._top += chain(*self._pending)
            self._pending = [[]]
            self._below_header = True

    def _add_heading(self, item: Line, directive: str) -> None:
        if not self._zones and self._below_header and len(self._pending) == 1:
            # Comments between the header and the first heading belong to the list.
            self._pending.append([])
        comments = self._comments_above(self._zone)
        zone = self._zone = item.zone or self._formatter.game.default_zone
        is_needed = zone not in self._zones or item.total is not None or bool(directive)
        heading = [self._formatter.heading(zone, item) + directive] if is_needed else []
        self._zones.setdefault(zone, []).extend([*comments, *heading])

    def _comments_above(self, zone: str) -> list[str]:
        """The comments directly above a line; others move to the zone, or to the top if no line precedes."""
        apart, directly_above = list(chain(*self._pending[:-1])), self._pending[-1]
        self._pending = [[]]
        if not self._zones:
            self._top += apart
        elif apart:
            self._rows(zone).extend(apart)
        return directly_above

    def _rows(self, zone: str) -> list[str]:
        if zone not in self._zones:
            self._zones[zone] = [self._formatter.heading(zone)]
        return self._zones[zone]

    def _put(self, zone: str, line: str) -> None:
        """Add a line to a zone, after the comments above it."""
        comments = self._comments_above(zone)
        self._rows(zone).extend([*comments, line])

    def _add_entries(self, number: int, item: Line, directive: str) -> None:
        entries, is_text = item.parts, self._outline.notation == "text"
        line, alone = self._outline.source[number - 1], self._cards_on[number] == 1
        if any(entry.kind != "entry" for entry in entries):
            raise self._refuse(number, NOT_READ)
        if directive and not alone:
            raise self._refuse(number, _SEVERAL_CARDS)
        comments = [""] * len(entries)
        if is_text:
            comments = remainder(self._formatter.line_reader, line, entries).comments
        elif self._outline.notation == "yaml" and alone:
            rest = line[entries[0].column - 1 + len(entries[0].written) :]
            comments = [bare_comment(rest.partition(" #")[2])]
        may_stay = len(entries) == 1 and is_text
        for entry, comment in zip(entries, comments, strict=True):
            zone = entry.zone or self._next or self._zone
            written = self._formatter.entry(entry, zone, may_stay=may_stay)
            if written is None and not may_stay:
                raise self._refuse(number, _("the copies on this line can be read in two ways"))
            if written is None:
                written = line.strip()
            elif comment:
                written += f" # {comment}"
            self._put(zone, written + directive)
        self._next = ""


_COMMENT = re.compile(r"(#+|/{2,}|)\s*(.*)")
_PLAIN = re.escape(" \t#/!■□●○◆◇▼▽▲△★☆◎▶►▷▸※・•*=_~+|│─━")
_UNDECORATED = re.compile(rf"[{_PLAIN}]*(.*?)[{_PLAIN}]*")
_FRAMED = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|《[^《》]*》|「[^「」]*」|『[^『』]*』")


def _comment(text: str, directive: str) -> str:
    # A directive on a line of its own leaves only the "#".
    if directive and text == "#":
        return directive.strip()
    marks, words = _COMMENT.findall(text)[0]
    return f"{marks if marks[:1] == '#' else '#'} {words}".rstrip() + directive


def _undecorated(text: str) -> str:
    shape = shape_of(text)
    match = _UNDECORATED.fullmatch(shape)
    start, end = match.span(1) if match else (0, len(text))
    inner = _FRAMED.fullmatch(shape, start, end)
    return _undecorated(text[start + 1 : end - 1]) if inner else text[start:end]
