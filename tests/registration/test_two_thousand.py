"""An event of 2,000 players (200 in a quick run), from the first command to the audit."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from factories.commands import run_process
from factories.examples import amount

from deckcheck.checking.judge import load_format

EVENT = """\
event: benchmark
name: Benchmark
date: 2026-11-28
as_of: 2026-11-27
format: duel-masters/duemagic
deadline: 2026-11-27 20:00
entries:
  - file: form.csv
    columns: {submitted: time, name: name, reading: reading, id: id, deck: deck}
"""


def make_event(folder: Path, players: int) -> None:
    """An event.yaml and its form: lists of 50 and 12 cards, one in twenty with a card too many."""
    catalog = load_format("duel-masters/duemagic").game_data.catalog
    names = [card.name for card in catalog if card.home == "main"]
    with (folder / "form.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["time", "name", "reading", "id", "deck"])
        for player in range(players):
            chosen = [names[(player * 17 + at * 61) % len(names)] for at in range(16)]
            main = [f"4 x {name}" for name in chosen[:12]] + [f"{2 + (player % 20 == 0)} x {chosen[12]}"]
            side = [f"4 x {name}" for name in chosen[13:]]
            deck = "\n".join(["メインデッキ", *main, "サイドボード", *side])
            time = f"2026/11/20 12:{player % 60:02}:00"
            writer.writerow([time, f"選手{player}", "せんしゅ", f"{player:05}", deck])
    (folder / "event.yaml").write_text(EVENT, encoding="utf-8")


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
