"""The pages of an event: those of its players and those of its organiser."""

from starlette.applications import Starlette

from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.checks import CheckPool, Setting
from deckcheck.desk.organiser_pages import OrganiserPages
from deckcheck.desk.player_pages import PlayerPages
from deckcheck.desk.security import Address
from deckcheck.registration.event import Event, EventSession


def setting_of(event: Event) -> Setting:
    """What all checks for an event share."""
    return Setting(event.folders, event.cards, event.format, event.as_of, event.best_of)


def make_event_app(session: EventSession, pool: CheckPool, address: Address, key: str) -> Starlette:
    """The application for an event; `key` opens the organiser's pages. Raises UserError if no list can be stored."""
    event = session.event._replace(path=session.event.path.absolute())
    desk = Desk(pool)
    players = PlayerPages(desk, event, session.format.format.name)
    organiser = OrganiserPages(pool, event.path, key, secure=address.is_secure)
    return make_app(desk, address, [*players.routes(), *organiser.routes()])
