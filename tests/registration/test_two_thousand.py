"""An event of 2,000 players (200 in a quick run), from the first command to the audit; the benchmark tells the time."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.registration import make_event
from factories.commands import run_process
from factories.examples import amount


def test_2000_entries_are_checked_accepted_and_audited_in_one_go(tmp_path: Path) -> None:
    players = amount(2_000, 200)
    make_event(tmp_path, players)
    for command, status in (("check", 1), ("accept", 1), ("audit", 0)):
        done = run_process(["event", command, "event.yaml", "--lang", "en"], cwd=tmp_path)
        assert done.returncode == status, done.stderr.decode()
        assert command != "check" or f"\n{players:,} players: " in done.stdout.decode().replace("\r", "")
    log = (tmp_path / "benchmark.log.jsonl").read_bytes().splitlines()
    numbers = [json.loads(line)["number"] for line in log]
    assert players / 2 < len(numbers) < players
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(list((tmp_path / "benchmark.receipts").glob("*.json"))) == len(numbers)
