"""`deckcheck serve`: the page on which lists are pasted and checked."""

from importlib.util import find_spec
from typing import Annotated

import typer

from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import App
from deckcheck.cli.run import Run
from deckcheck.config import Settings
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, _

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
