"""An event opened for work: what came in is read, judged, and set beside what was accepted."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from deckcheck.checking.judge import LoadedFormat, SuggestionCache, check, load_format, read_deck
from deckcheck.formats.lookup import known_formats
from deckcheck.model.deck import Deck
from deckcheck.model.game import Game
from deckcheck.registration.commitments import Provenance, Seal, provenance, seal_from_file
from deckcheck.registration.eventfile import Event, Form, is_folder, read_event
from deckcheck.registration.forms import placed_in, read_form
from deckcheck.registration.log import Receipt
from deckcheck.registration.roster import (
    Roster,
    Row,
    gone,
    groups,
    receipts_of,
    with_others,
    with_precedence,
    with_receipt,
)
from deckcheck.registration.submissions import Submission, read_folder
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.messages import Localized, Words, _, n_
from deckcheck.support.strictjson import parse_object

MOST_SUGGESTED = 1000
"""Unknown names of an event for which names like them are looked for; it takes some milliseconds for each."""

LARGEST_WHOLE = 256 * 1024 * 1024
"""Of all lists together, in characters."""

_LONGEST_SEAL = 64 * 1024
_OF_A_LIST = ("as-of", "date", "best-of")
"""Keys of a list's header that an event overrides."""

_BLANK = "\ufeff \t\r\n　"


class Rules(NamedTuple):
    """A format with the hashes of its content."""

    format: LoadedFormat
    provenance: Provenance


class EventSession:
    """An event and its format, loaded with the event's own cards and folders; formats and entries are read once."""

    def __init__(self, event: Event, format: LoadedFormat) -> None:
        self.event = event
        self.format = format
        self._found: dict[str, Rules | None] = {}

    @classmethod
    def open(cls, path: Path) -> "EventSession":
        """The event that the file at `path` describes. Raises UserError with every mistake in it or in its format."""
        event = read_event(path)
        return cls(event, load_format(event.format, cards=event.cards, folders=event.folders))

    @cached_property
    def rules(self) -> Rules:
        """The event's format with the hashes of its content. Raises UserError."""
        return Rules(self.format, provenance(self.event.format, self.event.folders))

    def find_rules(self, reference: str) -> Rules | None:
        """The format with that id and the event's cards and folders, if there is one. Raises UserError for a broken one."""
        event = self.event
        if reference in (self.format.format.id, event.format):
            return self.rules
        if reference not in self._found:
            games = {self.format.format.game: self.format.game_data}
            found = None
            try:
                format = load_format(reference, cards=event.cards, games=games, folders=event.folders)
                found = Rules(format, provenance(reference, event.folders))
            except UserError as error:
                if any(problem.path is not None for problem in error.problems):
                    raise
            self._found[reference] = found
        return self._found[reference]

    @cached_property
    def submissions(self) -> Sequence[Submission]:
        """All that has come in. Raises UserError where entries can't be read."""
        return read_submissions(self.event, self.format.game_data.game)

    def roster(self, accepted: Mapping[int, Receipt] = {}) -> Roster:
        """All that has come in, judged by the event's rules, beside the receipts in force. Raises UserError."""
        event, submissions = self.event, self.submissions
        rules = self.rules.provenance if event.sealed or accepted else None
        self.format.prepared(event.as_of, event.best_of)
        catalog = SuggestionCache(self.format.game_data.catalog, MOST_SUGGESTED)
        format = self.format.with_catalog(catalog)
        persons = groups(
            [*(each.player for each in submissions), *(each.player for each in accepted.values())]
        )
        of_players: dict[int, list[Row]] = {}
        for submission, group in zip(submissions, persons, strict=False):
            of_players.setdefault(group, []).append(self._row(submission, group, format))
        judged = (row for rows in of_players.values() for row in rows)
        receipts = receipts_of(accepted, persons[len(submissions) :], judged)
        rows = [
            with_receipt(row, receipts)
            for mine in of_players.values()
            for row in with_precedence(event, mine)
        ]
        rows.sort(key=lambda row: row.submission.number)
        notes: list[Words] = []
        earlier = sum(receipt.rules != rules for _number, receipt in receipts.values())
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
                most_suggested=MOST_SUGGESTED,
            )
            notes.append(note)
        rows = list(with_others([*rows, *gone(receipts, rows)], receipts))
        return Roster(event, self.format, tuple(rows), tuple(notes), accepted)

    def _row(self, submission: Submission, group: int, format: LoadedFormat) -> Row:
        """The row of one submission, before anything is known of others."""
        event, given = self.event, submission.player.given
        lacking = tuple(field for field in event.required if not given.get(field, "").strip())
        row = Row(submission, "missing", group, lacking=lacking)
        text = (submission.text or "").strip(_BLANK)
        try:
            if submission.problem is not None:
                raise user_error(submission.problem)
            if text:
                data = _sealed_object(text, submission.place)
                row = self._listed(row, format) if data is None else self._sealed(row, data)
        except UserError as error:
            row = row._replace(state="unreadable", problems=placed_at(error, submission.place).problems)
        if row.state == "missing" or event.deadline is None:
            return row
        when = submission.submitted
        return row._replace(late=None if when is None else when > event.deadline)

    def _listed(self, row: Row, format: LoadedFormat) -> Row:
        if self.event.sealed:
            # Nothing of a secret list may get into the organiser's tables, not even what is wrong with it.
            hint = _("deckcheck seal makes a seal")
            raise user_error(_("lists are handed in sealed at this event"), hint=hint)
        deck = read_deck(format, row.submission.text or "", row.submission.place)
        if not deck.entries and not deck.diagnostics:
            return row
        header = {key: value for key, value in deck.header.items() if key not in _OF_A_LIST}
        deck = deck._replace(header=header)
        as_of, best_of = self.event.as_of, self.event.best_of
        report = check(deck, format, as_of=as_of, best_of=best_of, suppressions=False)
        return row._replace(state=report.verdict, report=report, notes=tuple(self._notes(deck)))

    def _notes(self, deck: Deck) -> Iterator[Words]:
        rules, named = self.format.format, _folded(deck.header.get("format", ""))
        own = _names(rules.id, rules.name, rules.aliases)
        # Where a name may mean several other formats, nothing is said.
        others = {} if not named or named in own else self._named_formats.get(named, {})
        if len(others) == 1 and rules.id not in others:
            [other] = others.values()
            yield _("the list says it is for {other}; it was judged as {name}", other=other, name=rules.name)
        if deck.directives:
            yield _("the list ignores findings; at an event that has no effect")

    @cached_property
    def _named_formats(self) -> Mapping[str, Mapping[str, Words]]:
        """By what a list may call them, the formats of that name by their ids."""
        found: dict[str, dict[str, Words]] = {}
        for format in known_formats(self.event.folders):
            words = Localized(format.ja, format.en)
            for name in _names(format.id, words, format.aliases):
                found.setdefault(name, {})[format.id] = words
        return found

    def _sealed(self, row: Row, data: Mapping[str, object]) -> Row:
        place = row.submission.place
        if not self.event.sealed:
            raise user_error(_("this is a sealed list, but the event asks for the list itself"))
        if "opening" in data:
            raise user_error(
                _("this opens a seal; only the seal is handed in, and what opens it stays with the player")
            )
        seal = seal_from_file(data, place)
        hint = _("seal it again by the event's file: deckcheck seal DECK --event EVENT")
        problems = tuple(Problem(message, place, hint=hint) for message in self._unfit(seal))
        return row._replace(state="unreadable" if problems else seal.verdict, seal=seal, problems=problems)

    def _unfit(self, seal: Seal) -> Iterator[Words]:
        """Why the verdict of a seal says nothing for this event."""
        event, format, rules = self.event, self.format.format, self.rules.provenance
        another = (seal.game, seal.format.id) != (format.game, format.id)
        if another:
            yield _(
                "it was sealed for another format ({format}); this event plays {id}",
                format=seal.format.id,
                id=format.id,
            )
        if seal.as_of != event.as_of:
            yield _(
                "it was sealed by the rules of {day}; this event uses those of {event_as_of}",
                day=seal.as_of,
                event_as_of=event.as_of,
            )
        elif not another:
            if seal.format.sha256 != rules.format.sha256:
                yield _("it was sealed by another version of the format than this event's")
            if seal.banlists != rules.banlists:
                yield _("it was sealed by other versions of the banlists than this event's")


def read_submissions(event: Event, game: Game) -> list[Submission]:
    """Every submission, numbered over all sources. Raises UserError, naming no player, for an unusable source."""
    zone = ZoneInfo(event.time_zone)
    home = event.path.parent
    forms = [source.path for source in event.sources if isinstance(source, Form)]
    own = frozenset(str(path.absolute()) for path in (event.path, event.log, *event.cards, *forms))
    found: list[Submission] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        path, placed = source.path, placed_in(event, at)
        # As the event's file names it.
        shown = (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()
        shown = shown.encode("utf-8", "backslashreplace").decode()
        try:
            if isinstance(source, Form):
                submissions = read_form(source, shown, game, zone, placed)
            elif is_folder(path):
                submissions = read_folder(path, shown, zone, own)
            else:
                raise UserError([placed((), _("there is no folder {shown!r}", shown=shown), None)])
            for submission in submissions:
                size += len(submission.text or "")
                if size > LARGEST_WHOLE:
                    raise user_error(_("all lists together are too large"), path=str(event.path))
                found.append(submission._replace(number=len(found) + 1))
        except UserError as error:
            if size > LARGEST_WHOLE:
                raise
            problems += error.problems
    if problems:
        raise UserError(problems)
    return found


def _sealed_object(text: str, place: str) -> Mapping[str, object] | None:
    """The JSON object of a seal, or of what opens one; None for any other text. Raises UserError."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parse_object(text, place) if isinstance(data, dict) and "seal" in data else None


def _names(id: str, name: Words, aliases: Sequence[str]) -> set[str]:
    words = (id, id.rpartition("/")[2], name.in_("ja"), name.in_("en"), *aliases)
    return {_folded(word) for word in words if word}


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
