"""`deckcheck formats`, `rule` and `banlists`: what there is of each, what it says, and whether the cases of formats hold."""

import sys

import typer

from deckcheck.analysis.cases_and_rule_pages import Outcome, rule_text, test_cases, write_results
from deckcheck.cli import options as opt
from deckcheck.cli.help import App, Group
from deckcheck.cli.run import Run, Status
from deckcheck.formats.banlist_files import KnownList, known_list
from deckcheck.formats.description import describe_format
from deckcheck.formats.grammar import attribute_named, describe_values
from deckcheck.formats.loading import game_id
from deckcheck.formats.lookup import is_bundled, known_banlists, own_path, unread_formats
from deckcheck.report.results import RenderOptions
from deckcheck.report.text import answer, render_options, write_problems
from deckcheck.support.dates import today
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import N_
from deckcheck.support.terminal import show, wants_color

formats_app = App(
    cls=Group,
    help=N_("List, explain and test formats. Without a command, list them."),
)


@formats_app.callback(invoke_without_command=True)
def formats(ctx: typer.Context) -> int:
    """`deckcheck formats` alone lists the formats."""
    return list_formats(ctx) if ctx.invoked_subcommand is None else Status.OK


@formats_app.command(
    "list",
    no_args_is_help=False,
    help=N_("List every format by game: ID, name, other names, and today's edition."),
    epilog="deckcheck formats",
)
def list_formats(ctx: typer.Context, config: opt.Config = None) -> int:
    run: Run = ctx.obj
    session = run.session(config)
    loaded, unloaded = session.loader().playable_formats()
    problems = [*unloaded, *unread_formats(session.options.settings.folders.formats)]
    formats, day = [one.format for one in loaded], today().isoformat()
    show(answer("formats.txt", RenderOptions(run.lang), formats=formats, day=day, is_bundled=is_bundled))
    write_problems(dict.fromkeys(problems), run.lang)
    return Status.ERROR if problems else Status.OK


@formats_app.command(
    "show",
    help=N_("Explain every rule of a format in words."),
    epilog="deckcheck formats show original",
)
def show_format(ctx: typer.Context, format: opt.FormatName, config: opt.Config = None) -> None:
    run: Run = ctx.obj
    loaded = run.session(config).load(format)
    show(describe_format(loaded.format, loaded.game_data.game, run.lang))


@formats_app.command(
    "values",
    help=N_("List what the formats of a game can name: attributes with their values, zones, statuses."),
    epilog="deckcheck formats values GAME\ndeckcheck formats values GAME ATTRIBUTE",
)
def format_values(
    ctx: typer.Context,
    game: opt.GameName,
    attribute: opt.AttributeName = None,
    config: opt.Config = None,
) -> None:
    run: Run = ctx.obj
    session = run.session(config)
    data = session.loader().game(game_id(game, session.options.settings.folders))
    only = None if attribute is None else attribute_named(attribute, data.game)
    show(describe_values(data.game, data.catalog, run.lang, only))


@formats_app.command(
    "test",
    no_args_is_help=False,
    help=N_("Validate format files and run their cases."),
    epilog="deckcheck formats test\ndeckcheck formats test formats/our-rules.yaml",
)
def test_formats(ctx: typer.Context, formats: opt.FormatNames = None, config: opt.Config = None) -> int:
    run: Run = ctx.obj
    results = test_cases(formats or (), run.session(config))
    counts = write_results(results, run.lang, wants_color("auto", sys.stdout))
    if counts[Outcome.CANNOT_RUN]:
        return Status.ERROR
    return Status.PROBLEMS if counts[Outcome.FAILED] else Status.OK


rule_app = App()


@rule_app.command(
    no_args_is_help=False,
    help=N_(
        "Explain a rule, with an example that breaks it and one that keeps it. Without an ID, list all rules."
    ),
    epilog="deckcheck rule copies\ndeckcheck rule --format original",
)
def rule(
    ctx: typer.Context,
    rule: opt.RuleName = None,
    format: opt.FormatChosen = None,
    config: opt.Config = None,
) -> None:
    run: Run = ctx.obj
    session = run.session(config)
    text, problems = rule_text(rule, format, session, render_options(run.lang))
    write_problems(problems, run.lang)
    show(text)


banlists_app = App()


@banlists_app.command(
    no_args_is_help=False,
    help=N_("List every banlist: ID, name, newest change, and the day through which it is complete."),
    epilog="deckcheck banlists",
)
def banlists(ctx: typer.Context, config: opt.Config = None) -> int:
    run: Run = ctx.obj
    folders = run.session(config).options.settings.folders
    lists: list[KnownList] = []
    problems: list[Problem] = []
    for id in known_banlists(folders):
        try:
            lists.append(known_list(id, folders))
        except UserError as error:
            problems += error.problems
    show(answer("banlists.txt", RenderOptions(run.lang), lists=lists, own_path=own_path))
    write_problems(problems, run.lang)
    return Status.ERROR if problems else Status.OK
