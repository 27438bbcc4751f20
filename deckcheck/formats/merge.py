"""A format file with the files that it extends, put together."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from deckcheck.formats.find import BUNDLED_ONLY, Folders, format_file, shown_path
from deckcheck.formats.merged import Merged, together
from deckcheck.formats.sayings import add_own, conflicts, double_ids
from deckcheck.support.errors import UserError
from deckcheck.support.files import is_file
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
                ja, en = (
                    f"継承が{MOST_FILES}ファイルを超えています",
                    f"more than {MOST_FILES} files are extended",
                )
                raise UserError([document.problem(keys, ja, en)])
            done[beneath.resolve()] = merge(beneath, folders, (*chain, merged.file), done)
            if sum(len(one.document.data.get("rules", ())) for one in done.values()) > MOST_RULES:
                ja, en = (
                    f"継承する規則が{MOST_RULES:,}件を超えています",
                    f"more than {MOST_RULES:,} rules are extended",
                )
                raise UserError([document.problem(keys, ja, en)])
        parents.append((keys, done[beneath.resolve()]))
    _require_each_needed(document, parents)
    for _, parent in parents:
        merged.over |= {parent.file, *parent.over}
        merged.lent |= parent.lent
        merged.files += [one for one in parent.files if one not in merged.files]
    for section in _SECTIONS:
        merged.said[section] = together(parent.said[section] for _, parent in parents)
    merged.game = document.data.get("game") or next((one.game for _, one in reversed(parents)), "")
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
        problem = document.problem(keys, first.message.ja, first.message.en, first.hint)
        raise UserError([problem, *others]) from error
    if not is_file(file):
        ja, en = f"「{reference}」というファイルはありません", f"there is no file {reference!r}"
        raise UserError([document.problem(keys, ja, en)])
    if file.resolve() in chain:
        ja, en = f"「{reference}」を継承すると輪になります", f"extending {reference!r} runs in a circle"
        raise UserError([document.problem(keys, ja, en)])
    if len(chain) > MOST_DEEP:
        ja = f"継承が{MOST_DEEP}段を超えています"
        raise UserError([document.problem(keys, ja, f"more than {MOST_DEEP} formats extend one another")])
    return file


def _require_each_needed(document: Document, parents: list[tuple[Keys, Merged]]) -> None:
    """Raise UserError for a format that stands twice under `extends`, or that another one there extends."""
    problems = []
    for at, (keys, one) in enumerate(parents):
        name = one.document.data["format"]
        if any(one.file == other.file for _, other in parents[:at]):
            problems.append(
                document.problem(keys, f"「{name}」が二度あります", f"{name!r} stands here twice")
            )
        for _, other in parents:
            if one.file in other.over:
                by = other.document.data["format"]
                ja = f"「{by}」が「{name}」を継承しているので、ここに書いても効果がありません"
                en = f"{by!r} extends {name!r} already, so that it has no effect here"
                problems.append(document.problem(keys, ja, en))
                break
    if problems:
        raise UserError(problems)
