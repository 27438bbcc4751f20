"""A banlist as it stands in a check, and how far it can be trusted."""

from deckcheck.model.banlist import Banlist, Unconfirmed
from deckcheck.model.finding import ListUsed, UnappliedChange
from deckcheck.model.game import Game
from deckcheck.support.messages import Words, _
from deckcheck.support.text import Text


def list_used(banlist: Banlist, game: Game, as_of: str) -> ListUsed:
    """The list on that day, with a note for each reason not to trust it wholly."""
    notes: list[Words] = []
    unapplied: tuple[UnappliedChange, ...] = ()
    through = banlist.complete_through
    beyond = through is not None and as_of > through
    if banlist.partial:
        notes.append(_("only some entries of this list are known"))
    elif banlist.partial_on(as_of):
        notes.append(
            _(
                "this list is only known to be complete from {complete_from}",
                complete_from=banlist.complete_from,
            )
        )
    if beyond:
        notes.append(_("this list is only known to be complete through {through}", through=through))
    if banlist.unconfirmed and (beyond or banlist.partial):
        number = len(banlist.unconfirmed)
        changes = "1 change without a date was" if number == 1 else f"{number} changes without a date were"
        notes.append(
            Text(
                f"{banlist.seen_by}までに日付不明の変更が{number}件見つかっています（適用していません）",
                f"{changes} seen by {banlist.seen_by} (not applied)",
            )
        )
        unapplied = tuple(_unapplied(one, game) for one in banlist.unconfirmed)
    return ListUsed(
        banlist.id,
        banlist.name,
        banlist.title,
        banlist.edition(as_of),
        banlist.latest(as_of),
        through,
        tuple(notes),
        unapplied,
    )


def _unapplied(change: Unconfirmed, game: Game) -> UnappliedChange:
    def status(name: str) -> Words:
        return game.statuses[name].name if name in game.statuses else _("free")

    before, after = status(change.before), status(change.after)
    return UnappliedChange(change.card, _("{before} → {after}", before=before, after=after))
