"""An event of 2,000 players, from the first command to the audit; how long it takes is for the benchmark to say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.registration import make_event


def test_2000_entries_are_checked_accepted_and_audited_in_one_go(tmp_path: Path) -> None:
    make_event(tmp_path, 2_000)
    for command, status in (("check", 1), ("accept", 1), ("audit", 0)):
        done = subprocess.run(
            [sys.executable, "-m", "deckcheck", "event", command, "event.yaml", "--lang", "en"],
            cwd=tmp_path,
            capture_output=True,
            timeout=300,
        )
        assert done.returncode == status, done.stderr.decode()
        assert command != "check" or b"\n2,000 players: " in done.stdout.replace(b"\r", b"")
    log = (tmp_path / "benchmark.log.jsonl").read_bytes().splitlines()
    numbers = [json.loads(line)["number"] for line in log]
    assert 1_000 < len(numbers) < 2_000
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(list((tmp_path / "benchmark.receipts").glob("*.json"))) == len(numbers)
