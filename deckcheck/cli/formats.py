"""`deckcheck formats`: which formats there are, what they say, whether their cases hold, and what follows from their rules."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from deckcheck.analysis import require_solver
from deckcheck.checking import cases
from deckcheck.checking.judge import LoadedFormat
from deckcheck.cli import options as opt
from deckcheck.cli.command import NOT_DONE, Group, Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.terminal import Progress, output, show, wants_color, write_messages, write_problems
from deckcheck.formats.description import describe_format
from deckcheck.formats.lookup import (
    bundled_formats,
    format_file,
    known_formats,
    shown_path,
    unread_formats,
)
from deckcheck.report.sarif import note_run
from deckcheck.report.text import painter
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import write_new
from deckcheck.support.messages import Words, _, n_, shortened
from deckcheck.support.safe_text import cells, safe

_TITLE = _("List, explain and test formats.")
_SHARED = "lang games config isolated"
_FORMATS: Any = opt.argument(
    _("The formats (default: those in the folders of the settings, or else all bundled ones)."),
    "ID|FILE...",
    default=None,
)
_FORMAT: Any = opt.argument(_("The format."), "ID|FILE")
_TIME_LIMIT: Any = opt.option(_("Seconds for each question."), "N", default=20, min=1)


@command(_TITLE, _SHARED)
def list_formats(run: Run) -> int:
    """Write every format by game: id, name, aliases, today's edition, and the user's own file. 2 if one is broken."""
    project = open_project(run, [])
    folders = project.options.folders
    games: dict[str, list[tuple[str, ...]]] = {}
    problems: list[Problem] = []
    for entry in known_formats(folders):
        if entry.abstract:
            continue
        game, name, edition = entry.id.partition("/")[0], entry.ja if run.lang == "ja" else entry.en, ""
        try:
            format = project.load_format(entry.id).format
            game, name = format.game, format.name.in_(run.lang)
            edition = format.edition(today().isoformat()) or ""
        except UserError as error:
            problems += error.problems
        file = shown_path(entry.file)
        row = (entry.id, name, ", ".join(entry.aliases), edition, file if file == str(entry.file) else "")
        games.setdefault(game, []).append(row)
    problems += unread_formats(folders.formats)
    show("\n".join(map(_columns, games.values())))
    write_problems(dict.fromkeys(problems), run.lang)
    return NOT_DONE if problems else 0


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    columns = []
    for column in zip(*(row[:-1] for row in rows), strict=True):
        width = max(map(cells, map(safe, column)))
        columns.append([cell + " " * (width - cells(cell)) for cell in map(safe, column)])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    files = [f"\n  {safe(row[-1])}" if row[-1] else "" for row in rows]
    return "".join(f"{line}{file}\n" for line, file in zip(lines, files, strict=True))


@command(_("Explain every rule of a format in words."), _SHARED)
def show_format(run: Run, format: str = _FORMAT) -> int:
    loaded = open_project(run, []).load_format(format)
    show(describe_format(loaded.format, loaded.game_data.game, run.lang))
    return 0


@command(_("Validate format files and run their cases."), _SHARED)
def test_formats(
    run: Run,
    formats: list[str] = _FORMATS,
) -> int:
    """Write a line for each format and case. 1 if one of them fails, 2 if a format can't be used at all."""
    settings = open_project(run, []).settings
    paint = painter(wants_color("auto", sys.stdout))
    passed, failed = paint("ok", "green"), paint(_("FAILED").in_(run.lang), "red")
    results: list[cases.Result] = []
    with output(None, exact=False) as write:
        for result in cases.test_formats(formats, folders=settings.folders, cards=settings.cards):
            results.append(result)
            write(f"{passed if result.passed else failed}  {safe(result.text.in_(run.lang))}\n")
        good = sum(result.passed for result in results)
        write(_("{passed} of {total} passed", passed=good, total=len(results)).in_(run.lang) + "\n")
    if not all(result.can_run for result in results):
        return NOT_DONE
    return 0 if good == len(results) else 1


@command(
    _("Prove that decks can keep the rules of formats, and break each of them."),
    "* as_of output lang games config isolated",
    epilog=_(
        "Exit status: 0 every rule has an effect and some deck is legal on every day; 1 a rule has none, no deck is legal, "
        "or something was not decided; 2 a format can't be used."
    ),
)
def prove_formats(
    run: Run,
    formats: list[str] = _FORMATS,
    all_dates: bool = opt.flag(_("Ask about each rule on every day on which something changes.")),
    write_cases: bool = opt.flag(_("Write the decks as cases beside the format; files that exist are kept.")),
    time_limit: int = _TIME_LIMIT,
    output_format: Literal["text", "json", "sarif"] = opt.option(_("Output format."), default="text"),
) -> int:
    project = open_project(run, [])
    folders = project.options.folders
    require_solver()
    from deckcheck.analysis.proof_reports import ProvenFormat, render_json, render_sarif, render_text
    from deckcheck.analysis.proofs import FormatProof, Prover, cases_of, change_days, unsatisfiable_days

    own = [entry for entry in known_formats(folders) if shown_path(entry.file) == str(entry.file)]
    entries = [entry.id for entry in own or bundled_formats() if not entry.abstract]
    as_of = run.as_of or today().isoformat()
    loaded: list[tuple[str, LoadedFormat, list[str]]] = []
    try:
        for reference in formats or entries:
            format = project.load_format(reference)
            if format.format.abstract:
                raise user_error(_("{format} is a base for other formats", format=format.format.id))
            loaded.append((reference, format, sorted({*change_days(format, as_of), as_of})))
    except UserError as error:
        if output_format == "sarif":
            show(note_run((), run.lang, error.problems), exact=True, file=run.output)
        raise
    progress = Progress(sum(len(days) for _reference, _format, days in loaded), run.lang)
    proven: list[ProvenFormat] = []
    for reference, format, days in loaded:
        unsatisfiable = tuple(unsatisfiable_days(format, days, time_limit, progress.advance))
        proofs: list[FormatProof] = []
        for day in days if all_dates else [as_of]:
            prover = Prover(format, day, time_limit)
            proof = prover.satisfiable()
            if proof.legal.state == "deck":
                proof = proof._replace(clauses=tuple(map(prover.prove, prover.clauses)))
            proofs.append(proof)
            if write_cases:
                folder = format_file(reference, folders=folders).with_suffix(".cases")
                _write_cases(folder, cases_of(format, proof), run.lang)
        proven.append(ProvenFormat(format, tuple(proofs), unsatisfiable, len(days)))
    progress.clear()
    render = {
        "text": lambda: render_text(proven, run.lang, time_limit),
        "json": lambda: render_json(proven, run.lang),
        "sarif": lambda: render_sarif(proven, run.lang, time_limit),
    }
    show(render[output_format](), exact=output_format != "text", file=run.output)
    return 1 if any(each.has_problems for each in proven) else 0


def _write_cases(folder: Path, found: Mapping[str, str | Words], lang: str) -> None:
    """Write the cases that are lists, and say how many there are and what is wrong with the others."""
    texts = {name: text for name, text in found.items() if isinstance(text, str)}
    wrong = [_("{file} ({reason})", file=name, reason=found[name]) for name in found if name not in texts]
    new = sum(write_new(folder / name, text.encode()) for name, text in texts.items())
    written = n_(
        "{folder}: {n} case written, {kept} kept",
        "{folder}: {n} cases written, {kept} kept",
        new,
        folder=str(folder),
        kept=len(texts) - new,
    )
    left_out = n_(
        "{folder}: {n} deck left out, because its list is read as another deck: {cases}",
        "{folder}: {n} decks left out, because their lists are read as other decks: {cases}",
        len(wrong),
        folder=str(folder),
        cases=shortened(wrong, 3),
    )
    write_messages(lang, written, *([left_out] if wrong else []))


@command(
    _("Compare what two formats, or one on two dates, allow."),
    "* output lang games config isolated",
    epilog=_(
        "Exit status: 0 it is proven that no deck legal in the first is illegal in the second; 1 some deck is, or it was not "
        "decided; 2 a format can't be used."
    ),
    help_if_bare=True,
)
def compare_formats(
    run: Run,
    first: str = _FORMAT,
    second: str | None = opt.argument(
        _("The other format (default: the same one)."), "ID|FILE", default=None
    ),
    as_of: list[str] = opt.option(
        _("The date (default: today); given twice, that of each format."), "YYYY-MM-DD"
    ),
    time_limit: int = _TIME_LIMIT,
    output_format: Literal["text", "json"] = opt.option(_("Output format."), default="text"),
) -> int:
    project = open_project(run, [])
    days = [day_of_option("--as-of", day) for day in as_of or [today().isoformat()]]
    if len(days) > 2:
        raise user_error(_("--as-of can be given at most twice"))
    if second is None and len(set(days)) < 2:
        raise user_error(_("give another format, or two dates with --as-of"))
    require_solver()
    from deckcheck.analysis.proof_reports import comparison_json, comparison_text
    from deckcheck.analysis.proofs import Inclusion, status_changes

    format, other = map(project.load_format, (first, second or first))
    asked = Inclusion(format, days[0], other, days[-1], time_limit)
    first_in_second, second_in_first = asked.first_in_second(), asked.second_in_first()
    changes = status_changes(asked.first, asked.second) if len(days) == 2 else []
    render = comparison_text if output_format == "text" else comparison_json
    text = render(asked, first_in_second, second_in_first, changes, run.lang)
    show(text, exact=output_format != "text", file=run.output)
    return 0 if first_in_second.is_included else 1


formats = Group(
    _TITLE,
    {"show": show_format, "test": test_formats, "prove": prove_formats, "compare": compare_formats},
    list_formats,
)
