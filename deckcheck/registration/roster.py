"""The roster of an event: its submissions read and checked, whose they are, and which of a player's lists counts.

The same id means the same player, unless it is given with different names: then somebody may have typed another
player's id. Players with only a name are one person, the same as the holder of an id with that name if there is
exactly one. Whether names that differ in case or punctuation are one player is unclear.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.cards.names import MOST_IN_EVENT, SuggestionCache
from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.read import NoCardReadError
from deckcheck.formats.lookup import known_formats
from deckcheck.model.deck import Deck
from deckcheck.model.finding import UNCOUNTED, Report, Verdict, list_of
from deckcheck.model.game import Game
from deckcheck.registration.event import Event, EventSession, Form
from deckcheck.registration.forms import read_form
from deckcheck.registration.log import NO_LOG, Log, Receipt, Withdrawal
from deckcheck.registration.private_links import Links
from deckcheck.registration.submissions import (
    ID_LENGTH,
    Entries,
    Player,
    Submission,
    id_key,
    name_key,
    read_folder,
    registration_words,
    spelling_key,
    with_ids,
)
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import is_folder
from deckcheck.support.messages import Localized, Value, Words, _, n_, series
from deckcheck.support.safe_text import cut, safe

_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

_BLANK = "\ufeff \t\r\n　"
_LONGEST_REMARK = 400


LARGEST_TOGETHER = 256 * 1024 * 1024
"""The largest size of all lists of an event, in characters."""

_MOST_NAMED = 10
_MOST_CANDIDATES = 20


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

MOST_NAMED = 100
"""The most other submissions that a row names, so that memory stays linear in the number of submissions."""


class Row(Struct, frozen=True):
    """A submission with its results; the state "gone" is for accepted players who are no longer among the entries.

    `problems` make the list unreadable. `mark` is the list's fingerprint, also with unknown names; None without a
    certain list. `late` is None if there is a deadline and no known time. `lacking` are required fields without a
    value. `notes` have no effect. Rows of one player share a `group`, and `others` are the ids of the player's other
    submissions. One of them `counts`, and the others have its id as `instead`. Where a `conflict` makes it unclear which of
    the player's "lists" counts, or of which "player" a list is, none does; `rivals` are the ids of the submissions that
    it is with.

    `accepted` is the number of the player's receipt, and `is_frozen` says that it is for this list. `changed`: another
    list came after the "deadline", or this one came after the "acceptance" of another one. `withdrawn` is the number
    of the entry that withdrew the player.
    """

    submission: Submission
    state: State
    group: int = 0
    report: Report | None = None
    mark: str | None = None
    problems: tuple[Problem, ...] = ()
    late: bool | None = False
    lacking: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    counts: bool = True
    conflict: Literal["lists", "player"] | None = None
    rivals: tuple[str, ...] = ()
    accepted: int | None = None
    is_frozen: bool = False
    changed: Literal["deadline", "acceptance"] | None = None
    instead: str | None = None
    notes: tuple[Words, ...] = ()
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
    def is_unclear(self) -> bool:
        """Whether it is unclear whose list this is, or which of the player's lists counts."""
        is_open = self.instead is None and self.withdrawn is None and not self.is_frozen
        return self.conflict is not None and is_open

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
            if row.counts or (row.is_unclear and row.group not in by_group):
                by_group[row.group] = row
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


def is_meant(who: str, id: str | None, player: Player) -> bool:
    """Whether `who` is the submission's id, also a longer one's usual length, the player's id, or the name in any spelling."""
    typed, key, name = who.strip().lower(), id_key(who), spelling_key(who)
    if id and (id == typed or (len(typed) >= ID_LENGTH and id.startswith(typed))):
        return True
    return bool(key and id_key(player.id) == key) or bool(name and spelling_key(player.name) == name)


def ambiguous(
    who: str, meant: Iterable[tuple[str | None, int | None, Player]], hint: Words | None = None
) -> UserError:
    """The UserError for several that may be meant: the ids of submissions, or else the receipts, and the players."""
    candidates: list[Value] = []
    for id, number, player in meant:
        name = " ".join(part for part in (player.name, player.id) if part)
        place: Value = id or _("receipt {accepted}", accepted=number)
        candidates.append(_("{id} ({name})", id=place, name=safe(name)) if name else place)
    names = named(candidates, _MOST_CANDIDATES)
    return user_error(_("{who!r} may mean several: {named}", who=who, named=names), hint=hint)


def named(ids: Sequence[Value], most: int) -> Words:
    """Submissions in words, at most `most` of them."""
    names, more = series(ids[:most]), len(ids) - most
    return n_("{ids} and {n:,} more", "{ids} and {n:,} more", more, ids=names) if more > 0 else names


# Reading


def read_entries(event: Event, game: Game) -> Entries:
    """All submissions to an event, with their ids. Raises UserError, without names, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    entries = Entries([], [])
    problems: list[Problem] = []
    for source in event.sources:
        path = source.path
        # The path as written in the event's file.
        path_shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        path_shown = path_shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                content = Entries(read_form(source, path_shown, game, zone), [])
            elif is_folder(path):
                content = read_folder(path, path_shown, zone, event.own_files, tuple(event.fields))
            else:
                raise UserError([source.entry.problem(_("there is no folder {shown!r}", shown=path_shown))])
        except UserError as error:
            problems += placed_at(error, path_shown).problems
            continue
        entries.submissions.extend(content.submissions)
        entries.passed_over.extend(content.passed_over)
        if sum(len(one.text or "") for one in entries.submissions) > LARGEST_TOGETHER:
            raise user_error(_("all lists together are too large"), path=str(event.path))
    if problems:
        raise UserError(problems)
    return replace(entries, submissions=with_ids(entries.submissions))


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
        row = replace(row, state="unreadable", problems=placed_at(error, submission.place).problems)
    if row.state == "missing" or event.deadline is None:
        return row
    when = submission.submitted
    return replace(row, late=None if when is None else when > event.deadline)


def _with_list(row: Row, session: EventSession, format: LoadedFormat) -> Row:
    """The row of a list. Raises UserError."""
    event, text = session.event, row.submission.text or ""
    remark = cut(safe(" ".join(text.split())), 80)
    without_list = replace(row, notes=(_("in place of a list: “{remark}”", remark=remark),))
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
    listed = list_of(deck)
    return replace(
        row,
        state=report.verdict.value,
        report=report,
        mark=None if listed is None else listed.fingerprint(report.game),
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
    """Notes on parts of a list without effect: text that counts no card, and at an event another format, directives."""
    for item in deck.diagnostics:
        if item.id in UNCOUNTED:
            yield _("line {line}: {message}", line=item.line, message=item.message)
    rules, written = session.format.format, deck.header.get("format", "")
    named = unicodedata.normalize("NFKC", written).strip().casefold()
    own = (rules.id, rules.name.in_("ja"), rules.name.in_("en"), *rules.aliases)
    if named and named not in {name.casefold() for name in own}:
        entries = known_formats(session.event.folders)
        others = {entry.id: entry for entry in entries if named in entry.names}
        # An ambiguous name isn't reported.
        if len(others) == 1 and rules.id not in others:
            [entry] = others.values()
            other = Localized(entry.ja, entry.en)
            yield _("the list says it is for {other}; it was judged as {name}", other=other, name=rules.name)
    if deck.directives:
        yield _("the list ignores findings; at an event that has no effect")


# All together


def build_roster(session: EventSession, log: Log = NO_LOG) -> Roster:
    """The roster of all submissions, checked by the event's rules, with what the log says. Raises UserError."""
    event = session.event
    entries = read_entries(event, session.format.game_data.game)
    receipts = log.receipts
    # Errors in the rules must not be reported for each submission.
    rules = session.rules.provenance if receipts else None
    session.format.prepared(event.as_of, event.best_of)
    catalog = SuggestionCache(session.format.game_data.catalog, MOST_IN_EVENT)
    format = session.format.with_catalog(catalog)
    judged = [check_submission(submission, session, format) for submission in entries.submissions]
    passed_over = entries.passed_over + [row.submission.place for row in judged if is_note(row)]
    rows = with_players([row for row in judged if not is_note(row)], event, log)
    notes: list[Words] = []
    if passed_over:
        names = named([safe(place) for place in passed_over], _MOST_NAMED)
        message = n_(
            "{n} file is no list: {named}", "{n} files are no lists: {named}", len(passed_over), named=names
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


# Who is who


def groups(players: Iterable[Player]) -> list[int]:
    """A number for each player, the same for one person, from 1 in order of appearance.

    A player with neither id nor name is a person of their own.
    """
    keys = [(id_key(player.id), name_key(player.name), spelling_key(player.name)) for player in players]
    holders: dict[str, set[str]] = defaultdict(set)
    spellings: dict[str, set[str]] = defaultdict(set)
    for id, name, spelling in keys:
        if id and name:
            holders[name].add(id)
            spellings[id].add(spelling)
    numbers: dict[tuple[str, str, str | int], int] = {}
    result = []
    for index, (id, name, spelling) in enumerate(keys):
        if not id and len(holders.get(name, ())) == 1:
            [id] = holders[name]
        key: tuple[str, str, str | int] = ("nobody", "", index)
        if id:
            key = ("id", id, spelling if len(spellings[id]) > 1 else "")
        elif name:
            key = ("name", name, "")
        result.append(numbers.setdefault(key, len(numbers) + 1))
    return result


def _by_key(rows: Iterable[Row]) -> Mapping[tuple[str, str], Mapping[int, Sequence[Row]]]:
    """The rows by what their players are known by, and by group."""
    sharing: dict[tuple[str, str], dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for key in _keys(row.player):
            sharing[key][row.group].append(row)
    return sharing


def _rivals(rows: Sequence[Row], gone: Sequence[Row]) -> Mapping[str, tuple[str, ...]]:
    """The rivals of rows by their ids: others have the same id, or the same name where a row has no id."""
    sharing = _by_key((*rows, *gone))
    of_row: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for key in _keys(row.player)[:1]:
            others = (mine for group, mine in sharing[key].items() if group != row.group)
            if len(sharing[key]) > 1:
                rivals = (rival.id for mine in others for rival in mine if rival.state != "gone")
                of_row[row.id] = tuple(islice(rivals, MOST_NAMED))
    return of_row


def _keys(player: Player) -> list[tuple[str, str]]:
    """What a player is known by: the id, if there is one, and the name in any spelling."""
    keys = [("id", id_key(player.id)), ("name", spelling_key(player.name))]
    return [(kind, key) for kind, key in keys if key]


# Players in the log


def with_players(rows: Sequence[Row], event: Event, log: Log) -> list[Row]:
    """The rows with their players' groups and receipts, those that count, and rows of players who are gone."""
    receipts, withdrawals = log.receipts, log.withdrawals
    recorded: dict[int, Receipt | Withdrawal] = {**receipts, **withdrawals}
    chains = Links(event.links).chains()
    corrections = {id: chain[-1] for chain in chains for id in chain[:-1]}
    link_of = {id: chain[0] for chain in chains for id in chain}
    # What players wrote last under their private links says who they are.
    players = {row.id: row.player for row in rows}
    players |= {id: players[last] for id, last in corrections.items() if id in players and last in players}
    own_rows = _own_rows(recorded, rows)
    others = {number: one.player for number, one in recorded.items() if number not in own_rows}
    persons = groups([*players.values(), *others.values()])
    group_of_row = dict(zip(players, persons, strict=False))
    rows = [replace(row, group=group_of_row[row.id]) for row in rows]
    group_of = dict(zip(others, persons[len(players) :], strict=True))
    group_of |= {number: group_of_row[row.id] for number, row in own_rows.items()}
    group_of |= _claimed(receipts, group_of, rows)
    # Later entries win.
    last = {group: number for number, group in sorted(group_of.items())}
    present = set(group_of_row.values())
    gone = [
        _gone_row(number, receipts[number], group)
        for group, number in sorted(last.items(), key=lambda pair: pair[1])
        if number in receipts and group not in present
    ]
    active = [row for row in rows if last.get(row.group) not in withdrawals]
    known = [replace(row, submission=replace(row.submission, player=players[row.id])) for row in active]
    rivals = _rivals(known, gone)
    by_group: dict[int, list[Row]] = defaultdict(list)
    # Of corrections in the same second, the last one wins.
    for row in sorted(rows, key=lambda row: row.id not in corrections):
        if row.id in rivals:
            row = replace(row, conflict="player", rivals=rivals[row.id])
        by_group[row.group].append(row)
    done: dict[str, Row] = {}
    for group, mine in by_group.items():
        ids = [row.id for row in mine[: MOST_NAMED + 1]]
        number = last.get(group)
        mine = [replace(row, others=tuple(id for id in ids if id != row.id)[:MOST_NAMED]) for row in mine]
        if number in withdrawals:
            mine = [replace(row, withdrawn=number, counts=False) for row in mine]
        else:
            several = _several_last([row for row in mine if row.id not in corrections], link_of)
            mine = [replace(row, accepted=number) for row in mine]
            mine = _with_conflict(mine, "lists", several) if several else mine
            mine = _with_precedence(mine, event, receipts)
        done |= {row.id: row for row in mine}
    return [*(done[row.id] for row in rows), *gone]


def _own_rows(recorded: Mapping[int, Receipt | Withdrawal], rows: Sequence[Row]) -> dict[int, Row]:
    """The row of each receipt and withdrawal, by number: its submission, also if only the player was corrected."""
    by_id = {row.id: row for row in rows}
    by_mark: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        by_mark[row.mark].append(row)
    own: dict[int, Row] = {}
    for number, one in recorded.items():
        ids = one.submissions if isinstance(one, Withdrawal) else (one.submission,)
        same = [by_id[id] for id in ids if id in by_id][:1]
        if not same and isinstance(one, Receipt):
            same = [row for row in by_mark.get(one.fingerprint, ()) if _is_corrected(one, row)]
        if len(same) == 1:
            own[number] = same[0]
    return own


def _is_corrected(receipt: Receipt, row: Row) -> bool:
    """Whether a row with an accepted list is the accepted submission, at most with another id or another name."""
    when, before = row.submission.submitted, receipt.player
    if receipt.submitted is None:
        is_same = row.submission.place == receipt.place
    else:
        is_same = when is not None and when.isoformat() == receipt.submitted
    shared = set(_keys(before)) & set(_keys(row.player))
    return is_same and (bool(shared) or before.id is None or row.player.id is None)


def _claimed(
    receipts: Mapping[int, Receipt], group_of: Mapping[int, int], rows: Sequence[Row]
) -> dict[int, int]:
    """The groups of players who alone have the id or name of an accepted one who is gone, by the receipt's number."""
    present, taken = {row.group for row in rows}, set(group_of.values())
    sharing = _by_key(rows)
    claims = {
        number: {group for key in _keys(receipt.player) for group in sharing.get(key, ())} - taken
        for number, receipt in receipts.items()
        if group_of[number] not in present
    }
    claimants = Counter(group for claim in claims.values() for group in claim)
    return {
        number: min(claim)
        for number, claim in claims.items()
        if len(claim) == 1 and claimants[min(claim)] == 1
    }


def _gone_row(number: int, receipt: Receipt, group: int) -> Row:
    """The row of an accepted player who is no longer among the entries."""
    submission = Submission(receipt.place, receipt.player, None, id=receipt.submission or "")
    return Row(submission, "gone", group, accepted=number)


# Precedence: which of a player's submissions counts


def _with_precedence(rows: Sequence[Row], event: Event, receipts: Mapping[int, Receipt]) -> list[Row]:
    """The rows of one player, and whether each counts.

    An accepted list counts if it is among them. Else the last list on time counts, or the last if all are late. It is
    unclear if a time is missing, unless all lists are the same, and if the player then says that there is no list. Empty
    required fields are taken from earlier submissions.
    """
    receipt = receipts.get(rows[0].accepted or 0)
    same = [row for row in rows if receipt is not None and row.mark == receipt.fingerprint]
    if receipt is not None and same:
        exact = [row for row in same if row.id == receipt.submission]
        frozen = (exact or same)[-1]
        others = [row for row in rows if row.mark != frozen.mark and (row.state != "missing" or row.notes)]
        after = [row for row in others if _is_after(row, frozen, receipt)]
        return _settled(rows, replace(frozen, is_frozen=True), after, event)
    lists = [row for row in rows if row.state != "missing"] or rows
    unclear = next((row for row in rows if row.conflict is not None), None)
    in_time = [row for row in lists if not row.late] or lists
    winner = sorted(in_time, key=_when)[-1]
    if len(lists) > 1 and any(row.submission.submitted is None for row in lists):
        winner = in_time[-1]
        if unclear is None and len({_mark_or_text(row) for row in lists}) > 1:
            unclear = replace(winner, conflict="lists", rivals=tuple(row.id for row in lists))
    says_no_list = [row for row in rows if row.state == "missing" and row.notes]
    if unclear is None and any(_when(row) >= _when(winner) for row in says_no_list if row is not winner):
        rivals = tuple(row.id for row in (winner, *says_no_list))
        unclear = replace(winner, conflict="lists", rivals=rivals)
    if unclear is not None:
        rows = _with_conflict(rows, unclear.conflict, unclear.rivals)
        return [replace(row, counts=False) for row in rows]
    late = [row for row in lists if row.late and not winner.late]
    return _settled(rows, winner, [row for row in late if _mark_or_text(row) != _mark_or_text(winner)], event)


def _several_last(rows: Sequence[Row], link_of: Mapping[str, str]) -> tuple[str, ...]:
    """The ids of different lists of a player that came at once, or by several private links; () if there are none.

    Whoever knows a player's name and id can submit under them, but only the player has the link to correct a list.
    """
    lists = [row for row in rows if row.state != "missing"]
    by_link = [row for row in lists if row.id in link_of]
    last = max(map(_when, lists), default=-1.0)
    at_once = [row for row in lists if _when(row) == last >= 0]
    for rivals, sources in ((at_once, len(at_once)), (by_link, len({link_of[row.id] for row in by_link}))):
        if sources > 1 and len(set(map(_mark_or_text, rivals))) > 1:
            return tuple(row.id for row in rivals[:MOST_NAMED])
    return ()


def _with_conflict(
    rows: Iterable[Row], conflict: Literal["lists", "player"] | None, rivals: tuple[str, ...]
) -> list[Row]:
    """The rows, of which those without a conflict have this one."""
    return [row if row.conflict else replace(row, conflict=conflict, rivals=rivals) for row in rows]


def _settled(rows: Sequence[Row], winner: Row, after: Sequence[Row], event: Event) -> list[Row]:
    """The rows of one player, of which the winner counts; `after` are other lists that came too late."""
    done = []
    for row in rows:
        if row.id == winner.id:
            changed = "deadline" if any(other.late for other in after) else None
            done.append(replace(_with_earlier_fields(winner, rows, event), changed=changed))
        else:
            changed = "acceptance" if winner.is_frozen and row in after and not row.late else None
            done.append(replace(row, counts=False, instead=winner.id, changed=changed))
    return done


def _is_after(row: Row, frozen: Row, receipt: Receipt) -> bool:
    """Whether a submission came after another one was accepted. A judge knew those that had come until then."""
    when, accepted_one = row.submission.submitted, frozen.submission.submitted
    if receipt.by is not None:
        return when is not None and when > receipt.at
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
    in_order = sorted(rows, key=_when)
    before = [other.id for other in in_order].index(row.id)
    given: dict[str, Submission] = {}
    # The latest one that gives a field counts.
    for other in in_order[:before]:
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
