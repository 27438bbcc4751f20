"""A format file with the files that it extends: which of their rules, definitions, zones and banlists count.

The files are applied in order: those listed under `extends` as they are listed, each after what it extends itself, and
the format's own file last. Of rules with one id the last one counts. A file that defines an inherited rule or definition
again has to say so with `override`, so that no bound is lost by accident; `drop` removes a rule.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from msgspec import Struct

from deckcheck.formats import lookup
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.documents import MOST_PROBLEMS, Document
from deckcheck.support.errors import Problem, UserError, in_order, which_of
from deckcheck.support.files import is_file, real_path
from deckcheck.support.messages import Message, Words, _

MOST_FILES = 100
MOST_RULES = 5_000
LISTED_TWICE = _("{name!r} is listed twice")
_EXTENDS_ITSELF = _("{name!r} extends itself")
_RULE_TWICE = _("the rule {name!r} is given twice")


class Piece(Struct, frozen=True):
    """A rule, a definition or something beside the deck, and the inherited piece that it replaces."""

    node: Document
    replaces: Document | None = None


Pieces = dict[str, Piece]


@dataclass(slots=True)
class Inheritance:
    """What a format and all formats that it extends say together.

    `top` is its own file; `applied` has the files by real path in the order of application, its own last; `diff_and_save` are all
    that were read, as they were found. Pieces are by id or name, in the order in which they are shown; what lies beside the
    deck is among the rules. `unplayed` are the zones that only formats which it extends have.
    """

    top: Document
    files: list[Path]
    game: str = ""
    applied: dict[Path, Document] = field(default_factory=dict)
    rules: Pieces = field(default_factory=dict)
    definitions: Pieces = field(default_factory=dict)
    zones: dict[str, Document] = field(default_factory=dict)
    unplayed: set[str] = field(default_factory=set)
    banlists: dict[str, Document] = field(default_factory=dict)
    exchange: Document | None = None

    def add(self, parent: "Inheritance") -> None:
        """Take over the files, the zones, the banlists and the exchange of an extended format."""
        self.applied |= parent.applied
        self.files += [path for path in parent.files if path not in self.files]
        self.zones |= parent.zones
        self.unplayed |= parent.unplayed
        self.banlists |= parent.banlists
        self.exchange = parent.exchange or self.exchange

    def apply(self, top: Document) -> None:
        """Put what a file defines over what was applied before; a replaced rule keeps its place in the order."""
        for node in top.under("drop"):
            self.rules.pop(node.data, None)
        for pieces, own in ((self.rules, _own_rules(top)), (self.definitions, _own_definitions(top))):
            for name, node in own.items():
                before = pieces.get(name)
                pieces[name] = Piece(node, None if before is None else before.node)

    def stated_under(self, section: str) -> list[Piece]:
        """The pieces under "rules", or those that lie "beside" the deck."""
        return [piece for piece in self.rules.values() if piece.node.keys[0] == section]

    def replace_settings(self) -> None:
        """Let the zones, banlists and exchanges that the format's own file states replace the inherited ones."""
        top, known = self.top, self.unplayed.union(self.zones)
        if "zones" in top.data:
            self.zones = {name: top.at("zones", name) for name in top.data["zones"]}
        if "banlists" in top.data:
            self.banlists = {node.data: node for node in top.under("banlists")}
        if "exchange" in top.data:
            self.exchange = top.at("exchange")
        self.unplayed = known.difference(self.zones)


def _own_rules(top: Document) -> dict[str, Document]:
    """The rules of a file by id, with what lies beside the deck."""
    return {node.data["id"]: node for section in ("beside", "rules") for node in top.under(section)}


def _own_definitions(top: Document) -> dict[str, Document]:
    return {name: top.at("definitions", name) for name in top.data.get("definitions", ())}


def duplicate_problems(nodes: Iterable[Document], message: Message = LISTED_TWICE) -> Iterator[Problem]:
    """Yields problems with values that repeat an earlier one."""
    seen: set[object] = set()
    for node in nodes:
        if node.data in seen:
            yield node.problem(message.filled(name=str(node.data)))
        seen.add(node.data)


def inherit(file: Path, folders: lookup.Folders = lookup.BUNDLED_ONLY) -> Inheritance:
    """The format of a file with all that it extends.

    Raises UserError for unusable files, and for whatever contradicts itself or redefines a rule without `override`.
    """
    return _Reader(folders).read(file, ())


class _Reader:
    """Reads a format with all that it extends, each file once."""

    def __init__(self, folders: lookup.Folders) -> None:
        self._folders = folders
        self._read: dict[Path, Inheritance] = {}

    def read(self, file: Path, children: tuple[Path, ...]) -> Inheritance:
        """The format of a file; `children` are the files through which it is extended."""
        top, real = lookup.load(file, "format"), real_path(file)
        if lookup.hides_bundled(file, top.data["format"]) and not top.data.get(lookup.REPLACES):
            raise UserError([top.at("format").problem(*lookup.taken_id(top.data["format"]))])
        format = Inheritance(top, [file])
        parents = [self._parent(node, file, (*children, real)) for node in top.under("extends")]
        for parent in parents:
            format.add(parent)
        for extended in format.applied.values():
            format.apply(extended)
        problems = in_order(islice(_problems(format, parents), MOST_PROBLEMS))
        if problems:
            raise UserError(problems)
        # Stated, else that of the extended formats, else the first part of the format's id.
        inherited = parents[-1].game if parents else top.data["format"].partition("/")[0]
        format.game = top.data.get("game") or inherited
        format.apply(top)
        format.applied[real] = top
        format.replace_settings()
        return format

    def _parent(self, reference: Document, child: Path, children: tuple[Path, ...]) -> Inheritance:
        """The format that a file extends. Raises UserError for none, a circle and too many files or rules."""
        name = reference.data
        try:
            file = lookup.format_file(name, child, self._folders)
        except UserError as error:
            first, *others = error.problems
            if name == lookup.load(child, "format").data["format"]:
                raise _refused(reference, _EXTENDS_ITSELF.filled(name=name)) from error
            raise UserError([reference.problem(first.message, first.hint), *others]) from error
        if not is_file(file):
            raise _refused(reference, _("there is no file {name!r}", name=name))
        real = real_path(file)
        if real in children:
            raise _refused(reference, _EXTENDS_ITSELF.filled(name=name))
        if real not in self._read:
            if len(self._read) + len(children) > MOST_FILES:
                raise _refused(reference, _("more than {most} files are extended", most=MOST_FILES))
            self._read[real] = self.read(file, children)
            if sum(len(parent.top.data.get("rules", ())) for parent in self._read.values()) > MOST_RULES:
                raise _refused(reference, _("more than {most:,} rules are extended", most=MOST_RULES))
        return self._read[real]


def _refused(node: Document, message: Words) -> UserError:
    return UserError([node.problem(message)])


def _problems(format: Inheritance, parents: Sequence[Inheritance]) -> Iterator[Problem]:
    """Yields problems with the file's own names, given that only what it extends has been applied."""
    top = format.top
    if len({parent.game for parent in parents}) > 1 and "game" not in top.data:
        hint = _("say which game it is with `game`")
        yield top.under("extends")[-1].problem(_("formats of several games are extended"), hint)
    for key in ("extends", "banlists", "drop", "override"):
        yield from duplicate_problems(top.under(key))
    ids = [node.at("id") for section in ("beside", "rules") for node in top.under(section)]
    yield from duplicate_problems(ids, _RULE_TWICE)
    for node in ids:
        if node.data in ENGINE_IDS:
            yield node.problem(_("{name!r} is the id of a built-in finding", name=node.data))
    rules, definitions = _own_rules(top), _own_definitions(top)
    for node in top.under("drop"):
        yield from _drop_problems(node, format.rules, rules)
    for node in top.under("override"):
        yield from _override_problems(node, format.rules | format.definitions, rules | definitions)
    confirmed = {*top.data.get("override", ()), *top.data.get("drop", ())}
    for pieces, own in ((format.rules, rules), (format.definitions, definitions)):
        for name, node in own.items():
            if name in pieces and name not in confirmed:
                hint = _(
                    "to replace that, write override: [{name}]; to add a rule, choose another name", name=name
                )
                place = pieces[name].node.place
                yield node.problem(_("{name!r} is already defined in {place}", name=name, place=place), hint)


def _drop_problems(node: Document, rules: Pieces, own: Mapping[str, Document]) -> Iterator[Problem]:
    name = node.data
    if name not in rules:
        hint = which_of(name, rules)
        yield node.problem(_("no extended format has a rule {name!r} to drop", name=name), hint)
    elif name in own:
        hint = _("to replace it, write override: [{name}] instead of the drop", name=name)
        yield node.problem(_("{name!r} is both dropped and defined", name=name), hint)


def _override_problems(node: Document, known: Pieces, own: Mapping[str, Document]) -> Iterator[Problem]:
    name = node.data
    if name not in known:
        hint = which_of(name, known)
        yield node.problem(_("no extended format defines {name!r}", name=name), hint)
    elif name not in own:
        hint = _("define it here; drop: [{name}] removes a rule", name=name)
        yield node.problem(_("nothing here overrides {name!r}", name=name), hint)


def rule_ids(folders: lookup.Folders, references: Iterable[str] = ()) -> frozenset[str] | None:
    """The ids of all rules, built-in ones included: of bundled formats, those in `folders`, and files in `references`.

    None if one of the formats can't be read.
    """
    if lookup.any_broken(folders.formats):
        return None
    entries = lookup.bundled_formats() + lookup.own_formats(folders.formats)
    known = {rule for entry in entries for rule in entry.rules} | ENGINE_IDS
    for reference in references:
        if reference.endswith(lookup.ENDINGS):
            try:
                format = inherit(Path(reference), folders)
            except UserError:
                return None
            known.update(format.rules)
    return frozenset(known)
