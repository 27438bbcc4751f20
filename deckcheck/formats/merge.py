"""A format file with the files that it extends, put together: who replaces what, who drops what."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.engineids import ENGINE_IDS
from deckcheck.errors import Problem, UserError
from deckcheck.files import is_file
from deckcheck.formats.find import BUNDLED_ONLY, Folders, format_file, shown_path
from deckcheck.schema import did_you_mean, require_shape
from deckcheck.yamlfile import Document, Keys, load_yaml

MOST_EXTENDED = 20


class Placed(NamedTuple):
    """A piece of a file: its plain value and where it stands."""

    data: Any
    document: Document
    keys: Keys


@dataclass(slots=True)
class Merged:
    """What a format says when all that it extends is taken in.

    `rules` and `definitions` keep the file that each came from; `files` are
    all files read.
    """

    document: Document
    zones: dict[str, Placed] = field(default_factory=dict)
    rules: dict[str, Placed] = field(default_factory=dict)
    definitions: dict[str, Placed] = field(default_factory=dict)
    beside: dict[str, Placed] = field(default_factory=dict)
    banlists: list[Placed] = field(default_factory=list)
    exchange: Placed | None = None
    game: str | None = None
    files: list[Path] = field(default_factory=list)


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
    """The format of that file with all that it extends, later ones over earlier ones.

    What it extends is looked for in `folders`, too. `chain` are the files on
    the way to this one, `done` those merged already. Raises UserError: a file that is missing or has the wrong shape, a format
    that extends itself, an id used twice, a `drop` that drops nothing.
    """
    document = read_format(file)
    data = document.data
    merged = Merged(document, files=[file])
    done = {} if done is None else done
    parents = data.get("extends", [])
    for at, parent in enumerate([parents] if isinstance(parents, str) else parents):
        keys: Keys = ("extends",) if isinstance(parents, str) else ("extends", at)
        beneath = _parent_file(parent, file, folders, document, keys, (*chain, file.resolve()))
        if beneath.resolve() not in done:
            done[beneath.resolve()] = merge(beneath, folders, (*chain, file.resolve()), done)
        _take(merged, done[beneath.resolve()])
    merged.document = document
    merged.game = data.get("game") or merged.game or data["format"].partition("/")[0]
    problems = _drop(merged, document) + _own_rules(merged, document)
    if problems:
        raise UserError(problems)
    return merged


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
    if file.resolve() in chain or len(chain) > MOST_EXTENDED:
        ja, en = f"「{reference}」を継承すると輪になります", f"extending {reference!r} runs in a circle"
        raise UserError([document.problem(keys, ja, en)])
    return file


def _take(merged: Merged, parent: Merged) -> None:
    merged.zones |= parent.zones
    for name, placed in parent.rules.items():
        # A later format's rule takes the place of an earlier one, at the later place.
        merged.rules.pop(name, None)
        merged.rules[name] = placed
    merged.definitions |= parent.definitions
    merged.beside |= parent.beside
    known = {placed.data for placed in merged.banlists}
    merged.banlists += [placed for placed in parent.banlists if placed.data not in known]
    merged.exchange = parent.exchange or merged.exchange
    merged.game = parent.game
    merged.files += [file for file in parent.files if file not in merged.files]


def _drop(merged: Merged, document: Document) -> list[Problem]:
    problems = []
    for at, name in enumerate(document.data.get("drop", [])):
        if merged.rules.pop(name, None) is None:
            ja, en = (
                f"「{name}」という規則は継承していません",
                f"no rule {name!r} is extended, so none can be dropped",
            )
            problems.append(document.problem(("drop", at), ja, en, did_you_mean(name, merged.rules)))
    return problems


def _own_rules(merged: Merged, document: Document) -> list[Problem]:
    problems = []
    data = document.data
    if "zones" in data:
        merged.zones = {
            name: Placed(value, document, ("zones", name)) for name, value in data["zones"].items()
        }
    for at, name in enumerate(data.get("banlists", [])):
        if name in data["banlists"][:at]:
            ja, en = f"「{name}」が二度あります", f"{name!r} stands here twice"
            problems.append(document.problem(("banlists", at), ja, en))
    if "banlists" in data:
        merged.banlists = [
            Placed(name, document, ("banlists", at)) for at, name in enumerate(data["banlists"])
        ]
    if "exchange" in data:
        merged.exchange = Placed(data["exchange"], document, ("exchange",))
    for name, value in data.get("definitions", {}).items():
        merged.definitions[name] = Placed(value, document, ("definitions", name))
    own: set[str] = set()
    for section, place in (("beside", merged.beside), ("rules", merged.rules)):
        for at, item in enumerate(data.get(section, [])):
            if item["id"] in ENGINE_IDS:
                ja = f"「{item['id']}」はdeckcheck自身が使うidです"
                problems.append(
                    document.problem((section, at, "id"), ja, f"{item['id']!r} is an id of the engine")
                )
            if item["id"] in own:
                ja, en = f"規則「{item['id']}」が二度あります", f"rule {item['id']!r} stands here twice"
                problems.append(document.problem((section, at, "id"), ja, en))
            own.add(item["id"])
            place[item["id"]] = Placed(item, document, (section, at))
    return problems
