"""The exception for all mistakes of the user, with their places."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.support.messages import Words, _, fields_of, series

MOST_LISTED = 30
"""The most words that a hint lists."""
SHORTEST = 3
"""The length of the shortest word for which a similar one is suggested."""


class Problem(Struct, frozen=True):
    """A mistake in the user's input: message, place (1-based, in code points) with its length, excerpt and hint."""

    message: Words
    path: str | None = None
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    hint: Words | None = None
    length: int = 1

    @property
    def place(self) -> str:
        """`path:line:column` as far as they are known."""
        return place_of(self.path, self.line, self.column)

    def to_dict(self, lang: str) -> dict[str, Any]:
        """The problem as plain values, as all JSON outputs have it."""
        return fields_of(self, ("path", "line", "column", "message", "hint"), lang)

    def in_(self, lang: str) -> str:
        """`path:line:column: message (hint)` in `lang`."""
        text = self.message.in_(lang)
        if self.hint is not None:
            text += _(" ({hint})", hint=self.hint).in_(lang)
        return f"{self.place}: {text}" if self.place else text


def place_of(path: str | None, line: int | None, column: int | None) -> str:
    """`path:line:column` as far as they are known."""
    return ":".join(str(part) for part in (path, line, column) if part)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """The problems without duplicates, in file order."""
    return sorted(dict.fromkeys(problems), key=lambda problem: (problem.line or 0, problem.column or 0))


class UserError(Exception):
    """Invalid input, which ends a command with exit status 2; `problems` is never empty."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].in_("en"))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        # A process that can't read the error of another waits for it forever.
        return type(self).__new__, (type(self), *self.args), self.__dict__


def user_error(
    message: Words,
    *,
    path: str | None = None,
    line: int | None = None,
    column: int | None = None,
    excerpt: str | None = None,
    hint: Words | None = None,
) -> UserError:
    """A UserError with a single problem."""
    return UserError([Problem(message, path, line, column, excerpt, hint)])


def placed_at(
    error: UserError,
    path: str,
    line: int | None = None,
    column: int | None = None,
    excerpt: str | None = None,
) -> UserError:
    """The error with this place for all problems without a path."""
    place: Mapping[str, Any] = {"path": path, "line": line, "column": column, "excerpt": excerpt}
    return UserError(
        [replace(problem, **place) if problem.path is None else problem for problem in error.problems]
    )


def renamed(error: UserError, path: str, name: str) -> UserError:
    """The error with the name of a file for its path, and for the problems without a path."""
    return UserError(
        [
            replace(problem, path=name) if problem.path in (None, path) else problem
            for problem in error.problems
        ]
    )


def suggest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The names most similar to `name`, best first; [] if none is close. Callers fold both if needed."""
    from rapidfuzz import fuzz, process

    matches = process.extract(name, known, scorer=fuzz.WRatio, limit=4 * most, score_cutoff=70)
    # If a part of the name matches several equally well, compare whole names.
    matches.sort(key=lambda match: (-match[1], -fuzz.ratio(name, match[0])))
    return [match[0] for match in matches[:most]]


def did_you_mean(word: object, known: Iterable[str]) -> Words | None:
    """A hint with the most similar known word; None if none is close."""
    # One or two letters are a part of many words.
    if len(str(word)) < SHORTEST:
        return None
    near = [name for name in suggest(str(word), sorted(known), most=2) if name != word]
    return _("did you mean {near!r}?", near=near[0]) if near else None


def which_of(word: object, known: Collection[str]) -> Words | None:
    """A hint with the most similar known word, else with all of them; None for none or too many."""
    return did_you_mean(word, known) or there_are(known)


def there_are(known: Collection[str]) -> Words | None:
    """A hint with all words that may stand somewhere; None for none or too many."""
    return _("there are: {words}", words=series(known)) if 0 < len(known) <= MOST_LISTED else None
