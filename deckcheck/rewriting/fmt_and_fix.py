"""`deckcheck fmt` and `check --fix`: a list with its lines in one form, or with certain misspellings corrected, in place.

Order, comments, headings in their language and empty lines stay. What is written is read again: unless it is the same
deck, the list is left as it is.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from html import escape
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import GameData
from deckcheck.decklists.decoding import clean_line, shape_of
from deckcheck.decklists.header_directives_comments import read_header
from deckcheck.decklists.lines import (
    ROWS,
    Blank,
    CardLine,
    Comment,
    HeaderLine,
    Heading,
    Label,
    Line,
    Stretches,
    Taken,
    Title,
    Told,
    Total,
    counted_lines,
)
from deckcheck.decklists.read import AS_LINES, MARKUP
from deckcheck.model.card import Card, is_japanese
from deckcheck.model.deck import Deck, Diagnostic, Entry
from deckcheck.model.finding import FindingId
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Words, _

# Lines in one form.

_LIST_STAYS = _("it is left as it is")
_LINE_STAYS = _("the line is left as it is")
_OTHER = _("it would be read as another list")
_SEVERAL_CARDS = _("with several cards on one line, it is unclear which one the instruction is about")
_IN_COMMENT = frozenset({Taken.COMMENT, Taken.PRINTING, Taken.REMARK})
"""What a card's line holds that becomes a comment behind it."""
DIRECTIVES_MOVE = _("an instruction to deckcheck would move")


class Formatted(Struct, frozen=True):
    """A list with its lines in one form, and the problems of those that stay as they are."""

    text: str
    unclear: tuple[Problem, ...] = ()


def formatted(
    table: GameData,
    text: str,
    path: str,
    notation: str | None = None,
    zone_names: Mapping[str, Words] | None = None,
) -> Formatted:
    """A list of lines in one form, with the same meaning; formatting it again changes nothing.

    `notation` is that of the list, if known, and `zone_names` are the headings that are written (default: the game's).
    Lines of which it isn't clear what they say stay. Raises UserError for a list that would lose something.
    """
    names = zone_names or {zone.id: zone.name for zone in table.game.zones.values()}
    done = _formatted_once(table, text, path, notation, names)
    # The result is plain text, even if the list was in another notation.
    again = _formatted_once(table, done.text, path if path.endswith(".txt") else "-", None, names)
    if again.text != done.text:
        raise uncertain(path, _OTHER)
    return done


def _formatted_once(
    table: GameData, text: str, path: str, notation: str | None, names: Mapping[str, Words]
) -> Formatted:
    old = table.read(text, path, notation)
    outline = table.read.outline(text, path, notation)
    form = _Form(names, any(map(is_japanese, outline.source)))
    unclear = _unclear_lines(old)
    lines, left = list[str](), dict[int, Problem]()
    for number, line in outline.lines:
        source = outline.source[number - 1] if number else ""
        written = [*form.lines_for(line, source)]
        problem = Problem(line.why, path, number, 1) if isinstance(line, Told) else None
        if number in outline.written_directives:
            directive = f"# deckcheck: {outline.written_directives[number]}"
            if len(written) > 1:
                problem = Problem(_SEVERAL_CARDS, path, number, 1)
            written = [directive if text in ("", "#") else f"{text} {directive}" for text in written]
        problem = unclear.get(number, problem)
        if problem is not None and number not in left:
            row = old.lines[number - 1]
            lines.append(row)
            if written != [row]:
                left[number] = replace(problem, excerpt=row, hint=_LINE_STAYS)
        elif problem is None:
            lines += written
    result = "\n".join(lines).rstrip("\n") + "\n"
    reason = _difference(old, table.read(result, "-"))
    if reason is None and read_header(result).get("format") != read_header(text).get("format"):
        reason = _OTHER
    if reason is not None:
        raise uncertain(old.path, reason)
    return Formatted(result, tuple(left.values()))


class _Form:
    """The form of lines: zones by these names, in Japanese unless a heading is written in English."""

    def __init__(self, names: Mapping[str, Words], japanese: bool) -> None:
        self._names, self._japanese = names, japanese

    def lines_for(self, line: Line, source: str) -> Iterator[str]:
        """The lines in place of a line of a list."""
        match line:
            case CardLine():
                yield from self._cards(line, source)
            case Heading():
                yield self._heading(line)
            case HeaderLine():
                yield f"# {line.key}: {line.value}"
            case Title():
                yield f"# deck: {line.written}"
            case Comment() if line.written and all(part.taken is not Taken.HEAD for part in line.stretches):
                is_marked = line.written.startswith(("#", "//", "<!--", "/*"))
                yield line.written if is_marked else f"# {line.written}"
            case Label() | Total() if line.written:
                yield line.written
            case Blank():
                yield ""
            case _:
                # A count is part of the card's line, and the heads of columns say nothing without them.
                return

    def _heading(self, line: Heading) -> str:
        """The heading of a zone by its name, in the language in which it is written; others stay as written."""
        has_other_number = line.total is None and any(map(str.isdigit, line.written))
        if line.zone not in self._names or has_other_number:
            return line.written.strip()
        name = self._name(line.zone, japanese=is_japanese(line.written) if line.written else self._japanese)
        return name if line.total is None else f"{name} {line.total}"

    def _cards(self, line: CardLine, source: str) -> Iterator[str]:
        comment = _comment(clean_line(source)[0], line.stretches)
        for item in line.items:
            name = item.cards[0].name if len(item.cards) == 1 else item.written
            zone = "" if item.zone is None else f" ({self._name(item.zone, japanese=self._japanese)})"
            is_last = item is line.items[-1]
            yield f"{item.copies} x {name}{zone}" + (f" # {comment}" if comment and is_last else "")

    def _name(self, zone: str, *, japanese: bool) -> str:
        return self._names[zone].in_("ja" if japanese else "en") if zone in self._names else zone


def _comment(text: str, stretches: Stretches) -> str:
    """What a card's line holds beside cards, counts and zones."""
    parts = [text[part.start : part.end].strip() for part in stretches if part.taken in _IN_COMMENT]
    return " ".join(filter(None, (part.lstrip("#＃/／").strip() for part in parts)))


def _unclear_lines(deck: Deck) -> dict[int, Problem]:
    """The first problem of each line of which the reader can't say what it says."""
    unclear = dict[int, Problem]()
    for diagnostic in deck.diagnostics:
        if diagnostic.id == FindingId.INVALID_LINE:
            unclear.setdefault(diagnostic.line, problem_of(deck, diagnostic))
    for entry in _doubtful_cards(deck):
        unclear.setdefault(entry.line, problem_of(deck, entry))
    return unclear


def problem_of(deck: Deck, item: Diagnostic | Entry) -> Problem:
    """What the reader says of a line, or that an unknown card may be none, as a problem."""
    if isinstance(item, Entry):
        message: Words = _("it isn't clear whether {name!r} is a card", name=item.written)
    else:
        message = item.message
    excerpt = deck.lines[item.line - 1] if item.line else None
    return Problem(message, deck.path, item.line, item.column, excerpt)


def uncertain(path: str, why: Words) -> UserError:
    """The UserError for a list that can't be formatted with certainty."""
    return user_error(
        _("this can't be formatted with certainty: {why}", why=why), path=path, hint=_LIST_STAYS
    )


# Misspelt names.

MOST_FIXES = 100
"""The most corrections in one list; more of them are hardly typing errors."""

_NEAR = 1
"""The edit distance of a correctable misspelling; swapping two neighbours is one edit."""

_APART = 2
"""No other card may have a name within this edit distance."""

_SHORTEST = 5
"""The length of the shortest folded name that is corrected; shorter ones are too similar."""

# Single letters and Roman numerals distinguish cards, as digits do.
_NUMERALS = r"(?<![a-z])(?:[a-z]|[ivxlcdm]+)(?![a-z])"


class Fix(Struct, frozen=True):
    """A corrected name: the line number, the text before and after."""

    line: int
    was: str
    now: str


class FixedList(Struct, frozen=True):
    """A corrected list: its text, what it is read as, and the corrections."""

    text: str
    deck: Deck
    fixes: tuple[Fix, ...] = ()


class Fixer:
    """Corrects misspelt names with a single candidate, in lines of names; data and passcodes stay unchanged."""

    def __init__(self, table: GameData) -> None:
        self._table = table

    def fix(self, text: str, path: str, leave: Iterable[str] = (), notation: str | None = None) -> FixedList:
        """The corrected list; the names in `leave` stay. `notation` is that of the list, if known.

        Raises UserError as reading does.
        """
        text = text.removeprefix("\ufeff")
        fixed = FixedList(text, self._table.read(text, path, notation))
        if fixed.deck.notation not in AS_LINES | MARKUP:
            return fixed
        fold = self._table.catalog.fold
        unchanged = set(map(fold, leave))
        unknown = [entry for entry in fixed.deck.entries if not entry.cards]
        for entry in unknown[:MOST_FIXES]:
            if fold(entry.written) not in unchanged:
                fixed = self._with_name(fixed, entry)
        return replace(fixed, fixes=tuple(sorted(fixed.fixes)))

    def _with_name(self, fixed: FixedList, wrong: Entry) -> FixedList:
        """The list with one more name corrected; as it was if that isn't certain or would change anything else."""
        # An earlier correction on the same line may have moved the name.
        place = wrong.line, wrong.written
        matching = [entry for entry in fixed.deck.entries if (entry.line, entry.written) == place]
        correction = self._correction(wrong.written) if len(matching) == 1 else None
        if correction is None:
            return fixed
        entry, (card, name) = matching[0], correction
        lines = fixed.text.split("\n")
        line, start = lines[entry.line - 1], entry.column - 1
        end = start + len(entry.written)
        spelt = spelt_in(fixed.deck.notation, line[:start], name)
        if line[start:end] != entry.written or spelt is None:
            # The name is escaped, or the file has no names.
            return fixed
        lines[entry.line - 1] = line[:start] + spelt + line[end:]
        text = "\n".join(lines)
        try:
            deck = self._table.read(text, fixed.deck.path, fixed.deck.notation)
        except UserError:
            return fixed
        home = card.home if entry.zone == self._table.game.default_zone else None
        for zone in dict.fromkeys((entry.zone, home or entry.zone)):
            meant = replace(entry, cards=(card,), zone=zone)
            entries = tuple(meant if other is entry else other for other in fixed.deck.entries)
            if _difference(replace(fixed.deck, entries=entries), deck) is None:
                return FixedList(text, deck, (*fixed.fixes, Fix(entry.line, entry.written, name)))
        return fixed

    @cached_property
    def _keys(self) -> list[str]:
        """The folded names of all cards, aliases, halves and faces among them."""
        return sorted(self._table.catalog.beginning(""))

    def _correction(self, name: str) -> tuple[Card, str] | None:
        """The only card that an unknown name can mean, and that card's spelling; None if unclear.

        Numbers are never corrected, since they distinguish cards.
        """
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        catalog = self._table.catalog
        key = catalog.fold(name)
        if len(key) < _SHORTEST:
            return None
        matches = process.extract(key, self._keys, scorer=OSA.distance, score_cutoff=_APART, limit=None)
        meant = {card for near, _distance, _index in matches for card in catalog.find(near)}
        if len(meant) != 1:
            return None
        nearest, distance, _index = min(matches, key=lambda match: (match[1], match[0]))
        if distance != _NEAR or len(nearest) < _SHORTEST or _numerals(nearest) != _numerals(key):
            return None
        [card] = meant
        spelt = next((name for name in card.names if catalog.fold(name) == nearest), None)
        return None if spelt is None else (card, spelt)


_QUOTED = {"csv": '\0.*[,;]|\0"', "tsv": '\0"', "yaml": "\0.*[:#] |\0[\\W_]|[\\[{].*\0.*,"}
"""Patterns of what a notation has only in quotes: a line, and behind a NUL the name that it holds."""


def spelt_in(notation: str, before: str, name: str) -> str | None:
    """A name as it is written in a notation, behind what is `before` it on the line; None where it needs quotes."""
    if notation in MARKUP:
        return escape(name)
    quote = next((sign for sign in ("\"'" if notation == "yaml" else '"') if before.count(sign) % 2), "")
    if notation == "json" or (notation == "yaml" and quote == '"'):
        return json.dumps(name, ensure_ascii=False)[1:-1]
    if quote and notation in _QUOTED:
        return name.replace(quote, 2 * quote)
    needs_quotes = notation in _QUOTED and re.search(_QUOTED[notation], f"{before}\0{name}")
    return None if needs_quotes else name


def _numerals(key: str) -> tuple[list[str], list[str]]:
    return [char for char in key if char.isnumeric()], re.findall(_NUMERALS, key)


# Whether a rewritten list is the same deck.

_UNKNOWN = "?"
_DECORATION = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"
_MAY_DIFFER = (
    FindingId.CARD_IN_COMMENT,
    FindingId.REMARKS,
    FindingId.MOVED_TO_HOME_ZONE,
)
"""Comments keep what fits nowhere else; the others follow from the zones of cards."""


def _difference(old: Deck, new: Deck) -> Words | None:
    """The difference between a rewritten list and the old one; None if they mean the same.

    The order of lines may differ, and so may the decoration of headings that name no zone.
    """
    if old.header != new.header:
        return _("its header would change")
    name = changed_card(old, new)
    if name is not None:
        return read_otherwise(name)
    doubtful = made_certain(old, new)
    if doubtful is not None:
        return problem_of(old, doubtful).message
    if _directives(old) != _directives(new):
        return DIRECTIVES_MOVE
    return None if _diagnostics(old) == _diagnostics(new) else _("a sum or a zone would be read otherwise")


def read_otherwise(name: str) -> Words:
    """The message that a rewritten list wouldn't mean the same for a card."""
    return _("{name!r} would be read otherwise", name=name)


def changed_card(old: Deck, new: Deck) -> str | None:
    """The name of a card with different copies in a zone of the two decks; None if there is none."""
    before, after = _cards(old), _cards(new)
    return next((key[1].removeprefix(_UNKNOWN) for key in (*(before - after), *(after - before))), None)


def made_certain(old: Deck, new: Deck) -> Entry | None:
    """What may be no card in the old deck, but is certainly one in the new deck; None if there is none."""
    doubtful = {entry.written for entry in _doubtful_cards(new)}
    return next((entry for entry in _doubtful_cards(old) if entry.written not in doubtful), None)


def _doubtful_cards(deck: Deck) -> list[Entry]:
    """The cards that the card table lacks, on lines that may hold no card."""
    if deck.notation not in ROWS:
        return []
    unknown = [entry for entry in deck.entries if not entry.cards]
    counted = counted_lines(deck.entries, deck.lines) if unknown else ()
    return [entry for entry in unknown if entry.line not in counted]


def _card_key(entry: Entry) -> tuple[str, str]:
    name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
    return shape_of(entry.zone).strip(_DECORATION), name


def _cards(deck: Deck) -> Counter[tuple[str, str]]:
    """The copies of each card by zone."""
    cards: Counter[tuple[str, str]] = Counter()
    for entry in deck.entries:
        cards[_card_key(entry)] += entry.copies
    return cards


def _directives(deck: Deck) -> Counter[Any]:
    """The directives with the cards on their lines."""
    on_line: dict[int, list[tuple[object, ...]]] = {}
    for entry in deck.entries:
        on_line.setdefault(entry.line, []).append((*_card_key(entry), entry.copies))
    return Counter(
        (item.whole, item.rules, item.reason, item.wrong is None, *sorted(on_line.get(item.line, ())))
        for item in deck.directives
    )


def _diagnostics(deck: Deck) -> Counter[tuple[str, str]]:
    """How many diagnostics of each id there are, with the sum that is wrong."""
    diagnostics: Counter[tuple[str, str]] = Counter()
    for diagnostic in deck.diagnostics:
        if diagnostic.id not in _MAY_DIFFER:
            total = shape_of(diagnostic.written) if diagnostic.id == FindingId.TOTAL_MISMATCH else ""
            diagnostics[diagnostic.id, "".join(filter(str.isdecimal, total))] += 1
    if diagnostics[FindingId.UNKNOWN_ZONE, ""]:
        # It may be reported once or on each card's line.
        diagnostics[FindingId.UNKNOWN_ZONE, ""] = 1
    return diagnostics
