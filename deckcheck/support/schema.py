"""Check the shape of a document against its published JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deckcheck.support.errors import Problem, UserError, did_you_mean
from deckcheck.support.messages import OR, Localized, _, series
from deckcheck.support.text import Text
from deckcheck.support.yamlfile import Document, Keys

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST_PROBLEMS = 20

KINDS = {
    "object": _("a mapping of keys to values"),
    "array": _("a list"),
    "string": _("text"),
    "integer": _("a whole number"),
    "number": _("a number"),
    "boolean": _("true or false"),
}
DATE = _("written like 2020-01-31")
ID = _("written in lower-case letters, digits and hyphens")


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


def _problems(document: Document, error: ValidationError) -> list[Problem]:
    keys = tuple(error.absolute_path)
    value: Any = error.instance
    wanted: Any = error.validator_value
    match error.validator:
        case "additionalProperties":
            schema: Any = error.schema
            known = list(schema.get("properties", {}))
            extra = [key for key in value if key not in known]
            return [
                document.problem(
                    (*keys, key),
                    _("unknown key {key!r}", key=key),
                    did_you_mean(key, known),
                )
                for key in extra
            ]
        case "required":
            # The validator tells of each missing key anew.
            missing = [key for key in wanted if key not in value]
            names = Localized("".join(f"「{key}」" for key in missing), ", ".join(map(repr, missing)))
            are = "is" if len(missing) == 1 else "are"
            return [document.problem(keys, Text(f"{names.ja}が必要です", f"{names.en} {are} missing"))]
        case "enum" | "const":
            choices = wanted if error.validator == "enum" else [wanted]
            listed = ", ".join(map(str, choices))
            message = _("{value!r} is none of {listed}", value=value, listed=listed)
            return [document.problem(keys, message, did_you_mean(value, map(str, choices)))]
        case "oneOf" | "anyOf":
            return _deepest(document, error)
        case "type":
            return [_wrong_kind(document, keys, value, [wanted] if isinstance(wanted, str) else wanted)]
        case "pattern":
            message = _("{value!r} is not written as it must be", value=value)
            return [document.problem(keys, message, DATE if "{4}" in wanted else ID)]
        case "minProperties" | "minItems" | "minLength" if not value:
            return [document.problem(keys, _("this is empty"))]
        case "minItems":
            return [document.problem(keys, _("at least {wanted} are needed", wanted=wanted))]
        case "maxItems":
            return [document.problem(keys, _("at most {wanted} can stand here", wanted=wanted))]
        case "maxProperties":
            return [document.problem(keys, _("only one can stand here"))]
        case "minimum":
            return [document.problem(keys, _("must be at least {wanted}", wanted=wanted))]
        case "maximum":
            return [document.problem(keys, _("must be at most {wanted}", wanted=wanted))]
        case _:
            return [document.problem(keys, _("{value} can't stand here", value=_short(value)))]


def _deepest(document: Document, error: ValidationError) -> list[Problem]:
    """Of several ways to write a thing, what is wrong with the way that the author came closest to."""
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)
    same_kind = [
        errors
        for errors in branches.values()
        if not any(e.validator == "type" and not e.path for e in errors)
    ]
    keys = tuple(error.absolute_path)
    if len(same_kind) == 1:
        return [problem for inner in same_kind[0] for problem in _problems(document, inner)]
    kinds: list[str] = []
    for inner in error.context or ():
        if inner.validator == "type" and not inner.path:
            wanted: Any = inner.validator_value
            kinds += [wanted] if isinstance(wanted, str) else wanted
    if kinds and not same_kind:
        return [_wrong_kind(document, keys, error.instance, kinds)]
    value = _short(error.instance)
    return [document.problem(keys, _("{value} can't stand here", value=value))]


def _wrong_kind(document: Document, keys: Keys, value: object, kinds: Iterable[str]) -> Problem:
    wanted = [KINDS.get(kind, Localized(kind, kind)) for kind in kinds]
    message = series(wanted, OR)
    if value is None:
        return document.problem(keys, _("this is empty; {message} is needed", message=message))
    said = _short(value)
    return document.problem(
        keys, _("{said} can't stand here; {message} is needed", said=said, message=message)
    )


def _short(value: object) -> str:
    text = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"
