"""Lists accepted, and a judge's word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckcheck.registration.acceptance import Acceptance, Override, accept, failures
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import Receipt
from factories.event_lists import NOW
from factories.rosters import EVENT as FIELDS_OF_PLAYERS

WORD = Override("審判 白石", "登録ミスを本人と確認")


def accepted(file: Path, **more: Any) -> Acceptance:
    session = EventSession.open(file)
    return accept_at(session, **more)


def accept_at(session: EventSession, **more: Any) -> Acceptance:
    return accept(session, now=NOW, **more)


def receipts(done: Acceptance) -> list[Receipt]:
    return [one.entry.value for one in done.accepted if isinstance(one.entry.value, Receipt)]


def kinds(done: Acceptance) -> list[list[str]]:
    return [[failure.id for failure in failures(one.row, FIELDS_OF_PLAYERS)] for one in done.refused]
