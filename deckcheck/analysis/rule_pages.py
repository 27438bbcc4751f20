"""`deckcheck rule`: pages about rules, with their meaning and cases that break and keep them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.cases import Expected, cases_of, expected_of
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.session import Session
from deckcheck.decklists.decoding import decode
from deckcheck.formats.description import rule_infos
from deckcheck.formats.lookup import any_broken, known_formats, shown_path, source_file
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR, Report
from deckcheck.model.format import RuleInfo
from deckcheck.report.findings import severity_of
from deckcheck.report.results import Places, RenderOptions
from deckcheck.report.text import answer, render_finding
from deckcheck.report.wording import engine_guide, source_note
from deckcheck.support.errors import Problem, UserError, suggest, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import OR, Words, _, series


class Example(Struct, frozen=True):
    """A case of a rule: its path and note, and if it breaks the rule, a report with only that rule."""

    path: str
    note: Words
    report: Report | None = None


class RulePage(Struct, frozen=True):
    """A rule of a format, with a case that breaks it and one that keeps it; `title` is that of the rules document."""

    info: RuleInfo
    title: str | None
    breaks: Example | None
    keeps: Example | None


def rule_text(
    id: str | None, asked: str | None, session: Session, look: RenderOptions
) -> tuple[str, tuple[Problem, ...]]:
    """The pages of the rule with that id, or (None) the list of all rules, in every format or in the `asked` one.

    With the problems of formats that can't be used. Raises UserError for a rule or a format that there isn't.
    """
    folders = session.options.settings.folders
    known = known_formats(folders)
    problems: tuple[Problem, ...] = ()
    if asked is not None:
        formats: tuple[LoadedFormat, ...] = (session.load(asked),)
    else:
        # Formats take seconds to load, and those of other games have no such rule.
        every_game = id is None or any_broken(folders.formats)
        wanted = None if every_game else {entry.id.partition("/")[0] for entry in known if id in entry.rules}
        formats, problems = session.loader().playable_formats(wanted)
    if id is None:
        return render_list(rules_of(formats), look, engine=asked is None), problems
    if id in ENGINE_IDS:
        return render_engine_page(id, look), problems
    pages = pages_of(id, formats)
    if pages:
        return render_pages(pages, look), problems
    if asked is None:
        message, having = _("there is no rule {id!r}", id=id), []
    else:
        message = _("{asked} has no rule {id!r}", asked=formats[0].format.id, id=id)
        every, _problems = session.loader().playable_formats()
        having = [info.format for info in rules_of(every) if info.id == id]
    hint = listing = _("deckcheck rule lists them all")
    ids = {rule for entry in known for rule in entry.rules}
    near = suggest(id, sorted(ids | ENGINE_IDS))
    if near:
        names = series([_("{name!r}", name=name) for name in near], OR)
        hint = _("did you mean {message}? {listing}", message=names, listing=listing)
    if having:
        hint = _("it is a rule of {listed}", listed=series(having))
    raise user_error(message, hint=hint)


def rules_of(formats: Sequence[LoadedFormat]) -> tuple[RuleInfo, ...]:
    """Every rule of these formats, by format."""
    return tuple(info for format in formats for info in rule_infos(format.format, format.game_data.game))


def pages_of(id: str, formats: Sequence[LoadedFormat]) -> tuple[RulePage, ...]:
    """A page for each of the formats that has a rule with that id."""
    return tuple(
        RulePage(info, format.format.title, *_examples(info, format))
        for format in formats
        for info in rules_of([format])
        if info.id == id
    )


def _examples(info: RuleInfo, format: LoadedFormat) -> tuple[Example | None, Example | None]:
    """A case that breaks only this rule, and one exactly on its bound; None if there is none."""

    def plainness(case: tuple[Deck, Expected]) -> tuple[bool, int, int, str]:
        # Best are cases named after the rule, with short names and few cards.
        file = source_file(case[0].path)
        return not file.name.startswith(info.id), len(file.stem), len(case[0].entries), str(file)

    breaks = keeps = None
    for deck, expected in sorted(_cases(info, format), key=plainness):
        may_break = breaks is None and expected.rules == {info.id}
        may_keep = keeps is None and info.id in expected.bound
        if not may_break and not may_keep:
            continue
        with suppress(UserError):
            report = check(deck, format)
            findings = tuple(finding for finding in report.findings if finding.rule == info.id)
            # An undecided finding isn't a violation.
            if may_break and {finding.verdict for finding in findings} == {"violated"}:
                breaks = Example(deck.path, expected.note, replace(report, findings=findings))
            if may_keep and not findings:
                keeps = Example(deck.path, expected.note)
    return breaks, keeps


def _cases(info: RuleInfo, format: LoadedFormat) -> Iterator[tuple[Deck, Expected]]:
    """The readable cases that mention the rule, of the format and of the one that defines the rule."""
    sources = {format.format.source.path, info.source.path}
    for file in sorted(case for path in sources for case in cases_of(source_file(path))):
        with suppress(UserError):
            text = decode(read_bytes(file), shown_path(file))
            if info.id in text:
                deck = read_deck(format, text, shown_path(file))
                yield deck, expected_of(deck)


# Output


def render_pages(pages: Sequence[RulePage], look: RenderOptions) -> str:
    """A block for each page; formats with the same text share one."""
    narrow = replace(look, width=look.width - 4)

    def first_finding(report: Report) -> str:
        """The first finding of a report, as `deckcheck check` shows it."""
        return render_finding(report.findings[0], Places(report.deck), report, narrow).rstrip("\n")

    blocks: dict[str, list[RuleInfo]] = {}
    for page in pages:
        source = source_note(page.info.cite, page.title, page.info.source)
        fields = {"info": page.info, "source": source, "page": page, "first_finding": first_finding}
        blocks.setdefault(answer("rule-page.txt", look, **fields), []).append(page.info)
    return answer("rule.txt", look, blocks=blocks)


def render_engine_page(id: str, look: RenderOptions) -> str:
    """The meaning of a built-in id, its reason and remedy, a list that has the finding, and the same list corrected."""
    guide, severity = engine_guide()[id], severity_of(id)
    return answer("rule-engine.txt", look, id=id, guide=guide, severity=severity, is_fixed=id in UNCLEAR)


def render_list(rules: Sequence[RuleInfo], look: RenderOptions, *, engine: bool) -> str:
    """Every id with its formats and its meaning in the first of them; with `engine` also the built-in ones."""
    own_ids = sorted(ENGINE_IDS) if engine else []
    guide, width = engine_guide(), look.width - 2
    return answer("rules.txt", look, rules=rules, engine=own_ids, guide=guide, width=width)
