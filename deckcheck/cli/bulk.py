"""`deckcheck bulk`: files of stored decks in, files of verdicts out."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from deckcheck.bulk.stored_files import Part, ending_of, find_parts, kind_of
from deckcheck.checking.judge import LoadedFormat
from deckcheck.cli import options as opt
from deckcheck.cli.check import ALL_LEGAL, NOT_CHECKED, status_of
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import Project, open_project, protect_inputs
from deckcheck.cli.terminal import Progress, show, write_messages, write_paths
from deckcheck.config.settings import DeckSettings
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _, n_
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.bulk.runs import Tally

_MOST_RULES = 10
SKIPPED = _("Skipped (not a file of decks)")
_EVERY_DECK = _("{format}: a rule itself begins or ends between the two days, so every deck is judged")


@command(
    _(
        "Judge stored decks by the million: Parquet, Arrow, CSV or JSON Lines in, a verdict per deck out. "
        "Requires pip install 'deckcheck[arrow]'."
    ),
    "format as_of best_of * lang cards games config isolated exit_zero quiet",
    epilog=_(
        "Exit status: 0 every deck is legal; 1 some deck is illegal; 2 something could not be checked; "
        "3 no deck is illegal, but some are undecided."
    ),
    help_if_bare=True,
)
def bulk(
    run: Run,
    paths: list[str] = opt.argument(
        _(
            "Files of decks, or folders of them: .parquet, .arrow, .feather, .ipc, and .csv, .jsonl, .ndjson, also with .gz."
        ),
        "PATH...",
    ),
    output: str = opt.option(
        _("File for the results of a single file, else a folder; files that are up to date stay."),
        "PATH",
        "--output",
        "-o",
        default=...,
    ),
    output_format: Literal["parquet", "arrow", "csv", "jsonl"] | None = opt.option(
        _("Output format (default: by the name of the output, else parquet).")
    ),
    changed_since: str | None = opt.option(
        _("Only decks that may be affected by what changed in the lists and rules since this day."),
        "DATE",
        convert=day_of_option,
    ),
) -> int:
    require_arrow()
    from deckcheck.bulk.runs import Job, Tally, judge_parts
    from deckcheck.report.text import render_tally
    from deckcheck.report.writer import Results

    inputs = find_parts(paths)
    project = open_project(run, paths)
    targets = _targets(inputs.parts, paths, output, output_format)
    _protect(inputs.parts, paths, output, targets)
    jobs = [
        Job(part, target, rules.format, rules.as_of, rules.best_of)
        for part, target, rules in zip(
            inputs.parts, targets, rules_of_parts(inputs.parts, project), strict=True
        )
    ]
    if changed_since is not None:
        jobs = [job.with_changes_since(changed_since) for job in jobs]
    progress = Progress(0, run.lang)
    progress.write_messages(inputs.problems)
    tally, reused, failed = Tally.empty(), 0, len(inputs.problems)
    try:
        for result in judge_parts(jobs, progress.advance):
            progress.write_messages(result.problems)
            tally = tally.plus(result.tally)
            reused += result.reused
            failed += bool(result.problems)
    finally:
        progress.clear()
    lines = list[str]()
    if not run.quiet:
        write_paths(SKIPPED, inputs.others, run.lang)
        if reused:
            write_messages(run.lang, n_("{n:,} file was up to date", "{n:,} files were up to date", reused))
        lines += _most_frequent(tally, run.lang)
    if changed_since is not None:
        names = dict.fromkeys(job.format.format.name for job in jobs if job.affects_all)
        write_messages(run.lang, *(_EVERY_DECK.filled(format=name) for name in names))
        unaffected = n_(
            "{n:,} deck left out: the changes can't affect it",
            "{n:,} decks left out: the changes can't affect them",
            tally.left_out,
        )
        lines.append(unaffected.in_(run.lang) + "\n")
    if failed:
        not_judged = n_("{n:,} file could not be judged", "{n:,} files could not be judged", failed)
        lines.append(not_judged.in_(run.lang) + "\n")
    results = Results(tally.verdicts.total())
    results.verdicts.update(tally.verdicts)  # type: ignore[arg-type]
    show("".join(lines) + render_tally(results, run.lang))
    status = status_of(tally.verdicts, failed)
    return ALL_LEGAL if run.exit_zero and status != NOT_CHECKED else status


def _most_frequent(tally: "Tally", lang: str) -> list[str]:
    """A line for each of the rules that are most often broken or left undecided."""
    numbers = [(number, safe(rule)) for rule, number in tally.rules.items()]
    numbers += [
        (number, _("{rule} (undecided)", rule=safe(rule)).in_(lang)) for rule, number in tally.open.items()
    ]
    numbers.sort(key=lambda pair: (-pair[0], pair[1]))
    width = len(f"{numbers[0][0]:,}") if numbers else 0
    return [f"{number:{width},}  {rule}\n" for number, rule in numbers[:_MOST_RULES]]


def require_arrow() -> None:
    """Raises UserError if Arrow can't be imported."""
    try:
        import numpy  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise user_error(_("this needs Arrow: pip install 'deckcheck[arrow]'")) from error


class PartRules(NamedTuple):
    """By what the decks of a part are judged: the format, the day, the games of a match, and the settings."""

    format: LoadedFormat
    as_of: str | None
    best_of: int | None
    settings: DeckSettings


def rules_of_parts(parts: Sequence[Part], project: Project) -> list[PartRules]:
    """The rules for the decks of each part. Raises UserError for one without a format, or one that can't be loaded."""
    options, found = project.options, list[PartRules]()
    for part in parts:
        settings = options.settings_of(part.path)
        reference = options.format or settings.format
        if reference is None:
            hint = _("name it with --format (see deckcheck formats)")
            raise user_error(_("no format"), path=part.path, hint=hint)
        format = project.load_format(reference)
        best_of = settings.best_of if options.best_of is None else options.best_of
        found.append(PartRules(format, options.as_of or settings.as_of, best_of, settings))
    return found


def _targets(
    parts: Sequence[Part], paths: Sequence[str], output: str, output_format: str | None
) -> list[Path]:
    """The files for the results of parts. Raises UserError for an unsuitable name, and for one that two parts have."""
    if output in ("", "-"):
        raise user_error(_("--output: name a file or a folder"))
    out, ending = Path(output), ending_of(Path(output).name)
    if not out.is_dir() and not output.endswith(("/", os.sep)):
        kind = kind_of(out.name)
        if ending is None and out.suffix and len(paths) == 1 and not Path(paths[0]).is_dir():
            hint = _("for a folder, put a / at its end")
            raise user_error(
                _("--output: {ending} isn't an output format", ending=out.suffix), path=output, hint=hint
            )
        if ending is not None:
            if output_format not in (None, kind) or ending.lower().endswith(".gz"):
                message = _("--output: {ending} doesn't fit the output format", ending=ending)
                raise user_error(message, path=output)
            if len(paths) > 1 or Path(paths[0]).is_dir():
                hint = _("each file of decks has a file of results there")
                raise user_error(
                    _("--output: name a folder for several files of decks"), path=output, hint=hint
                )
            return [out]
    targets = [out / f"{part.stem}.{output_format or 'parquet'}" for part in parts]
    first: dict[Path, Part] = {}
    for part, target in zip(parts, targets, strict=True):
        if first.setdefault(target, part) != part:
            message = _(
                "the results of {first} and {second} would be in one file",
                first=first[target].path,
                second=part.path,
            )
            hint = _("judge them in two runs, or give the files different names")
            raise user_error(message, path=str(target), hint=hint)
    return targets


def _protect(parts: Sequence[Part], paths: Sequence[str], output: str, targets: Sequence[Path]) -> None:
    """Raises UserError if results would replace decks, or would be found among them by the next run."""
    places = (output, *map(str, targets))
    protect_inputs(places, [Path(part.path) for part in parts])
    for folder in filter(os.path.isdir, paths):
        inside = Path(folder).resolve()
        for target in places:
            if Path(target).resolve().is_relative_to(inside):
                message = _("the results would be among the decks in {folder}", folder=folder)
                raise user_error(message, path=target, hint=_("name a folder elsewhere"))
