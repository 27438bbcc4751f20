"""Lists accepted, a judge's word, and a player's seal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckcheck.registration.accept import Accepting, Word, accept
from deckcheck.registration.desk import Desk, open_desk, roster_of, rules_of
from deckcheck.registration.receipts import Receipt
from deckcheck.registration.seals import Opening, Seal, commitment
from factories.eventlists import EVENT, NOW

WORD = Word("審判 白石", "登録ミスを本人と確認")


def accepted(file: Path, **more: Any) -> Accepting:
    desk = open_desk(file)
    return accept_at(desk, **more)


def accept_at(desk: Desk, **more: Any) -> Accepting:
    rules = rules_of(desk).provenance
    return accept(desk.event, lambda log: roster_of(desk, log), rules, now=NOW, **more)


def receipts(done: Accepting) -> list[Receipt]:
    return [entry.value for entry in done.added if isinstance(entry.value, Receipt)]


def kinds(done: Accepting) -> list[list[str]]:
    return [[one.kind for one in refused.obstacles] for refused in done.refused]


SEALED = EVENT + "sealed: true\n"


def a_seal(desk: Desk, text: str, salt: str = "ab" * 32) -> tuple[Seal, Opening]:
    from deckcheck.checking.judge import check
    from deckcheck.registration.canonical import list_of

    report = check(text, desk.format, as_of=desk.event.as_of)
    listed = list_of(report.deck, report.game)
    assert listed is not None
    rules = rules_of(desk).provenance
    seal = Seal(
        commitment(salt, listed),
        report.verdict,
        report.game,
        rules.format.id,
        rules.format.sha256,
        report.as_of,
    )
    return seal, Opening(seal, salt, listed)
