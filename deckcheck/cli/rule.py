"""`deckcheck rule` on the command line: what a rule means."""

# The annotations are read by typer, so they are no strings here.

from typing import Annotated

import typer

from deckcheck.cli.arguments import Cards, Config, Isolated, Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.support.messages import _


def add_rule(app: typer.Typer) -> None:
    app.command(
        "rule",
        help=say(
            _(
                "Explain a rule, with an example that breaks it and one that keeps it; without an ID "
                "list them all."
            )
        ),
    )(_rule)


def _rule(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help=say(_("The rule's id.")))] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=say(_("Only the rules of this format.")),
        ),
    ] = None,
    lang: Lang = None,
    cards: Cards = None,
    config: Config = None,
    isolated: Isolated = False,
) -> None:
    def work() -> int:
        from deckcheck.cli.rules import run

        return run(rule, format, lang, cards or [], config=config, isolated=isolated)

    raise typer.Exit(guarded(work, lang))
