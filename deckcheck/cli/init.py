"""`deckcheck init`: a folder with decks becomes a repository that is checked."""

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run
from deckcheck.scaffold import Pipeline, set_up
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _

init_app = App()


@init_app.command(
    no_args_is_help=False,
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
) -> None:
    run: Run = ctx.obj
    if not Path(folder).is_dir():
        raise user_error(_("no such folder"), path=folder)
    wanted: dict[Pipeline, bool] = {"pre_commit": pre_commit, "github": github, "gitlab": gitlab}
    pipelines = [kind for kind, is_wanted in wanted.items() if is_wanted]
    set_up(Path(folder), format, pipelines, run.lang)
