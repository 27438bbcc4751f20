"""Reads card files: JSON lines, and the small YAML files that people write beside their decks."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from deckcheck.cards.check import Flaw, Route, Vocabulary, flaws, is_date, shown
from deckcheck.cards.record import Record
from deckcheck.support.errors import Problem, UserError, wrong
from deckcheck.support.files import MOST_BYTES as MOST_YAML_BYTES
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Document, parse_yaml

MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_CARDS = 200_000
MOST_PROBLEMS = 20
_EXCERPT = 200


class Located(NamedTuple):
    """A record and where it stands: on a line of its own, or at `keys` of a YAML document."""

    record: Record
    path: str
    line: int
    document: Document | None = None
    keys: Route = ()

    def problem(self, flaw: Flaw) -> Problem:
        """The flaw with its place."""
        if self.document is None:
            return Problem(flaw.message, self.path, self.line, hint=flaw.hint)
        keys = (*self.keys, *flaw.route)
        return self.document.problem(keys, flaw.message, flaw.hint)


def read_cards(
    path: Path, data: bytes, words: Vocabulary, tick: Callable[[int], None] | None = None
) -> list[Located]:
    """The checked cards of a file: YAML by its ending, else one JSON object a line.

    `tick` is told now and then how many lines are done. Raises UserError with
    up to MOST_PROBLEMS problems.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        return checked(_yaml_cards(path, data), words)
    return _json_lines(path, data, words, tick or (lambda _: None))


def each_card(path: Path, words: Vocabulary) -> Iterator[Located]:
    """The checked cards of a file with one JSON object a line, one after the other and never all in memory.

    Raises UserError at the first that is wrong.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_LINE + 1), b""), 1):
                if line.strip():
                    item = Located(_json_line(line.rstrip(b"\n"), str(path), number), str(path), number)
                    yield from checked([item], words)
    except OSError as error:
        raise cannot_read(path, error) from error


def checked(found: Iterable[Located], words: Vocabulary) -> list[Located]:
    """The records as they came. Raises UserError if one is flawed, or if two have one name."""
    kept: list[Located] = []
    problems: list[Problem] = []
    first: dict[str, Located] = {}
    for item in found:
        before = len(problems)
        for flaw in flaws(item.record, words):
            problems.append(item.problem(flaw))
            if len(problems) == MOST_PROBLEMS:
                raise UserError(problems)
        if len(problems) == before:
            problems += _twice(item, first.setdefault(words.fold(item.record["name"]), item))
        kept.append(item)
    if problems:
        raise UserError(problems[:MOST_PROBLEMS])
    return kept


def _twice(item: Located, first: Located) -> list[Problem]:
    if first is item:
        return []
    name = item.record["name"]
    said = _("line {line} has a card of the same name: {name}", line=first.line, name=name)
    return [item.problem(Flaw(("name",), said))]


def _json_lines(path: Path, data: bytes, words: Vocabulary, tick: Callable[[int], None]) -> list[Located]:
    found: list[Located] = []
    problems: list[Problem] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if number % 500 == 0:
            tick(number)
        if not line.strip():
            continue
        try:
            found.append(Located(_json_line(line, str(path), number), str(path), number))
        except UserError as error:
            problems += error.problems
        if len(problems) >= MOST_PROBLEMS:
            break
        if len(found) > MOST_CARDS:
            raise _too_many(path)
    if not problems:
        return checked(found, words)
    # One run should tell all that is wrong, not only what JSON itself refuses.
    try:
        checked(found, words)
    except UserError as error:
        problems += error.problems
    problems.sort(key=lambda problem: problem.line or 0)
    raise UserError(problems[:MOST_PROBLEMS])


def _json_line(line: bytes, path: str, number: int) -> Record:
    if len(line) > MOST_LINE:
        raise wrong(
            _("the line is too long (at most {most_line:,} bytes)", most_line=MOST_LINE),
            path=path,
            line=number,
        )
    try:
        return parse_json(line.rstrip(b"\r"), path, number)  # type: ignore[no-any-return]
    except RecursionError:
        raise wrong(_("nested too deeply"), path=path, line=number) from None


def parse_json(data: bytes, path: str, first_line: int = 1) -> Any:
    """The value in `data`; a key written twice and numbers that JSON doesn't have are refused.

    Raises UserError, or RecursionError when the value is nested too deeply.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise wrong(_("is not UTF-8"), path=path, line=line) from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        excerpt = text.split("\n")[error.lineno - 1]
        raise wrong(
            _("is not JSON: {msg}", msg=error.msg),
            path=path,
            line=first_line + error.lineno - 1,
            column=error.colno,
            excerpt=excerpt if len(excerpt) <= _EXCERPT else None,
        ) from None
    except _RefusedError as error:
        raise wrong(error.text, path=path, line=first_line) from None
    except ValueError as error:
        said = shown(error)
        raise wrong(_("is not JSON: {said}", said=said), path=path, line=first_line) from None


class _RefusedError(ValueError):
    """JSON that reads well and is not accepted all the same."""

    def __init__(self, text: Words) -> None:
        super().__init__(text.en)
        self.text = text


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _unused in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        said = shown(twice)
        raise _RefusedError(_("this key stands there twice: {said}", said=said))
    return value


def _no_constant(word: str) -> NoReturn:
    raise _RefusedError(_("not a number: {word}", word=word))


def _yaml_cards(path: Path, data: bytes) -> list[Located]:
    document = yaml_document(path, data)
    value = document.data
    if not isinstance(value, dict) or list(value) != ["cards"] or not isinstance(value["cards"], list):
        message = _("must hold a list of cards under the key cards only")
        raise UserError([document.problem((), message)])
    return [
        Located(record, str(path), document.line(("cards", place)), document, ("cards", place))
        for place, record in enumerate(value["cards"])
    ]


def yaml_document(path: Path, data: bytes) -> Document:
    """The YAML in `data`, which may be as large as other files that people write. Raises UserError."""
    if len(data) > MOST_YAML_BYTES:
        most = MOST_YAML_BYTES
        raise wrong(_("too large (at most {most:,} bytes)", most=most), path=str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong(_("is not UTF-8"), path=str(path), line=line) from None
    return parse_yaml(text, str(path))


def _too_many(path: Path) -> UserError:
    return wrong(
        _("too many cards (at most {most_cards:,})", most_cards=MOST_CARDS),
        path=str(path),
    )


def read_sets(path: Path, data: bytes) -> dict[str, str]:
    """When the sets of sets.json came out, by their codes. Raises UserError."""
    try:
        value = parse_json(data, str(path))
    except RecursionError:
        raise wrong(_("nested too deeply"), path=str(path)) from None
    known = {"released", "approximate", "newest"}
    if (
        not isinstance(value, dict)
        or not known.issuperset(value)
        or not isinstance(value.get("released"), dict)
    ):
        raise wrong(
            _("must hold released, approximate and newest only"),
            path=str(path),
        )
    for code, day in value["released"].items():
        if not is_date(day):
            raise wrong(
                _("{code}: not a date: {day}", code=shown(code), day=shown(day)),
                path=str(path),
            )
    return dict(value["released"])
