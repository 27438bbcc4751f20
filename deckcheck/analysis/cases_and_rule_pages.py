"""`deckcheck formats test` and `deckcheck rule`: the cases of formats are run, and explain rules.

The cases of `NAME.yaml` are the decks in the folder `NAME.cases`. Their comments give the expected result:
`# expect:` a verdict ("undecided" is never implied), the ids of all findings, or both; `# bound:` the rules on
whose bound a legal case is; `# note:` and `# note-ja:` a description. Cases of abstract formats name another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.checking.session import Session
from deckcheck.decklists.decoding import decode
from deckcheck.decklists.header_directives_comments import day_of, games_of, read_header
from deckcheck.formats.description import rule_infos
from deckcheck.formats.lookup import (
    any_broken,
    bundled_formats,
    format_file,
    known_formats,
    own_path,
    shown_path,
    source_file,
)
from deckcheck.model.deck import Deck
from deckcheck.model.finding import ENGINE_IDS, UNCLEAR, FindingId, Report, Verdict, verdict_of
from deckcheck.model.format import Bound, Clause, Format, Linear, Rule, RuleInfo, SetAside
from deckcheck.report.findings import severity_of
from deckcheck.report.results import Places, RenderOptions
from deckcheck.report.text import answer, render_finding
from deckcheck.report.wording import VERDICTS, engine_guide, source_note
from deckcheck.rules.clauses import compile_rules
from deckcheck.rules.counting import tally
from deckcheck.rules.evaluator import evaluate
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Localized, Words, _, series
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import output, painter

_COMMENT = re.compile(r"\s*(?:#+|//)\s*(bound|note(?:-ja)?)\s*[:：]\s*(.*?)\s*$")


class Outcome(Enum):
    """How a case or a format as a whole did."""

    PASSED = auto()
    FAILED = auto()
    CANNOT_RUN = auto()
    NOTE = auto()
    """It only says what no case covers, and counts as neither passed nor failed."""


class Result(Struct, frozen=True):
    """The result of a case or of a format as a whole."""

    outcome: Outcome
    text: Words | Problem


class Expected(Struct, frozen=True):
    """The expected result of a case; with `verdict` None, any verdict but "undecided"."""

    verdict: str | None
    rules: frozenset[str]
    bound: frozenset[str]
    note: Localized


def expected_of(deck: Deck) -> Expected:
    """The expected result in the header of a case. Raises UserError without one."""
    if not deck.header.get("expect"):
        raise user_error(_("no “# expect:” line"), path=deck.path)
    comments = {match[1]: match[2] for match in map(_COMMENT.match, deck.lines) if match}
    words = _words(deck.header["expect"])
    verdicts = [word for word in words if word in set(Verdict)]
    if len(verdicts) > 1:
        raise user_error(_("“# expect:” names two verdicts"), path=deck.path)
    note, japanese = comments.get("note", ""), comments.get("note-ja", "")
    return Expected(
        verdicts[0] if verdicts else None,
        frozenset(words) - set(Verdict),
        frozenset(_words(comments.get("bound", ""))),
        Localized(japanese or note, note or japanese),
    )


def _words(listed: str) -> list[str]:
    return [word for word in re.split(r"[\s,、]+", listed) if word]


def cases_of(file: Path) -> list[Path]:
    """The cases of a format's file, sorted by path."""
    folder = file.with_suffix(".cases")
    return sorted(case for case in folder.rglob("[!.]*") if case.is_file())


def test_cases(references: Sequence[str], session: Session) -> Iterator[Result]:
    """Validate formats and run their cases; yields a result for each case, and problems of formats as a whole.

    The default is every format in the folders of the settings or, if there are none, every bundled one. Each rule needs a case with
    it as the only finding, and a legal one on its bound; for custom formats that is only noted. Raises UserError.
    """
    folders = session.options.settings.folders
    own = [named for named in known_formats(folders) if own_path(named.file)]
    default = [named.file for named in own or bundled_formats()]
    files = [format_file(reference, folders=folders) for reference in references] or default
    for file in files:
        if not file.is_file():
            raise user_error(_("no such file"), path=str(file))
    for file in files:
        try:
            loaded = session.load(str(file))
        except UserError as error:
            yield from (Result(Outcome.CANNOT_RUN, problem) for problem in error.problems)
            continue
        yield from _results(file, loaded, session)


def _result(outcome: Outcome, path: str, text: Words) -> Result:
    return Result(outcome, _("{path}: {text}", path=path, text=text))


def _results(file: Path, loaded: LoadedFormat, session: Session) -> Iterator[Result]:
    """A result for each case of a format, then the rules without cases, which fail only if it is bundled."""
    path, format, cases = shown_path(file), loaded.format, cases_of(file)
    if not cases:
        missing = _("there are no cases (put them in {folder})", folder=file.with_suffix(".cases").name)
        base = _result(Outcome.PASSED, path, _("a base for other formats"))
        yield base if format.abstract else _result(Outcome.FAILED, path, missing)
        return
    only_findings, on_bound = set[str](), set[str]()
    for case in cases:
        place = shown_path(case)
        try:
            expected, report = _tried(case, place, loaded, session)
        except UserError as error:
            yield _result(Outcome.FAILED, place, error.problems[0].message)
            continue
        ids = {finding.rule for finding in report.findings}
        if len(ids) == 1 and all(finding.verdict == "violated" for finding in report.findings):
            only_findings |= ids
        on_bound |= expected.bound
        yield _result(Outcome.PASSED, place, _outcome(report.verdict, ids))
    every: tuple[Rule | SetAside, ...] = (*format.rules, *format.set_aside)
    to_cover = [rule for rule in every if _is_to_cover(rule, path, format)]
    rules = [rule for rule in to_cover if isinstance(rule, Rule)]
    gaps = [
        (rule, _("no case has {rule!r} as its only finding", rule=rule.id))
        for rule in to_cover
        if rule.id not in only_findings
    ]
    gaps += [
        (rule, _("no legal case sits on the bound of {rule!r}", rule=rule.id))
        for rule in rules
        if rule.id not in on_bound
    ]
    for rule, gap in gaps:
        text = _("{gap} [{place}]", gap=gap, place=rule.source.place)
        yield _result(Outcome.NOTE if own_path(file) else Outcome.FAILED, path, text)
    if not gaps:
        text = _("{rules} rules, {cases} cases", rules=len(rules), cases=len(cases))
        yield _result(Outcome.PASSED, path, text)


def _is_to_cover(rule: Rule | SetAside, path: str, format: Format) -> bool:
    """Whether the cases of the format at `path` must cover a rule: its own, or that of an abstract base without cases."""
    if rule.source.path == path or format.abstract:
        return rule.source.path == path
    base = source_file(rule.source.path)
    return not cases_of(base) or load_yaml(base).data.get("abstract") is not True


def _tried(file: Path, path: str, loaded: LoadedFormat, session: Session) -> tuple[Expected, Report]:
    """What is expected of a case, and its report. Raises UserError if they differ, or for a case that can't be read."""
    text = decode(read_bytes(file), path)
    if loaded.format.abstract:
        loaded = _format_of_case(text, loaded.format, session)
    deck = read_deck(loaded, text, path)
    expected = expected_of(deck)
    report = assuming_complete_lists(check(deck, loaded))
    for fault in _faults(expected, report, loaded):
        raise user_error(
            _("{fault} [{note}]", fault=fault, note=expected.note) if expected.note.en else fault
        )
    return expected, report


def _format_of_case(text: str, base: Format, session: Session) -> LoadedFormat:
    """The format that checks a case of an abstract format. Raises UserError."""
    name = read_header(text).get("format")
    if not name:
        raise user_error(_("a case of an abstract format names, with # format:, a format that extends it"))
    folders, beside = session.options.settings.folders, source_file(base.source.path)
    judge = session.load(str(format_file(name, beside, folders)))
    if not {rule.source for rule in judge.format.rules} & {rule.source for rule in base.rules}:
        raise user_error(_("{format!r} uses no rule of {base!r}", format=name, base=base.id))
    return judge


def assuming_complete_lists(report: Report) -> Report:
    """The report as if the banlists in use were complete."""
    findings = tuple(finding for finding in report.findings if finding.rule != FindingId.PARTIAL_BANLIST)
    return replace(report, findings=findings, verdict=verdict_of(findings))


def _faults(expected: Expected, report: Report, loaded: LoadedFormat) -> Iterator[Words]:
    """Messages on errors in a case, or differences between its report and the expected result."""
    format, deck, reported = loaded.format, report.deck, {finding.rule for finding in report.findings}
    rules = {rule.id for rule in format.rules}
    known = rules | {kind.id for kind in format.set_aside} | ENGINE_IDS
    for id in sorted(expected.rules - known) + sorted(expected.bound - rules):
        unknown = _("there is no rule {rule!r}", rule=id)
        hint = did_you_mean(id, known if id in expected.rules else rules)
        yield unknown if hint is None else _("{text} ({more})", text=unknown, more=hint)
    # "undecided" has to be expected explicitly.
    agrees = report.verdict == expected.verdict if expected.verdict else report.verdict != "undecided"
    if not agrees or reported != expected.rules:
        yield _(
            "expected {expected}; found {found}",
            expected=_outcome(expected.verdict, expected.rules),
            found=_outcome(report.verdict, reported),
        )
    if expected.bound and report.verdict != "legal":
        yield _("only a legal deck sits on a bound")
    best_of = games_of(deck)
    world = loaded.prepared(day_of(deck), best_of).world
    # In a legal deck, unknown names can only be cards set aside.
    contents = tally([entry for entry in deck.entries if entry.cards], 0, frozenset(report.zone_names))
    for rule in format.rules:
        if rule.id in expected.bound:
            stricter = [replace(rule, clauses=(new,)) for clause in rule.clauses for new in tighter(clause)]
            clauses = compile_rules(stricter, format.banlists, world, best_of)
            outcomes, _assumptions = evaluate(clauses, contents)
            if all(outcome.state != "violated" for outcome in outcomes):
                yield _("it does not sit on the bound of {rule!r}", rule=rule.id)


def _outcome(verdict: str | None, rules: Iterable[str]) -> Words:
    return series([*([VERDICTS[Verdict(verdict)]] if verdict else []), *sorted(rules)])


def write_results(results: Iterable[Result], lang: str, color: bool) -> Counter[Outcome]:
    """Write each result as it comes, and how many passed; returns how many had each outcome."""
    paint = painter(color)
    marks = dict.fromkeys(Outcome, paint(_("FAILED").in_(lang), "red"))
    marks |= {Outcome.PASSED: paint("ok", "green"), Outcome.NOTE: _("note").in_(lang)}
    counts: Counter[Outcome] = Counter()
    with output(None, exact=False) as write:
        for result in results:
            write(f"{marks[result.outcome]}  {safe(result.text.in_(lang))}\n")
            counts[result.outcome] += 1
        total = counts.total() - counts[Outcome.NOTE]
        write(_("{passed} of {total} passed", passed=counts[Outcome.PASSED], total=total).in_(lang) + "\n")
    return counts


def tighter(clause: Clause) -> Iterator[Clause]:
    """Yields the clause with one bound tighter by one, so that a deck exactly on the bound breaks it."""
    if clause.either:
        # All ways are tightened, each at both ends, to avoid a large number of combinations.
        yield replace(clause, either=tuple(map(_tightened, clause.either)))
    elif clause.one_of is not None:
        yield _tightened(clause)
    else:
        if clause.high is not None:
            yield replace(clause, high=_moved(clause.high, -1))
        if clause.low is not None:
            yield replace(clause, low=_moved(clause.low, 1))


def _tightened(clause: Clause) -> Clause:
    if clause.one_of is not None:
        return replace(clause, one_of=(-1,))
    return replace(clause, low=_moved(clause.low, 1), high=_moved(clause.high, -1))


def _moved(bound: Bound | None, by: int) -> Bound | None:
    if isinstance(bound, Linear):
        return replace(bound, base=bound.base + by)
    return None if bound is None else bound + by


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
    message, hint = _("there is no rule {id!r}", id=id), None
    if asked is not None:
        message = _("{asked} has no rule {id!r}", asked=formats[0].format.id, id=id)
        every, _problems = session.loader().playable_formats()
        having = [info.format for info in rules_of(every) if info.id == id]
        hint = _("it is a rule of {listed}", listed=series(having)) if having else None
    ids = {rule for entry in known for rule in entry.rules} | ENGINE_IDS
    raise user_error(message, hint=hint or did_you_mean(id, ids) or _("deckcheck rule lists them all"))


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
