"""Which rules the cases of a format show, and which they should."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from deckcheck.checking.judge import LoadedFormat
from deckcheck.formats.find import shown_path, source_file
from deckcheck.model.format import SetAside
from deckcheck.model.rule import Rule, Source
from deckcheck.support.messages import Words, _

Shown = TypeVar("Shown", Rule, SetAside)


@dataclass(slots=True)
class Covered:
    """The rules that cases have shown so far: broken alone, and just kept."""

    alone: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)


def cases_of(file: Path) -> list[Path]:
    """The cases beside the file of a format, in the order of their names."""
    folder = file.with_suffix(".cases")
    return sorted(one for one in folder.rglob("[!.]*") if one.is_file())


def to_show(file: Path, loaded: LoadedFormat, rules: Iterable[Shown]) -> Iterator[Shown]:
    """Those that the format's own cases must show: its own, and those that it takes over and that no base shows."""
    for rule in rules:
        own = rule.source.path == shown_path(file)
        if own or not (loaded.format.abstract or _is_shown(source_file(rule.source.path))):
            yield rule


def _is_shown(file: Path) -> bool:
    """Whether the file is a base with cases of its own."""
    from deckcheck.support.yamlfile import load_yaml

    return bool(cases_of(file)) and load_yaml(file).data.get("abstract") is True


def gaps(file: Path, loaded: LoadedFormat, covered: Covered) -> Iterator[tuple[Source, Words]]:
    """What no case shows yet, with the place of the rule."""
    rules = list(to_show(file, loaded, loaded.format.rules))
    told = [(rule.id, rule.source) for rule in rules]
    told += [(one.id, one.source) for one in to_show(file, loaded, loaded.format.set_aside)]
    for id, source in told:
        if id not in covered.alone:
            message = _("no case has {id!r} as its only finding", id=id)
            yield source, message
    for rule in rules:
        if rule.id not in covered.bound:
            yield rule.source, _("no legal case sits on the bound of {id!r}", id=rule.id)
