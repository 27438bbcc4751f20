"""`deckcheck formats`: which formats there are, what they say, and whether their cases hold."""

import sys
from collections.abc import Sequence
from typing import Any

import typer

from deckcheck.checking import cases
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, Group, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.formats.description import describe_format
from deckcheck.formats.loading import game_id, open_cards
from deckcheck.formats.lookup import known_formats, shown_path, unread_formats
from deckcheck.formats.words import attribute_named, describe_values
from deckcheck.report.screen import write_problems
from deckcheck.report.text import painter
from deckcheck.support.dates import today
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import N_, _
from deckcheck.support.safe_text import safe
from deckcheck.support.terminal import columns, output, show, wants_color


class Formats(Group):
    """`deckcheck formats` alone lists the formats."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        names_no_command = not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names)
        if names_no_command and not ctx.resilient_parsing:
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=Formats,
    add_completion=False,
    rich_markup_mode=None,
    help=N_("List, explain and test formats. Without a command, list them."),
)


@app.callback()
def formats() -> None:
    """The group has no options of its own."""


@app.command(
    "list",
    cls=Command,
    help=N_("List every format by game: ID, name, other names, and today's edition."),
    epilog=examples("deckcheck formats"),
)
def list_formats(
    ctx: typer.Context, games: opt.Games = None, config: opt.Config = None, _lang: opt.Lang = None
) -> int:
    run: Run = ctx.obj
    project = open_project(run, [], games=games, config=config)
    folders = project.options.folders
    by_game: dict[str, list[tuple[str, ...]]] = {}
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
        by_game.setdefault(game, []).append(row)
    problems += unread_formats(folders.formats)
    show("\n".join(map(_columns, by_game.values())))
    write_problems(dict.fromkeys(problems), run.lang)
    return Status.ERROR if problems else Status.OK


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    lines = columns([row[:-1] for row in rows])
    files = [f"\n  {safe(row[-1])}" if row[-1] else "" for row in rows]
    return "".join(f"{line}{file}\n" for line, file in zip(lines, files, strict=True))


@app.command(
    "show",
    cls=Command,
    no_args_is_help=True,
    help=N_("Explain every rule of a format in words."),
    epilog=examples("deckcheck formats show original"),
)
def show_format(
    ctx: typer.Context,
    format: opt.FormatName,
    games: opt.Games = None,
    config: opt.Config = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    loaded = open_project(run, [], games=games, config=config).load_format(format)
    show(describe_format(loaded.format, loaded.game_data.game, run.lang))
    return Status.OK


@app.command(
    "values",
    cls=Command,
    no_args_is_help=True,
    help=N_("List what the formats of a game can name: attributes with their values, zones, statuses."),
    epilog=examples("deckcheck formats values GAME", "deckcheck formats values GAME ATTRIBUTE"),
)
def format_values(
    ctx: typer.Context,
    game: opt.GameName,
    attribute: opt.AttributeName = None,
    games: opt.Games = None,
    config: opt.Config = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    settings = open_project(run, [], games=games, config=config).settings
    opened, catalog = open_cards(game_id(game, settings.folders), settings.cards, settings.folders)
    show(describe_values(opened, catalog, run.lang, attribute_named(attribute, opened)))
    return Status.OK


@app.command(
    "test",
    cls=Command,
    help=N_("Validate format files and run their cases."),
    epilog=examples("deckcheck formats test", "deckcheck formats test formats/our-rules.yaml")
    + N_("Exit status: 0 all passed; 1 a case failed; 2 a format can't be used."),
)
def test_formats(
    ctx: typer.Context,
    formats: opt.FormatNames = None,
    games: opt.Games = None,
    config: opt.Config = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    settings = open_project(run, [], games=games, config=config).settings
    paint = painter(wants_color("auto", sys.stdout))
    passed, failed = paint("ok", "green"), paint(_("FAILED").in_(run.lang), "red")
    note = _("note").in_(run.lang)
    results: list[cases.Result] = []
    with output(None, exact=False) as write:
        for result in cases.test_formats(formats or (), folders=settings.folders, cards=settings.cards):
            mark = note if result.is_note else passed if result.passed else failed
            write(f"{mark}  {safe(result.text.in_(run.lang))}\n")
            if not result.is_note:
                results.append(result)
        good = sum(result.passed for result in results)
        write(_("{passed} of {total} passed", passed=good, total=len(results)).in_(run.lang) + "\n")
    if not all(result.can_run for result in results):
        return Status.ERROR
    return Status.OK if good == len(results) else Status.PROBLEMS
