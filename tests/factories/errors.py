"""Mistakes of users, as they are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deckcheck.support.errors import Problem, UserError


def problems_of(action: Callable[..., object], *given: Any, **more: Any) -> tuple[Problem, ...]:
    """What is told of a mistake that ends the action."""
    with pytest.raises(UserError) as caught:
        action(*given, **more)
    return caught.value.problems


def problem_of(action: Callable[..., object], *given: Any, **more: Any) -> Problem:
    """The one mistake that is told."""
    [problem] = problems_of(action, *given, **more)
    return problem
