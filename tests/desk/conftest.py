"""The pages, asked in process."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from factories.event_site import URL, EventSite, serve_event, write_event
from starlette.testclient import TestClient

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.check_pool import CheckPool
from deckcheck.desk.security import Address


@pytest.fixture(scope="package")
def client() -> Iterator[TestClient]:
    """A browser at the pages for everybody."""
    pool = CheckPool(CheckOptions(), lambda: ThreadPoolExecutor(1), seconds=120)
    with TestClient(make_app(Desk(pool), Address("127.0.0.1", 8000)), base_url=URL) as client:
        yield client


@pytest.fixture
def site(tmp_path: Path) -> Iterator[EventSite]:
    """An event whose deadline is tomorrow."""
    yield from serve_event(write_event(tmp_path, datetime.now(UTC) + timedelta(days=1)))


@pytest.fixture
def closed_site(tmp_path: Path) -> Iterator[EventSite]:
    """An event whose deadline was yesterday."""
    yield from serve_event(write_event(tmp_path, datetime.now(UTC) - timedelta(days=1)))
