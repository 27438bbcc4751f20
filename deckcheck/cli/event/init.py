"""`deckcheck event init`: a commented file of an event, to begin with."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say, user_language
from deckcheck.support.text import Text


def add_init(group: typer.Typer) -> None:
    group.command(
        "init",
        help=say(
            "大会のファイルを、説明つきで書きます。リストを入れるフォルダも作ります。あるファイルは変えません。",
            "Write the file of an event, with comments, and make the folder for its lists. Nothing is overwritten.",
        ),
    )(_init)


def _init(
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE]",
            show_default=False,
            help=say("書くファイル（省略時は event.yaml）。", "The file to write (default: event.yaml)."),
        ),
    ] = "event.yaml",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=say("フォーマット。一覧は deckcheck formats。", "The format; deckcheck formats lists them."),
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(
            "--date",
            metavar="YYYY-MM-DD",
            help=say("開催日（省略時は1週間後）。", "The day of the event (default: a week from today)."),
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
    asked = AskedEvent(format, day, "ja" if lang == "ja" else "en")
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
            raise wrong(f"作れません: {reason}", f"can't be made: {reason}", path=str(lists)) from error
    command = f"deckcheck event check {shlex.quote(name)}"
    guessed = Text("（--format で選べます）", " (choose with --format)") if format is None else Text("", "")
    lines = [
        Text(f"{name}: 書きました", f"{name}: written"),
        Text(
            f"  開催日: {written.date}、フォーマット: {written.format}{guessed.ja}",
            f"  {written.date}, {written.format}{guessed.en}",
        ),
        Text(f"{lists}: リストを入れるフォルダです", f"{lists}: the folder for lists"),
        Text(
            f"次に: {name} を開いて直し、リストを集めたら {command}",
            f"next: edit {name}, collect lists, then {command}",
        ),
    ]
    with output(None, exact=False) as write:
        for line in lines:
            write(safe(line.in_(lang)) + "\n")
    return 0


def _there(name: str) -> Exception:
    from deckcheck.support.errors import wrong

    return wrong("すでにあります（変えていません）", "this is there already, and is kept", path=name)
