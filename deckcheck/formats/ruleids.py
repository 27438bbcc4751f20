"""The ids of the rules of all formats that can be asked for."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats.find import Folders, bundled_formats
from deckcheck.formats.folders import any_broken, looked_through, own_formats
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import UserError


class RuleIds(NamedTuple):
    """The ids that there are, the engine's included, and the files that say so.

    `all` None: some format can't be read, so that nobody can tell.
    """

    all: frozenset[str] | None
    files: tuple[Path, ...]


def rule_ids(folders: Folders, references: Iterable[str] = ()) -> RuleIds:
    """The ids of the rules of what is bundled, of the formats in `folders`, and of files in `references`."""
    known = {rule for one in bundled_formats() for rule in one.rules} | ENGINE_IDS
    files = [one.file for one in bundled_formats()] + looked_through(*folders)
    unsure = any_broken(folders.formats)
    for one in own_formats(folders.formats):
        known.update(one.rules)
    for reference in references:
        if reference.endswith((".yaml", ".yml")):
            from deckcheck.formats.merge import merge

            files.append(Path(reference))
            try:
                merged = merge(Path(reference), folders)
            except UserError:
                unsure = True
                continue
            known.update(merged.rules, merged.beside)
            files += merged.files
    return RuleIds(None if unsure else frozenset(known), tuple(dict.fromkeys(files)))
