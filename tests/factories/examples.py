"""How much is tried, little in a quick run and everything in a thorough one, and how long it may take on any machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import settings

THOROUGH = os.environ.get("DECKCHECK_TESTS") == "thorough"


def amount(most: int, quick: int) -> int:
    """How many of something are tried, or how large it is."""
    return most if THOROUGH else quick


def examples(most: int, **more: Any) -> settings:
    """Settings for a property that wants `most` examples; a quick run tries a tenth of them, at least ten."""
    return settings(max_examples=amount(most, min(most, max(10, most // 10))), deadline=None, **more)


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
