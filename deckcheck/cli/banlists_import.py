"""`deckcheck banlists import`: lists of other people become dated lists of one's own."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.cli.cards_import import progress, require_file
from deckcheck.cli.screen import complain, output
from deckcheck.config.settings import Settings
from deckcheck.formats.banlist_update import NewList, merged, written
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

if TYPE_CHECKING:
    from deckcheck.cards.importers.kinds import Kind
    from deckcheck.cards.importers.stated import Stated

DONE = 0
_MOST_TOLD = 10


class Asked(NamedTuple):
    """What the command line says."""

    file: str
    since: str | None = None
    lists: tuple[str, ...] = ()
    id: str | None = None
    to: str | None = None
    source: str | None = None
    cards: tuple[str, ...] = ()
    quiet: bool = False


def take_in(asked: Asked, settings: Settings, lang: str) -> int:
    """Merge the lists of a file into one's own; all of them, or none if one can't be."""
    from deckcheck.cards.importers.stated import LFLIST, list_kind_named, list_kind_of

    require_file(asked.file)
    path = Path(asked.file)
    since = _day(asked.since)
    kind = list_kind_of(path) if asked.source is None else list_kind_named(asked.source)
    if kind.id == LFLIST.id:
        from deckcheck.cards.importers.lflist import read as read_lists

        stated = read_lists(path)
    else:
        from deckcheck.cards.importers.legalities import read

        with progress(asked.file, lang, shown=not asked.quiet) as advance:
            stated = read(kind, path, advance)
    chosen = _chosen(stated, asked, path)
    ids = [_id(one, kind, asked) for one in chosen]
    days = _days(chosen, since)
    table = open_game_data(kind.game, [*settings.cards, *map(Path, asked.cards)])
    to = None if asked.to is None else Path(asked.to)
    lists = [
        merged(id, one.also or one.title, one.statuses, one.free, day, _namer(table), settings.folders, to)
        for id, one, day in zip(ids, chosen, days, strict=True)
    ]
    _require_statuses(chosen, table)
    strange = [
        new
        for new, one in zip(lists, chosen, strict=True)
        if one.statuses and len(new.unknown) == len(one.statuses)
    ]
    if len(strange) == len(lists) or (strange and asked.lists):
        raise _unknown(strange)
    lists = [new for new in lists if new not in strange]
    written(lists)
    with output(None, exact=False) as write:
        for new in lists:
            write(_line(new, lang))
    for new in (*strange, *lists):
        _tell(new, lang)
    return DONE


def _day(said: str | None) -> str | None:
    if said is None:
        return None
    try:
        return date.fromisoformat(said.replace("/", "-")).isoformat()
    except ValueError as error:
        raise wrong(_("--since: there is no day {said!r} (it is written YYYY-MM-DD)", said=said)) from error


def _chosen(stated: "Sequence[Stated]", asked: Asked, path: Path) -> "list[Stated]":
    if not stated:
        raise wrong(_("there is no restriction in it"), path=str(path))
    wanted = {name.casefold() for name in asked.lists}
    chosen = [one for one in stated if not wanted or wanted & _names(one)]
    known = {name for one in stated for name in _names(one)}
    for name in asked.lists:
        if name.casefold() not in known:
            listed = ", ".join(one.title for one in stated)
            raise wrong(_("--list: there is no {name!r} (only {listed})", name=name, listed=listed))
    if asked.id is not None and len(chosen) != 1:
        raise wrong(_("--id is for one list only, and there are {n} (--list picks one)", n=len(chosen)))
    refused = [
        Problem(_("{title!r} can't be taken in: {refused}", title=one.title, refused=one.refused))
        for one in chosen
        if one.refused is not None
    ]
    if refused and (wanted or len(refused) == len(chosen)):
        raise UserError(refused)
    return [one for one in chosen if one.refused is None]


def _names(one: "Stated") -> set[str]:
    return {name.casefold() for name in (one.id, one.title, one.also)}


def _id(one: "Stated", kind: "Kind", asked: Asked) -> str:
    if asked.id is not None:
        return asked.id
    if not one.id:
        raise wrong(_("no id can be made of {title!r}; give one with --id", title=one.title))
    return f"{kind.game}/{one.id}"


def _days(chosen: "Sequence[Stated]", since: str | None) -> list[str]:
    undated = [one for one in chosen if one.date is None]
    if since is None and undated:
        raise UserError(
            [
                Problem(
                    _("from when {title!r} holds isn't told; say it with --since YYYY-MM-DD", title=one.title)
                )
                for one in undated
            ]
        )
    return [since or one.date or "" for one in chosen]


def _namer(table: GameData) -> Callable[[str], str | None]:
    """A card's one name by any of its names."""

    def canonical(word: str) -> str | None:
        found = table.catalog.find(word)
        return found[0].name if len(found) == 1 else None

    return canonical


def _unknown(strange: Sequence[NewList]) -> UserError:
    """What to say of lists of which no card is known."""
    hint = _("take in the cards first, with deckcheck cards import")
    return UserError(
        [
            Problem(
                _("{id}: the card table has no card of this list", id=one.id),
                hint=hint,
            )
            for one in strange
        ]
    )


def _require_statuses(chosen: "Sequence[Stated]", table: GameData) -> None:
    """Raises UserError for a status that is none of the game's."""
    for status in sorted(
        {status for one in chosen for status in one.statuses.values()} - table.game.statuses.keys()
    ):
        raise wrong(_("this game has no status {status!r}", status=status))


def _line(new: NewList, lang: str) -> str:
    place = safe(str(new.file))
    if lang == "ja":
        said = f"追加{new.added}枚、変更{new.changed}枚、解除{new.freed}枚、変わらないもの{new.unchanged}枚"
        return f"{safe(new.id)}（{new.since}から）: {said}: {place}\n"
    said = f"{new.added} added, {new.changed} changed, {new.freed} freed, {new.unchanged} as before"
    return f"{safe(new.id)} (from {new.since}): {said}: {place}\n"


def _tell(new: NewList, lang: str) -> None:
    for words, title in (
        (
            new.unknown,
            _("not in it, for the card table doesn't tell which card it is"),
        ),
        (
            new.untouched,
            _("left as it was, for the new data doesn't speak of it"),
        ),
    ):
        if words:
            shown = [safe(word) for word in words[:_MOST_TOLD]]
            if len(words) > _MOST_TOLD:
                more = len(words) - _MOST_TOLD
                shown.append(_("{more:,} more", more=more).in_(lang))
            complain(f"{safe(new.id)}: {title.in_(lang)}: {Text('、', ', ').in_(lang).join(shown)}\n")
