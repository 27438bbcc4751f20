"""An event opened for work: what came in is read, judged, and set beside what was accepted."""

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from deckcheck.checking.judge import GameData, LoadedFormat, SuggestionCache, check, load_format, read_deck
from deckcheck.formats.lookup import known_formats
from deckcheck.model.deck import Deck
from deckcheck.model.format import Format
from deckcheck.model.game import Game
from deckcheck.registration.eventfile import read_event
from deckcheck.registration.forms import placed_in, read_form, shown_path
from deckcheck.registration.log import Log, accepted_in
from deckcheck.registration.model import (
    Accepted,
    Event,
    Folder,
    Player,
    Roster,
    Row,
    Seal,
    Sheet,
    Submission,
)
from deckcheck.registration.precedence import (
    by_earlier_rules,
    gone,
    groups,
    is_late,
    lacking,
    last_of_each,
    recognised,
    with_others,
    with_precedence,
    with_receipt,
)
from deckcheck.registration.provenance import Provenance, provenance
from deckcheck.registration.seals import banlists_of, parse_seal
from deckcheck.registration.submissions import PlacedProblem, read_folder
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Localized, Words, _

MOST_SUGGESTED = 1000
"""Unknown names of an event for which names like them are looked for; it takes some milliseconds for each."""

LARGEST_WHOLE = 256 * 1024 * 1024
"""Of all lists together, in characters."""

_LONGEST_SEAL = 64 * 1024
_OF_A_LIST = ("as-of", "date", "best-of")
"""What a list may say of its own check, and what an event says in its stead."""

_BLANK = "\ufeff \t\r\n　"


class Rules(NamedTuple):
    """A format with the hashes of its content."""

    format: LoadedFormat
    provenance: Provenance


class EventSession:
    """An event and its format, loaded with the event's own cards and folders; each format is loaded once."""

    def __init__(self, event: Event, format: LoadedFormat) -> None:
        self.event = event
        self.format = format
        self._found: dict[str, Rules] = {}

    @classmethod
    def open(cls, path: Path) -> "EventSession":
        """The event that the file at `path` describes. Raises UserError with every mistake in it or in its format."""
        event = read_event(path)
        return cls(event, load_format(event.format, cards=event.cards, folders=event.folders))

    @cached_property
    def rules(self) -> Rules:
        """The event's format with the hashes of its content. Raises UserError."""
        return Rules(self.format, provenance(self.event.format, self.event.folders))

    def find_rules(self, reference: str) -> Rules:
        """The format with that id, loaded with the event's cards and folders.

        Raises UserError for a format that is not there or can't be used.
        """
        event = self.event
        if reference in (self.format.format.id, event.format):
            return self.rules
        if reference not in self._found:
            games: dict[str, GameData] = {self.format.format.game: self.format.game_data}
            format = load_format(reference, cards=event.cards, games=games, folders=event.folders)
            self._found[reference] = Rules(format, provenance(reference, event.folders))
        return self._found[reference]

    @cached_property
    def submissions(self) -> Sequence[Submission]:
        """All that has come in. Raises UserError where entries can't be read."""
        return read_submissions(self.event, self.format.game_data.game)

    def roster(self, log: Log, *, judged: bool = True) -> Roster:
        """All that has come in, judged, beside what the log says was accepted.

        With `judged` False it only tells who the players are. Raises UserError where entries can't be read.
        """
        submissions = self.submissions if judged else [one._replace(text=None) for one in self.submissions]
        accepted = accepted_in(log)
        rules = self.rules.provenance if self.event.sealed or accepted else None
        return judge_event(self.event, submissions, self.format, accepted, rules)


def read_submissions(event: Event, game: Game) -> list[Submission]:
    """Every submission, numbered from 1 over all sources in their order.

    A list that can't be read is there with its problem. Raises UserError, in
    which no player's name stands, where a whole source can't be used.
    """
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(event.time_zone)
    found: list[Submission] = []
    problems: list[Problem] = []
    size = 0
    for at, source in enumerate(event.sources):
        placed = placed_in(event, at)
        shown = shown_path(source.path, event)
        try:
            read = (
                _of_folder(event, source, shown, zone, placed)
                if isinstance(source, Folder)
                else read_form(source, shown, game, zone, placed)
            )
            for submission in read:
                size += len(submission.text or "")
                if size > LARGEST_WHOLE:
                    break
                found.append(submission._replace(number=len(found) + 1))
        except UserError as error:
            problems += error.problems
        if size > LARGEST_WHOLE:
            raise user_error(_("all lists together are too large"), path=str(event.path))
    if problems:
        raise UserError(problems)
    return found


def _of_folder(
    event: Event, source: Folder, shown: str, zone: tzinfo, placed: PlacedProblem
) -> Iterable[Submission]:
    if not os.path.isdir(source.path):  # noqa: PTH112 - says no where a name can't be one
        raise UserError([placed((), _("there is no folder {shown!r}", shown=shown), None)])
    forms = [one.path for one in event.sources if isinstance(one, Sheet)]
    own = frozenset(str(path.absolute()) for path in (event.path, event.log, *event.cards, *forms))
    return read_folder(source.path, shown, zone, own)


def judge_event(
    event: Event,
    submissions: Sequence[Submission],
    format: LoadedFormat,
    accepted: Sequence[Accepted] = (),
    rules: Provenance | None = None,
) -> Roster:
    """What was found out about each submission, and which one stands for its player.

    `format` is the event's, and `rules` its content in hashes, which a sealed
    event must have. What a list says of format, day and games of a
    match never wins over the event, and what it asks to ignore is told all the
    same. Raises UserError for a format that can't be played.
    """
    format.prepared(event.as_of, event.best_of)
    catalog = SuggestionCache(format.game_data.catalog, MOST_SUGGESTED)
    judge = _Judge(event, format.with_catalog(catalog), rules)
    players: list[Player] = [one.player for one in submissions] + [one.player for one in accepted]
    numbers = groups(players)
    of_submissions, of_receipts = numbers[: len(submissions)], numbers[len(submissions) :]
    of_players: dict[int, list[Row]] = {}
    for submission, group in zip(submissions, of_submissions, strict=True):
        of_players.setdefault(group, []).append(judge.row(submission, group))
    judged = (row for rows in of_players.values() for row in rows)
    standing = recognised(last_of_each(accepted, of_receipts), judged)
    rows = [
        with_receipt(row, standing.get(group))
        for group, mine in of_players.items()
        for row in with_precedence(event, mine)
    ]
    rows.sort(key=lambda row: row.submission.number)
    last = max((submission.number for submission in submissions), default=0)
    rows = with_others([*rows, *gone(standing, rows, last)], standing)
    notes = [by_earlier_rules(standing, rules), _not_suggested() if catalog.exhausted else None]
    return Roster(event, format, tuple(rows), tuple(note for note in notes if note is not None))


def _not_suggested() -> Words:
    return _(
        "so many names are not in the card table that only {most_suggested:,} of them got suggestions",
        most_suggested=MOST_SUGGESTED,
    )


class _Judge:
    """Judges each submission of an event; `rules` are the event's."""

    def __init__(self, event: Event, format: LoadedFormat, rules: Provenance | None) -> None:
        self.event = event
        self.format = format
        self.rules = rules

    def row(self, submission: Submission, group: int) -> Row:
        """The row of one submission, before anything is known of others."""
        event = self.event
        row = Row(submission, "missing", group, lacking=lacking(event, submission.player))
        if submission.problem is not None:
            row = _unreadable(row, submission.problem)
        elif submission.text is not None and (text := submission.text.strip(_BLANK)):
            try:
                seal = _seal_in(text)
                row = self._listed(row, submission.text) if seal is None else self._sealed(row, text, seal)
            except UserError as error:
                place = submission.place
                problems = (
                    problem if problem.path is not None else problem._replace(path=place)
                    for problem in error.problems
                )
                row = row._replace(state="unreadable", problems=tuple(problems))
        return row if row.state == "missing" else row._replace(late=is_late(event, submission))

    def _listed(self, row: Row, text: str) -> Row:
        event, format = self.event, self.format
        if event.sealed:
            # Of a secret list nothing may get into the organiser's tables, not even what is wrong with it.
            return _unreadable(
                row, _("lists are handed in sealed at this event"), hint=_("deckcheck seal makes a seal")
            )
        deck = read_deck(format, text, row.submission.place)
        if not deck.entries and not deck.diagnostics:
            return row
        header = {key: value for key, value in deck.header.items() if key not in _OF_A_LIST}
        bare = deck._replace(header=header)
        report = check(bare, format, as_of=event.as_of, best_of=event.best_of, suppressions=False)
        return row._replace(state=report.verdict, report=report, notes=tuple(self._notes(deck)))

    def _notes(self, deck: Deck) -> Iterator[Words]:
        named = deck.header.get("format")
        if named is not None:
            own, other = self.format.format.name, self._other_format(_folded(named))
            if other is not None:
                yield _("the list says it is for {other}; it was judged as {name}", other=other, name=own)
        if deck.directives:
            yield _("the list ignores findings; at an event that has no effect")

    def _other_format(self, name: str) -> Words | None:
        """The one other format than the event's that a list calls so; None where it may mean several."""
        rules = self.format.format
        if name in _names(rules.id, rules.name.ja, rules.name.en, rules.aliases):
            return None
        found = self._named_formats.get(name, {})
        return next(iter(found.values())) if len(found) == 1 and rules.id not in found else None

    @cached_property
    def _named_formats(self) -> Mapping[str, Mapping[str, Words]]:
        """By what a list may call them, the formats of that name by their ids."""
        found: dict[str, dict[str, Words]] = {}
        for format in known_formats(self.event.folders):
            for name in _names(format.id, format.ja, format.en, format.aliases):
                found.setdefault(name, {})[format.id] = Localized(format.ja, format.en)
        return found

    def _sealed(self, row: Row, text: str, data: Mapping[str, object]) -> Row:
        if not self.event.sealed:
            return _unreadable(row, _("this is a sealed list, but the event asks for the list itself"))
        if "opening" in data:
            return _unreadable(
                row,
                _("this opens a seal; only the seal is handed in, and what opens it stays with the player"),
            )
        place = row.submission.place
        seal = parse_seal(text, place)
        banlists = banlists_of(data, seal, place)
        odd = list(_of_another_event(seal, self.event, self.format.format))
        if not odd:
            if self.rules is None:
                raise ValueError("the rules of a sealed event are not known")
            made = Provenance(self.rules.format._replace(sha256=seal.format_hash), banlists)
            odd = list(_of_another_version(made, self.rules))
        again = _("seal it again by the event's file: deckcheck seal DECK --event EVENT")
        problems = tuple(Problem(message, place, hint=again) for message in odd)
        return row._replace(state="unreadable" if problems else seal.verdict, seal=seal, problems=problems)


def _unreadable(row: Row, message: Words, hint: Words | None = None) -> Row:
    return row._replace(state="unreadable", problems=(Problem(message, row.submission.place, hint=hint),))


def _seal_in(text: str) -> Mapping[str, object] | None:
    """The JSON object of a seal, or of what opens one; None for any other text."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and "seal" in data else None


def _of_another_event(seal: Seal, event: Event, format: Format) -> Iterator[Words]:
    """Why the verdict of a seal says nothing for this event."""
    if (seal.game, seal.format) != (format.game, format.id):
        yield _(
            "it was sealed for another format ({format}); this event plays {id}",
            format=seal.format,
            id=format.id,
        )
    if seal.as_of != event.as_of:
        yield _(
            "it was sealed by the rules of {day}; this event uses those of {event_as_of}",
            day=seal.as_of,
            event_as_of=event.as_of,
        )


def _of_another_version(made: Provenance, rules: Provenance) -> Iterator[Words]:
    """Why the verdict speaks of other rules than the event's, though they are called the same."""
    if made.format != rules.format:
        yield _("it was sealed by another version of the format than this event's")
    if made.banlists != rules.banlists:
        yield _("it was sealed by other versions of the banlists than this event's")


def _names(id: str, ja: str, en: str, aliases: Iterable[str]) -> set[str]:
    return {_folded(name) for name in (id, id.rpartition("/")[2], ja, en, *aliases) if name}


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
