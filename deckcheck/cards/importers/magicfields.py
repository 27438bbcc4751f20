"""Fields of Magic data, taken as they come: what has another shape than it should have is as good as missing."""

from collections.abc import Mapping
from typing import Any


def words(value: Any) -> list[str] | None:
    """A list of words."""
    if not isinstance(value, list):
        return None
    return [item for item in value if isinstance(item, str)]


def word(value: Any) -> str | None:
    """A word."""
    return value if isinstance(value, str) else None


def mapping(value: Any) -> Mapping[str, Any]:
    """A mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def maps(value: Any) -> list[Mapping[str, Any]]:
    """Those items of a list that are mappings."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def legalities(value: Any) -> dict[str, str] | None:
    """Formats with what is said of the card in each."""
    if not isinstance(value, dict):
        return None
    return {key: said for key, said in value.items() if isinstance(said, str)}


ARENA_ONLY = ["arena"]
"""Where a printing is to be had that is no printing for the formats of paper and Magic Online."""
