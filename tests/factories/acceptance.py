"""Lists accepted, a judge's word, and a player's seal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckcheck.registration.acceptance import Acceptance, Override, accept, failures
from deckcheck.registration.commitments import Opening, Seal, commitment
from deckcheck.registration.event import EventSession
from deckcheck.registration.log import Receipt
from factories.event_lists import EVENT, NOW

WORD = Override("審判 白石", "登録ミスを本人と確認")


def accepted(file: Path, **more: Any) -> Acceptance:
    session = EventSession.open(file)
    return accept_at(session, **more)


def accept_at(session: EventSession, **more: Any) -> Acceptance:
    return accept(session, now=NOW, **more)


def receipts(done: Acceptance) -> list[Receipt]:
    return [entry.value for entry in done.added if isinstance(entry.value, Receipt)]


def kinds(done: Acceptance) -> list[list[str]]:
    return [[failure.id for failure in failures(row)] for row in done.refused]


SEALED = EVENT + "sealed: true\n"


def a_seal(session: EventSession, text: str, salt: str = "ab" * 32) -> tuple[Seal, Opening]:
    from deckcheck.checking.judge import check
    from deckcheck.registration.commitments import list_of

    report = check(text, session.format, as_of=session.event.as_of)
    listed = list_of(report.deck, report.game)
    assert listed is not None
    rules = session.rules.provenance
    seal = Seal(
        commitment(salt, listed),
        report.verdict,
        report.game,
        rules.format,
        report.as_of,
        rules.banlists,
    )
    return seal, Opening(seal, salt, listed)
