"""Which entries of lists say something else on the later of two days, and the lists with only some of them moved."""

from collections.abc import Collection, Iterator, Sequence

from deckcheck.formats.announce import AnnouncedChange
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, change_on
from deckcheck.model.game import Game
from deckcheck.model.rule import Source
from deckcheck.report.effects import Days, Move, Status
from deckcheck.support.messages import _

Key = tuple[int, bool, int]
"""Which entry: of which of the format's lists, whether a combination, and at which place there."""

_Pair = tuple[Key, tuple[frozenset[str], ...], tuple[Change, ...], tuple[Change, ...], Banlist]


def moves_between(
    before: Sequence[Banlist], after: Sequence[Banlist], days: Days, game: Game
) -> dict[Key, Move]:
    """The entries that say something else on the later day, in the order of the lists.

    Both are the lists of one format; an entry stands in the same place in
    both, and only `after` may have more of them.
    """
    path = None if days.announced is None else days.announced.path
    moves: dict[Key, Move] = {}
    for key, sides, old, new, banlist in _paired(before, after):
        was, now = _status(change_on(old, days.before)), _status(change_on(new, days.after))
        if was == now:
            continue
        # What is free has no change in force, but there is one that freed it.
        last = [change for change in new if change.since <= days.after][-1]
        file = path if path is not None and isinstance(last, AnnouncedChange) else banlist.path
        moves[key] = Move(
            banlist.id,
            banlist.name,
            tuple(tuple(sorted(side)) for side in sides),
            _named(was, game),
            _named(now, game),
            last.since,
            Source(file, last.line),
        )
    return moves


def lists_with(
    before: Sequence[Banlist], after: Sequence[Banlist], days: Days, held_back: Collection[Key]
) -> tuple[Banlist, ...]:
    """The lists of the later day, but entries in `held_back` still say what they did on the earlier one."""
    kept: dict[Key, tuple[Change, ...]] = {}
    for key, _list, old, new, _other in _paired(before, after):
        stands = change_on(old, days.before) if key in held_back else change_on(new, days.after)
        kept[key] = () if stands is None else (stands,)
    return tuple(
        banlist._replace(
            cards=tuple(one._replace(history=kept[at, False, n]) for n, one in enumerate(banlist.cards)),
            combinations=tuple(
                one._replace(history=kept[at, True, n]) for n, one in enumerate(banlist.combinations)
            ),
        )
        for at, banlist in enumerate(after)
    )


def _paired(before: Sequence[Banlist], after: Sequence[Banlist]) -> Iterator[_Pair]:
    """Each entry with its names and both of its histories."""
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        for number, card in enumerate(new.cards):
            past = old.cards[number].history if number < len(old.cards) else ()
            yield (at, False, number), (frozenset([card.card]),), past, card.history, new
        for number, pair in enumerate(new.combinations):
            past = old.combinations[number].history if number < len(old.combinations) else ()
            yield (at, True, number), pair.sides, past, pair.history, new


def _status(change: Change | None) -> str:
    return FREE_STATUS if change is None else change.status


def _named(status: str, game: Game) -> Status:
    known = game.statuses.get(status)
    return Status(status, _("free") if known is None else known.name)
