"""How many examples a property is tried on: few in a quick run, all in a thorough one."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

THOROUGH = os.environ.get("DECKCHECK_TESTS") == "thorough"


def examples(most: int, **more: Any) -> settings:
    """Settings for a property that wants `most` examples; a quick run tries a sixth of them, at least ten."""
    return settings(max_examples=most if THOROUGH else min(most, max(10, most // 6)), deadline=None, **more)
