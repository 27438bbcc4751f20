"""`deckcheck` as a process: how it is run, what it was given, and what it did."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from deckcheck.cli.app import main
from factories.examples import THOROUGH

SECONDS = 300
"""What a run may take."""
UNSET = ("NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_MESSAGES", "LANG")
"""Variables by which this machine's user chooses a language and colours."""


class Done:
    """A status and what was written: as bytes and as text."""

    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.raw, self.out, self.err = status, out, out.decode(), err.decode()


def environment(**more: str) -> dict[str, str]:
    """The environment without a language and colours, and with these variables."""
    kept = {key: value for key, value in os.environ.items() if key not in UNSET}
    return kept | {"PYTHONUTF8": "1"} | more


def deckcheck(*words: object, cwd: Path | None = None, given: str | bytes = b"", **variables: str) -> Done:
    """What the program does in this process, in a folder, with these variables and no locale."""
    data = given.encode() if isinstance(given, str) else given
    done = run_within([str(word) for word in words], cwd or Path.cwd(), environment(**variables), data)
    return Done(done.returncode, done.stdout, done.stderr)


def run_here(*words: object) -> int:
    """Run the command line in this process, and return its status."""
    with mock.patch.object(sys, "argv", ["deckcheck", *map(str, words)]):
        try:
            main()
        except SystemExit as end:
            assert isinstance(end.code, int)
            return end.code
    raise AssertionError("the program ends with a status")


def run_process(
    words: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
    encoding: str | None = None,
    together: bool = False,
) -> subprocess.CompletedProcess[Any]:
    """Run `python -m deckcheck`. In a quick run this process does what a new one would do.

    Only a new interpreter heeds another encoding, so it is one where PYTHONUTF8 is 0.
    With an `encoding` the outputs are text, otherwise bytes. `together` they are
    both in `stdout`, in the order in which they came.
    """
    if THOROUGH or (env or {}).get("PYTHONUTF8") == "0":
        command = [sys.executable, "-m", "deckcheck", *words]
        errors = subprocess.STDOUT if together else subprocess.PIPE
        done = subprocess.run(
            command, cwd=cwd, env=env, input=given, stdout=subprocess.PIPE, stderr=errors, timeout=SECONDS
        )
        done.stderr = done.stderr or b""
    else:
        done = run_within(words, cwd or Path.cwd(), os.environ if env is None else env, given, together)
    if encoding is not None:
        done.stdout, done.stderr = (
            io.TextIOWrapper(io.BytesIO(output), encoding).read() for output in (done.stdout, done.stderr)
        )
    return done


def run_within(
    words: Sequence[str], cwd: Path, env: Mapping[str, str], given: bytes, together: bool = False
) -> subprocess.CompletedProcess[Any]:
    """Run the command line in this process with streams, a folder and an environment of its own."""
    out = io.BytesIO()
    err = out if together else io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(given), "utf-8", "surrogateescape"),
        "stdout": io.TextIOWrapper(out, "utf-8", "surrogateescape", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True),
    }
    with (
        mock.patch.dict(os.environ, dict(env), clear=True),
        contextlib.chdir(cwd),
        mock.patch.multiple(sys, **streams),
    ):
        status = run_here(*words)
    return subprocess.CompletedProcess(words, status, out.getvalue(), b"" if together else err.getvalue())
