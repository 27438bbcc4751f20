"""Reads the words of a command line by the parameters of a command."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from deckcheck.cli.options import REQUIRED, Parameter
from deckcheck.support.messages import Message, Words, _, n_
from deckcheck.support.safe_text import safe


class UsageError(Exception):
    """A mistake in the use of a command. `lacks` is the option without a value, if that is the mistake."""

    def __init__(self, message: Message, lacks: Parameter | None = None) -> None:
        super().__init__(message.en)
        self.message, self.lacks = message, lacks


class Values(NamedTuple):
    """The values of a command's parameters by name: all, those that were typed, and those from environment variables."""

    all: dict[str, Any]
    typed: dict[str, Any]
    variables: dict[str, Any]


def read_words(
    words: Sequence[str], parameters: Sequence[Parameter], *, group: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The words typed for each parameter, by name, and the rest: for a `group`, everything from its command on.

    Options and arguments may be mixed, and everything after -- is an argument. Raises UsageError.
    """
    named = {name: parameter for parameter in parameters for name in (*parameter.names, parameter.off)}
    typed: dict[str, Any] = {}
    ahead, rest = list(reversed(words)), list[str]()
    while ahead:
        word = ahead.pop()
        if word == "--" or (group and not _is_option(word)):
            rest += [word] * (word != "--") + ahead[::-1]
            break
        if not _is_option(word):
            rest.append(word)
            continue
        is_long = word.startswith("--")
        name, equals, value = word.partition("=") if is_long else (word[:2], word[2:], word[2:])
        parameter = named.get(name)
        if parameter is None:
            raise no_such_option(name, parameters)
        if parameter.kind is bool:
            typed[parameter.name] = name != parameter.off
            if is_long and equals:
                raise UsageError(_("Option {name!r} does not take a value.", name=name))
            if value.startswith("-"):
                raise no_such_option("--", parameters)
            if value:
                ahead.append(f"-{value}")
            continue
        if not equals:
            if not ahead:
                raise UsageError(_("Option {name!r} requires an argument.", name=name), parameter)
            value = ahead.pop()
        typed[parameter.name] = [*typed.get(parameter.name, ()), value] if parameter.is_list else value
    if not group:
        for parameter in (parameter for parameter in parameters if not parameter.names and rest):
            typed[parameter.name] = rest if parameter.is_list else rest.pop(0)
            rest = [] if parameter.is_list else rest
        if rest:
            extra = " ".join(map(safe, rest))
            raise UsageError(
                n_(
                    "Got unexpected extra argument ({words})",
                    "Got unexpected extra arguments ({words})",
                    len(rest),
                    words=extra,
                )
            )
    return typed, rest


def _is_option(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")


def no_such_option(name: str, parameters: Iterable[Parameter]) -> UsageError:
    """The error for an unknown option, with similar ones."""
    from difflib import get_close_matches

    known = (other for parameter in parameters for other in (*parameter.names, parameter.off or ""))
    others = get_close_matches(name, [other for other in known if other.startswith("--")])
    if others and name.startswith("--"):
        listed = ", ".join(sorted(others))
        return UsageError(
            _("No such option: {name} (Possible options: {others})", name=safe(name), others=listed)
        )
    return UsageError(_("No such option: {name}", name=safe(name)))


def values_of(
    parameters: Sequence[Parameter], typed: Mapping[str, Any], environ: Mapping[str, str] = os.environ
) -> Values:
    """The value of each parameter: typed, else from its environment variable, else its default.

    Raises UsageError for a value that is missing or wrong, and what `convert` raises.
    """
    values = Values({}, {}, {})
    for parameter in parameters:
        name, source, variable = parameter.name, values.typed, None
        raw = typed.get(name)
        if raw is None and parameter.env is not None:
            source, variable, raw = values.variables, parameter.env, environ.get(parameter.env) or None
        if raw is None:
            if parameter.default is REQUIRED:
                raise UsageError(_missing(parameter))
            values.all[name] = parameter.default
            continue
        value = (
            [_value(parameter, one, variable) for one in raw]
            if parameter.is_list
            else _value(parameter, raw, variable)
        )
        values.all[name] = source[name] = value
    return values


def _value(parameter: Parameter, raw: Any, variable: str | None) -> Any:
    if parameter.kind is bool:
        return raw
    value, wrong = raw, None
    if parameter.choices and raw not in parameter.choices:
        wrong = _("{value!r} is not one of {choices}.", value=raw, choices=quoted(parameter.choices))
    elif parameter.kind is not str:
        try:
            value = parameter.kind(raw)
        except ValueError:
            is_whole = parameter.kind is int
            wrong = (
                _("{value!r} is not a whole number.", value=raw)
                if is_whole
                else _("{value!r} is not a number.", value=raw)
            )
        else:
            if parameter.min is not None and not value >= parameter.min:
                wrong = _("{value} is too small: at least {least}.", value=value, least=parameter.min)
            elif parameter.max is not None and not value <= parameter.max:
                wrong = _("{value} is too large: at most {most}.", value=value, most=parameter.max)
    if wrong is not None:
        raise UsageError(_invalid(parameter, wrong, variable))
    return value if parameter.convert is None else parameter.convert(variable or parameter.names[0], value)


def _invalid(parameter: Parameter, reason: Words, variable: str | None) -> Message:
    name = _shown(parameter)
    if variable is None:
        return _("Invalid value for {name!r}: {reason}", name=name, reason=reason)
    return _(
        "Invalid value for {name!r} (env var: {variable!r}): {reason}",
        name=name,
        variable=variable,
        reason=reason,
    )


def _missing(parameter: Parameter) -> Message:
    name = _shown(parameter)
    if not parameter.names:
        return _("Missing argument {name!r}.", name=name)
    if parameter.choices:
        return _(
            "Missing option {name!r}. Choose from: {choices}", name=name, choices=", ".join(parameter.choices)
        )
    return _("Missing option {name!r}.", name=name)


def _shown(parameter: Parameter) -> str:
    return parameter.names[0] if parameter.names else parameter.metavar or parameter.name


def quoted(words: Iterable[str]) -> str:
    """The words in quotes, for lists in errors."""
    return ", ".join(map(repr, words))
