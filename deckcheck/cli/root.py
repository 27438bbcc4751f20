"""`deckcheck` itself: which commands there are."""

from collections.abc import Mapping
from types import MappingProxyType

from deckcheck.cli import options as opt
from deckcheck.cli.command import PROGRAM, Group, LazyCommand, Run, command
from deckcheck.cli.terminal import show
from deckcheck.support.messages import _


@command(_("Check decklists against format rules and banlists."), "* lang", help_if_bare=True)
def _program(_run: Run, version: bool = opt.flag("--version", _("Show the version."))) -> int:
    if version:
        from deckcheck.support import VERSION

        show(f"{PROGRAM} {VERSION}\n")
    return 0


COMMANDS: Mapping[str, LazyCommand] = MappingProxyType(
    {
        "check": LazyCommand("check", _("Check decks.")),
        "import": LazyCommand("import_command", _("Import cards and banlists.")),
        "fmt": LazyCommand("fmt", _("Rewrite decklists in one canonical notation.")),
        "convert": LazyCommand("convert", _("Convert a decklist to another notation.")),
        "init": LazyCommand("init", _("Set up checking for a folder of decks.")),
        "rule": LazyCommand("rule", _("Explain a rule, or list all rules.")),
        "which": LazyCommand("which", _("Find the formats in which a deck is legal.")),
        "repair": LazyCommand("repair", _("Find the legal deck nearest to an illegal one.")),
        "completion": LazyCommand("completion", _("Print a completion script for your shell.")),
        "impact": LazyCommand("impact", _("Find the decks that a change of the banlists affects.")),
        "bulk": LazyCommand("bulk", _("Judge stored decks by the million.")),
        "sheet": LazyCommand("sheet", _("Make printable decklist sheets.")),
        "seal": LazyCommand("seal", _("Register a list without showing it.")),
        "unseal": LazyCommand("seal", _("Prove that an opened list is the sealed one.")),
        "verify": LazyCommand("verify", _("Compare a deck at the table with the registered list.")),
        "formats": LazyCommand("formats", _("List, explain and test formats.")),
        "cards": LazyCommand("cards", _("Look up and import cards.")),
        "banlists": LazyCommand("import_command", _("Work with dated banlists.")),
        "event": LazyCommand("event", _("Run deck registration for an event.")),
    }
)
"""Each command with its module in this package and its line in the help, in the order of the help."""

ROOT = Group(_program.help, COMMANDS, _program)
