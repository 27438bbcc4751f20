"""Pages whose examples are run: files are written, commands run, and what they print is compared.

A fenced block with a title is a file of that name. A `console` block shows
commands behind "$ " and what they print; an `sh` block only has to succeed.
All blocks of a page share one folder, from top to bottom. A `text` block
without a title shows something that is no example. A hash with a moment or a
random number in it is another one each time. A page shows those of a real run;
they count as the same where the same ones are alike and different ones differ.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from factories.commands import run_process
from factories.examples import THOROUGH

FENCE = re.compile(
    r'^```(?P<kind>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)
FILES = ("yaml", "toml", "text", "json")
KINDS = (*FILES, "console", "sh", "python")
PLAIN = re.compile(
    r"(export (?P<name>\w+)=(?P<value>\w+); )?(?P<words>deckcheck( ([\w./:=,%・-]+|\"[^\"$`\\]*\"))*)"
    r"(?P<quiet> 2>/dev/null)?( \| (?P<filter>[^;]+))?(; (?P<next>.+))?\n?"
)
"""A command that a shell has hardly any part in, what it writes to, and what the shell does next."""
HASH = re.compile(r"\b[0-9a-f]{64}\b")
_NOT_THEIRS = ("DECKCHECK_", "GIT_", "LC_")
_OURS = ("DECKCHECK_CACHE_DIR", "DECKCHECK_DATA_DIR")


class Block(NamedTuple):
    """A fenced block: its kind, the file that it is, its text and where that stands in the page."""

    kind: str
    title: str | None
    body: str
    start: int
    end: int


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, all of kinds that are run."""
    found = [
        Block(hit["kind"], hit["title"], hit["body"], hit.start("body"), hit.end("body"))
        for hit in FENCE.finditer(page)
    ]
    assert page.count("```") == 2 * len(found), "a fence that can't be read"
    for block in found:
        assert block.kind in KINDS, block
        assert block.title or block.kind in ("console", "sh", "python", "text"), block
    return found


def as_run(page: str, folder: Path, lang: str) -> str:
    """The page with what its commands really print, after all its blocks were done in `folder`."""
    told, upto = "", 0
    for block in blocks(page):
        body = block.body
        if block.title:
            file = folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body, encoding="utf-8")
        elif block.kind == "console":
            body = "".join(
                f"$ {command}\n{_run(command, folder, lang).stdout}" for command in commands_of(body)
            )
        elif block.kind == "sh":
            done = _run(body, folder, lang)
            assert done.returncode == 0, (body, done.stdout)
        told += page[upto : block.start] + body
        upto = block.end
    return _with_hashes_of(page, told + page[upto:])


def shown_and_printed(file: Path, folder: Path, lang: str | None = None) -> tuple[str, str]:
    """A page, and the page with what its commands really print, which replaces it when the pages are updated."""
    page = file.read_text(encoding="utf-8")
    printed = as_run(page, folder, lang or file.parent.name)
    if os.environ.get("DECKCHECK_UPDATE_DOCS"):
        file.write_text(printed, encoding="utf-8")
    return page, printed


def _with_hashes_of(page: str, found: str) -> str:
    """What was found, with the hashes of the page where each stands for one of those that were found."""
    shown, printed = HASH.findall(page), HASH.findall(found)
    pairs = set(zip(shown, printed, strict=False))
    if len(shown) != len(printed) or not len(pairs) == len(set(shown)) == len(set(printed)):
        return found
    left = iter(shown)
    return HASH.sub(lambda _: next(left), found)


def commands_of(body: str) -> list[str]:
    assert body.startswith("$ "), body
    return [line[2:] for line in body.splitlines() if line.startswith("$ ")]


def _run(command: str, folder: Path, lang: str) -> subprocess.CompletedProcess[str]:
    """Run in a shell that finds this interpreter's deckcheck; both outputs in the order in which they came."""
    plain = PLAIN.fullmatch(command)
    if not plain or (THOROUGH and (plain["name"] or plain["quiet"] or plain["filter"] or plain["next"])):
        return _run_in_shell(command, folder, lang)
    more = {plain["name"]: plain["value"]} if plain["name"] else {}
    done = run_process(
        shlex.split(plain["words"])[1:],
        cwd=folder,
        env=environment(lang) | more,
        encoding="utf-8",
        together=not (plain["quiet"] or plain["filter"]),
    )
    if plain["filter"]:
        errors = "" if plain["quiet"] else done.stderr
        done = _run_in_shell(plain["filter"], folder, lang, done.stdout)
        done.stdout = errors + done.stdout
    if plain["next"]:
        shown = done.stdout
        done = _run_in_shell(f"(exit {done.returncode}); {plain['next']}", folder, lang)
        done.stdout = shown + done.stdout
    return done


def _run_in_shell(command: str, folder: Path, lang: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=environment(lang),
        timeout=300,
    )


def environment(lang: str) -> dict[str, str]:
    """As a user of that language has it, with nothing of the terminal at hand."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    kept = {
        name: value for name, value in os.environ.items() if name in _OURS or not name.startswith(_NOT_THEIRS)
    }
    return kept | {
        "PATH": path,
        # Not LC_ALL: a shell complains where that names a locale that isn't installed.
        "LANG": "ja_JP.UTF-8" if lang == "ja" else "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
        "PYTHONIOENCODING": "utf-8",
    }
