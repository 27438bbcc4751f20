"""What in a log can't be true, though its hashes are right: who has the file can compute all of them anew."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise

from deckcheck.registration.log import Log, standing
from deckcheck.registration.model import Event
from deckcheck.registration.obstacles import numbered
from deckcheck.registration.players import bare, groups, key_of
from deckcheck.registration.receipts import Checked, Receipt
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words, _

Found = tuple[int, Words]
"""The number of an entry, and what is wrong with it. Nobody is named."""


def contradictions(event: Event, format: str, log: Log, path: str) -> list[Problem]:
    """Entries that contradict each other, the event or the rules of acceptance, in their order.

    `format` is the id of the event's format, `path` the log's file.
    """
    found = [*_replaced(log), *_by_themselves(log), *_against(event, format, log), *_beside_others(log)]
    found.sort(key=lambda one: one[0])
    return [Problem(said, path, number) for number, said in found]


def _replaced(log: Log) -> Iterator[Found]:
    """Entries that speak of a receipt which does not stand at that moment, or is somebody else's."""
    stood: dict[int, Receipt] = {}
    for number, _unused, value, _unused in log.entries:
        about = value.receipt if isinstance(value, Checked) else value.replaces
        if about is not None and about not in stood:
            yield (
                number,
                _(
                    "entry {number} speaks of receipt {about}, which did not stand then",
                    number=number,
                    about=about,
                ),
            )
        if isinstance(value, Checked):
            continue
        old = None if about is None else stood.pop(about, None)
        if old is not None and len(set(groups([old.player, value.player]))) > 1:
            yield (
                number,
                _(
                    "entry {number} replaces receipt {about}, which is another player's",
                    number=number,
                    about=about,
                ),
            )
        stood[number] = value


def _by_themselves(log: Log) -> Iterator[Found]:
    """Entries that could not have been written as they are."""
    for number, _unused, value, _unused in log.entries:
        if isinstance(value, Checked):
            if not (value.by or "").strip():
                yield (
                    number,
                    _("entry {number} doesn't say who checked the deck", number=number),
                )
            continue
        word = [bool((value.by or "").strip()), bool((value.reason or "").strip()), bool(value.despite)]
        if value.verdict != "legal" and not (all(word) and value.verdict in value.despite):
            yield (
                number,
                _(
                    "entry {number} is not legal, and no judge with a reason says why it was accepted",
                    number=number,
                ),
            )
        elif any(word) and not all(word):
            yield (
                number,
                _("entry {number} lacks the judge, the reason or what was overridden", number=number),
            )


def _against(event: Event, format: str, log: Log) -> Iterator[Found]:
    """Receipts that don't fit the event's file. Those that were replaced may be why the file was mended."""
    for number, value in standing(log).items():
        pairs: Mapping[str, tuple[object, object]] = {
            "date": (value.date, event.date),
            "format": (value.format.id, format),
            "as_of": (value.as_of, event.as_of),
            "best_of": (value.best_of, event.best_of),
        }
        odd = [key for key, (was, now) in pairs.items() if was != now]
        if odd:
            said = ", ".join(odd)
            yield (
                number,
                _("entry {number} differs from the event's file ({said})", number=number, said=said),
            )
        if _is_late(event, value) and "late" not in value.despite:
            yield (
                number,
                _(
                    "the list of entry {number} came after the deadline, and no judge says why it was "
                    "accepted",
                    number=number,
                ),
            )
        if event.sealed and value.sealed is None:
            yield (
                number,
                _("lists are sealed at this event, and entry {number} is not", number=number),
            )
        elif value.sealed is not None and not event.sealed:
            yield (
                number,
                _("lists are open at this event, and entry {number} is sealed", number=number),
            )


def _is_late(event: Event, receipt: Receipt) -> bool:
    if event.deadline is None or receipt.submitted is None:
        return False
    return datetime.fromisoformat(receipt.submitted) > event.deadline


def maybe_twice(log: Log) -> Words | None:
    """That receipts may be of one player, where only some of them have an id; None where there are none.

    This is no fault: whoever gave a name alone was somebody else where several players with ids bore it then.
    """
    named = [numbers[0] for keys in _of_players(log) if len(keys) > 1 for numbers in keys.values()]
    if not named:
        return None
    said = numbered(sorted(named))
    return _(
        "receipts with and without an id bear the same name ({said}); they may be one player's", said=said
    )


def _of_players(log: Log) -> list[dict[str, list[int]]]:
    """For each player the receipts that stand, parted by id; those without any by the name."""
    receipts = standing(log)
    found: dict[int, dict[str, list[int]]] = {}
    persons = groups([receipt.player for receipt in receipts.values()])
    for (number, receipt), person in zip(receipts.items(), persons, strict=True):
        player = receipt.player
        key = f"id {key_of(player)}" if key_of(player) else f"name {bare(player.name)}"
        found.setdefault(person, {}).setdefault(key, []).append(number)
    return list(found.values())


def _beside_others(log: Log) -> Iterator[Found]:
    """Receipts that can't stand beside each other."""
    of_seal: dict[str, list[int]] = {}
    for number, receipt in standing(log).items():
        if receipt.sealed is not None:
            of_seal.setdefault(receipt.sealed, []).append(number)
    for numbers in (numbers for keys in _of_players(log) for numbers in keys.values()):
        for before, number in pairwise(numbers):
            yield (
                number,
                _("receipts {before} and {number} both stand for one player", before=before, number=number),
            )
    for numbers in of_seal.values():
        for before, number in pairwise(numbers):
            yield (
                number,
                _("receipts {before} and {number} have the same commitment", before=before, number=number),
            )
