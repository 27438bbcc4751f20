"""Shell completion: `deckcheck completion SHELL` prints a script, and the script asks here what could come next."""

# The annotations are read by typer, so they are no strings here.

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from deckcheck.cli.errors import command
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from deckcheck.formats.lookup import Folders

PROGRAM = "deckcheck"
COMPLETE_VARIABLE = "_DECKCHECK_COMPLETE"
"""The variable that a shell's script sets when it asks for what could come next."""

_MOST_CARDS = 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "completion",
        no_args_is_help=True,
        short_help=_("Print a completion script for your shell.").key,
        help=_(
            "Print a completion script for your shell.\n\n"
            '\b\nbash (~/.bashrc):\n  eval "$(deckcheck completion bash)"\n\n'
            '\b\nzsh (~/.zshrc, after compinit):\n  eval "$(deckcheck completion zsh)"\n\n'
            "\b\nfish:\n  deckcheck completion fish > ~/.config/fish/completions/deckcheck.fish\n\n"
            "\b\nPowerShell ($PROFILE):\n  deckcheck completion powershell | Out-String | Invoke-Expression"
        ).key,
    )(completion)


@command
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish", "powershell"], typer.Argument(help=_("Your shell.").key)],
) -> int:
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    from deckcheck.cli.terminal import output

    script: str = get_completion_script(prog_name=PROGRAM, complete_var=COMPLETE_VARIABLE, shell=shell)
    with output(None, exact=True) as write:
        write(script + "\n")
    return 0


def complete(app: typer.Typer, lang: str) -> NoReturn:
    """Tell the shell's script what could come next, and exit; `app` has all commands."""
    from typer.completion import completion_init  # type: ignore[attr-defined]
    from typer.main import get_command

    from deckcheck.cli.usage import localize

    completion_init()
    add_values(app)
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


Values = Callable[[str], list[str]]


def add_values(app: typer.Typer) -> None:
    """Give every parameter the values that its metavar stands for."""
    values: dict[str, Values] = {"ID|FILE": _formats, "RULE": _rules, "NAME": _cards, "ID": _games}
    for info in _parameters(app):
        named = values.get((info.metavar or "").rstrip(".,"))
        if named is not None and info.autocompletion is None:
            info.autocompletion = named


def _parameters(app: typer.Typer) -> Iterator[typer.models.ParameterInfo]:
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _parameters(group.typer_instance)
    for registered in app.registered_commands:
        for hint in getattr(registered.callback, "__annotations__", {}).values():
            for info in getattr(hint, "__metadata__", ()):
                if isinstance(info, typer.models.ParameterInfo):
                    yield info


def _formats(incomplete: str) -> list[str]:
    """Ids of formats; and once something is typed, what else they are called."""
    from deckcheck.formats.lookup import known_formats

    known = [named for named in known_formats(_folders()) if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case never counts, but shells compare as it is typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if _is_plain(name)]


def _folders() -> "Folders":
    """The project's own, where there is one and its settings can be read."""
    from deckcheck.cli.project import project_settings
    from deckcheck.formats.lookup import BUNDLED_ONLY
    from deckcheck.support.errors import UserError

    try:
        return project_settings([]).folders
    except UserError:
        return BUNDLED_ONLY


def _rules(incomplete: str) -> list[str]:
    """Ids of rules; behind a comma the next one."""
    from deckcheck.formats.lookup import known_formats
    from deckcheck.model.finding import ENGINE_IDS

    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in known_formats(_folders()) for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if _is_plain(name)]


def _games(incomplete: str) -> list[str]:  # noqa: ARG001 - typer compares
    from deckcheck.cli.project import game_ids

    return game_ids(None)


def _cards(incomplete: str) -> list[str]:
    """Names that go on as it was begun, written so that no shell breaks them up: white space never counts."""
    from deckcheck.cards.catalog import search
    from deckcheck.checking.judge import open_game_data

    if not incomplete.strip() or not _is_plain(incomplete):
        return []
    found = []
    for game in _games(""):
        catalog = open_game_data(game).catalog
        begun = catalog.fold(incomplete)
        for card in search(catalog, incomplete, _MOST_CARDS):
            ends = (at for at in range(1, len(card.name) + 1) if catalog.fold(card.name[:at]) == begun)
            at = next(ends, None)
            name = None if at is None else incomplete + _made_plain(card.name[at:])
            if name is not None and catalog.find(name) == (card,):
                found.append(name)
    return found


_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0


def _is_plain(word: str) -> bool:
    """Whether every shell takes the word as it is; what a stranger's file says could be a command otherwise."""
    return word == _made_plain(word) and not word.startswith("-")


def _made_plain(word: str) -> str:
    """The word without blanks and quotes, and with wide forms of what means something to a shell."""
    kept = (char for char in word if char.isprintable() and not char.isspace() and char not in _QUOTES)
    return "".join(
        chr(ord(char) + _TO_WIDE) if char.isascii() and not char.isalnum() and char not in _HARMLESS else char
        for char in kept
    )
