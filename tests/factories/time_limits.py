"""Time limits that mean the same on a slow or busy machine."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

YARDSTICK_SECONDS = 0.03
"""How long the yardstick takes on the machine for which the limits are written."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Asserts that the block takes less than `seconds` of processor time.

    A block that takes longer is given what the machine is slower than the one for which the limits are
    written, measured by a fixed piece of work.
    """
    start = time.process_time()
    yield
    spent = time.process_time() - start
    if spent >= seconds:
        limit = seconds * max(1.0, max(_yardstick() for _ in range(5)) / YARDSTICK_SECONDS)
        assert spent < limit, f"{spent:.1f} s of processor time, at most {limit:.1f} s on this machine"


def _yardstick() -> float:
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - start
