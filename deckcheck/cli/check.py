"""`deckcheck check`: many lists in, results and an exit status out."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Annotated, Any, Literal, NamedTuple

import typer

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, find_decks, why_skipped
from deckcheck.checking.session import CheckOptions, Item, Request, check_paths
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.help import FILES, OUTPUT, RULES, Command, examples
from deckcheck.cli.project import (
    note_card_tables,
    project_settings,
    protect_lists,
    same_options,
    with_settings,
)
from deckcheck.cli.run import Run, Status
from deckcheck.config.settings import NO_SETTINGS, Settings, with_exclude, with_rules
from deckcheck.report.writer import (
    FOR_PEOPLE,
    OUTPUT_FORMATS,
    TELL_OUTDATED_LISTS,
    TELL_OWN_FACTS,
    OutputFormat,
    RenderOptions,
    Results,
)
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, _, series
from deckcheck.support.safe_text import safe

_SKIPPED = _("Skipped (not a decklist)")

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    help=N_("Check decks."),
    epilog=examples(
        "deckcheck check deck.txt --format original",
        "deckcheck check - --format modern",
        "deckcheck check decks/ --report junit=results.xml",
    )
    + N_(
        "Exit status: 0 every deck is legal; 1 some deck is illegal; 2 something could not be checked; "
        "3 no deck is illegal, but some are undecided."
    ),
)
def check(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help=N_("Decklist files, folders, or - for standard input.")),
    ] = None,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help=N_(
                "Fix what is certain, then check: names of at least 5 characters with exactly one card at edit "
                "distance 1 and no other within 2 (numbers are never changed), and repeated lines for one card in "
                "one zone. A deck on standard input is written to standard output and not checked."
            ),
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff", help=N_("Show as a diff what --fix would change, without writing or checking.")
        ),
    ] = False,
    format: opt.Format = None,
    as_of: opt.AsOf = None,
    best_of: opt.BestOf = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE,...",
            autocompletion=opt.rule_names,
            rich_help_panel=RULES,
            help=N_("Report only these rules."),
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE,...",
            autocompletion=opt.rule_names,
            rich_help_panel=RULES,
            help=N_("Do not report these rules."),
        ),
    ] = None,
    unknown: Annotated[
        Literal["error", "warn"] | None,
        typer.Option(
            envvar="DECKCHECK_UNKNOWN",
            rich_help_panel=RULES,
            help=N_(
                "How to treat missing card data (default: error). With warn, it does not lead to exit status 3."
            ),
        ),
    ] = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            rich_help_panel=FILES,
            help=N_("Skip paths that match this .gitignore-style pattern (repeatable)."),
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            rich_help_panel=FILES,
            help=N_("Apply exclusions to paths named on the command line, too."),
        ),
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(metavar="NAME", rich_help_panel=FILES, help=N_("File name to use for standard input.")),
    ] = None,
    show_files: Annotated[
        bool,
        typer.Option("--show-files", rich_help_panel=FILES, help=N_("List the files that would be checked.")),
    ] = False,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            envvar="DECKCHECK_OUTPUT_FORMAT",
            rich_help_panel=OUTPUT,
            help=N_("Output format (default: text)."),
        ),
    ] = None,
    output: opt.Output = None,
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE",
            rich_help_panel=OUTPUT,
            help=N_("Also write the results to this file, in this output format (repeatable)."),
        ),
    ] = None,
    exit_zero: opt.ExitZero = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            rich_help_panel=OUTPUT,
            help=N_("Of many decks, show those without findings, too, and why files are skipped."),
        ),
    ] = False,
    color: opt.Color = "auto",
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    if not paths:
        terminal.write_messages(
            run.lang,
            _("Which decks? deckcheck check FILE or FOLDER…, or - for standard input"),
            _(
                "A list names its format in a line “# format: NAME”, or give --format NAME (see deckcheck formats)."
            ),
            _("All options: deckcheck check --help"),
        )
        return Status.ERROR
    opt.refuse_together("--diff", diff, {"--output": output, "--report": report})
    opt.refuse_together(
        "--show-files", show_files, {"--fix": fix, "--diff": diff, "--output": output, "--report": report}
    )
    reports = _reports(report or (), output)
    settings = project_settings(run, paths, games=games, config=config, stdin_name=stdin_filename)
    settings = with_rules(settings, opt.split(select), opt.split(ignore), format)
    settings = with_exclude(settings, exclude or (), force_exclude)
    if show_files:
        return _show_files(paths, settings, run.lang, stdin_filename)
    note_card_tables(run, cards or (), settings.folders)
    options = CheckOptions(
        format, as_of, best_of, tuple(cards or ()), stdin_name=stdin_filename, notation=notation
    )
    lenient = (unknown or settings.unknown) == "warn"
    request = Request(
        with_settings(options, settings),
        output_format or settings.output_format or "text",
        RenderOptions(run.lang, lenient=lenient, verbose=verbose),
        tuple(reports.values()),
    )
    repeated = same_options(options, games, config)
    files = (output, *reports)
    status = check_lists(
        paths, request, settings=settings, files=files, fix=fix, diff=diff, color=color, repeated=repeated
    )
    return Status.OK if exit_zero and status != Status.ERROR else status


def _reports(values: Sequence[str], output: str | None) -> dict[str, str]:
    """The formats of further reports by their files. Raises UserError for an unknown one or a file named twice."""
    found: dict[str, str] = {}
    places = set[str]() if output is None else {os.path.realpath(output)}
    for value in values:
        format, _equals, file = value.partition("=")
        if format not in OUTPUT_FORMATS or not file:
            hint = _("write FORMAT=FILE with one of {formats}", formats=series(OUTPUT_FORMATS))
            raise user_error(_("--report: “{value}” names no format and file", value=value), hint=hint)
        place = os.path.realpath(file)
        if place in places:
            raise user_error(_("--report: two reports would be written to this file"), path=file)
        places.add(place)
        found[file] = format
    return found


def _show_files(paths: Sequence[str], settings: Settings, lang: str, stdin_name: str | None) -> Status:
    """Write the path of every list that would be checked, one per line; the status is 2 if one is missing."""
    items = list(find_decks(paths, settings=settings, stdin_name=stdin_name))
    terminal.show_lines((item.path for item in items if isinstance(item, DeckFile)), lang)
    problems = [problem for item in items if isinstance(item, UserError) for problem in item.problems]
    terminal.write_problems(problems, lang)
    return Status.ERROR if problems else Status.OK


def check_lists(
    paths: Sequence[str],
    request: Request,
    *,
    settings: Settings = NO_SETTINGS,
    files: Sequence[str | None] = (None,),
    fix: bool = False,
    diff: bool = False,
    color: terminal.Color = "auto",
    repeated: Sequence[str] = (),
) -> Status:
    """Check every list under `paths`, write the results, and return the exit status.

    `files` are those of the request's output (None: standard output) and reports. With `fix` lists are corrected before;
    with `diff` that is only shown. `repeated` are options with which other commands judge alike. Raises UserError when the results can't be written.
    """
    skipped: list[str] = []
    excluded: list[str] = []
    items = list(find_decks(paths, skipped, settings, excluded, request.check.stdin_name))
    for file in files:
        protect_lists(file, items)
    lang = request.render.lang
    if not items:
        terminal.write_paths(_SKIPPED, skipped, lang)
        terminal.write_paths(_("Nothing to check: all files are excluded"), excluded, lang)
    failed = 0
    if fix or diff:
        items, changed, failed = fix_paths(items, request.check, lang, named=paths, diff=diff, color=color)
        if diff or not items:
            if failed:
                return Status.ERROR
            return Status.PROBLEMS if diff and changed else Status.OK
    plain = request.output != "text"
    look = terminal.render_options(lang, color, file=files[0], plain=plain)
    look = look._replace(brief=len(items) > 1, lenient=request.render.lenient, verbose=request.render.verbose)
    total = _check(items, request._replace(render=look), files)
    skipped += total.skipped
    if look.verbose:
        reasons = (*why_skipped(skipped, settings), *((path, _("excluded")) for path in excluded))
        lines = (_("Skipped: {path} ({reason})", path=safe(path), reason=why) for path, why in reasons)
        terminal.write_messages(lang, *lines)
    else:
        terminal.write_paths(_SKIPPED, skipped, lang)
    if total.skipped and not total.size and not settings.force_exclude:
        raise user_error(_("no decks in this folder"), path=paths[0])
    status = status_of(total.verdicts, failed + total.failed)
    if (
        status == Status.PROBLEMS
        and len(items) == 1
        and not plain
        and files[0] is None
        and terminal.is_terminal(sys.stdout)
    ):
        _suggest_repair(items[0], repeated, lang)
    return Status.OK if status == Status.UNDECIDED and look.lenient else status


def status_of(verdicts: Mapping[Any, int], failed: int) -> Status:
    """The exit status for the numbers of verdicts and of lists that couldn't be checked."""
    if failed:
        return Status.ERROR
    if verdicts["illegal"]:
        return Status.PROBLEMS
    return Status.UNDECIDED if verdicts["undecided"] else Status.OK


def _suggest_repair(item: Item, repeated: Sequence[str], lang: str) -> None:
    """Name the command that finds a small change to an illegal deck."""
    from shlex import join

    if isinstance(item, DeckFile) and item.path != STANDARD_INPUT:
        command = join(["deckcheck", "repair", *map(safe, (item.path, *repeated))])
        advice = _("a small change that makes it legal: {command}", command=command)
        terminal.show(f"\n{advice.in_(lang)}\n")


def _check(items: Sequence[Item], request: Request, files: Sequence[str | None]) -> Results:
    """Check the lists and write the results, each output to its file."""
    total, progress = Results(), terminal.Progress(len(items), request.render.lang)
    # Results on the same terminal would be mixed with the bar.
    beside_bar = files[0] is None and terminal.is_terminal(sys.stdout)
    outputs = request.outputs()
    # The first output is written as its records come, the reports at the end.
    kept: list[list[Any]] = [[] for _output in outputs]
    with ExitStack() as stack:
        names = (request.output, *request.reports)
        streams = [
            stack.enter_context(terminal.output(file, exact=name not in FOR_PEOPLE))
            for name, file in zip(names, files, strict=True)
        ]
        batches = stack.enter_context(closing(check_paths(items, request)))

        def records() -> Iterator[Any]:
            for results in batches:
                if beside_bar:
                    progress.clear()
                for of_deck in results.records:
                    yield of_deck[0]
                    for number, record in enumerate(of_deck):
                        if number:
                            kept[number].append(record)
                progress.write_messages(results.problems)
                total.add(results)
                progress.advance(results.size)
            progress.clear()

        for number, ((output, options), write) in enumerate(zip(outputs, streams, strict=True)):
            output.write(kept[number] if number else records(), total, options, write)
    for line in _lines_beside(total, request):
        terminal.write_stderr(f"{line}\n")
    return total


def _lines_beside(total: Results, request: Request) -> list[str]:
    """What is said of the run and has no place in the output."""
    from deckcheck.report.text import outdated_lines, own_lines

    lang = request.render.lang
    lines: list[str] = []
    if request.output not in TELL_OWN_FACTS:
        lines += own_lines(total, lang)
    if request.output not in TELL_OUTDATED_LISTS:
        lines += outdated_lines(total.lists, lang)
    return lines


# Fixing


class Fixed(NamedTuple):
    """The lists of a run left to check, how many were (or would be) changed, and how many failed."""

    items: list[Item]
    changed: int
    failed: int


def fix_paths(
    items: Sequence[Item],
    options: CheckOptions,
    lang: str,
    *,
    named: Sequence[str] = (),
    diff: bool = False,
    color: terminal.Color = "auto",
) -> Fixed:
    """Correct the certain mistakes of every list, and report each on standard error; with `diff` only show them.

    Links are followed only if they are `named`. Standard input is written to standard output and not left to check. A list
    that can't be read is left for the check to report, if one follows.
    """
    from deckcheck.report.text import painter
    from deckcheck.rewriting.files import Rewriter

    rewriter, paint = Rewriter(options, named), painter(terminal.wants_color(color, sys.stdout))
    lists = [item for item in items if diff or isinstance(item, DeckFile)]
    progress = terminal.Progress(len(lists), lang)
    changed = 0

    def work(found: DeckFile) -> None:
        nonlocal changed
        is_input, shown = found.path == STANDARD_INPUT, options.shown_name(found.path)
        try:
            opened = rewriter.open(found)
        except UserError:
            if is_input or diff:
                raise
            return
        if opened is None:
            return
        file = rewriter.correct(found, opened)
        changed += bool(file.fixes)
        if file.fixes or is_input:
            progress.clear()
        if diff:
            terminal.show(file.diff(shown, lang, paint) if file.fixes else "")
            return
        if is_input:
            terminal.show(file.after, exact=True)
        else:
            file.save()
        for fix in file.fixes:
            change = f"{safe(fix.was)} → {safe(fix.now)}"
            terminal.write_stderr(f"{safe(shown)}:{fix.line}: {change}\n")

    failed = terminal.for_each(lists, progress, work)
    left = [item for item in items if not isinstance(item, DeckFile) or item.path != STANDARD_INPUT]
    return Fixed(left, changed, failed)
