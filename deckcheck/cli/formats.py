"""`deckcheck formats`: which formats there are, what they say, and whether their cases hold."""

import sys
from collections.abc import Sequence

from deckcheck.checking import cases
from deckcheck.checking.judge import GameData, load_format
from deckcheck.cli import options as opt
from deckcheck.cli.command import NOT_DONE, Group, Run, command
from deckcheck.cli.project import open_project
from deckcheck.cli.proofs import compare_formats, prove_formats
from deckcheck.cli.terminal import output, show, wants_color, write_problems
from deckcheck.formats.description import describe_format
from deckcheck.formats.lookup import known_formats, shown_path, unread_formats
from deckcheck.report.text import painter
from deckcheck.support.dates import today
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _
from deckcheck.support.safe_text import cells, safe

_TITLE = _("List, explain and test formats.")
_SHARED = "lang games config isolated"


@command(_TITLE, _SHARED)
def list_formats(run: Run) -> int:
    """Write every format by game: id, name, aliases, today's edition, and the user's own file. 2 if one is broken."""
    settings = open_project(run, []).settings
    games: dict[str, list[tuple[str, ...]]] = {}
    tables: dict[str, GameData] = {}
    problems: list[Problem] = []
    for entry in known_formats(settings.folders):
        if entry.abstract:
            continue
        game, name, edition = entry.id.partition("/")[0], entry.ja if run.lang == "ja" else entry.en, ""
        try:
            loaded = load_format(entry.id, cards=settings.cards, games=tables, folders=settings.folders)
            format = loaded.format
            game, name = format.game, format.name.in_(run.lang)
            edition = format.edition(today().isoformat()) or ""
        except UserError as error:
            problems += error.problems
        file = shown_path(entry.file)
        row = (entry.id, name, ", ".join(entry.aliases), edition, file if file == str(entry.file) else "")
        games.setdefault(game, []).append(row)
    problems += unread_formats(settings.folders.formats)
    show("\n".join(map(_columns, games.values())))
    write_problems(dict.fromkeys(problems), run.lang)
    return NOT_DONE if problems else 0


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    columns = []
    for column in zip(*(row[:-1] for row in rows), strict=True):
        width = max(map(cells, map(safe, column)))
        columns.append([cell + " " * (width - cells(cell)) for cell in map(safe, column)])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    files = [f"\n  {safe(row[-1])}" if row[-1] else "" for row in rows]
    return "".join(f"{line}{file}\n" for line, file in zip(lines, files, strict=True))


@command(_("Explain every rule of a format in words."), _SHARED)
def show_format(run: Run, format: str = opt.argument(_("The format."), "ID|FILE")) -> int:
    settings = open_project(run, []).settings
    loaded = load_format(format, cards=settings.cards, folders=settings.folders)
    show(describe_format(loaded.format, loaded.game_data.game, run.lang))
    return 0


@command(_("Validate format files and run their cases."), _SHARED)
def test_formats(
    run: Run,
    formats: list[str] | None = opt.argument(
        _("The formats (default: those in the folders of the settings, or else all bundled ones)."),
        "ID|FILE...",
        default=None,
    ),
) -> int:
    """Write a line for each format and case. 1 if one of them fails, 2 if a format can't be used at all."""
    settings = open_project(run, []).settings
    paint = painter(wants_color("auto", sys.stdout))
    passed, failed = paint("ok", "green"), paint(_("FAILED").in_(run.lang), "red")
    results: list[cases.Result] = []
    with output(None, exact=False) as write:
        for result in cases.test_formats(formats or [], folders=settings.folders, cards=settings.cards):
            results.append(result)
            write(f"{passed if result.passed else failed}  {safe(result.text.in_(run.lang))}\n")
        good = sum(result.passed for result in results)
        write(_("{passed} of {total} passed", passed=good, total=len(results)).in_(run.lang) + "\n")
    if not all(result.can_run for result in results):
        return NOT_DONE
    return 0 if good == len(results) else 1


formats = Group(
    _TITLE,
    {"show": show_format, "test": test_formats, "prove": prove_formats, "compare": compare_formats},
    list_formats,
)
