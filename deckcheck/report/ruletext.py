"""Rules explained as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.model.finding import ENGINE_IDS, INFOS, UNCLEAR, UNDECIDED, WARNINGS
from deckcheck.report.engineguide import ENGINE_GUIDE
from deckcheck.report.rulepages import EnginePage, Example, RulePage
from deckcheck.report.terminal import painter
from deckcheck.report.text import render_finding
from deckcheck.report.writer import RenderOptions, RuleInfo
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import cells, safe

_INDENT = "  "
_GRAVITY = {
    "error": _("Breaking it is an error."),
    "warning": _("Breaking it is a warning."),
    "info": _("It is only told."),
}
_OPEN = _("It leaves the verdict open, and it can't be ignored.")
_OPEN_UNLESS_IGNORED = _("It leaves the verdict open. Where it is ignored, the verdict goes by all else.")
_OF_ENGINE = {
    "warning": _("It is a warning and doesn't change the verdict."),
    "info": _("It only tells and doesn't change the verdict."),
}
_BREAKS = _("breaks it")
_KEEPS = _("keeps it")
_SHOWS = _("an example")
_MENDED = _("mended")
_SAID_BY = _("source")
_WHY = _("why")
_HOW = _("what to do")
_ENGINE = _("told by deckcheck itself")
_NO_CASE = _("there is no example")
_IGNORE = _(
    "“# deckcheck: ignore[ID] reason” behind a card leaves an id out on that line, "
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
        _INDENT + _named(_WHY, said.why.in_(lang), lang),
        _INDENT + _named(_HOW, said.mend.in_(lang), lang),
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
