"""Cases: decks beside a format that show what each of its rules says, and the runner that tries them.

The decks of `NAME.yaml` stand in the folder `NAME.cases`, in any notation. A
case's header says what is to be found: `# expect: legal`, or the ids of all
findings (`# expect: singleton, deck-size`), or a verdict and ids (`# expect:
legal, altered-text`; "undecided" has to be said). A legal case may name the
rules on whose bound it sits (`# bound: deck-size`). `# note:` says in words
what a case shows, and `# note-ja:` says it in Japanese; where there is only
one of them, it serves both languages. These three are comments in every
notation.

A case shows what the rules say, by the lists as they stand: that a list holds
only some of its entries is left out of what is found.

A format that is only there to be extended judges no deck, so each of its cases
names one that extends it (`# format: modern`). What a base shows of its own
rules needs no showing in the formats that take them over.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar, get_args
from unicodedata import category

from deckcheck.checking import LoadedFormat, Table, check, load_format, ready
from deckcheck.decklists.decode import decode
from deckcheck.decklists.header import read_header
from deckcheck.decks import Deck
from deckcheck.declared import day_of
from deckcheck.engineids import ENGINE_IDS, PARTIAL
from deckcheck.errors import UserError, wrong
from deckcheck.files import read_bytes
from deckcheck.formats.find import (
    BUNDLED_ONLY,
    Folders,
    bundled_formats,
    format_file,
    known_formats,
    shown_path,
    source_file,
)
from deckcheck.formats.model import Beside
from deckcheck.report.violation import Report, Verdict, verdict_of
from deckcheck.rules.clauses import Rule, Source
from deckcheck.rules.evaluate import evaluate
from deckcheck.rules.program import compile_rules
from deckcheck.rules.tally import tally
from deckcheck.rules.tighter import tighter
from deckcheck.schema import did_you_mean
from deckcheck.text import Text

VERDICTS: tuple[str, ...] = get_args(Verdict)

_SAID = re.compile(r"\s*(?:#+|//)\s*(bound|note(?:-ja)?)\s*[:：]\s*(.*?)\s*$")

Line = tuple[bool, str]
"""Whether something is as it must be, and what to tell of it."""


class Expected(NamedTuple):
    """What a case says of itself. `verdict` None: that which follows from the findings.

    Of a case without a note both sides of `note` are empty.
    """

    verdict: str | None
    rules: frozenset[str]
    bound: frozenset[str]
    note: Text


@dataclass(slots=True)
class Covered:
    """The rules that cases have shown so far: broken alone, and just kept."""

    alone: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)


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
            raise wrong("ファイルがありません", "no such file", path=str(file))
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


def _cases_of(file: Path) -> list[Path]:
    folder = file.with_suffix(".cases")
    return sorted(one for one in folder.rglob("[!.]*") if one.is_file())


def _test(
    file: Path, loaded: LoadedFormat, lang: str, load: Callable[[str], LoadedFormat], *, strict: bool
) -> Iterator[Line]:
    shown, folder = shown_path(file), file.with_suffix(".cases")
    cases = _cases_of(file)
    if not cases and loaded.format.abstract:
        yield True, f"{shown}: " + Text("ほかのフォーマットの土台です", "a base for other formats").in_(lang)
        return
    if not cases:
        ja, en = (
            f"例がありません（{folder.name} に置きます）",
            f"there are no cases (they stand in {folder.name})",
        )
        yield False, f"{shown}: " + Text(ja, en).in_(lang)
        return
    covered = Covered()
    load = cache(load)
    for case in cases:
        fault, told = _try_case(case, loaded, covered, load)
        yield not fault, f"{shown_path(case)}: {told.in_(lang)}"
    gaps = list(_gaps(file, loaded, covered))
    for source, gap in gaps:
        yield not strict, f"{shown}: {gap.in_(lang)} [{source.path}:{source.line}]"
    if not gaps:
        rules = len(list(_to_show(file, loaded, loaded.format.rules)))
        whole = Text(f"規則{rules}件、例{len(cases)}件", f"{rules} rules, {len(cases)} cases")
        yield True, f"{shown}: {whole.in_(lang)}"


def _try_case(
    file: Path, loaded: LoadedFormat, covered: Covered, load: Callable[[str], LoadedFormat]
) -> tuple[bool, Text]:
    """Whether the case is at fault, and what to tell of it; a good one adds to what is covered."""
    try:
        text = decode(read_bytes(file), shown_path(file))
        if loaded.format.abstract:
            loaded = _judge_of(text, loaded, load)
        deck = loaded.table.read(text, shown_path(file))
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
        return True, Text(fault.ja + ja, fault.en + en)
    ids = {finding.rule for finding in report.findings}
    if len(ids) == 1 and all(finding.verdict == "violated" for finding in report.findings):
        covered.alone |= ids
    covered.bound |= expected.bound
    result = _result(report.verdict, ids)
    return False, Text(result, result)


def _judge_of(text: str, base: LoadedFormat, load: Callable[[str], LoadedFormat]) -> LoadedFormat:
    """The format by which the case of a base is judged. Raises UserError."""
    name = read_header(text).get("format")
    if not name:
        raise wrong(
            "土台の例には # format: で継承したフォーマットを書きます",
            "the case of a base names with # format: one that extends it",
        )
    judge = load(name)
    if not {rule.source for rule in judge.format.rules} & {rule.source for rule in base.format.rules}:
        raise wrong(
            f"「{name}」は「{base.format.id}」の規則を使っていません",
            f"{name!r} takes over no rule of {base.format.id!r}",
        )
    return judge


def by_the_lists(report: Report) -> Report:
    """The report as it would be if the lists in use held all of their entries."""
    findings = tuple(one for one in report.findings if one.rule != PARTIAL)
    return report._replace(findings=findings, verdict=verdict_of(findings))


def expected_of(deck: Deck) -> Expected:
    """What the header of a case says. Raises UserError when it doesn't say what is expected."""
    if not deck.header.get("expect"):
        raise wrong("expect がありません", "it says no expect", path=deck.path)
    said = {found[1]: found[2] for found in map(_SAID.match, deck.lines) if found}
    words = _words(deck.header["expect"])
    verdicts = [word for word in words if word in VERDICTS]
    if len(verdicts) > 1:
        raise wrong("判定が二つあります", "it expects two verdicts", path=deck.path)
    note, japanese = said.get("note", ""), said.get("note-ja", "")
    return Expected(
        verdicts[0] if verdicts else None,
        frozenset(words) - frozenset(VERDICTS),
        frozenset(_words(said.get("bound", ""))),
        Text(japanese or note, note or japanese),
    )


def _words(listed: str) -> list[str]:
    return [word for word in re.split(r"[\s,、]+", listed) if word]


def _unknown_id(expected: Expected, loaded: LoadedFormat) -> Text | None:
    rules = {rule.id for rule in loaded.format.rules}
    known = rules | {one.id for one in loaded.format.beside} | ENGINE_IDS
    for id in sorted(expected.rules - known) + sorted(expected.bound - rules):
        hint = did_you_mean(id, known if id in expected.rules else rules)
        ja, en = f"「{id}」という規則はありません", f"there is no rule {id!r}"
        return Text(ja + (f"（{hint.ja}）" if hint else ""), en + (f" ({hint.en})" if hint else ""))
    return None


def _mismatch(expected: Expected, report: Report) -> Text | None:
    found = {finding.rule for finding in report.findings}
    # That nobody can tell is never meant by the way.
    agrees = report.verdict == expected.verdict if expected.verdict else report.verdict != "undecided"
    if agrees and found == expected.rules:
        return None
    wanted, result = _result(expected.verdict, expected.rules), _result(report.verdict, found)
    return Text(f"期待は {wanted}、結果は {result}", f"expected {wanted}; found {result}")


def _result(verdict: str | None, rules: set[str] | frozenset[str]) -> str:
    return ", ".join([*([verdict] if verdict else []), *sorted(rules)])


def _not_on_bound(expected: Expected, report: Report, loaded: LoadedFormat) -> Text | None:
    if not expected.bound:
        return None
    if report.verdict != "legal":
        ja, en = "bound は legal のデッキだけに書けます", "only a legal deck sits on a bound"
        return Text(ja, en)
    deck = report.deck
    options = {"best_of": int(deck.header["best-of"])} if "best-of" in deck.header else {}
    world = ready(loaded, day_of(deck), options).program.world
    # A legal deck knows its cards; what names none lies beside it.
    held = tally([one for one in deck.entries if one.cards], 0, frozenset(report.zone_names))
    for rule in loaded.format.rules:
        if rule.id in expected.bound:
            stricter = [rule._replace(clauses=(one,)) for clause in rule.clauses for one in tighter(clause)]
            program = compile_rules(stricter, loaded.format.banlists, world, options)
            if all(outcome.state != "violated" for outcome in evaluate(program, held)):
                ja, en = (
                    f"「{rule.id}」の限度ちょうどではありません",
                    f"it does not sit on the bound of {rule.id!r}",
                )
                return Text(ja, en)
    return None


Shown = TypeVar("Shown", Rule, Beside)


def _to_show(file: Path, loaded: LoadedFormat, rules: Iterable[Shown]) -> Iterator[Shown]:
    """Those that the format's own cases must show: its own, and those that it takes over and that no base shows."""
    for rule in rules:
        own = rule.source.path == shown_path(file)
        if own or not (loaded.format.abstract or _is_shown(source_file(rule.source.path))):
            yield rule


def _is_shown(file: Path) -> bool:
    """Whether the file is a base with cases of its own."""
    from deckcheck.yamlfile import load_yaml

    return bool(_cases_of(file)) and load_yaml(file).data.get("abstract") is True


def _gaps(file: Path, loaded: LoadedFormat, covered: Covered) -> Iterator[tuple[Source, Text]]:
    """What no case shows yet, with the place of the rule."""
    rules = list(_to_show(file, loaded, loaded.format.rules))
    told = [(rule.id, rule.source) for rule in rules]
    told += [(one.id, one.source) for one in _to_show(file, loaded, loaded.format.beside)]
    for id, source in told:
        if id not in covered.alone:
            ja, en = f"「{id}」だけが見つかる例がありません", f"no case has {id!r} as its only finding"
            yield source, Text(ja, en)
    for rule in rules:
        if rule.id not in covered.bound:
            ja = f"「{rule.id}」の限度ちょうどで問題のない例がありません（bound）"
            yield rule.source, Text(ja, f"no legal case sits on the bound of {rule.id!r}")
