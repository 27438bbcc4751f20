"""`deckcheck import`, `cards import` and `banlists import`: their options, and what they did in words."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import NOT_DONE, Group, Run, command
from deckcheck.cli.project import open_project
from deckcheck.support.dates import day_of_option
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import Message, _, shortened
from deckcheck.support.safe_text import safe

if TYPE_CHECKING:
    from deckcheck.importers.banlist_updates import BanlistUpdate
    from deckcheck.importers.card_imports import ImportResult
    from deckcheck.importers.importer import Importer, Lists, ListsWritten

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@command(
    _(
        "Import cards and banlists. Reads MTGJSON, Scryfall bulk data, .cdb and lflist.conf of EDOPro or YGOPro, JSON "
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
        _("Source of the data: mtgjson, scryfall, ygopro or lflist (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    return _import(run, files, _importer(run, source, folder=into and Path(into), since=since))


@command(
    _(
        "Add cards to your own card table. Reads JSON Lines and YAML, MTGJSON, Scryfall bulk data, and EDOPro or "
        "YGOPro .cdb files, compressed or not."
    ),
    "* quiet game games lang config isolated",
)
def import_cards(
    run: Run,
    file: str = opt.argument(_("File or https address."), "FILE|URL"),
    source: str | None = opt.option(
        _("Source of the data: mtgjson, scryfall or ygopro (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    return _import(run, [file], _importer(run, source, only="cards"))


@command(
    _(
        "Import banlists with their dates. Reads EDOPro or YGOPro lflist.conf, and the legalities in MTGJSON and "
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
    lists: list[str] | None = opt.option(_("Import only this list (repeatable)."), "NAME", "--list"),
    id: str | None = opt.option(_("ID of the list to write, if there is only one."), "GAME/NAME"),
    to: str | None = opt.option(
        _("Folder to write to (default: the first one under banlists in the settings, else your own data)."),
        "FOLDER",
    ),
    source: str | None = opt.option(
        _("Source of the data: mtgjson, scryfall or lflist (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    importer = _importer(run, source, only="lists", since=since, names=lists or (), id=id)
    folder = Path(to) if to is not None else next(iter(importer.folders.banlists), None)
    return _import(run, [file], importer._replace(to=folder))


banlists = Group(_("Work with dated banlists."), {"import": import_banlists})


def _importer(run: Run, source: str | None, **choices: Any) -> "Importer":
    """The importer with the options that the commands share, and the cards and folders of the settings."""
    from deckcheck.importers.importer import Importer

    options = open_project(run, []).options
    cards = tuple(map(Path, options.cards))
    return Importer(run.options.game, source, cards=cards, folders=options.folders, **choices)


# One run


def _import(run: Run, files: Sequence[str], importer: "Importer") -> int:
    """Import files and addresses one by one, then the lists in them, and report; returns the exit status."""
    waiting: list[tuple[str, Lists]] = []
    games, lists_written, failed = set[str](), False, False
    for word in files:
        with _reported(run) as problems, _file(run, word) as path:
            imported = importer.import_file(path, lambda file: _progress(run, file))
            if imported.cards is not None:
                games.add(imported.game)
                terminal.show_lines(card_lines(imported.cards, brief=run.options.quiet), run.lang)
            if imported.lists is not None:
                waiting.append((word, imported.lists))
        failed = failed or bool(problems)
    for word, lists in waiting:
        with _reported(run) as problems, _named(word):
            done = importer.write(lists)
            lists_written = lists_written or bool(done.written)
            terminal.show_lines(map(list_line, done.written), run.lang)
            terminal.write_messages(run.lang, *list_remarks(done))
        failed = failed or bool(problems)
    if importer.folder is not None:
        _name_in_settings(run, importer.folder, cards=bool(games), banlists=lists_written)
    return NOT_DONE if failed else 0


@contextmanager
def _reported(run: Run) -> Iterator[list[Problem]]:
    """A list that gets the problems raised inside, which are shown but don't end the run."""
    problems: list[Problem] = []
    try:
        yield problems
    except UserError as error:
        problems += error.problems
        terminal.write_problems(problems, run.lang)


@contextmanager
def _file(run: Run, word: str) -> Iterator[Path]:
    """The file with that name or at that address; errors name it as the user did."""
    if not _ADDRESS.match(word):
        terminal.require_file(word)
        yield Path(word)
        return
    from deckcheck.support.download import downloaded

    bar = terminal.Progress(0, run.lang, _("downloading").in_(run.lang) + " ")
    show = (lambda _done, _total: None) if run.options.quiet else bar.reach
    with _named(word), downloaded(word, show) as path:
        bar.clear()
        with _named(word, path):
            yield path


@contextmanager
def _named(word: str, path: Path | None = None) -> Iterator[None]:
    """Replace the path of problems that is `path` by the name that the user typed."""
    try:
        yield
    except UserError as error:
        wrong = None if path is None else str(path)
        raise UserError(
            [problem._replace(path=word) if problem.path == wrong else problem for problem in error.problems]
        ) from error


def _progress(run: Run, path: Path) -> AbstractContextManager[Callable[[int], None]]:
    return terminal.file_progress(str(path), run.lang, shown=not run.options.quiet)


def _name_in_settings(run: Run, folder: Path, *, cards: bool, banlists: bool) -> None:
    """Add the folders with what was imported to the nearest settings, or to new ones in the working folder."""
    from deckcheck.config.additions import add_folders

    written = {"cards": cards, "banlists": banlists}
    wanted = {key: [folder / key] for key, is_there in written.items() if is_there}
    file = add_folders(wanted, folder, run.options.config)
    if file is not None:
        terminal.show_lines([_("{file}: now names {folder}", file=str(file), folder=str(folder))], run.lang)


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


_REMARKS = (
    _("left out: {items}"),
    _("left out because of their names: {items}"),
    _("aliases that could mean another card, too: {items}"),
    _("words that the game does not define: {items}"),
)
"""Remarks on an import of a large file."""


def card_lines(done: "ImportResult", *, brief: bool) -> Iterator[Message | str]:
    """What an import of cards did; for a large file, more than the numbers of cards unless `brief`."""
    source = None if brief else done.source
    if source is not None:
        yield source + (f" ({done.date[:20]})" if done.date else "")
        if done.resumed:
            yield _("resumed an earlier import ({count:,} entries were already read)", count=done.resumed)
    yield _(
        "{added} added, {changed} changed, {unchanged} unchanged: {path}",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        path=str(done.path),
    )
    if source is None:
        return
    counts = [(_REASONS[reason], count) for reason, count in sorted(done.left_out.items()) if count]
    found = (
        [_("{what} {count:,}", what=what, count=count) for what, count in counts],
        [_("“{name}” (same as “{other}”)", name=name, other=other) for name, other in done.doubles],
        [_("“{alias}” ({name})", alias=alias, name=name) for alias, name in done.clashes],
        [_("{word} ({count:,})", word=word, count=done.unknown[word]) for word in sorted(done.unknown)],
    )
    for remark, items in zip(_REMARKS, found, strict=True):
        if items:
            yield remark.filled(items=shortened(items, 10))


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
