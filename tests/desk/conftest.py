"""The pages, asked in process."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.checks import CheckPool, Setting
from deckcheck.desk.security import Address

URL = "http://127.0.0.1:8000"


@pytest.fixture(scope="package")
def client() -> Iterator[TestClient]:
    """A browser at the pages for everybody."""
    pool = CheckPool(Setting(), 1, seconds=120)
    with TestClient(make_app(Desk(pool), Address("127.0.0.1", 8000)), base_url=URL) as client:
        yield client
