"""`deckcheck formats`: which formats there are, what they say, and whether their cases hold."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import NOT_DONE, command, guarded
from deckcheck.cli.options import Config, Isolated, Lang
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.config.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        help=_("List, explain and test formats.").key, rich_markup_mode=None, invoke_without_command=True
    )
    group.callback()(formats)
    group.command("show", help=_("Explain every rule of a format in words.").key)(show)
    group.command("test", help=_("Validate format files and run their cases.").key)(test)
    app.add_typer(group, name="formats")


def formats(
    context: typer.Context, lang: Lang = None, config: Config = None, isolated: Isolated = False
) -> None:
    if context.invoked_subcommand is None:
        status = guarded(lambda: _in_project(list_formats, lang, config, isolated), lang)
        raise typer.Exit(status)


@command
def show(
    format: Annotated[str, typer.Argument(metavar="ID|FILE", help=_("The format.").key)],
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    def work(settings: "Settings", spoken: str) -> int:
        from deckcheck.checking.judge import load_format
        from deckcheck.cli.terminal import output
        from deckcheck.formats.description import describe_format

        loaded = load_format(format, cards=settings.cards, folders=settings.folders)
        with output(None, exact=False) as write:
            write(describe_format(loaded.format, loaded.game_data.game, spoken).rstrip("\n") + "\n")
        return 0

    return _in_project(work, lang, config, isolated)


@command
def test(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|FILE...",
            help=_(
                "The formats (default: those in the folders of the settings, or else all bundled ones)."
            ).key,
        ),
    ] = None,
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    return _in_project(
        lambda settings, spoken: test_formats(formats or [], settings, spoken), lang, config, isolated
    )


def _in_project(
    work: "Callable[[Settings, str], int]", lang: str | None, config: str | None, isolated: bool
) -> int:
    """The status of `work`, which takes the settings of the working folder and the language of the output."""
    from deckcheck.cli.project import language_of, project_settings
    from deckcheck.cli.terminal import tell_first_time

    settings = project_settings([], config=config, isolated=isolated)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    return guarded(lambda: work(settings, spoken), spoken)


def list_formats(settings: "Settings", lang: str) -> int:
    """Write every format that can be used: id, name, aliases, the edition in force today, and the file of one's own.

    The formats of a game stand together. 2 when one of them is broken; the
    others are listed all the same. Raises UserError when two files in the
    project's folders give one id.
    """
    from deckcheck.checking.judge import GameData, load_format
    from deckcheck.cli.terminal import output, tell_problems
    from deckcheck.formats.lookup import known_formats, shown_path
    from deckcheck.support.dates import today
    from deckcheck.support.errors import Problem, UserError

    games: dict[str, list[tuple[str, ...]]] = {}
    tables: dict[str, GameData] = {}
    problems: list[Problem] = []
    for named in known_formats(settings.folders):
        if named.abstract:
            continue
        game, name, edition = named.id.partition("/")[0], named.ja if lang == "ja" else named.en, ""
        try:
            format = load_format(
                named.id, cards=settings.cards, games=tables, folders=settings.folders
            ).format
            game, name, current = format.game, format.name.in_(lang), format.edition(today().isoformat())
            edition = " ".join(filter(None, (format.title, current)))
        except UserError as error:
            problems += error.problems
        file = shown_path(named.file)
        row = (named.id, name, ", ".join(named.aliases), edition, file if file == str(named.file) else "")
        games.setdefault(game, []).append(row)
    if settings.folders.formats:
        from deckcheck.formats.lookup import unread_formats

        problems += unread_formats(settings.folders.formats)
    with output(None, exact=False) as write:
        write("\n".join(map(_columns, games.values())))
    tell_problems(dict.fromkeys(problems), lang)
    return NOT_DONE if problems else 0


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    from deckcheck.support.safetext import cells, safe

    shown = [tuple(map(safe, row)) for row in rows]
    widths = [max(map(cells, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        padded = (cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(padded).rstrip() + "\n")
    return "".join(lines)


def test_formats(references: Sequence[str], settings: "Settings", lang: str) -> int:
    """Write a line for each format and case; 1 if one of them fails, 2 if a format can't be used at all."""
    import sys

    from deckcheck.checking import cases
    from deckcheck.cli.terminal import output, wants_color
    from deckcheck.report.text import painter
    from deckcheck.support.safetext import safe

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
