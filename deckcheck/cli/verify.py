"""`deckcheck verify`: a receipt and a deck in, what differs out."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from deckcheck.cli.errors import private_command
from deckcheck.cli.options import Cards, Config, Isolated, JsonOrText, Lang, OfEvent
from deckcheck.support.errors import user_error
from deckcheck.support.messages import OR, Message, Words, _, series

if TYPE_CHECKING:
    from deckcheck.cli.project import Ruling
    from deckcheck.registration.log import Checked, Entry, Log
    from deckcheck.registration.model import Event
    from deckcheck.registration.tablechecks import Registered, Verified

STATUS = {"same": 0, "different": 1, "undecided": 3}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "verify",
        no_args_is_help=True,
        help=_(
            "Compare a deck at the table, as typed by a judge, with the registered list. With --event, the list must "
            "also be in the event's log, and the result is recorded there (--by is required). A deck whose last check "
            "matched is left out by `event draw`."
        ).key,
        epilog=_(
            "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 undecided because of "
            "unreadable lines or unknown names."
        ).key,
    )(verify)


@private_command
def verify(
    receipt: Annotated[
        str, typer.Argument(metavar="RECEIPT", help=_("Receipt, or the opening file of a sealed list.").key)
    ],
    deck: Annotated[
        str,
        typer.Argument(metavar="DECK", help=_("The deck as typed: a file, or - for standard input.").key),
    ],
    between_games: Annotated[
        bool,
        typer.Option(
            "--after-sideboarding",
            help=_("Allow any legal exchange of the registered cards between games.").key,
        ),
    ] = False,
    event: OfEvent = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="JUDGE", help=_("The judge, for the log of --event.").key),
    ] = None,
    output_format: JsonOrText = "text",
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> int:
    from deckcheck.checking.judge import read_deck
    from deckcheck.checking.session import read_list
    from deckcheck.cli.project import check_options, format_named, language_of, project_settings, ruling
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.decklists.decode import decode
    from deckcheck.registration import tablechecks
    from deckcheck.report.json import json_page
    from deckcheck.support.safetext import safe

    settings = project_settings([receipt], config=config, isolated=isolated)
    rules = ruling(check_options(settings, cards=cards), event)
    spoken = language_of(settings, lang)
    tell_first_time(spoken)
    judge = _judge(by, rules)
    reference = _reference(Path(receipt), rules)
    format, _hashes = format_named(reference.registered.format, rules)
    typed = read_deck(format, decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.diagnostics:
        raise user_error(_("no cards in this list"), path=deck)
    found = tablechecks.verify(reference.registered, typed, format, between_games=between_games)
    if rules.session is not None and found.result != "undecided":
        _record(
            reference, found.result, rules.session.event, between_games=between_games, by=judge, path=receipt
        )
    zones = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | dict(format.format.zones)
    with output(None, exact=output_format == "json") as write:
        if output_format == "json":
            write(json_page(_object(found, reference, spoken)))
        else:
            for line in _differences(found, zones):
                write(safe(line.in_(spoken)) + "\n")
            for line in _result(found, reference, between_games=between_games):
                write(line.in_(spoken) + "\n")
    return STATUS[found.result]


class Reference(NamedTuple):
    """What the deck is compared with, and where that was taken from.

    From the "log": `number` is that of the receipt. From a "receipt" or an
    "opening" alone, nobody can tell whether it is what the organiser has. `what`
    is the receipt's entry, or the commitment that the opening opens.
    """

    registered: "Registered"
    source: Literal["log", "receipt", "opening"]
    what: "Entry | str"
    number: int | None = None


def _judge(by: str | None, rules: "Ruling") -> str | None:
    """Who checks the deck; None where the check is not recorded. Raises UserError."""
    if rules.session is None:
        if by is not None:
            raise user_error(_("--by requires --event, whose log it is recorded in"))
        return None
    if by is None or not by.strip():
        raise user_error(
            _("--event requires --by, because the check is recorded in the log"),
            hint=_("name the judge who checked the deck"),
        )
    return by.strip()


def _reference(path: Path, rules: "Ruling") -> Reference:
    """What the file at `path` tells of; of an event, as it stands in its log. Raises UserError."""
    from deckcheck.registration.log import read_log
    from deckcheck.registration.tablechecks import in_log
    from deckcheck.support.strictjson import read_object

    data = read_object(path)
    alone = _of_opening(data, path) if "opening" in data else _of_receipt(data, path)
    if rules.session is None:
        return alone
    event = rules.session.event
    number, receipt = in_log(read_log(event.log, event.id), alone.what, str(path))
    registered = alone.registered._replace(
        format=receipt.format.id, as_of=receipt.as_of, best_of=receipt.best_of
    )
    return alone._replace(registered=registered, source="log", number=number)


def _of_opening(data: Mapping[str, Any], path: Path) -> Reference:
    from deckcheck.registration.seals import opening_from, opens
    from deckcheck.registration.tablechecks import Registered

    opening = opening_from(data, str(path))
    seal = opening.seal
    if not opens(opening, seal.commitment):
        raise user_error(_("the list in this opening file is not the one that was sealed"), path=str(path))
    return Reference(Registered(opening.cards, seal.format, seal.as_of), "opening", seal.commitment)


def _of_receipt(data: Mapping[str, Any], path: Path) -> Reference:
    from deckcheck.registration.log import Receipt, entry_from
    from deckcheck.registration.tablechecks import Registered

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


def _record(
    reference: Reference,
    result: Literal["same", "different"],
    event: "Event",
    *,
    between_games: bool,
    by: str | None,
    path: str,
) -> None:
    """Add the check to the event's log. Raises UserError where its receipt doesn't stand there any more."""
    from deckcheck.registration.log import Checked, extend
    from deckcheck.registration.tablechecks import in_log
    from deckcheck.support.dates import now

    def made(log: "Log") -> "list[Checked]":
        number, _receipt = in_log(log, reference.what, path)
        return [Checked(event.id, now().strftime("%Y-%m-%dT%H:%M:%SZ"), number, result, between_games, by)]

    extend(event.log, event.id, made)


def _differences(found: "Verified", zones: Mapping[str, Words]) -> Iterator[Words]:
    for one in found.differences:
        was, now = (None if id is None else zones.get(id, id) for id in (one.registered, one.found))
        if one.kind == "missing":
            yield _("missing  {copies} {card} ({zone})", copies=one.copies, card=one.card, zone=was)
        elif one.kind == "extra":
            yield _("extra  {copies} {card} ({zone})", copies=one.copies, card=one.card, zone=now)
        else:
            yield _(
                "moved  {copies} {card} (registered: {before}, now: {after})",
                copies=one.copies,
                card=one.card,
                before=was,
                after=now,
            )
    for finding in found.findings:
        yield finding.message
    for line in found.unread:
        yield _("line {line} is unreadable: {text}", line=line.line, text=line.written)
    for name in found.unknown:
        if name.near:
            yield _(
                "line {line}: “{name}” is neither on the registered list nor in the card table (did you mean {near}?)",
                line=name.line,
                name=name.written,
                near=series(name.near, OR),
            )
        else:
            yield _(
                "line {line}: “{name}” is neither on the registered list nor in the card table",
                line=name.line,
                name=name.written,
            )


def _result(found: "Verified", reference: Reference, *, between_games: bool) -> Iterator[Message]:
    if reference.source == "opening":
        yield _(
            "compared with the opening file only; use --event to see whether the organiser has accepted its seal"
        )
    elif reference.number is not None and isinstance(reference.what, str):
        yield _("the seal is that of receipt {number} in the log", number=reference.number)
    if found.result == "different":
        yield _("this is not the registered list")
    elif found.result == "undecided":
        yield (
            _("undecided because of unreadable lines")
            if found.unread
            else _("undecided because of unknown names")
        )
        if reference.number is not None:
            yield _("nothing was recorded in the log; fix this and check again")
    elif between_games:
        yield _("these are the registered cards, divided as the rules allow")
    else:
        yield _("this is the registered list")


def _object(found: "Verified", reference: Reference, lang: str) -> dict[str, object]:
    from deckcheck.report.json import TOOL

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
        "source": reference.source,
        "receipt": reference.number,
        "kept": reference.number is not None and found.result != "undecided",
    }
