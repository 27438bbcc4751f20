"""An event whose lists come by a form, and what the command line does with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from factories.commands import Done
from factories.event_runs import run

HEAD = "タイムスタンプ,お名前,会員番号,リスト\n"
FORM = """\
event: cup
name: Cup
date: 2026-11-28
as_of: 2026-11-27
deadline: 2026-11-27 20:00
format: duel-masters/duemagic
entries:
  - file: form.csv
    columns: {submitted: タイムスタンプ, name: お名前, id: 会員番号, deck: リスト}
"""


def form_row(when: str, name: str, id: str, text: str) -> str:
    return f'{when},{name},{id},"{text}"\n'


def form_event(folder: Path, *rows: str) -> None:
    (folder / "event.yaml").write_text(FORM, encoding="utf-8")
    (folder / "form.csv").write_text(HEAD + "".join(rows), encoding="utf-8")


def entries(folder: Path) -> list[dict[str, Any]]:
    done = run(folder, "event", "check", "event.yaml", "--output-format", "json")
    found: list[dict[str, Any]] = json.loads(done.out)["entries"]
    return found


def ids(folder: Path) -> dict[str, str]:
    """The ids of submissions by name and time."""
    return {f"{one['player']['name']} {one['submitted_as']}".strip(): one["id"] for one in entries(folder)}


def accept(folder: Path, *words: str) -> Done:
    return run(folder, "event", "accept", "event.yaml", *words)


def receipts(folder: Path, event: str = "cup") -> list[dict[str, Any]]:
    lines = (folder / f"{event}.log.jsonl").read_text("utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["kind"] == "receipt"]


JUDGE = ("--by", "白石", "--reason", "train was late")
