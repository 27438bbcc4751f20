"""What can happen at any call that changes files: a full disk, a process that dies."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

CALLS = ("open", "fsync", "replace", "mkdir", "unlink", "close")


@contextmanager
def at_call(number: int, then: Callable[[str], object]) -> Iterator[list[str]]:
    """At the call of that number (from 0) of what changes files, `then` is done first; the calls so far are told."""
    made: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            real = getattr(os, name)

            def call(
                *arguments: object, _name: str = name, _real: Callable[..., object] = real, **more: object
            ) -> object:
                if _name != "open" or arguments[1] != os.O_RDONLY | os.O_CLOEXEC:
                    made.append(_name)
                    if len(made) - 1 == number:
                        then(_name)
                return _real(*arguments, **more)

            patch.setattr(os, name, call)
        yield made


def forked(work: Callable[[], object]) -> int:
    """Begin the work in a process of its own, which ends with 0 if all went well; its number."""
    with warnings.catch_warnings():
        # A newer Python warns of threads that our tests' own runner has; the child uses none.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


def status_of(child: int) -> int:
    """The status with which that process ends."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(number: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that dies at that call; False when it came to its end."""

    def doomed() -> None:
        with at_call(number, lambda _name: os._exit(9)):
            work()

    return status_of(forked(doomed)) == 9
