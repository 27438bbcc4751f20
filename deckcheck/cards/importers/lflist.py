"""lflist.conf of YGOPro and EDOPro: lists one after the other, each a name and how many copies there may be of what."""

import re
from pathlib import Path

from deckcheck.cards.importers.stated import Stated, day_in
from deckcheck.support.errors import Problem, UserError, wrong
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
_OTHER = _("it says in another way which cards may be played")


def read(path: Path) -> list[Stated]:
    """The lists in the file. Raises UserError with the lines that can't be read."""
    try:
        text = read_bytes(path, most=MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise wrong(_("is not UTF-8"), path=str(path)) from error
    lists: list[tuple[str, dict[str, str], list[Words]]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("!"):
            lists.append((bare[1:].strip(), {}, []))
            continue
        if not lists:
            problems.append(
                _problem(
                    path,
                    number,
                    line,
                    _("stands before the name of a list (a line with !)"),
                )
            )
        elif bare.startswith("$"):
            lists[-1][2].append(_OTHER)
        else:
            problem = _entry(bare, lists[-1][1])
            if problem is not None:
                problems.append(_problem(path, number, line, problem))
        if len(problems) == _MOST_PROBLEMS:
            break
    if problems:
        raise UserError(problems)
    if not lists:
        raise wrong(_("holds no list (a line with !)"), path=str(path))
    return [
        Stated(
            _IDS.get(slug, slug),
            name,
            day_in(name),
            statuses,
            refused=refused[0] if refused else None,
            also=" ".join(_DATED.sub(" ", name).split()),
        )
        for name, statuses, refused in lists
        for slug in [_slug(name)]
    ]


def _entry(bare: str, statuses: dict[str, str]) -> Words | None:
    found = _ENTRY.fullmatch(bare)
    if found is None:
        return _("is no line of a passcode and a number of copies")
    code, copies = str(int(found[1])), int(found[2])
    if copies not in (*_STATUSES, _FREE):
        return _("the number of copies must be 0 to {free}: {copies}", free=_FREE, copies=copies)
    status = _STATUSES.get(copies)
    if statuses.get(code, status) != status:
        return _("another number of copies stands there for {code}", code=code)
    if status is not None:
        statuses[code] = status
    return None


def _problem(path: Path, number: int, line: str, message: Words) -> Problem:
    return Problem(message, str(path), number, 1, line[:200])


def _slug(name: str) -> str:
    """ "2024.12.9 TCG" is "tcg"; empty where no letter is left."""
    return re.sub(r"[^a-z0-9]+", "-", _DATED.sub(" ", name).casefold()).strip("-")
