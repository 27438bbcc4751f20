"""`deckcheck verify`: a receipt and a deck in, what differs out."""

# The annotations are read by typer, so they are no strings here.

from functools import partial
from pathlib import Path

from deckcheck.checking.judge import read_deck
from deckcheck.checking.session import CheckOptions, read_list
from deckcheck.cli import options as opt
from deckcheck.cli.command import command
from deckcheck.cli.project import format_named, open_project
from deckcheck.cli.terminal import show_answer
from deckcheck.decklists.decode import decode
from deckcheck.registration import deckchecks
from deckcheck.registration.deckchecks import comparison_text, comparison_values
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

STATUS = {"same": 0, "different": 1, "undecided": 3}


@command(
    _(
        "Compare a deck at the table, as typed by a judge, with the registered list. With --event, the list must "
        "also be in the event's log, and the result is recorded there (--by is required). A deck whose last check "
        "matched is left out by `event draw`."
    ),
    epilog=_(
        "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 undecided because of "
        "unreadable lines or unknown names."
    ),
    help_if_bare=True,
    private=True,
)
def verify(
    receipt: str = opt.argument(_("Receipt, or the opening file of a sealed list."), "RECEIPT"),
    deck: str = opt.argument(_("The deck as typed: a file, or - for standard input."), "DECK"),
    between_games: bool = opt.flag(
        "--after-sideboarding", _("Allow any legal exchange of the registered cards between games.")
    ),
    event: opt.OfEvent = None,
    by: str | None = opt.option(_("The judge, for the log of --event."), "JUDGE"),
    output_format: opt.JsonOrText = "text",
    lang: opt.Lang = None,
    cards: opt.Cards = None,
    config: opt.Config = None,
    isolated: opt.Isolated = False,
) -> int:
    given = CheckOptions(cards=tuple(cards or ()))
    project = open_project([receipt], lang, config, isolated, given, event=event)
    opened = None if project.event is None else project.event.event
    judge = (by or "").strip()
    if opened is None and by is not None:
        raise user_error(_("--by requires --event, whose log it is recorded in"))
    if opened is not None and not judge:
        raise user_error(
            _("--event requires --by, because the check is recorded in the log"),
            hint=_("name the judge who checked the deck"),
        )
    reference = deckchecks.read_reference(Path(receipt), opened)
    format, _hashes = format_named(reference.format, project)
    typed = read_deck(format, decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.diagnostics:
        raise user_error(_("no cards in this list"), path=deck)
    found = deckchecks.verify(reference, typed, format, between_games=between_games)
    if opened is not None and found.result != "undecided":
        deckchecks.record_check(
            opened, reference, found.result, between_games=between_games, by=judge, path=receipt
        )
    zones = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | dict(format.format.zones)
    text = partial(comparison_text, found, reference, zones, between_games=between_games)
    show_answer(output_format, project.lang, text, comparison_values(found, reference))
    return STATUS[found.result]
