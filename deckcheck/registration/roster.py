"""The roster of an event: its submissions checked, which one counts for each player, and the lists accepted before."""

from collections.abc import Sequence
from typing import NamedTuple

from deckcheck.cards.names import MOST_IN_EVENT, SuggestionCache
from deckcheck.checking.judge import LoadedFormat
from deckcheck.registration.entries import read_entries
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.log import NO_LOG, Log
from deckcheck.registration.players import candidate, is_called, is_spelled, with_players
from deckcheck.registration.roster_rows import Row, check_submission, id_of, is_note
from deckcheck.registration.submissions import ID_LENGTH, Submission, id_key
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _, n_, shortened
from deckcheck.support.safe_text import safe

_MOST_NAMED = 10
_MOST_CANDIDATES = 20


class Roster(NamedTuple):
    """All submissions of an event in order, followed by rows of the state "gone", and the log.

    `notes` are about the event as a whole.
    """

    event: Event
    format: LoadedFormat
    rows: tuple[Row, ...]
    log: Log
    notes: tuple[Words, ...] = ()

    @property
    def player_rows(self) -> dict[int, Row]:
        """A row for each player who hasn't withdrawn, by group: the one that counts, or the first if that is unclear."""
        by_group: dict[int, Row] = {}
        for row in self.rows:
            if row.counts or (row.is_unclear and row.group not in by_group):
                by_group[row.group] = row
        return by_group

    def find(self, who: str, *, player: bool = False) -> Row:
        """The row that is meant by a submission's id, a player's id or a name: that submission, or the one that counts.

        With `player`, any row of the player will do. Raises UserError, with the candidates, for none or several.
        """
        candidates = self._named(who)
        if len({row.group for row in candidates}) == 1:
            counting = [row for row in candidates if row.counts]
            candidates = counting or (candidates[:1] if player else candidates)
        if len(candidates) == 1:
            return candidates[0]
        hint = _("name a submission by its id in `deckcheck event check`")
        if not candidates:
            raise user_error(_("nobody is called {who!r}", who=who), hint=hint)
        ids = [row.id or _("receipt {accepted}", accepted=row.accepted) for row in candidates]
        named = shortened(
            [candidate(id, row.submission.player) for id, row in zip(ids, candidates, strict=True)],
            _MOST_CANDIDATES,
        )
        raise user_error(_("{who!r} may mean several: {named}", who=who, named=named), hint=hint)

    def _named(self, who: str) -> list[Row]:
        """The rows whose submission, player or name is called so."""
        typed = who.strip().lower()
        submissions = [row for row in self.rows if row.id and (row.id == typed or _is_start(typed, row.id))]
        # A name shared by several players is ambiguous, and so is an id that is somebody else's name.
        players = [row for row in self.rows if is_called(who, row.submission.player)]
        players = players or [row for row in self.rows if is_spelled(who, row.submission.player)]
        players.sort(key=lambda row: id_key(row.submission.player.id) != id_key(who))
        return list({id_of(row): row for row in (*submissions, *players)}.values())


def _is_start(typed: str, id: str) -> bool:
    """Whether the usual length of a longer id was typed."""
    return len(typed) >= ID_LENGTH and id.startswith(typed)


def build_roster(
    session: EventSession, log: Log = NO_LOG, submissions: Sequence[Submission] | None = None
) -> Roster:
    """The roster of the submissions (None: read them all), checked by the event's rules, with what the log says.

    Raises UserError.
    """
    event = session.event
    passed_over: list[str] = []
    if submissions is None:
        submissions, passed_over = read_entries(event, session.format.game_data.game)
    receipts = log.receipts
    # Errors in the rules must not be reported for each submission.
    rules = session.rules.provenance if receipts else None
    session.format.prepared(event.as_of, event.best_of)
    catalog = SuggestionCache(session.format.game_data.catalog, MOST_IN_EVENT)
    format = session.format.with_catalog(catalog)
    judged = [check_submission(submission, session, format) for submission in submissions]
    passed_over += [row.submission.place for row in judged if is_note(row)]
    rows = with_players([row for row in judged if not is_note(row)], event, log)
    notes: list[Words] = []
    if passed_over:
        named = shortened([safe(place) for place in passed_over], _MOST_NAMED)
        message = n_(
            "{n} file is no list: {named}", "{n} files are no lists: {named}", len(passed_over), named=named
        )
        notes.append(message)
    earlier = sum(receipt.rules != rules for receipt in receipts.values())
    if earlier:
        note = n_(
            "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
            "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
            earlier,
        )
        notes.append(note)
    if catalog.exhausted:
        note = _(
            "so many names are not in the card table that only {most_suggested:,} of them got suggestions",
            most_suggested=MOST_IN_EVENT,
        )
        notes.append(note)
    return Roster(event, session.format, tuple(rows), log, tuple(notes))
