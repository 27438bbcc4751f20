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
from deckcheck.support.text import Text

Found = tuple[int, Text]
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
    for number, _, value, _ in log.entries:
        about = value.receipt if isinstance(value, Checked) else value.replaces
        if about is not None and about not in stood:
            yield (
                number,
                Text(
                    f"{number}番が指す{about}番は、その時点で有効な受付ではありません",
                    f"entry {number} speaks of receipt {about}, which did not stand then",
                ),
            )
        if isinstance(value, Checked):
            continue
        old = None if about is None else stood.pop(about, None)
        if old is not None and len(set(groups([old.player, value.player]))) > 1:
            yield (
                number,
                Text(
                    f"{number}番は、別のプレイヤーの受付（{about}番）を置きかえています",
                    f"entry {number} replaces receipt {about}, which is another player's",
                ),
            )
        stood[number] = value


def _by_themselves(log: Log) -> Iterator[Found]:
    """Entries that could not have been written as they are."""
    for number, _, value, _ in log.entries:
        if isinstance(value, Checked):
            if not (value.by or "").strip():
                yield (
                    number,
                    Text(
                        f"{number}番の確認には、確認した人が書かれていません",
                        f"entry {number} doesn't say who checked the deck",
                    ),
                )
            continue
        word = [bool((value.by or "").strip()), bool((value.reason or "").strip()), bool(value.despite)]
        if value.verdict != "legal" and not (all(word) and value.verdict in value.despite):
            yield (
                number,
                Text(
                    f"{number}番は「問題なし」ではないのに、認めたジャッジと理由がそろっていません",
                    f"entry {number} is not legal, and no judge with a reason says why it was accepted",
                ),
            )
        elif any(word) and not all(word):
            yield (
                number,
                Text(
                    f"{number}番は、認めたジャッジと理由、何を認めたかがそろっていません",
                    f"entry {number} lacks the judge, the reason or what was overridden",
                ),
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
                Text(
                    f"{number}番は、大会のファイルと違います（{said}）",
                    f"entry {number} differs from the event's file ({said})",
                ),
            )
        if _is_late(event, value) and "late" not in value.despite:
            yield (
                number,
                Text(
                    f"{number}番のリストは締切後の提出ですが、それを認めたジャッジが書かれていません",
                    f"the list of entry {number} came after the deadline, and no judge says why it was accepted",
                ),
            )
        if event.sealed and value.sealed is None:
            yield (
                number,
                Text(
                    f"リストを封印する大会ですが、{number}番は封印されていません",
                    f"lists are sealed at this event, and entry {number} is not",
                ),
            )
        elif value.sealed is not None and not event.sealed:
            yield (
                number,
                Text(
                    f"リストを封印しない大会ですが、{number}番は封印されています",
                    f"lists are open at this event, and entry {number} is sealed",
                ),
            )


def _is_late(event: Event, receipt: Receipt) -> bool:
    if event.deadline is None or receipt.submitted is None:
        return False
    return datetime.fromisoformat(receipt.submitted) > event.deadline


def maybe_twice(log: Log) -> Text | None:
    """That receipts may be of one player, where only some of them have an id; None where there are none.

    This is no fault: whoever gave a name alone was somebody else where several players with ids bore it then.
    """
    named = [numbers[0] for keys in _of_players(log) if len(keys) > 1 for numbers in keys.values()]
    if not named:
        return None
    said = numbered(sorted(named))
    return Text(
        f"同じ名前で、idのあるものとないものが受け付けられています（{said.ja}）。同じプレイヤーかもしれません",
        f"receipts with and without an id bear the same name ({said.en}); they may be one player's",
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
                Text(
                    f"{before}番と{number}番は同じプレイヤーの受付で、どちらも有効です",
                    f"receipts {before} and {number} both stand for one player",
                ),
            )
    for numbers in of_seal.values():
        for before, number in pairwise(numbers):
            yield (
                number,
                Text(
                    f"{before}番と{number}番は同じ封印です",
                    f"receipts {before} and {number} have the same commitment",
                ),
            )
