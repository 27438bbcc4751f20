"""What the command line adds to the settings of a project."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.config.rules import Key, unusable_rule
from deckcheck.config.settings import DeckSettings, Excluded, Settings
from deckcheck.model.rule import Source
from deckcheck.report.suppressions import Grading
from deckcheck.support.errors import Problem, UserError
from deckcheck.support.messages import _

_NOTHING_SAID = DeckSettings()


def with_rules(
    settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None
) -> Settings:
    """The settings with rules selected (instead of those of the file) and ignored (besides those), for all decks.

    `format` is the one asked for, whose rules may be named. Raises UserError
    for a rule that there is not, or that can't be ignored.
    """
    if not select and not ignore:
        return settings
    _check(settings, select, ignore, format)
    asked = {rule: Source("--ignore", 1) for rule in ignore}
    inner = settings.for_deck

    def for_deck(path: str) -> DeckSettings:
        mine = _NOTHING_SAID if inner is None else inner(path)
        old = mine.grading or Grading(None, Source("--select", 1), {}, {})
        chosen = old._replace(ignore={**old.ignore, **asked})
        if select:
            chosen = chosen._replace(select=frozenset(select), selected_at=Source("--select", 1))
        return mine._replace(grading=chosen)

    return settings._replace(for_deck=for_deck)


def _check(settings: Settings, select: Sequence[str], ignore: Sequence[str], format: str | None) -> None:
    from deckcheck.formats.ruleids import rule_ids

    references = [*settings.formats, *([format] if format is not None else [])]
    known = rule_ids(settings.folders, references).all
    keys: tuple[tuple[Key, Sequence[str]], ...] = (("select", select), ("ignore", ignore))
    problems: list[Problem] = []
    for key, rules in keys:
        for rule in rules:
            problem = unusable_rule(rule, key, known)
            if problem is not None:
                said = problem.message
                problems.append(problem._replace(message=_("--{key}: {said}", key=key, said=said)))
    if problems:
        raise UserError(problems)


def with_exclude(settings: Settings, patterns: Sequence[str], force: bool) -> Settings:
    """The settings with more patterns of what to pass over, from the working folder on; `force` as --force-exclude.

    Raises UserError for a pattern that can't be understood.
    """
    if force:
        settings = settings._replace(force_exclude=True)
    if not patterns:
        return settings
    from deckcheck.config.patterns import Plain, make_below, make_says, translated

    plain: list[Plain] = []
    for pattern in patterns:
        try:
            made = translated(pattern)
        except ValueError as error:
            message = _("{pattern!r} is no pattern", pattern=pattern)
            raise UserError([Problem(_("--exclude: {message}", message=message))]) from error
        if made is not None:
            plain.append(made)
    below, says, inner = make_below("."), make_says(plain), settings.excluded

    def excluded(path: str, folder: bool) -> bool | None:
        way = below(path)
        said = says(way, folder) if way else None
        return inner(path, folder) if said is None and inner is not None else said

    found: Excluded = excluded
    return settings._replace(excluded=found)
