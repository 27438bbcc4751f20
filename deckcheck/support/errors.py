"""The one exception for the user's mistakes, and the place of each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.support.messages import Words, _


class Problem(NamedTuple):
    """One thing that is wrong in what the user gave: where (1-based, in code points), its line, and what to do instead."""

    message: Words
    path: str | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    hint: Words | None = None

    def in_(self, lang: str) -> str:
        """`path:line:column: message`, with the hint behind it."""
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        text = self.message.in_(lang)
        if self.hint is not None:
            text += _(" ({hint})", hint=self.hint).in_(lang)
        return f"{place}: {text}" if place else text


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems, each once, in the order of the file."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.column or 0))


class UserError(Exception):
    """Something the user gave can't be used, which ends a command with status 2; the problems are in the file's order."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].in_("en"))
        self.problems = tuple(problems)


def user_error(
    message: Words,
    *,
    path: str | None = None,
    line: int | None = None,
    column: int | None = None,
    excerpt: str | None = None,
    hint: Words | None = None,
) -> UserError:
    """A `UserError` of a single problem."""
    return UserError([Problem(message, path, line, column, excerpt, hint)])


def placed_at(
    error: UserError,
    path: str,
    line: int | None = None,
    column: int | None = None,
    excerpt: str | None = None,
) -> UserError:
    """The error with this place for each of its problems that names no file of its own."""
    place: Mapping[str, Any] = {"path": path, "line": line, "column": column, "excerpt": excerpt}
    return UserError(
        [problem._replace(**place) if problem.path is None else problem for problem in error.problems]
    )


def suggest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The names most like `name`, best first, none that is far off. Fold both sides first to compare folded names."""
    from rapidfuzz import fuzz, process

    hits = process.extract(name, known, scorer=fuzz.WRatio, limit=4 * most, score_cutoff=70)
    # Where a part of the name matches several alike, the whole decides.
    hits.sort(key=lambda hit: (-hit[1], -fuzz.ratio(name, hit[0])))
    return [hit[0] for hit in hits[:most]]


def did_you_mean(word: object, known: Iterable[str]) -> Words | None:
    """A hint that names the nearest of the known words."""
    near = suggest(str(word), list(known), most=1)
    return _("did you mean {near!r}?", near=near[0]) if near else None
