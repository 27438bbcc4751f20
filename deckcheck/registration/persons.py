"""Who is who: which submissions and receipts belong to one player, and where that is unclear.

The same id means the same player, unless it is given with different names: then somebody may have typed another
player's id. Players with only a name are one person, the same as the holder of an id with that name if there is
exactly one. Names that differ in case or punctuation are one name, but whether they are one player is unclear.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from deckcheck.registration.submissions import Player, id_key, name_key, spelling_key
from deckcheck.support.messages import Value, _
from deckcheck.support.safe_text import safe

MOST_RIVALS = 100
"""The most submissions that a conflict names."""


class Conflict(NamedTuple):
    """Why it is unclear whose list a submission is, or which of the player's "lists" counts.

    "id": the same id with another name; "namesake": several players have this name, and this one gave no id;
    "spelling": the same name without an id is spelled in other ways. `rivals` are the other submissions' ids.
    """

    kind: Literal["lists", "id", "namesake", "spelling"]
    rivals: tuple[str, ...]


class Named(NamedTuple):
    """A submission's id and player with the player's group; the id is None for the player of a receipt."""

    submission: str | None
    player: Player
    group: int

    @property
    def id(self) -> str:
        """The player's id for comparing, "" for none."""
        return id_key(self.player.id)

    @property
    def name(self) -> str:
        """The player's name for comparing, "" for none."""
        return spelling_key(self.player.name)


def is_called(who: str, player: Player) -> bool:
    """Whether `who` is the player's id or name."""
    id, name = id_key(who), name_key(who)
    return bool(id and id_key(player.id) == id) or bool(name and name_key(player.name) == name)


def is_spelled(who: str, player: Player) -> bool:
    """Whether `who` is the player's name in any spelling."""
    spelled = spelling_key(who)
    return bool(spelled) and spelling_key(player.name) == spelled


def candidate(id: Value, player: Player) -> Value:
    """One of several that may be meant, in words: the id of a submission or a receipt, and its player."""
    name = " ".join(part for part in (player.name, player.id) if part)
    return _("{id} ({name})", id=id, name=safe(name)) if name else id


def groups(players: Sequence[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    A player with neither id nor name is a person of their own.
    """
    keys = [(id_key(player.id), spelling_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    names: dict[str, set[str]] = defaultdict(set)
    for id, name in keys:
        if id and name:
            holders[name].add(id)
            names[id].add(name)
    numbers: dict[tuple[str, str, str | int], int] = {}
    result = []
    for index, (id, name) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str, str | int] = ("nobody", "", index)
        if id:
            key = ("id", id, name if len(names[id]) > 1 else "")
        elif name:
            key = ("name", name, "")
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def conflicts(named: Sequence[Named]) -> Mapping[str, Conflict]:
    """The conflicts of submissions, by their ids. Players who have withdrawn must be left out."""
    by_id: dict[str, list[Named]] = defaultdict(list)
    by_name: dict[str, list[Named]] = defaultdict(list)
    by_group: dict[int, list[Named]] = defaultdict(list)
    for one in named:
        by_group[one.group].append(one)
        if one.id:
            by_id[one.id].append(one)
        if one.id and one.name:
            by_name[one.name].append(one)
    by_submission = {}
    for one in named:
        if one.submission is None:
            continue
        conflict = _conflict(one, by_id[one.id] if one.id else [], by_name[one.name], by_group[one.group])
        if conflict is not None:
            by_submission[one.submission] = conflict
    return by_submission


def _conflict(
    one: Named, same_id: Sequence[Named], same_name: Sequence[Named], same_player: Sequence[Named]
) -> Conflict | None:
    others = [other for other in same_id if other.group != one.group]
    if others:
        return Conflict("id", _submissions(others))
    if one.id or not one.name:
        return None
    if len({other.id for other in same_name}) > 1:
        return Conflict("namesake", _submissions(same_name))
    spelled = [other for other in same_player if name_key(other.player.name) != name_key(one.player.name)]
    return Conflict("spelling", _submissions(spelled)) if spelled else None


def _submissions(named: Sequence[Named]) -> tuple[str, ...]:
    ids = (one.submission for one in named if one.submission is not None)
    return tuple(islice(ids, MOST_RIVALS))
