"""What stands for a player in a form or in the header of a list, made fit to be kept."""

import re
from collections.abc import Mapping
from datetime import tzinfo
from typing import NamedTuple

from deckcheck.registration.entries.times import parse_time
from deckcheck.registration.model import FIELDS, Player, Submission
from deckcheck.registration.obstacles import FIELD_NAMES
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import without_hidden

SUBMITTED = "submitted"
KEYS = frozenset({*FIELDS, SUBMITTED})
"""What may be told of a submission besides its list."""

TIME = _("time of submission")
"""What "submitted" is called."""

LARGEST_LIST = 256 * 1024
"""In bytes of UTF-8; no list comes near this."""

LONGEST_FIELD = 1000
"""In characters; no name comes near this."""

TOO_LARGE = _("the list is too large (at most {largest_list} KiB)", largest_list=LARGEST_LIST // 1024)

_LANGUAGES = {
    **dict.fromkeys(("ja", "jp", "jpn", "japanese", "日本語"), "ja"),
    **dict.fromkeys(("en", "eng", "english", "英語"), "en"),
}


class Said(NamedTuple):
    """Who sent a list and when, and what is wrong with how that is told."""

    player: Player
    submitted: str
    problem: Words | None


def said_of(fields: Mapping[str, str]) -> Said:
    """The player and the time that the texts of `fields` (keys of KEYS) give."""
    plain: dict[str, str | None] = {}
    problem: Words | None = None
    for key, text in fields.items():
        if len(text) > LONGEST_FIELD:
            name = TIME if key == SUBMITTED else FIELD_NAMES[key]
            problem = problem or _(
                "{name} is too long (at most {longest_field:,} characters)",
                name=name,
                longest_field=LONGEST_FIELD,
            )
            plain[key] = None
        else:
            plain[key] = cleaned(text) or None
    submitted = plain.pop(SUBMITTED, None) or ""
    if plain.get("language"):
        plain["language"] = _language(str(plain["language"]))
    return Said(Player(**plain), submitted, problem)


def submission(
    place: str, said: Said, text: str | None, zone: tzinfo, problem: Words | None, *, timed: bool = False
) -> Submission:
    """A submission without its number. One with a problem shows no list. `timed` says that a time belongs there."""
    trouble = problem or said.problem
    if text is not None and trouble is None and is_large(text):
        trouble = TOO_LARGE
    shown = text if trouble is None and text is not None and text.strip() else None
    when = parse_time(said.submitted, zone) if said.submitted else None
    return Submission(0, place, said.player, shown, when, said.submitted, trouble, timed)


def is_large(text: str) -> bool:
    """Whether a text is larger than a list may be."""
    return 4 * len(text) > LARGEST_LIST and len(text.encode("utf-8", "replace")) > LARGEST_LIST


def cleaned(text: str) -> str:
    """`text` in one line, without what can't be seen."""
    return " ".join(without_hidden(text).split())


def _language(text: str) -> str | None:
    word = text.casefold()
    return _LANGUAGES.get(word) or _LANGUAGES.get(re.split("[-_]", word)[0])
