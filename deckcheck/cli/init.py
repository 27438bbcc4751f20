"""`deckcheck init`: a folder with decks becomes a repository that is checked."""

# The annotations are read by typer, so they are no strings here.

from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.arguments import Lang
from deckcheck.cli.guard import guarded
from deckcheck.cli.language import say, user_language
from deckcheck.support.messages import Words, _

if TYPE_CHECKING:
    from deckcheck.scaffold.plan import Asked
    from deckcheck.scaffold.start import Step


def add_init(app: typer.Typer) -> None:
    app.command(
        "init",
        help=say(
            _(
                "Write settings, a hook and a workflow into a folder with decks. Files that are there "
                "are kept."
            )
        ),
    )(_init)


def _init(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[FOLDER]",
            help=say(_("The folder (default: this one).")),
        ),
    ] = ".",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="ID|FILE",
            help=say(_("The format of decks of which nothing else says it.")),
        ),
    ] = None,
    pre_commit: Annotated[
        bool,
        typer.Option("--pre-commit/--no-pre-commit", help=say(_("The pre-commit hook."))),
    ] = True,
    github: Annotated[bool, typer.Option("--github/--no-github", help=say(_("The GitHub workflow.")))] = True,
    gitlab: Annotated[
        bool, typer.Option("--gitlab/--no-gitlab", help=say(_("The GitLab pipeline.")))
    ] = False,
    requirement: Annotated[
        str | None,
        typer.Option(
            "--requirement",
            metavar="SPEC",
            help=say(
                _("What pip installs for the hook and the workflow (default: this version of deckcheck).")
            ),
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    def work() -> int:
        from deckcheck.scaffold.plan import Asked
        from deckcheck.support.version import VERSION

        spec = requirement if requirement is not None else f"deckcheck=={VERSION}"
        return _run(folder, Asked(spec, format, pre_commit, github, gitlab, lang or user_language()))

    raise typer.Exit(guarded(work, lang))


def _run(name: str, asked: "Asked") -> int:
    """Write what is asked for, and tell what was written. Raises UserError where that can't be done."""
    from pathlib import Path

    from deckcheck.checking.walk import DeckFile, find_decks
    from deckcheck.cli.check import tell_first_time
    from deckcheck.cli.screen import output
    from deckcheck.scaffold.start import set_up
    from deckcheck.scaffold.survey import survey
    from deckcheck.support.errors import wrong

    folder = Path(name)
    if not folder.is_dir():
        raise wrong(_("no such folder"), path=name)
    tell_first_time(asked.lang)
    others: list[str] = []
    lists = [one for one in find_decks([name], others) if isinstance(one, DeckFile)]
    wrote = False
    with output(None, exact=False) as write:
        for step in set_up(folder, survey(folder, lists, others), asked):
            wrote = wrote or step.written
            write(_told(step, asked.lang))
        write((_next(name) if wrote else _NOTHING).in_(asked.lang) + "\n")
    return 0


def _told(step: "Step", lang: str) -> str:
    from deckcheck.support.safetext import safe

    state = (_WRITTEN if step.written else _KEPT).in_(lang)
    lines = [f"{step.path}: {state}", *(f"  {note.in_(lang)}" for note in step.notes)]
    return "".join(safe(line) + "\n" for line in lines) + (step.add or "")


def _next(folder: str) -> Words:
    import shlex

    from deckcheck.support.safetext import safe

    command = f"deckcheck check {safe(shlex.quote(folder))}"
    return _("next: {command}", command=command)


_WRITTEN = _("written")
_KEPT = _("kept")
_NOTHING = _("there was nothing to write")
