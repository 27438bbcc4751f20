"""Who is who at an event: which submissions and entries of the log are one player's, and who is meant by a name or an id.

The same id means the same player, unless it is given with different names: then somebody may have typed another
player's id. Players with only a name are one person, the same as the holder of an id with that name if there is
exactly one. Whether names that differ in case or punctuation are one player is unclear. The submissions of a private
link are one player's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from msgspec import Struct

from deckcheck.registration.log import Log, Receipt, Withdrawal
from deckcheck.registration.submissions import ID_LENGTH, Player, Submission, id_key, name_key, spelling_key
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import Value, Words, _, shortened
from deckcheck.support.safe_text import safe

MOST_NAMED = 100
"""The most submissions that are named beside another one, so that memory stays linear in their number."""

_MOST_CANDIDATES = 20


# Who is who


class Person(Struct, frozen=True):
    """A person at an event.

    `submissions` are the ids of theirs in order, `last` is the number of the last entry in the log about them. `rivals`
    are the ids of the submissions of others who may be the same, or their receipts ("receipt 7").
    """

    number: int
    submissions: tuple[str, ...]
    last: int | None
    rivals: tuple[str, ...]


def who_is_who(
    submissions: Sequence[Submission], fingerprints: Mapping[str, str | None], log: Log
) -> list[Person]:
    """The persons of submissions and of receipts and withdrawals in force.

    `fingerprints` are those of the lists by the ids of their submissions.
    """
    # What players wrote last under their private links says who they are.
    by_link = {one.link: one.player for one in sorted(submissions, key=lambda one: one.timestamp) if one.link}
    players = {one.id: by_link.get(one.link, one.player) for one in submissions}
    receipts, withdrawals = log.receipts, log.withdrawals
    # The submission of each entry of the log, if it is still there.
    keys: dict[int, str] = {}
    recorded: dict[int, Receipt | Withdrawal] = {**receipts, **withdrawals}
    for number, entry in recorded.items():
        sent = entry.submissions if isinstance(entry, Withdrawal) else [entry.submission]
        keys[number] = next((id for id in sent if id in players), f"receipt {number}")
        players.setdefault(keys[number], entry.player)
    persons = dict(zip(players, groups(players.values()), strict=True))
    ids: dict[int, list[str]] = defaultdict(list)
    for one in submissions:
        ids[persons[one.id]].append(one.id)
    of_entries = {number: persons[key] for number, key in keys.items()}
    absent = {number: receipt for number, receipt in receipts.items() if of_entries[number] not in ids}
    in_log = set(of_entries.values())
    unknown = [one for one in submissions if persons[one.id] not in in_log]
    of_entries |= _corrected(absent, unknown, players, persons, fingerprints)
    # Later entries win.
    last = {person: number for number, person in sorted(of_entries.items())}
    gone = {person: number for person, number in last.items() if number in receipts and person not in ids}
    taking_part = [one.id for one in submissions if last.get(persons[one.id]) not in withdrawals]
    rivals = _rivals([*taking_part, *(keys[number] for number in gone.values())], players, persons)
    return [
        Person(person, tuple(ids.get(person, ())), last.get(person), rivals.get(person, ()))
        for person in dict.fromkeys((*ids, *gone))
    ]


def groups(players: Iterable[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    A player with neither id nor name is a person of their own.
    """
    keys = [(id_key(player.id), name_key(player.name), spelling_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    for id, name, spelling in keys:
        if id and name:
            holders[name].add(id)
            spellings[id].add(spelling)
    numbers: dict[tuple[str, str, str | int], int] = {}
    result = []
    for index, (id, name, spelling) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str, str | int] = ("nobody", "", index)
        if id:
            key = ("id", id, spelling if len(spellings[id]) > 1 else "")
        elif name:
            key = ("name", name, "")
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def _corrected(
    absent: Mapping[int, Receipt],
    submissions: Sequence[Submission],
    players: Mapping[str, Player],
    persons: Mapping[str, int],
    fingerprints: Mapping[str, str | None],
) -> dict[int, int]:
    """The persons who are accepted players whose id or name was corrected, by the number of the receipt.

    They alone have the id or the name, or else alone submitted the accepted list. `submissions` are those of persons of
    whom the log doesn't know.
    """
    sharing: dict[tuple[str, str], set[int]] = defaultdict(set)
    with_list: dict[str | None, list[Submission]] = defaultdict(list)
    for one in submissions:
        with_list[fingerprints[one.id]].append(one)
        for key in _keys(players[one.id]):
            sharing[key].add(persons[one.id])
    claims: dict[int, list[int]] = defaultdict(list)
    for number, receipt in absent.items():
        possible = {person for key in _keys(receipt.player) for person in sharing.get(key, ())}
        if len(possible) != 1:
            same = with_list.get(receipt.fingerprint, ())
            possible = {persons[one.id] for one in same if _is_accepted_one(one, players[one.id], receipt)}
        if len(possible) == 1:
            claims[possible.pop()].append(number)
    return {numbers[0]: person for person, numbers in claims.items() if len(numbers) == 1}


def _is_accepted_one(submission: Submission, player: Player, receipt: Receipt) -> bool:
    """Whether a submission with the accepted list is the accepted one, with another id or name at most.

    Others may have the same list, and rows of a form may move up: the place alone tells nothing.
    """
    before, after = _keys(receipt.player), _keys(player)
    is_known = not set(before).isdisjoint(after)
    if receipt.submitted is None:
        return submission.place == receipt.place and (is_known or not (before or after))
    when = submission.submitted
    is_same_time = when is not None and when.isoformat() == receipt.submitted
    return is_same_time and (is_known or receipt.player.id is None or player.id is None)


def _keys(player: Player) -> list[tuple[str, str]]:
    """What a player is known by: the id, if there is one, and the name in any spelling."""
    keys = [("id", id_key(player.id)), ("name", spelling_key(player.name))]
    return [(kind, key) for kind, key in keys if key]


def _rivals(
    keys: Sequence[str], players: Mapping[str, Player], persons: Mapping[str, int]
) -> dict[int, tuple[str, ...]]:
    """Persons with whose id, or name without an id, others are known; each with the keys of the others."""
    sharing: dict[tuple[str, str], dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key in keys:
        for known_by in _keys(players[key]):
            sharing[known_by][persons[key]].append(key)
    rivals: dict[int, tuple[str, ...]] = {}
    for key in keys:
        for known_by in _keys(players[key])[:1]:
            others = (mine for person, mine in sharing[known_by].items() if person != persons[key])
            if len(sharing[known_by]) > 1:
                rivals.setdefault(persons[key], tuple(islice(chain.from_iterable(others), MOST_NAMED)))
    return rivals


# Who is meant


def is_meant(who: str, id: str | None, player: Player) -> bool:
    """Whether `who` is the submission's id, also a longer one's usual length, the player's id, or the name in any spelling."""
    typed, key, name = who.strip().lower(), id_key(who), spelling_key(who)
    if id and (id == typed or (len(typed) >= ID_LENGTH and id.startswith(typed))):
        return True
    return bool(key and id_key(player.id) == key) or bool(name and spelling_key(player.name) == name)


def ambiguous(
    who: str, meant: Iterable[tuple[str | None, int | None, Player]], hint: Words | None = None
) -> UserError:
    """The UserError for several that may be meant: the ids of submissions, or else the receipts, and the players."""
    candidates: list[Value] = []
    for id, number, player in meant:
        name = " ".join(part for part in (player.name, player.id) if part)
        place: Value = id or _("receipt {accepted}", accepted=number)
        candidates.append(_("{id} ({name})", id=place, name=safe(name)) if name else place)
    names = shortened(candidates, _MOST_CANDIDATES)
    return user_error(_("{who!r} may mean several: {named}", who=who, named=names), hint=hint)
