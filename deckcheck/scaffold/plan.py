"""What `deckcheck init` is to write into a folder, from what was found there."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.lookup import Folders, bundled_formats, format_file
from deckcheck.scaffold import contents
from deckcheck.scaffold.guess import Guess, Known, called, guess, known_formats
from deckcheck.scaffold.survey import OwnFormat, Parts, Survey
from deckcheck.support.errors import UserError
from deckcheck.support.files import is_file, read_bytes
from deckcheck.support.messages import Words, _, n_
from deckcheck.support.text import Text

SETTINGS = "deckcheck.toml"
MOST_TOLD = 20
"""A folder with a thousand folders is not read out."""


class Asked(NamedTuple):
    """What to write, and with what in it. `requirement` is what pip installs deckcheck by."""

    requirement: str
    format: str | None = None
    pre_commit: bool = True
    github: bool = True
    gitlab: bool = False
    lang: str = "en"


class Piece(NamedTuple):
    """A file to write: what to tell of it when it was written, and what when it was there before.

    With `add` that is to be added to the file that is there.
    """

    parts: Parts
    content: str | bytes
    written: tuple[Words, ...] = ()
    kept: tuple[Words, ...] = ()
    add: str | None = None


def settled(folder: Path, found: Survey, asked: Asked) -> Asked:
    """What is asked for, with the format as the settings are to name it.

    Raises UserError for a format that is not there or a requirement that
    can't be one.
    """
    contents.require_requirement(asked.requirement)
    if asked.format is None:
        return asked
    known = known_formats(bundled_formats(), found.formats)
    return asked._replace(format=_reference(asked.format, folder, found.formats, known))


def pieces(folder: Path, found: Survey, asked: Asked) -> list[Piece]:
    """The files to write into `folder`, in order; `asked` is `settled`."""
    known = known_formats(bundled_formats(), found.formats)
    guessed = guess(found.decks, known, asked.format)
    text = contents.settings(guessed, found, asked.lang, _example(guessed, known))
    planned = [Piece((SETTINGS,), text, tuple(_told(guessed, found)))]
    tried = _can_be_tried(found.formats)
    if asked.pre_commit:
        text = contents.pre_commit(asked.requirement, asked.lang, formats=tried)
        add = contents.pre_commit_hook(text)
        planned.append(_shared(folder, ".pre-commit-config.yaml", text, add, _HOOK, _HOOK_TO_ADD))
    if asked.github:
        text = contents.workflow(asked.requirement, asked.lang, formats=tried)
        planned.append(Piece((".github", "workflows", "deckcheck.yml"), text, (_WORKFLOW,)))
    if asked.gitlab:
        text = contents.gitlab(asked.requirement, asked.lang, formats=tried)
        planned.append(_shared(folder, ".gitlab-ci.yml", text, text, _GITLAB, _GITLAB_TO_ADD))
    return planned


def _example(guessed: Guess, known: Sequence[Known]) -> str:
    """The format to name in comments: of the game that the decks are of, else of the first there is."""
    meant = guessed.format or next((one.format for one in guessed.folders), None)
    bundled = [one.id for one in known if one.file is None]
    game = (meant or bundled[0]).partition("/")[0]
    return next((id for id in reversed(bundled) if id.partition("/")[0] == game), bundled[0])


def has_settings(folder: Path) -> bool:
    """Whether the folder's pyproject.toml holds the settings; a deckcheck.toml would hide them."""
    import tomllib

    file = folder / "pyproject.toml"
    if not is_file(file):
        return False
    try:
        data = tomllib.loads(read_bytes(file).decode())
    except (UserError, ValueError):
        return False
    tool = data.get("tool")
    return isinstance(tool, dict) and "deckcheck" in tool


def repository_of(folder: Path) -> Path | None:
    """The top of the repository in which a folder lies below the top; None for a top, or outside of any."""
    whole = folder.resolve()
    for at in (whole, *whole.parents):
        if os.path.lexists(at / ".git"):
            return None if at == whole else at
    return None


def _can_be_tried(own: Sequence[OwnFormat]) -> bool:
    """Whether all formats have cases: one without would fail from the first day on."""
    playable = [one for one in own if not one.named.abstract]
    return bool(playable) and all(one.cases for one in playable)


def _reference(asked: str, folder: Path, own: Sequence[OwnFormat], known: Sequence[Known]) -> str:
    """How the settings are to name the format that was asked for. Raises UserError where there is none."""
    if not asked.endswith((".yaml", ".yml")):
        named = called(asked, known)
        if named is None:
            # Which tells what was meant.
            format_file(asked, folders=Folders(tuple(folder.joinpath(*one.parts[:-1]) for one in own)))
        return named or asked
    file = Path(asked)
    read_bytes(file)
    inside = {folder.joinpath(*one.parts).resolve(): one.named.id for one in own}
    return inside.get(file.resolve()) or Path(os.path.relpath(file, folder)).as_posix()


def _shared(folder: Path, name: str, text: str, add: str, done: Words, to_add: Words) -> Piece:
    """A file that others write into, too: where it is there without us, what to add is shown."""
    file = folder / name
    try:
        lacking = is_file(file) and not re.search(rb"(?m)^[^#\n]*\bdeckcheck\b", read_bytes(file))
    except UserError:
        lacking = True
    return Piece((name,), text, (done,), (to_add,) if lacking else (), add if lacking else None)


def _told(guessed: Guess, found: Survey) -> Iterator[Words]:
    number = len(found.decks)
    yield n_("{n} deck found", "{n} decks found", number)
    for mapped in guessed.folders[:MOST_TOLD]:
        name = "/".join(mapped.parts)
        ja, en = (
            ("フォルダの名前から", "by the folder's name")
            if mapped.by_name
            else ("中のデッキから", "as its decks say")
        )
        yield Text(f"{name}/: {mapped.format}（{ja}）", f"{name}/: {mapped.format} ({en})")
    more = len(guessed.folders) - MOST_TOLD
    if more > 0:
        yield _("and {more} more folders", more=more)
    if guessed.format is not None:
        yield _("other decks: {format}", format=guessed.format)
    if guessed.open:
        yield _(
            "{open} of them name no format: set format in {settings}", open=guessed.open, settings=SETTINGS
        )
    for named, ja, en in (
        (tuple(one.parts for one in found.formats), "自分のフォーマット", "formats of your own"),
        (found.banlists, "自分の禁止リスト", "banlists of your own"),
        (
            found.no_decks,
            "知っているカードがないので、デッキではないものとして除きました",
            "excluded, for no card is known in them",
        ),
    ):
        if named:
            yield Text(f"{ja}: {_listed(named)}", f"{en}: {_listed(named)}")


def _listed(files: Sequence[Parts]) -> str:
    more = len(files) - MOST_TOLD
    return ", ".join("/".join(one) for one in files[:MOST_TOLD]) + (f" … (+{more})" if more > 0 else "")


_HOOK = _("checks the decks that change before each commit, once you run `pre-commit install`")
_HOOK_TO_ADD = _('add this below "repos:"')
_WORKFLOW = _("checks all decks at every push and pull request on GitHub")
_GITLAB = _("checks all decks in every pipeline on GitLab")
_GITLAB_TO_ADD = _("add this")
