"""Who is the same player: entries that name one person are told apart from those of two."""

import unicodedata
from collections.abc import Sequence

from deckcheck.registration.model import Player
from deckcheck.support.safetext import without_hidden


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for those who are one person; numbered from 1 as they first appear.

    The same id is the same person. Who gives no id is the person of that name:
    another without an id, or the only holder of an id who bears it. A name that
    several ids share tells nothing, so whoever gives only that name is one more
    person. Who gives neither is nobody else. Letter case of ids, blanks, width
    and invisible characters never count.
    """
    keys = [(key_of(one), bare(one.name)) for one in players]
    holders: dict[str, set[str]] = {}
    for id, name in keys:
        if id and name:
            holders.setdefault(name, set()).add(id)
    numbers: dict[tuple[str, str | int], int] = {}
    found = []
    for at, (id, name) in enumerate(keys):
        held = holders.get(name, ())
        key: tuple[str, str | int]
        if id:
            key = ("id", id)
        elif not name:
            key = ("nobody", at)
        elif len(held) == 1:
            key = ("id", next(iter(held)))
        else:
            key = ("name", name)
        found.append(numbers.setdefault(key, len(numbers) + 1))
    return found


def key_of(player: Player) -> str:
    """The id of a player for comparing; "" for none."""
    return bare(player.id).casefold()


def bare(text: str | None) -> str:
    """A name or an id without blanks and what can't be seen, which tell no two people apart."""
    shown = without_hidden(unicodedata.normalize("NFKC", text or ""), joiners=True)
    return "".join(shown.split())
