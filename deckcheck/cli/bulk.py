"""`deckcheck bulk`: files of stored decks in, files of verdicts out."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deckcheck.checking.session import FormatCache
from deckcheck.cli import options as opt
from deckcheck.cli.check import ALL_LEGAL, NOT_CHECKED, SOME_ILLEGAL, SOME_UNDECIDED
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import Project, open_project, protect_inputs
from deckcheck.cli.terminal import Progress, show, tell, tell_paths
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import user_error
from deckcheck.support.files import walk
from deckcheck.support.messages import _, n_
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.bulk.parts import Part
    from deckcheck.bulk.runs import Job

_MOST_RULES = 10
_LONGEST_HEAD = 10_000
_STORED = (".parquet", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
NO_FILE_OF_DECKS = _("Skipped (no file of decks)")
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
        _("Files of decks, or folders of them: .parquet, .arrow, .feather, .csv, .jsonl, .ndjson."), "PATH..."
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
    from deckcheck.bulk.parts import find_parts
    from deckcheck.bulk.runs import NONE_JUDGED, judge_parts
    from deckcheck.report.text import render_tally
    from deckcheck.report.writer import Results

    parts, others = find_parts(paths)
    project = open_project(run, paths)
    targets = _targets(parts, paths, output, output_format)
    files, folders = (
        [Path(part.path) for part in parts],
        [Path(path) for path in paths if Path(path).is_dir()],
    )
    for place in (output, *map(str, targets)):
        protect_inputs(place, files, folders)
    jobs = jobs_of(parts, targets, project)
    if changed_since is not None:
        jobs = [job.with_changes_since(changed_since) for job in jobs]
    progress = Progress(0, run.lang)
    judged, total, reused = NONE_JUDGED, Results(), 0
    for done in judge_parts(jobs, progress.advance):
        progress.tell(done.problems)
        judged = judged.plus(done.judged)
        reused += done.reused
    progress.clear()
    total.verdicts.update(judged.verdicts)  # type: ignore[arg-type]
    total.size, rules = total.decks, judged.rules
    if not run.options.quiet:
        tell_paths(NO_FILE_OF_DECKS, others, run.lang)
        if reused:
            tell(run.lang, n_("{n:,} file was up to date", "{n:,} files were up to date", reused))
    width = len(f"{max(rules.values(), default=0):,}")
    lines = [f"{number:{width},}  {safe(rule)}\n" for rule, number in rules.most_common(_MOST_RULES)]
    if changed_since is not None:
        whole = {job.format.format.name for job in jobs if job.affects_all}
        tell(run.lang, *(_EVERY_DECK.filled(format=name) for name in whole))
        lines.append(
            _("{n:,} left out, which the changes can't affect", n=judged.left_out).in_(run.lang) + "\n"
        )
    show("".join(lines) + render_tally(total, run.lang))
    if progress.problems:
        return NOT_CHECKED
    if run.options.exit_zero:
        return ALL_LEGAL
    if total.verdicts["illegal"]:
        return SOME_ILLEGAL
    return SOME_UNDECIDED if total.verdicts["undecided"] else ALL_LEGAL


def require_arrow() -> None:
    """Raises UserError where Arrow can't be imported."""
    try:
        import numpy  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise user_error(_("this needs Arrow: pip install 'deckcheck[arrow]'")) from error


def hold_stored_decks(paths: Sequence[str]) -> bool:
    """Whether there are stored decks rather than lists: the first file that may be either tells."""
    for path in paths:
        files = [item.path for item in walk(path) if item.kind == "file"] if Path(path).is_dir() else [path]
        for file in files:
            if file.lower().endswith(_STORED):
                return True
            if file.lower().endswith((".csv", ".csv.gz")):
                return file.lower().endswith(".gz") or _has_decks(file)
    return False


def _has_decks(file: str) -> bool:
    """Whether the columns of a CSV file are those of many decks."""
    try:
        with Path(file).open("rb") as stream:
            line = stream.readline(_LONGEST_HEAD).decode("utf-8-sig", "replace")
    except OSError:
        return False
    columns = {column.strip(' "\r\n') for column in line.split(",")}
    return {"deck", "list"} <= columns or {"deck", "zone", "card", "copies"} <= columns


def _targets(
    parts: "Sequence[Part]", paths: Sequence[str], output: str, output_format: str | None
) -> list[Path]:
    """The files for the results of parts. Raises UserError for a name that doesn't fit, and for one that two parts have."""
    from deckcheck.bulk.parts import ending_of, kind_of

    if not output:
        raise user_error(_("--output: name a file or a folder"))
    out, ending = Path(output), ending_of(Path(output).name)
    if ending is not None and not out.is_dir():
        kind = kind_of(out.name)
        if output_format not in (None, kind) or ending.endswith(".gz"):
            message = _("--output: {ending} doesn't fit the output format", ending=ending)
            raise user_error(message, path=output)
        if len(paths) > 1 or Path(paths[0]).is_dir():
            hint = _("each file of decks has a file of results there")
            raise user_error(_("--output: name a folder for several files of decks"), path=output, hint=hint)
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
            raise user_error(message, path=str(target))
    return targets


def jobs_of(parts: "Sequence[Part]", targets: Sequence[Path], project: Project) -> "list[Job]":
    """What to do with each part. Raises UserError for one without a format, and for a format that can't be loaded."""
    from deckcheck.bulk.runs import Job

    options, formats, jobs = project.options, FormatCache(project.options.folders), []
    for part, target in zip(parts, targets, strict=True):
        settings = options.settings_of(part.path)
        reference = options.format or settings.format
        if reference is None:
            hint = _("name it with --format (see deckcheck formats)")
            raise user_error(_("no format"), path=part.path, hint=hint)
        format = formats.load(reference, options.cards)
        best_of = settings.best_of if options.best_of is None else options.best_of
        jobs.append(Job(part, target, format, options.as_of or settings.as_of, best_of))
    return jobs
