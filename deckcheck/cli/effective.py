"""`deckcheck check --show-settings`: what holds, and which file, variable or option says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from deckcheck.cli.screen import output
from deckcheck.config.settings import Setting, Settings
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

_NONE = _("there is no settings file")
_DEFAULT = _("default")
_DEFAULTS: Mapping[str, object] = {
    "unknown": "error",
    "output-format": "text",
    "respect-gitignore": True,
    "force-exclude": False,
}
_ORDER = (
    "format",
    "as-of",
    "best-of",
    "lang",
    "unknown",
    "output-format",
    "formats",
    "banlists",
    "cards",
    "exclude",
    "respect-gitignore",
    "force-exclude",
    "select",
    "ignore",
    "severity",
)
_ADDED = ("cards", "exclude", "ignore")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def show_settings(settings: Settings, options: Sequence[Setting], lang: str) -> int:
    """Write the settings as a settings file would say them, each with where it comes from; the status is 0.

    `options` are those of the command line and the environment.
    """
    with output(None, exact=False) as write:
        write(f"# {safe(settings.file) if settings.file is not None else _NONE.in_(lang)}\n")
        for line in _lines(settings.written, options, lang):
            write(line + "\n")
    return 0


def _lines(written: Sequence[Setting], options: Sequence[Setting], lang: str) -> Iterator[str]:
    top = {one.keys[0]: one for one in written if len(one.keys) == 1}
    asked = {one.keys[0]: one for one in options}
    for key in _ORDER:
        one = _together(key, top.get(key), asked.get(key))
        if one is not None:
            yield f"{key} = {_toml(one.value)}  # {safe(one.place)}"
        elif key in _DEFAULTS:
            yield f"{key} = {_toml(_DEFAULTS[key])}  # {_DEFAULT.in_(lang)}"
    tables: dict[object, list[Setting]] = {}
    for one in written:
        if one.keys[0] == "decks":
            tables.setdefault(one.keys[1], []).append(one)
    for table in tables.values():
        yield "\n[[decks]]"
        for one in table:
            yield f"{one.keys[2]} = {_toml(one.value)}  # {safe(one.place)}"


def _together(key: str, below: Setting | None, above: Setting | None) -> Setting | None:
    if below is None or above is None or key not in _ADDED:
        return above or below
    # What the command line adds does not take the place of what the file says.
    localized = [*_items(below.value), *_items(above.value)]
    return Setting((key,), localized, f"{below.place}, {above.place}")


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(key))} = {_toml(one)}" for key, one in value.items())
        return "{" + inner + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    said = json.dumps(value, ensure_ascii=False)
    return said if said.isprintable() else json.dumps(value)


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else _toml(word)
