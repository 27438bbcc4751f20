"""Reads YAML files, within bounds, into values with places, and validates them by JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order, user_error, which_of
from deckcheck.support.files import read_text
from deckcheck.support.messages import OR, Words, _, localized, n_, series, shortened
from deckcheck.support.safe_text import SAFE_TEXT, brief

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from yaml import ScalarEvent

MOST_PROBLEMS = 20
_MOST_CHOICES = 30

# A subset of the nulls, booleans and numbers of YAML 1.1; everything else stays text.
_NULLS = ("", "~", "null")
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
# A number that begins with 0 may be octal, so it stays text.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"[0-9]+\.[0-9]*|\.[0-9]+")
# What YAML allows in no text: control characters, surrogates and non-characters.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
TOO_DEEP = _("nested too deeply")
_INDENTATION = _("this line is not indented like those before it")
_YAML_PROBLEMS = (
    ("tab character", _("tabs can't be used for indentation: use spaces")),
    ("cannot start any token", _("this character can't begin a value: put the value in quotes")),
    ("',' or ']'", _("a comma or the closing ] is missing")),
    ("node content", _("a value or the closing ] is missing")),
    ("document start", _("there is something after the end")),
    ("',' or '}'", _("a comma or the closing brace is missing")),
    ("mapping values are not allowed", _("a colon can't be used here: put the text in quotes")),
    ("expected key", _INDENTATION),
    ("'-' indicator", _INDENTATION),
    ("<block end>", _INDENTATION),
    ("expected ':'", _("a key needs a colon and a blank behind it")),
    ("end of stream", _("a closing quotation mark is missing")),
    ("sequence entries are not allowed", _("a list begins on a line of its own")),
    ("escape", _("a backslash has a meaning of its own in double quotes: use single quotes")),
)
"""Parts of the parser's messages, which libyaml and its versions word differently, with ours."""
_UNCLOSED = ("end of stream", "',' or", "expected ':'")
"""What it says of something without its end; that begins at the mark of the context."""

Keys = tuple[str | int, ...]
"""The path to a value: keys of mappings and indexes of lists."""


class Node(Struct, frozen=True):
    """A scalar (`value`), a list (`items`) or a mapping (`items`: key, value, key, value, ...), at a 1-based place.

    `last` is the last line of a scalar of several lines, else 0; `plain` scalars have no quotes.
    """

    sort: Literal["scalar", "list", "map"]
    value: str
    items: Sequence[Node]
    line: int
    column: int
    last: int = 0
    plain: bool = False

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """The keys and values of a mapping."""
        return zip(self.items[::2], self.items[1::2], strict=True)


class TreeBuilder:
    """Builds a tree of nodes from parser events, within bounds; `path` and `lines` are for messages."""

    DEEPEST = 40
    MOST_VALUES = 200_000
    SEVERAL = _("one file holds one document")

    def __init__(self, path: str, lines: tuple[str, ...] | list[str]) -> None:
        self.path, self.lines = path, lines
        self._open: list[tuple[Node, list[Node]]] = []
        """The lists and mappings around what comes next, with their items."""
        self.root: Node | None = None
        self.count = 0

    def refuse(self, message: Words, line: int, column: int, hint: Words | None = None) -> UserError:
        """A UserError at a place."""
        excerpt = self.lines[line - 1] if 0 < line <= len(self.lines) else None
        return user_error(message, path=self.path, line=line, column=column, excerpt=excerpt, hint=hint)

    def open(self, sort: Literal["list", "map"], line: int, column: int) -> None:
        """Begin a list or a mapping."""
        if len(self._open) >= self.DEEPEST:
            raise self.refuse(TOO_DEEP, line, column)
        items = list[Node]()
        self._open.append((Node(sort, "", items, line, column), items))

    def close(self) -> None:
        """End the innermost list or mapping."""
        node, _items = self._open.pop()
        self.add(node)

    def at_key(self) -> bool:
        """Whether the next node is the key of a mapping."""
        if not self._open:
            return False
        node, items = self._open[-1]
        return node.sort == "map" and len(items) % 2 == 0

    def add(self, node: Node) -> None:
        """Add a complete node."""
        self.count += not self.at_key()
        if self.count > self.MOST_VALUES:
            raise self.refuse(_("too many values"), node.line, node.column)
        if self._open:
            self._open[-1][1].append(node)
        elif self.root is None:
            self.root = node
        else:
            raise self.refuse(self.SEVERAL, node.line, node.column)

    def add_scalar(self, event: ScalarEvent, line: int, column: int) -> None:
        """Add a YAML scalar."""
        self.add(Node("scalar", event.value, (), line, column, plain=event.implicit[0]))


def build_tree(text: str, build: TreeBuilder) -> Node | None:
    """The tree of a YAML text, None for an empty one. Raises UserError, with place, also for anchors."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
            mark = event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            if getattr(event, "anchor", None):
                message = _("anchors and aliases (& and *) can't be used here")
                raise build.refuse(message, line, column, _("put quotes around a name"))
            if getattr(event, "tag", None):
                raise build.refuse(_("tags (!) can't be used here"), line, column)
            if isinstance(event, yaml.ScalarEvent):
                build.add_scalar(event, line, column)
            elif isinstance(event, yaml.SequenceStartEvent):
                build.open("list", line, column)
            elif isinstance(event, yaml.MappingStartEvent):
                build.open("map", line, column)
            elif isinstance(event, yaml.CollectionEndEvent):
                build.close()
    except yaml.MarkedYAMLError as error:
        problem, mark = error.problem or "", error.problem_mark or error.context_mark
        refused = text[mark.index : mark.index + 1] if mark else ""
        if any(part in problem for part in _UNCLOSED) and refused not in ("]", "}"):
            mark = error.context_mark or mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise build.refuse(_yaml_message(problem, refused), line, column) from error
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        match = _UNFIT.search(text)
        before = text[: match.start()] if match is not None else ""
        message = _("not valid YAML: a character that is not allowed there")
        raise build.refuse(message, before.count("\n") + 1, len(before) - before.rfind("\n")) from error
    return build.root


def _yaml_message(problem: str, refused: str) -> Words:
    """The message for what the parser says about the character that it refused."""
    # libyaml has a limit of its own.
    if "exceeded maximum" in problem:
        return TOO_DEEP
    # Of a tab, libyaml only says that it cannot start any token.
    if refused == "\t":
        problem = "tab character"
    if refused in ("]", "}") and "',' or" not in problem:
        return _("not valid YAML: {problem}", problem=_("there is a closing bracket too many"))
    ours = next((message for part, message in _YAML_PROBLEMS if part in problem), None)
    return _("not valid YAML") if ours is None else _("not valid YAML: {problem}", problem=ours)


class Document(Struct, frozen=True):
    """A file, or the part of it at `keys`, as plain values with their places."""

    path: str
    """The path for messages."""
    data: Any
    """Dicts, lists, strings, ints, floats, bools and None; dates are strings."""
    marks: Mapping[Keys, tuple[int, int]]
    """The 1-based line and column of each key and list item in the file."""
    lines: tuple[str, ...]
    """The lines of the file, for excerpts."""
    keys: Keys = ()

    def at(self, *keys: str | int) -> Document:
        """The part at these keys."""
        data = self.data
        for key in keys:
            data = data[key]
        return Document(self.path, data, self.marks, self.lines, (*self.keys, *keys))

    def under(self, key: str) -> list[Document]:
        """The items of the list, or the single value, under a key; [] without the key."""
        return self.at(key).items() if key in self.data else []

    def items(self) -> list[Document]:
        """The items of a list, or the single value itself."""
        return [self.at(index) for index in range(len(self.data))] if isinstance(self.data, list) else [self]

    def section(self, keys: Keys) -> Document | None:
        """The part at `keys`; None if there is none."""
        part = self
        for key in keys:
            if not isinstance(part.data, dict) or key not in part.data:
                return None
            part = part.at(key)
        return part

    @property
    def place(self) -> str:
        """`path:line` of its beginning."""
        return f"{self.path}:{self.line()}"

    def line(self, keys: Keys = ()) -> int:
        """The line of the value at `keys`, or of the nearest known value that contains it."""
        line, _column = self.mark(keys)
        return line

    def mark(self, keys: Keys = ()) -> tuple[int, int]:
        """The line and column of the value at `keys`, or of the nearest known value that contains it."""
        return self.marks.get(self._placed(keys), (1, 1))

    def _placed(self, keys: Keys) -> Keys:
        """As many of the keys, in the whole file, as have a place."""
        keys = (*self.keys, *keys)
        while keys and keys not in self.marks:
            keys = keys[:-1]
        return keys

    def problem(self, message: Words, hint: Words | None = None, keys: Keys = ()) -> Problem:
        """A problem with the value at `keys`, with place and excerpt; keys without a place are named."""
        placed = self._placed(keys)
        line, column = self.mark(keys)
        label = "".join(
            f"[{key + 1}]" if isinstance(key, int) else f".{key}"
            for key in (*self.keys, *keys)[len(placed) :]
        )
        if label:
            message = _("{place}: {message}", place=label.removeprefix("."), message=message)
        excerpt = self.lines[line - 1] if 0 < line <= len(self.lines) else None
        return Problem(message, self.path, line, column or None, excerpt, hint)


def of_option(key: str, words: Iterable[str]) -> Document:
    """The words of an option, under its key; they have no lines."""
    listed = list(words)
    return Document(f"--{key}", {key: listed}, {(key, place): (0, 0) for place in range(len(listed))}, ())


def load_yaml(path: Path, shown_as: str | None = None) -> Document:
    """Read a YAML file; `shown_as` is its path for messages. Raises UserError, also for exceeded bounds."""
    return parse_yaml(read_text(path, shown_as=shown_as), shown_as or str(path))


def parse_yaml(text: str, name: str) -> Document:
    """`load_yaml` from a text."""
    lines = tuple(text.splitlines())
    build = TreeBuilder(name, lines)
    root = build_tree(text, build)
    marks: dict[Keys, tuple[int, int]] = {}
    return Document(name, None if root is None else _plain(root, (), marks, build), marks, lines)


def _plain(node: Node, keys: Keys, marks: dict[Keys, tuple[int, int]], build: TreeBuilder) -> Any:
    marks.setdefault(keys, (node.line, node.column))
    if node.sort == "list":
        return [_plain(item, (*keys, index), marks, build) for index, item in enumerate(node.items)]
    if node.sort == "scalar":
        return _scalar(node, build)
    values: dict[str, Any] = {}
    for key, value in node.pairs():
        if key.sort != "scalar":
            raise build.refuse(_("a key must be a word"), key.line, key.column)
        if key.value in values:
            raise build.refuse(_("{key!r} appears here twice", key=key.value), key.line, key.column)
        marks[*keys, key.value] = (key.line, key.column)
        values[key.value] = _plain(value, (*keys, key.value), marks, build)
    return values


def _scalar(node: Node, build: TreeBuilder) -> Any:
    text = node.value
    word = text.lower()
    if not node.plain:
        return text
    if (word in _NULLS or word in _BOOLEANS) and text in (word, word.capitalize(), word.upper()):
        return _BOOLEANS.get(word)
    try:
        return int(text) if _INTEGER.fullmatch(text) else float(text) if _FRACTION.fullmatch(text) else text
    except ValueError as error:
        raise build.refuse(_("the number is too large"), node.line, node.column) from error


# Schemas

_KINDS = {
    "object": _("a mapping of keys to values"),
    "array": _("a list"),
    "string": _("text"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "boolean": _("true or false"),
}

_LIMITS = {
    "maxProperties": _("only one key is allowed here"),
    "maxLength": _("too long (at most {wanted} characters)"),
    "minimum": _("must be at least {wanted}"),
    "maximum": _("must be at most {wanted}"),
}


def load_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of that name, such as "format", as plain values."""
    path = Path(__file__).parent.parent / "schemas" / f"{name}.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def require_shape(document: Document, name: str) -> None:
    """Raise UserError with the places that violate the schema of that name."""
    problems = shape_problems(document, load_schema(name))
    if problems:
        raise UserError(problems)


def shape_problems(document: Document, schema: Mapping[str, Any]) -> list[Problem]:
    """The first places that violate a schema, in order."""
    from jsonschema import Draft7Validator

    validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
    errors = validator.iter_errors(document.data)
    return in_order(problem for error in errors for problem in _problems(document, error))[:MOST_PROBLEMS]


def _problems(document: Document, error: ValidationError) -> Iterator[Problem]:
    value: Any = error.instance
    wanted: Any = error.validator_value
    keys, hint = tuple(error.absolute_path), None
    message = _("{value} is not allowed here", value=brief(value, 40))
    match error.validator:
        case "additionalProperties":
            schema: Any = error.schema
            known = list(schema.get("properties", {}))
            for key in (key for key in value if key not in known):
                unknown = _("unknown key {key!r}", key=brief(key))
                place = (*keys, key) if (*document.keys, *keys, key) in document.marks else keys
                yield document.problem(unknown, which_of(key, known), place)
            return
        case "oneOf" | "anyOf":
            yield from _of_nearest_branch(document, error)
            return
        case "type":
            problem = _wrong_kind(document, keys, value, _kinds(error))
            alternatives: Any = {} if error.parent is None else error.parent.schema
            written = alternatives.get("hint")
            yield problem if written is None else replace(problem, hint=localized(written))
            return
        case "required":
            # The validator reports each missing key separately; in_order() drops the duplicates.
            message = _("missing: {keys}", keys=series(key for key in wanted if key not in value))
        case "enum" | "const":
            words = wanted if error.validator == "enum" else [wanted]
            choices = ["null" if word is None else str(word) for word in words]
            written = brief(value, 40) if isinstance(value, list | dict) else value
            named = shortened(choices, _MOST_CHOICES)
            message = _("{value!r} is not one of {choices}", value=written, choices=named)
            hint = did_you_mean(value, choices)
        case "pattern" if wanted in (SAFE_TEXT, r"\S"):
            message = _("contains a control character") if value.strip() else _("this is empty")
        case "format":
            message = _("not a date (YYYY-MM-DD): {value}", value=brief(value))
        case "pattern":
            message = _("{value!r} is malformed", value=value)
            is_day = "{4}" in wanted
            letters = _("use lower-case letters, digits and hyphens")
            hint = _("write it like 2020-01-31") if is_day else letters
        case "minProperties" | "minItems" | "minLength" if not value:
            message = _("this is empty")
        case "minItems":
            message = n_("at least {n} entry is needed", "at least {n} entries are needed", wanted)
        case "maxItems":
            message = n_("at most {n} entry is allowed", "at most {n} entries are allowed", wanted)
        case limit if limit in _LIMITS:
            message = _LIMITS[limit].filled(wanted=wanted)
    yield document.problem(message, hint, keys)


def _kinds(error: ValidationError) -> list[str]:
    wanted: Any = error.validator_value
    return [wanted] if isinstance(wanted, str) else wanted


def _of_nearest_branch(document: Document, error: ValidationError) -> Iterator[Problem]:
    """The problems with the alternative of a schema that the value comes closest to."""
    branches: dict[object, list[ValidationError]] = {}
    kinds: dict[object, list[str]] = {}
    for inner in error.context or ():
        branch = inner.schema_path[0]
        branches.setdefault(branch, []).append(inner)
        is_single_word = inner.validator == "enum" and len(_kinds(inner)) == 1
        if not inner.path and (inner.validator == "type" or is_single_word):
            kinds[branch] = _kinds(inner)
    same_kind = [errors for branch, errors in branches.items() if branch not in kinds]
    keys = tuple(error.absolute_path)
    if len(same_kind) == 1:
        for inner in same_kind[0]:
            yield from _problems(document, inner)
    elif kinds and not same_kind:
        yield _wrong_kind(document, keys, error.instance, chain.from_iterable(kinds.values()))
    else:
        yield document.problem(_("{value} is not allowed here", value=brief(error.instance, 40)), keys=keys)


def _wrong_kind(document: Document, keys: Keys, value: object, kinds: Iterable[str]) -> Problem:
    names = list(kinds)
    wanted = series([_KINDS.get(kind, kind) for kind in names], OR)
    if value is None:
        return document.problem(_("this is empty; {wanted} is needed", wanted=wanted), keys=keys)
    if isinstance(value, str) and value.strip().isdecimal() and {"integer", "number"} & set(names):
        message = _("{value!r} is text: remove the quotes", value=value)
        if str(int(value)) != value:
            message = _("{value!r} is no number: write {number}", value=value, number=int(value))
        return document.problem(message, keys=keys)
    message = _("{value} is not allowed here; {wanted} is needed", value=brief(value, 40), wanted=wanted)
    return document.problem(message, keys=keys)
