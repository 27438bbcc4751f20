"""`deckcheck formats prove` and `compare`: what follows from the rules of a format, and from those of two."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from deckcheck.analysis import require_solver
from deckcheck.checking.judge import GameData, LoadedFormat, load_format
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.terminal import Progress, output, write_messages
from deckcheck.formats.lookup import bundled_formats, format_file, known_formats, shown_path
from deckcheck.report.sarif import note_run
from deckcheck.support.dates import day_of_option, today
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.files import write_new
from deckcheck.support.messages import Words, _, n_, shortened

_TIME_LIMIT = 20


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
    formats: list[str] | None = opt.argument(
        _("The formats (default: those in the folders of the settings, or else all bundled ones)."),
        "ID|FILE...",
        default=None,
    ),
    all_dates: bool = opt.flag(
        "--all-dates", _("Ask about each rule on every day on which something changes.")
    ),
    write_cases: bool = opt.flag(
        "--write-cases", _("Write the decks as cases beside the format; files that exist are kept.")
    ),
    time_limit: int = opt.option(_("Seconds for each question."), "N", default=_TIME_LIMIT, min=1),
    output_format: Literal["text", "json", "sarif"] = opt.option(_("Output format."), default="text"),
) -> int:
    settings = open_project(run, []).settings
    require_solver()
    from deckcheck.analysis.proof_reports import ProvenFormat, render_json, render_sarif, render_text
    from deckcheck.analysis.proofs import FormatProof, Prover, cases_of, change_days, unsatisfiable_days

    own = [entry for entry in known_formats(settings.folders) if shown_path(entry.file) == str(entry.file)]
    entries = [entry.id for entry in own or bundled_formats() if not entry.abstract]
    games: dict[str, GameData] = {}
    as_of = run.options.as_of or today().isoformat()
    loaded: list[tuple[str, LoadedFormat, list[str]]] = []
    try:
        for reference in formats or entries:
            format = load_format(reference, cards=settings.cards, games=games, folders=settings.folders)
            if format.format.abstract:
                raise user_error(_("{format} is a base for other formats", format=format.format.id))
            loaded.append((reference, format, sorted({*change_days(format, as_of), as_of})))
    except UserError as error:
        if output_format == "sarif":
            with output(run.options.output, exact=True) as write:
                write(note_run((), run.lang, error.problems))
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
                folder = format_file(reference, folders=settings.folders).with_suffix(".cases")
                _write_cases(folder, cases_of(format, proof), run.lang)
        proven.append(ProvenFormat(format, tuple(proofs), unsatisfiable, len(days)))
    progress.clear()
    render = {
        "text": lambda: render_text(proven, run.lang, time_limit),
        "json": lambda: render_json(proven, run.lang),
        "sarif": lambda: render_sarif(proven, run.lang, time_limit),
    }
    with output(run.options.output, exact=output_format != "text") as write:
        write(render[output_format]())
    return 1 if any(each.has_problems for each in proven) else 0


def _write_cases(folder: Path, cases: Mapping[str, str | Words], lang: str) -> None:
    """Write the cases that are lists, and say how many there are and what is wrong with the others."""
    texts = {name: text for name, text in cases.items() if isinstance(text, str)}
    new = sum(write_new(folder / name, text.encode()) for name, text in texts.items())
    write_messages(
        lang,
        n_(
            "{folder}: {n} case written, {kept} kept",
            "{folder}: {n} cases written, {kept} kept",
            new,
            folder=str(folder),
            kept=len(texts) - new,
        ),
    )
    wrong = [_("{file} ({reason})", file=name, reason=cases[name]) for name in cases if name not in texts]
    if wrong:
        write_messages(
            lang,
            n_(
                "{folder}: {n} deck left out, because its list is read as another deck: {cases}",
                "{folder}: {n} decks left out, because their lists are read as other decks: {cases}",
                len(wrong),
                folder=str(folder),
                cases=shortened(wrong, 3),
            ),
        )


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
    first: str = opt.argument(_("The format."), "ID|FILE"),
    second: str | None = opt.argument(
        _("The other format (default: the same one)."), "ID|FILE", default=None
    ),
    as_of: list[str] | None = opt.option(
        _("The date (default: today); given twice, that of each format."), "YYYY-MM-DD"
    ),
    time_limit: int = opt.option(_("Seconds for each question."), "N", default=_TIME_LIMIT, min=1),
    output_format: Literal["text", "json"] = opt.option(_("Output format."), default="text"),
) -> int:
    settings = open_project(run, []).settings
    days = [day_of_option("--as-of", day) for day in as_of or [today().isoformat()]]
    if len(days) > 2:
        raise user_error(_("--as-of can be given at most twice"))
    if second is None and len(set(days)) < 2:
        raise user_error(_("give another format, or two dates with --as-of"))
    require_solver()
    from deckcheck.analysis.proof_reports import comparison_json, comparison_text
    from deckcheck.analysis.proofs import Inclusion, status_changes

    games: dict[str, GameData] = {}
    format, other = (
        load_format(reference, cards=settings.cards, games=games, folders=settings.folders)
        for reference in (first, second or first)
    )
    asked = Inclusion(format, days[0], other, days[-1], time_limit)
    first_in_second, second_in_first = asked.first_in_second(), asked.second_in_first()
    changes = status_changes(asked.first, asked.second) if len(days) == 2 else []
    render = comparison_text if output_format == "text" else comparison_json
    with output(run.options.output, exact=output_format != "text") as write:
        write(render(asked, first_in_second, second_in_first, changes, run.lang))
    return 0 if first_in_second.is_included else 1
