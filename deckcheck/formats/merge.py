"""A format file with the files that it extends, put together."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from deckcheck.formats.find import BUNDLED_ONLY, Folders, format_file, shown_path
from deckcheck.formats.merged import Merged, together
from deckcheck.formats.sayings import add_own, conflicts, double_ids
from deckcheck.support.errors import UserError
from deckcheck.support.files import is_file
from deckcheck.support.messages import _
from deckcheck.support.schema import MOST_PROBLEMS, require_shape
from deckcheck.support.yamlfile import Document, Keys, load_yaml

MOST_DEEP = 20
MOST_FILES = 100
MOST_RULES = 5_000

_SECTIONS = ("whole", "rules", "definitions", "beside")


def read_format(file: Path) -> Document:
    """A format file whose shape is right. Raises UserError."""
    document = load_yaml(file, shown_path(file))
    require_shape(document, "format")
    return document


def merge(
    file: Path,
    folders: Folders = BUNDLED_ONLY,
    chain: tuple[Path, ...] = (),
    done: dict[Path, Merged] | None = None,
) -> Merged:
    """The format of that file with all that it extends; `merged` tells who has the say.

    What it extends is looked for in `folders`, too. `chain` are the files
    on the way to this one, `done` those merged already. Raises UserError: a
    file that is missing or has the wrong shape, a format that extends itself
    or too many others, an id used twice, a `drop` or `override` without
    effect, a bound that would be lost without a word.
    """
    document = read_format(file)
    merged = Merged(document, file.resolve(), files=[file])
    done = {} if done is None else done
    parents: list[tuple[Keys, Merged]] = []
    for keys, reference in _references(document):
        beneath = _parent_file(reference, file, folders, document, keys, (*chain, merged.file))
        if beneath.resolve() not in done:
            if len(done) >= MOST_FILES:
                message = _("more than {most_files} files are extended", most_files=MOST_FILES)
                raise UserError([document.problem(keys, message)])
            done[beneath.resolve()] = merge(beneath, folders, (*chain, merged.file), done)
            if sum(len(one.document.data.get("rules", ())) for one in done.values()) > MOST_RULES:
                message = _("more than {most_rules:,} rules are extended", most_rules=MOST_RULES)
                raise UserError([document.problem(keys, message)])
        parents.append((keys, done[beneath.resolve()]))
    _require_each_needed(document, parents)
    for _unused, parent in parents:
        merged.over |= {parent.file, *parent.over}
        merged.lent |= parent.lent
        merged.files += [one for one in parent.files if one not in merged.files]
    for section in _SECTIONS:
        merged.said[section] = together(parent.said[section] for _unused, parent in parents)
    merged.game = document.data.get("game") or next((one.game for _unused, one in reversed(parents)), "")
    merged.game = merged.game or document.data["format"].partition("/")[0]
    found = itertools.chain(double_ids(document), add_own(merged), conflicts(merged, parents))
    problems = list(itertools.islice(found, MOST_PROBLEMS))
    if problems:
        raise UserError(sorted(problems, key=lambda one: (one.line or 0, one.column or 0)))
    merged.lent[document.path] = frozenset(merged.zones)
    return merged


def _references(document: Document) -> Iterator[tuple[Keys, str]]:
    parents = document.data.get("extends", [])
    if isinstance(parents, str):
        yield ("extends",), parents
    else:
        yield from ((("extends", at), parent) for at, parent in enumerate(parents))


def _parent_file(
    reference: str,
    child: Path,
    folders: Folders,
    document: Document,
    keys: Keys,
    chain: tuple[Path, ...],
) -> Path:
    try:
        file = format_file(reference, child, folders)
    except UserError as error:
        first, *others = error.problems
        problem = document.problem(keys, first.message, first.hint)
        raise UserError([problem, *others]) from error
    if not is_file(file):
        message = _("there is no file {reference!r}", reference=reference)
        raise UserError([document.problem(keys, message)])
    if file.resolve() in chain:
        message = _("extending {reference!r} runs in a circle", reference=reference)
        raise UserError([document.problem(keys, message)])
    if len(chain) > MOST_DEEP:
        raise UserError(
            [
                document.problem(
                    keys, _("more than {most_deep} formats extend one another", most_deep=MOST_DEEP)
                )
            ]
        )
    return file


def _require_each_needed(document: Document, parents: list[tuple[Keys, Merged]]) -> None:
    """Raise UserError for a format that stands twice under `extends`, or that another one there extends."""
    problems = []
    for at, (keys, one) in enumerate(parents):
        name = one.document.data["format"]
        if any(one.file == other.file for _unused, other in parents[:at]):
            problems.append(document.problem(keys, _("{name!r} stands here twice", name=name)))
        for _unused, other in parents:
            if one.file in other.over:
                by = other.document.data["format"]
                problems.append(
                    document.problem(
                        keys,
                        _("{by!r} extends {name!r} already, so that it has no effect here", by=by, name=name),
                    )
                )
                break
    if problems:
        raise UserError(problems)
