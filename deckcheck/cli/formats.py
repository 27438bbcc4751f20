"""`deckcheck formats`: what there is, what it says, and whether it holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date

from deckcheck.checking.judge import GameData, load_format
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.guard import NOT_DONE
from deckcheck.cli.screen import output, tell_problems, wants_color
from deckcheck.config.settings import Settings
from deckcheck.formats.lookup import known_formats, shown_path
from deckcheck.report.terminal import painter
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _
from deckcheck.support.safetext import cells, safe


def listing(settings: Settings, lang: str) -> int:
    """Write every format that can be used: id, name, aliases, the edition in force today, and the file of one's own.

    The formats of a game stand together.

    2 when one of them is broken; the others are listed all the same. Raises
    UserError when two files in the project's folders give one id.
    """
    tell_first_time(lang)
    games: dict[str, list[tuple[str, ...]]] = {}
    tables: dict[str, GameData] = {}
    problems: list[Problem] = []
    for one in known_formats(settings.folders):
        if one.abstract:
            continue
        file = shown_path(one.file)
        own = file if file == str(one.file) else ""
        try:
            format = load_format(one.id, cards=settings.cards, games=tables, folders=settings.folders).format
        except UserError as error:
            problems += error.problems
            row = (one.id, one.ja if lang == "ja" else one.en, ", ".join(one.aliases), "", own)
            games.setdefault(one.id.partition("/")[0], []).append(row)
            continue
        edition = format.edition(date.today().isoformat())
        said = " ".join(part for part in (format.title, edition.edition if edition else None) if part)
        row = (one.id, format.name.in_(lang), ", ".join(one.aliases), said, own)
        games.setdefault(format.game, []).append(row)
    if settings.folders.formats:
        from deckcheck.formats.lookup import unread_formats

        problems += unread_formats(settings.folders.formats)
    with output(None, exact=False) as write:
        write("\n".join(map(_table_of, games.values())))
    tell_problems(dict.fromkeys(problems), lang)
    return NOT_DONE if problems else 0


def _table_of(rows: Sequence[tuple[str, ...]]) -> str:
    shown = [tuple(map(safe, row)) for row in rows]
    widths = [max(cells(row[at]) for row in shown) for at in range(5)]
    lines = []
    for row in shown:
        padded = (cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(padded).rstrip() + "\n")
    return "".join(lines)


def show(reference: str, settings: Settings, lang: str) -> int:
    """Write every rule of a format in words."""
    from deckcheck.formats.description import describe_format

    tell_first_time(lang)
    loaded = load_format(reference, cards=settings.cards, folders=settings.folders)
    with output(None, exact=False) as write:
        write(describe_format(loaded.format, loaded.game_data.game, lang).rstrip("\n") + "\n")
    return 0


def test(references: Sequence[str], settings: Settings, lang: str) -> int:
    """Write a line for each format and case; 1 if one of them fails, 2 if a format can't be used at all."""
    from deckcheck.checking.cases import test_formats

    tell_first_time(lang)
    paint = painter(wants_color("auto", sys.stdout))
    failed = total = 0
    broken = False
    with output(None, exact=False) as write:
        for result in test_formats(references, folders=settings.folders, cards=settings.cards):
            total += 1
            failed += not result.passed
            broken = broken or not result.can_run
            mark = paint("ok", "green") if result.passed else paint(_("FAILED").in_(lang), "red")
            write(f"{mark}  {safe(result.text.in_(lang))}\n")
        write(_("{passed} of {total} passed", passed=total - failed, total=total).in_(lang) + "\n")
    return NOT_DONE if broken else 1 if failed else 0
