"""The roster of an event: its submissions checked, which one counts for each player, and the lists accepted before.

Compares each submission with the deadline, its format with the event's, and its player with those of the others.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.cards.names import MOST_IN_EVENT, SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.read import NoCardReadError
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.canonical import list_of
from deckcheck.registration.entries import read_entries
from deckcheck.registration.event import Event, EventSession
from deckcheck.registration.links import Links
from deckcheck.registration.log import NO_LOG, Log, Receipt, Withdrawal
from deckcheck.registration.persons import (
    Conflict,
    Named,
    candidate,
    conflicts,
    groups,
    is_called,
    is_spelled,
)
from deckcheck.registration.submissions import (
    ID_LENGTH,
    Player,
    Submission,
    id_key,
    name_key,
    player_key,
    spelling_key,
)
from deckcheck.report.findings import own_file
from deckcheck.report.wording import VERDICTS
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Localized, Words, _, n_, shortened
from deckcheck.support.safe_text import cut, safe

State = Literal["legal", "illegal", "undecided", "unreadable", "missing", "gone"]
STATES: Mapping[str, Words] = {
    "legal": VERDICTS[Verdict.LEGAL],
    "illegal": VERDICTS[Verdict.ILLEGAL],
    "undecided": VERDICTS[Verdict.UNDECIDED],
    "unreadable": _("unreadable"),
    "missing": _("no list"),
    "gone": _("gone"),
    "unclear": _("unclear which"),
    "withdrawn": _("withdrawn"),
}
"""The names of the states, of "unclear", where it isn't certain whose list counts, and of "withdrawn" players."""

MOST_OTHERS = 100
"""The most other submissions of a player that a row names."""

_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

_BLANK = "\ufeff \t\r\n　"
_LONGEST_REMARK = 400
_MOST_NAMED = 10
_MOST_CANDIDATES = 20


class Row(NamedTuple):
    """A submission with its results; the state "gone" is for accepted players who are no longer among the entries.

    `problems` make the list unreadable. `late` is None if there is a deadline and no known time. `lacking` are
    required fields without a value. `notes` have no effect. Rows of one player share a `group`, and `others` are the
    ids of the player's other submissions. One of them `counts`, and the others have its id as `instead`. Where a
    `conflict` makes that unclear, none counts.

    `accepted` is the number of the player's receipt, and `is_frozen` says that it is for this list. `changed`: another
    list came after the "deadline", or this one came after the "acceptance" of another one. `withdrawn` is the number
    of the entry that withdrew the player. `continues` is the receipt of a player who is no longer among the entries
    and may be this one.
    """

    submission: Submission
    state: State
    group: int
    report: Report | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    counts: bool = True
    conflict: Conflict | None = None
    accepted: int | None = None
    is_frozen: bool = False
    changed: Literal["deadline", "acceptance"] | None = None
    instead: str | None = None
    notes: tuple[Words, ...] = ()
    withdrawn: int | None = None
    continues: int | None = None

    @property
    def id(self) -> str:
        """The id of the submission; "" for a player who is gone and was accepted before there were ids."""
        return self.submission.id

    @property
    def mark(self) -> str | None:
        """The list's fingerprint, also with unknown names; None without a certain list."""
        listed = None if self.report is None else list_of(self.report.deck, self.report.game)
        return None if listed is None else listed.fingerprint

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and an expected or written time can't be read."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def is_unclear(self) -> bool:
        """Whether it is unclear whose list this is, or which of the player's lists counts."""
        return (
            self.conflict is not None
            and self.instead is None
            and self.withdrawn is None
            and not self.is_frozen
        )

    @property
    def needs_attention(self) -> bool:
        """Whether the organiser should look at the row's failures: it counts, might count, or came too late to."""
        return self.counts or self.is_unclear or self.changed == "acceptance"

    @property
    def shown_state(self) -> str:
        """The state shown in outputs, a key of STATES."""
        if self.withdrawn is not None:
            return "withdrawn"
        return "unclear" if self.is_unclear and self.state not in ("missing", "gone") else self.state

    @property
    def deck_name(self) -> str | None:
        """The deck's name, from the form or the list."""
        return self.submission.player.deck_name or (None if self.report is None else self.report.name)


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


def id_of(row: Row) -> str:
    """What tells a row from others, also one that has no submission any more."""
    return row.id or f"receipt {row.accepted}"


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
    judged = [_check(submission, session, format) for submission in submissions]
    passed_over += [row.submission.place for row in judged if _is_note(row)]
    rows = _with_players([row for row in judged if not _is_note(row)], event, log)
    notes: list[Words] = []
    if passed_over:
        named = shortened([safe(place) for place in passed_over], _MOST_NAMED)
        message = n_(
            "{n} file is no list: {named}", "{n} files are no lists: {named}", len(passed_over), named=named
        )
        notes.append(message)
    notes += _own_file_notes(rows, session)
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


# One submission


def _check(submission: Submission, session: EventSession, format: LoadedFormat) -> Row:
    """The row of one submission, checked on its own."""
    event, given = session.event, submission.player.filled
    lacking = tuple(field for field in event.required if not given.get(field, "").strip())
    row = Row(submission, "missing", 0, lacking=lacking)
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
    deck = deck._replace(header={key: deck.header[key] for key in deck.header if key not in _OF_A_LIST})
    report = check(deck, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
    return row._replace(
        state=report.verdict.value, report=report, notes=tuple(_ineffective_notes(deck, session))
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


@cache
def registration_words() -> Mapping[str, Any]:
    """The words of data/registration.yaml."""
    words: Mapping[str, Any] = load_yaml(Path(__file__).parents[1] / "data" / "registration.yaml").data
    return words


def _is_note(row: Row) -> bool:
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


def own_card_files(report: Report) -> dict[str, set[str]]:
    """The names of the deck's cards that files of the user's own decide on, by file."""
    files: dict[str, set[str]] = defaultdict(set)
    for entry in report.deck.entries:
        for card in entry.cards:
            if own_file(card):
                files[own_file(card)].add(card.name)
    return dict(files)


def _own_file_notes(rows: Sequence[Row], session: EventSession) -> Iterator[Words]:
    """Notes on the cards and lists of the user's own by which the lists were judged, so that two desks can compare."""
    cards: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for file, names in ({} if row.report is None else own_card_files(row.report)).items():
            cards[file] |= names
    for file, names in cards.items():
        yield n_(
            "{n:,} card is judged by {file}, not by the bundled data",
            "{n:,} cards are judged by {file}, not by the bundled data",
            len(names),
            file=safe(file),
        )
    for file in session.own_lists:
        yield _("judged by your own file {file}", file=safe(file))


# Players


def _with_players(rows: Sequence[Row], event: Event, log: Log) -> list[Row]:
    """The rows with their players' groups and receipts, those that count, and rows of players who are gone."""
    receipts, withdrawals = log.receipts, log.withdrawals
    corrections = Links(event.links).corrections()
    players = _players_by_submission(rows, corrections)
    recorded = {
        **_current_players(rows, receipts),
        **{number: one.player for number, one in withdrawals.items()},
    }
    for number, receipt in receipts.items():
        if receipt.submission in players:
            recorded[number] = players[receipt.submission]
    for number, withdrawal in withdrawals.items():
        for id in withdrawal.submissions:
            recorded[number] = players.get(id, recorded[number])
    persons = groups([*(players[row.id] for row in rows), *recorded.values()])
    grouped = [row._replace(group=group) for row, group in zip(rows, persons, strict=False)]
    group_of = dict(zip(recorded, persons[len(rows) :], strict=True))
    for number, one in (receipts | withdrawals).items():
        if not any(player_key(one.player)):
            same = [row.group for row in grouped if _is_nameless_row_of(row, one)]
            group_of[number] = same[0] if same else group_of[number]
    # Later entries win.
    last = {group: number for number, group in sorted(group_of.items())}
    accepted = {group: number for group, number in last.items() if number in receipts}
    withdrawn = {group: number for group, number in last.items() if number in withdrawals}
    active = [
        *(Named(row.id, players[row.id], row.group) for row in grouped if row.group not in withdrawn),
        *(Named(None, recorded[number], group) for group, number in accepted.items()),
    ]
    unclear = conflicts(active)
    gone = {
        number: receipts[number] for group, number in accepted.items() if group not in persons[: len(rows)]
    }
    by_group: dict[int, list[Row]] = defaultdict(list)
    # Of submissions in the same second, the last one wins.
    for row in sorted(grouped, key=lambda row: row.id not in corrections):
        by_group[row.group].append(row._replace(conflict=unclear.get(row.id)))
    done: list[Row] = []
    for group, mine in by_group.items():
        mine = _with_others(mine)
        if group in withdrawn:
            done += [row._replace(withdrawn=withdrawn[group], counts=False) for row in mine]
        elif group in accepted:
            done += _with_receipt(mine, event, receipts[accepted[group]], accepted[group])
        else:
            done += _with_precedence(mine, event)
    order = {row.id: index for index, row in enumerate(rows)}
    done = sorted(
        (row._replace(continues=_continued(row, gone)) for row in done), key=lambda row: order[row.id]
    )
    return [*done, *_gone_rows(gone, done)]


def _players_by_submission(rows: Sequence[Row], corrections: Mapping[str, str]) -> dict[str, Player]:
    """The player of each submission, by what the player wrote last under the private link."""
    players = {row.id: row.submission.player for row in rows}
    for id, last in corrections.items():
        if id in players and last in players:
            players[id] = players[last]
    return players


def _is_nameless_row_of(row: Row, recorded: Receipt | Withdrawal) -> bool:
    """Whether a row without name and id is that of a receipt or a withdrawal without these."""
    if any(player_key(row.submission.player)):
        return False
    if isinstance(recorded, Withdrawal):
        return row.id in recorded.submissions
    return (row.submission.place, row.mark) == (recorded.place, recorded.fingerprint)


def _gone_rows(gone: Mapping[int, Receipt], rows: Sequence[Row]) -> list[Row]:
    """A row for each accepted player who is no longer among the entries, and whom no other one may be."""
    continued = {row.continues for row in rows}
    first = max((row.group for row in rows), default=0) + 1
    left = [(number, receipt) for number, receipt in sorted(gone.items()) if number not in continued]
    made = []
    for group, (number, receipt) in enumerate(left, first):
        submission = Submission(receipt.place, receipt.player, None, id=receipt.submission or "")
        made.append(Row(submission, "gone", group, accepted=number))
    return made


def _current_players(rows: Sequence[Row], receipts: Mapping[int, Receipt]) -> dict[int, Player]:
    """The players of receipts: as they are now called, if only the player of an accepted submission was corrected."""
    names = {(player.id, player.name) for player in (row.submission.player for row in rows)}
    by_list: dict[tuple[str | None, str | None], list[Row]] = defaultdict(list)
    for row in rows:
        when = row.submission.submitted
        by_list[row.mark, None if when is None else when.isoformat()].append(row)
    players = {}
    for number, receipt in receipts.items():
        players[number] = receipt.player
        if (receipt.player.id, receipt.player.name) in names:
            continue
        same = by_list.get((receipt.fingerprint, receipt.submitted), [])
        if receipt.submitted is None:
            same = [row for row in same if row.submission.place == receipt.place]
        shared = [row for row in same if _is_corrected(receipt.player, row.submission.player)]
        if len(shared) == 1:
            players[number] = shared[0].submission.player
    return players


def _is_corrected(before: Player, now: Player) -> bool:
    """Whether one player may be the other after a correction: the id or the name is the same, or both have neither."""
    same_id = before.id is not None and name_key(before.id) == name_key(now.id)
    same_name = before.name is not None and name_key(before.name) == name_key(now.name)
    return same_id or same_name or before.id is None or now.id is None


def _continued(row: Row, gone: Mapping[int, Receipt]) -> int | None:
    """The receipt of a player who is gone and has this row's id or name; None if there isn't exactly one."""
    if row.accepted is not None or (not row.counts and not row.is_unclear):
        return None
    player = row.submission.player
    numbers = [
        number
        for number, receipt in gone.items()
        if (player.id and id_key(player.id) == id_key(receipt.player.id))
        or (player.name and spelling_key(player.name) == spelling_key(receipt.player.name))
    ]
    return numbers[0] if len(numbers) == 1 else None


# Precedence: which of a player's submissions counts


def _with_precedence(rows: Sequence[Row], event: Event) -> list[Row]:
    """The rows of one player, and whether each counts.

    The last list on time counts, or the last if all are late. If a time is missing, it is unclear, unless all lists
    are the same. Empty required fields are taken from earlier submissions.
    """
    lists = [row for row in rows if row.state != "missing"] or rows
    conflict = next((row.conflict for row in rows if row.conflict is not None), None)
    in_time = [row for row in lists if not row.late] or lists
    winner = sorted(in_time, key=_when)[-1]
    if len(lists) > 1 and any(row.submission.submitted is None for row in lists):
        winner = in_time[-1]
        if conflict is None and len({_mark_or_text(row) for row in lists}) > 1:
            conflict = Conflict("lists", tuple(row.id for row in lists))
    if conflict is not None:
        return [row._replace(counts=False, conflict=row.conflict or conflict) for row in rows]
    later = any(row.late and not winner.late and _mark_or_text(row) != _mark_or_text(winner) for row in lists)
    done = []
    for row in rows:
        if row.id == winner.id:
            completed = _with_earlier_fields(row, rows, event)
            done.append(completed._replace(changed="deadline") if later else completed)
        else:
            done.append(row._replace(counts=False, instead=winner.id))
    return done


def _with_receipt(rows: Sequence[Row], event: Event, receipt: Receipt, number: int) -> list[Row]:
    """The rows of an accepted player: the accepted list counts if it is among them."""
    rows = [row._replace(accepted=number) for row in rows]
    same = [row for row in rows if row.mark == receipt.fingerprint]
    if not same:
        return _with_precedence(rows, event)
    exact = [row for row in same if row.id == receipt.submission]
    frozen = (exact or same)[-1]
    others = [row for row in rows if row.mark != frozen.mark and row.state != "missing"]
    after = {row.id for row in others if _is_after(row, frozen, receipt)}
    late = any(row.late for row in others if row.id in after)
    done = []
    for row in rows:
        if row.id == frozen.id:
            completed = _with_earlier_fields(row, rows, event)
            done.append(completed._replace(is_frozen=True, changed="deadline" if late else None))
        else:
            changed: Literal["acceptance"] | None = "acceptance" if row.id in after and not row.late else None
            done.append(row._replace(counts=False, instead=frozen.id, changed=changed))
    return done


def _with_others(rows: Sequence[Row]) -> list[Row]:
    """The rows of one player with the ids of each other, at most MOST_OTHERS."""
    # Not all of them, so that memory stays linear in the number of submissions.
    ids = [row.id for row in rows[: MOST_OTHERS + 1]]
    return [row._replace(others=tuple(id for id in ids if id != row.id)[:MOST_OTHERS]) for row in rows]


def _is_after(row: Row, frozen: Row, receipt: Receipt) -> bool:
    """Whether a submission came after another one was accepted. A judge knew those that had come until then."""
    when, accepted_one = row.submission.submitted, frozen.submission.submitted
    if receipt.by is not None:
        return when is not None and when > receipt.time
    return when is None or accepted_one is None or when > accepted_one


def _mark_or_text(row: Row) -> str:
    """What tells a row's list from others; rows without a certain list are compared by their text."""
    return row.mark or f"text {row.id if row.problems else row.submission.text}"


def _when(row: Row) -> float:
    """The sort key for the time of submission; rows without a time come first, and of equal ones the last wins."""
    when = row.submission.submitted
    return -1.0 if when is None else when.timestamp()


def _with_earlier_fields(row: Row, rows: Sequence[Row], event: Event) -> Row:
    """The row with empty required fields filled from the player's earlier submissions, the latest first."""
    position = {one.id: index for index, one in enumerate(rows)}
    own = row.submission

    def is_before(other: Row) -> bool:
        if other.submission.submitted is None or own.submitted is None:
            return position[other.id] < position[row.id]
        return (other.submission.submitted, position[other.id]) < (own.submitted, position[row.id])

    earlier = [other.submission for other in sorted(rows, key=_when) if is_before(other)]
    # The latest one that gives a field counts.
    given = {
        field: other for other in earlier for field, value in other.player.filled.items() if value.strip()
    }
    filled = {field: given[field].player.filled[field] for field in row.lacking if field in given}
    notes = tuple(
        _(
            "{name}: left empty here, taken from the earlier submission {id}",
            name=event.field_name(field),
            id=given[field].id,
        )
        for field in filled
    )
    return row._replace(
        submission=own._replace(player=own.player.with_fields(filled)),
        lacking=tuple(field for field in row.lacking if field not in filled),
        notes=(*row.notes, *notes),
    )
