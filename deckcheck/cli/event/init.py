"""`deckcheck event init`: a commented file of an event, to begin with."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say, user_language
from deckcheck.support.messages import Localized, _


def add_init(group: typer.Typer) -> None:
    group.command(
        "init",
        help=say(
            _(
                "Write the file of an event, with comments, and make the folder for its lists. Nothing "
                "is overwritten."
            )
        ),
    )(_init)


def _init(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]",
            show_default=False,
            help=say(_("The file to write (default: event.yaml).")),
        ),
    ] = "event.yaml",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=say(_("The format; deckcheck formats lists them.")),
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(
            "--date",
            metavar="YYYY-MM-DD",
            help=say(_("The day of the event (default: a week from today).")),
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    raise typer.Exit(guarded(lambda: _run(file, format, date, lang or user_language()), lang))


def _run(name: str, format: str | None, day: str | None, lang: str) -> int:
    """Write the file and tell of it. Raises UserError where that can't be done."""
    import os
    import shlex
    from datetime import date
    from pathlib import Path

    from deckcheck.cli.check import tell_first_time
    from deckcheck.cli.project import project
    from deckcheck.cli.screen import output
    from deckcheck.scaffold.event import LISTS, AskedEvent, event_text
    from deckcheck.scaffold.put import put
    from deckcheck.support.errors import wrong
    from deckcheck.support.safetext import safe

    file = Path(name)
    if os.path.lexists(file):
        raise _there(name)
    tell_first_time(lang)
    asked = AskedEvent(format, day, _("en").in_(lang))
    written = event_text(file, asked, project([name]).folders, date.today())
    if not put(file, written.text):
        raise _there(name)
    lists = file.parent / LISTS
    made = not lists.exists()
    if made:
        try:
            # Lists tell who plays them.
            lists.mkdir(mode=0o700)
        except OSError as error:
            reason = error.strerror or str(error)
            raise wrong(_("can't be made: {reason}", reason=reason), path=str(lists)) from error
    command = f"deckcheck event check {shlex.quote(name)}"
    guessed = _(" (choose with --format)") if format is None else Localized("", "")
    lines = [
        _("{name}: written", name=name),
        _("  {date}, {format}{guessed}", date=written.date, format=written.format, guessed=guessed),
        _("{lists}: the folder for lists", lists=lists),
        _("next: edit {name}, collect lists, then {command}", name=name, command=command),
    ]
    with output(None, exact=False) as write:
        for line in lines:
            write(safe(line.in_(lang)) + "\n")
    return 0


def _there(name: str) -> Exception:
    from deckcheck.support.errors import wrong

    return wrong(_("this is there already, and is kept"), path=name)
