"""The pages, asked in process."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from factories.event_site import EventSite, serve_desk, serve_event, write_event
from starlette.testclient import TestClient


@pytest.fixture(scope="package")
def client() -> Iterator[TestClient]:
    """A browser at the pages for everybody."""
    with serve_desk() as client:
        yield client


@pytest.fixture
def site(tmp_path: Path) -> Iterator[EventSite]:
    """An event whose deadline is tomorrow."""
    yield from serve_event(write_event(tmp_path, datetime.now(UTC) + timedelta(days=1)))


@pytest.fixture
def closed_site(tmp_path: Path) -> Iterator[EventSite]:
    """An event whose deadline was yesterday."""
    yield from serve_event(write_event(tmp_path, datetime.now(UTC) - timedelta(days=1)))
