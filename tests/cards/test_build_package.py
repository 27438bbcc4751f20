"""What an installation carries and what a bare copy does without one."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from factories.scratch_repositories import fresh_copy, outside

MOST_BYTES = 12_000_000
FORMATS = {
    "duel-masters/original": "4 x 天災 デドダム\n36 x フェアリー・ライフ\n",
    "magic/modern": "4 Lightning Bolt\n56 Mountain\n",
    "yugioh/advanced": "3 Blue-Eyes White Dragon\n",
}
NAMES_A_CARD = {"duel-masters": "デドダム", "magic": "Lightning Bolr", "yugioh": "Blue-Eyes Whit Dragon"}


def run(package: Path, cache: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The command of a package that lies in a folder."""
    environment = outside(
        PYTHONUTF8="1",
        PYTHONPATH=str(package),
        DECKCHECK_CACHE_DIR=str(cache),
        DECKCHECK_DATA_DIR=str(cache.with_name("data")),
    )
    return subprocess.run(
        [sys.executable, "-m", "deckcheck", *arguments],
        input=text,
        cwd=cache.parent,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def verdicts(package: Path, cache: Path) -> dict[str, str]:
    """What the command says of a deck of each game, and of a name that no card has."""
    found = {}
    for format, deck in FORMATS.items():
        done = run(package, cache, "check", "--format", format, "--as-of", "2026-01-01", "-", text=deck)
        assert done.returncode in (0, 1, 3), done.stderr
        found[format] = done.stdout
    for game, name in NAMES_A_CARD.items():
        found[game] = run(package, cache, "cards", "show", name, "--game", game).stderr
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fresh_copy(tmp_path_factory.mktemp("package") / "copy")


@pytest.mark.setup
def test_a_wheel_carries_tables_and_says_what_a_bare_copy_says(tmp_path: Path, copy: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path)]
    subprocess.run([*command, str(copy)], env=outside(), check=True)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < MOST_BYTES
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    data = installed / "deckcheck" / "data"
    assert not list(data.rglob("cards.jsonl")) and not list(copy.rglob("cards.sqlite"))
    cache = tmp_path / "one" / "cache"
    cache.parent.mkdir()
    told = verdicts(installed, cache)
    # No table had to be compiled.
    assert cache.exists() and not list(cache.glob("*.sqlite"))
    bare = tmp_path / "two" / "cache"
    bare.parent.mkdir()
    assert verdicts(copy, bare) == told
    assert len(list(bare.glob("*.sqlite"))) == len(NAMES_A_CARD)
    shown = run(installed, cache, "cards", "show", "天災 デドダム", "--game", "duel-masters")
    assert shown.returncode == 0 and "天災 デドダム" in shown.stdout


@pytest.mark.setup
def test_building_the_tables_of_a_copy_makes_its_first_check_a_later_one(tmp_path: Path) -> None:
    built = fresh_copy(tmp_path / "copy")
    subprocess.run([sys.executable, str(built / "tools" / "cardtables.py")], check=True, env=dict(os.environ))
    assert len(list(built.rglob("cards.sqlite"))) == len(NAMES_A_CARD)
    cache = tmp_path / "cache"
    verdicts(built, cache)
    assert not list(cache.glob("*.sqlite"))
    # A changed text shows at once.
    file = built / "deckcheck" / "data" / "yugioh" / "cards.jsonl"
    with file.open("a", encoding="utf-8") as cards:
        cards.write('{"name":"Paper Kite"}\n')
    assert run(built, cache, "cards", "show", "Paper Kite", "--game", "yugioh").returncode == 0
