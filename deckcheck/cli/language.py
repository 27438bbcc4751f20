"""In which language to talk to the user."""

from __future__ import annotations

import os
from collections.abc import Mapping

from deckcheck.support.messages import Words


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


def say(message: Words) -> str:
    """The one of both that the user reads; for help texts, which are made before options are read."""
    return message.in_(user_language())
