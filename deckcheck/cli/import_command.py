"""`deckcheck import`: files and addresses in, cards and banlists in the user's data out."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run, Status
from deckcheck.config import add_folders
from deckcheck.report.text import Progress, answer, write_problems
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import UserError, placed_at, renamed, user_error
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show, show_lines, write_messages

if TYPE_CHECKING:
    from deckcheck.importers.importer import Lists

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")

app = App()


@app.command(
    "import",
    help=N_(
        "Import cards and banlists. Reads Scryfall bulk data, .cdb and lflist.conf of EDOPro or YGOPro, JSON "
        "Lines and YAML, compressed or not, from files or https addresses. What is imported holds for all your decks "
        "from then on."
    ),
    epilog="deckcheck import cards.cdb lflist.conf\ndeckcheck import our-cards.yaml --into data",
)
def import_(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE|URL...", help=N_("Files or https addresses."))],
    into: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help=N_("Put everything into this folder beside the decks instead, and name it in the settings."),
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="YYYY-MM-DD",
            callback=opt.day,
            help=N_("Date from which lists apply (default: the date in the data or in the list's name)."),
        ),
    ] = None,
    game: opt.Game = None,
    config: opt.Config = None,
) -> int:
    run: Run = ctx.obj
    from deckcheck.importers.importer import Importer

    if into is not None and (not into or (Path(into).is_symlink() and not Path(into).exists())):
        raise user_error(_("--into: name a folder"))
    settings = run.session(config).options.settings
    importer = Importer(
        game,
        cards=settings.cards,
        folders=settings.folders,
        folder=None if into is None else Path(into),
        since=since,
    )
    look = RenderOptions(run.lang)
    waiting: list[tuple[str, Lists]] = []
    written: set[str] = set()
    failed = False
    for word in files:
        try:
            with _file(word, run.lang) as path:
                imported = importer.import_file(path, lambda file: _progress(file, run.lang))
            if imported.cards is not None:
                written.add("cards")
                show(answer("import.txt", look, cards=imported.cards, lists=()))
            if imported.lists is not None:
                waiting.append((word, imported.lists))
        except UserError as error:
            failed = True
            write_problems(error.problems, run.lang)
    # Lists may name cards of files that come after them.
    for word, lists in waiting:
        try:
            done = importer.write(lists)
            if done.written:
                written.add("banlists")
            show(answer("import.txt", look, cards=None, lists=done.written))
            write_messages(run.lang, *done.remarks)
        except UserError as error:
            failed = True
            write_problems(placed_at(error, word).problems, run.lang)
    if importer.folder is not None:
        paths = {key: [importer.folder / key] for key in sorted(written, reverse=True)}
        added = add_folders(paths, importer.folder, config)
        show_lines([] if added is None else [added], run.lang)
    return Status.ERROR if failed else Status.OK


@contextmanager
def _file(word: str, lang: str) -> Iterator[Path]:
    """The file with that name, or at that address, with a progress bar for the download. Raises UserError.

    Problems of a downloaded file are told as those of its address.
    """
    path = Path(word)
    if not _ADDRESS.match(word):
        if (word == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
            raise user_error(_("cannot import from standard input or a pipe; name a file"), path=word)
        yield path
        return
    from deckcheck.importers.source_files import downloaded

    bar = Progress(0, lang, _("downloading").in_(lang) + " ")
    with downloaded(word, bar.reach) as fetched:
        bar.clear()
        try:
            yield fetched
        except UserError as error:
            raise renamed(error, str(fetched), word) from error


@contextmanager
def _progress(file: Path, lang: str) -> Iterator[Callable[[int], None]]:
    """A progress bar for the bytes read from a file, on terminals only."""
    size = file.stat().st_size if file.is_file() else 0
    bar = Progress(size, lang, _("reading").in_(lang) + " ")
    yield bar.advance if size else lambda _count: None
    bar.clear()
