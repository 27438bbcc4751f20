"""What stands beneath all decks of a run: the banlists that were used, and how many decks are what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from deckcheck.model.banlist import Banlist, Unconfirmed
from deckcheck.model.finding import ListUsed, UnappliedChange
from deckcheck.model.game import Game
from deckcheck.report.terminal import painter
from deckcheck.report.writer import Tally
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.safetext import safe


def list_used(banlist: Banlist, game: Game, as_of: str) -> ListUsed:
    """The list on that day, with a note for each reason not to trust it wholly."""
    notes: list[Words] = []
    unapplied: tuple[UnappliedChange, ...] = ()
    through = banlist.complete_through
    beyond = through is not None and as_of > through
    if banlist.partial:
        notes.append(_("only some entries of this list are known"))
    elif banlist.partial_on(as_of):
        notes.append(_("this list is only known to be complete from {day}", day=banlist.complete_from))
    if beyond:
        notes.append(_("this list is only known to be complete through {day}", day=through))
    if banlist.unconfirmed and (beyond or banlist.partial):
        notes.append(
            n_(
                "{n} change without a date was seen by {day} (not applied)",
                "{n} changes without a date were seen by {day} (not applied)",
                len(banlist.unconfirmed),
                day=banlist.seen_by,
            )
        )
        unapplied = tuple(_unapplied(change, game) for change in banlist.unconfirmed)
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
    before, after = status_name(change.before, game), status_name(change.after, game)
    return UnappliedChange(change.card, _("{before} → {after}", before=before, after=after))


def status_name(status: str, game: Game) -> Words:
    """What a status is called; what no list calls anything is free."""
    known = game.statuses.get(status)
    return _("free") if known is None else known.name


def render_lists(lists: Iterable[ListUsed], held: Collection[str], lang: str, *, color: bool) -> str:
    """Each list with its newest change and how far it can be trusted; "" where none was used.

    Of changes that were seen and not applied only those of cards in `held`
    are named.
    """
    lines = [line for used in lists for line in _list(used, held, lang, color)]
    heading = painter(color)(_("lists used:").in_(lang), "dim")
    return "\n".join([heading, *lines]) + "\n" if lines else ""


def _list(used: ListUsed, held: Collection[str], lang: str, color: bool) -> Iterator[str]:
    parts = (used.title if used.title != used.name.in_(lang) else None, used.edition)
    title = " ".join(part for part in parts if part)
    name = _("{name} ({title})", name=used.name, title=title) if title else used.name
    if used.latest:
        line = _("{list}, newest change {day}", list=name, day=used.latest)
    else:
        line = _("{list}, no change by this day", list=name)
    yield f"  {safe(line.in_(lang))}"
    mark = painter(color)(_("note: ").in_(lang), "yellow")
    for note in used.notes:
        yield f"    {mark}{safe(note.in_(lang))}"
    for one in used.unapplied:
        if one.card in held:
            change = _("in the deck: {card}, {change}", card=one.card, change=one.change)
            yield f"      {safe(change.in_(lang))}"


def render_tally(tally: Tally, failed: int, suppressed: int, lang: str) -> str:
    """One line for all decks of a run.

    `failed` counts those that could not be checked, `suppressed` findings that
    somebody asked not to hear of.
    """
    line = n_(
        "{n:,} deck: {legal:,} legal, {illegal:,} illegal, {undecided:,} undecided",
        "{n:,} decks: {legal:,} legal, {illegal:,} illegal, {undecided:,} undecided",
        tally.decks,
        legal=tally.legal,
        illegal=tally.illegal,
        undecided=tally.undecided,
    )
    if suppressed:
        line = n_("{tally}; {n:,} finding ignored", "{tally}; {n:,} findings ignored", suppressed, tally=line)
    if failed:
        line = _("{tally} (and {failed:,} that could not be checked)", tally=line, failed=failed)
    return line.in_(lang) + "\n"
