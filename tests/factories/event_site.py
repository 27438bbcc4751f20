"""An event with its pages, for the tests of the desk."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from starlette.testclient import TestClient

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import make_app
from deckcheck.desk.check_pool import MOST_WAITING, CheckPool
from deckcheck.desk.limits_and_security import Address
from deckcheck.desk.player_pages import make_event_app
from deckcheck.registration.event import open_event, read_event
from deckcheck.registration.log import Log, read_log

URL = "http://127.0.0.1:8000"
KEY = "the-key-of-the-tests--"
FORMAT = """\
format: club/mini
game: duel-masters
name: {ja: ミニ, en: Mini}
zones: {main: {}}
rules:
  - id: main-size
    exactly: 8
  - id: copies
    per: name
    at_most: 2
"""
LIST = "2 x 凶戦士ブレイズ・クロー\n2 x 喧嘩屋タイラー\n2 x 技師ピーポ\n2 x フォース・アゲイン"


def write_event(folder: Path, deadline: datetime) -> Path:
    """An event of eight cards a deck, with a folder for its lists."""
    (folder / "mini.yaml").write_text(FORMAT, "utf-8")
    event = folder / "event.yaml"
    event.write_text(
        f"""\
event: mini-cup
name: {{ja: ミニ杯, en: Mini cup}}
date: 2026-11-28
as_of: 2026-11-27
format: mini.yaml
deadline: "{deadline.isoformat(timespec="seconds")}"
required: [name]
entries: [lists]
""",
        "utf-8",
    )
    (folder / "lists").mkdir()
    return event


@contextmanager
def serve_desk(**more: int) -> Iterator[TestClient]:
    """The pages for everybody, where so many requests may be `waiting`."""
    pool = CheckPool(CheckOptions(), lambda: ThreadPoolExecutor(1), seconds=120, **more)
    with TestClient(make_app(pool, Address("127.0.0.1", 8000)), base_url=URL) as client:
        yield client


class EventSite:
    """An event's pages and its files."""

    def __init__(self, event: Path, client: TestClient) -> None:
        self.event = event
        self.lists = event.parent / "lists"
        self.client = client

    @property
    def log(self) -> Log:
        """The log as it is now."""
        event = read_event(self.event)
        return read_log(event)

    def submission_of(self, name: str) -> str:
        """The id of a player's only submission."""
        head = f"# player: {name}\n"
        (found,) = [
            file.stem.partition("-")[0] for file in self.lists.iterdir() if head in file.read_text("utf-8")
        ]
        return found

    def submit(self, name: str, text: str = LIST) -> str:
        """Submit a list; returns the address of the private page."""
        data = {"name": name, "list": text, "do": "submit"}
        response = self.client.post("/", data=data, follow_redirects=False)
        assert response.status_code == 303, response.text
        return response.headers["location"]

    def open_desk(self) -> None:
        """Open the organiser's desk with its key."""
        assert self.client.get(f"/desk?key={KEY}").status_code == 200


def serve_event(event: Path, waiting: int = MOST_WAITING) -> Iterator[EventSite]:
    """The pages of an event, where so many requests may be under way."""
    session = open_event(event)
    pool = CheckPool(session.options, lambda: ThreadPoolExecutor(1), seconds=120, waiting=waiting)
    app = make_event_app(session, pool, Address("127.0.0.1", 8000), KEY)
    with TestClient(app, base_url=URL, headers={"accept-language": "en"}) as client:
        yield EventSite(event, client)
