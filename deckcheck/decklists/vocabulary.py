"""The words of a game, folded once for fast lookup, and the headings that they make."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from deckcheck.cards.folding import Fold, make_fold
from deckcheck.decklists.lexer import BULLETS, Patterns, compiled, trim
from deckcheck.model.game import Game
from deckcheck.support.messages import _

_LONGEST = 48
"""The longest text that is considered as a heading."""


_ASIDE = "aside"


class Vocabulary(NamedTuple):
    """The words of `game.yaml` that appear around the cards.

    `zones` maps folded headings to zone ids; `prefixes` has the same words and the marks as shapes (see
    lexer) for "word: card" on one line; `marks` are the words on a card's own line. `numbered` are labels
    whose number is no total (a cost). `facts` are words that are never a card in a table cell. `notations`
    are those that a list may be in without any sign of it. `tail` and `counted` match the number of a heading
    at its end, and what is beside a counter behind a number at its start. `ends_at_label` are the zones that a label ends.
    `aside` are the words for what isn't in the deck, which stand for zones of their own.
    `markable_zones`, the default zone and those of the marks, are the zones that a word on a line may give to
    any card; for any other zone, the card's home must be that zone.
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
    counted: str
    notations: tuple[str, ...] = ()
    ends_at_label: frozenset[str] = frozenset()
    aside: frozenset[str] = frozenset()
    markable_zones: frozenset[str] = frozenset()


def make_vocabulary(game: Game) -> Vocabulary:
    """The vocabulary of a game."""
    fold, words = make_fold(game.folding), game.words
    zones: dict[str, str] = {}
    literal: dict[str, str] = {}
    for zone in game.zones.values():
        for heading in (*zone.headings, zone.id, zone.name.ja, zone.name.en):
            zones.setdefault(fold(heading), zone.id)
            # Lines are looked up without the decoration around them, such as the bracket of "Card(s)".
            zones.setdefault(fold(heading.strip(_DECORATION)), zone.id)
            literal.setdefault(heading.lower(), zone.id)
    marks = {word.lower(): zone for word, zone in words.marks.items()}
    # Cards that aren't in the deck go to a zone of their own, which no game has.
    aside = words.columns.get(_ASIDE, ())
    marks |= {word.lower(): word for word in aside}
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
        patterns=Patterns(words.counters, words.notes, list(marks), list(literal)),
        counters=words.counters,
        tail=_total_pattern(words.counters, words.totals),
        counted=_counted_pattern(words.counters),
        notations=words.notations,
        ends_at_label=frozenset(zone.id for zone in game.zones.values() if zone.ends_at_label),
        aside=frozenset(aside),
        markable_zones=frozenset({game.default_zone, *marks.values()}),
    )


def _longest_first(words: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(words.items(), key=lambda pair: (-len(pair[0]), pair)))


def _any_of(words: tuple[str, ...] | frozenset[str]) -> str:
    ordered = sorted((word.lower() for word in words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")" if ordered else "(?!)"


def _total_pattern(counters: tuple[str, ...], totals: frozenset[str]) -> str:
    kinds = r"[(\[]?[0-9]{1,3}[ \t]*種類?[)\]]?"
    return (
        rf"[\s:=(\[・~-]*(?:{kinds}[\s/・:,]*)?(?:{_any_of(totals)}[ \t]*[:=]?[ \t]*)?"
        rf"(?P<n>[0-9]{{1,4}})(?:[ \t]*/[ \t]*[0-9]{{1,4}})?[ \t]*(?P<c>{_any_of(counters)}|cards?\b)?"
        rf"(?:[\s/・(\[]*{kinds})?[\s)\]]*$"
    )


def _counted_pattern(counters: tuple[str, ...]) -> str:
    """Matches the text behind a number that counts cards: a word in front of or behind the counter."""
    counter = rf"(?:{_any_of(counters)}|cards?(?![a-z]))"
    return rf"{counter}[ \t]*(?:(?:in|of)[ \t]+)?(?P<behind>.+)|(?P<before>.*[^ \t])[ \t]+{counter}"


Sort = Literal["zone", "label", "total", "other"]


class Heading(NamedTuple):
    """A line as a heading: its sort, the zone that it names and the total that it states.

    `strong`: its decoration leaves little doubt that it is a heading.
    """

    sort: Sort
    zone: str | None
    total: int | None
    strong: bool


_DECORATION = " \t#/!■□●○◆◇▼▽▲△★☆◎▶►▷▸※・•*=_~+-[](){}<>《》:.。「」『』|─━"
_STRONG = frozenset("#/!■□◆◇▼▽▶►▷▸=─━")
_FRAMES = frozenset({("[", "]"), ("<", ">")})
_LEADING_COUNT = r"([0-9]{1,4})[ \t]*(?:[x*][ \t]*)?"


def heading_of(words: Vocabulary, bare: str) -> Heading | None:
    """The heading in `bare`, a trimmed shape; None if it isn't one in this game's words."""
    if len(bare) > _LONGEST + 32:
        return None
    core = bare.strip(_DECORATION)
    if not core or len(core) > _LONGEST:
        return None
    strong = bare[0] in _STRONG or bare[-1] in ":=" or (bare[0], bare[-1]) in _FRAMES or bare[:2] == "--"
    whole = sort_of(words, core)
    if whole is not None:
        return Heading(*whole, None, strong)
    tail = compiled(words.tail).search(core)
    if tail:
        total, rest = int(tail["n"]), core[: tail.start()].strip(_DECORATION)
        if not rest:
            word = words.fold(core[tail.start() : tail.start("n")].strip(_DECORATION))
            if tail["c"] or word in words.totals:
                return Heading("total", None, total, strong or word in words.totals)
            return None
        return _with_total(words, rest, total, bool(tail["c"]), strong)
    lead = compiled(_LEADING_COUNT).match(core)
    if lead:
        rest = core[lead.end() :].strip(_DECORATION)
        counter = compiled(words.counted).fullmatch(rest)
        rest = rest if counter is None else (counter["before"] or counter["behind"]).strip(_DECORATION)
        return _with_total(words, rest, int(lead[1]), counter is not None, strong)
    return None


def _with_total(words: Vocabulary, rest: str, total: int, counted: bool, strong: bool) -> Heading | None:
    sort = sort_of(words, rest)
    if sort is not None:
        number = words.fold(rest) in words.numbered and not counted
        return Heading(*sort, None if number else total, strong)
    # "cost 3: 8 cards"
    inner = rest.strip("0123456789 \t")
    if inner != rest and words.fold(inner) in words.numbered:
        return Heading("label", None, total, strong)
    return None


def sort_of(words: Vocabulary, core: str) -> tuple[Sort, str | None] | None:
    """The sort and zone of a heading without decoration and numbers; None if it isn't a heading."""
    return sort_of_folded(words, words.fold(core))


def sort_of_folded(words: Vocabulary, folded: str) -> tuple[Sort, str | None] | None:
    """`sort_of` for folded text."""
    zone = words.zones.get(folded)
    if zone is not None:
        return "zone", zone
    if folded in words.totals:
        return "total", None
    totals = _as_tuple(words.totals)
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
    """Whether a text is a word for a zone with one typing error."""
    from rapidfuzz.distance import OSA

    folded = words.fold(text)
    return any(
        len(word) >= _SHORTEST_SLIP and OSA.distance(folded, word, score_cutoff=1) == 1
        for word in words.zones
    )


_SHORTEST_SLIP = 4
_JOINTS = "/&+、,|と"

_as_tuple = cache(tuple[str, ...])


@cache
def _by_first_letter(labels: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for label in labels:
        found[label[0]] = (*found.get(label[0], ()), label)
    return found


def is_label(words: Vocabulary, folded: str, among: frozenset[str] | None = None) -> bool:
    """Whether a folded text is one label or several joined; `among` replaces the game's labels."""
    pool = words.labels if among is None else among
    if folded in pool:
        return True
    if not folded or len(folded) > _LONGEST:
        return False
    # A shortcut: nearly every line is a card, which begins with no label.
    if folded[0] not in _JOINTS and not folded.startswith(_by_first_letter(pool).get(folded[0], ())):
        return False
    longest = max(map(len, pool), default=0)
    reached = [True] + [False] * len(folded)
    for at in range(1, len(folded) + 1):
        joint = folded[at - 1] in _JOINTS
        reached[at] = (joint and reached[at - 1]) or any(
            reached[at - size] and folded[at - size : at] in pool for size in range(1, min(longest, at) + 1)
        )
    return reached[-1] and any(char not in _JOINTS for char in folded)


_HEADING_FRAMES = (
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
    """Whether a trimmed shape looks like a heading, whatever its words."""
    return any(bare.startswith(first) and bare.endswith(last) for first, last in _HEADING_FRAMES) and any(
        char.isalnum() for char in bare
    )


TWO_ZONES = _("two zones are named")
NOT_PLAYED = frozenset("☐✗✘❌") | {"no", "いいえ", "無", "無し", "なし", "抜き", "none", "cut", "out"}
"""Remarks, in lower case, on cards that aren't in the deck."""

_LONGEST_TEXT = 200
_FLAGS = r"\{[^{}]*\}"
_WORD_JOINTS = r"[,、;/|&+\n]"
_LEADING = r"[\[(<]([^\[\]()<>]{1,48})[\])>][ \t]*[:=]?|([^:=]{1,48})[:=]+"


def zones_named(words: Vocabulary, text: str) -> tuple[str, ...]:
    """The zones that a text names, each once: by one word or several joined, with or without `{flags}`."""
    if len(text) > _LONGEST_TEXT:
        return ()
    whole, parts = phrases(text)
    zones = (words.zones.get(words.fold(part.strip(" \t:!"))) for part in (whole, *parts))
    return tuple(dict.fromkeys(zone for zone in zones if zone is not None))


def phrases(shape: str) -> tuple[str, list[str]]:
    """A shape without `{flags}`, and its parts, split at joints."""
    bare = compiled(_FLAGS).sub("", shape)
    return bare, [part for part in compiled(_WORD_JOINTS).split(bare) if part.strip()]


def tagged_zones(words: Vocabulary, comment: str) -> tuple[str, ...]:
    """The zones that a comment of tags names, `#word #word`; () for any other comment."""
    if not compiled(_TAGS).fullmatch(comment):
        return ()
    named = (zones_named(words, tag) for tag in comment.replace("#", " ").split())
    return tuple(dict.fromkeys(zone for zones in named for zone in zones))


_TAGS = r"(?:#[^#\s]+[ \t]*)+"


class LeadingZone(NamedTuple):
    """A zone word before entries, which applies to all of them; `start` is where they begin."""

    zone: str
    start: int


def leading_zone(words: Vocabulary, shape: str, start: int, end: int) -> LeadingZone | None:
    """The zone word that begins a span, in brackets or before a colon, if text follows; else None."""
    at = trim(shape, start, end, " \t" + "".join(set(BULLETS) - {"<", ">"}))[0]
    match = compiled(_LEADING).match(shape, at, end)
    if match is None:
        return None
    zones = zones_named(words, match[1] or match[2])
    rest = trim(shape, match.end(), end)[0]
    return LeadingZone(zones[0], rest) if len(zones) == 1 and rest < end else None
