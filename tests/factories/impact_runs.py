"""`deckcheck impact` as a command and as a call, over decks and announcements of a test's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from factories.commands import run_here, run_process

DECKS = Path(__file__).parent.parent / "contract" / "files" / "impact"
FORMAT = str(DECKS / "format.yaml")
DAYS = ("--from", "2024-01-01", "--to", "2024-01-15")


def impact(
    *arguments: str, cwd: Path = DECKS, given: bytes = b"", **more: str
) -> subprocess.CompletedProcess[bytes]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        kept.pop(key, None)
    return run_process(["impact", *arguments], cwd=cwd, env=kept | {"PYTHONUTF8": "1"} | more, given=given)


def printed(*arguments: str) -> bytes:
    done = impact("--format", "format.yaml", *arguments, "decks")
    assert (done.returncode, done.stderr) == (1, b"")
    return done.stdout


DECK = "4 x フェアリー・ライフ\n4 x コッコ・ルピア\n"


def run(path: str, *days: str, format: str = FORMAT, lang: str = "en", **options: str) -> int:
    """`deckcheck impact` in this process: `days` are the earlier one, which may be left out, and the later one."""
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    before = [f"--from={day}" for day in days[:-1]]
    return run_here("impact", *before, f"--to={days[-1]}", "-f", format, "--lang", lang, *words, path)


def saved(folder: Path, *, name: str = "deck.txt", text: str = DECK) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


ENTRY = "cards:\n  - card: 天災 デドダム\n    history:\n      - {{from: {day}, status: {status}}}\n"


def announced(folder: Path, text: str, *, banlist: str = "turning-list") -> str:
    return saved(folder, name="new.yaml", text=f"banlist: {banlist}\nname: New\n{text}")
