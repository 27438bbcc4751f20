"""Imports cards and banlists: finds out what a file holds and which game it belongs to, and stores it."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.card_file import MOST_BYTES, read_cards, vocabulary
from deckcheck.formats.banlist_files import check_banlist
from deckcheck.formats.loading import game_id, known_games, load_game, open_cards, own_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, imported_banlists, known_banlists
from deckcheck.importers import scryfall, ygopro
from deckcheck.importers.banlist_updates import (
    BanlistUpdate,
    Canonical,
    merge_banlist,
    update_banlist,
    write_banlists,
)
from deckcheck.importers.own_cards import ImportResult, import_card_pool, import_cards, import_lock
from deckcheck.importers.source_files import BOM, SourceEntry, SourceKind, StatedList, unpacked
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.documents import Document, load_yaml, require_shape
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Message, _, series
from deckcheck.support.terminal import Bar

KINDS = (scryfall.SCRYFALL, ygopro.YGOPRO, ygopro.LFLIST)
"""The files of other programs that can be imported."""

_HEAD = 64 * 1024
_YAML = (".yaml", ".yml")
_OWN_ENDINGS = (*_YAML, ".jsonl")


class Lists(Struct, frozen=True):
    """Banlists read from another program's file, or the user's own banlist file; `game` is "" if unknown."""

    game: str
    content: list[StatedList] | Document


class Importer(Struct, frozen=True):
    """An import into a `folder` beside decks, or (None) into the user's own data, which apply everywhere.

    `game` is the one that the user named. Lists may also name cards in the files `cards`. `since` is the first day for
    all lists, `lang` the language of progress bars.
    """

    game: str | None = None
    folder: Path | None = None
    cards: tuple[Path, ...] = ()
    folders: Folders = BUNDLED_ONLY
    since: str | None = None
    lang: str = "en"

    def import_file(self, path: Path) -> tuple[ImportResult | None, Lists | None]:
        """Store the cards of a file, packed or not, and read its lists, which may name cards of further files. Raises UserError."""
        with unpacked(path) as content:
            kind = None if content.name.lower().endswith(_OWN_ENDINGS) else kind_of(content)
            if kind is not None:
                return self._foreign_file(content, kind)
            own_list = _own_list(content)
            if own_list is not None:
                return None, Lists(self.game or "", replace(own_list, path=str(path)))
            return self._own_cards(content), None

    def _own_cards(self, path: Path) -> ImportResult:
        id = _game_of(path, self.folders) if self.game is None else game_id(self.game, self.folders)
        own = own_games(self.folders.games).get(id)
        bundled = None if own is None else own.parent
        return import_cards(load_game(id, self.folders), path, bundled=bundled, store=self._store(id))

    def _foreign_file(self, path: Path, kind: SourceKind) -> tuple[ImportResult | None, Lists | None]:
        if self.game not in (None, kind.game):
            raise user_error(_("--game: {source} is data for {game}", source=kind.title, game=kind.game))
        cards, lists, entries = None, None, list[SourceEntry]()
        if kind.read_cards is not None:
            bar = Bar(path.stat().st_size, _("reading").in_(self.lang) + " ")
            entries += kind.read_cards(path, bar.advance)
            bar.clear()
            cards = import_card_pool(load_game(kind.game), kind, entries, store=self._store(kind.game))
        if kind.read_lists is not None:
            lists = Lists(kind.game, kind.read_lists(path, entries))
        return cards, lists

    def write(self, lists: Lists) -> tuple[list[BanlistUpdate], list[Message]]:
        """Write lists to their files, none if one is refused; returns what was written, and remarks. Raises UserError."""
        folder = None if self.folder is None else self.folder / "banlists"
        with import_lock(folder or imported_banlists()):
            if isinstance(lists.content, list):
                return self._write_stated(lists.game, lists.content, folder)
            game, catalog = self._game_of_list(lists.content, lists.game)
            check_banlist(lists.content, game, catalog)
            update = merge_banlist(lists.content, _canonical(catalog), folder)
            write_banlists([update])
            return [update], []

    def _write_stated(
        self, id: str, stated: Sequence[StatedList], folder: Path | None
    ) -> tuple[list[BanlistUpdate], list[Message]]:
        new_lists, remarks = self._new_lists(id, stated)
        game, catalog = self._table(id)
        statuses = {status for new in new_lists for status in new.statuses.values()}
        for status in sorted(statuses - {*game.statuses, FREE_STATUS}):
            raise user_error(_("this game has no status “{status}”", status=status))
        updates = [update_banlist(new, _canonical(catalog), folder) for new in new_lists]
        written = [update for update in updates if update.is_matched]
        if not written:
            hint = _("import the cards first with `deckcheck import`")
            raise UserError(
                [
                    Problem(_("{list}: none of its cards is in the card table", list=update.id), hint=hint)
                    for update in updates
                ]
            )
        write_banlists(written)
        remarks += (remark for update in updates for remark in update.remarks())
        return written, remarks

    # Games and their cards

    def _store(self, game: str) -> Path | None:
        """The file for the imported cards of a game; None for the user's own file."""
        return None if self.folder is None else self.folder / "cards" / f"{game}.jsonl"

    def _table(self, id: str) -> tuple[Game, Catalog]:
        """The game and its cards, with those to import and of the settings. Raises UserError."""
        store = self._store(id)
        stored = [store] if store is not None and store.is_file() else []
        # The settings of a project may name cards of several games.
        cards = [file for file in self.cards if id in (_games_of(file, self.folders)[0] or [id])]
        return open_cards(id, [*cards, *stored], self.folders)

    def _game_of_list(self, list: Document, named: str) -> tuple[Game, Catalog]:
        """The game of a banlist file: the named one, else that of its id, else the only one with all of its cards."""
        id = str(list.data["banlist"]).partition("/")[0]
        known = known_games(self.folders)
        if named or id in known:
            return self._table(game_id(named or id, self.folders))
        words = {entry["card"] for entry in list.data.get("cards", ())}
        fitting = [table for table in map(self._table, known) if all(map(table[1].find, words))]
        return fitting[0] if len(fitting) == 1 else self._table(game_id(None, self.folders))

    # Selection of lists

    def _new_lists(self, game: str, stated: Sequence[StatedList]) -> tuple[list[StatedList], list[Message]]:
        """The lists to write, with full ids and days, and remarks. Raises UserError if none can be written."""
        if not stated:
            raise user_error(_("contains no restrictions"))
        known = known_banlists(self.folders)
        new: list[StatedList] = []
        unused: list[str] = []
        refused: list[Message] = []
        for banlist in stated:
            id, reason = f"{game}/{banlist.id}", self._refusal_reason(banlist)
            if banlist.free is not None and id not in known:
                # Card data includes the banlists of every format, even of unknown ones.
                unused.append(banlist.title)
            elif reason is not None:
                refused.append(reason)
            else:
                month_only = banlist.month_only and self.since is None
                new.append(replace(banlist, id=id, date=self.since or banlist.date, month_only=month_only))
        if refused and not new:
            raise UserError([Problem(reason) for reason in refused])
        remarks = [_("skipped: {reason}", reason=reason) for reason in refused]
        if unused:
            remarks.append(_("left out, since deckcheck has no such format: {lists}", lists=series(unused)))
        remarks += [
            _(
                "“{name}” states no day: it is taken from {day} on (set another with --since)",
                name=banlist.title,
                day=banlist.date,
            )
            for banlist in new
            if banlist.month_only
        ]
        return new, remarks

    def _refusal_reason(self, banlist: StatedList) -> Message | None:
        """Why a list can't be imported; None if it can."""
        if banlist.refused is not None:
            return _("“{name}” cannot be imported: {reason}", name=banlist.title, reason=banlist.refused)
        if not banlist.id:
            return _("no ID can be made from “{name}”", name=banlist.title)
        if not (self.since or banlist.date):
            return _("“{name}” has no date; set one with --since YYYY-MM-DD", name=banlist.title)
        return None


def _canonical(catalog: Catalog) -> Canonical:
    """A function from any name of a card to its main name; None for a name of no card or several."""

    def canonical(word: str) -> str | None:
        cards = catalog.find(word)
        return cards[0].name if len(cards) == 1 else None

    return canonical


# Kinds of files


def kind_of(path: Path) -> SourceKind | None:
    """The kind recognised by the first bytes of an unpacked file; None for no known kind. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(_HEAD).removeprefix(BOM)
    return next((kind for kind in KINDS if kind.begins.match(head)), None)


def _own_list(path: Path) -> Document | None:
    """The banlist in a YAML file; None for any other file. Raises UserError."""
    if not path.name.lower().endswith(_YAML):
        return None
    document = load_yaml(path)
    if not isinstance(document.data, dict) or "banlist" not in document.data:
        return None
    require_shape(document, "banlist")
    return document


def _games_of(file: Path, folders: Folders) -> tuple[list[str], list[UserError]]:
    """The ids of the games whose cards the user's own file may hold, and the errors for the other games."""
    data = read_bytes(file, most=MOST_BYTES)
    fitting: list[str] = []
    errors: list[UserError] = []
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
            "{sources} can be imported, and files of your own; name their game with --game",
            sources=series(kind.title for kind in KINDS),
        )
        raise user_error(_("not a known kind of card data"), path=str(file), hint=hint)
    if not fitting and errors and all(error.problems == errors[0].problems for error in errors):
        raise errors[0]
    return game_id(None, folders)
