"""An announcement: a banlist file with changes that are laid over the list of its id before they are in force."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

from deckcheck.formats.checks import check_date, check_source
from deckcheck.formats.placed import Placed
from deckcheck.formats.vocabulary import Context, card_name, inside, listed
from deckcheck.model.banlist import FREE_STATUS, Banlist, Change, Combination, ListedCard, Unconfirmed
from deckcheck.model.card import Catalog
from deckcheck.model.game import Game
from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import Words, _
from deckcheck.support.schema import MOST_PROBLEMS, require_shape
from deckcheck.support.yamlfile import Document, load_yaml

_SECTIONS = ("cards", "combinations")
_Sides = frozenset[frozenset[str]]


class AnnouncedChange(Change):
    """A change whose line is one of the announcement and not of the list."""

    __slots__ = ()


class Announcement:
    """The file of an announcement, its days checked, its names not yet."""

    __slots__ = ("banlist", "document", "newest")

    def __init__(self, document: Document, newest: str) -> None:
        self.document = document
        self.banlist: str = document.data["banlist"]
        self.newest = newest

    @property
    def path(self) -> str:
        """How messages name the file."""
        return self.document.path


def read_announcement(file: str) -> Announcement:
    """The announcement of that file; `newest` is its newest day.

    Raises UserError with every mistake that can be told without knowing the game.
    """
    document = load_yaml(Path(file), file)
    require_shape(document, "banlist")
    whole = Placed(document.data, document, ())
    days: list[str] = []
    problems: list[Problem] = []
    for section in _SECTIONS:
        for at in range(len(whole.data.get(section, ()))):
            before = ""
            for item in listed(inside(whole, section, at, "history")):
                day = str(item.data["from"])
                if not _is_day(day):
                    problems.append(_problem(item, _("there is no day {day!r}", day=day)))
                elif day <= before:
                    problems.append(_problem(item, _("the days are not in order")))
                before = day
                days.append(day)
    if not days:
        problems.append(document.problem((), _("no change is written here")))
    if problems:
        raise UserError(_in_order(problems)[:MOST_PROBLEMS])
    return Announcement(document, max(days))


def _is_day(written: str) -> bool:
    try:
        date.fromisoformat(written)
    except ValueError:
        return False
    return True


def _problem(item: Placed, message: Words) -> Problem:
    return item.document.problem((*item.keys, "from"), message)


def _in_order(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda one: (one.line or 0, one.column or 0))


def nobody_leans_on(announcement: Announcement, known: Iterable[str]) -> UserError:
    """What to say of an announcement for a list that no format uses; `known` are the ids of those that are used."""
    name, lists = announcement.banlist, sorted(known)
    hint = did_you_mean(name, lists)
    if hint is None and lists:
        used = ", ".join(lists)
        hint = _("the lists that are used: {used}", used=used)
    return UserError(
        [
            announcement.document.problem(
                ("banlist",), _("no deck's format leans on a list {name!r}", name=name), hint
            )
        ]
    )


def lay_over(
    announcement: Announcement, banlists: Sequence[Banlist], game: Game, catalog: Catalog
) -> tuple[Banlist, ...]:
    """A format's lists with the announced changes in the one of that id.

    Of each card both histories are put together by day, and where both name a
    day the announcement wins. Every list keeps its entries in their places;
    new ones follow. Raises UserError with every mistake that is in the file.
    """
    if all(one.id != announcement.banlist for one in banlists):
        return tuple(banlists)
    # Loading a format has proved that its rules look at each status that its lists give, and at no other.
    seen_alone = {change.status for one in banlists for card in one.cards for change in card.history}
    seen_together = {
        change.status for one in banlists for pair in one.combinations for change in pair.history
    }
    context = Context(game, catalog, (), {})
    whole = Placed(announcement.document.data, announcement.document, ())
    try:
        unconfirmed = _check_rest(whole, context)
        cards, combinations = _cards(whole, context), _combinations(whole, context)
        _check_statuses(cards.values(), seen_alone, context)
        _check_statuses(combinations.values(), seen_together, context)
        merged = tuple(
            _merged(one, cards, combinations, context) if one.id == announcement.banlist else one
            for one in banlists
        )
    except UserError as error:
        raise UserError(_in_order(error.problems)) from error
    if context.problems:
        raise UserError(_in_order(dict.fromkeys(context.problems)))
    through, partial = whole.data.get("complete_through"), whole.data.get("partial", False)
    return tuple(
        _with_rest(one, through, unconfirmed, cards, partial=partial)
        if one.id == announcement.banlist
        else one
        for one in merged
    )


def _check_rest(whole: Placed, context: Context) -> tuple[Unconfirmed, ...] | None:
    """The changes without a day, where the file speaks of them."""
    if "source" in whole.data:
        check_source(inside(whole, "source"), context)
    for key in ("complete_from", "complete_through"):
        if key in whole.data:
            check_date(inside(whole, key), context)
    if "unconfirmed" not in whole.data:
        return None
    unconfirmed = inside(whole, "unconfirmed")
    check_date(inside(unconfirmed, "seen_by"), context)
    found = []
    for item in listed(inside(unconfirmed, "changes")):
        for key in ("from", "to"):
            _is_status(inside(item, key), context)
        found.append(
            Unconfirmed(card_name(inside(item, "card"), context), item.data["from"], item.data["to"])
        )
    return tuple(found)


def _with_rest(
    banlist: Banlist,
    through: str | None,
    unconfirmed: tuple[Unconfirmed, ...] | None,
    dated: Collection[str],
    *,
    partial: bool,
) -> Banlist:
    if unconfirmed is None:
        # What the announcement gives a day is no longer without one.
        unconfirmed = tuple(one for one in banlist.unconfirmed if one.card not in dated)
    return banlist._replace(
        complete_through=through or banlist.complete_through,
        unconfirmed=unconfirmed,
        # A list of which only some entries are known is made whole by no announcement.
        partial=partial or banlist.partial,
    )


def _cards(whole: Placed, context: Context) -> dict[str, Placed]:
    """The history of each card that is named, by canonical name."""
    found: dict[str, Placed] = {}
    for item in listed(inside(whole, "cards")) if "cards" in whole.data else ():
        problems = len(context.problems)
        name = card_name(inside(item, "card"), context)
        if name in found:
            context.wrong(item, _("{name!r} stands here twice", name=name))
        # Of a card that nobody knows there is no more to tell.
        if len(context.problems) == problems:
            found[name] = inside(item, "history")
    return found


def _combinations(whole: Placed, context: Context) -> dict[_Sides, Placed]:
    """The history of each combination that is named, by its sides in any order."""
    found: dict[_Sides, Placed] = {}
    for item in listed(inside(whole, "combinations")) if "combinations" in whole.data else ():
        problems = len(context.problems)
        sides = [
            frozenset(card_name(name, context) for name in listed(side))
            for side in listed(inside(item, "sides"))
        ]
        if sum(map(len, sides)) != len(frozenset[str]().union(*sides)):
            context.wrong(item, _("one card stands on two sides"))
        key = frozenset(sides)
        if key in found:
            context.wrong(item, _("this combination stands here twice"))
        if len(context.problems) == problems:
            found[key] = inside(item, "history")
    return found


def _check_statuses(histories: Iterable[Placed], seen: set[str], context: Context) -> None:
    for history in histories:
        for item in listed(history):
            place = inside(item, "status")
            if _is_status(place, context) and place.data not in (*seen, FREE_STATUS):
                context.wrong(
                    place,
                    _(
                        "no rule of the decks' format looks at the status {data!r} of such an entry",
                        data=place.data,
                    ),
                    did_you_mean(place.data, seen),
                )


def _is_status(place: Placed, context: Context) -> bool:
    known = (*context.game.statuses, FREE_STATUS)
    if place.data in known:
        return True
    message = _("there is no status {data!r}", data=place.data)
    context.wrong(place, message, did_you_mean(place.data, known))
    return False


def _merged(
    banlist: Banlist, cards: Mapping[str, Placed], combinations: Mapping[_Sides, Placed], context: Context
) -> Banlist:
    listed_cards = {one.card: one for one in banlist.cards}
    for name, place in cards.items():
        before = listed_cards[name].history if name in listed_cards else ()
        listed_cards[name] = ListedCard(name, _history(before, place, context))
    known = {frozenset(one.sides): one for one in banlist.combinations}
    histories = {
        key: _history(known[key].history if key in known else (), place, context)
        for key, place in combinations.items()
    }
    kept = [
        one._replace(history=histories.get(frozenset(one.sides), one.history)) for one in banlist.combinations
    ]
    new = [
        Combination(tuple(sorted(key, key=sorted)), history)
        for key, history in histories.items()
        if key not in known
    ]
    return banlist._replace(cards=tuple(listed_cards.values()), combinations=(*kept, *new))


def _history(known: tuple[Change, ...], place: Placed, context: Context) -> tuple[Change, ...]:
    by_day = {change.since: change for change in known}
    items = {item.data["from"]: item for item in listed(place)}
    for day, item in items.items():
        by_day[day] = AnnouncedChange(day, item.data["status"], item.document.line(item.keys))
    before = FREE_STATUS
    for day in sorted(by_day):
        if day in items and by_day[day].status == before:
            hint = _("it is {before!r} before that day already", before=before)
            status = inside(items[day], "status")
            context.wrong(status, _("this change has no effect"), hint)
        before = by_day[day].status
    return tuple(by_day[day] for day in sorted(by_day))
