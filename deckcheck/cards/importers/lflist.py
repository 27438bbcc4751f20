"""lflist.conf of YGOPro and EDOPro: lists one after the other, each a name and how many copies there may be of what."""

import re
from pathlib import Path

from deckcheck.cards.importers.registry import StatedList, day_in
from deckcheck.cards.importers.stream import Advance
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes
from deckcheck.support.messages import Words, _

MOST_BYTES = 8 * 1024 * 1024
_MOST_PROBLEMS = 20
_ENTRY = re.compile(r"(\d{1,10})\s+(-?\d{1,3})\s*(?:(?:--|#|//).*)?")
_STATUSES = {0: "forbidden", 1: "limited", 2: "semi-limited"}
_FREE = 3
_IDS = {"tcg": "advanced"}
"""Where the format is called otherwise."""

_DATED = re.compile(r"\d{2,4}(?:[-./]\d{1,2}){1,2}")


def banlists(path: Path, _advance: Advance = lambda _count: None) -> list[StatedList]:
    """The lists in the file. Raises UserError with the lines that can't be read."""
    try:
        text = read_bytes(path, most=MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise user_error(_("not UTF-8"), path=str(path)) from error
    lists: list[tuple[str, dict[str, str], list[Words]]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        message: Words | None = None
        if bare.startswith("!"):
            lists.append((bare[1:].strip(), {}, []))
        elif not lists:
            message = _("comes before the name of a list (a line that begins with !)")
        elif bare.startswith("$"):
            lists[-1][2].append(_("it decides in another way which cards may be played"))
        else:
            message = _add(bare, lists[-1][1])
        if message is not None:
            problems.append(Problem(message, str(path), number, 1, line[:200]))
        if len(problems) == _MOST_PROBLEMS:
            break
    if problems:
        raise UserError(problems)
    if not lists:
        raise user_error(_("holds no list (a line that begins with !)"), path=str(path))
    found = []
    for name, statuses, refused in lists:
        plain = _DATED.sub(" ", name)
        # "2024.12.9 TCG" is "tcg"; empty where no letter is left.
        slug = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")
        reason, also = refused[0] if refused else None, " ".join(plain.split())
        found.append(StatedList(_IDS.get(slug, slug), name, day_in(name), statuses, None, reason, also))
    return found


def _add(bare: str, statuses: dict[str, str]) -> Words | None:
    """Puts the status on a line with those before it; what is wrong with the line, if anything."""
    found = _ENTRY.fullmatch(bare)
    if found is None:
        return _("not a line with a passcode and a number of copies")
    code, copies = str(int(found[1])), int(found[2])
    if copies not in (*_STATUSES, _FREE):
        return _("the number of copies must be 0 to {most}: {copies}", most=_FREE, copies=copies)
    status = _STATUSES.get(copies)
    if statuses.get(code, status) != status:
        return _("there is another number of copies for {code}", code=code)
    if status is not None:
        statuses[code] = status
    return None
