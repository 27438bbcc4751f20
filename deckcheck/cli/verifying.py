"""`deckcheck verify`: a receipt and a deck in, what differs out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from deckcheck.checking.judge import read_deck
from deckcheck.checking.session import read_list
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of
from deckcheck.cli.ruling import Asked, Ruling, format_named, ruling
from deckcheck.cli.screen import output
from deckcheck.decklists.decode import decode
from deckcheck.registration.log import Log, extend, read_log
from deckcheck.registration.model import Event
from deckcheck.registration.receipts import Checked, Entry, Receipt, entry_from
from deckcheck.registration.seals import opening_from, opens
from deckcheck.registration.verify import Registered, Verified, in_log, verify
from deckcheck.report.escaping import json_page
from deckcheck.report.json import TOOL
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import safe
from deckcheck.support.strictjson import read_object
from deckcheck.support.text import Text

STATUS = {"same": 0, "different": 1, "undecided": 3}


class Held(NamedTuple):
    """What the deck is held against, and where that was taken from.

    From the "log": `number` is that of the receipt. From a "receipt" or an
    "opening" alone, nobody can tell whether it is what the organiser has. `what`
    is the receipt's entry, or the commitment that the opening opens.
    """

    registered: Registered
    source: Literal["log", "receipt", "opening"]
    what: Entry | str
    number: int | None = None


def run(
    receipt: str,
    deck: str,
    asked: Asked,
    *,
    between_games: bool,
    by: str | None,
    form: str,
    lang: str | None,
) -> int:
    """Compare, tell what differs, keep it in the event's log if an event is told, and return the exit status.

    What leaves it open is not kept. Raises UserError for what can't be read or
    isn't in the event's log, and for a check to keep that nobody made.
    """
    rules = ruling(receipt, asked)
    language = language_of(rules.settings, lang)
    tell_first_time(language)
    judge = _judge(by, rules)
    held = _held(Path(receipt), rules)
    registered = held.registered
    format, _unused = format_named(registered.format, rules)
    typed = read_deck(format, decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.diagnostics:
        raise wrong(_("no card is listed here"), path=deck)
    found = verify(registered, typed, format, between_games=between_games)
    if rules.desk is not None and found.result != "undecided":
        _keep(held, found.result, rules.desk.event, between_games=between_games, by=judge, path=receipt)
    names = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | dict(format.format.zones)
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(_object(found, held, language)))
        else:
            for line in _lines(found, names, language):
                write(safe(line) + "\n")
            for said in _result(found, held, between_games=between_games):
                write(said.in_(language) + "\n")
    return STATUS[found.result]


def _judge(by: str | None, rules: Ruling) -> str | None:
    """Who checks the deck; None where the check is not kept. Raises UserError."""
    if rules.desk is None:
        if by is not None:
            raise wrong(_("--by needs --event, whose log it goes to"))
        return None
    if by is None or not by.strip():
        raise wrong(
            _("a check with --event is kept in its log, so --by is needed"),
            hint=_("it says which judge checked the deck"),
        )
    return by.strip()


def _held(path: Path, rules: Ruling) -> Held:
    """What the file at `path` tells of; of an event, as it stands in its log. Raises UserError."""
    data = read_object(path)
    alone = _opened(data, path) if "opening" in data else _received(data, path)
    if rules.desk is None:
        return alone
    event = rules.desk.event
    number, receipt = in_log(read_log(event.log, event.id), alone.what, str(path))
    registered = alone.registered._replace(
        format=receipt.format.id, as_of=receipt.as_of, best_of=receipt.best_of
    )
    return alone._replace(registered=registered, source="log", number=number)


def _opened(data: Mapping[str, Any], path: Path) -> Held:
    opening = opening_from(data, str(path))
    seal = opening.seal
    if not opens(opening, seal.commitment):
        raise wrong(
            _("the list in this opening file is not the one that was sealed"),
            path=str(path),
        )
    return Held(Registered(opening.cards, seal.format, seal.as_of), "opening", seal.commitment)


def _received(data: Mapping[str, Any], path: Path) -> Held:
    entry = entry_from(data, str(path))
    receipt = entry.value
    if not isinstance(receipt, Receipt):
        raise wrong(_("this is no receipt"), path=str(path))
    if receipt.listed is None:
        raise wrong(
            _("the list of this receipt is sealed"),
            path=str(path),
            hint=_("give the player's file that opens it, and --event to look it up in the log"),
        )
    registered = Registered(receipt.listed, receipt.format.id, receipt.as_of, receipt.best_of)
    return Held(registered, "receipt", entry)


def _keep(
    held: Held,
    result: Literal["same", "different"],
    event: Event,
    *,
    between_games: bool,
    by: str | None,
    path: str,
) -> None:
    """Add the check to the event's log. Raises UserError where its receipt doesn't stand there any more."""

    def made(log: Log) -> list[Checked]:
        number, _ = in_log(log, held.what, path)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return [Checked(event.id, now, number, result, between_games, by)]

    extend(event.log, event.id, made)


def _lines(found: Verified, zones: Mapping[str, Words], lang: str) -> Iterator[str]:
    def zone(id: str | None) -> str:
        return "" if id is None else zones.get(id, Localized(id, id)).in_(lang)

    for one in found.differences:
        was, now = zone(one.registered), zone(one.found)
        said = {
            "missing": _("missing  {copies} {card} ({was})", copies=one.copies, card=one.card, was=was),
            "extra": _("extra  {copies} {card} ({now})", copies=one.copies, card=one.card, now=now),
            "moved": _(
                "moved  {copies} {card} ({was} as registered, now {now})",
                copies=one.copies,
                card=one.card,
                was=was,
                now=now,
            ),
        }[one.kind]
        yield said.in_(lang)
    for finding in found.findings:
        yield finding.message.in_(lang)
    for line in found.unread:
        written = safe(line.written)
        yield _("line {line} can't be read: {written}", line=line.line, written=written).in_(lang)
    for name in found.unknown:
        near = Text(
            f"（もしかして: {'、'.join(f'《{one}》' for one in name.near)}）" if name.near else "",
            f" (did you mean {' or '.join(name.near)}?)" if name.near else "",
        )
        yield _(
            "line {line}: {written!r} is neither on the registered list nor in the card table{near}",
            line=name.line,
            written=name.written,
            near=near,
        ).in_(lang)


def _result(found: Verified, held: Held, *, between_games: bool) -> Iterator[Words]:
    if held.source == "opening":
        yield _(
            "compared with the opening file alone; --event tells whether its seal is one that the "
            "organiser took"
        )
    elif held.number is not None and isinstance(held.what, str):
        yield _("the seal is that of receipt {number} in the log", number=held.number)
    exchanged = _("these are the registered cards, divided as the rules allow")
    as_registered = _("this is the registered list")
    unread = _("lines that can't be read leave it open")
    unknown = _("names that nobody knows leave it open")
    yield {
        "same": exchanged if between_games else as_registered,
        "different": _("this is not the registered list"),
        "undecided": unread if found.unread else unknown,
    }[found.result]
    if found.result == "undecided" and held.number is not None:
        yield _("nothing was kept in the log; mend it and check again")


def _object(found: Verified, held: Held, lang: str) -> dict[str, object]:
    return {
        "schema": 1,
        "tool": dict(TOOL),
        "result": found.result,
        "differences": [one._asdict() for one in found.differences],
        "findings": [{"rule": one.rule, "message": one.message.in_(lang)} for one in found.findings],
        "unread": [{"line": one.line, "written": one.written} for one in found.unread],
        "unknown": [
            {"line": one.line, "written": one.written, "near": list(one.near)} for one in found.unknown
        ],
        "source": held.source,
        "receipt": held.number,
        "kept": held.number is not None and found.result != "undecided",
    }
