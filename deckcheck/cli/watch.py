"""`deckcheck check --watch`: the files that the results depend on, and checking again when one of them changes."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from deckcheck.checking.deck_files import DeckFile, find_decks
from deckcheck.cli import terminal
from deckcheck.cli.command import STOPPED
from deckcheck.config.settings import Settings, nearest_file
from deckcheck.support.cache import stamp
from deckcheck.support.errors import UserError
from deckcheck.support.messages import _
from deckcheck.support.safe_text import about

PAUSE = 0.5
"""Seconds between two looks at the files."""


def watch_files(
    once: Callable[[], int], files: Callable[[], Iterable[str]], lang: str, pause: float = PAUSE
) -> int:
    """Call `once`, and again each time one of the `files` changes, appears or disappears, until ^C stops it."""
    while True:
        before = stamps(files())
        if once() == STOPPED:
            return STOPPED
        terminal.write_messages(lang, _("waiting for changes (^C to quit)"))
        while (now := stamps(files())) == before:
            time.sleep(pause)
        changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
        heading = about(_("changed"), changed or [""])
        terminal.show(f"\n──── {heading.in_(lang)} ────\n")


def stamps(paths: Iterable[str]) -> dict[str, list[int] | None]:
    """Values that change with the files, by path; None for a file that doesn't exist."""
    found: dict[str, list[int] | None] = {}
    for path in paths:
        found[path] = None
        with suppress(ValueError):
            # The files in a folder are watched themselves.
            found[path] = [] if os.path.isdir(path) else stamp(Path(path))  # noqa: PTH112 - a path may be no text
    return found


def files_to_watch(
    paths: Sequence[str], format: str | None, cards: Sequence[str], settings_now: Callable[[], Settings]
) -> list[str]:
    """Every file that the results for `paths` depend on: lists, settings, own formats and cards."""
    found = [*paths, *cards]
    try:
        settings = settings_now()
    except UserError:
        # Until the settings are fixed.
        nearest = nearest_file(paths)
        return found if nearest is None else [*found, nearest]
    # This also adds the formats among the lists, which a list may name.
    for item in find_decks(paths, found, settings):
        if isinstance(item, DeckFile):
            found += [item.path, *item.cards]
    if settings.file is not None:
        found.append(settings.file)
    found += map(str, settings.cards)
    if any(settings.folders):
        from deckcheck.formats.lookup import project_files

        found += map(str, project_files(settings.folders))
    for reference in (format, *settings.formats):
        if reference is not None and reference.endswith((".yaml", ".yml")):
            # The formats that a format extends and its banlists are mostly next to it.
            found += map(str, sorted(Path(reference).parent.glob("*.y*ml")))
    return list(dict.fromkeys(found))
