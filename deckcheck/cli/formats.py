"""`deckcheck formats`: which formats there are, what they say, and whether their cases hold."""

# The annotations are read by typer, so they are no strings here.

import sys
from collections.abc import Sequence

import typer

from deckcheck.checking import cases
from deckcheck.checking.judge import GameData, load_format
from deckcheck.cli import options as opt
from deckcheck.cli.command import NOT_DONE, Group, command, guarded
from deckcheck.cli.project import Project, open_project
from deckcheck.cli.terminal import output, show, tell_problems, wants_color
from deckcheck.formats.description import describe_format
from deckcheck.formats.lookup import known_formats, shown_path, unread_formats
from deckcheck.report.text import painter
from deckcheck.support.dates import today
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _
from deckcheck.support.safetext import cells, safe

_TITLE = _("List, explain and test formats.")


@command(_TITLE)
def list_formats(lang: opt.Lang = None, config: opt.Config = None, isolated: opt.Isolated = False) -> int:
    project = open_project([], lang, config, isolated)
    return guarded(lambda: _list_formats(project), project.lang)


def unless_subcommand(
    context: typer.Context, lang: opt.Lang = None, config: opt.Config = None, isolated: opt.Isolated = False
) -> None:
    if context.invoked_subcommand is None:
        list_formats.run(lang=lang, config=config, isolated=isolated)


@command(_("Explain every rule of a format in words."))
def show_format(
    format: str = opt.argument(_("The format."), "ID|FILE"),
    lang: opt.Lang = None,
    config: opt.Config = None,
    isolated: opt.Isolated = False,
) -> int:
    project = open_project([], lang, config, isolated)

    def work() -> int:
        loaded = load_format(format, cards=project.settings.cards, folders=project.settings.folders)
        show(describe_format(loaded.format, loaded.game_data.game, project.lang))
        return 0

    return guarded(work, project.lang)


@command(_("Validate format files and run their cases."))
def test_formats(
    formats: list[str] | None = opt.argument(
        _("The formats (default: those in the folders of the settings, or else all bundled ones)."),
        "ID|FILE...",
        default=None,
    ),
    lang: opt.Lang = None,
    config: opt.Config = None,
    isolated: opt.Isolated = False,
) -> int:
    project = open_project([], lang, config, isolated)
    return guarded(lambda: _test_formats(formats or [], project), project.lang)


formats = Group(_TITLE, {"show": show_format, "test": test_formats}, unless_subcommand)


def _list_formats(project: Project) -> int:
    """Write every format by game: id, name, aliases, today's edition, its own file. 2 when one of them is broken."""
    lang, folders = project.lang, project.settings.folders
    games: dict[str, list[tuple[str, ...]]] = {}
    tables: dict[str, GameData] = {}
    problems: list[Problem] = []
    for named in known_formats(folders):
        if named.abstract:
            continue
        game, name, edition = named.id.partition("/")[0], named.ja if lang == "ja" else named.en, ""
        try:
            format = load_format(named.id, cards=project.settings.cards, games=tables, folders=folders).format
            game, name, current = format.game, format.name.in_(lang), format.edition(today().isoformat())
            edition = " ".join(filter(None, (format.title, current)))
        except UserError as error:
            problems += error.problems
        file = shown_path(named.file)
        row = (named.id, name, ", ".join(named.aliases), edition, file if file == str(named.file) else "")
        games.setdefault(game, []).append(row)
    problems += unread_formats(folders.formats)
    show("\n".join(map(_columns, games.values())))
    tell_problems(dict.fromkeys(problems), lang)
    return NOT_DONE if problems else 0


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    columns = []
    for column in zip(*rows, strict=True):
        width = max(map(cells, map(safe, column)))
        columns.append([cell + " " * (width - cells(cell)) for cell in map(safe, column)])
    return "".join("  ".join(row).rstrip() + "\n" for row in zip(*columns, strict=True))


def _test_formats(references: Sequence[str], project: Project) -> int:
    """Write a line for each format and case; 1 if one of them fails, 2 if a format can't be used at all."""
    lang, settings = project.lang, project.settings
    paint = painter(wants_color("auto", sys.stdout))
    passed, failed = paint("ok", "green"), paint(_("FAILED").in_(lang), "red")
    results: list[cases.Result] = []
    with output(None, exact=False) as write:
        for result in cases.test_formats(references, folders=settings.folders, cards=settings.cards):
            results.append(result)
            write(f"{passed if result.passed else failed}  {safe(result.text.in_(lang))}\n")
        good = sum(result.passed for result in results)
        write(_("{passed} of {total} passed", passed=good, total=len(results)).in_(lang) + "\n")
    if not all(result.can_run for result in results):
        return NOT_DONE
    return 0 if good == len(results) else 1
