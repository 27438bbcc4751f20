"""`deckcheck check`: many lists in, results and an exit status out."""

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import typer
from msgspec.structs import replace

from deckcheck.checking.deck_files import STANDARD_INPUT, DeckFile, DeckSearch
from deckcheck.checking.many_lists import Item, Target, check_lists, protect_lists, targets_of
from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.config import with_options
from deckcheck.report.results import OutputFormat
from deckcheck.report.text import render_options
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import is_terminal, show, write_messages, write_paths

check_app = App()


@check_app.command(
    no_args_is_help=False,
    help=N_(
        "Check decks. Exit status: 0 every deck is legal; 1 some deck is illegal; 2 something could not be "
        "checked; 3 no deck is illegal, but some are undecided."
    ),
    epilog="deckcheck check deck.txt --format original\n"
    "deckcheck check - --format modern\n"
    "deckcheck check decks/ --report junit=results.xml",
)
def check(
    ctx: typer.Context,
    paths: opt.Paths,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help=N_(
                "Correct certain misspellings, then check: names of at least 5 characters with exactly one card at "
                "edit distance 1 and no other within 2 (numbers are never changed). A deck on standard input is "
                "written to standard output and not checked."
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
            autocompletion=opt.complete_rules,
            help=N_("Report only these rules."),
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE,...",
            autocompletion=opt.complete_rules,
            help=N_("Do not report these rules."),
        ),
    ] = None,
    unknown: Annotated[
        Literal["error", "warn"] | None,
        typer.Option(
            envvar="DECKCHECK_UNKNOWN",
            help=N_(
                "How to treat missing card data (default: error). With warn, it does not lead to exit status 3."
            ),
        ),
    ] = None,
    notation: opt.Notation = None,
    config: opt.Config = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help=N_("Skip paths that match this .gitignore-style pattern (repeatable)."),
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            help=N_("Apply exclusions to paths named on the command line, too."),
        ),
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=N_("File name to use for standard input.")),
    ] = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            envvar="DECKCHECK_OUTPUT_FORMAT",
            help=N_("Output format (default: text)."),
        ),
    ] = None,
    output: opt.Output = None,
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORMAT=FILE",
            help=N_("Also write the results to this file, in this output format (repeatable)."),
        ),
    ] = None,
    exit_zero: Annotated[
        bool,
        typer.Option("--exit-zero", help=N_("Exit with 0 even if problems are found.")),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help=N_("Of many decks, show those without findings, too, and why files are skipped."),
        ),
    ] = False,
    color: opt.Color = "auto",
) -> int:
    run: Run = ctx.obj
    opt.refuse_together("--diff", diff, {"--output": output, "--report": report})
    given = CheckOptions(format, as_of, best_of, stdin_name=stdin_filename, notation=notation)
    options = run.session(config, paths, given).options
    settings = with_options(
        options.settings,
        select=opt.split(select),
        ignore=opt.split(ignore),
        exclude=exclude or (),
        force_exclude=force_exclude,
        format=format,
    )
    options = replace(options, settings=settings)
    search = DeckSearch(settings, stdin_filename)
    items: Sequence[Item] = list(search.decks(paths))
    chosen = output_format or settings.output_format or "text"
    is_text, lenient = chosen == "text", (unknown or settings.unknown) == "warn"
    look = render_options(run.lang, color, file=output, plain=not is_text)
    look = replace(look, brief=len(items) > 1, lenient=lenient, verbose=verbose)
    targets = targets_of(Target(chosen, look, output), report or ())
    protect_lists([target.file for target in targets if target.file is not None], items)
    write_messages(
        run.lang, *settings.unmatched(paths, [item.path for item in items if isinstance(item, DeckFile)])
    )
    if not items:
        write_paths(_("Nothing to check: all files are excluded"), search.excluded, run.lang)
    failed = 0
    if fix or diff:
        from deckcheck.rewriting.diff_and_save import Rewriter, rewrite_lists

        # What can't be read is told by the check, if one follows.
        correct = partial(Rewriter(options, paths).correct, strict=diff)
        lists = [item for item in items if diff or isinstance(item, DeckFile)]
        look = render_options(run.lang, color)
        done = rewrite_lists(lists, correct, options, look, "diff" if diff else "write")
        items = [item for item in items if not isinstance(item, DeckFile) or item.path != STANDARD_INPUT]
        failed = done.failed
        if diff or not items:
            status = Status.PROBLEMS if diff and done.changed else Status.OK
            return Status.ERROR if failed else status
    results = check_lists(items, options, targets)
    search.passed_over |= dict.fromkeys(results.skipped, _("too few of its lines are cards"))
    if verbose:
        write_messages(run.lang, *search.why_skipped())
    else:
        write_paths(_("Skipped (not a decklist)"), list(search.passed_over), run.lang)
    if results.skipped and not (results.decks or results.failed) and not settings.force_exclude:
        raise user_error(_("no decks in this folder"), path=paths[0])
    if failed or results.failed:
        return Status.ERROR
    if results.repairable and is_text and output is None and is_terminal(sys.stdout):
        _suggest_repair(items, opt.same_options(given, config), run.lang)
    status = opt.status_of(results.verdicts)
    is_passed = exit_zero or (status == Status.UNDECIDED and lenient)
    return Status.OK if is_passed else status


def _suggest_repair(items: Sequence[Item], repeated: Sequence[str], lang: str) -> None:
    """For a single list, name the command that finds a small change."""
    item = items[0]
    if len(items) == 1 and isinstance(item, DeckFile) and item.path != STANDARD_INPUT:
        command = shlex.join(["deckcheck", "repair", *map(safe, (item.path, *repeated))])
        advice = _("a small change that makes it legal: {command}", command=command)
        show(f"\n{advice.in_(lang)}\n")
