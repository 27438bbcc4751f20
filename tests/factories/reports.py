"""Reports made by hand, tame and hostile, and outputs as the command line puts them together."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.model.deck import Deck
from deckcheck.model.finding import (
    ENGINE_IDS,
    CardAt,
    Finding,
    ListUsed,
    Related,
    Report,
    Suppressed,
    UnappliedChange,
    verdict_of,
)
from deckcheck.model.format import Source
from deckcheck.report.results import DESCRIBE_RULES, RenderOptions, Results, RuleInfo, output_named
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from factories.examples import examples

# Each example is a whole run, and a slow machine is no mistake.
few = examples(40)

PLAIN = RenderOptions()
RULES = ("copies", "main-size", "hall", "rare")


def finding(
    rule: str = "copies",
    severity: str = "error",
    verdict: str = "violated",
    message: str = "《天災 デドダム》が5枚あります（4枚まで）",
    line: int | None = None,
    **others: object,
) -> Finding:
    """A finding with a message that is the same in both languages."""
    column = None if line is None else others.pop("column", 1)
    return Finding(rule, severity, verdict, Localized(message, message), line, column, **others)  # type: ignore[arg-type]


def report(
    *findings: Finding,
    path: str = "decks/a.txt",
    suppressed: Iterable[Suppressed] = (),
    lines: Sequence[str] = (),
) -> Report:
    """The report of a deck of that path with these findings."""
    return Report(
        deck=Deck(path, (), (), {}, "text", tuple(lines)),
        game="duel-masters",
        format="house/cup",
        format_name=Localized("身内杯", "House cup"),
        as_of="2024-03-02",
        edition=None,
        verdict=verdict_of(findings),
        findings=findings,
        zones={},
        zone_names={},
        lists=(),
        suppressed=tuple(suppressed),
    )


def rule_info(rule: str, message: str = "4枚まで", path: str = "house/cup.yaml") -> RuleInfo:
    """What a format says of a rule."""
    said = Localized(message, message)
    return RuleInfo("house/cup", Localized("身内杯", "House cup"), rule, "error", said, None, Source(path, 3))


def written(
    name: str,
    reports: Sequence[Report],
    *,
    look: RenderOptions = PLAIN,
    problems: Sequence[Problem] = (),
    lists: Sequence[ListUsed] = (),
    rules: Sequence[RuleInfo] = (),
) -> str:
    """What the command line would write for a run with these reports."""
    output, results = output_named(name), Results()
    results.failed = len(problems)
    results.verdicts.update(one.verdict for one in reports)
    results.suppressed = sum(len(one.suppressed) for one in reports)
    results.problems = dict.fromkeys(problems)
    results.lists = dict.fromkeys(lists)
    results.rules = dict.fromkeys(rules if name in DESCRIBE_RULES else ())
    pieces: list[str] = []
    output.write([output.record(one, look) for one in reports], results, look, pieces.append)
    text = "".join(pieces)
    # Whatever is asked for, it has to go through a pipe.
    text.encode()
    return text


_NASTY = (
    "::error::x", "::stop-commands::x", " ::add-mask::x", "##[error]x", "##[group]x]",
    "%0A::error::x", "\n::error::x", "\r\n##[error]x", "a,b:c=d", "<script>alert(1)</script>",
    "<!--", "&lt;b&gt;", "]]>", "![絵](http://evil.invalid/x.png)", "[道](javascript:x)", "[1](1)",
    "https://evil.invalid/", "www.evil.invalid", "evil.example", "a@evil.invalid", "@everyone",
    "#1", "GH-1", "0123abc", ":+1:", "$x$", "|", "\\|", "\\", "`", "``", "*a*", "_a_", "~~a~~",
    "- ", "1. ", "> ", "===", "{0}", "\t", "\x00", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ufffe",
    "\uffff", "\ud800", "\udc80", "\U0001f600", "\u00a0", "　", "が", "天災 デドダム", '"', "'",
    "../", "./", "/",
)  # fmt: skip
_CHARACTER = st.characters(exclude_categories=())
hostile = st.lists(
    st.one_of(st.sampled_from(_NASTY), st.text(_CHARACTER, min_size=1, max_size=6)), min_size=1, max_size=5
).map("".join)
paths = hostile.filter(lambda path: bool(path.strip()) and path != "-")
texts = st.builds(Localized, hostile, hostile)
places = st.builds(Source, paths, st.integers(1, 99))
_cards = st.builds(CardAt, hostile, st.integers(0, 9), st.integers(1, 6), st.integers(1, 9))


_maybe = st.none() | hostile


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """A finding of which every word comes from an enemy."""
    line = draw(st.none() | st.integers(1, 6))
    made = st.builds(
        Finding,
        st.sampled_from((*RULES, *sorted(ENGINE_IDS))),
        st.sampled_from(("error", "warning", "info")),
        st.sampled_from(("violated", "undecided")),
        texts,
        st.just(line),
        st.none() if line is None else st.integers(1, 9),
        _maybe,
        st.lists(_cards, max_size=3).map(tuple),
        st.none() | st.integers(0, 9) | st.just((1, None)),
        st.none() | st.just({"at_most": 4}) | st.just({"one_of": (0, 3)}),
        _maybe,
        st.none() | places,
        st.lists(st.builds(Related, texts, paths, st.integers(1, 9)), max_size=2).map(tuple),
        st.none() | texts,
    )
    return draw(made)


_by = st.sampled_from(("line", "file", "settings"))
_suppressed = st.builds(Suppressed, findings(), _by, st.just("") | hostile, places)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A deck of which every word comes from an enemy."""
    found = draw(st.lists(findings(), max_size=4))
    lines = [line.replace("\n", "") for line in draw(st.lists(hostile, max_size=5))]
    made = report(*found, path=draw(paths), suppressed=draw(st.lists(_suppressed, max_size=2)), lines=lines)
    deck = replace(made.deck, header=draw(st.just({}) | st.builds(lambda name: {"deck": name}, hostile)))
    return replace(made, deck=deck, format_name=draw(texts), edition=draw(_maybe), title=draw(_maybe))


_number = st.none() | st.integers(1, 9)
problems = st.builds(Problem, texts, st.none() | paths, _number, _number, _maybe, st.none() | texts)
_unapplied = st.lists(st.builds(UnappliedChange, hostile, texts), max_size=2).map(tuple)
_day, _notes = st.just("2024-01-01"), st.lists(texts, max_size=2).map(tuple)
lists = st.builds(ListUsed, st.just("house/list"), texts, _maybe, _maybe, _day, st.none(), _notes, _unapplied)
runs = st.lists(reports(), max_size=3)
looks = st.sampled_from(
    [RenderOptions(lang, lenient=lenient) for lang in ("ja", "en") for lenient in (False, True)]
)

_TURNS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def obeyed(text: str) -> list[str]:
    """What of a text a terminal or a reader of lines would obey, line feeds aside."""
    return [
        char
        for char in text
        if char != "\n" and (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or ord(char) in _TURNS)
    ]
