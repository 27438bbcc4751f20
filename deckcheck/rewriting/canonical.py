"""`deckcheck fmt`: a list in the canonical notation, or the reason why it is left as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from deckcheck.checking.judge import GameData
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.decklists.read import AS_TEXT
from deckcheck.decklists.shapes import shape_of
from deckcheck.model.deck import Deck, Diagnostic, Directive
from deckcheck.model.finding import EMPTY_LINE
from deckcheck.rewriting.layout import Ending, Style, lay_out, make_style
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Words, _

_ENDINGS: tuple[Ending, ...] = ("as written", "apart", "within")
_MOST_PASSES = 4
_HINT = _("it is left as it is")


class Formatter(Protocol):
    """From a list's text and path to the same list in canonical notation; `zones` come first, in this order.

    `notation` is that of the list, where it is told.
    """

    def __call__(
        self, text: str, path: str, zones: Sequence[str] = (), notation: str | None = None
    ) -> str: ...


def make_formatter(table: GameData) -> Formatter:
    """The formatter of a game's lists.

    The result reads the same, and formatting it again changes nothing. Zones
    that are not told stand in the game's order. It raises UserError for a list that can't be read at all, or of which
    something would be lost.
    """
    known = make_style(table.game, table.catalog)

    def once(style: Style, text: str, path: str, notation: str | None) -> tuple[str, bool]:
        old = table.read(text, path, notation)
        _require_readable(old)
        header = own_header(old, text)
        if header is None:
            raise _left_alone(path, _("its header can be read in two ways"))
        look = style.looker.look(text, path, notation)
        beside = {} if look.notation == "text" else header
        why: Words | None = None
        for ending in _ENDINGS:
            found = lay_out(style, look, path, beside, ending)
            new = table.read(found, "-")
            problem = difference(old, new, table.game.zones, header)
            if problem is None and new.notation == "text" and _is_plain(found):
                if read_header(found).get("format") != read_header(text).get("format"):
                    raise _late_format(path)
                return found, look.notation == "text"
            why = why or problem or _OTHER
        raise _left_alone(path, why or _OTHER)

    def formatted(text: str, path: str, zones: Sequence[str] = (), notation: str | None = None) -> str:
        style = known._replace(order=tuple(dict.fromkeys((*zones, *known.order))))
        for _unused in range(_MOST_PASSES):
            found, was_text = once(style, text, path, notation)
            if found == text:
                return found
            # What was a sheet or a tree is one no longer, whatever its path says.
            text, path, notation = found, path if was_text else "-", None
        raise _left_alone(path, _OTHER)

    return formatted


def _is_plain(text: str) -> bool:
    """Whether a text comes out of a file as it went in: strings of YAML and JSON may hold what no text does."""
    try:
        return decode(text.encode(), "-") == text
    except (UnicodeEncodeError, UserError):
        return False


_OTHER = _("it would be read as another list")


def _require_readable(deck: Deck) -> None:
    """Raises UserError with the first line that can't be read."""
    for diagnostic in deck.diagnostics:
        if diagnostic.id == "invalid-line":
            raise user_error(
                _("{message}; the list is left as it is", message=diagnostic.message),
                path=deck.path,
                line=diagnostic.line,
                column=diagnostic.column,
                excerpt=deck.lines[diagnostic.line - 1],
            )


def _left_alone(path: str, why: Words) -> UserError:
    return user_error(
        _("this can't be formatted with certainty: {why}", why=why),
        path=path,
        hint=_HINT,
    )


def _late_format(path: str) -> UserError:
    return user_error(
        _("its line with the format isn't at the top, and moving it could change the verdict"),
        path=path,
        hint=_HINT,
    )


_AROUND = " \t#/!■□◆◇▼▽▶►▷▸=─━:-()[]<>{}《》「」『』"

Asked = tuple[bool, tuple[str, ...], str, bool]
Card = tuple[str, str, int, int]


class _Said(NamedTuple):
    """What a list says, whatever its notation.

    `entries` are the cards with their zone and counts and what is asked for
    their lines; `asked` is what is asked elsewhere, with the ids of what the
    reader remarked there; `sums` are the wrong ones.
    """

    header: Mapping[str, str]
    entries: Counter[tuple[Card, tuple[Asked, ...]]]
    asked: Counter[tuple[Asked, tuple[str, ...]]]
    diagnostics: Mapping[str, int]
    sums: Counter[str]


def difference(old: Deck, new: Deck, zones: Iterable[str], header: Mapping[str, str]) -> Words | None:
    """In what two lists differ, None where both say the same.

    `zones` are those of the game, for a heading that names none may be
    decorated otherwise; `header` is what the old list says of itself.
    """
    known = frozenset(zones)
    was, now = _said(old, known, header), _said(new, known, new.header)
    if was.header != now.header:
        return _("its header would change")
    if was.entries != now.entries:
        lost = [card for (card, _zone), _copies in (was.entries - now.entries).items()]
        gained = [card for (card, _zone), _copies in (now.entries - was.entries).items()]
        name = next((card[1] for card in (*lost, *gained)), "").removeprefix(_UNKNOWN)
        return _("{name!r} would be read otherwise", name=name)
    if was.asked != now.asked:
        return _("an instruction to deckcheck would stand elsewhere")
    if was.diagnostics.get(EMPTY_LINE) and not now.diagnostics.get(EMPTY_LINE):
        return _("where the cards below an empty line stand can't be told; put a heading there")
    if was.diagnostics != now.diagnostics or was.sums != now.sums:
        return _("a sum or a zone would be read otherwise")
    return None


_UNKNOWN = "?"


def _said(deck: Deck, zones: frozenset[str], header: Mapping[str, str]) -> _Said:
    on_line: dict[int, list[Directive]] = {}
    for one in deck.directives:
        on_line.setdefault(one.line, []).append(one)
    diagnostics: dict[int, list[str]] = {}
    for diagnostic in deck.diagnostics:
        diagnostics.setdefault(diagnostic.line, []).append(diagnostic.id)
    entries: Counter[tuple[Card, tuple[Asked, ...]]] = Counter()
    for entry in deck.entries:
        name = " ".join(card.name for card in entry.cards) or _UNKNOWN + entry.written
        zone = entry.zone if entry.zone in zones else shape_of(entry.zone).strip(_AROUND)
        asked = tuple(map(_asked, on_line.get(entry.line, ())))
        entries[(zone, name, entry.copies, entry.most), asked] += 1
    taken = {entry.line for entry in deck.entries}
    elsewhere = Counter(
        (_asked(one), tuple(sorted(diagnostics.get(one.line, ()))))
        for one in deck.directives
        if one.line not in taken
    )
    return _Said(header, entries, elsewhere, _counted(deck.diagnostics), _sums(deck.diagnostics))


def _asked(one: Directive) -> Asked:
    return one.whole, one.rules, one.reason, one.wrong is None


def _counted(diagnostics: Iterable[Diagnostic]) -> dict[str, int]:
    """How often each id is remarked; zones that nobody knows may be named once or on each card's line."""
    found = Counter(diagnostic.id for diagnostic in diagnostics)
    return {id_: 1 if id_ == "unknown-zone" else number for id_, number in found.items()}


def _sums(diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    """The digits of the sums that are wrong."""
    return Counter(
        "".join(filter(str.isdigit, shape_of(diagnostic.written)))
        for diagnostic in diagnostics
        if diagnostic.id == "total-mismatch"
    )


def own_header(deck: Deck, text: str) -> dict[str, str] | None:
    """What a list says of itself, to us and to whoever looks for its format; None where these contradict.

    In a tree that stands in comments, too, which its reader never sees.
    """
    if deck.notation in AS_TEXT:
        return dict(deck.header)
    found = read_header(text)
    if any(deck.header.get(key, value) != value for key, value in found.items()):
        return None
    return {**deck.header, **found}
