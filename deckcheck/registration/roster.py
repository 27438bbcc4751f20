"""All lists of an event, each judged by the event's format on the event's day."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from deckcheck.checking import LoadedFormat, check, ready
from deckcheck.decks import Deck
from deckcheck.errors import Problem, UserError
from deckcheck.formats.find import Folders, known_formats
from deckcheck.registration.model import Event, Player, Roster, Row, Submission
from deckcheck.registration.players import groups
from deckcheck.registration.remembering import remembering
from deckcheck.registration.rivals import is_late, mark_of, settled
from deckcheck.registration.seals import Seal, parse_seal
from deckcheck.text import Text

_OF_A_LIST = ("as-of", "date", "best-of")
"""What a list may say of its own check, and what an event says in its stead."""

_LONGEST_SEAL = 64 * 1024

_BLANK = "\ufeff \t\r\n　"

# Of a secret list nothing may get into the organiser's tables, not even what is wrong with it.
_OPEN = Text("リストを封印して提出する大会です", "lists are handed in sealed at this event")
_SEAL_IT = Text("deckcheck seal で封印します", "deckcheck seal makes a seal")

Another = Callable[[str], Text | None]


class Accepted(NamedTuple):
    """What was accepted before: the receipt's number, whose it is, and the mark of the list (see rivals.mark_of)."""

    number: int
    player: Player
    mark: str


def judge_event(
    event: Event,
    submissions: Sequence[Submission],
    format: LoadedFormat,
    accepted: Sequence[Accepted] = (),
) -> Roster:
    """What was found out about each submission, and which one stands for its player.

    `format` is the event's. What a list says of format, day and games of a
    match never wins over the event, and what it asks to ignore is told all the
    same. Raises UserError for a format that can't be played.
    """
    ready(format, event.as_of, {} if event.best_of is None else {"best_of": event.best_of})
    another = _others_by_name(format, event.folders)
    patient = remembering(format)
    players = [one.player for one in submissions] + [one.player for one in accepted]
    numbers = groups(players)
    mine: dict[int, list[Row]] = {}
    for one, group in zip(submissions, numbers, strict=False):
        mine.setdefault(group, []).append(_judged(event, one, group, patient, another))
    standing: dict[int, Accepted] = {}
    for was, group in zip(accepted, numbers[len(submissions) :], strict=True):
        if group not in standing or was.number > standing[group].number:
            standing[group] = was
    rows = [
        _compared(row, standing.get(group))
        for group, several in mine.items()
        for row in settled(event, several)
    ]
    rows.sort(key=lambda row: row.submission.number)
    return Roster(event, format, tuple(rows))


def _compared(row: Row, was: Accepted | None) -> Row:
    if was is None:
        return row
    mark = mark_of(row) if row.counts else None
    return row._replace(
        accepted=was.number, changed="acceptance" if mark is not None and mark != was.mark else row.changed
    )


def _judged(event: Event, one: Submission, group: int, format: LoadedFormat, another: Another) -> Row:
    row = Row(one, "missing", group, lacking=_lacking(event, one.player))
    if one.problem is not None:
        problem = Problem(one.problem, one.place)
        return row._replace(state="unreadable", problems=(problem,), late=is_late(event, one))
    if one.text is None or not one.text.strip(_BLANK):
        return row
    found = _read(event, row, one.text, format, another)
    return found if found.state == "missing" else found._replace(late=is_late(event, one))


def _read(event: Event, row: Row, text: str, format: LoadedFormat, another: Another) -> Row:
    place = row.submission.place
    try:
        bare = text.strip(_BLANK)
        sealed = _seal_in(bare)
        if sealed is not None:
            return _sealed(event, row, bare, sealed, format)
        if event.sealed:
            return row._replace(state="unreadable", problems=(Problem(_OPEN, place, hint=_SEAL_IT),))
        deck = format.table.read(text, place)
        if not deck.entries and not deck.remarks:
            return row
        header = {key: value for key, value in deck.header.items() if key not in _OF_A_LIST}
        report = check(
            deck._replace(header=header),
            format,
            as_of=event.as_of,
            best_of=event.best_of,
            suppressions=False,
        )
    except UserError as error:
        problems = tuple(one if one.path is not None else one._replace(path=place) for one in error.problems)
        return row._replace(state="unreadable", problems=problems)
    return row._replace(state=report.verdict, report=report, notes=_notes(deck, another))


def _lacking(event: Event, player: Player) -> tuple[str, ...]:
    given = player._asdict()
    return tuple(field for field in event.required if not (given[field] or "").strip())


def _seal_in(text: str) -> Mapping[str, object] | None:
    """The JSON object of a seal, or of what opens one; None for any other text."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    import json

    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and "seal" in said else None


def _sealed(event: Event, row: Row, text: str, said: Mapping[str, object], format: LoadedFormat) -> Row:
    place = row.submission.place
    if not event.sealed:
        message = Text(
            "封印されたリストですが、この大会で必要なのはリストそのものです",
            "this is a sealed list, but the event asks for the list itself",
        )
        return row._replace(state="unreadable", problems=(Problem(message, place),))
    if "opening" in said:
        message = Text(
            "開封用のファイルが届いています。提出するのは封印だけで、開封用のファイルは本人が持っておきます",
            "this opens a seal; only the seal is handed in, and what opens it stays with the player",
        )
        return row._replace(state="unreadable", problems=(Problem(message, place),))
    seal = parse_seal(text, place)
    problems = tuple(Problem(one, place) for one in _of_another_event(seal, event, format))
    return row._replace(state="unreadable" if problems else seal.verdict, seal=seal, problems=problems)


def _of_another_event(seal: Seal, event: Event, format: LoadedFormat) -> list[Text]:
    """Why the verdict of a seal says nothing for this event."""
    rules, wrong = format.format, []
    if (seal.game, seal.format) != (rules.game, rules.id):
        wrong.append(
            Text(
                f"別のフォーマット（{seal.format}）で封印されています。この大会は{rules.id}です",
                f"it was sealed for another format ({seal.format}); this event plays {rules.id}",
            )
        )
    if seal.as_of != event.as_of:
        wrong.append(
            Text(
                f"{seal.as_of}のルールで封印されています。この大会は{event.as_of}のルールです",
                f"it was sealed by the rules of {seal.as_of}; this event plays by those of {event.as_of}",
            )
        )
    return wrong


def _notes(deck: Deck, another: Another) -> tuple[Text, ...]:
    notes = []
    said = deck.header.get("format")
    other = None if said is None else another(said)
    if other is not None:
        notes.append(other)
    if deck.directives:
        notes.append(
            Text(
                "リストに「この指摘を無視」という指定がありますが、大会では効きません",
                "the list asks to ignore findings; at an event that doesn't count",
            )
        )
    return tuple(notes)


def _others_by_name(format: LoadedFormat, folders: Folders) -> Another:
    """A function that tells, from what a list says, that it was made for another format than the event's."""
    rules = format.format
    mine = {_folded(one) for one in _names(rules.id, rules.name.ja, rules.name.en, rules.aliases)}

    @cache
    def known() -> Mapping[str, set[tuple[str, str, str]]]:
        found: dict[str, set[tuple[str, str, str]]] = {}
        for one in known_formats(folders):
            for name in _names(one.id, one.ja, one.en, one.aliases):
                found.setdefault(_folded(name), set()).add((one.id, one.ja, one.en))
        return found

    def another(said: str) -> Text | None:
        wanted = _folded(said)
        if wanted in mine:
            return None
        hits = known().get(wanted, set())
        if len(hits) != 1:
            return None
        [(id, ja, en)] = hits
        if id == rules.id:
            return None
        return Text(
            f"リストには「{ja}」用とありますが、{rules.name.ja}として調べました",
            f"the list says it is for {en}; it was judged as {rules.name.en}",
        )

    return another


def _names(id: str, ja: str, en: str, aliases: Sequence[str]) -> list[str]:
    return [name for name in (id, id.rpartition("/")[2], ja, en, *aliases) if name]


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
