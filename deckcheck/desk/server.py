"""Puts the pages of an event together, and runs an application until ^C."""

from urllib.parse import urlsplit

import uvicorn
from msgspec.structs import replace
from starlette.applications import Starlette

from deckcheck.checking.many_lists import processors
from deckcheck.checking.session import CheckOptions
from deckcheck.config.settings import Settings
from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.check_pool import CheckPool
from deckcheck.desk.limits_and_security import Address
from deckcheck.desk.organiser import OrganiserPages, new_key
from deckcheck.desk.player_pages import PlayerPages
from deckcheck.registration.event import Event, EventSession
from deckcheck.support.errors import user_error
from deckcheck.support.messages import Words, _
from deckcheck.support.terminal import write_messages

_MOST_PROCESSES = 4
"""The most processes that check lists, of which there is one for each processor."""


def address_of(host: str, port: int, public_url: str | None) -> Address:
    """The address to serve at. Raises UserError for a public address that is none."""
    if public_url is not None:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            hint = _("write it like https://decks.example")
            raise user_error(_("--public-url: {url!r} is no address of a site", url=public_url), hint=hint)
    return Address(host, port, public_url)


def exposure_notes(address: Address) -> list[Words]:
    """What to know before the page is opened to others."""
    is_local = address.host in ("127.0.0.1", "localhost", "::1") and address.public_url is None
    if is_local or address.is_secure:
        return []
    return [
        _(
            "others can reach this page without encryption: on the internet, put a proxy with TLS in front of it "
            "and name its address with --public-url"
        )
    ]


def run_server(app: Starlette, address: Address) -> None:
    """Serve the application until ^C. Raises UserError if the port is taken.

    What is asked is never logged: lists, names and private links would be in it.
    """
    config = uvicorn.Config(
        app,
        host=address.host,
        port=address.port,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=64 * 1024,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
        limit_concurrency=2_000,
    )
    try:
        listener = config.bind_socket()
    except (OSError, SystemExit):
        place = f"{address.host}:{address.port}"
        hint = _("choose another address with --host, or another port with --port")
        raise user_error(_("can't listen on {place}", place=place), hint=hint) from None
    uvicorn.Server(config).run(sockets=[listener])


def serve_checks(options: CheckOptions, address: Address, lang: str) -> None:
    """Serve the page on which lists are checked until ^C. Raises UserError."""
    served = make_app(Desk(_pool(options)), address)
    where = _("the page is at {url} (end with ^C)", url=address.url)
    write_messages(lang, where, *exposure_notes(address))
    run_server(served, address)


def serve_event(session: EventSession, address: Address, lang: str) -> None:
    """Serve the pages of an event until ^C. Raises UserError."""
    key = new_key()
    served = make_event_app(session, _pool(options_of(session.event)), address, key)
    write_messages(
        lang,
        _("for players: {url}", url=address.url),
        _("for the organiser, and nobody else: {url}", url=f"{address.url}/desk?key={key}"),
        *exposure_notes(address),
    )
    run_server(served, address)


def _pool(options: CheckOptions) -> CheckPool:
    return CheckPool.of_processes(options, min(processors(), _MOST_PROCESSES))


# The pages of an event


def options_of(event: Event) -> CheckOptions:
    """What all checks for an event share."""
    settings = Settings(cards=event.cards, folders=event.folders)
    return CheckOptions(event.format, event.as_of, event.best_of, settings=settings)


def make_event_app(session: EventSession, pool: CheckPool, address: Address, key: str) -> Starlette:
    """The application for an event; `key` opens the organiser's pages. Raises UserError if no list can be stored."""
    event = replace(session.event, path=session.event.path.absolute())
    desk = Desk(pool)
    players = PlayerPages(desk, event, session.format.format.name)
    organiser = OrganiserPages(desk, event.path, key, secure=address.is_secure)
    return make_app(desk, address, [*players.routes(), *organiser.routes()])
