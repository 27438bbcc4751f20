"""Pages of rules: for each id what it asks in every format that has it, and cases that break and keep it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.cases import Expected, expected_of
from deckcheck.checking.format_index import IndexedFormat
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.session import Load
from deckcheck.decklists.decode import decode
from deckcheck.formats.description import rule_infos
from deckcheck.formats.lookup import shown_path, source_file
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, INFOS, UNCLEAR, UNDECIDED, WARNINGS, Finding, Report
from deckcheck.model.format import RuleInfo
from deckcheck.report.text import painter, render_finding
from deckcheck.report.wording import ENGINE_GUIDE
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import UserError, suggest, user_error
from deckcheck.support.files import read_bytes, shipped
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import cells, safe

Case = tuple[Path, Deck, Expected]

EXAMPLES = "engine.examples"
"""The folder beside a game's formats with lists that show the engine's ids: ID.txt, ID.mended.txt, and
ID.cards.yaml where cards of one's own belong to it. Each names its format."""


class Example(NamedTuple):
    """A list that shows a rule.

    `path` is how messages name it, `note` what it shows in its own words.
    `lines` are shown as they are, where the list is short enough. `report`
    holds only the findings of the rule, None where there are none.
    """

    path: str
    note: Words
    lines: tuple[str, ...] = ()
    report: Report | None = None


class RulePage(NamedTuple):
    """A rule in one format; `title` is what the rule text is called."""

    info: RuleInfo
    title: str | None
    breaks: Example | None
    keeps: Example | None


class EnginePage(NamedTuple):
    """An id of the engine, with a list that has it told and the same list mended."""

    id: str
    breaks: Example | None
    keeps: Example | None


def rules_of(shelf: Sequence[IndexedFormat]) -> tuple[RuleInfo, ...]:
    """Every rule of these formats, format by format."""
    return tuple(info for one in shelf for info in rule_infos(one.format.format, one.format.game_data.game))


def pages_of(id: str, shelf: Sequence[IndexedFormat]) -> tuple[RulePage, ...]:
    """The rule of that id in each of these formats that has it, with a case that breaks it and one that keeps it."""
    pages = []
    for one in shelf:
        for info in rule_infos(one.format.format, one.format.game_data.game):
            if info.id == id:
                breaks, keeps = _shown(info, one)
                pages.append(RulePage(info, one.format.format.title, breaks, keeps))
    return tuple(pages)


def game_showing(id: str, games: Sequence[str]) -> str:
    """The first of the games that has lists for that id of the engine; where none has, the first."""
    shown = (game for game in games if (shipped("formats") / game / EXAMPLES / f"{id}.txt").is_file())
    return next(shown, games[0])


def engine_page(id: str, game: str, load: Load) -> EnginePage:
    """An id of the engine with the lists that show it; a game may have none."""
    folder = shipped("formats") / game / EXAMPLES
    beside = folder / f"{id}.cards.yaml"
    cards = (str(beside),) if beside.is_file() else ()
    breaks = _list_shown(folder / f"{id}.txt", id, cards, load)
    return EnginePage(id, breaks, _list_shown(folder / f"{id}.mended.txt", id, cards, load))


def no_such_rule(id: str, known: Iterable[str], having: Sequence[str], asked: str | None = None) -> UserError:
    """What to say of an id that is not `known`, or is a rule of the formats in `having` and not of the one asked for."""
    if asked is not None and having:
        return user_error(
            _("{asked} has no rule {id!r}", asked=asked, id=id),
            hint=_("it is a rule of {listed}", listed=", ".join(having)),
        )
    listing = _("deckcheck rule lists them all")
    near = suggest(id, sorted({*known, *ENGINE_IDS}))
    message = Localized("か".join(f"「{one}」" for one in near), " or ".join(map(repr, near)))
    hint = _("did you mean {message}? {listing}", message=message, listing=listing) if near else listing
    return user_error(_("there is no rule {id!r}", id=id), hint=hint)


def _shown(info: RuleInfo, one: IndexedFormat) -> tuple[Example | None, Example | None]:
    """A case in which the rule is broken alone, and one that sits on its bound."""
    id = info.id
    breaking: list[Case] = []
    keeping: list[Case] = []
    for file, deck, expected in _cases(info, one):
        if expected.rules == {id}:
            breaking.append((file, deck, expected))
        if id in expected.bound:
            keeping.append((file, deck, expected))
    broken = _first(breaking, id, one.format)
    kept = next((case for case in _apt(keeping, id) if _holds(id, case[1], one.format)), None)
    return broken, None if kept is None else Example(shown_path(kept[0]), kept[2].note)


def _apt(cases: Sequence[Case], id: str) -> list[Case]:
    """The plainest first: those that are called after the rule, in few words, with few cards."""
    return sorted(
        cases,
        key=lambda case: (
            not case[0].name.startswith(id),
            len(case[0].stem),
            len(case[1].entries),
            str(case[0]),
        ),
    )


def _cases(info: RuleInfo, one: IndexedFormat) -> Iterator[Case]:
    """The cases of the format, and of the one that the rule is taken over from, that speak of the rule.

    What is wrong with them is for `formats test` to tell.
    """
    id = info.id
    folders = {one.file.with_suffix(".cases"), source_file(info.source.path).with_suffix(".cases")}
    for file in sorted(case for folder in folders for case in folder.rglob("[!.]*")):
        try:
            text = decode(read_bytes(file), shown_path(file)) if file.is_file() else ""
            if id in text:
                deck = read_deck(one.format, text, shown_path(file))
                yield file, deck, expected_of(deck)
        except UserError:
            continue


def _first(cases: Sequence[Case], id: str, format: LoadedFormat) -> Example | None:
    for file, deck, expected in _apt(cases, id):
        report = _judged(deck, format)
        found = () if report is None else _of(id, report)
        # What nobody can tell breaks nothing.
        if report is not None and found and all(one.verdict == "violated" for one in found):
            return Example(shown_path(file), expected.note, report=report._replace(findings=found))
    return None


def _holds(id: str, deck: Deck, format: LoadedFormat) -> bool:
    report = _judged(deck, format)
    return report is not None and not _of(id, report)


def _judged(deck: Deck, format: LoadedFormat) -> Report | None:
    try:
        return check(deck, format)
    except UserError:
        return None


def _of(id: str, report: Report) -> tuple[Finding, ...]:
    return tuple(one for one in report.findings if one.rule == id)


def _list_shown(file: Path, id: str, cards: tuple[str, ...], load: Load) -> Example | None:
    if not file.is_file():
        return None
    text = decode(read_bytes(file), shown_path(file))
    lines = tuple(line for line in text.splitlines() if not line.startswith("# format:"))
    reference = text.partition("# format:")[2].partition("\n")[0].strip()
    report = check(text, load(reference, cards), path=shown_path(file))
    found = _of(id, report)
    return Example(
        shown_path(file), Localized("", ""), lines, report._replace(findings=found) if found else None
    )


_INDENT = "  "
_GRAVITY = {
    "error": _("Breaking it is an error."),
    "warning": _("Breaking it is a warning."),
    "info": _("It is for information only."),
}
_OPEN = _("The verdict stays open, and it can't be ignored.")
_OPEN_UNLESS_IGNORED = _("The verdict stays open. If it is ignored, everything else decides the verdict.")
_OF_ENGINE = {
    "warning": _("It is a warning and doesn't change the verdict."),
    "info": _("It is for information only and doesn't change the verdict."),
}
_BREAKS = _("breaks it")
_KEEPS = _("keeps it")
_SHOWS = _("an example")
_MENDED = _("mended")
_SAID_BY = _("source")
_WHY = _("why")
_HOW = _("what to do")
_ENGINE = _("built into deckcheck")
_NO_CASE = _("there is no example")
_IGNORE = _(
    "“# deckcheck: ignore[ID] reason” after a card ignores that id on its line, "
    "ignore-file in the whole list."
)
_MORE = _("more about one: deckcheck rule ID")


def render_pages(pages: Sequence[RulePage], look: RenderOptions) -> str:
    """A block for each format that has the rule; formats of which the same is to be said share one."""
    blocks: dict[tuple[str, ...], list[str]] = {}
    for page in pages:
        blocks.setdefault(tuple(_page(page, look)), []).append(_head(page, look))
    return "\n".join("".join(f"{line}\n" for line in (*heads, *said)) for said, heads in blocks.items())


def render_engine_page(page: EnginePage, look: RenderOptions) -> str:
    """What an id of the engine means, why it is told, how to mend it, and both lists."""
    said, lang = ENGINE_GUIDE[page.id], look.lang
    grade = (
        _OPEN
        if page.id in UNCLEAR
        else _OPEN_UNLESS_IGNORED
        if page.id in UNDECIDED
        else _OF_ENGINE[_severity(page.id)]
    )
    lines = [
        f"{painter(look.color)(page.id, 'bold')}  {_ENGINE.in_(lang)}",
        _INDENT + said.meaning.in_(lang),
        _INDENT + _named(_WHY, said.reason.in_(lang), lang),
        _INDENT + _named(_HOW, said.remedy.in_(lang), lang),
        _INDENT + grade.in_(lang),
        *_example(_SHOWS, page.breaks, look),
        *_example(_MENDED, page.keeps, look),
    ]
    return "".join(f"{line}\n" for line in lines)


def render_list(rules: Sequence[RuleInfo], look: RenderOptions, *, engine: bool) -> str:
    """Every id with the formats that have it and what it asks in one of them; with `engine` its ids, too."""
    lang, paint = look.lang, painter(look.color)
    by_id: dict[str, list[RuleInfo]] = {}
    for info in rules:
        by_id.setdefault(info.id, []).append(info)
    lines = []
    for id in sorted(by_id):
        formats = (", " if lang != "ja" else "、").join(safe(info.format) for info in by_id[id])
        lines += [f"{paint(safe(id), 'bold')}  {formats}", _INDENT + _summary(by_id[id], look)]
    if engine:
        lines += ["", f"{_ENGINE.in_(lang)}:"]
        for id in sorted(ENGINE_IDS):
            lines += [paint(id, "bold"), _INDENT + ENGINE_GUIDE[id].meaning.in_(lang)]
    lines += ["", _MORE.in_(lang), _IGNORE.in_(lang)]
    return "".join(f"{line}\n" for line in lines)


def _severity(engine_id: str) -> str:
    return "warning" if engine_id in WARNINGS else "info" if engine_id in INFOS else "error"


def _named(head: Words, said: str, lang: str) -> str:
    return f"{head.in_(lang)}{'：' if lang == 'ja' else ': '}{said}"


def _head(page: RulePage, look: RenderOptions) -> str:
    info, paint = page.info, painter(look.color)
    return f"{paint(safe(info.id), 'bold')}  {safe(info.format_name.in_(look.lang))}  {safe(info.format)}"


def _page(page: RulePage, look: RenderOptions) -> Iterator[str]:
    info, lang = page.info, look.lang
    for sentence in info.summary.in_(lang).split("\n"):
        yield _INDENT + safe(sentence)
    yield _INDENT + _GRAVITY[info.severity].in_(lang)
    yield _INDENT + _named(_SAID_BY, safe(_reason(page, lang)), lang)
    yield from _example(_BREAKS if info.severity != "info" else _SHOWS, page.breaks, look)
    # What only lies beside the deck can't be kept or broken.
    if page.keeps is not None:
        yield from _example(_KEEPS, page.keeps, look)


def _reason(page: RulePage, lang: str) -> str:
    """The section of the rule text, and the line of the file that says it."""
    cite, place = page.info.cite, f"{page.info.source.path}:{page.info.source.line}"
    if lang == "ja":
        said = (page.title or "") + (f"「{cite}」" if cite else "")
        return f"{said}　{place}" if said else place
    said = ", ".join(part for part in (page.title, cite) if part)
    return f"{said} ({place})" if said else place


def _example(head: Words, example: Example | None, look: RenderOptions) -> Iterator[str]:
    lang = look.lang
    if example is None:
        yield _INDENT + _named(head, _NO_CASE.in_(lang), lang)
        return
    yield (_INDENT + _named(head, safe(example.note.in_(lang)), lang)).rstrip()
    inner = 2 * _INDENT
    if example.report is None:
        yield inner + safe(example.path)
        yield from (f"{inner}{_INDENT}{safe(line)}".rstrip() for line in example.lines)
        return
    for line in _first_finding(example, look):
        yield inner + line
    more = len(example.report.findings) - 1
    if more > 0:
        yield inner + (_("and {more} more", more=more).in_(lang))


def _first_finding(example: Example, look: RenderOptions) -> Iterator[str]:
    """The finding as a check prints it."""
    assert example.report is not None
    finding, width = example.report.findings[0], look.width - 2 * len(_INDENT)
    yield from render_finding(finding, example.report, look._replace(width=width)).splitlines()


def _summary(infos: Sequence[RuleInfo], look: RenderOptions) -> str:
    """The first sentence of the first format, with a mark where that isn't all."""
    first = infos[0].summary.in_(look.lang)
    sentence, more, _ = first.partition("\n")
    others = any(info.summary.in_(look.lang) != first for info in infos[1:])
    said = safe(sentence) + (" …" if more or others else "")
    return _cut(said, look.width - len(_INDENT))


def _cut(text: str, width: int) -> str:
    kept = text[: 2 * width]
    if kept == text and cells(text) <= width:
        return text
    while cells(kept) > width - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"
