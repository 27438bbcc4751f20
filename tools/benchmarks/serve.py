"""Players who check and submit at once on the page of an event.

    python tools/benchmarks/serve.py [--players N] [--rounds N]

Promise: with 200 players, the slowest answer within two seconds on two cores. Each player checks a list of forty
cards, submits it and reads the private page; all of them ask at the same moment. The players run in the same
machine and take their share of it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from deckcheck.checking.judge import load_format

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from factories.server_runs import Server, free_port

FORMAT = "duel-masters/original"
EVENT = f"""\
event: benchmark
name: Benchmark
date: 2026-11-28
as_of: 2026-11-27
format: {FORMAT}
deadline: "{(datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")}"
entries: [lists]
"""
STEPS = ("check", "submit", "private page")


class Response(NamedTuple):
    """What a server answered, and after how many seconds."""

    status: int
    location: str
    seconds: float


async def ask(port: int, method: str, path: str, fields: dict[str, str] | None = None) -> Response:
    """One request on a connection of its own."""
    body = urlencode(fields or {}).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    start = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode() + body)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    seconds = time.perf_counter() - start
    lines = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _colon, value in (line.partition(":") for line in lines)}
    return Response(int(lines[0].split()[1]), headers.get("location", ""), seconds)


async def play(port: int, name: str, text: str) -> dict[str, float]:
    """What one player does; returns the seconds of each step."""
    checked = await ask(port, "POST", "/answer", {"list": text, "do": "check"})
    sent = await ask(port, "POST", "/", {"name": name, "list": text, "do": "submit"})
    mine = await ask(port, "GET", sent.location)
    answers = dict(zip(STEPS, (checked, sent, mine), strict=True))
    for step, status in zip(STEPS, (200, 303, 200), strict=True):
        if answers[step].status != status:
            raise SystemExit(f"{step}: answered with {answers[step].status}")
    return {step: answer.seconds for step, answer in answers.items()}


def lists(number: int) -> list[str]:
    """So many lists of forty cards, each another one."""
    catalog = load_format(FORMAT).game_data.catalog
    names = [card.name for card in catalog if card.home == "main"]
    return [
        "\n".join(f"4 x {names[(player * 17 + at * 61) % len(names)]}" for at in range(10))
        for player in range(number)
    ]


async def all_at_once(port: int, texts: list[str]) -> list[dict[str, float]]:
    """What all players do, at the same moment."""
    return await asyncio.gather(*(play(port, f"選手{number}", text) for number, text in enumerate(texts)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    slowest: list[float] = []
    for turn in range(asked.rounds):
        with tempfile.TemporaryDirectory() as folder:
            event = Path(folder) / "event.yaml"
            event.write_text(EVENT, encoding="utf-8")
            (Path(folder) / "lists").mkdir()
            server = Server(event, free_port())
            try:
                server.wait_until_it_answers()
                players = asyncio.run(all_at_once(server.port, lists(asked.players)))
            finally:
                server.stop()
            if len(list((Path(folder) / "lists").iterdir())) != asked.players:
                raise SystemExit("lists were lost")
        for step in STEPS:
            seconds = sorted(player[step] for player in players)
            print(
                f"round {turn + 1}, {step}: median {statistics.median(seconds):.2f} s, slowest {seconds[-1]:.2f} s"
            )
        slowest.append(max(max(player.values()) for player in players))
    print(f"{asked.players} players, slowest answer: {statistics.median(slowest):.2f} s (promised: 2.00 s)")


if __name__ == "__main__":
    main()
