"""lflist.conf of YGOPro and EDOPro: consecutive lists, each with a name, and the number of copies allowed of cards."""

import re
from collections.abc import Mapping
from pathlib import Path

from deckcheck.importers.records import StatedList, day_in, month_in
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_text
from deckcheck.support.messages import Words, _

_MOST_BYTES = 8 * 1024 * 1024
_MOST_PROBLEMS = 20
_ENTRY = re.compile(r"(\d{1,10})\s+(-?\d{1,3})\s*(?:(?:--|#|//).*)?")
_STATUSES = {0: "forbidden", 1: "limited", 2: "semi-limited"}
_FREE = 3
_WHITELIST = "$whitelist"
_COMMENTS = ("#", "--", "//")
_DATE = re.compile(r"\d{2,4}(?:[-./]\d{1,2}){1,2}")
_IDS = {"tcg": "advanced"}
"""The ids of formats that have another name here."""


def banlists(path: Path) -> list[StatedList]:
    """The lists in a file of lists. Raises UserError with the lines that can't be read."""
    text = read_text(path, most=_MOST_BYTES)
    lists: list[StatedList] = []
    statuses: dict[str, str] = {}
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith(_COMMENTS):
            continue
        message: Words | None = None
        if bare.startswith("!"):
            statuses = {}
            lists.append(_named(bare[1:].strip(), statuses))
        elif not lists:
            message = _("comes before the name of a list (a line that begins with !)")
        elif bare == _WHITELIST:
            lists[-1] = lists[-1]._replace(others=_STATUSES[0])
        elif bare.startswith("$"):
            refused = _("it decides in another way which cards may be played")
            lists[-1] = lists[-1]._replace(refused=refused)
        elif lists[-1].refused is None:
            message = _add_status(bare, statuses)
        if message is not None:
            problems.append(Problem(message, str(path), number, 1, line[:200]))
        if len(problems) == _MOST_PROBLEMS:
            break
    if problems:
        raise UserError(problems)
    if not lists:
        raise user_error(_("contains no list (a line that begins with !)"), path=str(path))
    return [found if found.others else _restricted(found) for found in lists]


def _restricted(found: StatedList) -> StatedList:
    """The list without its free cards, which say nothing if all unlisted cards are free."""
    listed = {code: status for code, status in found.statuses.items() if status != FREE_STATUS}
    return found._replace(statuses=listed)


def _named(name: str, statuses: Mapping[str, str]) -> StatedList:
    plain = " ".join(_DATE.sub(" ", name).split())
    # "2024.12.9 TCG" becomes "tcg"; empty if no letter or digit is left.
    slug = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")
    day = day_in(name)
    date = day or month_in(name)
    month_only = date != day
    return StatedList(_IDS.get(slug, slug), name, date, statuses, undated_title=plain, month_only=month_only)


def _add_status(bare: str, statuses: dict[str, str]) -> Words | None:
    """Add the status on a line to `statuses`; returns what is wrong with the line, if anything."""
    found = _ENTRY.fullmatch(bare)
    if found is None:
        return _("not a line with a passcode and a number of copies")
    code, copies = str(int(found[1])), int(found[2])
    if copies not in (*_STATUSES, _FREE):
        return _("the number of copies must be 0 to {most}: {copies}", most=_FREE, copies=copies)
    status = _STATUSES.get(copies, FREE_STATUS)
    if statuses.get(code, status) != status:
        return _("{code} is also listed with another number of copies", code=code)
    statuses[code] = status
    return None
