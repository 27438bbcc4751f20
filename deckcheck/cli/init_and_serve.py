"""`deckcheck init` and `deckcheck serve`: a folder of decks set up for checking, and the page on which lists are pasted."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run
from deckcheck.config import Settings
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


Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help=N_("The address to listen on; 0.0.0.0 is every network."))
]
Port = Annotated[int, typer.Option(metavar="N", min=1, max=65535, help=N_("The port to listen on."))]
PublicUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help=N_("The address that people use, if it is another one, such as that of a proxy with TLS."),
    ),
]

serve_app = App()


@serve_app.command(
    no_args_is_help=False,
    help=N_("Serve a page on which players paste and check lists, until ^C."),
    epilog="deckcheck serve\ndeckcheck serve --host 0.0.0.0 --port 8080",
)
def serve(
    ctx: typer.Context,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
    config: opt.Config = None,
) -> None:
    run: Run = ctx.obj
    require_web()
    from deckcheck.desk.app import serve_checks
    from deckcheck.desk.limits_and_security import address_of

    settings = run.session(config).options.settings
    cards = tuple(file.absolute() for file in settings.cards)
    options = CheckOptions(settings=Settings(cards=cards, folders=settings.folders))
    serve_checks(options, address_of(host, port, public_url), run.lang)


def require_web() -> None:
    """Raises UserError without the packages that serve pages."""
    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "python_multipart")):
        hint = _("install them with: {command}", command="pip install 'deckcheck[web]'")
        raise user_error(_("pages need further packages"), hint=hint)
