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
from collections.abc import Callable, Generator, Sequence
from typing import BinaryIO, NamedTuple, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_LENGTH = 8
_ROOM = 1024 * 1024
# Prepared in advance, since there may be no memory for it when needed.
_OUT_OF_MEMORY = pickle.dumps((MemoryError(), None))


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

    Results must be picklable. Exceptions become RuntimeError or MemoryError. Closing the generator ends all.
    """
    if not hasattr(os, "fork"):
        yield from map(work, items)
        return
    children: list[_Child] = []
    # Memory stays shared as long as the collector doesn't touch the objects.
    gc.freeze()
    try:
        # Block ^C until all children are recorded. In the children it stays blocked; the parent ends them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for at in range(min(processes, len(items))):
                children.append(_start(work, items[at::processes], children))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for at in range(len(items)):
            yield _next_result(children[at % processes])
    finally:
        gc.unfreeze()
        for child in children:
            child.results.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGTERM)
            os.waitpid(child.pid, 0)


def _start(work: Callable[[Item], Result], items: Sequence[Item], earlier: Sequence[_Child]) -> _Child:
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
            _do_work(work, items, pipe)
    finally:
        # Skip all inherited cleanup.
        os._exit(0)


def _do_work(work: Callable[[Item], Result], items: Sequence[Item], pipe: BinaryIO) -> None:
    for item in items:
        try:
            result = pickle.dumps((None, work(item)), pickle.HIGHEST_PROTOCOL)
        except MemoryError:
            result = _OUT_OF_MEMORY
        except Exception:
            import traceback

            result = pickle.dumps((RuntimeError(traceback.format_exc()), None))
        pipe.write(len(result).to_bytes(_LENGTH, "big") + result)
        pipe.flush()


def _next_result(child: _Child) -> Result:  # type: ignore[type-var]
    length = int.from_bytes(child.results.read(_LENGTH), "big")
    data = child.results.read(length)
    if not data or len(data) < length:
        raise RuntimeError("a process of the run ended before its work was done")
    error, result = pickle.loads(data)
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
