"""Distributes work to forked processes, with results in order and bounded memory.

Children inherit all loaded data, so only results are sent, through pipes that block when full. The pools of
the standard library take longer to import than a short run, and buffer all results.
"""

import contextlib
import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple, TypeVar

from deckcheck.support.errors import user_error
from deckcheck.support.messages import _

Item = TypeVar("Item")
Result = TypeVar("Result")

_LENGTH = 8
_ROOM = 1024 * 1024
# Prepared in advance, since there may be no memory for it when needed.
_OUT_OF_MEMORY = pickle.dumps((MemoryError(), False, None))
_END = object()


class _Child(NamedTuple):
    pid: int
    results: BinaryIO


def processors() -> int:
    """The number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Generator[Result, None, None]:
    """The results of `work` for each item, in order, by several processes; no other thread may run.

    Results must be picklable. Errors become RuntimeError or MemoryError, a killed process UserError. Closing ends all.
    """
    yield from share_in_processes(
        lambda at, number: map(work, items[at::number]), min(processes, len(items)) or 1
    )


def share_in_processes(
    share: Callable[[int, int], Iterable[Result]], processes: int
) -> Generator[Result, None, None]:
    """Like `map_in_processes`, but process K of N yields the results K, K + N, K + 2N… by `share(K, N)`."""
    if not hasattr(os, "fork"):
        yield from share(0, 1)
        return
    children: list[_Child] = []
    # Memory stays shared as long as the collector doesn't touch the objects.
    gc.freeze()
    try:
        # Block ^C until all children are recorded. In the children it stays blocked; the parent ends them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for at in range(processes):
                children.append(_start(lambda at=at: share(at, processes), children))  # type: ignore[misc]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while True:
            for child in children:
                is_last, result = _next_result(child)
                if is_last:
                    return
                yield result
    finally:
        gc.unfreeze()
        for child in children:
            child.results.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGTERM)
            os.waitpid(child.pid, 0)


def _start(results: Callable[[], Iterable[object]], earlier: Sequence[_Child]) -> _Child:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return _Child(pid, open(reader, "rb"))  # noqa: PTH123 - closed with the run; it is no path
    try:
        os.close(reader)
        for child in earlier:
            child.results.close()
        # A larger pipe lets a process run further ahead of the others.
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _ROOM)
        with open(writer, "wb") as pipe:  # noqa: PTH123 - it is no path
            _write_results(results(), pipe)
    finally:
        # Skip all inherited cleanup.
        os._exit(0)


def _write_results(results: Iterable[object], pipe: BinaryIO) -> None:
    left, is_last = iter(results), False
    while not is_last:
        try:
            result = next(left, _END)
            is_last = result is _END
            data = pickle.dumps((None, is_last, None if is_last else result), pickle.HIGHEST_PROTOCOL)
        except MemoryError:
            data = _OUT_OF_MEMORY
        except Exception:
            import traceback

            data = pickle.dumps((RuntimeError(traceback.format_exc()), False, None))
        pipe.write(len(data).to_bytes(_LENGTH, "big") + data)
        pipe.flush()


def _next_result(child: _Child) -> tuple[bool, Any]:
    length = int.from_bytes(child.results.read(_LENGTH), "big")
    data = child.results.read(length)
    if not data or len(data) < length:
        raise user_error(_("a process of the run was ended before its work was done"))
    error, is_last, result = pickle.loads(data)
    if error is not None:
        raise error
    return is_last, result
