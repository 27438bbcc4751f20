"""`deckcheck import`: files and addresses in, cards and banlists in the user's data out."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import OUTPUT, Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.report.screen import Progress, write_problems
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, _
from deckcheck.support.terminal import show_lines, write_messages

if TYPE_CHECKING:
    from deckcheck.importers.importer import Lists

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    "import",
    cls=Command,
    no_args_is_help=True,
    help=N_(
        "Import cards and banlists. Reads Scryfall bulk data, .cdb and lflist.conf of EDOPro or YGOPro, JSON "
        "Lines and YAML, compressed or not, from files or https addresses. What is imported holds for all your decks "
        "from then on."
    ),
    epilog=examples("deckcheck import cards.cdb lflist.conf", "deckcheck import our-cards.yaml --into data"),
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
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=N_("Source of the data: scryfall, ygopro or lflist (default: detected from the content)."),
        ),
    ] = None,
    game: opt.Game = None,
    games: opt.Games = None,
    config: opt.Config = None,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", rich_help_panel=OUTPUT, help=N_("Show no progress and no details.")),
    ] = False,
    _lang: opt.Lang = None,
) -> int:
    from deckcheck.importers.importer import Importer

    run: Run = ctx.obj
    if into is not None and (not into or (Path(into).is_symlink() and not Path(into).exists())):
        raise user_error(_("--into: name a folder"))
    options = open_project(run, [], games=games, config=config).options
    importer = Importer(
        game,
        source,
        cards=tuple(map(Path, options.cards)),
        folders=options.folders,
        folder=None if into is None else Path(into),
        since=since,
    )
    failures = _Failures(run.lang)
    waiting: list[tuple[str, Lists]] = []
    written: set[str] = set()
    for word in files:
        with failures.told(word) as unnamed, ExitStack() as stack:
            path = stack.enter_context(_file(word, run.lang, quiet=quiet))
            if _ADDRESS.match(word):
                unnamed += [None, str(path)]
            imported = importer.import_file(path, lambda file: _progress(file, run.lang, quiet=quiet))
            if imported.cards is not None:
                written.add("cards")
                show_lines(imported.cards.lines(brief=quiet), run.lang)
            if imported.lists is not None:
                waiting.append((word, imported.lists))
    # Lists may name cards of files that come after them.
    for word, lists in waiting:
        with failures.told(word) as unnamed:
            unnamed.append(None)
            done = importer.write(lists)
            if done.written:
                written.add("banlists")
            show_lines((update.line for update in done.written), run.lang)
            write_messages(run.lang, *done.shortcomings())
    if importer.folder is not None:
        _name_in_settings(run.lang, importer.folder, written, config)
    return Status.ERROR if failures.any else Status.OK


class _Failures:
    """What goes wrong with single files is told at once, with the word that the user typed, and the run goes on."""

    def __init__(self, lang: str) -> None:
        self.any = False
        self._lang = lang

    @contextmanager
    def told(self, word: str) -> Iterator[list[str | None]]:
        """Tells errors; problems of the paths that are added to the list are shown as ones of the word."""
        unnamed: list[str | None] = []
        try:
            yield unnamed
        except UserError as error:
            self.any = True
            problems = [
                problem._replace(path=word) if problem.path in unnamed else problem
                for problem in error.problems
            ]
            write_problems(problems, self._lang)


@contextmanager
def _file(word: str, lang: str, *, quiet: bool) -> Iterator[Path]:
    """The file with that name, or at that address, with a progress bar for the download. Raises UserError."""
    path = Path(word)
    if not _ADDRESS.match(word):
        if (word == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
            raise user_error(_("cannot import from standard input or a pipe; name a file"), path=word)
        yield path
        return
    from deckcheck.support.download import downloaded

    bar = Progress(0, lang, _("downloading").in_(lang) + " ")
    with downloaded(word, (lambda _done, _total: None) if quiet else bar.reach) as fetched:
        bar.clear()
        yield fetched


@contextmanager
def _progress(file: Path, lang: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar for the bytes read from a file, on terminals only."""
    size = file.stat().st_size if not quiet and file.is_file() else 0
    bar = Progress(size, lang, _("reading").in_(lang) + " ")
    yield bar.advance if size else lambda _count: None
    bar.clear()


def _name_in_settings(lang: str, folder: Path, written: set[str], config: str | None) -> None:
    """Name the folders that were written in the settings, or say what to write there."""
    from deckcheck.config.settings import add_folders

    folders: dict[str, list[Path]] = {key: [folder / key] for key in ("cards", "banlists") if key in written}
    added = add_folders(folders, folder, config)
    if added is None:
        return
    names = _("{file}: now names {folder}", file=str(added.file), folder=str(folder))
    if not added.written:
        lines = "; ".join(added.lines)
        names = _("write this into {file}: {lines}", file=str(added.file), lines=lines)
    show_lines([names], lang)
