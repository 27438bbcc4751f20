"""The pool that checks: bounded in number and time, and there again after one of its processes was killed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from factories import pool_work
from factories.event_site import FORMAT, URL
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from deckcheck.checking.session import CheckOptions
from deckcheck.desk.app import Desk, make_app
from deckcheck.desk.check_pool import CheckPool
from deckcheck.desk.security import Address


@pytest.fixture
def mini(tmp_path: Path) -> CheckOptions:
    (tmp_path / "mini.yaml").write_text(FORMAT, "utf-8")
    return CheckOptions(format=str(tmp_path / "mini.yaml"))


@pytest.fixture
def pool(mini: CheckOptions) -> Iterator[CheckPool]:
    pool = CheckPool.of_processes(mini, 1)
    yield pool
    pool.close()


def answered(pool: CheckPool, function: Callable[..., object], *arguments: object, seconds: float) -> object:
    async def ask() -> object:
        return await pool.run(function, *arguments, seconds=seconds)

    return asyncio.run(ask())


def test_what_takes_too_long_is_given_up_and_the_process_is_free_again(pool: CheckPool) -> None:
    process = answered(pool, pool_work.sleep, 0, seconds=60)
    with pytest.raises(HTTPException):
        answered(pool, pool_work.sleep, 600, seconds=0.3)
    assert answered(pool, pool_work.sleep, 0, seconds=30) == process


def test_a_killed_process_is_replaced(pool: CheckPool, tmp_path: Path) -> None:
    assert answered(pool, pool_work.die_once, tmp_path / "mark", seconds=60) == "alive"


def asked_at_once(waiting: int, number: int) -> list[int]:
    """The statuses of so many requests at once, where `waiting` may be under way."""
    pool = CheckPool(CheckOptions(), lambda: ThreadPoolExecutor(1), seconds=120, waiting=waiting)
    body = {"list": "4 x アクア・ガード", "format": "duel-masters/original"}
    with TestClient(make_app(Desk(pool), Address("127.0.0.1", 8000)), base_url=URL) as client:

        async def ask() -> list[int]:
            import httpx2

            transport = httpx2.ASGITransport(app=client.app)
            async with httpx2.AsyncClient(transport=transport, base_url=URL, timeout=120) as browser:
                requests: list[Awaitable[httpx2.Response]] = [
                    browser.post("/api/check", json=body) for _number in range(number)
                ]
                return [response.status_code for response in await asyncio.gather(*requests)]

        return asyncio.run(ask())


def test_beyond_the_pool_a_request_is_told_to_come_again() -> None:
    statuses = asked_at_once(waiting=2, number=8)
    assert sorted(set(statuses)) == [200, 429]
    assert statuses.count(200) >= 2
    assert asked_at_once(waiting=8, number=8) == [200] * 8


def test_the_refusal_says_when_to_come_again() -> None:
    pool = CheckPool(CheckOptions(), lambda: ThreadPoolExecutor(1), waiting=0)
    body = {"list": "4 x アクア・ガード", "format": "duel-masters/original"}
    with TestClient(make_app(Desk(pool), Address("127.0.0.1", 8000)), base_url=URL) as client:
        for path, sent in (
            ("/", {"data": body}),
            ("/answer", {"data": body}),
            ("/api/check", {"json": body}),
        ):
            response = client.post(path, **sent)
            assert (response.status_code, response.headers["retry-after"]) == (429, "2")
            assert "Too many lists" in response.text
