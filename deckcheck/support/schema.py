"""Check the shape of a document against its published JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import OR, _, n_, series
from deckcheck.support.safetext import brief

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from deckcheck.support.yamlfile import Document, Keys

MOST_PROBLEMS = 20

_KINDS = {
    "object": _("a mapping of keys to values"),
    "array": _("a list"),
    "string": _("text"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "boolean": _("true or false"),
}


def load_schema(name: str) -> dict[str, Any]:
    """The schema "format", "game", "banlist" or "report" as plain data."""
    path = Path(__file__).parent.parent / "schemas" / f"{name}.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def require_shape(document: Document, name: str) -> None:
    """Raise UserError with every place where the document breaks its schema, in order."""
    from jsonschema import Draft7Validator

    errors = Draft7Validator(load_schema(name)).iter_errors(document.data)
    problems = list(dict.fromkeys(problem for error in errors for problem in _problems(document, error)))
    if problems:
        problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
        raise UserError(problems[:MOST_PROBLEMS])


def _problems(document: Document, error: ValidationError) -> Iterator[Problem]:
    keys = tuple(error.absolute_path)
    value: Any = error.instance
    wanted: Any = error.validator_value
    hint = None
    match error.validator:
        case "additionalProperties":
            schema: Any = error.schema
            known = list(schema.get("properties", {}))
            for key in value:
                if key not in known:
                    unknown = _("unknown key {key!r}", key=key)
                    yield document.problem((*keys, key), unknown, did_you_mean(key, known))
            return
        case "oneOf" | "anyOf":
            yield from _of_nearest_branch(document, error)
            return
        case "type":
            yield _wrong_kind(document, keys, value, [wanted] if isinstance(wanted, str) else wanted)
            return
        case "required":
            # The validator reports each missing key anew.
            message = _("missing: {keys}", keys=series(key for key in wanted if key not in value))
        case "enum" | "const":
            choices = list(map(str, wanted if error.validator == "enum" else [wanted]))
            written = brief(value, 40) if isinstance(value, list | dict) else value
            message = _("{value!r} is not one of {choices}", value=written, choices=series(choices))
            hint = did_you_mean(value, choices)
        case "pattern":
            message = _("{value!r} is malformed", value=value)
            hint = (
                _("write it like 2020-01-31")
                if "{4}" in wanted
                else _("use lower-case letters, digits and hyphens")
            )
        case "minProperties" | "minItems" | "minLength" if not value:
            message = _("this is empty")
        case "minItems":
            message = n_("at least {n} entry is needed", "at least {n} entries are needed", wanted)
        case "maxItems":
            message = n_("at most {n} entry is allowed", "at most {n} entries are allowed", wanted)
        case "maxProperties":
            message = _("only one key is allowed here")
        case "minimum":
            message = _("must be at least {wanted}", wanted=wanted)
        case "maximum":
            message = _("must be at most {wanted}", wanted=wanted)
        case _:
            message = _("{value} is not allowed here", value=brief(value, 40))
    yield document.problem(keys, message, hint)


def _of_nearest_branch(document: Document, error: ValidationError) -> Iterator[Problem]:
    """Of several ways to write a thing, what is wrong with the way that the author came closest to."""
    branches: dict[int, list[ValidationError]] = {}
    kinds: list[str] = []
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
        if inner.validator == "type" and not inner.path:
            wanted: Any = inner.validator_value
            kinds += [wanted] if isinstance(wanted, str) else wanted
    same_kind = [
        errors
        for errors in branches.values()
        if not any(inner.validator == "type" and not inner.path for inner in errors)
    ]
    keys = tuple(error.absolute_path)
    if len(same_kind) == 1:
        for inner in same_kind[0]:
            yield from _problems(document, inner)
    elif kinds and not same_kind:
        yield _wrong_kind(document, keys, error.instance, kinds)
    else:
        yield document.problem(keys, _("{value} is not allowed here", value=brief(error.instance, 40)))


def _wrong_kind(document: Document, keys: Keys, value: object, kinds: Iterable[str]) -> Problem:
    wanted = series([_KINDS.get(kind, kind) for kind in kinds], OR)
    if value is None:
        return document.problem(keys, _("this is empty; {wanted} is needed", wanted=wanted))
    message = _("{value} is not allowed here; {wanted} is needed", value=brief(value, 40), wanted=wanted)
    return document.problem(keys, message)
