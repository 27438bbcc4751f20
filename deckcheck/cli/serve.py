"""`deckcheck serve`: the page on which lists are pasted and checked."""

import os
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.checking.session import CheckOptions
from deckcheck.cli import options as opt
from deckcheck.cli.help import Command, examples
from deckcheck.cli.project import open_project
from deckcheck.cli.run import Run, Status
from deckcheck.cli.terminal import write_messages
from deckcheck.support.errors import user_error
from deckcheck.support.messages import N_, Words, _

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

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(
    cls=Command,
    help=N_("Serve a page on which players paste and check lists, until ^C."),
    epilog=examples("deckcheck serve", "deckcheck serve --host 0.0.0.0 --port 8080"),
)
def serve(
    ctx: typer.Context,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
    cards: opt.Cards = None,
    games: opt.Games = None,
    config: opt.Config = None,
    _lang: opt.Lang = None,
) -> int:
    run: Run = ctx.obj
    require_web()
    from deckcheck.desk.app import Desk, make_app
    from deckcheck.desk.checks import CheckPool, Setting
    from deckcheck.desk.server import address_of, run_server

    address = address_of(host, port, public_url)
    options = open_project(
        run, [], CheckOptions(cards=tuple(cards or ())), games=games, config=config
    ).options
    pool = CheckPool.of_processes(
        Setting(options.folders, tuple(Path(card).absolute() for card in options.cards)), processes()
    )
    write_messages(
        run.lang, _("the page is at {url} (end with ^C)", url=address.url), *exposure_notes(host, public_url)
    )
    run_server(make_app(Desk(pool), address), address)
    return Status.OK


def require_web() -> None:
    """Raises UserError without the packages that serve pages."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("starlette", "uvicorn", "python_multipart")):
        hint = _("install them with: {command}", command="pip install 'deckcheck[web]'")
        raise user_error(_("pages need further packages"), hint=hint)


def processes() -> int:
    """How many processes check lists: one for each processor, four at most."""
    return min(os.cpu_count() or 1, 4)


def exposure_notes(host: str, public_url: str | None) -> list[Words]:
    """What to know before the page is opened to others."""
    if host in ("127.0.0.1", "localhost", "::1") and public_url is None:
        return []
    if public_url is not None and public_url.startswith("https://"):
        return []
    return [
        _(
            "others can reach this page without encryption: on the internet, put a proxy with TLS in front of it "
            "and name its address with --public-url"
        )
    ]
