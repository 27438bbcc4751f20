"""`deckcheck completion`: a script for a shell, and the answers to what the script asks."""

import os
import sys
from argparse import REMAINDER, ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn

import argcomplete
from argcomplete.shell_integration import shellcode

from deckcheck.cli import options as opt
from deckcheck.cli.command import PROGRAM, Command, Group, Run, command
from deckcheck.cli.completion_words import WORDS
from deckcheck.cli.help import first_sentence
from deckcheck.cli.options import Parameter
from deckcheck.cli.parsing import UsageError, read_words
from deckcheck.cli.root import ROOT
from deckcheck.cli.terminal import show
from deckcheck.support.messages import _


@command(
    _(
        "Print a completion script for your shell.\n\n"
        'bash (~/.bashrc):\n\n  eval "$(deckcheck completion bash)"\n\n'
        'zsh (~/.zshrc, after compinit):\n\n  eval "$(deckcheck completion zsh)"\n\n'
        "fish:\n\n  deckcheck completion fish > ~/.config/fish/completions/deckcheck.fish\n\n"
        "PowerShell ($PROFILE):\n\n  deckcheck completion powershell | Out-String | Invoke-Expression"
    ),
    "* lang",
    help_if_bare=True,
)
def completion(
    _run: Run, shell: Literal["bash", "zsh", "fish", "powershell"] = opt.argument(_("Your shell."))
) -> int:
    show(shellcode([PROGRAM], shell=shell).strip("\n") + "\n", exact=True)
    return 0


def complete(lang: str) -> NoReturn:
    """Tell the shell's script the possible next words, and exit."""
    # For this parser, every word is an argument: our own tables have the meanings.
    parser = ArgumentParser(prefix_chars="\0", add_help=False)
    words: Any = parser.add_argument("words", nargs=REMAINDER)
    words.completer = lambda prefix, parsed_args, **_more: offers(parsed_args.words or (), prefix, lang)
    try:
        argcomplete.autocomplete(parser, exit_method=sys.exit)
    except Exception:
        # The user is still typing, so no error is shown.
        sys.exit(1)
    sys.exit(0)


def offers(words: Sequence[str], begun: str, lang: str = "en") -> dict[str, str]:
    """The words that could come after these and begin as typed, with their help."""
    item: Command | Group = ROOT
    while True:
        parameters = item.parameters
        try:
            typed, rest = read_words(words, parameters, group=isinstance(item, Group))
        except UsageError as error:
            # After another mistake, there is nothing to offer.
            return {} if error.lacks is None else _values(error.lacks, begun)
        if not isinstance(item, Group) or not rest:
            break
        name, *words = rest
        below = item.find(name)
        if below is None:
            return {}
        item = below
    found: dict[str, str] = {}
    if begun.startswith("-") and "--" not in words:
        option, equals, value = begun.partition("=")
        for parameter in parameters:
            names = (name for name in (*parameter.names, parameter.off) if name)
            found |= {
                name: first_sentence(parameter.help.in_(lang)) for name in names if name.startswith(option)
            }
            if equals and option in parameter.names:
                return {f"{option}={offered}": "" for offered in _values(parameter, value)}
    elif isinstance(item, Group):
        found = {name: first_sentence(inner.help.in_(lang)) for name, inner in item.commands.items()}
    else:
        left = (one for one in parameters if not one.names and (one.is_list or one.name not in typed))
        found = next((_values(parameter, begun) for parameter in left), {})
    return {offered: text for offered, text in found.items() if offered.startswith(begun)}


def _values(parameter: Parameter, begun: str) -> dict[str, str]:
    """The possible values of a parameter: its choices, the words for its metavar, or files."""
    kind = (parameter.metavar or "").strip("[].,")
    if parameter.choices:
        words: Iterable[str] = parameter.choices
    elif kind in WORDS:
        words = [*WORDS[kind](begun), *(_files(begun) if "FILE" in kind else ())]
    else:
        words = _files(begun)
    return dict.fromkeys((word for word in words if word.startswith(begun)), "")


def _files(begun: str) -> list[str]:
    """The files whose paths begin as typed. None for bash, which finds them itself if nothing is offered."""
    folder, name = os.path.split(begun)
    if os.environ.get("_ARGCOMPLETE_SHELL") == "bash":
        return []
    try:
        with os.scandir(Path(folder).expanduser()) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries)
    except (OSError, RuntimeError):
        return []
    shown = (pair for pair in found if pair[0].isprintable() and (name or not pair[0].startswith(".")))
    return [begun[: len(begun) - len(name)] + file + "/" * is_dir for file, is_dir in shown]
