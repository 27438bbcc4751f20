"""The server is killed again and again while players submit: nothing that was answered as received is lost."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from pathlib import Path

import pytest
from factories.event_site import LIST, write_event
from factories.server_runs import Server, free_port

from deckcheck.registration.event import open_event
from deckcheck.registration.roster import build_roster

PLAYERS = 100
KILLS = 4


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(write_event(tmp_path, datetime.now(UTC) + timedelta(days=1)), free_port())
    server.wait_until_it_answers()
    yield server
    server.stop()


def test_no_list_is_lost_that_was_answered_as_received(server: Server, tmp_path: Path) -> None:
    chance = random.Random(35)
    received: dict[str, str] = {}
    unanswered: list[str] = []

    def submit(name: str) -> None:
        """As a player does, who presses the button again where no answer comes."""
        while name not in received:
            try:
                answer = server.ask("POST", "/", {"name": name, "list": LIST, "do": "submit"})
            except (OSError, HTTPException):
                unanswered.append(name)
                time.sleep(0.05)
                continue
            assert answer.status == 303, answer.text
            received[name] = answer.location

    with ThreadPoolExecutor(4) as players:
        names = [f"選手{number:03}" for number in range(PLAYERS)]
        done = [players.submit(submit, name) for name in names]
        for kill in range(1, KILLS + 1):
            while len(received) < kill * PLAYERS // (KILLS + 1):
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.03))
            server.kill()
            server.start()
            server.wait_until_it_answers()
        for one in done:
            one.result()

    assert unanswered, "it was never killed while somebody waited"
    assert sorted(received) == names
    for name, address in received.items():
        page = server.ask("GET", address)
        assert page.status == 200 and name in page.text
    roster = build_roster(open_event(tmp_path / "event.yaml"))
    counting = {row.submission.player.name: row.state for row in roster.rows if row.counts}
    assert counting == dict.fromkeys(names, "legal")


def test_processes_end_with_a_killed_server(server: Server) -> None:
    tasks = Path(f"/proc/{server.process}/task/{server.process}/children")
    if not tasks.exists():
        pytest.skip("the system does not tell the processes of a process")
    children = tasks.read_text("utf-8").split()
    assert children
    server.kill()
    end = time.monotonic() + 20
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end
        time.sleep(0.05)
