"""`deckcheck event draw`: a log and a seed in, the decks to check at the table out."""

# The annotations are read by typer, so they are no strings here.

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.errors import private_command
from deckcheck.cli.options import EventFile, JsonOrText, Lang
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _

if TYPE_CHECKING:
    from deckcheck.registration.model import Event
    from deckcheck.registration.tablechecks import Draw


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command(
        "draw",
        no_args_is_help=True,
        help=_(
            "Draw the decks to check at the table; the same seed and log always draw the same decks. A deck whose last "
            "check (verify --event) matched its list is left out; one that differed can be drawn again."
        ).key,
    )(draw)


@private_command
def draw(
    event: EventFile,
    seed: Annotated[
        str,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help=_("Any text, best chosen in public, such as by rolling dice at the event.").key,
        ),
    ],
    share: Annotated[
        str, typer.Option("--share", metavar="N%", help=_("Share of all accepted decks to draw.").key)
    ] = "10%",
    output_format: JsonOrText = "text",
    lang: Lang = None,
) -> int:
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import output
    from deckcheck.registration import tablechecks
    from deckcheck.registration.eventfile import read_event
    from deckcheck.registration.log import read_log
    from deckcheck.report.json import json_page
    from deckcheck.support.safetext import safe

    spoken = lang or user_language()
    wanted = tablechecks.share_of(share)
    opened = read_event(Path(event))
    log = read_log(opened.log, opened.id)
    found = tablechecks.draw(log, wanted, seed)
    if not found.total:
        raise user_error(_("no list has been accepted yet"), path=str(opened.log))
    with output(None, exact=output_format == "json") as write:
        if output_format == "json":
            write(json_page(_object(found, log.head, share, seed)))
        else:
            for line in _lines(found, opened, log.head, share, seed):
                write(safe(line if isinstance(line, str) else line.in_(spoken)) + "\n")
    return 0


def _lines(found: "Draw", event: "Event", head: str, share: str, seed: str) -> Iterator[str | Message]:
    from deckcheck.registration.acceptance import receipt_file, receipts_folder

    folder = receipts_folder(event)
    for drawn in found.drawn:
        player = drawn.receipt.player
        who = "  ".join(filter(None, (player.table, player.name, player.id)))
        yield f"{receipt_file(folder, drawn.number)}  {who}"
    how: str | Message = share
    if found.checked:
        how = _("{share}, without the {count} found as registered", share=share, count=found.checked)
    yield _(
        "{drawn} of {total} accepted ({how}), seed “{seed}”, log head {head}",
        drawn=len(found.drawn),
        total=found.total,
        how=how,
        seed=seed,
        head=head,
    )


def _object(found: "Draw", head: str, share: str, seed: str) -> dict[str, object]:
    from deckcheck.report.json import TOOL

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
                "number": drawn.number,
                "player": {
                    key: value for key, value in drawn.receipt.player._asdict().items() if value is not None
                },
            }
            for drawn in found.drawn
        ],
    }
