"""`deckcheck import`: files and addresses in, cards and banlists in the user's data out."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.help import OUTPUT, Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import N_, Message, _, shortened
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.importers.banlist_updates import BanlistUpdate
    from deckcheck.importers.importer import Importer, Lists, ListsWritten
    from deckcheck.importers.own_cards import ImportResult

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
    return _import(run, files, importer, quiet=quiet, config=config)


# One run


def _import(
    run: Run, files: Sequence[str], importer: "Importer", *, quiet: bool, config: str | None
) -> Status:
    """Import files and addresses one by one, then the lists in them, and report; returns the exit status."""
    waiting: list[tuple[str, Lists]] = []
    written: dict[str, bool] = {"cards": False, "banlists": False}
    failed = False

    def fail(error: UserError, word: str, *paths: str | None) -> None:
        """Show problems, those of these `paths` with the name that the user typed; the run goes on."""
        nonlocal failed
        failed = True
        problems = [
            problem._replace(path=word) if problem.path in paths else problem for problem in error.problems
        ]
        terminal.write_problems(problems, run.lang)

    for word in files:
        unnamed: list[str | None] = []
        try:
            with ExitStack() as stack:
                path = Path(word)
                if _ADDRESS.match(word):
                    unnamed.append(None)
                    path = stack.enter_context(_downloaded(word, run.lang, quiet=quiet))
                    unnamed.append(str(path))
                elif (word == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
                    message = _("cannot import from standard input or a pipe; name a file")
                    raise user_error(message, path=word)
                imported = importer.import_file(path, lambda file: file_progress(file, run.lang, quiet=quiet))
                if imported.cards is not None:
                    written["cards"] = True
                    terminal.show_lines(card_lines(imported.cards, brief=quiet), run.lang)
                if imported.lists is not None:
                    waiting.append((word, imported.lists))
        except UserError as error:
            fail(error, word, *unnamed)
    for word, lists in waiting:
        try:
            done = importer.write(lists)
            written["banlists"] |= bool(done.written)
            terminal.show_lines(map(list_line, done.written), run.lang)
            terminal.write_messages(run.lang, *list_remarks(done))
        except UserError as error:
            fail(error, word, None)
    folder = importer.folder
    if folder is not None:
        from deckcheck.config.settings import add_folders

        wanted = {key: [folder / key] for key, is_there in written.items() if is_there}
        added = add_folders(wanted, folder, config)
        if added is not None:
            names = _("{file}: now names {folder}", file=str(added.file), folder=str(folder))
            if not added.written:
                lines = "; ".join(added.lines)
                names = _("write this into {file}: {lines}", file=str(added.file), lines=lines)
            terminal.show_lines([names], run.lang)
    return Status.ERROR if failed else Status.OK


@contextmanager
def _downloaded(address: str, lang: str, *, quiet: bool) -> Iterator[Path]:
    """The file at an address, with a progress bar for the download."""
    from deckcheck.support.download import downloaded

    bar = terminal.Progress(0, lang, _("downloading").in_(lang) + " ")
    with downloaded(address, (lambda _done, _total: None) if quiet else bar.reach) as path:
        bar.clear()
        yield path


@contextmanager
def file_progress(file: Path, lang: str, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar for the bytes read from a file, on terminals only."""
    size = file.stat().st_size if not quiet and file.is_file() else 0
    bar = terminal.Progress(size, lang, _("reading").in_(lang) + " ")
    yield bar.advance if size else lambda _count: None
    bar.clear()


# In words

_REASONS = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are never in a deck"),
    "remade": _("digital-only versions"),
    "other": _("cards of other games"),
    "unreleased": _("unreleased cards"),
    "flawed": _("unreadable entries"),
}
"""Why an import leaves cards out."""


def card_lines(done: "ImportResult", *, brief: bool) -> Iterator[Message | str]:
    """What an import of cards did; for a large file, more than the numbers of cards unless `brief`."""
    source = None if brief else done.source
    if source is not None:
        yield source
    yield _(
        "{added} added, {changed} changed, {unchanged} unchanged: {path}",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        path=str(done.path),
    )
    if source is None:
        return
    left_out = [
        _("{what} {count:,}", what=_REASONS[reason], count=count)
        for reason, count in sorted(done.left_out.items())
        if count
    ]
    doubles = [_("“{name}” (same as “{other}”)", name=name, other=other) for name, other in done.doubles]
    clashes = [_("“{alias}” ({name})", alias=alias, name=name) for alias, name in done.clashes]
    unknown = [_("{word} ({count:,})", word=word, count=done.unknown[word]) for word in sorted(done.unknown)]
    if left_out:
        yield _("left out: {items}", items=shortened(left_out, 10))
    if doubles:
        yield _("left out because of their names: {items}", items=shortened(doubles, 10))
    if clashes:
        yield _("aliases that could mean another card, too: {items}", items=shortened(clashes, 10))
    if unknown:
        yield _("words that the game does not define: {items}", items=shortened(unknown, 10))


def list_line(new: "BanlistUpdate") -> Message:
    """What an import did to a list."""
    return _(
        "{list} (from {day}): {added} added, {changed} changed, {freed} removed, {unchanged} unchanged: {path}",
        list=new.id,
        day=new.since,
        added=new.added,
        changed=new.changed,
        freed=new.freed,
        unchanged=new.unchanged,
        path=str(new.file),
    )


def list_remarks(done: "ListsWritten") -> Iterator[Message]:
    """What couldn't be imported from lists, and the cards about which they say nothing."""
    yield from done.remarks
    for new in (*done.unmatched, *done.written):
        for words, remark in (
            (new.unknown, _("skipped (no single card with this name in the card table)")),
            (new.untouched, _("left as they were (not mentioned in the new data)")),
        ):
            if words:
                yield _(
                    "{list}: {remark}: {cards}",
                    list=safe(new.id),
                    remark=remark,
                    cards=shortened(list(map(safe, words)), 10),
                )
