"""Card files: what a record may say in a game's words, and reading the JSON lines or YAML that hold them."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards.names import Fold, make_fold
from deckcheck.model.card import INFINITY
from deckcheck.model.game import Attribute, Game
from deckcheck.support.dates import is_day
from deckcheck.support.documents import Document, Keys, parse_yaml
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.files import MOST_BYTES as MOST_YAML_BYTES
from deckcheck.support.files import cannot_read, decoded
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import UNSAFE, brief
from deckcheck.support.strictjson import parse_json

Record = Mapping[str, Any]
"""A card as a file says it: a plain mapping whose keys and types are known to be right."""

MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 64 * 1024
MOST_CARDS = 200_000
MOST_PROBLEMS = 20
MOST_CHARACTERS = 300
"""No name comes near this."""

MOST_ITEMS = 1000
MOST_NUMBER = 10**9

LISTS = ("aliases", "partial", "printings", "parts", "faces", "made_of")
"""The keys whose empty list says as much as no key at all."""


# What a record may say


class Flaw(NamedTuple):
    """What is wrong at one place of a record, and what was perhaps meant; `key` is one that shouldn't be there."""

    message: Words
    hint: Words | None = None
    route: Keys = ()
    key: str | None = None

    @property
    def labelled(self) -> Words:
        """The message with the place in the record."""
        label = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in self.route)
        return (
            _("{place}: {message}", place=label.lstrip("."), message=self.message) if label else self.message
        )

    @property
    def keys(self) -> Keys:
        """The way to what is wrong."""
        return self.route if self.key is None else (*self.route, self.key)


Check = Callable[[Any], Iterable[Flaw]]
"""What is wrong with a value."""


class Vocabulary(NamedTuple):
    """What a record may say in one game; `card` checks a whole record.

    `ranks` are the codes of the ranked attributes, `facts` the other attributes; the first of the `zones` is the default.
    """

    fold: Fold
    facts: Mapping[str, Attribute]
    ranks: Mapping[str, frozenset[str]]
    zones: tuple[str, ...]
    card: Check


def vocabulary(game: Game) -> Vocabulary:
    """The words of `game`."""
    fold = make_fold(game.folding)
    attributes = game.attributes.values()
    facts = {item.id: item for item in attributes if item.kind in ("values", "number")}
    ranks = {
        item.id: frozenset(code for step in item.order for code in step)
        for item in attributes
        if item.kind == "rank"
    }

    def name(value: Any) -> list[Flaw]:
        flaws = check_text(value)
        if not flaws and not fold(value):
            flaws = [Flaw(_("nothing is left of this name to compare: {name}", name=value))]
        return flaws

    def fact(attribute: Attribute) -> Check:
        if attribute.kind == "number":
            return _number
        return each(_one_of(attribute.values) if attribute.values else check_text)

    checks: dict[str, Check] = {key: fact(attribute) for key, attribute in facts.items()}
    parts = each(mapping(_("must be a mapping with a name"), ("name",), {"name": name} | checks))
    of_printing = {"set": check_text, "released": _date} | {key: _rank(codes) for key, codes in ranks.items()}
    checks |= {
        "name": name,
        "aliases": each(name),
        "home": _one_of(game.zones),
        "released": _date,
        "partial": each(_one_of([item.id for item in facts.values() if item.kind == "values"])),
        "printings": each(mapping(_("must be a mapping with a set"), ("set",), of_printing)),
        "parts": parts,
        "faces": parts,
        "made_of": each(name),
        "verified": _flag,
    }
    card = mapping(_("a card must be a mapping of keys to values"), ("name",), checks)
    return Vocabulary(fold, facts, ranks, tuple(game.zones), card)


def mapping(expected: Words, required: Collection[str], checks: Mapping[str, Check]) -> Check:
    """The check of a mapping with these keys, of which some are required; `expected` is said of anything else."""

    def check(value: Any) -> Iterator[Flaw]:
        if not isinstance(value, dict):
            yield Flaw(expected)
            return
        for key in [key for key in value if key not in checks]:
            hint = did_you_mean(brief(key), sorted(checks))
            yield Flaw(_("unknown key: {key}", key=brief(key)), hint, key=key)
        for key in required:
            if key not in value:
                yield Flaw(_("has no {key}", key=key))
        for key, item in value.items():
            if key in checks:
                yield from _below(key, checks[key](item))

    return check


def each(inner: Check) -> Check:
    """The check of a list."""

    def check(value: Any) -> Iterator[Flaw]:
        if not isinstance(value, list):
            yield Flaw(_("must be a list"))
        elif len(value) > MOST_ITEMS:
            yield Flaw(_("too many (at most {most})", most=MOST_ITEMS))
        else:
            for place, item in enumerate(value):
                yield from _below(place, inner(item))

    return check


def _below(step: str | int, flaws: Iterable[Flaw]) -> Iterator[Flaw]:
    return (flaw._replace(route=(step, *flaw.route)) for flaw in flaws)


def check_text(value: Any) -> list[Flaw]:
    """Why a value can't be a name or a code."""
    if not isinstance(value, str):
        return [Flaw(_("must be text (in YAML, put it in quotes)"))]
    if not value.strip():
        return [Flaw(_("is empty"))]
    if len(value) > MOST_CHARACTERS:
        return [Flaw(_("too long (at most {most} characters)", most=MOST_CHARACTERS))]
    return [Flaw(_("contains a control character"))] if UNSAFE.search(value) else []


def _one_of(known: Collection[str]) -> Check:
    return lambda value: [] if isinstance(value, str) and value in known else [_unknown(value, value, known)]


def _rank(codes: Collection[str]) -> Check:
    """A code, one behind "<=" or behind "?", or that there is none."""

    def check(value: Any) -> list[Flaw]:
        code = value
        if isinstance(value, str) and not value.startswith("<=?"):
            code = value.removeprefix("<=").removeprefix("?")
        is_known = value is None or (isinstance(code, str) and code in codes)
        return [] if is_known else [_unknown(value, code, codes)]

    return check


def _unknown(value: Any, code: Any, known: Collection[str]) -> Flaw:
    hint = did_you_mean(brief(code), sorted(known)) if isinstance(code, str) else None
    return Flaw(_("unknown value: {value}", value=brief(value)), hint)


def _number(value: Any) -> list[Flaw]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if value == INFINITY or (is_number and abs(value) <= MOST_NUMBER):
        return []
    return [Flaw(_("must be a number or {infinity}: {value}", infinity=INFINITY, value=brief(value)))]


def _date(value: Any) -> list[Flaw]:
    return [] if is_day(value) else [Flaw(_("not a date (YYYY-MM-DD): {value}", value=brief(value)))]


def _flag(value: Any) -> list[Flaw]:
    return [] if isinstance(value, bool) else [Flaw(_("must be true or false"))]


def normal(record: Record) -> dict[str, Any]:
    """The record without the keys that only say what goes without saying."""
    return {
        key: value
        for key, value in record.items()
        if not (key in LISTS and value == []) and not (key == "verified" and value is True)
    }


def to_json(value: Any) -> str:
    """The value as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def line_of(record: Record) -> bytes:
    """The record as a line of a card file."""
    return (to_json(record) + "\n").encode()


# Reading


class Located(NamedTuple):
    """A record and its place: a line of its own, or `keys` in a YAML document."""

    record: Record
    path: str
    line: int
    document: Document | None = None
    keys: Keys = ()

    def problem(self, message: Words, keys: Keys = (), hint: Words | None = None) -> Problem:
        """What is wrong at the keys of the record."""
        if self.document is None:
            return Problem(message, self.path, self.line, hint=hint)
        return self.document.problem(message, hint, (*self.keys, *keys))


def read_cards(path: Path, data: bytes, words: Vocabulary) -> list[Located]:
    """The checked cards of a file: YAML by its ending, else JSON lines. Raises UserError with at most MOST_PROBLEMS."""
    items: Iterable[Located | UserError]
    if path.suffix.lower() in (".yaml", ".yml"):
        items = yaml_items(path, data, "cards")
    else:
        items = _line_items(path, data.split(b"\n"))
    found: list[Located] = []
    problems: list[Problem] = []
    first: dict[str, Located] = {}
    for item in items:
        problems += _problems(item, words, first)
        if len(problems) >= MOST_PROBLEMS:
            break
        if isinstance(item, Located):
            found.append(item)
        if len(found) > MOST_CARDS:
            raise too_many_cards(path)
    if problems:
        raise UserError(sorted(problems, key=lambda problem: problem.line or 0)[:MOST_PROBLEMS])
    return found


def each_card(path: Path, words: Vocabulary) -> Iterator[Record]:
    """The checked cards of a file of JSON lines, never all in memory. Raises UserError at the first that is wrong."""
    try:
        with path.open("rb") as file:
            for item in _line_items(path, iter(lambda: file.readline(MOST_LINE + 1), b"")):
                problems = _problems(item, words, {})
                if isinstance(item, UserError) or problems:
                    raise UserError(problems)
                yield item.record
    except OSError as error:
        raise cannot_read(path, error) from error


def too_many_cards(path: Path | None = None) -> UserError:
    """The error for more cards than a file may hold."""
    message = _("too many cards (at most {most:,})", most=MOST_CARDS)
    return user_error(message, path=None if path is None else str(path))


def yaml_items(path: Path, data: bytes, key: str) -> list[Located]:
    """What a YAML file lists under `key`, beside which it holds nothing else. Raises UserError."""
    if len(data) > MOST_YAML_BYTES:
        raise user_error(_("too large (at most {most:,} bytes)", most=MOST_YAML_BYTES), path=str(path))
    document = parse_yaml(decoded(data, str(path)), str(path))
    value = document.data
    if not isinstance(value, dict) or list(value) != [key] or not isinstance(value[key], list):
        raise UserError([document.problem(_("must hold a list under the key {key} only", key=key))])
    return [
        Located(item, document.path, document.line((key, at)), document, (key, at))
        for at, item in enumerate(value[key])
    ]


def _line_items(path: Path, lines: Iterable[bytes]) -> Iterator[Located | UserError]:
    """The records of the lines that aren't blank, or why one holds none."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if len(line.rstrip(b"\n")) > MOST_LINE:
                message = _("the line is too long (at most {most:,} bytes)", most=MOST_LINE)
                raise user_error(message, path=str(path), line=number)
            yield Located(parse_json(line.rstrip(b"\r\n"), str(path), number), str(path), number)
        except UserError as error:
            yield error


def _problems(item: Located | UserError, words: Vocabulary, first: dict[str, Located]) -> Sequence[Problem]:
    """What is wrong with a record; `first` holds the first of each name, to which it is added."""
    if isinstance(item, UserError):
        return item.problems
    problems = [item.problem(flaw.labelled, flaw.keys, flaw.hint) for flaw in words.card(item.record)]
    if not problems:
        name = item.record["name"]
        before = first.setdefault(words.fold(name), item)
        if before is not item:
            message = _("line {line} has a card of the same name: {name}", line=before.line, name=name)
            problems = [item.problem(message, ("name",))]
    return problems


def read_sets(path: Path, data: bytes) -> dict[str, str]:
    """When the sets of sets.json came out, by their codes. Raises UserError."""
    value = parse_json(data, str(path))
    known = {"released", "approximate", "newest"}
    if not isinstance(value, dict) or value.keys() - known or not isinstance(value.get("released"), dict):
        raise user_error(_("must hold released, approximate and newest only"), path=str(path))
    for code, day in value["released"].items():
        if not is_day(day):
            message = _("{set}: not a date: {date}", set=brief(code), date=brief(day))
            raise user_error(message, path=str(path))
    return dict(value["released"])
