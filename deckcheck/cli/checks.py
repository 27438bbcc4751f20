"""`deckcheck check` on the command line: its options. What it does stands in check.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated, Literal

import typer

from deckcheck.cli.arguments import (
    AsOf,
    BestOf,
    Cards,
    ColorChoice,
    Config,
    Format,
    Isolated,
    Lang,
    Notation,
    ResultFile,
)
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.report.writer import OutputFormat
from deckcheck.support.messages import _


def add_check(app: typer.Typer) -> None:
    app.command(
        "check",
        no_args_is_help=True,
        help=say(_("Check decks.")),
        epilog=say(
            _(
                "Exit status: 0 every deck legal; 1 some deck illegal; 2 something could not be checked; "
                "3 none illegal, some undecided."
            )
        ),
    )(_check)


def _check(
    context: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help=say(_("A deck's file, a folder, or - (standard input).")),
        ),
    ],
    format: Format = None,
    as_of: AsOf = None,
    best_of: BestOf = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(
            "--output-format",
            envvar="DECKCHECK_OUTPUT_FORMAT",
            help=say(_("Form of the output (default: text).")),
        ),
    ] = None,
    output: ResultFile = None,
    lang: Lang = None,
    unknown: Annotated[
        Literal["error", "warn"] | None,
        typer.Option(
            "--unknown",
            envvar="DECKCHECK_UNKNOWN",
            help=say(
                _(
                    "What to make of facts that nobody knows (default: error); with warn they don't lead to "
                    "exit status 3."
                )
            ),
        ),
    ] = None,
    color: ColorChoice = "auto",
    cards: Cards = None,
    notation: Notation = None,
    exit_zero: Annotated[
        bool,
        typer.Option(
            "--exit-zero",
            help=say(_("Exit with 0 even if decks are illegal or undecided.")),
        ),
    ] = False,
    config: Config = None,
    isolated: Isolated = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="RULE,...",
            help=say(_("Tell of these rules only.")),
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore",
            metavar="RULE,...",
            help=say(_("Don't tell of these rules.")),
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            metavar="PATTERN",
            help=say(_("What to pass over, written as in .gitignore (repeatable).")),
        ),
    ] = None,
    force_exclude: Annotated[
        bool,
        typer.Option(
            "--force-exclude",
            help=say(_("Exclude even what is named on the command line.")),
        ),
    ] = False,
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            "--stdin-filename",
            metavar="NAME",
            help=say(_("What standard input is called.")),
        ),
    ] = None,
    statistics: Annotated[
        bool,
        typer.Option(
            "--statistics",
            help=say(_("Only count the findings of each rule.")),
        ),
    ] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help=say(_("Check again whenever a file changes.")),
        ),
    ] = False,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help=say(
                _(
                    "Correct what is certain, then check: names of at least 5 characters with one card at "
                    "edit distance 1 and no other within 2 (numbers are never corrected), and two lines of "
                    "one card in one zone. Standard input is written to standard output corrected, and not "
                    "checked."
                )
            ),
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff",
            help=say(_("Only show as a diff what --fix would correct; nothing is written or checked.")),
        ),
    ] = False,
    show_settings: Annotated[
        bool,
        typer.Option("--show-settings", help=say(_("Show the settings in force."))),
    ] = False,
    show_files: Annotated[
        bool,
        typer.Option("--show-files", help=say(_("Show what would be checked."))),
    ] = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.checked import Asked, start

        asked = Asked(
            paths,
            format,
            as_of,
            best_of,
            output_format,
            output,
            lang,
            unknown,
            color,
            tuple(cards or ()),
            exit_zero,
            config,
            isolated,
            tuple(select or ()),
            tuple(ignore or ()),
            tuple(exclude or ()),
            force_exclude,
            stdin_filename,
            statistics,
            watch,
            fix,
            diff,
            show_settings,
            show_files,
            _variables(context),
            notation,
        )
        return start(asked)

    raise typer.Exit(guarded(work, lang))


def _variables(context: typer.Context) -> tuple[str, ...]:
    """The options that the environment gave."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return tuple(
        name for name, source in sources.items() if source is not None and source.name == "ENVIRONMENT"
    )
