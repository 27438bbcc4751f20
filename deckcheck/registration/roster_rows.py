"""A submission with its results: checked on its own by the event's rules, and how it stands to the others."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.checking.judge import LoadedFormat, check, read_deck
from deckcheck.decklists.read import NoCardReadError
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report, Verdict
from deckcheck.registration.event import EventSession
from deckcheck.registration.receipts import list_of
from deckcheck.registration.submissions import Submission
from deckcheck.report.wording import VERDICTS
from deckcheck.support.documents import load_yaml
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Localized, Words, _
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

_OF_A_LIST = ("as-of", "date", "best-of")
"""The header keys that an event overrides."""

_BLANK = "\ufeff \t\r\n　"
_LONGEST_REMARK = 400


class Conflict(NamedTuple):
    """Why it is unclear whose list a submission is, or which of the player's "lists" counts.

    "id": the same id with another name; "namesake": several players have this name, and this one gave no id;
    "spelling": the same name without an id is spelled in other ways. `rivals` are the other submissions' ids.
    """

    kind: Literal["lists", "id", "namesake", "spelling"]
    rivals: tuple[str, ...]


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


def id_of(row: Row) -> str:
    """What tells a row from others, also one that has no submission any more."""
    return row.id or f"receipt {row.accepted}"


# Checking


def check_submission(submission: Submission, session: EventSession, format: LoadedFormat) -> Row:
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
