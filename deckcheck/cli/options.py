"""Arguments and options: how commands declare them, and how they are read from the words of a command line."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, NamedTuple

from deckcheck.support.errors import user_error
from deckcheck.support.messages import Message, _, n_
from deckcheck.support.safe_text import safe

REQUIRED: Any = ...
"""The default of required parameters."""


class Parameter(NamedTuple):
    """An option or argument of a command: what its help shows, and which values it takes.

    An argument has no `names`. `off` is the name that turns a flag off. `convert` takes the name of an option and its value.
    """

    help: Message
    metavar: str | None = None
    names: tuple[str, ...] = ()
    off: str | None = None
    default: Any = None
    env: str | None = None
    min: float | None = None
    max: float | None = None
    convert: Callable[[str, str], Any] | None = None
    name: str = ""
    kind: type = str
    choices: tuple[str, ...] = ()
    is_list: bool = False

    def of(self, name: str, annotation: Any) -> "Parameter":
        """The parameter with this name, whose values the annotation describes."""
        members = getattr(annotation, "__args__", ())
        # A union has no origin, or one that is neither a type nor Literal.
        kind = (
            next(member for member in members if member is not NoneType)
            if NoneType in members
            else annotation
        )
        origin = getattr(kind, "__origin__", kind)
        return self._replace(
            name=name,
            names=tuple(given or option_name(name) for given in self.names),
            kind=origin if origin in (bool, int, float) else str,
            choices=kind.__args__ if origin is Literal else self.choices,
            is_list=origin is list,
        )

    @property
    def default_value(self) -> Any:
        """The value of a parameter that wasn't given: for a list, one without items."""
        return [] if self.is_list else self.default


def option(help: Message, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """An option, as the default of a function's parameter; it has the parameter's name unless `names` are given."""
    return Parameter(help, metavar, names or ("",), **more)


def argument(help: Message, metavar: str | None = None, *, default: Any = REQUIRED) -> Any:
    """An argument of a command, as the default of a function's parameter."""
    return Parameter(help, metavar, default=default)


def flag(help: Message, *names: str, off: str | None = None, default: bool = False) -> Any:
    """An option without a value, named like an `option`; `off` is the option that turns it off."""
    return Parameter(help, None, names or ("",), off, default)


def option_name(parameter: str) -> str:
    """The option for the parameter with this name, unless it has another one."""
    return "--" + parameter.replace("_", "-")


def split(values: Iterable[str] | None) -> list[str]:
    """Every value of an option that may be given several times, each with several values separated by commas."""
    parts = (part.strip() for value in values or () for part in value.split(","))
    return list(dict.fromkeys(part for part in parts if part))


def refuse_pairs(typed: Mapping[str, Any], pairs: Mapping[str, Sequence[str]]) -> None:
    """Raises UserError for two options that exclude each other; `pairs` has the excluded ones by parameter.

    Environment variables are silently ignored in that case.
    """
    used = {name for name, value in typed.items() if value}
    if typed.get("output_format") == "text":
        used.discard("output_format")
    for pair in ((name, other) for name, others in pairs.items() for other in others):
        if used.issuperset(pair):
            first, second = map(option_name, pair)
            raise user_error(_("{first} cannot be used with {second}", first=first, second=second))


# Arguments that several commands share.

ForeignNotation = Literal[
    "csv", "tsv", "yaml", "json", "mtgo", "dek", "arena", "moxfield", "cockatrice", "forge", "xmage", "ydk"
]
"""The notations of other tools, which can be read and written."""

PATHS: Any = argument(_("Decklist files, folders, or - for standard input."), "PATH...")
DECKS: Any = PATHS._replace(metavar="DECK...")
DECK: Any = argument(_("Decklist file, or - for standard input."), "DECK")
EVENT: Any = argument(_("Event file (event.yaml)."), "EVENT")


# Reading the words of a command line


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
        message = _("No such option: {name} (Possible options: {others})", name=safe(name), others=listed)
        return UsageError(message)
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
            values.all[name] = parameter.default_value
            continue
        found = [_value(parameter, each, variable) for each in (raw if parameter.is_list else [raw])]
        values.all[name] = source[name] = found if parameter.is_list else found[0]
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
            wrong = _("{value!r} is not a whole number.", value=raw)
            if parameter.kind is float:
                wrong = _("{value!r} is not a number.", value=raw)
        else:
            if parameter.min is not None and not value >= parameter.min:
                wrong = _("{value} is too small: at least {least}.", value=value, least=parameter.min)
            elif parameter.max is not None and not value <= parameter.max:
                wrong = _("{value} is too large: at most {most}.", value=value, most=parameter.max)
    if wrong is None:
        return (
            value if parameter.convert is None else parameter.convert(variable or parameter.names[0], value)
        )
    name = _shown(parameter)
    if variable is None:
        raise UsageError(_("Invalid value for {name!r}: {reason}", name=name, reason=wrong))
    raise UsageError(
        _(
            "Invalid value for {name!r} (env var: {variable!r}): {reason}",
            name=name,
            variable=variable,
            reason=wrong,
        )
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
