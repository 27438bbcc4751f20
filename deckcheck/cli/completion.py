"""`deckcheck completion`: a script for a shell, and the answers to what the script asks."""

import os
import sys
from typing import Literal, NoReturn

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.command import PROGRAM, Run, command, localize
from deckcheck.cli.terminal import show
from deckcheck.support.messages import _

COMPLETE_VARIABLE = "_DECKCHECK_COMPLETE"
"""The variable that a shell's script sets when it asks for what could come next."""


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
        # The user is in the middle of typing, so no error is shown.
        sys.exit(1)
    sys.exit(0)
