"""`deckcheck init`: a folder with decks becomes a repository that is checked."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from deckcheck.cli import options as opt
from deckcheck.cli.help import Command
from deckcheck.cli.run import Run, Status
from deckcheck.scaffold.setup import Pipeline, Source, installed_source, set_up
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    help=N_(
        "Set up checking for a folder of decks: settings, a pre-commit hook and a CI workflow. Existing files are "
        "kept."
    ),
    epilog="deckcheck init\ndeckcheck init decks --format original --no-github --gitlab",
)
def init(
    ctx: typer.Context,
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[FOLDER]", show_default=False, help=N_("Folder (default: the working directory).")
        ),
    ] = ".",
    format: opt.FormatChosen = None,
    pre_commit: Annotated[bool, typer.Option(help=N_("Write a pre-commit hook."))] = True,
    github: Annotated[bool, typer.Option(help=N_("Write a GitHub workflow."))] = True,
    gitlab: Annotated[bool, typer.Option(help=N_("Write a GitLab pipeline."))] = False,
    requirement: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            envvar="DECKCHECK_REQUIREMENT",
            help=N_("What pip installs in the hook and in CI (default: what this copy was installed from)."),
        ),
    ] = None,
    facts: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|URL",
            help=N_("File or address of cards or banlists that CI imports before each check (repeatable)."),
        ),
    ] = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    if not Path(folder).is_dir():
        raise user_error(_("no such folder"), path=folder)
    wanted: dict[Pipeline, bool] = {"pre_commit": pre_commit, "github": github, "gitlab": gitlab}
    pipelines = [kind for kind, is_wanted in wanted.items() if is_wanted]
    source = installed_source() if requirement is None else Source(requirement)
    set_up(Path(folder), format, replace(source, facts=tuple(facts or ())), pipelines, run.lang)
    return Status.OK
