"""The roster of an event: its submissions read and checked, and which of a player's lists counts.

An accepted list counts. Otherwise the last one on time does, or the last one if all are late. It is unclear which one
counts if several may be the last one: lists without a time, of the same time or by several private links, and a later
message without a card, such as that the player withdraws.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.names import MOST_IN_EVENT, FewSuggestions
from deckcheck.checking.deck_files import why_no_list
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.read import NoCardReadError
from deckcheck.formats.lookup import folded, folded_names
from deckcheck.model.deck import Deck
from deckcheck.model.finding import UNCOUNTED, Report, Verdict, list_of
from deckcheck.model.format import Format
from deckcheck.model.game import Game
from deckcheck.registration.event import Event, EventSession, Form
from deckcheck.registration.forms import read_form
from deckcheck.registration.log import Log, Receipt, read_log
from deckcheck.registration.players import MOST_NAMED, ambiguous, is_meant, who_is_who
from deckcheck.registration.submissions import (
    Player,
    Submission,
    has_count,
    read_folder,
    readable,
    says_no_list,
    with_ids,
    written_in,
)
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import is_folder
from deckcheck.support.messages import Words, _, n_, series, shortened
from deckcheck.support.safe_text import cut, safe

_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""

_MOST_PASSED_OVER = 10
_MOST_UNTIMED = 20

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


class Row(Struct, frozen=True):
    """A submission with its results; the state "gone" is for accepted players who are no longer among the entries.

    `problems` make the list unreadable. `mark` is the list's fingerprint, also with unknown names; None without a
    certain list. `late` is None if there is a deadline and no known time. `lacking` are required fields without a
    value. `notes` have no effect.

    Rows of one player share a `group`, and `others` are the ids of the player's other submissions. If another one
    counts, its id is `instead`. If it is unclear which of the player's "lists" counts, or of which "player" the lists
    are, that is the `conflict` of all of them, and `rivals` are what it is about: the ids of submissions, or receipts.

    `accepted` is the number of the player's receipt, and `is_frozen` says that it is for this list. `changed`: another
    list came after the "deadline", or this one came after the "acceptance" of another one. `withdrawn` is the number
    of the entry that withdrew the player.
    """

    submission: Submission
    state: State
    report: Report | None = None
    mark: str | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    notes: tuple[Words, ...] = ()
    group: int = 0
    others: tuple[str, ...] = ()
    instead: str | None = None
    conflict: Literal["lists", "player"] | None = None
    rivals: tuple[str, ...] = ()
    accepted: int | None = None
    is_frozen: bool = False
    changed: Literal["deadline", "acceptance"] | None = None
    withdrawn: int | None = None

    @property
    def id(self) -> str:
        """The id of the submission; "" for a player who is gone and was accepted before there were ids."""
        return self.submission.id

    @property
    def player(self) -> Player:
        """The player of the submission."""
        return self.submission.player

    @property
    def untimed(self) -> bool:
        """Whether there is a deadline, and an expected or written time can't be read."""
        return self.late is None and (self.submission.timed or bool(self.submission.submitted_as))

    @property
    def counts(self) -> bool | None:
        """Whether it counts for its player; None if that is unclear."""
        if self.conflict is not None:
            return None
        return self.instead is None and self.withdrawn is None

    @property
    def needs_attention(self) -> bool:
        """Whether the organiser should look at the row's failures: it counts, might count, or came too late to."""
        return self.counts is not False or self.changed == "acceptance"

    @property
    def told_state(self) -> str:
        """The state shown in outputs, a key of STATES."""
        if self.withdrawn is not None:
            return "withdrawn"
        return "unclear" if self.counts is None and self.state != "missing" else self.state

    @property
    def deck_name(self) -> str | None:
        """The deck's name, from the form or the list."""
        return self.player.deck_name or (None if self.report is None else self.report.name)


class Roster(Struct, frozen=True):
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
            if row.counts is not False:
                by_group.setdefault(row.group, row)
        return by_group

    def find(self, who: str, *, player: bool = False) -> Row:
        """The row that is meant by a submission's id, a player's id or a name: that submission, or the one that counts.

        With `player`, any row of the player will do. Raises UserError, with the candidates, for none or several.
        """
        rows = [row for row in self.rows if is_meant(who, row.id, row.player)]
        if len({row.group for row in rows}) == 1:
            counting = [row for row in rows if row.counts]
            rows = counting or (rows[:1] if player else rows)
        if len(rows) == 1:
            return rows[0]
        hint = _("name a submission by its id in `deckcheck event check`")
        if not rows:
            raise user_error(_("nobody is called {who!r}", who=who), hint=hint)
        raise ambiguous(who, [(row.id, row.accepted, row.player) for row in rows], hint)


# Reading


def read_entries(event: Event, game: Game) -> list[Submission]:
    """All submissions to an event, with their ids. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    submissions: list[Submission] = []
    problems: list[Problem] = []
    for source in event.sources:
        path = source.path
        # As it is written in the event's file.
        name = readable(path.relative_to(home) if path.is_relative_to(home) else path)
        try:
            if isinstance(source, Form):
                mine = read_form(source, name, game, zone)
            elif is_folder(path):
                mine = read_folder(path, name, zone, event.own_files, tuple(event.fields))
            else:
                raise UserError([source.entry.problem(_("there is no folder {name!r}", name=name))])
        except UserError as error:
            problems += placed_at(error, name).problems
            continue
        # Where others say when they came, a list that doesn't may be late.
        timed = any(one.submitted_as for one in mine)
        submissions += [replace(one, timed=timed and one.problem is None) for one in mine]
        if sum(len(one.text or "") for one in submissions) > LARGEST_TOGETHER:
            raise user_error(_("all lists together are too large"), path=str(event.path))
    if problems:
        raise UserError(problems)
    return with_ids(submissions, zone)


# Checking


def check_submission(submission: Submission, event: Event, format: LoadedFormat) -> Row:
    """The row of one submission, checked on its own."""
    given = submission.player.filled
    lacking = tuple(field for field in event.required if not given.get(field, "").strip())
    row = Row(submission, "missing", lacking=lacking)
    try:
        if submission.problem is not None:
            raise user_error(submission.problem)
        if submission.text is not None:
            row = _with_list(row, submission.text, event, format)
    except UserError as error:
        row = replace(row, state="unreadable", problems=placed_at(error, submission.place).problems)
    if row.state == "missing" or event.deadline is None:
        return row
    when = submission.submitted
    return replace(row, late=None if when is None else when > event.deadline)


def _with_list(row: Row, text: str, event: Event, format: LoadedFormat) -> Row:
    """The row of a list, or of a remark in place of one. Raises UserError."""
    remark = remark_of(row)
    without_list = replace(row, notes=(_("in place of a list: “{remark}”", remark=remark),) if remark else ())
    may_be_list = has_count(text) and not says_no_list(text)
    try:
        deck = read_deck(format, text, row.submission.place)
    except UserError as error:
        is_remark = isinstance(error, NoCardReadError) and (not may_be_list or _names_nobody(row.submission))
        if is_remark or says_no_list(text):
            return without_list
        raise
    has_card = any(entry.cards for entry in deck.entries)
    if not (has_card or may_be_list) or not (deck.entries or deck.diagnostics):
        return without_list
    deck = replace(deck, header={key: deck.header[key] for key in deck.header if key not in _OF_A_LIST})
    report = check(deck, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
    listed = list_of(deck)
    return replace(
        row,
        state=report.verdict.value,
        report=report,
        mark=None if listed is None else listed.fingerprint(report.game),
        notes=tuple(_ineffective_notes(deck, format.format)),
    )


def is_note(row: Row) -> bool:
    """Whether a file names neither a player nor a card: it is a picture, or a note of the organiser's."""
    if row.problems or not _names_nobody(row.submission):
        return False
    return row.report is None or not any(entry.cards for entry in row.report.deck.entries)


def _names_nobody(submission: Submission) -> bool:
    """Whether a file says of no player that it is theirs."""
    return submission.is_file and not submission.player.filled and not submission.submitted_as


def _ineffective_notes(deck: Deck, rules: Format) -> Iterator[Words]:
    """Notes on parts of a list without effect: text that counts no card, and at an event another format, directives."""
    for item in deck.diagnostics:
        if item.id in UNCOUNTED:
            yield _("line {line}: {message}", line=item.line, message=item.message)
    named = deck.header.get("format", "").strip()
    if named and folded(named) not in folded_names(rules.id, rules.name, rules.aliases):
        yield _("the list says it is for {other}; it was judged as {name}", other=named, name=rules.name)
    if deck.directives:
        yield _("the list ignores findings; at an event that has no effect")


# All together


def build_roster(session: EventSession, log: Log | None = None) -> Roster:
    """The roster of all submissions, checked by the event's rules, with what its log says. Raises UserError.

    `log` is the event's, if it is read already.
    """
    event = session.event
    log = read_log(event) if log is None else log
    receipts = log.receipts
    submissions = read_entries(event, session.format.game_data.game)
    # Errors in the rules must not be reported for each submission.
    rules = session.provenance(event.format) if receipts else None
    session.format.prepared(event.as_of, event.best_of)
    catalog = FewSuggestions(session.format.game_data.catalog, MOST_IN_EVENT)
    format = session.format.with_catalog(catalog)
    judged = [check_submission(submission, event, format) for submission in submissions]
    passed_over = [safe(row.submission.place) for row in judged if is_note(row)]
    rows = _with_players([row for row in judged if not is_note(row)], event, log)
    notes: list[Words] = []
    untimed = [row.id for row in rows if row.late is None]
    if untimed and event.deadline is not None:
        note = _(
            "the deadline is {when}, but the submission time is unknown for {number:,} of the lists ({named})",
            when=event.local_time(event.deadline),
            number=len(untimed),
            named=shortened(untimed, _MOST_UNTIMED),
        )
        notes.append(note)
    if passed_over:
        names = shortened(passed_over, _MOST_PASSED_OVER)
        files = n_(
            "{n} file is no list: {named}", "{n} files are no lists: {named}", len(passed_over), named=names
        )
        # A list may be in a file with another ending.
        endings = dict.fromkeys(filter(None, (why_no_list(path, is_file=False) for path in passed_over)))
        notes.append(_("{note} ({why})", note=files, why=series(endings)) if endings else files)
    earlier = sum(receipt.rules != rules for receipt in receipts.values())
    if earlier:
        note = n_(
            "{n:,} list was accepted under an earlier version of the rules; run deckcheck event audit",
            "{n:,} lists were accepted under an earlier version of the rules; run deckcheck event audit",
            earlier,
        )
        notes.append(note)
    return Roster(event, session.format, tuple(rows), log, tuple(notes))


def _with_players(rows: Sequence[Row], event: Event, log: Log) -> list[Row]:
    """The rows with what counts for each player, followed by rows of players who are gone."""
    receipts, withdrawals = log.receipts, log.withdrawals
    done = {row.id: row for row in rows}
    fingerprints = {row.id: row.mark for row in rows}
    gone: dict[int, Row] = {}
    for person in who_is_who([row.submission for row in rows], fingerprints, log):
        number, ids = person.last, person.submissions[: MOST_NAMED + 1]
        receipt = receipts.get(number or 0)
        mine = [
            replace(
                done[id],
                group=person.number,
                others=tuple(other for other in ids if other != id)[:MOST_NAMED],
                accepted=None if receipt is None else number,
                withdrawn=number if number in withdrawals else None,
            )
            for id in person.submissions
        ]
        if number is not None and receipt is not None and not mine:
            # Accepted, but no longer among the entries.
            submission = Submission(receipt.place, receipt.player, None, id=receipt.submission or "")
            gone[number] = Row(submission, "gone", group=person.number, accepted=number)
        elif number not in withdrawals:
            mine.sort(key=lambda row: row.submission.timestamp)
            mine = _with_counting(mine, receipt, person.rivals, event)
        done |= {row.id: row for row in mine}
    return [*done.values(), *(gone[number] for number in sorted(gone))]


# Which of a player's lists counts; rows are those of one player, the oldest first


def _with_counting(
    rows: Sequence[Row], receipt: Receipt | None, rivals: tuple[str, ...], event: Event
) -> list[Row]:
    """The rows, one of which counts unless that is unclear; `rivals` are those of others who may have sent them."""
    accepted = [row for row in rows if receipt is not None and row.mark == receipt.fingerprint]
    if receipt is not None and accepted:
        exact = [row for row in accepted if row.id == receipt.submission]
        frozen = replace((exact or accepted)[-1], is_frozen=True)
        after = {row.id for row in rows if _differs(row, frozen) and _is_after(row, frozen, receipt)}
        return _settled(rows, frozen, after, event)
    if rivals:
        return [replace(row, conflict="player", rivals=rivals) for row in rows]
    winner, *others = _candidates(rows)
    if any(_content(other) != _content(winner) for other in others):
        ids = {row.id for row in (winner, *others)}
        rivals = tuple(row.id for row in rows if row.id in ids)[:MOST_NAMED]
        return [replace(row, conflict="lists", rivals=rivals) for row in rows]
    after = {row.id for row in rows if row.late and not winner.late and _differs(row, winner)}
    return _settled(rows, winner, after, event)


def _candidates(rows: Sequence[Row]) -> list[Row]:
    """The last list on time, and then the others of which it isn't certain that they are not.

    Whoever knows a player's name and id can submit under them, but only the player has the private link to correct a list.
    """
    last_by_link = {row.submission.link: row.id for row in rows if row.submission.link}
    lists = [row for row in rows if row.state != "missing"] or rows
    in_time = [row for row in lists if not row.late] or lists
    winner = in_time[-1]
    possible = in_time if any(row.late is False for row in in_time) else lists
    last = max(row.submission.timestamp for row in possible)
    candidates = [winner]
    for row in possible:
        is_last = last_by_link.get(row.submission.link, row.id) == row.id
        if row.submission.submitted is None or (is_last and row.submission.timestamp == last):
            candidates.append(row)
    by_links = [row for row in lists if row.id in last_by_link.values()]
    if len(by_links) > 1:
        candidates += by_links
    for row in rows:
        when = row.submission.submitted
        is_before = when is not None and when.timestamp() < winner.submission.timestamp
        if winner.state != "missing" and bool(remark_of(row)) and not is_before:
            candidates.append(row)
    return candidates


def _settled(rows: Sequence[Row], winner: Row, after: set[str], event: Event) -> list[Row]:
    """The rows, of which the winner counts; `after` are the ids of other lists that came too late."""
    done = []
    for row in rows:
        if row.id == winner.id:
            changed = "deadline" if any(other.late for other in rows if other.id in after) else None
            done.append(replace(_with_earlier_fields(winner, rows, event), changed=changed))
        else:
            changed = "acceptance" if row.id in after and not row.late else None
            done.append(replace(row, instead=winner.id, changed=changed))
    return done


def _is_after(row: Row, frozen: Row, receipt: Receipt) -> bool:
    """Whether a submission came after another one was accepted. A judge knew those that had come until then."""
    when, accepted_one = row.submission.submitted, frozen.submission.submitted
    if receipt.by is not None:
        return when is not None and when > receipt.at
    return when is None or accepted_one is None or when > accepted_one


def remark_of(row: Row) -> str:
    """What a player without a list wrote in place of one, such as that they withdraw; "" for nothing."""
    written = written_in(row.submission.text or "") if row.state == "missing" else []
    return cut(safe(" ".join(" ".join(written).split())), 80)


def _differs(row: Row, winner: Row) -> bool:
    """Whether a submission is another list, or a remark in place of one."""
    return _content(row) != _content(winner) and (row.state != "missing" or bool(remark_of(row)))


def _content(row: Row) -> str:
    """What tells a row's list from others; rows without a certain list are compared by their text."""
    return row.mark or f"text {row.id if row.problems else row.submission.text}"


def _with_earlier_fields(row: Row, rows: Sequence[Row], event: Event) -> Row:
    """The row with empty required fields filled from the player's earlier submissions, the latest first."""
    given: dict[str, Submission] = {}
    for other in rows:
        if other.id == row.id:
            break
        given |= {field: other.submission for field, value in other.player.filled.items() if value.strip()}
    filled = {field: given[field].player.filled[field] for field in row.lacking if field in given}
    notes = tuple(
        _(
            "{name}: left empty here, taken from the earlier submission {id}",
            name=event.field_name(field),
            id=given[field].id,
        )
        for field in filled
    )
    return replace(
        row,
        submission=replace(row.submission, player=row.player.with_fields(filled)),
        lacking=tuple(field for field in row.lacking if field not in filled),
        notes=(*row.notes, *notes),
    )
