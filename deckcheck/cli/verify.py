"""`deckcheck verify`: a receipt and a deck in, what differs out."""

from pathlib import Path

from deckcheck.checking.judge import read_deck
from deckcheck.checking.session import read_list
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command
from deckcheck.cli.project import format_named, open_project
from deckcheck.decklists.decode import decode
from deckcheck.registration import deck_checks
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

STATUS = {"same": 0, "different": 1, "undecided": 3}


@command(
    _(
        "Compare a deck at the table, as typed by a judge, with the registered list. With --event, the list must "
        "also be in the event's log, and the result is recorded there (--by is required). A deck whose last check "
        "matched is left out by `event draw`."
    ),
    "* event output_format lang cards games config isolated",
    epilog=_(
        "Exit status: 0 as registered; 1 different; 2 something could not be read; 3 undecided because of "
        "unreadable lines or unknown names."
    ),
    help_if_bare=True,
    private=True,
)
def verify(
    run: Run,
    receipt: str = opt.argument(_("Receipt, or the opening file of a sealed list."), "RECEIPT"),
    deck: str = opt.argument(_("The deck as typed: a file, or - for standard input."), "DECK"),
    between_games: bool = opt.flag(
        "--after-sideboarding", _("Allow any legal exchange of the registered cards between games.")
    ),
    by: str | None = opt.option(_("The judge, for the log of --event."), "JUDGE"),
) -> int:
    project = open_project(run, [receipt])
    event = None if project.event is None else project.event.event
    judge = (by or "").strip()
    if event is None and by is not None:
        raise user_error(_("--by requires --event, whose log it is recorded in"))
    if event is not None and not judge:
        raise user_error(
            _("--event requires --by, because the check is recorded in the log"),
            hint=_("name the judge who checked the deck"),
        )
    reference = deck_checks.read_reference(Path(receipt), event)
    format, _hashes = format_named(reference.format, project)
    typed = read_deck(format, decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.diagnostics:
        raise user_error(_("no cards in this list"), path=deck)
    found = deck_checks.verify(reference, typed, format, between_games=between_games)
    if event is not None and found.result != "undecided":
        deck_checks.record_check(
            event, reference, found.result, between_games=between_games, by=judge, path=receipt
        )
    zones = {zone.id: zone.name for zone in format.game_data.game.zones.values()} | dict(format.format.zones)
    shown = {"found": found, "reference": reference, "zones": zones, "between_games": between_games}
    run.show("verify.txt", shown, deck_checks.comparison_values(found, reference))
    return STATUS[found.result]
