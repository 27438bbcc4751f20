"""An event's pages on a real port, for a real browser."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import make_app
from deckcheck.desk.check_pool import CheckPool
from deckcheck.desk.limits_and_security import Address
from deckcheck.desk.player_pages import make_event_app
from deckcheck.registration.event import open_event
from factories.event_site import KEY


class LiveSite:
    """The address of the pages, and of the organiser's desk."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.desk = f"{self.url}/desk?key={KEY}"


@contextmanager
def live_site(event: Path | None = None) -> Iterator[LiveSite]:
    """The pages of an event, or those for everybody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address("127.0.0.1", listener.getsockname()[1])
        session = open_event(event) if event else None
        options = session.options if session else CheckOptions()
        pool = CheckPool(options, lambda: ThreadPoolExecutor(1), seconds=120)
        app = make_event_app(session, pool, address, KEY) if session else make_app(pool, address)
        server = uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            end = time.monotonic() + 60
            while not server.started:
                assert thread.is_alive() and time.monotonic() < end
                time.sleep(0.01)
            yield LiveSite(address.port)
        finally:
            server.should_exit = True
            thread.join(30)
