"""Shell completion: `deckcheck completion SHELL` prints a script, and the script asks here what could come next."""

# The annotations are read by typer, so they are no strings here.

import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Literal, NoReturn

import typer

from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say
from deckcheck.formats.lookup import Folders
from deckcheck.support.messages import _

PROGRAM = "deckcheck"
ASKED_BY = "_DECKCHECK_COMPLETE"
"""The variable that a shell's script sets when it asks for what could come next."""


def add_completion(app: typer.Typer) -> None:
    app.command(
        "completion",
        no_args_is_help=True,
        help=say(_("Print a script that completes words in a shell.")) + _WHERE_TO_PUT_IT,
    )(_completion)


_WHERE_TO_PUT_IT = "".join(
    f"\n\n\b\n{where}\n  {line}"
    for where, line in (
        ("bash (~/.bashrc):", 'eval "$(deckcheck completion bash)"'),
        (
            say(_("zsh (~/.zshrc, after compinit):")),
            'eval "$(deckcheck completion zsh)"',
        ),
        ("fish:", "deckcheck completion fish > ~/.config/fish/completions/deckcheck.fish"),
        ("PowerShell ($PROFILE):", "deckcheck completion powershell | Out-String | Invoke-Expression"),
    )
)


def _completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish", "powershell"],
        typer.Argument(help=say(_("The shell that you use."))),
    ],
) -> None:
    def work() -> int:
        from typer.completion import get_completion_script  # type: ignore[attr-defined]

        from deckcheck.cli.screen import output

        script: str = get_completion_script(prog_name=PROGRAM, complete_var=ASKED_BY, shell=shell)
        with output(None, exact=True) as write:
            write(script + "\n")
        return 0

    raise typer.Exit(guarded(work, None))


def answer(app: typer.Typer) -> NoReturn:
    """Tell the shell's script what could come next, and exit; `app` has all commands."""
    from typer.completion import completion_init  # type: ignore[attr-defined]
    from typer.main import get_command

    completion_init()
    _tell_values(app)
    command = get_command(app)
    for parameter in command.params:
        # Showing the version is nothing that could come next.
        parameter.callback = None
    try:
        command.main(args=[], prog_name=PROGRAM, complete_var=ASKED_BY)
    except Exception:
        # Whoever types is in the middle of a line: nothing is said there.
        sys.exit(1)
    sys.exit(0)


Values = Callable[[str], list[str]]


def _tell_values(app: typer.Typer) -> None:
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
    for command in app.registered_commands:
        for hint in getattr(command.callback, "__annotations__", {}).values():
            for info in getattr(hint, "__metadata__", ()):
                if isinstance(info, typer.models.ParameterInfo):
                    yield info


def _formats(incomplete: str) -> list[str]:
    """Ids of formats; and once something is typed, what else they are called."""
    from deckcheck.formats.lookup import known_formats

    known = [one for one in known_formats(_folders()) if not one.abstract]
    ids = [one.id for one in known]
    called = [name for one in known for name in (one.id.rpartition("/")[2], *one.aliases) if incomplete]
    # Letter case never counts, but shells compare as it is typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if _is_plain(name)]


def _folders() -> Folders:
    """The project's own, where there is one and its settings can be read."""
    from deckcheck.cli.project import project
    from deckcheck.formats.lookup import BUNDLED_ONLY
    from deckcheck.support.errors import UserError

    try:
        return project([]).folders
    except UserError:
        return BUNDLED_ONLY


def _rules(incomplete: str) -> list[str]:
    """Ids of rules; behind a comma the next one."""
    from deckcheck.formats.lookup import known_formats
    from deckcheck.model.finding import ENGINE_IDS

    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for one in known_formats(_folders()) for rule in one.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if _is_plain(name)]


def _games(incomplete: str) -> list[str]:  # noqa: ARG001 - typer compares
    from deckcheck.support.files import shipped

    return sorted(file.parent.name for file in shipped("formats").glob("*/game.yaml"))


_MOST_CARDS = 100


def _cards(incomplete: str) -> list[str]:
    """Names that go on as it was begun, written so that no shell breaks them up: white space never counts."""
    from deckcheck.cards.search import search
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
