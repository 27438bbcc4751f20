"""`deckcheck completion`: a script for a shell, and the answers to what the script asks."""

import os
import sys
from argparse import REMAINDER, ArgumentParser
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeVar

import argcomplete
from argcomplete.shell_integration import shellcode

from deckcheck.checking.judge import open_game_data
from deckcheck.cli import options as opt
from deckcheck.cli.cards import search
from deckcheck.cli.command import PROGRAM, CommandLine, Group, Run, command
from deckcheck.cli.help import first_sentence
from deckcheck.cli.options import Parameter, UsageError
from deckcheck.cli.terminal import show
from deckcheck.config.settings import settings_for
from deckcheck.formats.loading import known_games
from deckcheck.formats.lookup import BUNDLED_ONLY, Folders, known_formats
from deckcheck.model.card import Catalog
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _

T = TypeVar("T")

_MOST_CARDS = 100
_HARMLESS = "-_./"
_QUOTES = "‘’‚‛“”„‟"
_TO_WIDE = 0xFEE0


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
    line = CommandLine()
    try:
        line.read(words)
    except UsageError as error:
        # After another mistake, there is nothing to offer.
        return {} if error.lacks is None else _values(error.lacks, begun)
    found: dict[str, str] = {}
    if begun.startswith("-") and "--" not in words:
        option, equals, value = begun.partition("=")
        for parameter in line.item.parameters:
            names = (name for name in (*parameter.names, parameter.off) if name)
            found |= {
                name: first_sentence(parameter.help.in_(lang)) for name in names if name.startswith(option)
            }
            if equals and option in parameter.names:
                return {f"{option}={offered}": "" for offered in _values(parameter, value)}
    elif isinstance(line.item, Group):
        found = {name: first_sentence(inner.help.in_(lang)) for name, inner in line.item.commands.items()}
    else:
        arguments = (parameter for parameter in line.item.parameters if not parameter.names)
        left = (argument for argument in arguments if argument.is_list or argument.name not in line.typed)
        found = next((_values(argument, begun) for argument in left), {})
    return {offered: text for offered, text in found.items() if offered.startswith(begun)}


def _values(parameter: Parameter, begun: str) -> dict[str, str]:
    """The possible values of a parameter: its choices, the words for its metavar, or files."""
    kind = (parameter.metavar or "").strip("[].,")
    if parameter.choices:
        words: Iterable[str] = parameter.choices
    elif kind in _WORDS:
        words = [*_WORDS[kind](begun), *(_files(begun) if "FILE" in kind else ())]
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


# Formats, rules, cards and games, written so that no shell takes one for a command


def _from_folders(look_up: Callable[[Folders], list[T]]) -> list[T]:
    """What is found in the folders of the project, if its settings can be read, and among what is bundled."""
    try:
        return look_up(settings_for([]).folders)
    except UserError:
        return look_up(BUNDLED_ONLY)


def formats(incomplete: str) -> list[str]:
    """The ids of formats and, once something is typed, their other names."""
    known = [named for named in _from_folders(known_formats) if not named.abstract]
    ids = [named.id for named in known]
    called = [name for named in known for name in (named.id.rpartition("/")[2], *named.aliases) if incomplete]
    # Letter case doesn't matter, but shells compare words as typed.
    called += [name.lower() for name in called]
    return [name for name in dict.fromkeys(ids + called) if is_plain(name)]


def rules(incomplete: str) -> list[str]:
    """The ids of rules; after a comma, the next one."""
    before = "".join(incomplete.rpartition(",")[:2])
    own = {rule for named in _from_folders(known_formats) for rule in named.rules}
    return [before + name for name in sorted(own | ENGINE_IDS) if is_plain(name)]


def _catalogs(folders: Folders) -> list[Catalog]:
    return [open_game_data(game, folders=folders).catalog for game in known_games(folders)]


def cards(incomplete: str) -> list[str]:
    """Card names that continue what was typed, without blanks (which don't matter), so that no shell splits them."""
    if not incomplete.strip() or not is_plain(incomplete):
        return []
    found = []
    for catalog in _from_folders(_catalogs):
        begun = catalog.fold(incomplete)
        for card in search(catalog, incomplete, _MOST_CARDS):
            ends = [at for at in range(1, len(card.name) + 1) if catalog.fold(card.name[:at]) == begun]
            names = (incomplete + plain_word(card.name[at:]) for at in ends[:1])
            found += [name for name in names if catalog.find(name) == (card,)]
    return found


_WORDS: Mapping[str, Callable[[str], list[str]]] = MappingProxyType(
    {"ID|FILE": formats, "RULE": rules, "NAME": cards, "ID": lambda _incomplete: _from_folders(known_games)}
)
"""For each metavar, a function from what was typed (or "") to the words to offer."""


def is_plain(word: str) -> bool:
    """Whether every shell takes the word literally; a word from an untrusted file could be a command otherwise."""
    return word == plain_word(word) and not word.startswith("-")


def plain_word(word: str) -> str:
    """The word without blanks and quotes, and with full-width forms of characters that are special to a shell."""
    kept = (char for char in word if char.isprintable() and not char.isspace() and char not in _QUOTES)
    return "".join(
        chr(ord(char) + _TO_WIDE) if char.isascii() and not char.isalnum() and char not in _HARMLESS else char
        for char in kept
    )
