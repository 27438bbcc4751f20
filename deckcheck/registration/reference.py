"""What a deck at the table is compared with: the list of a receipt or of an opening file, and its place in the log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.registration.log import Checked, Entry, Log, Receipt, entry_from, extend, read_log
from deckcheck.registration.model import Event, Seal
from deckcheck.registration.provenance import Stamp
from deckcheck.registration.seals import banlists_of, opening_from, opens, seal_from
from deckcheck.registration.tablechecks import Registered, in_log
from deckcheck.support.dates import now
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _
from deckcheck.support.strictjson import read_object


class Reference(NamedTuple):
    """A registered list, and where it was taken from.

    From the "log": `number` is that of the receipt. From a "receipt" or an
    "opening" alone, nobody can tell whether it is what the organiser has. `what`
    is the receipt's entry, or the commitment that the opening opens.
    """

    registered: Registered
    source: Literal["log", "receipt", "opening"]
    what: Entry | str
    number: int | None = None


def read_reference(path: Path, event: Event | None = None) -> Reference:
    """The reference in a file; of an event, as it stands in its log. Raises UserError."""
    data = read_object(path)
    alone = _of_opening(data, path) if "opening" in data else _of_receipt(data, path)
    if event is None:
        return alone
    number, receipt = in_log(read_log(event.log, event.id), alone.what, str(path))
    registered = alone.registered._replace(
        format=receipt.format.id, as_of=receipt.as_of, best_of=receipt.best_of
    )
    return alone._replace(registered=registered, source="log", number=number)


def _of_opening(data: Mapping[str, Any], path: Path) -> Reference:
    opening = opening_from(data, str(path))
    seal = opening.seal
    if not opens(opening, seal.commitment):
        raise user_error(_("the list in this opening file is not the one that was sealed"), path=str(path))
    return Reference(Registered(opening.cards, seal.format, seal.as_of), "opening", seal.commitment)


def _of_receipt(data: Mapping[str, Any], path: Path) -> Reference:
    entry = entry_from(data, str(path))
    receipt = entry.value
    if not isinstance(receipt, Receipt):
        raise user_error(_("not a receipt"), path=str(path))
    if receipt.listed is None:
        raise user_error(
            _("the list of this receipt is sealed"),
            path=str(path),
            hint=_("use the player's opening file instead, with --event to look it up in the log"),
        )
    registered = Registered(receipt.listed, receipt.format.id, receipt.as_of, receipt.best_of)
    return Reference(registered, "receipt", entry)


def record_check(
    event: Event,
    reference: Reference,
    result: Literal["same", "different"],
    *,
    between_games: bool,
    by: str,
    path: str,
) -> None:
    """Add a check to the event's log. Raises UserError, at `path`, where its receipt is no longer in force."""

    def made(log: Log) -> list[Checked]:
        number, _receipt = in_log(log, reference.what, path)
        return [Checked(event.id, now().strftime("%Y-%m-%dT%H:%M:%SZ"), number, result, between_games, by)]

    extend(event.log, event.id, made)


def read_seal(path: Path) -> tuple[Seal, tuple[Stamp, ...], int | None]:
    """The seal in a file, or that of a receipt, with the banlists of its verdict and the games of a match.

    The games are None where nothing tells them. Raises UserError.
    """
    data = read_object(path)
    if "deckcheck_log" not in data:
        seal = seal_from(data, str(path))
        return seal, banlists_of(data, seal, str(path)), None
    receipt = entry_from(data, str(path)).value
    if not isinstance(receipt, Receipt) or receipt.sealed is None:
        raise user_error(_("not the receipt of a sealed list"), path=str(path))
    stamp = receipt.format
    seal = Seal(receipt.sealed, receipt.verdict, receipt.game, stamp.id, stamp.sha256, receipt.as_of)
    return seal, receipt.banlists, receipt.best_of
