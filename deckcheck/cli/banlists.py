"""`deckcheck banlists`: dated lists of restrictions."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import Cards, Config, Isolated, Lang, Quiet, day
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Message, _, series

if TYPE_CHECKING:
    from deckcheck.cards.importers.registry import StatedList
    from deckcheck.formats.banlistfile import BanlistUpdate

_MOST_LISTED = 10


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help=_("Work with dated banlists.").key, rich_markup_mode=None, no_args_is_help=True)

    # With a callback the group stays a group, though it has one command only.
    @group.callback()
    def banlists() -> None:
        pass

    group.command(
        "import",
        help=_(
            "Import banlists with their dates: EDOPro or YGOPro lflist.conf, and the legalities in MTGJSON and "
            "Scryfall data. The history of the existing list is kept, and a card that is no longer listed is "
            "unrestricted from that day."
        ).key,
    )(import_)
    app.add_typer(group, name="banlists")


@command
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help=_("File with the lists.").key)],
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="YYYY-MM-DD",
            callback=day,
            help=_(
                "Date from which the lists apply (default: the date in the data or in the list's name)."
            ).key,
        ),
    ] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option("--list", metavar="NAME", help=_("Import only this list (repeatable).").key),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="GAME/NAME", help=_("ID of the list to write, if there is only one.").key
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help=_("Folder to write to (default: the first one under banlists in the settings).").key,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help=_(
                "Source of the data: mtgjson, scryfall or lflist (default: detected from the content)."
            ).key,
        ),
    ] = None,
    quiet: Quiet = False,
    cards: Cards = None,
    lang: Lang = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    from deckcheck.cards.importers.registry import LIST_KINDS, kind_named, list_kind_of
    from deckcheck.checking.judge import open_game_data
    from deckcheck.cli.project import language_of, project_settings
    from deckcheck.cli.terminal import complain, file_progress, output, require_file
    from deckcheck.formats.banlistfile import update_banlist, write_banlists

    settings = project_settings([], config=config, isolated=isolated)
    spoken = language_of(settings, lang)
    require_file(file)
    path = Path(file)
    kind = list_kind_of(path) if source is None else kind_named(source, LIST_KINDS)
    with file_progress(file, spoken, shown=not quiet) as advance:
        stated = kind.source.banlists(path, advance)
    chosen = _chosen(stated, lists or (), id, path)
    ids = [id or _id(one, kind.game) for one in chosen]
    days = _days(chosen, since)
    table = open_game_data(kind.game, [*settings.cards, *map(Path, cards or ())])

    def canonical(word: str) -> str | None:
        found = table.catalog.find(word)
        return found[0].name if len(found) == 1 else None

    folder = None if to is None else Path(to)
    made = [
        update_banlist(
            list_id, one.also or one.title, one.statuses, one.free, day, canonical, settings.folders, folder
        )
        for list_id, one, day in zip(ids, chosen, days, strict=True)
    ]
    for status in sorted(
        {status for one in chosen for status in one.statuses.values()} - table.game.statuses.keys()
    ):
        raise user_error(_("this game has no status “{status}”", status=status))
    strange = [
        new
        for new, one in zip(made, chosen, strict=True)
        if one.statuses and len(new.unknown) == len(one.statuses)
    ]
    if len(strange) == len(made) or (strange and lists):
        raise _no_card_known(strange)
    made = [new for new in made if new not in strange]
    write_banlists(made)
    with output(None, exact=False) as write:
        for new in made:
            write(_result(new).in_(spoken) + "\n")
    for new in (*strange, *made):
        for remark in _remarks(new):
            complain(remark.in_(spoken) + "\n")
    return 0


def _chosen(
    stated: "Sequence[StatedList]", names: Sequence[str], id: str | None, path: Path
) -> "list[StatedList]":
    """The lists that are asked for, all of them where none is named. Raises UserError."""
    if not stated:
        raise user_error(_("contains no restrictions"), path=str(path))
    wanted = {name.casefold() for name in names}
    chosen = [one for one in stated if not wanted or wanted & _names(one)]
    known = {name for one in stated for name in _names(one)}
    for name in names:
        if name.casefold() not in known:
            titles = series([one.title for one in stated])
            raise user_error(_("--list: there is no “{name}” (available: {lists})", name=name, lists=titles))
    if id is not None and len(chosen) != 1:
        raise user_error(
            _(
                "--id can only be used with one list, but there are {count}; select one with --list",
                count=len(chosen),
            )
        )
    refused = [
        Problem(_("“{name}” cannot be imported: {reason}", name=one.title, reason=one.refused))
        for one in chosen
        if one.refused is not None
    ]
    if refused and (wanted or len(refused) == len(chosen)):
        raise UserError(refused)
    return [one for one in chosen if one.refused is None]


def _names(one: "StatedList") -> set[str]:
    return {name.casefold() for name in (one.id, one.title, one.also)}


def _id(one: "StatedList", game: str) -> str:
    if not one.id:
        raise user_error(_("no ID can be made from “{name}”; set one with --id", name=one.title))
    return f"{game}/{one.id}"


def _days(chosen: "Sequence[StatedList]", since: str | None) -> list[str]:
    undated = [one for one in chosen if one.date is None]
    if since is None and undated:
        raise UserError(
            [
                Problem(_("“{name}” has no date; set one with --since YYYY-MM-DD", name=one.title))
                for one in undated
            ]
        )
    return [since or one.date or "" for one in chosen]


def _no_card_known(lists: "Sequence[BanlistUpdate]") -> UserError:
    hint = _("import the cards first with `deckcheck cards import`")
    return UserError(
        [
            Problem(_("{list}: none of its cards is in the card table", list=new.id), hint=hint)
            for new in lists
        ]
    )


def _result(new: "BanlistUpdate") -> Message:
    from deckcheck.support.safetext import safe

    return _(
        "{list} (from {day}): {added} added, {changed} changed, {freed} removed, {unchanged} unchanged: {path}",
        list=safe(new.id),
        day=new.since,
        added=new.added,
        changed=new.changed,
        freed=new.freed,
        unchanged=new.unchanged,
        path=safe(str(new.file)),
    )


def _remarks(new: "BanlistUpdate") -> Iterator[Message]:
    from deckcheck.support.safetext import safe

    for words, remark in (
        (new.unknown, _("skipped (no single card with this name in the card table)")),
        (new.untouched, _("left as they were (not mentioned in the new data)")),
    ):
        if words:
            shown: list[str | Message] = [safe(word) for word in words[:_MOST_LISTED]]
            if len(words) > _MOST_LISTED:
                shown.append(_("{count:,} more", count=len(words) - _MOST_LISTED))
            yield _("{list}: {remark}: {cards}", list=safe(new.id), remark=remark, cards=series(shown))
