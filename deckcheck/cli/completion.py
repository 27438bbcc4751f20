"""What a shell is offered as formats, rules, cards and games, written so that no shell takes one for a command."""

from collections.abc import Callable
from typing import TypeVar

from deckcheck.checking.judge import open_game_data
from deckcheck.config.settings import settings_for
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, known_formats
from deckcheck.model.card import Catalog
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import UserError

T = TypeVar("T")

_MOST_CARDS = 100
_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0


def _from_folders(look_up: Callable[[Folders], list[T]]) -> list[T]:
    """What is found in the folders of the project, if its settings can be read, and among what is bundled."""
    try:
        return look_up(settings_for([]).folders)
    except UserError:
        return look_up(BUNDLED_ONLY)


def formats(incomplete: str) -> list[str]:
    """The ids of formats and, once something is typed, their other names."""
    known = [named for named in _from_folders(known_formats) if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case doesn't matter, but shells compare words as typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def rules(incomplete: str) -> list[str]:
    """The ids of rules; after a comma, the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in _from_folders(known_formats) for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def _catalogs(folders: Folders) -> list[Catalog]:
    return [open_game_data(game, folders=folders).catalog for game in known_games(folders)]


def cards(incomplete: str) -> list[str]:
    """Card names that continue what was typed, without blanks (which don't matter), so that no shell splits them."""
    if not incomplete.strip() or not is_plain(incomplete):
        return []
    offered = []
    for catalog in _from_folders(_catalogs):
        begun = catalog.fold(incomplete)
        for card in catalog.search(incomplete, _MOST_CARDS):
            ends = [
                index for index in range(1, len(card.name) + 1) if catalog.fold(card.name[:index]) == begun
            ]
            names = (incomplete + plain_word(card.name[index:]) for index in ends[:1])
            offered += [name for name in names if catalog.find(name) == (card,)]
    return offered


def games(incomplete: str) -> list[str]:
    """The ids of games that begin as typed."""
    return [name for name in _from_folders(known_games) if name.startswith(incomplete)]


def is_plain(word: str) -> bool:
    """Whether every shell takes the word literally; a word from an untrusted file could be a command otherwise."""
    return word == plain_word(word) and not word.startswith("-")


def plain_word(word: str) -> str:
    """The word without blanks and quotes, and with full-width forms of characters that are special to a shell."""
    kept = (char for char in word if char.isprintable() and not char.isspace() and char not in _QUOTES)
    return "".join(
        chr(ord(char) + _TO_WIDE) if char.isascii() and not char.isalnum() and char not in _HARMLESS else char
        for char in kept
    )
