"""In which language to talk to the user."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence


def user_language(environ: Mapping[str, str] = os.environ) -> str:
    """ "ja" where $DECKCHECK_LANG or the locale is Japanese, else "en"."""
    for name in ("DECKCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name)
        if value:
            return "ja" if value.lower().startswith("ja") else "en"
    if os.name == "nt":
        import locale

        return "ja" if (locale.getlocale()[0] or "").lower().startswith("ja") else "en"
    return "en"


def language_of_arguments(arguments: Sequence[str]) -> str:
    """As `--lang` says, else the user's: for help texts and usage errors, which come before options are read."""
    for at, word in enumerate(arguments):
        value = "".join(arguments[at + 1 : at + 2]) if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and value in ("ja", "en"):
            return value
    return user_language()
