"""The roster of an event: its submissions read and checked, and what the log says of their players."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from deckcheck.cards.names import MOST_IN_EVENT, SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.read import NoCardReadError
from deckcheck.model.deck import Deck
from deckcheck.model.game import Game
from deckcheck.registration.event import Event, EventSession, Form
from deckcheck.registration.forms import PlacedProblem, read_form
from deckcheck.registration.log import NO_LOG, Log
from deckcheck.registration.players import Row, candidate, id_of, is_called, with_players
from deckcheck.registration.receipts import list_of
from deckcheck.registration.submissions import (
    ID_LENGTH,
    Entries,
    Submission,
    id_key,
    read_folder,
    registration_words,
    with_ids,
)
from deckcheck.support.documents import Keys, load_yaml
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import is_folder
from deckcheck.support.messages import Localized, Words, _, n_, shortened
from deckcheck.support.safe_text import cut, safe

_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

_BLANK = "\ufeff \t\r\n　"
_LONGEST_REMARK = 400


LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""

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
            [candidate(id, row.player) for id, row in zip(ids, candidates, strict=True)],
            _MOST_CANDIDATES,
        )
        raise user_error(_("{who!r} may mean several: {named}", who=who, named=named), hint=hint)

    def _named(self, who: str) -> list[Row]:
        """The rows whose submission, player or name is called so."""
        typed = who.strip().lower()
        submissions = [row for row in self.rows if row.id and (row.id == typed or _is_start(typed, row.id))]
        # A name shared by several players is ambiguous, and so is an id that is somebody else's name.
        players = [row for row in self.rows if is_called(who, row.player)]
        players.sort(key=lambda row: id_key(row.player.id) != id_key(who))
        return list({id_of(row): row for row in (*submissions, *players)}.values())


def _is_start(typed: str, id: str) -> bool:
    """Whether the usual length of a longer id was typed."""
    return len(typed) >= ID_LENGTH and id.startswith(typed)


# Reading


def read_entries(event: Event, game: Game) -> Entries:
    """All submissions to an event, with their ids. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    entries = Entries([], [])
    problems: list[Problem] = []
    for index, source in enumerate(event.sources):
        path, placed = source.path, _placed_in(event, index)
        # The path as written in the event's file.
        path_shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        path_shown = path_shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                content = Entries(read_form(source, path_shown, game, zone, placed), [])
            elif is_folder(path):
                content = read_folder(path, path_shown, zone, event.own_files, tuple(event.fields))
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=path_shown), None)])
        except UserError as error:
            problems += placed_at(error, path_shown).problems
            continue
        entries.submissions.extend(content.submissions)
        entries.passed_over.extend(content.passed_over)
        if sum(len(one.text or "") for one in entries.submissions) > LARGEST_TOGETHER:
            raise user_error(_("all lists together are too large"), path=str(event.path))
    if problems:
        raise UserError(problems)
    return entries._replace(submissions=with_ids(entries.submissions))


def _placed_in(event: Event, index: int) -> PlacedProblem:
    """Makes problems of the source at `index`, placed in the event's file if that can be read."""

    def problem(keys: Keys, message: Words, hint: Words | None) -> Problem:
        try:
            return load_yaml(event.path).problem(message, hint, ("entries", index, *keys))
        except UserError:
            return Problem(message, str(event.path), hint=hint)

    return problem


# Checking


def check_submission(submission: Submission, session: EventSession, format: LoadedFormat) -> Row:
    """The row of one submission, checked on its own."""
    event, given = session.event, submission.player.filled
    lacking = tuple(field for field in event.required if not given.get(field, "").strip())
    row = Row(submission, "missing", lacking=lacking)
    try:
        if submission.problem is not None:
            raise user_error(submission.problem)
        if (submission.text or "").strip(_BLANK):
            row = _with_list(row, session, format)
    except UserError as error:
        row = row._replace(state="unreadable", problems=placed_at(error, submission.place).problems)
    if row.state == "missing" or event.deadline is None:
        return row
    when = submission.submitted
    return row._replace(late=None if when is None else when > event.deadline)


def _with_list(row: Row, session: EventSession, format: LoadedFormat) -> Row:
    """The row of a list. Raises UserError."""
    event, text = session.event, row.submission.text or ""
    remark = cut(safe(" ".join(text.split())), 80)
    without_list = row._replace(notes=(_("in place of a list: “{remark}”", remark=remark),))
    try:
        deck = read_deck(format, text, row.submission.place)
    except UserError as error:
        if says_no_list(text):
            return without_list
        if isinstance(error, NoCardReadError) and _names_nobody(row.submission):
            return row
        raise
    if not any(entry.cards for entry in deck.entries) and says_no_list(text):
        return without_list
    if not deck.entries and not deck.diagnostics and not _has_title(deck):
        return row
    deck = replace(deck, header={key: deck.header[key] for key in deck.header if key not in _OF_A_LIST})
    report = check(deck, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
    listed = list_of(deck, report.game)
    return row._replace(
        state=report.verdict.value,
        report=report,
        mark=None if listed is None else listed.fingerprint,
        notes=tuple(_ineffective_notes(deck, session)),
    )


def _has_title(deck: Deck) -> bool:
    """Whether a line of the list is its title, so that it isn't empty but for comments and headings."""
    return any(line.strip() == deck.header.get("deck") for line in deck.lines)


def says_no_list(text: str) -> bool:
    """Whether a text without cards says that its player withdraws or sends a list later."""
    if len(text) > _LONGEST_REMARK:
        return False
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    plain = " ".join(unicodedata.normalize("NFKC", " ".join(lines)).casefold().replace("’", "'").split())
    words = registration_words()["no_list"]
    joined = "".join(plain.split())
    if plain.strip(" .。!！…") in words["whole"]:
        return True
    return any(
        re.search(rf"\b{re.escape(word)}\b", plain) if word.isascii() else word in joined
        for word in words["contains"]
    )


def is_note(row: Row) -> bool:
    """Whether a file names neither a player nor a card, so that it is a note of the organiser's."""
    if row.problems or not _names_nobody(row.submission):
        return False
    return row.report is None or not any(entry.cards for entry in row.report.deck.entries)


def _names_nobody(submission: Submission) -> bool:
    """Whether a file says of no player that it is theirs."""
    return submission.is_file and not submission.player.filled and not submission.submitted_as


def _ineffective_notes(deck: Deck, session: EventSession) -> Iterator[Words]:
    """Notes on parts of a list without effect at an event: another format, directives."""
    rules, written = session.format.format, deck.header.get("format", "")
    named = unicodedata.normalize("NFKC", written).strip().casefold()
    own = (rules.id, rules.name.in_("ja"), rules.name.in_("en"), *rules.aliases)
    if named and named not in {name.casefold() for name in own}:
        others = {entry.id: entry for entry in session.known_formats if named in entry.names}
        # An ambiguous name isn't reported.
        if len(others) == 1 and rules.id not in others:
            [entry] = others.values()
            other = Localized(entry.ja, entry.en)
            yield _("the list says it is for {other}; it was judged as {name}", other=other, name=rules.name)
    if deck.directives:
        yield _("the list ignores findings; at an event that has no effect")


# All together


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
