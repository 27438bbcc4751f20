"""Imports cards and banlists: finds out what a file holds and which game it belongs to, and stores it."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from deckcheck.formats.loading import game_id, known_games, load_game, open_cards, own_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, imported_banlists, known_banlists
from deckcheck.importers.banlist_updates import (
    BanlistUpdate,
    Canonical,
    merge_banlist,
    update_banlist,
    write_banlists,
)
from deckcheck.importers.merging import import_card_pool
from deckcheck.importers.own_cards import ImportResult, import_cards, import_lock
from deckcheck.importers.reading import Advance
from deckcheck.importers.source_kinds import (
    ALL_KINDS,
    KINDS,
    LIST_KINDS,
    Omission,
    SourceCard,
    SourceKind,
    StatedList,
    kind_named,
    kind_of,
    list_kind_of,
)
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Message, Words, _, series

if TYPE_CHECKING:
    from deckcheck.support.documents import Document

_YAML = (".yaml", ".yml")
_OWN_ENDINGS = (*_YAML, ".jsonl")

Open = Callable[[Path], AbstractContextManager[Advance]]
"""Maps a file to a context whose value is called with the number of further bytes that are done."""


class Lists(NamedTuple):
    """Banlists read from a source's file, or the user's own banlist file; `game` is "" if unknown."""

    game: str
    found: "list[StatedList] | Document"


class ImportedFile(NamedTuple):
    """What a file held: cards, already stored, and lists, not written yet, as they may name cards of further files."""

    game: str = ""
    cards: ImportResult | None = None
    lists: Lists | None = None


class ListsWritten(NamedTuple):
    """The list updates that were written, `unmatched` ones that weren't (none of their cards is known), and remarks."""

    written: tuple[BanlistUpdate, ...]
    unmatched: tuple[BanlistUpdate, ...] = ()
    remarks: tuple[Message, ...] = ()


class Importer(NamedTuple):
    """An import into a `folder` beside decks, or (None) into the user's own data, which apply everywhere.

    `game` and `source` are those that the user named; `only` imports cards or lists alone; `to` is a folder for lists.
    Lists may also name cards in the files `cards`. `names` selects lists, `id` is the id for a single one, `since` the
    first day for all.
    """

    game: str | None = None
    source: str | None = None
    only: Literal["cards", "lists"] | None = None
    folder: Path | None = None
    to: Path | None = None
    cards: tuple[Path, ...] = ()
    folders: Folders = BUNDLED_ONLY
    names: Sequence[str] = ()
    id: str | None = None
    since: str | None = None

    def import_file(self, path: Path, progress: Open) -> ImportedFile:
        """Store the cards of a file and read its lists. Raises UserError."""
        kind = self._kind(path)
        if kind is None and self.only != "cards" and (own := _own_list(path)) is not None:
            return ImportedFile(lists=Lists(self.game or "", own))
        if kind is None and self.only == "lists":
            kind = list_kind_of(path)
        if kind is None:
            return self._own_cards(path)
        return self._foreign_file(path, kind, progress)

    def _kind(self, path: Path) -> SourceKind | None:
        kinds = {"cards": KINDS, "lists": LIST_KINDS, None: ALL_KINDS}[self.only]
        if self.source is not None:
            return kind_named(self.source, kinds)
        if path.name.lower().endswith(_OWN_ENDINGS):
            return None
        return list_kind_of(path) if self.only == "lists" else kind_of(path, kinds)

    def _own_cards(self, path: Path) -> ImportedFile:
        id = _game_of(path, self.folders) if self.game is None else game_id(self.game, self.folders)
        own = own_games(self.folders.games).get(id)
        game, store = load_game(id, self.folders), self._store(id)
        return ImportedFile(id, import_cards(game, path, bundled=own and own.parent, store=store))

    def _foreign_file(self, path: Path, kind: SourceKind, progress: Open) -> ImportedFile:
        if self.game not in (None, kind.game):
            raise user_error(_("--game: {source} is data for {game}", source=kind.title, game=kind.game))
        entries: list[SourceCard | Omission] = []
        if kind.id in KINDS:
            with progress(path) as advance:
                entries += kind.source.read(path, advance)
        imported = ImportedFile(kind.game)
        if self.only != "lists" and kind.id in KINDS:
            done = import_card_pool(load_game(kind.game), kind, entries, store=self._store(kind.game))
            imported = imported._replace(cards=done)
        if self.only != "cards" and kind.id in LIST_KINDS:
            imported = imported._replace(lists=Lists(kind.game, kind.source.banlists(entries, path)))
        return imported

    def write(self, lists: Lists) -> ListsWritten:
        """Write lists to their files; none if one is refused. Raises UserError."""
        folder = self.to if self.folder is None else self.folder / "banlists"
        with import_lock(folder or imported_banlists()):
            if isinstance(lists.found, list):
                return self._write_stated(lists.game, lists.found, folder)
            game, canonical = self._game_of_list(lists.found, lists.game)
            update = merge_banlist(lists.found, canonical, game.statuses, folder)
            write_banlists([update])
            return ListsWritten((update,))

    def _write_stated(self, id: str, stated: Sequence[StatedList], folder: Path | None) -> ListsWritten:
        new_lists, remarks = self._new_lists(id, stated)
        game, canonical = self._table(id)
        statuses = {status for new in new_lists for status in new.statuses.values()}
        for status in sorted(statuses - {*game.statuses, FREE_STATUS}):
            raise user_error(_("this game has no status “{status}”", status=status))
        updates = [(new, update_banlist(new, canonical, folder)) for new in new_lists]
        unmatched = tuple(update for new, update in updates if 0 < len(new.statuses) == len(update.unknown))
        made = tuple(update for _new, update in updates if update not in unmatched)
        if unmatched and (self.names or not made):
            _refuse(
                (_("{list}: none of its cards is in the card table", list=update.id) for update in unmatched),
                hint=_("import the cards first with `deckcheck import`"),
            )
        write_banlists(made)
        return ListsWritten(made, unmatched, tuple(remarks))

    # Games and their cards

    def _store(self, game: str) -> Path | None:
        """The file for the imported cards of a game; None for the user's own file."""
        return None if self.folder is None else self.folder / "cards" / f"{game}.jsonl"

    def _table(self, id: str) -> tuple[Game, Canonical]:
        """The game, and a function from any name of a card to its main name. Raises UserError."""
        store = self._store(id)
        stored = [store] if store is not None and store.is_file() else []
        # The settings of a project may name cards of several games.
        cards = [file for file in self.cards if id in (_games_of(file, self.folders)[0] or [id])]
        game, catalog = open_cards(id, [*cards, *stored], self.folders)

        def canonical(word: str) -> str | None:
            found = catalog.find(word)
            return found[0].name if len(found) == 1 else None

        return game, canonical

    def _game_of_list(self, list: "Document", named: str) -> tuple[Game, Canonical]:
        """The game of a banlist file: the named one, else that of its id, else the only one with all of its cards."""
        id = str(list.data["banlist"]).partition("/")[0]
        known = known_games(self.folders)
        if named or id in known:
            return self._table(game_id(named or id, self.folders))
        words = {entry["card"] for entry in list.data.get("cards", ()) if isinstance(entry, dict)}
        fitting = [table for table in map(self._table, known) if all(map(table[1], words))]
        return fitting[0] if len(fitting) == 1 else self._table(game_id(None, self.folders))

    # Selection of lists

    def _new_lists(self, game: str, stated: Sequence[StatedList]) -> tuple[list[StatedList], list[Message]]:
        """The lists to write, with full ids and days, and remarks. Raises UserError for one that mustn't be skipped."""
        if not stated:
            raise user_error(_("contains no restrictions"))
        chosen, known = self._chosen(stated), known_banlists(self.folders)
        # Card data includes the banlists of every format, even of unknown ones.
        unused, wanted = [], []
        for found in chosen:
            if self.only is None and found.free is not None and f"{game}/{found.id}" not in known:
                unused.append(found.title)
            else:
                wanted.append((found, self._refusal_reason(found)))
        flaws = [flaw for _found, flaw in wanted if flaw is not None]
        is_named = self.names or (
            self.only == "lists" and any(flaw and not found.refused for found, flaw in wanted)
        )
        if is_named or len(flaws) == len(wanted):
            _refuse(flaws)
        remarks = [_("skipped: {reason}", reason=flaw) for flaw in flaws]
        if unused:
            remarks.append(_("left out, since deckcheck has no such format: {lists}", lists=series(unused)))
        new_lists = [
            found._replace(
                id=self.id or f"{game}/{found.id}",
                title=found.undated_title or found.title,
                date=self.since or found.date,
                month_only=found.month_only and self.since is None,
            )
            for found, flaw in wanted
            if flaw is None
        ]
        for new in (new for new in new_lists if new.month_only):
            message = _(
                "“{name}” states no day: it is taken from {day} on (set another with --since)",
                name=new.title,
                day=new.date,
            )
            remarks.append(message)
        return new_lists, remarks

    def _chosen(self, stated: Sequence[StatedList]) -> list[StatedList]:
        """The lists selected by `names`, or all. Raises UserError for an unknown name, or an `id` for several lists."""
        by_name: dict[str, list[StatedList]] = {}
        for found in stated:
            for name in {name.casefold() for name in (found.id, found.title, found.undated_title)}:
                by_name.setdefault(name, []).append(found)
        for name in self.names:
            if name.casefold() not in by_name:
                titles = series([found.title for found in stated])
                message = _("--list: there is no “{name}” (available: {lists})", name=name, lists=titles)
                raise user_error(message)
        wanted = [found for name in self.names for found in by_name[name.casefold()]]
        chosen = [found for found in stated if not self.names or found in wanted]
        if self.id is not None and len(chosen) != 1:
            message = _(
                "--id can only be used with one list, but there are {count}; select one with --list",
                count=len(chosen),
            )
            raise user_error(message)
        return chosen

    def _refusal_reason(self, found: StatedList) -> Message | None:
        """Why a list can't be imported; None if it can."""
        if found.refused is not None:
            return _("“{name}” cannot be imported: {reason}", name=found.title, reason=found.refused)
        if not (self.id or found.id):
            return _("no ID can be made from “{name}”; set one with --id", name=found.title)
        if not (self.since or found.date):
            return _("“{name}” has no date; set one with --since YYYY-MM-DD", name=found.title)
        return None


def _own_list(path: Path) -> "Document | None":
    """The banlist in a YAML file; None for any other file. Raises UserError."""
    if not path.name.lower().endswith(_YAML):
        return None
    from deckcheck.support.documents import load_yaml, require_shape

    document = load_yaml(path)
    if not isinstance(document.data, dict) or "banlist" not in document.data:
        return None
    require_shape(document, "banlist")
    return document


def _games_of(file: Path, folders: Folders) -> tuple[list[str], list[UserError]]:
    """The ids of the games whose cards the user's own file may hold, and the errors for the other games."""
    from deckcheck.cards.card_file import MOST_BYTES, read_cards, vocabulary
    from deckcheck.support.files import read_bytes

    data = read_bytes(file, most=MOST_BYTES)
    fitting, errors = [], []
    for id in known_games(folders):
        try:
            if read_cards(file, data, vocabulary(load_game(id, folders))):
                fitting.append(id)
        except UserError as error:
            errors.append(error)
    return fitting, errors


def _game_of(file: Path, folders: Folders) -> str:
    """The id of the only game that the user's own card file fits. Raises UserError for several or none."""
    fitting, errors = _games_of(file, folders)
    if len(fitting) == 1:
        return fitting[0]
    if not fitting and not file.name.lower().endswith(_OWN_ENDINGS):
        hint = _(
            "name its source with --from ({sources}), or the game of a file of your own with --game",
            sources=series(ALL_KINDS),
        )
        raise user_error(_("not a known kind of card data"), path=str(file), hint=hint)
    if not fitting and errors and all(error.problems == errors[0].problems for error in errors):
        raise errors[0]
    return game_id(None, folders)


def _refuse(mistakes: Iterable[Message], hint: Words | None = None) -> None:
    """Raises UserError if there are any."""
    if problems := [Problem(mistake, hint=hint) for mistake in mistakes]:
        raise UserError(problems)
