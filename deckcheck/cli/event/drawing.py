"""`deckcheck event draw`: a log and a seed in, the decks to check out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deckcheck.cli.language import user_language
from deckcheck.cli.screen import output
from deckcheck.registration.accept import receipt_file, receipts_folder
from deckcheck.registration.draw import Draw, draw, share_of
from deckcheck.registration.eventfile import read_event
from deckcheck.registration.log import read_log
from deckcheck.registration.model import Event
from deckcheck.report.escaping import json_page
from deckcheck.report.json import TOOL
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import safe


def run(path: str, share: str, seed: str, form: str, lang: str | None) -> int:
    """Write the decks that are drawn. Raises UserError for a broken log, or one without receipts."""
    language = lang or user_language()
    wanted = share_of(share)
    event = read_event(Path(path))
    log = read_log(event.log, event.id)
    found = draw(log, wanted, seed)
    if not found.total:
        raise wrong(_("no list is accepted yet"), path=str(event.log))
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(_object(found, log.head, share, seed)))
        else:
            for line in _lines(found, event, log.head, share, seed):
                write(safe(line.in_(language)) + "\n")
    return 0


def _lines(found: Draw, event: Event, head: str, share: str, seed: str) -> Iterator[Words]:
    folder = receipts_folder(event)
    for one in found.drawn:
        player = one.receipt.player
        said = "  ".join(part for part in (player.table, player.name, player.id) if part)
        yield Localized(
            f"{receipt_file(folder, one.number)}  {said}", f"{receipt_file(folder, one.number)}  {said}"
        )
    left_out = found.checked
    yield (
        _(
            "{n} of {total} accepted ({share}, without the {left_out} found as registered), seed "
            "{seed!r}, head of the log {head}",
            n=len(found.drawn),
            total=found.total,
            share=share,
            left_out=left_out,
            seed=seed,
            head=head,
        )
        if left_out
        else _(
            "{n} of {total} accepted ({share}), seed {seed!r}, head of the log {head}",
            n=len(found.drawn),
            total=found.total,
            share=share,
            seed=seed,
            head=head,
        )
    )


def _object(found: Draw, head: str, share: str, seed: str) -> dict[str, object]:
    return {
        "schema": 1,
        "tool": dict(TOOL),
        "share": share,
        "seed": seed,
        "head": head,
        "accepted": found.total,
        "checked": found.checked,
        "drawn": [
            {
                "number": one.number,
                "player": {
                    key: value for key, value in one.receipt.player._asdict().items() if value is not None
                },
            }
            for one in found.drawn
        ],
    }
