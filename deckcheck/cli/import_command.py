"""`deckcheck import`, `cards import` and `banlists import`: their options, and what they did in words."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import NOT_DONE, Group, Run, command
from deckcheck.cli.project import open_project
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Message, _, shortened
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.importers.banlist_updates import BanlistUpdate
    from deckcheck.importers.importer import Importer, Lists, ListsWritten
    from deckcheck.importers.own_cards import ImportResult

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@command(
    _(
        "Import cards and banlists. Reads Scryfall bulk data, .cdb and lflist.conf of EDOPro or YGOPro, JSON "
        "Lines and YAML, compressed or not, from files or https addresses. What is imported holds for all your decks "
        "from then on."
    ),
    "* quiet game games lang config",
)
def import_(
    run: Run,
    files: list[str] = opt.argument(_("Files or https addresses."), "FILE|URL..."),
    into: str | None = opt.option(
        _("Put everything into this folder beside the decks instead, and name it in the settings."), "FOLDER"
    ),
    since: str | None = opt.option(
        _("Date from which lists apply (default: the date in the data or in the list's name)."),
        "YYYY-MM-DD",
        convert=day_of_option,
    ),
    source: str | None = opt.option(
        _("Source of the data: scryfall, ygopro or lflist (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    return _import(run, files, _importer(run, source, folder=into and Path(into), since=since))


@command(
    _(
        "Add cards to your own card table. Reads JSON Lines and YAML, Scryfall bulk data, and EDOPro or "
        "YGOPro .cdb files, compressed or not."
    ),
    "* quiet game games lang config isolated",
)
def import_cards(
    run: Run,
    file: str = opt.argument(_("File or https address."), "FILE|URL"),
    source: str | None = opt.option(
        _("Source of the data: scryfall or ygopro (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    return _import(run, [file], _importer(run, source, only="cards"))


@command(
    _(
        "Import banlists with their dates. Reads EDOPro or YGOPro lflist.conf, and the legalities in "
        "Scryfall data. The history of the existing list is kept, and a card that is no longer listed is "
        "unrestricted from that day."
    ),
    "* quiet cards games lang config isolated",
)
def import_banlists(
    run: Run,
    file: str = opt.argument(_("File or https address."), "FILE|URL"),
    since: str | None = opt.option(
        _("Date from which the lists apply (default: the date in the data or in the list's name)."),
        "YYYY-MM-DD",
        convert=day_of_option,
    ),
    lists: list[str] = opt.option(_("Import only this list (repeatable)."), "NAME", "--list"),
    id: str | None = opt.option(_("ID of the list to write, if there is only one."), "GAME/NAME"),
    to: str | None = opt.option(
        _("Folder to write to (default: the first one under banlists in the settings, else your own data)."),
        "FOLDER",
    ),
    source: str | None = opt.option(
        _("Source of the data: scryfall or lflist (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    importer = _importer(run, source, only="lists", since=since, names=lists, id=id)
    folder = Path(to) if to is not None else next(iter(importer.folders.banlists), None)
    return _import(run, [file], importer._replace(to=folder))


banlists = Group(_("Work with dated banlists."), {"import": import_banlists})


def _importer(run: Run, source: str | None, **choices: Any) -> "Importer":
    """The importer with the options that the commands share, and the cards and folders of the settings."""
    from deckcheck.importers.importer import Importer

    options = open_project(run, []).options
    cards = tuple(map(Path, options.cards))
    return Importer(run.game, source, cards=cards, folders=options.folders, **choices)


# One run


def _import(run: Run, files: Sequence[str], importer: "Importer") -> int:
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
                    path = stack.enter_context(_downloaded(run, word))
                    unnamed.append(str(path))
                elif (word == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
                    message = _("cannot import from standard input or a pipe; name a file")
                    raise user_error(message, path=word)
                imported = importer.import_file(path, lambda file: file_progress(run, file))
                if imported.cards is not None:
                    written["cards"] = True
                    terminal.show_lines(card_lines(imported.cards, brief=run.quiet), run.lang)
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
        from deckcheck.config.additions import add_folders

        wanted = {key: [folder / key] for key, is_there in written.items() if is_there}
        settings = add_folders(wanted, folder, run.config)
        if settings is not None:
            names = _("{file}: now names {folder}", file=str(settings), folder=str(folder))
            terminal.show_lines([names], run.lang)
    return NOT_DONE if failed else 0


@contextmanager
def _downloaded(run: Run, address: str) -> Iterator[Path]:
    """The file at an address, with a progress bar for the download."""
    from deckcheck.support.download import downloaded

    bar = terminal.Progress(0, run.lang, _("downloading").in_(run.lang) + " ")
    with downloaded(address, (lambda _done, _total: None) if run.quiet else bar.reach) as path:
        bar.clear()
        yield path


@contextmanager
def file_progress(run: Run, file: Path) -> Iterator[Callable[[int], None]]:
    """A progress bar for the bytes read from a file, on terminals only."""
    size = file.stat().st_size if not run.quiet and file.is_file() else 0
    bar = terminal.Progress(size, run.lang, _("reading").in_(run.lang) + " ")
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
