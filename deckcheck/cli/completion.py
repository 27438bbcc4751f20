"""Shell completion: `deckcheck completion SHELL` prints a script, and the script asks here what could come next."""

import os
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NoReturn

import typer

from deckcheck.cards.catalog import search
from deckcheck.checking.judge import open_game_data
from deckcheck.cli import options as opt
from deckcheck.cli.command import Run, command, localize
from deckcheck.cli.terminal import show
from deckcheck.config.settings import settings_for
from deckcheck.formats.loading import bundled_games
from deckcheck.formats.lookup import FormatEntry, known_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _

PROGRAM = "deckcheck"
COMPLETE_VARIABLE = "_DECKCHECK_COMPLETE"
"""The variable that a shell's script sets when it asks for what could come next."""

_MOST_CARDS = 100


@command(
    _(
        "Print a completion script for your shell.\n\n"
        'bash (~/.bashrc):\n\n  eval "$(deckcheck completion bash)"\n\n'
        'zsh (~/.zshrc, after compinit):\n\n  eval "$(deckcheck completion zsh)"\n\n'
        "fish:\n\n  deckcheck completion fish > ~/.config/fish/completions/deckcheck.fish\n\n"
        "PowerShell ($PROFILE):\n\n  deckcheck completion powershell | Out-String | Invoke-Expression"
    ),
    options="",
    help_if_bare=True,
)
def completion(
    _run: Run, shell: Literal["bash", "zsh", "fish", "powershell"] = opt.argument(_("Your shell."))
) -> int:
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script: str = get_completion_script(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE, shell=shell)
    show(script + "\n", exact=True)
    return 0


def typed_words() -> list[str]:
    """The words behind the program's name on the line that is being typed."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:]


def complete(app: typer.Typer, lang: str) -> NoReturn:
    """Tell the shell's script what could come next, and exit."""
    from typer.completion import completion_init  # type: ignore[attr-defined]
    from typer.main import get_command

    completion_init()
    command = get_command(app)
    localize(command, lang)
    for parameter in command.params:
        # Showing the version is nothing that could come next.
        parameter.callback = None
    try:
        command.main(args=[], prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE)
    except Exception:
        # Whoever types is in the middle of a line: nothing is said there.
        sys.exit(1)
    sys.exit(0)


def _known_formats() -> list[FormatEntry]:
    """Those of the project, where there is one and its settings can be read, and the bundled ones."""
    try:
        return known_formats(settings_for([]).folders)
    except UserError:
        return known_formats()


def formats(incomplete: str) -> list[str]:
    """Ids of formats; and once something is typed, what else they are called."""
    known = [named for named in _known_formats() if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case never counts, but shells compare as it is typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def rules(incomplete: str) -> list[str]:
    """Ids of rules; behind a comma the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in _known_formats() for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def cards(incomplete: str) -> list[str]:
    """Names that go on as it was begun, written so that no shell breaks them up: white space never counts."""
    if not incomplete.strip() or not is_plain(incomplete):
        return []
    found = []
    for catalog in (open_game_data(game).catalog for game in bundled_games()):
        begun = catalog.fold(incomplete)
        for card in search(catalog, incomplete, _MOST_CARDS):
            ends = [at for at in range(1, len(card.name) + 1) if catalog.fold(card.name[:at]) == begun]
            names = (incomplete + made_plain(card.name[at:]) for at in ends[:1])
            found += [name for name in names if catalog.find(name) == (card,)]
    return found


WORDS: Mapping[str, Callable[[str], list[str]]] = MappingProxyType(
    {"ID|FILE": formats, "RULE": rules, "NAME": cards, "ID": lambda _incomplete: bundled_games()}
)
"""What is offered where a metavar stands, once something (or nothing) of it is typed."""

_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0


def is_plain(word: str) -> bool:
    """Whether every shell takes the word as it is; what a stranger's file says could be a command otherwise."""
    return word == made_plain(word) and not word.startswith("-")


def made_plain(word: str) -> str:
    """The word without blanks and quotes, and with wide forms of what means something to a shell."""
    kept = (char for char in word if char.isprintable() and not char.isspace() and char not in _QUOTES)
    return "".join(
        chr(ord(char) + _TO_WIDE) if char.isascii() and not char.isalnum() and char not in _HARMLESS else char
        for char in kept
    )
