"""`deckcheck event init`: a commented event file to begin with."""

# The annotations are read by typer, so they are no strings here.

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import Lang
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "init",
        help=_(
            "Write a commented event file, and make the folder for its lists. Existing files are kept."
        ).key,
    )(init)


@command
def init(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]", show_default=False, help=_("File to write (default: event.yaml).").key
        ),
    ] = "event.yaml",
    format: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", metavar="ID|FILE", help=_("Format; `deckcheck formats` lists them.").key
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(
            "--date", metavar="YYYY-MM-DD", help=_("Date of the event (default: a week from today).").key
        ),
    ] = None,
    lang: Lang = None,
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.project import project_settings
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.scaffold.contents import LISTS, EventOptions, event_text
    from deckcheck.support.dates import today
    from deckcheck.support.files import cannot_write, write_new
    from deckcheck.support.safetext import safe

    spoken = lang or user_language()
    exists = user_error(_("already exists and was kept"), path=file)
    target = Path(file)
    if os.path.lexists(target):
        raise exists
    tell_first_time(spoken)
    options = EventOptions(format, date, "ja" if spoken == "ja" else "en")
    written = event_text(target, options, project_settings([file]).folders, today())
    try:
        if not write_new(target, written.text.encode()):
            raise exists
    except OSError as error:
        raise cannot_write(file, error) from error
    lists = target.parent / LISTS
    if not lists.exists():
        try:
            # Lists tell who plays them.
            lists.mkdir(mode=0o700)
        except OSError as error:
            reason = error.strerror or str(error)
            raise user_error(_("cannot be created: {reason}", reason=reason), path=str(lists)) from error
    chosen = (
        _("  {date}, {format} (choose another with --format)", date=written.date, format=written.format)
        if format is None
        else _("  {date}, {format}", date=written.date, format=written.format)
    )
    lines = [
        _("{path}: written", path=file),
        chosen,
        _("{path}: folder for the lists", path=str(lists)),
        _(
            "next: edit {path}, collect lists, then run deckcheck event check {quoted}",
            path=file,
            quoted=shlex.quote(file),
        ),
    ]
    with output(None, exact=False) as write:
        for line in lines:
            write(safe(line.in_(spoken)) + "\n")
    return 0
