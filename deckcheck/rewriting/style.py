"""How each thing is written in the canonical notation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deckcheck.decklists.look import Looker, make_looker
from deckcheck.decklists.seen import Seen
from deckcheck.decklists.shapes import shape_of
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game

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
