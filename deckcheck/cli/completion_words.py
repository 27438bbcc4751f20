"""Words that a shell is offered: formats, rules, cards and games, written so that no shell takes one for a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from deckcheck.checking.judge import open_game_data
from deckcheck.cli.cards import search
from deckcheck.config.settings import settings_for
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, FormatEntry, known_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import UserError

_MOST_CARDS = 100


def _known_formats() -> list[FormatEntry]:
    """The formats of the project, if its settings can be read, and the bundled ones."""
    try:
        return known_formats(settings_for([]).folders)
    except UserError:
        return known_formats()


def _games() -> tuple[list[str], Folders]:
    """The games of the project and the bundled ones, with the folders that have them."""
    try:
        folders = settings_for([]).folders
        return known_games(folders), folders
    except UserError:
        return known_games(), BUNDLED_ONLY


def formats(incomplete: str) -> list[str]:
    """The ids of formats and, once something is typed, their other names."""
    known = [named for named in _known_formats() if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case doesn't matter, but shells compare words as typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def rules(incomplete: str) -> list[str]:
    """The ids of rules; after a comma, the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in _known_formats() for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def cards(incomplete: str) -> list[str]:
    """Card names that continue what was typed, without blanks (which don't matter), so that no shell splits them."""
    if not incomplete.strip() or not is_plain(incomplete):
        return []
    found = []
    games, folders = _games()
    for catalog in (open_game_data(game, folders=folders).catalog for game in games):
        begun = catalog.fold(incomplete)
        for card in search(catalog, incomplete, _MOST_CARDS):
            ends = [at for at in range(1, len(card.name) + 1) if catalog.fold(card.name[:at]) == begun]
            names = (incomplete + plain_word(card.name[at:]) for at in ends[:1])
            found += [name for name in names if catalog.find(name) == (card,)]
    return found


WORDS: Mapping[str, Callable[[str], list[str]]] = MappingProxyType(
    {"ID|FILE": formats, "RULE": rules, "NAME": cards, "ID": lambda _incomplete: _games()[0]}
)
"""For each metavar, a function from what was typed (or "") to the words to offer."""

_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0


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
