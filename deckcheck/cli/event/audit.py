"""`deckcheck event audit` on the command line: its options. What it does stands in auditing.py."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.event.arguments import EventFile, Output
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_audit(group: typer.Typer) -> None:
    group.command(
        "audit",
        no_args_is_help=True,
        help=say(
            _(
                "Prove that nothing in the log was altered, removed or reordered, and judge every "
                "receipt again."
            )
        ),
        epilog=say(
            _(
                "Exit status: 0 all holds; 1 something was altered; 2 it could not be looked at; 3 some "
                "receipts can't be proven, for the rules have changed."
            )
        ),
    )(_audit)


def _audit(
    event: EventFile,
    receipts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RECEIPT...]",
            help=say(_("Receipts that must be in the log, such as players have kept.")),
        ),
    ] = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            "--head",
            metavar="HASH",
            help=say(_("A head that was noted down, all of its 64 digits (repeatable).")),
        ),
    ] = None,
    output_format: Output = "text",
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.cli.event.auditing import run

        return run(event, receipts or [], head or [], output_format, lang)

    raise typer.Exit(guarded(work, lang, private=True))
