"""The settings of a project as records, what the command line adds to them, and how they are shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.formats.lookup import BUNDLED_ONLY, Folders
from deckcheck.model.finding import UNCLEAR
from deckcheck.model.format import Source
from deckcheck.support.errors import Problem, UserError, did_you_mean, user_error
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe

if TYPE_CHECKING:
    from deckcheck.report.suppressions import Grading


class DeckSettings(NamedTuple):
    """What the settings say of one deck."""

    format: str | None = None
    """A reference as on the command line; a file's path counts from the working folder."""
    format_source: Source | None = None
    """The line that gives the format, which a report shows as the reason."""
    as_of: str | None = None
    """An ISO date."""
    best_of: int | None = None
    """How many games a match has."""
    grading: Grading | None = None
    """Which rules are reported, and how severe they are."""


SettingsFor = Callable[[str], DeckSettings]
"""From the path of a deck, as named or found, to what the settings say of it."""

Excluded = Callable[[str, bool], bool | None]
"""Whether a path (as named or found; and whether it is a folder) is to be passed over; None: they don't say."""


class Setting(NamedTuple):
    """One value of the settings, for people to look at."""

    keys: tuple[str | int, ...]
    """The way to its key."""
    value: object
    """What it is."""
    place: str
    """The line, variable or option that gives it."""


class Settings(NamedTuple):
    """One project's settings."""

    file: str | None = None
    """How messages name the file, None where there is none."""
    root: Path = Path()
    """The folder from which its paths count."""
    folders: Folders = BUNDLED_ONLY
    """Where formats and banlists of the project lie."""
    cards: tuple[Path, ...] = ()
    """Files with cards for all decks."""
    lang: str | None = None
    """The language of the output."""
    unknown: str | None = None
    """How missing card data is treated."""
    output_format: str | None = None
    """The output format."""
    respect_gitignore: bool = True
    """Whether .gitignore files exclude decks."""
    force_exclude: bool = False
    """Whether excluded files are left out even if they are named."""
    excluded: Excluded | None = None
    """What is excluded."""
    for_deck: SettingsFor | None = None
    """What holds for single decks."""
    formats: tuple[str, ...] = ()
    """The references to formats that the file names."""
    entries: tuple[Setting, ...] = ()
    """What the file says."""


NO_SETTINGS = Settings()
_NO_DECK_SETTINGS = DeckSettings()


# What the command line adds


def with_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> Settings:
    """The settings with rules selected (instead of those of the file) and ignored (besides those), for all decks.

    `format` is the one asked for, whose rules may be named. Raises UserError
    for a rule that there is not, or that can't be ignored.
    """
    if not select and not ignore:
        return settings
    from deckcheck.report.suppressions import Grading

    _require_rules(settings, select, ignore, format)
    selected_at = Source("--select", 1)
    ignored = {rule: Source("--ignore", 1) for rule in ignore}
    of_file = settings.for_deck

    def for_deck(path: str) -> DeckSettings:
        deck = _NO_DECK_SETTINGS if of_file is None else of_file(path)
        grading = deck.grading or Grading(None, selected_at, {}, {})
        grading = grading._replace(ignore={**grading.ignore, **ignored})
        if select:
            grading = grading._replace(select=frozenset(select), selected_at=selected_at)
        return deck._replace(grading=grading)

    return settings._replace(for_deck=for_deck)


def _require_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> None:
    from deckcheck.formats.inheritance import rule_ids

    known = rule_ids(settings.folders, [*settings.formats, *([format] if format is not None else [])]).all
    problems = [
        problem._replace(message=_("{option}: {message}", option=f"--{key}", message=problem.message))
        for key, rules in (("select", select), ("ignore", ignore))
        for rule in rules
        if (problem := rule_problem(rule, key, known)) is not None
    ]
    if problems:
        raise UserError(problems)


def rule_problem(rule: str, key: str, known: frozenset[str] | None) -> Problem | None:
    """Why "select", "ignore" or "severity" can't have a rule's id; None where it can, or where no rule is `known`."""
    from deckcheck.report.suppressions import NOT_SUPPRESSIBLE

    never_legal = _("a deck with something unknown in it is never called legal")
    if key == "ignore" and rule in NOT_SUPPRESSIBLE:
        hint = never_legal if rule in UNCLEAR else _("it reports suppressions that make no sense")
        return Problem(_("{rule!r} can't be ignored", rule=rule), hint=hint)
    if key == "severity" and rule in UNCLEAR:
        return Problem(_("the severity of {rule!r} can't be changed", rule=rule), hint=never_legal)
    if known is None or rule in known:
        return None
    return Problem(_("there is no rule {rule!r}", rule=rule), hint=did_you_mean(rule, known))


def with_exclude(settings: Settings, patterns: Sequence[str], force: bool) -> Settings:
    """The settings with more patterns of what to pass over, from the working folder on; `force` as --force-exclude.

    Raises UserError for a pattern that can't be understood.
    """
    if force:
        settings = settings._replace(force_exclude=True)
    if not patterns:
        return settings
    from deckcheck.config.patterns import Patterns, make_below, translated

    plain = []
    for pattern in patterns:
        try:
            plain.append(translated(pattern))
        except ValueError as error:
            raise user_error(_("--exclude: {pattern!r} is not a valid pattern", pattern=pattern)) from error
    below, added = make_below("."), Patterns(list(filter(None, plain)))
    of_file = settings.excluded

    def excluded(path: str, is_folder: bool) -> bool | None:
        way = below(path)
        verdict = added.verdict(way, is_folder) if way else None
        return of_file(path, is_folder) if verdict is None and of_file is not None else verdict

    return settings._replace(excluded=excluded)


# Shown as a settings file would say them

_DEFAULTS = {"unknown": "error", "output-format": "text", "respect-gitignore": True, "force-exclude": False}
_ORDER = (
    *("format", "as-of", "best-of", "lang", "unknown", "output-format", "formats", "banlists", "cards"),
    *("exclude", "respect-gitignore", "force-exclude", "select", "ignore", "severity"),
)
_ADDED = ("cards", "exclude", "ignore")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def settings_lines(settings: Settings, options: Sequence[Setting], lang: str) -> Iterator[str]:
    """The settings in force, each with the file, variable or option that gives it.

    `options` are those of the command line and the environment.
    """
    yield "# " + (_("no settings file").in_(lang) if settings.file is None else safe(settings.file))
    top = {setting.keys[0]: setting for setting in settings.entries if len(setting.keys) == 1}
    given = {setting.keys[0]: setting for setting in options}
    for key in _ORDER:
        setting = _together(top.get(key), given.get(key))
        if setting is not None:
            yield f"{key} = {_toml(setting.value)}  # {safe(setting.place)}"
        elif key in _DEFAULTS:
            yield f"{key} = {_toml(_DEFAULTS[key])}  # " + _("default").in_(lang)
    table = None
    for setting in settings.entries:
        if setting.keys[0] == "decks":
            if setting.keys[1] != table:
                yield from ("", "[[decks]]")
            table = setting.keys[1]
            yield f"{setting.keys[2]} = {_toml(setting.value)}  # {safe(setting.place)}"


def _together(below: Setting | None, above: Setting | None) -> Setting | None:
    if below is None or above is None or above.keys[0] not in _ADDED:
        return above or below
    # What the command line adds does not take the place of what the file says.
    return above._replace(value=[*_items(below), *_items(above)], place=f"{below.place}, {above.place}")


def _items(setting: Setting) -> Sequence[object]:
    return setting.value if isinstance(setting.value, list | tuple) else [setting.value]


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = ((key if _BARE.fullmatch(key) else _toml(key), inner) for key, inner in value.items())
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)
