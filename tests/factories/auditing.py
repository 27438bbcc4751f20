"""An event with receipts, its log forged, and what an audit says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deckcheck.registration.accept import receipts_folder
from deckcheck.registration.audit import Audit, audit
from deckcheck.registration.desk import Desk, finder, open_desk
from deckcheck.registration.log import New, read_log
from deckcheck.registration.receiptfiles import write_receipts
from deckcheck.registration.receipts import BEGINNING, entry_line, entry_of
from factories.accepting import WORD, accept_at
from factories.eventlists import ILLEGAL, a_list, an_event, legal

THREE = (a_list("甲", legal()), a_list("乙", legal(1)), a_list("丙", ILLEGAL))


def desk_with_receipts(tmp_path: Path) -> Desk:
    """An event with three receipts, one of them on a judge's word."""
    desk = open_desk(an_event(tmp_path, *THREE))
    accept_at(desk)
    done = accept_at(desk, only=["丙"], word=WORD)
    write_receipts(done.log, receipts_folder(desk.event))
    return desk


def audited(desk: Desk, **more: object) -> Audit:
    return audit(desk.event, finder(desk), **more)  # type: ignore[arg-type]


def rewrite(desk: Desk, lines: list[str]) -> None:
    desk.event.log.write_text("".join(lines), encoding="utf-8")


def values_of(desk: Desk) -> list[New]:
    return [entry.value for entry in read_log(desk.event.log, desk.event.id).entries]


def rechained(desk: Desk, values: Sequence[New]) -> None:
    """Write a log of these values whose hashes are right, and no receipts beside it: the work of a clever forger."""
    previous, lines = BEGINNING, []
    for number, value in enumerate(values, 1):
        entry = entry_of(number, previous, value)
        previous = entry.hash
        lines.append(entry_line(entry) + "\n")
    rewrite(desk, lines)
    for file in receipts_folder(desk.event).glob("*.json"):
        file.unlink()


def forged(desk: Desk, number: int, **other: object) -> None:
    """Change something in an entry, with everything behind it, so that all hashes are right."""
    values = values_of(desk)
    values[number - 1] = values[number - 1]._replace(**other)  # type: ignore[arg-type]
    rechained(desk, values)
