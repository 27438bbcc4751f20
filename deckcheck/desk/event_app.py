"""The pages of an event: those of its players and those of its organiser."""

from starlette.applications import Starlette

from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.checks import CheckPool, Setting
from deckcheck.desk.organiser_pages import OrganiserPages
from deckcheck.desk.player_pages import PlayerPages
from deckcheck.desk.security import Address
from deckcheck.registration.event import EventSession


def make_event_app(session: EventSession, address: Address, key: str, processes: int) -> Starlette:
    """The application for an event; `key` opens the organiser's pages. Raises UserError if no list can be stored."""
    event = session.event._replace(path=session.event.path.absolute())
    rules = session.format.format
    setting = Setting(event.folders, event.cards, event.format, event.as_of, event.best_of)
    pool = CheckPool(setting, processes)
    desk = Desk(pool)
    players = PlayerPages(desk, event, rules.name)
    organiser = OrganiserPages(pool, event.path, key, secure=address.is_secure)
    return make_app(desk, address, [*players.routes(), *organiser.routes()])
