"""The runner that tries the cases of formats.

A case shows what the rules say, by the lists as they stand: that a list holds
only some of its entries is left out of what is found.

A format that is only there to be extended judges no deck, so each of its cases
names one that extends it (`# format: modern`). What a base shows of its own
rules needs no showing in the formats that take them over.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from unicodedata import category

from deckcheck.checking.casecoverage import Covered, cases_of, gaps, to_show
from deckcheck.checking.caseexpected import Expected, expected_of
from deckcheck.checking.declared import day_of, games_of, options_for
from deckcheck.checking.judge import LoadedFormat, Table, check, load_format, read_deck, ready
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.formats.find import (
    BUNDLED_ONLY,
    Folders,
    bundled_formats,
    format_file,
    known_formats,
    shown_path,
)
from deckcheck.model.finding import ENGINE_IDS, PARTIAL, Report, verdict_of
from deckcheck.rules.evaluate import evaluate
from deckcheck.rules.program import compile_rules
from deckcheck.rules.tally import tally
from deckcheck.rules.tighter import tighter
from deckcheck.support.errors import UserError, did_you_mean, wrong
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.text import Text

Line = tuple[bool, str]
"""Whether something is as it must be, and what to tell of it."""


def test_formats(
    references: Sequence[str],
    lang: str,
    *,
    strict: bool = False,
    folders: Folders = BUNDLED_ONLY,
    cards: Sequence[Path] = (),
) -> Iterator[Line]:
    """Validate formats and run their cases: a line a case, and what is wrong with a format as a whole.

    `references` are ids, names or files; with none every format in `folders`
    is tried, and where there are none every bundled one. `cards` are files
    with cards of one's own. A bundled format passes when each of its rules has a case in which it
    is the only finding and a legal one that sits on its bound; of a format of
    one's own it is told where one is missing, and is wrong only if `strict`.
    Raises UserError for a
    format that is not there.
    """
    files = [format_file(one, folders=folders) for one in references] or _all_files(folders)
    for file in files:
        if not file.is_file():
            raise wrong(_("no such file"), path=str(file))
    tables: dict[str, Table] = {}
    for file in files:
        bundled = shown_path(file) != str(file)
        try:
            loaded = load_format(str(file), cards=cards, tables=tables, folders=folders)
        except UserError as error:
            yield from ((False, _shown(problem.in_(lang))) for problem in error.problems)
            continue

        def load(reference: str, base: Path = file) -> LoadedFormat:
            found = format_file(reference, base, folders)
            return load_format(found, cards=cards, tables=tables, folders=folders)

        lines = _test(file, loaded, lang, load, strict=strict or bundled)
        yield from ((fine, _shown(told)) for fine, told in lines)


def _shown(told: str) -> str:
    """A line without the control characters that a file's name or note may hold."""
    return "".join(repr(char)[1:-1] if category(char)[0] == "C" else char for char in told)


def _all_files(folders: Folders) -> list[Path]:
    own = [one for one in known_formats(folders) if shown_path(one.file) == str(one.file)]
    return [one.file for one in own or bundled_formats()]


def _test(
    file: Path, loaded: LoadedFormat, lang: str, load: Callable[[str], LoadedFormat], *, strict: bool
) -> Iterator[Line]:
    shown, folder = shown_path(file), file.with_suffix(".cases")
    cases = cases_of(file)
    if not cases and loaded.format.abstract:
        yield True, f"{shown}: " + _("a base for other formats").in_(lang)
        return
    if not cases:
        message = _("there are no cases (they stand in {folder})", folder=folder.name)
        yield False, f"{shown}: " + message.in_(lang)
        return
    covered = Covered()
    load = cache(load)
    for case in cases:
        fault, told = _try_case(case, loaded, covered, load)
        yield not fault, f"{shown_path(case)}: {told.in_(lang)}"
    missing = list(gaps(file, loaded, covered))
    for source, gap in missing:
        yield not strict, f"{shown}: {gap.in_(lang)} [{source.path}:{source.line}]"
    if not missing:
        rules = len(list(to_show(file, loaded, loaded.format.rules)))
        whole = _("{rules} rules, {n} cases", rules=rules, n=len(cases))
        yield True, f"{shown}: {whole.in_(lang)}"


def _try_case(
    file: Path, loaded: LoadedFormat, covered: Covered, load: Callable[[str], LoadedFormat]
) -> tuple[bool, Words]:
    """Whether the case is at fault, and what to tell of it; a good one adds to what is covered."""
    try:
        text = decode(read_bytes(file), shown_path(file))
        if loaded.format.abstract:
            loaded = _judge_of(text, loaded, load)
        deck = read_deck(loaded, text, shown_path(file))
        expected = expected_of(deck)
        report = by_the_lists(check(deck, loaded))
    except UserError as error:
        return True, error.problems[0].message
    fault = (
        _unknown_id(expected, loaded)
        or _mismatch(expected, report)
        or _not_on_bound(expected, report, loaded)
    )
    if fault is not None:
        ja, en = (f" [{one}]" if one else "" for one in expected.note)
        return True, Localized(fault.ja + ja, fault.en + en)
    ids = {finding.rule for finding in report.findings}
    if len(ids) == 1 and all(finding.verdict == "violated" for finding in report.findings):
        covered.alone |= ids
    covered.bound |= expected.bound
    result = _result(report.verdict, ids)
    return False, Localized(result, result)


def _judge_of(text: str, base: LoadedFormat, load: Callable[[str], LoadedFormat]) -> LoadedFormat:
    """The format by which the case of a base is judged. Raises UserError."""
    name = read_header(text).get("format")
    if not name:
        raise wrong(_("the case of a base names with # format: one that extends it"))
    judge = load(name)
    if not {rule.source for rule in judge.format.rules} & {rule.source for rule in base.format.rules}:
        raise wrong(_("{name!r} takes over no rule of {id!r}", name=name, id=base.format.id))
    return judge


def by_the_lists(report: Report) -> Report:
    """The report as it would be if the lists in use held all of their entries."""
    findings = tuple(one for one in report.findings if one.rule != PARTIAL)
    return report._replace(findings=findings, verdict=verdict_of(findings))


def _unknown_id(expected: Expected, loaded: LoadedFormat) -> Words | None:
    rules = {rule.id for rule in loaded.format.rules}
    known = rules | {one.id for one in loaded.format.set_aside} | ENGINE_IDS
    for id in sorted(expected.rules - known) + sorted(expected.bound - rules):
        hint = did_you_mean(id, known if id in expected.rules else rules)
        message = _("there is no rule {id!r}", id=id)
        return Text(
            message.ja + (f"（{hint.ja}）" if hint else ""), message.en + (f" ({hint.en})" if hint else "")
        )
    return None


def _mismatch(expected: Expected, report: Report) -> Words | None:
    found = {finding.rule for finding in report.findings}
    # That nobody can tell is never meant by the way.
    agrees = report.verdict == expected.verdict if expected.verdict else report.verdict != "undecided"
    if agrees and found == expected.rules:
        return None
    wanted, result = _result(expected.verdict, expected.rules), _result(report.verdict, found)
    return _("expected {wanted}; found {result}", wanted=wanted, result=result)


def _result(verdict: str | None, rules: set[str] | frozenset[str]) -> str:
    return ", ".join([*([verdict] if verdict else []), *sorted(rules)])


def _not_on_bound(expected: Expected, report: Report, loaded: LoadedFormat) -> Words | None:
    if not expected.bound:
        return None
    if report.verdict != "legal":
        return _("only a legal deck sits on a bound")
    deck = report.deck
    options = options_for(games_of(deck))
    world = ready(loaded, day_of(deck), options).program.world
    # A legal deck knows its cards; what names none lies beside it.
    held = tally([one for one in deck.entries if one.cards], 0, frozenset(report.zone_names))
    for rule in loaded.format.rules:
        if rule.id in expected.bound:
            stricter = [rule._replace(clauses=(one,)) for clause in rule.clauses for one in tighter(clause)]
            program = compile_rules(stricter, loaded.format.banlists, world, options)
            if all(outcome.state != "violated" for outcome in evaluate(program, held)):
                return _("it does not sit on the bound of {id!r}", id=rule.id)
    return None
