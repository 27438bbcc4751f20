"""`deckcheck banlists`: dated lists of restrictions."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from deckcheck.cards.importers import LIST_KINDS, StatedList, kind_named, list_kind_of
from deckcheck.checking.judge import open_game_data
from deckcheck.cli import options as opt
from deckcheck.cli import terminal
from deckcheck.cli.command import Group, Run, command
from deckcheck.cli.project import open_project
from deckcheck.formats.banlistfile import BanlistUpdate, update_banlist, write_banlists
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Message, _, series, shortened
from deckcheck.support.safetext import safe


@command(
    _(
        "Import banlists with their dates. Reads EDOPro or YGOPro lflist.conf, and the legalities in MTGJSON and "
        "Scryfall data. The history of the existing list is kept, and a card that is no longer listed is "
        "unrestricted from that day."
    ),
    "* quiet cards lang config isolated",
)
def import_banlists(
    run: Run,
    file: str = opt.argument(_("File with the lists."), "FILE"),
    since: str | None = opt.option(
        _("Date from which the lists apply (default: the date in the data or in the list's name)."),
        "YYYY-MM-DD",
        callback=opt.day,
    ),
    lists: list[str] | None = opt.option(_("Import only this list (repeatable)."), "NAME", "--list"),
    id: str | None = opt.option(_("ID of the list to write, if there is only one."), "GAME/NAME"),
    to: str | None = opt.option(
        _("Folder to write to (default: the first one under banlists in the settings)."), "FOLDER"
    ),
    source: str | None = opt.option(
        _("Source of the data: mtgjson, scryfall or lflist (default: detected from the content)."),
        "SOURCE",
        "--from",
    ),
) -> int:
    options = open_project(run, []).options
    terminal.require_file(file)
    path = Path(file)
    kind = list_kind_of(path) if source is None else kind_named(source, LIST_KINDS)
    with terminal.file_progress(file, run.lang, shown=not run.options.quiet) as advance:
        stated = kind.source.banlists(path, advance)
    if not stated:
        raise user_error(_("contains no restrictions"), path=file)
    chosen = [
        found._replace(id=id or f"{kind.game}/{found.id}", date=since or found.date)
        for found in _chosen(stated, lists or (), id)
    ]
    _refuse(
        _("“{name}” has no date; set one with --since YYYY-MM-DD", name=found.title)
        for found in chosen
        if found.date is None
    )
    table = open_game_data(kind.game, [Path(card) for card in options.cards])
    for status in sorted({status for found in chosen for status in found.statuses.values()}):
        if status not in table.game.statuses:
            raise user_error(_("this game has no status “{status}”", status=status))

    def canonical(word: str) -> str | None:
        cards = table.catalog.find(word)
        return cards[0].name if len(cards) == 1 else None

    folder = None if to is None else Path(to)
    made: list[BanlistUpdate] = []
    strange: list[BanlistUpdate] = []
    for found in chosen:
        title, start = found.also or found.title, found.date or ""
        new = update_banlist(
            found.id, title, found.statuses, found.free, start, canonical, options.folders, folder
        )
        (strange if found.statuses and len(new.unknown) == len(found.statuses) else made).append(new)
    if strange and (lists or not made):
        _refuse(
            (_("{list}: none of its cards is in the card table", list=new.id) for new in strange),
            hint=_("import the cards first with `deckcheck cards import`"),
        )
    write_banlists(made)
    results = (
        _(
            "{list} (from {day}): {added} added, {changed} changed, {freed} removed, {unchanged} unchanged: {path}",
            list=new.id,
            day=new.since,
            added=new.added,
            changed=new.changed,
            freed=new.freed,
            unchanged=new.unchanged,
            path=str(new.file),
        )
        for new in made
    )
    terminal.show_lines(results, run.lang)
    terminal.tell(run.lang, *(remark for new in (*strange, *made) for remark in _remarks(new)))
    return 0


banlists = Group(_("Work with dated banlists."), {"import": import_banlists})


def _chosen(stated: Sequence[StatedList], names: Sequence[str], id: str | None) -> list[StatedList]:
    """The lists to import, all of them where none is named. Raises UserError for one that can't be imported."""
    known = [{name.casefold() for name in (found.id, found.title, found.also)} for found in stated]
    for name in names:
        if not any(name.casefold() in of_list for of_list in known):
            titles = series([found.title for found in stated])
            raise user_error(_("--list: there is no “{name}” (available: {lists})", name=name, lists=titles))
    wanted = {name.casefold() for name in names}
    chosen = [found for found, own in zip(stated, known, strict=True) if not wanted or wanted & own]
    if id is not None and len(chosen) != 1:
        raise user_error(
            _(
                "--id can only be used with one list, but there are {count}; select one with --list",
                count=len(chosen),
            )
        )
    refused = [found for found in chosen if found.refused is not None]
    if wanted or len(refused) == len(chosen):
        _refuse(
            _("“{name}” cannot be imported: {reason}", name=found.title, reason=found.refused)
            for found in refused
        )
    chosen = [found for found in chosen if found.refused is None]
    for found in chosen:
        if id is None and not found.id:
            raise user_error(_("no ID can be made from “{name}”; set one with --id", name=found.title))
    return chosen


def _refuse(mistakes: Iterable[Message], hint: Message | None = None) -> None:
    """Raises UserError if there are any."""
    if problems := [Problem(mistake, hint=hint) for mistake in mistakes]:
        raise UserError(problems)


def _remarks(new: BanlistUpdate) -> Iterator[Message]:
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
