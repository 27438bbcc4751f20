"""Card files: what a record may say in a game's words, and reading the JSON lines or YAML that hold them."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from deckcheck.cards.names import Fold, make_fold
from deckcheck.model.card import INFINITY
from deckcheck.model.game import Attribute, Game
from deckcheck.support.errors import Problem, UserError, did_you_mean, placed_at, user_error
from deckcheck.support.files import MOST_BYTES as MOST_YAML_BYTES
from deckcheck.support.files import cannot_read
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import UNSAFE
from deckcheck.support.strictjson import is_day
from deckcheck.support.yamlfile import Document, parse_yaml

Record = Mapping[str, Any]
"""A card as it stands in a file: a plain mapping whose keys and types are known to be right."""

Route = tuple[str | int, ...]
"""The keys and indexes that lead from a record to a value in it."""

MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_CARDS = 200_000
MOST_PROBLEMS = 20
MOST_CHARACTERS = 300
"""No name comes near this."""

MOST_ITEMS = 1000
MOST_NUMBER = 10**9
_EXCERPT = 200
_BOM = b"\xef\xbb\xbf"

LISTS = ("aliases", "partial", "printings", "parts", "faces", "made_of")
"""The keys whose empty list says as much as no key at all."""


class Flaw(NamedTuple):
    """What is wrong at one place of a record, and what was perhaps meant."""

    route: Route
    message: Words
    hint: Words | None = None


Check = Callable[[Route, Any], Iterator[Flaw]]
"""What is wrong with the value at a route of a record."""


class Vocabulary(NamedTuple):
    """What a record may say in one game.

    `listed` are those of the `facts` that are sets of words, `ranks` the codes
    of each ranked attribute; the first of the `zones` is the default. `card`
    checks a whole record.
    """

    fold: Fold
    facts: Mapping[str, Attribute]
    listed: frozenset[str]
    ranks: Mapping[str, frozenset[str]]
    zones: tuple[str, ...]
    card: Check


def vocabulary(game: Game) -> Vocabulary:
    """The words of `game` as `flaws` needs them."""
    fold = make_fold(game.folding)
    facts = {item.id: item for item in game.attributes.values() if item.kind in ("values", "number")}
    ranks = {
        item.id: frozenset(code for step in item.order for code in step)
        for item in game.attributes.values()
        if item.kind == "rank"
    }
    listed = frozenset(key for key, attribute in facts.items() if attribute.kind == "values")

    def name(route: Route, value: object) -> Iterator[Flaw]:
        flaw = text_flaw(value)
        if flaw is None and not fold(str(value)):
            flaw = _("nothing of this name is left to compare: {name}", name=str(value))
        if flaw is not None:
            yield flaw_at(route, flaw)

    of_facts = {key: _fact(attribute) for key, attribute in facts.items()}
    of_ranks = {key: _rank(codes) for key, codes in ranks.items()}
    part = mapping(_("must be a mapping with a name"), ("name",), {"name": name} | of_facts)
    printing = mapping(
        _("must be a mapping with a set"), ("set",), {"set": text, "released": _date} | of_ranks
    )
    card = mapping(
        _("a card must be a mapping of keys to values"),
        ("name",),
        {
            "name": name,
            "aliases": each(name),
            "home": _one_of(game.zones),
            "released": _date,
            "partial": each(_one_of(listed)),
            "printings": each(printing),
            "parts": each(part),
            "faces": each(part),
            "made_of": each(name),
            "verified": _flag,
            **of_facts,
        },
    )
    return Vocabulary(fold, facts, listed, ranks, tuple(game.zones), card)


def flaws(record: object, words: Vocabulary) -> Iterator[Flaw]:
    """Everything that is wrong with `record`, in the order of its keys."""
    return words.card((), record)


def text_flaw(value: object) -> Words | None:
    """Why `value` can't stand as a name or a code; None where it can."""
    if not isinstance(value, str):
        return _("must be text (in YAML, put it in quotes)")
    if not value.strip():
        return _("is empty")
    if len(value) > MOST_CHARACTERS:
        return _("too long (at most {most} characters)", most=MOST_CHARACTERS)
    if UNSAFE.search(value):
        return _("contains a control character")
    return None


def is_date(value: object) -> bool:
    """Whether `value` is a day of the calendar in the form YYYY-MM-DD."""
    return isinstance(value, str) and is_day(value)


def shown(value: object) -> str:
    """`value` for a message: short, and without characters that harm a terminal."""
    # A list from a stranger may be nested deeper than str() can follow.
    text = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else str(value)
    return UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text[:60]) + ("…" if len(text) > 60 else "")


def flaw_at(route: Route, message: Words, hint: Words | None = None, key: str | None = None) -> Flaw:
    """A flaw that names its place; `key` is one right below it that shouldn't be there."""
    label = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in route).lstrip(".")
    said = _("{place}: {message}", place=label, message=message) if label else message
    return Flaw(route if key is None else (*route, key), said, hint)


def mapping(expected: Words, required: Collection[str], checks: Mapping[str, Check]) -> Check:
    """The check of a mapping with these keys, of which some are required; what is none is not what was `expected`."""

    def check(route: Route, value: Any) -> Iterator[Flaw]:
        if not isinstance(value, dict):
            yield flaw_at(route, expected)
            return
        for key in value:
            if key not in checks:
                hint = did_you_mean(shown(key), sorted(checks))
                yield flaw_at(route, _("unknown key: {key}", key=shown(key)), hint, key)
        for key in required:
            if key not in value:
                yield flaw_at(route, _("has no {key}", key=key))
        for key, item in value.items():
            if key in checks:
                yield from checks[key]((*route, key), item)

    return check


def each(inner: Check) -> Check:
    """The check of a list."""

    def check(route: Route, value: Any) -> Iterator[Flaw]:
        if not isinstance(value, list):
            yield flaw_at(route, _("must be a list"))
        elif len(value) > MOST_ITEMS:
            yield flaw_at(route, _("too many (at most {most})", most=MOST_ITEMS))
        else:
            for place, item in enumerate(value):
                yield from inner((*route, place), item)

    return check


def _one_of(known: Collection[str]) -> Check:
    def check(route: Route, value: Any) -> Iterator[Flaw]:
        if not isinstance(value, str) or value not in known:
            hint = did_you_mean(shown(value), sorted(known)) if isinstance(value, str) else None
            yield flaw_at(route, _("unknown value: {value}", value=shown(value)), hint)

    return check


def _rank(codes: Collection[str]) -> Check:
    """A code, one behind "<=" or behind "?", or that there is none."""

    def check(route: Route, value: Any) -> Iterator[Flaw]:
        code = value
        if isinstance(value, str) and not value.startswith("<=?"):
            code = value.removeprefix("<=").removeprefix("?")
        if value is not None and (not isinstance(code, str) or code not in codes):
            hint = did_you_mean(shown(code), sorted(codes)) if isinstance(code, str) else None
            yield flaw_at(route, _("unknown value: {value}", value=shown(value)), hint)

    return check


def _fact(attribute: Attribute) -> Check:
    if attribute.kind == "number":
        return _number
    return each(_one_of(attribute.values) if attribute.values else text)


def _number(route: Route, value: Any) -> Iterator[Flaw]:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value != INFINITY and not (number and abs(value) <= MOST_NUMBER):
        message = _("must be a number or {infinity}: {value}", infinity=INFINITY, value=shown(value))
        yield flaw_at(route, message)


def text(route: Route, value: Any) -> Iterator[Flaw]:
    """The check of a name or a code."""
    flaw = text_flaw(value)
    if flaw is not None:
        yield flaw_at(route, flaw)


def _date(route: Route, value: Any) -> Iterator[Flaw]:
    if not is_date(value):
        yield flaw_at(route, _("not a date (YYYY-MM-DD): {value}", value=shown(value)))


def _flag(route: Route, value: Any) -> Iterator[Flaw]:
    if not isinstance(value, bool):
        yield flaw_at(route, _("must be true or false"))


def normal(record: Record) -> dict[str, Any]:
    """The record without the keys that only say what goes without saying."""
    return {
        key: value
        for key, value in record.items()
        if not (key in LISTS and value == []) and not (key == "verified" and value is True)
    }


def line_of(record: Record) -> bytes:
    """The record as a line of a card file."""
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


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
        return self.document.problem((*self.keys, *flaw.route), flaw.message, flaw.hint)


def read_cards(
    path: Path, data: bytes, words: Vocabulary, progress: Callable[[int], None] = lambda _: None
) -> list[Located]:
    """The checked cards of a file: YAML by its ending, else one JSON object a line.

    `progress` is told now and then how many lines are done. Raises UserError
    with up to MOST_PROBLEMS problems.
    """
    if path.suffix.lower() in (".yaml", ".yml"):
        document = yaml_list(path, data, "cards")
        items = enumerate(document.data["cards"])
        return _checked(
            (
                Located(record, str(path), document.line(("cards", place)), document, ("cards", place))
                for place, record in items
            ),
            words,
        )
    found: list[Located] = []
    problems: list[Problem] = []
    for number, line in enumerate(data.removeprefix(_BOM).split(b"\n"), 1):
        if number % 500 == 0:
            progress(number)
        if line.strip() and len(problems) < MOST_PROBLEMS:
            try:
                found.append(_of_line(line, path, number))
            except UserError as error:
                problems += error.problems
        if len(found) > MOST_CARDS:
            raise too_many_cards(path)
    return _checked(found, words, problems)


def each_card(path: Path, words: Vocabulary) -> Iterator[Located]:
    """The checked cards of a file with one JSON object a line, one after the other and never all in memory.

    Raises UserError at the first that is wrong.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_LINE + 1), b""), 1):
                if line.strip():
                    yield from _checked([_of_line(line.rstrip(b"\n"), path, number)], words)
    except OSError as error:
        raise cannot_read(path, error) from error


def too_many_cards(path: Path | None = None) -> UserError:
    """What to say of more cards than a file may hold."""
    message = _("too many cards (at most {most:,})", most=MOST_CARDS)
    return user_error(message, path=None if path is None else str(path))


def _checked(found: Iterable[Located], words: Vocabulary, problems: Iterable[Problem] = ()) -> list[Located]:
    """The records as they came.

    Raises UserError if one is flawed, if two have one name, or if there are
    `problems` already: one run should tell all that is wrong.
    """
    kept: list[Located] = []
    met = list(problems)
    first: dict[str, Located] = {}
    for item in found:
        new = [item.problem(flaw) for flaw in flaws(item.record, words)]
        if not new:
            before = first.setdefault(words.fold(item.record["name"]), item)
            if before is not item:
                name = item.record["name"]
                message = _("line {line} has a card of the same name: {name}", line=before.line, name=name)
                new.append(item.problem(Flaw(("name",), message)))
        met += new
        if len(met) >= 2 * MOST_PROBLEMS:
            break
        kept.append(item)
    if met:
        raise UserError(sorted(met, key=lambda problem: problem.line or 0)[:MOST_PROBLEMS])
    return kept


def _of_line(line: bytes, path: Path, number: int) -> Located:
    if len(line) > MOST_LINE:
        message = _("the line is too long (at most {most:,} bytes)", most=MOST_LINE)
        raise user_error(message, path=str(path), line=number)
    return Located(parse_json(line.rstrip(b"\r"), str(path), number), str(path), number)


def parse_json(data: bytes, path: str, first_line: int = 1) -> Any:
    """The value in `data`; a key written twice and numbers that JSON doesn't have are refused. Raises UserError."""
    content = _decoded(data, path, first_line)
    try:
        return json.loads(content, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        excerpt = content.split("\n")[error.lineno - 1]
        raise user_error(
            _("not valid JSON: {reason}", reason=error.msg),
            path=path,
            line=first_line + error.lineno - 1,
            column=error.colno,
            excerpt=excerpt if len(excerpt) <= _EXCERPT else None,
        ) from None
    except UserError as error:
        raise placed_at(error, path, first_line) from None
    except RecursionError:
        raise user_error(_("nested too deeply"), path=path, line=first_line) from None
    except ValueError as error:
        message = _("not valid JSON: {reason}", reason=shown(error))
        raise user_error(message, path=path, line=first_line) from None


def _decoded(data: bytes, path: str, first_line: int = 1) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise user_error(_("not UTF-8"), path=path, line=line) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [pair[0] for pair in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise user_error(_("this key appears twice: {key}", key=shown(twice)))
    return value


def _no_constant(word: str) -> NoReturn:
    raise user_error(_("not a number: {word}", word=word))


def yaml_list(path: Path, data: bytes, key: str) -> Document:
    """The document of a YAML file that holds a list under `key`, and nothing else. Raises UserError."""
    if len(data) > MOST_YAML_BYTES:
        raise user_error(_("too large (at most {most:,} bytes)", most=MOST_YAML_BYTES), path=str(path))
    document = parse_yaml(_decoded(data.removeprefix(_BOM), str(path)), str(path))
    value = document.data
    if not isinstance(value, dict) or list(value) != [key] or not isinstance(value[key], list):
        raise UserError([document.problem((), _("must hold a list under the key {key} only", key=key))])
    return document


def read_sets(path: Path, data: bytes) -> dict[str, str]:
    """When the sets of sets.json came out, by their codes. Raises UserError."""
    value = parse_json(data, str(path))
    known = {"released", "approximate", "newest"}
    if not isinstance(value, dict) or value.keys() - known or not isinstance(value.get("released"), dict):
        raise user_error(_("must hold released, approximate and newest only"), path=str(path))
    for code, day in value["released"].items():
        if not is_date(day):
            message = _("{set}: not a date: {date}", set=shown(code), date=shown(day))
            raise user_error(message, path=str(path))
    return dict(value["released"])
