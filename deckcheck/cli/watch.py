"""`deckcheck check --watch`: check, and check again whenever a file changes."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from deckcheck.checking.walk import STANDARD_INPUT, DeckFile, find_decks
from deckcheck.cli.command import STOPPED
from deckcheck.cli.terminal import show, tell
from deckcheck.config.settings import Settings
from deckcheck.config.settingsfile import nearest_file
from deckcheck.support.errors import UserError, user_error
from deckcheck.support.messages import _
from deckcheck.support.safetext import about

PAUSE = 0.5
"""Seconds between two looks at the files."""


Stamps = dict[str, tuple[int, int] | None]


def watch(
    once: Callable[[], int], files: Callable[[], Iterable[str]], lang: str, pause: float = PAUSE
) -> int:
    """Call `once`, and again each time one of the files changes, comes or goes.

    `files` is asked anew each time. Returns only when `once` was stopped by
    ^C; one while waiting comes through as it is.
    """
    while True:
        before = stamps(files())
        if once() == STOPPED:
            return STOPPED
        tell(lang, _("waiting for changes (^C to quit)"))
        while (now := stamps(files())) == before:
            time.sleep(pause)
        changed = sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
        heading = about(_("changed"), changed or [""])
        show(f"\n──── {heading.in_(lang)} ────\n")


def stamps(paths: Iterable[str]) -> Stamps:
    """What changes when a file changes, by path; None for one that is not there."""
    found: Stamps = {}
    for path in paths:
        try:
            seen = os.stat(path)  # noqa: PTH116 - a path may be no text
            # What comes and goes in a folder is seen by itself.
            found[path] = (0, 0) if stat.S_ISDIR(seen.st_mode) else (seen.st_size, seen.st_mtime_ns)
        except (OSError, ValueError):
            found[path] = None
    return found


def files_to_watch(
    paths: Sequence[str], format: str | None, cards: Sequence[str], settings_now: Callable[[], Settings]
) -> list[str]:
    """Every file on which the results for `paths` hang: the lists, the settings, one's own formats and cards."""
    found = [*paths, *cards]
    try:
        settings = settings_now()
    except UserError:
        # Broken settings are there to be mended.
        nearest = nearest_file(paths)
        return found if nearest is None else [*found, nearest]
    # A format of one's own that a list names is passed over where it stands among the lists.
    for item in find_decks(paths, found, settings):
        if isinstance(item, DeckFile):
            found += [item.path, *item.cards]
    if settings.file is not None:
        found.append(settings.file)
    found += map(str, settings.cards)
    if any(settings.folders):
        from deckcheck.formats.lookup import searched_files

        found += map(str, searched_files(settings.folders))
    for reference in (format, *settings.formats):
        if reference is not None and reference.endswith((".yaml", ".yml")):
            # What a format extends and the lists that it names mostly stand beside it.
            found += map(str, sorted(Path(reference).parent.glob("*.y*ml")))
    return list(dict.fromkeys(found))


def require_watchable(paths: Sequence[str], output_format: str, file: str | None) -> None:
    """Raises UserError for what can't be watched: only text on the screen, and only files."""
    if output_format != "text" or file is not None:
        raise user_error(_("--watch only works with text output on the screen"))
    if STANDARD_INPUT in paths:
        raise user_error(_("--watch cannot be used with standard input"))
