"""Command lines that are so plain that nothing has to be loaded to read them.

Loading typer takes longer than checking a deck. So `deckcheck check` with
paths and the options below, each once and with a value of its own, is read
here; whatever looks different in any way is left to typer, mistakes above all.
A test holds both to the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

OPTIONS: Mapping[str, str] = {
    "--format": "format",
    "-f": "format",
    "--as-of": "as_of",
    "--output-format": "output_format",
    "--lang": "lang",
    "--unknown": "unknown",
    "--color": "color",
}
"""What is read here, by what `check_decks` calls it."""

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "output_format": ("text", "json"),
    "lang": ("ja", "en"),
    "unknown": ("error", "warn"),
    "color": ("auto", "always", "never"),
}


def plain_check(arguments: Sequence[str]) -> dict[str, Any] | None:
    """What to call `check_decks` with, None where typer has to have a look."""
    if not arguments or arguments[0] != "check":
        return None
    found: dict[str, Any] = {}
    paths: list[str] = []
    words = iter(arguments[1:])
    for word in words:
        if word == "-" or not word.startswith("-"):
            paths.append(word)
            continue
        name, value = OPTIONS.get(word), next(words, "-")
        if (
            name is None
            or name in found
            or value.startswith("-")
            or value not in _CHOICES.get(name, (value,))
        ):
            return None
        found[name] = value
    return {"paths": paths, **found} if paths else None
