"""The settings of a project: the records of them, what the command line adds, and how they are shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
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
    """What the settings say of one deck.

    `format` is a reference as on the command line, a file's path counts from the working folder; `format_source` is
    the line that gives it. `as_of` is an ISO date, `best_of` the games of a match. `grading` says which rules are
    reported, and how severe they are.
    """

    format: str | None = None
    format_source: Source | None = None
    as_of: str | None = None
    best_of: int | None = None
    grading: Grading | None = None


SettingsFor = Callable[[str], DeckSettings]
"""From the path of a deck, as named or found, to what the settings say of it."""

Excluded = Callable[[str, bool], bool | None]
"""Whether a path (as named or found; and whether it is a folder) is to be passed over; None: they don't say."""


class Setting(NamedTuple):
    """A value of the settings for people to look at: the way to its key, and the line, variable or option that gives it."""

    keys: tuple[str | int, ...]
    value: object
    place: str


class Settings(NamedTuple):
    """One project's settings.

    `file` is how messages name the file, None where there is none. `folders` hold formats and banlists of the
    project, `cards` are files with cards for all decks, `formats` the references to formats that the file names,
    and `entries` is what it says, to be shown. The others are as in schemas/config.schema.json.
    """

    file: str | None = None
    folders: Folders = BUNDLED_ONLY
    cards: tuple[Path, ...] = ()
    lang: str | None = None
    unknown: str | None = None
    output_format: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    excluded: Excluded | None = None
    for_deck: SettingsFor | None = None
    formats: tuple[str, ...] = ()
    entries: tuple[Setting, ...] = ()


NO_SETTINGS = Settings()
_NO_DECK_SETTINGS = DeckSettings()


def folders_above(folder: str) -> Iterator[str]:
    """The folder itself, then each one that holds it."""
    above = ""
    while folder != above:
        yield folder
        above, folder = folder, os.path.dirname(folder)


# What the command line adds


def with_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> Settings:
    """The settings with rules selected (instead of those of the file) and ignored (besides those), for all decks.

    `format` is that of the command line, whose rules may be named. Raises UserError
    for a rule that there is not, or that can't be ignored.
    """
    if not select and not ignore:
        return settings
    from deckcheck.formats.inheritance import rule_ids
    from deckcheck.report.suppressions import Grading

    known = rule_ids(settings.folders, [*settings.formats, *([format] if format is not None else [])]).all
    problems = [
        problem._replace(message=_("{option}: {message}", option=f"--{key}", message=problem.message))
        for key, rules in (("select", select), ("ignore", ignore))
        for rule in rules
        if (problem := rule_problem(rule, key, known)) is not None
    ]
    if problems:
        raise UserError(problems)
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

_ADDED = ("cards", "exclude", "ignore")


def settings_lines(settings: Settings, options: Sequence[Setting], lang: str) -> Iterator[str]:
    """The settings in force, each with the file, variable or option that gives it.

    `options` are those of the command line and the environment.
    """
    from deckcheck.config.toml import as_toml
    from deckcheck.support.yamlfile import load_schema

    yield "# " + (_("no settings file").in_(lang) if settings.file is None else safe(settings.file))
    top = {setting.keys[0]: setting for setting in settings.entries if len(setting.keys) == 1}
    given = {setting.keys[0]: setting for setting in options}
    for key, schema in load_schema("config")["properties"].items():
        setting = _together(top.get(key), given.get(key))
        if setting is not None:
            yield f"{key} = {as_toml(setting.value)}  # {safe(setting.place)}"
        elif "default" in schema:
            yield f"{key} = {as_toml(schema['default'])}  # " + _("default").in_(lang)
    table = None
    for setting in settings.entries:
        if setting.keys[0] == "decks":
            if setting.keys[1] != table:
                yield from ("", "[[decks]]")
            table = setting.keys[1]
            yield f"{setting.keys[2]} = {as_toml(setting.value)}  # {safe(setting.place)}"


def _together(below: Setting | None, above: Setting | None) -> Setting | None:
    if below is None or above is None or above.keys[0] not in _ADDED:
        return above or below
    # What the command line adds does not take the place of what the file says.
    items = [
        item
        for setting in (below, above)
        for item in (setting.value if isinstance(setting.value, list | tuple) else [setting.value])
    ]
    return above._replace(value=items, place=f"{below.place}, {above.place}")
