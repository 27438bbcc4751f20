"""Scratch repositories of decks, and a fresh copy of this project, for tests of what runs in other people's repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from factories.commands import run_process

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
IDENTITY = {
    f"GIT_{role}_{what}": value
    for role in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Nobody"), ("EMAIL", "nobody@localhost"))
}
DECKS = {
    "original/red.csv": "red-original.csv",
    "アマデウス/three colours.txt": "three-colours-amadeus.txt",
    "gauntlet/2021/white.txt": "white-dragon-commander.txt",
}
"""Legal decks of three formats: two tell theirs by their folders' names, the third in its header."""
FORMATS = {"original": "duel-masters/original", "アマデウス": "duel-masters/amadeus"}
ILLEGAL = "original/illegal.txt"


def outside(**more: str) -> dict[str, str]:
    """The environment without what git, a settings file or a language of this machine adds to it."""
    ours = ("DECKCHECK_CACHE_DIR", "DECKCHECK_DATA_DIR")
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GIT_", "GITHUB_", "LC_", "CI_", "PRE_COMMIT"))
        and key not in ("LANG", "NO_COLOR")
        if not key.startswith("DECKCHECK_") or key in ours
    }
    return kept | IDENTITY | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"} | more


def git(folder: Path, *arguments: str) -> str:
    """What git prints in a folder, with nothing that this machine adds to it."""
    command = ["git", "-c", "init.defaultBranch=main", "-c", "core.autocrlf=false", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=outside(), capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def committed(folder: Path) -> str:
    """Make the folder a repository with all its files in one commit, whose id is returned."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return git(folder, "rev-parse", "HEAD")


def fresh_copy(folder: Path) -> Path:
    """The files that git would hand to somebody else, and nothing that lies about here."""
    listed = git(ROOT, "ls-files", "-co", "-z", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)
    return folder


def deckcheck(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, in English."""
    return run_process(arguments, cwd=folder, env=outside(PYTHONUTF8="1", **more), encoding="utf-8")


def example(name: str, *, header: bool = True) -> str:
    """A bundled deck, without the line that names its format if so asked."""
    text = (EXAMPLES / name).read_text("utf-8")
    first, _, rest = text.partition("\n")
    assert first.startswith("# format: ")
    return text if header else rest


def deck_repository(folder: Path) -> Path:
    """A folder with legal decks of three formats, and with files that are none."""
    for path, name in DECKS.items():
        put(folder, path, example(name, header=path.startswith("gauntlet")))
    put(folder, "README.md", "# Our decks\n")
    put(folder, "notes.txt", "next week: buy sleeves\n")
    return folder


def put(folder: Path, path: str, text: str) -> Path:
    """A file with this text in a folder."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def put_illegal(folder: Path) -> Path:
    """One more deck, with five copies of a card on line 3."""
    text = example("red-original.csv", header=False).replace("4,カンゴク入道", "5,カンゴク入道", 1)
    return put(folder, ILLEGAL, text.replace("枚数,カード名\n", "", 1).replace(",", " x "))
