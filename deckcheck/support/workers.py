"""Work shared out to forked processes, with the results in order and bounded memory.

A child inherits all that is loaded, so only its results are sent, through a pipe that makes it wait. The standard
library's pools take longer to load than a short run, and keep every result until it is asked for.
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
# Made beforehand: when it is needed there may be no memory to make it.
_OUT_OF_MEMORY = pickle.dumps((MemoryError(), None))


class _Child(NamedTuple):
    pid: int
    results: BinaryIO


def processors() -> int:
    """How many processors this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], processes: int
) -> Generator[Result, None, None]:
    """`work` of each item, in order, done by so many processes; no other thread may run. Results must be picklable.

    What `work` raises ends the run with a RuntimeError or a MemoryError. Closing the generator ends the processes.
    """
    if not hasattr(os, "fork"):
        yield from map(work, items)
        return
    children: list[_Child] = []
    # Objects that the collector never visits stay shared between the processes.
    gc.freeze()
    try:
        # ^C waits until all processes are known, so that none is forgotten. They never see it: their parent ends them.
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
        # A process may run ahead of the others by more than the few results that a pipe holds.
        with contextlib.suppress(ImportError, AttributeError, OSError):
            import fcntl

            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, _ROOM)
        with open(writer, "wb") as pipe:  # noqa: PTH123 - it is no path
            _work_off(work, items, pipe)
    finally:
        # Nothing of what this process inherited is its own to clean up.
        os._exit(0)


def _work_off(work: Callable[[Item], Result], items: Sequence[Item], pipe: BinaryIO) -> None:
    for item in items:
        try:
            done = pickle.dumps((None, work(item)), pickle.HIGHEST_PROTOCOL)
        except MemoryError:
            done = _OUT_OF_MEMORY
        except Exception:
            import traceback

            done = pickle.dumps((RuntimeError(traceback.format_exc()), None))
        pipe.write(len(done).to_bytes(_LENGTH, "big") + done)
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
