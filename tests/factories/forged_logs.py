"""An event with receipts, its log forged, and what an audit says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from deckcheck.registration.event import EventSession
from deckcheck.registration.log import (
    BEGINNING,
    Audit,
    EntryValue,
    audit,
    entry_line,
    entry_of,
    read_log,
    write_receipts,
)
from factories.acceptance import WORD, accept_at
from factories.event_lists import ILLEGAL, a_list, an_event, legal

THREE = (a_list("甲", legal()), a_list("乙", legal(1)), a_list("丙", ILLEGAL))


def session_with_receipts(tmp_path: Path) -> EventSession:
    """An event with three receipts, one of them on a judge's word."""
    session = EventSession.open(an_event(tmp_path, *THREE))
    accept_at(session)
    done = accept_at(session, only=["丙"], override=WORD)
    write_receipts(done.log, session.event.receipts)
    return session


def audited(session: EventSession, **more: object) -> Audit:
    return audit(session, **more)  # type: ignore[arg-type]


def rewrite(session: EventSession, lines: list[str]) -> None:
    session.event.log.write_text("".join(lines), encoding="utf-8")


def values_of(session: EventSession) -> list[EntryValue]:
    return [entry.value for entry in read_log(session.event.log, session.event.id).entries]


def rechained(session: EventSession, values: Sequence[EntryValue]) -> None:
    """Write a log of these values whose hashes are right, and no receipts beside it: the work of a clever forger."""
    previous, lines = BEGINNING, []
    for number, value in enumerate(values, 1):
        entry = entry_of(number, previous, value)
        previous = entry.hash
        lines.append(entry_line(entry) + "\n")
    rewrite(session, lines)
    for file in session.event.receipts.glob("*.json"):
        file.unlink()


def forged(session: EventSession, number: int, **other: object) -> None:
    """Change something in an entry, with everything behind it, so that all hashes are right."""
    values = values_of(session)
    values[number - 1] = replace(values[number - 1], **other)
    rechained(session, values)
