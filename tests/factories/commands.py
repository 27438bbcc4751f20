"""`deckcheck` as a process: how it is run, what it was given, and what it did."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn
from unittest import mock

from typer.testing import CliRunner

from deckcheck.cli.app import COMMANDS, app, main, module_of
from factories.examples import THOROUGH

SECONDS = 300
"""What a run may take."""


class Done:
    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.raw, self.out, self.err = status, out, out.decode(), err.decode()


def environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    for key in ("LC_ALL", "LC_MESSAGES", "LANG"):
        kept.pop(key, None)
    return kept | {"PYTHONUTF8": "1"} | more


def deckcheck(*words: object, cwd: Path | None = None, given: str | bytes = b"", **variables: str) -> Done:
    """What the program does by typer's own runner, in a folder, with these variables and no locale."""
    unset = dict.fromkeys(("NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_MESSAGES", "LANG"))
    with contextlib.chdir(cwd or Path.cwd()):
        done = CliRunner().invoke(
            app,
            [str(word) for word in words],
            input=given,
            env={**unset, **variables},
            prog_name="deckcheck",
            catch_exceptions=False,
        )
    return Done(done.exit_code, done.stdout_bytes, done.stderr_bytes)


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
    """Run `python -m deckcheck`. In a quick run the process is a fork of this one, which need not import anything.

    Only a new interpreter heeds another encoding, so it is one where PYTHONUTF8 is 0.
    With an `encoding` the outputs are text, otherwise bytes. `together` they are
    both in `stdout`, in the order in which they came.
    """
    if THOROUGH or not hasattr(os, "fork") or (env or {}).get("PYTHONUTF8") == "0":
        command = [sys.executable, "-m", "deckcheck", *words]
        errors = subprocess.STDOUT if together else subprocess.PIPE
        done = subprocess.run(
            command, cwd=cwd, env=env, input=given, stdout=subprocess.PIPE, stderr=errors, timeout=SECONDS
        )
        done.stderr = done.stderr or b""
    else:
        done = run_forked(words, cwd or Path.cwd(), dict(os.environ if env is None else env), given, together)
    if encoding is not None:
        done.stdout, done.stderr = (
            io.TextIOWrapper(io.BytesIO(output), encoding).read() for output in (done.stdout, done.stderr)
        )
    return done


def run_forked(
    words: Sequence[str], cwd: Path, env: Mapping[str, str], given: bytes, together: bool = False
) -> subprocess.CompletedProcess[Any]:
    """Run `python -m deckcheck` in a fork of this process."""
    for command in COMMANDS:
        module_of(command)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams[0].write(given)
        streams[0].seek(0)
        with warnings.catch_warnings():
            # Newer Pythons warn of forks beside threads; the fork needs nothing that pytest's threads hold.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            _become(words, cwd, env, [streams[0], streams[1], streams[1 if together else 2]])
        _, status = os.waitpid(child, 0)
        for stream in streams[1:]:
            stream.seek(0)
        out, err = (stream.read() for stream in streams[1:])
    return subprocess.CompletedProcess(words, os.waitstatus_to_exitcode(status), out, err)


def _become(
    words: Sequence[str], cwd: Path, env: Mapping[str, str], streams: Sequence[IO[bytes]]
) -> NoReturn:
    """Turn this process, a fork of the one that runs the tests, into `python -m deckcheck`."""
    try:
        # What was there before is not looked through, so it need not be copied.
        gc.freeze()
        signal.alarm(SECONDS)
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin = os.fdopen(0, encoding="utf-8", errors="surrogateescape", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)
        sys.stderr = os.fdopen(
            2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1
        )
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        time.tzset()
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        # What pytest does at its end is not for this process to do.
        atexit._clear()
        sys.argv = ["deckcheck", *words]
        runpy.run_module("deckcheck", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else end.code is not None)
    except BaseException:
        traceback.print_exc()
    os._exit(1)
