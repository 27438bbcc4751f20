"""A game's words, folded once so that the readers can ask quickly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from deckcheck.cards.names import Fold, make_fold
from deckcheck.decklists.lexer import BULLETS, Patterns, compiled, patterns, trim
from deckcheck.model.game import Game
from deckcheck.support.messages import _

_LONGEST = 48
"""No heading is longer; what is longer isn't looked at."""


_ASIDE = "aside"


class Vocabulary(NamedTuple):
    """The words of `game.yaml` that stand around the cards.

    `zones` maps a folded heading to a zone id; `prefixes` the same words as
    levelled text (see shapes) for "word: card" on one line; `marks` the words
    on a card's own line. `numbered` are labels whose number is no total
    (a cost). `around` holds the counters, notes, marks and headings that may
    stand beside a name. `facts` are words that are never a card in a table's cell.
    `notations` are those that lists of this game may be in without saying so, `ending` the zones that a label ends.
    `beside` are the zones into which a word beside a card may put it: the first and those of the marks. In the
    others cards are at home, and a word that names one for a card of another home is told.
    """

    fold: Fold
    default: str
    zones: Mapping[str, str]
    zone_ids: frozenset[str]
    prefixes: tuple[tuple[str, str], ...]
    marks: tuple[tuple[str, str], ...]
    labels: frozenset[str]
    numbered: frozenset[str]
    totals: frozenset[str]
    columns: Mapping[str, str]
    notes: tuple[str, ...]
    facts: frozenset[str]
    patterns: Patterns
    counters: tuple[str, ...]
    tail: str
    notations: tuple[str, ...] = ()
    ending: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()


def make_vocabulary(game: Game) -> Vocabulary:
    """The folded words of a game."""
    fold, words = make_fold(game.folding), game.words
    zones: dict[str, str] = {}
    literal: dict[str, str] = {}
    for zone in game.zones.values():
        for heading in (*zone.headings, zone.id, zone.name.ja, zone.name.en):
            zones.setdefault(fold(heading), zone.id)
            # A line is asked for without what stands around it, the bracket of "Card(s)" among that.
            zones.setdefault(fold(heading.strip(_AROUND)), zone.id)
            literal.setdefault(heading.lower(), zone.id)
    marks = {word.lower(): zone for word, zone in words.marks.items()}
    # What isn't in the deck stands in a place of its own, which no game has.
    marks |= {word.lower(): word for word in words.columns.get(_ASIDE, ())}
    for word, marked in marks.items():
        zones.setdefault(fold(word), marked)
    labels = frozenset(frozenset(map(fold, words.labels)) - zones.keys() - {""})
    numbers = [item for item in game.attributes.values() if item.kind == "number"]
    facts: set[str] = set(labels)
    for item in game.attributes.values():
        facts.update(map(fold, item.values))
        facts.update(fold(text) for name in (item.names or {}).values() for text in name)
        facts.update(fold(rank) for level in item.order for rank in level)
    columns = {fold(head): role for role, heads in words.columns.items() for head in heads if role != _ASIDE}
    for role in ("count", "name", "zone"):
        columns.setdefault(role, role)
    return Vocabulary(
        fold=fold,
        default=game.default_zone,
        zones={key: zone for key, zone in zones.items() if key},
        zone_ids=frozenset(game.zones),
        prefixes=_longest_first(literal | marks),
        marks=_longest_first(marks),
        labels=labels,
        numbered=frozenset(fold(text) for item in numbers for text in item.name) & labels,
        totals=frozenset(map(fold, words.totals)) - {""},
        columns=columns,
        notes=tuple(
            sorted({note.lower() for note in words.notes if "{n}" not in note}, key=len, reverse=True)
        ),
        facts=frozenset(facts - {""}),
        patterns=patterns(words.counters, words.notes, list(marks), list(literal)),
        counters=words.counters,
        tail=_tail(words.counters, words.totals),
        notations=words.notations,
        ending=frozenset(zone.id for zone in game.zones.values() if zone.ends_at_label),
        beside=frozenset({game.default_zone, *marks.values()}),
    )


def _longest_first(words: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(words.items(), key=lambda pair: (-len(pair[0]), pair)))


def _any(words: tuple[str, ...] | frozenset[str]) -> str:
    ordered = sorted((word.lower() for word in words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")" if ordered else "(?!)"


def _tail(counters: tuple[str, ...], totals: frozenset[str]) -> str:
    kinds = r"[(\[]?[0-9]{1,3}[ \t]*種類?[)\]]?"
    return (
        rf"[\s:=(\[・~-]*(?:{kinds}[\s/・:,]*)?(?:{_any(totals)}[ \t]*[:=]?[ \t]*)?"
        rf"(?P<n>[0-9]{{1,4}})(?:[ \t]*/[ \t]*[0-9]{{1,4}})?[ \t]*(?P<c>{_any(counters)}|cards?\b)?"
        rf"(?:[\s/・(\[]*{kinds})?[\s)\]]*$"
    )


Sort = Literal["zone", "label", "total", "other"]


class Heading(NamedTuple):
    """What a line says as a heading.

    `strong` is true where its decoration leaves little doubt that it is one;
    `total` is the sum that it states.
    """

    sort: Sort
    zone: str | None
    total: int | None
    strong: bool


_AROUND = " \t#/!■□●○◆◇▼▽▲△★☆◎▶►▷▸※・•*=_~+-[](){}<>《》:.。「」『』|─━"
_STRONG = frozenset("#/!■□◆◇▼▽▶►▷▸=─━")
_FRAMES = frozenset({("[", "]"), ("<", ">")})
_LEAD = r"([0-9]{1,4})[ \t]*(?:[x*][ \t]*)?"


def heading_of(words: Vocabulary, bare: str) -> Heading | None:
    """What `bare` (a trimmed, levelled line) is as a heading; None if it is none in this game's words."""
    if len(bare) > _LONGEST + 32:
        return None
    core = bare.strip(_AROUND)
    if not core or len(core) > _LONGEST:
        return None
    strong = bare[0] in _STRONG or bare[-1] in ":=" or (bare[0], bare[-1]) in _FRAMES or bare[:2] == "--"
    whole = sort_of(words, core)
    if whole is not None:
        return Heading(*whole, None, strong)
    tail = compiled(words.tail).search(core)
    if tail:
        total, rest = int(tail["n"]), core[: tail.start()].strip(_AROUND)
        if not rest:
            said = words.fold(core[tail.start() : tail.start("n")].strip(_AROUND))
            if tail["c"] or said in words.totals:
                return Heading("total", None, total, strong or said in words.totals)
            return None
        return _with_total(words, rest, total, bool(tail["c"]), strong)
    lead = compiled(_LEAD).match(core)
    if lead:
        return _with_total(words, core[lead.end() :].strip(_AROUND), int(lead[1]), False, strong)
    return None


def _with_total(words: Vocabulary, rest: str, total: int, counted: bool, strong: bool) -> Heading | None:
    found = sort_of(words, rest)
    if found is not None:
        number = words.fold(rest) in words.numbered and not counted
        return Heading(*found, None if number else total, strong)
    # "cost 3: 8 cards"
    inner = rest.strip("0123456789 \t")
    if inner != rest and words.fold(inner) in words.numbered:
        return Heading("label", None, total, strong)
    return None


def sort_of(words: Vocabulary, core: str) -> tuple[Sort, str | None] | None:
    """What a text without decoration and numbers is as a heading, and its zone; None where it is none."""
    return sort_of_folded(words, words.fold(core))


def sort_of_folded(words: Vocabulary, folded: str) -> tuple[Sort, str | None] | None:
    """As `sort_of`, of a text that is folded already."""
    zone = words.zones.get(folded)
    if zone is not None:
        return "zone", zone
    if folded in words.totals:
        return "total", None
    totals = _in_a_row(words.totals)
    for total in words.totals if folded.startswith(totals) or folded.endswith(totals) else ():
        for rest in (folded.removeprefix(total), folded.removesuffix(total)):
            if rest != folded and rest in words.zones:
                return "total", words.zones[rest]
    if is_label(words, folded):
        return "label", None
    inner = folded.strip("0123456789+~")
    if inner != folded and inner in words.numbered:
        return "label", None
    return None


def misspells_zone(words: Vocabulary, text: str) -> bool:
    """Whether a text is the word for a zone but for one slip."""
    from rapidfuzz.distance import OSA

    folded = words.fold(text)
    return any(
        len(word) >= _SHORTEST_SLIP and OSA.distance(folded, word, score_cutoff=1) == 1
        for word in words.zones
    )


_SHORTEST_SLIP = 4
_JOINTS = "/&+、,|と"

_in_a_row = cache(tuple[str, ...])


def is_label(words: Vocabulary, folded: str, among: frozenset[str] | None = None) -> bool:
    """Whether a folded text is nothing but labels, one or several joined."""
    pool = words.labels if among is None else among
    if folded in pool:
        return True
    if not folded or len(folded) > _LONGEST:
        return False
    # Nearly every line is a card, which no label begins.
    if folded[0] not in _JOINTS and not folded.startswith(_in_a_row(pool)):
        return False
    longest = max(map(len, pool), default=0)
    reached = [True] + [False] * len(folded)
    for at in range(1, len(folded) + 1):
        joint = folded[at - 1] in _JOINTS
        reached[at] = (joint and reached[at - 1]) or any(
            reached[at - size] and folded[at - size : at] in pool for size in range(1, min(longest, at) + 1)
        )
    return reached[-1] and any(char not in _JOINTS for char in folded)


_MAYBE = (
    ("[", "]"),
    ("==", "=="),
    ("--", "--"),
    ("<", ">"),
    ("■", ""),
    ("□", ""),
    ("◆", ""),
    ("◇", ""),
    ("▼", ""),
    ("", ":"),
)


def may_be_heading(bare: str) -> bool:
    """Whether a trimmed, levelled line looks like a heading, whatever it says."""
    return any(bare.startswith(first) and bare.endswith(last) for first, last in _MAYBE) and any(
        char.isalnum() for char in bare
    )


TWO_ZONES = _("two zones are named")
NOT_PLAYED = frozenset("☐✗✘❌") | {
    "no",
    "いいえ",
    "無",
    "無し",
    "なし",
    "抜き",
    "抜く",
    "抜いた",
    "不採用",
    "none",
    "cut",
    "out",
}
"""What a remark says of a card that isn't in the deck, in lower case."""

_LONGEST_TEXT = 200
_FLAGS = r"\{[^{}]*\}"
_WORD_JOINTS = r"[,、;/|&+\n]"
_AHEAD = r"[\[(<]([^\[\]()<>]{1,48})[\])>][ \t]*[:=]?|([^:=]{1,48})[:=]+"


def zones_named(words: Vocabulary, text: str) -> tuple[str, ...]:
    """The zones that a text names, each once: it is one of their words, or several joined, with `{flags}` or without."""
    if len(text) > _LONGEST_TEXT:
        return ()
    whole, parts = pieces(text)
    found = (words.zones.get(words.fold(part.strip(" \t:!"))) for part in (whole, *parts))
    return tuple(dict.fromkeys(zone for zone in found if zone is not None))


def pieces(shape: str) -> tuple[str, list[str]]:
    """Levelled text without `{flags}`, whole and parted where words are joined."""
    bare = compiled(_FLAGS).sub("", shape)
    return bare, [part for part in compiled(_WORD_JOINTS).split(bare) if part.strip()]


def tagged(words: Vocabulary, comment: str) -> tuple[str, ...]:
    """The zones that a comment names as tags, `#word #word`; whatever else a comment says means nothing."""
    if not compiled(_TAGS).fullmatch(comment):
        return ()
    named = (zones_named(words, tag) for tag in comment.replace("#", " ").split())
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
