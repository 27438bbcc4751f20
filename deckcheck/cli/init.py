"""`deckcheck init`: a folder with decks becomes a repository that is checked."""

# The annotations are read by typer, so they are no strings here.

import shlex
from typing import Annotated

import typer

from deckcheck.cli.errors import command
from deckcheck.cli.options import Lang
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "init",
        help=_(
            "Set up checking for a folder of decks: settings, a pre-commit hook and a CI workflow. Existing files are "
            "kept."
        ).key,
    )(init)


@command
def init(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help=_("Folder (default: the working directory).").key)
    ] = ".",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=_("Format of decks that do not name one themselves.").key,
        ),
    ] = None,
    pre_commit: Annotated[
        bool, typer.Option("--pre-commit/--no-pre-commit", help=_("Write a pre-commit hook.").key)
    ] = True,
    github: Annotated[
        bool, typer.Option("--github/--no-github", help=_("Write a GitHub workflow.").key)
    ] = True,
    gitlab: Annotated[
        bool, typer.Option("--gitlab/--no-gitlab", help=_("Write a GitLab pipeline.").key)
    ] = False,
    requirement: Annotated[
        str | None,
        typer.Option(
            "--requirement",
            metavar="SPEC",
            help=_("What pip installs in the hook and in CI (default: this version of deckcheck).").key,
        ),
    ] = None,
    lang: Lang = None,
) -> int:
    from pathlib import Path

    from deckcheck.checking.walk import DeckFile, find_decks
    from deckcheck.cli.language import user_language
    from deckcheck.cli.terminal import output, tell_first_time
    from deckcheck.scaffold.setup import InitOptions, set_up
    from deckcheck.scaffold.survey import survey
    from deckcheck.support.safetext import safe
    from deckcheck.support.version import VERSION

    spoken = lang or user_language()
    spec = requirement if requirement is not None else f"deckcheck=={VERSION}"
    if not Path(folder).is_dir():
        raise user_error(_("no such folder"), path=folder)
    tell_first_time(spoken)
    others: list[str] = []
    lists = [found for found in find_decks([folder], others) if isinstance(found, DeckFile)]
    options = InitOptions(spec, format, pre_commit, github, gitlab, spoken)
    wrote = False
    with output(None, exact=False) as write:
        for step in set_up(Path(folder), survey(Path(folder), lists, others), options):
            wrote = wrote or step.written
            state = _("written") if step.written else _("kept")
            lines = [f"{step.path}: {state.in_(spoken)}", *(f"  {note.in_(spoken)}" for note in step.notes)]
            write("".join(safe(line) + "\n" for line in lines) + (step.add or ""))
        following = _("next: deckcheck check {folder}", folder=safe(shlex.quote(folder)))
        write((following if wrote else _("nothing to write")).in_(spoken) + "\n")
    return 0
