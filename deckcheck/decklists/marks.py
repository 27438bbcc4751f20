"""Zones that words on a card's own line name: in brackets beside it, or before a colon and all that stands behind."""

from __future__ import annotations

from typing import NamedTuple

from deckcheck.decklists.patterns import compiled
from deckcheck.decklists.shapes import BULLETS, trim
from deckcheck.decklists.vocabulary import Vocabulary
from deckcheck.support.messages import _

TWO_ZONES = _("two zones are named")

_LONGEST = 200
_FLAGS = r"\{[^{}]*\}"
_JOINTS = r"[,、;/|&+\n]"
_AHEAD = r"[\[(<]([^\[\]()<>]{1,48})[\])>][ \t]*[:=]?|([^:=]{1,48})[:=]+"


def zones_beside(words: Vocabulary, text: str) -> tuple[str, ...]:
    """As `zones_named`, of words beside a card, which name only some zones (see Vocabulary)."""
    named = zones_named(words, text)
    if not named or ":" in text or "=" in text:
        # Before a colon a word is a heading.
        return named
    return tuple(zone for zone in named if zone in words.beside)


def zones_named(words: Vocabulary, text: str) -> tuple[str, ...]:
    """The zones that a text names, each once: it is one of their words, or several joined, with `{flags}` or without."""
    if len(text) > _LONGEST:
        return ()
    whole, parts = pieces(text)
    found = (words.zones.get(words.fold(part.strip(" \t:!"))) for part in (whole, *parts))
    return tuple(dict.fromkeys(zone for zone in found if zone is not None))


def pieces(shape: str) -> tuple[str, list[str]]:
    """Levelled text without `{flags}`, whole and parted where words are joined."""
    bare = compiled(_FLAGS).sub("", shape)
    return bare, [part for part in compiled(_JOINTS).split(bare) if part.strip()]


def tagged(words: Vocabulary, comment: str) -> tuple[str, ...]:
    """The zones that a comment names as tags, `#word #word`; whatever else a comment says means nothing."""
    if not compiled(_TAGS).fullmatch(comment):
        return ()
    named = (zones_beside(words, tag) for tag in comment.replace("#", " ").split())
    return tuple(dict.fromkeys(zone for zones in named for zone in zones))


_TAGS = r"(?:#[^#\s]+[ \t]*)+"


class Ahead(NamedTuple):
    """A zone's word ahead of entries, for all of them; `start` is where they begin."""

    zone: str
    start: int


def ahead(words: Vocabulary, shape: str, start: int, end: int) -> Ahead | None:
    """The zone's word with which a stretch begins, in brackets or before a colon; None without it or anything behind."""
    at = trim(shape, start, end, " \t" + "".join(set(BULLETS) - {"<", ">"}))[0]
    found = compiled(_AHEAD).match(shape, at, end)
    if found is None:
        return None
    zones = zones_named(words, found[1] or found[2])
    behind = trim(shape, found.end(), end)[0]
    return Ahead(zones[0], behind) if len(zones) == 1 and behind < end else None
