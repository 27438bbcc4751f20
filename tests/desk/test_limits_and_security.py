"""Foreign hosts and origins, large bodies, and the headers of every response."""

import pytest
from starlette.testclient import TestClient

from deckcheck.desk.limits_and_security import MOST_BYTES, Address

LIST = {"list": "4 x アクア・ガード", "format": "duel-masters/original"}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((host, 421) for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "")),
        *((host, 200) for host in ("127.0.0.1:8000", "localhost:8000", "192.168.1.7:8000", "[::1]:8000")),
    ],
)
def test_only_own_names_are_served(client: TestClient, host: str, status: int) -> None:
    assert client.get("/", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *(
            ({"origin": origin}, 403)
            for origin in ("http://evil.example", "http://127.0.0.1:9000", "null", "file://")
        ),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://127.0.0.1:8000"}, 200),
    ],
)
def test_only_the_own_origin_is_served(client: TestClient, headers: dict[str, str], status: int) -> None:
    for path in ("/", "/answer"):
        assert client.post(path, data=LIST, headers=headers).status_code == status
    assert client.post("/api/check", json=LIST, headers=headers).status_code == status


def test_a_large_body_is_refused(client: TestClient) -> None:
    assert client.post("/api/check", content=b" " * (MOST_BYTES + 1)).status_code == 413

    def chunks():
        for _number in range(MOST_BYTES // 1024 + 1):
            yield b" " * 1024

    assert client.post("/api/check", content=chunks()).status_code == 411


@pytest.mark.parametrize("path", ["/", "/static/desk.js", "/nothing"])
def test_every_response_has_a_policy(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_no_page_has_a_script_or_style_of_its_own(client: TestClient) -> None:
    page = client.get("/").text
    assert "<style" not in page
    assert " style=" not in page
    assert page.count("<script") == 1
    assert '<script src="/static/desk.js" defer></script>' in page


def test_a_public_address_is_one_of_the_server() -> None:
    address = Address("0.0.0.0", 8000, "https://decks.example/")
    assert address.url == "https://decks.example"
    assert address.is_secure
    assert address.allows("decks.example")
    assert not address.allows("other.example")
