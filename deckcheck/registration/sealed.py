"""What a submission of a sealed event says: its seal, and whether that was made for the event."""

from collections.abc import Iterator, Mapping

from deckcheck.model.format import Format
from deckcheck.registration.model import Event, Row
from deckcheck.registration.provenance import Provenance
from deckcheck.registration.sealfile import banlists_of
from deckcheck.registration.seals import Seal, parse_seal
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Words, _

_LONGEST_SEAL = 64 * 1024

_AGAIN = _("seal it again by the event's file: deckcheck seal DECK --event EVENT")


def seal_in(text: str) -> Mapping[str, object] | None:
    """The JSON object of a seal, or of what opens one; None for any other text."""
    if not text.startswith("{") or '"seal"' not in text or len(text) > _LONGEST_SEAL:
        return None
    import json

    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and "seal" in said else None


def of_seal(
    event: Event, row: Row, text: str, said: Mapping[str, object], format: Format, rules: Provenance | None
) -> Row:
    """The row of a submission that is a seal (`text`, and what `seal_in` made of it). Raises UserError for a broken one.

    `rules` are the event's.
    """
    place = row.submission.place
    if not event.sealed:
        message = _("this is a sealed list, but the event asks for the list itself")
        return row._replace(state="unreadable", problems=(Problem(message, place),))
    if "opening" in said:
        message = _("this opens a seal; only the seal is handed in, and what opens it stays with the player")
        return row._replace(state="unreadable", problems=(Problem(message, place),))
    seal = parse_seal(text, place)
    banlists = banlists_of(said, seal, place)
    wrong = list(_of_another_event(seal, event, format))
    if not wrong:
        if rules is None:
            raise ValueError("the rules of a sealed event are not known")
        wrong = list(
            _of_another_version(Provenance(rules.format._replace(sha256=seal.format_hash), banlists), rules)
        )
    problems = tuple(Problem(one, place, hint=_AGAIN) for one in wrong)
    return row._replace(state="unreadable" if problems else seal.verdict, seal=seal, problems=problems)


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
            "it was sealed by the rules of {day}; this event plays by those of {event_as_of}",
            day=seal.as_of,
            event_as_of=event.as_of,
        )


def _of_another_version(mine: Provenance, rules: Provenance) -> Iterator[Words]:
    """Why the verdict speaks of other rules than the event's, though they are called the same."""
    if mine.format != rules.format:
        yield _("it was sealed by another version of the format than this event's")
    if mine.banlists != rules.banlists:
        yield _("it was sealed by other versions of the banlists than this event's")
