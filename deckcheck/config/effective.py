"""The settings in force as a settings file would say them, each with the file, variable or option that says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

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


def settings_lines(settings: Settings, options: Sequence[Setting], lang: str) -> Iterator[str]:
    """The lines; `options` are those of the command line and the environment."""
    yield "# " + (_("no settings file").in_(lang) if settings.file is None else safe(settings.file))
    top = {written.keys[0]: written for written in settings.written if len(written.keys) == 1}
    asked = {written.keys[0]: written for written in options}
    for key in _ORDER:
        written = _together(key, top.get(key), asked.get(key))
        if written is not None:
            yield f"{key} = {_toml(written.value)}  # {safe(written.place)}"
        elif key in _DEFAULTS:
            yield f"{key} = {_toml(_DEFAULTS[key])}  # " + _("default").in_(lang)
    table = None
    for written in settings.written:
        if written.keys[0] == "decks":
            if written.keys[1] != table:
                yield from ("", "[[decks]]")
            table = written.keys[1]
            yield f"{written.keys[2]} = {_toml(written.value)}  # {safe(written.place)}"


def _together(key: str, below: Setting | None, above: Setting | None) -> Setting | None:
    if below is None or above is None or key not in _ADDED:
        return above or below
    # What the command line adds does not take the place of what the file says.
    joined = [*_items(below.value), *_items(above.value)]
    return Setting((key,), joined, f"{below.place}, {above.place}")


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(str(key))} = {_toml(inner)}" for key, inner in value.items())
        return "{" + inner + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    said = json.dumps(value, ensure_ascii=False)
    return said if said.isprintable() else json.dumps(value)


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else _toml(word)
