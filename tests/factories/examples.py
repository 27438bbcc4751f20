"""How much is tried: little in a quick run, everything in a thorough one."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

THOROUGH = os.environ.get("DECKCHECK_TESTS") == "thorough"


def amount(most: int, quick: int) -> int:
    """How many of something are tried, or how large it is."""
    return most if THOROUGH else quick


def examples(most: int, **more: Any) -> settings:
    """Settings for a property that wants `most` examples; a quick run tries a tenth of them, at least ten."""
    return settings(max_examples=amount(most, min(most, max(10, most // 10))), deadline=None, **more)
