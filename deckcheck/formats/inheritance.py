"""A format file with the files that it extends: which rule counts, and which bounds may not be lost.

What a format says about a rule takes precedence over the formats that it extends, directly or not. If neither of two
formats is more specific, they are equals: the last one counts, if they say the same or `override` asks for it.

A rule that is defined again may have other numbers and words. What the old one bounded has to stay bounded, from
the same side, no less severely and on the same days, unless `override` says otherwise.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from deckcheck.formats import lookup
from deckcheck.formats.parsing import LISTED_TWICE, duplicate_problems, written_clauses
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.rules.grammar import retired_words
from deckcheck.rules.implication import lost, same_meaning
from deckcheck.support.documents import MOST_PROBLEMS, Document, load_yaml, require_shape
from deckcheck.support.errors import Problem, UserError, did_you_mean, in_order
from deckcheck.support.files import is_file, real_path
from deckcheck.support.messages import Words, _

MOST_DEEP = 20
MOST_FILES = 100
MOST_RULES = 5_000

RULES, DEFINITIONS, BESIDE, SETTINGS = "rules", "definitions", "beside", "settings"
_JOINED = ((SETTINGS, "zones"), (SETTINGS, "banlists"))
"""Settings that are joined if several equals state them."""

_RULE_TWICE = _("the rule {name!r} is given twice")
_GAPS = {
    "upper": _("no upper bound"),
    "lower": _("no lower bound"),
    "zones": _("other zones"),
    "cards": _("other cards"),
    "count": _("another count"),
    "when": _("another `when`"),
    "severity": _("less severe"),
    "days": _("not on all of its days"),
    "condition": _("another condition"),
}
_WAYS_OUT = {
    RULES: _("define it here, drop it, or write override: [{name}] to use the last of them"),
    DEFINITIONS: _("with override: [{name}] the last of them counts"),
    SETTINGS: _("set exchange here"),
}
"""What to do if equals differ, by section."""


class Statement(NamedTuple):
    """What one format (`by`) says about a name, over all files that it extends; `replaces` are the earlier pieces."""

    by: Path
    over: frozenset[Path]
    node: Document
    dropped: bool = False
    replaces: tuple[Document, ...] = ()


Key = tuple[str, str]
"""A section, and an id or name in it."""
PeerStatements = tuple[Statement, ...]
"""Statements, none of which is more specific than another; the last one counts."""
Statements = dict[Key, PeerStatements]


def _pieces_of(equals: Iterable[Statement]) -> tuple[Document, ...]:
    """The pieces of statements, without dropped ones."""
    return tuple(statement.node for statement in equals if not statement.dropped)


@dataclass(slots=True)
class Inheritance:
    """What a format and all formats that it extends say together.

    `top` is its own file, `over` are the files that it extends, `files` all that were read, `zones_of` the zones of each
    format by shown path. `statements` are in the order in which they are shown.
    """

    top: Document
    file: Path
    over: frozenset[Path] = frozenset()
    game: str = ""
    files: list[Path] = field(default_factory=list)
    zones_of: dict[str, frozenset[str]] = field(default_factory=dict)
    statements: Statements = field(default_factory=dict)

    def pieces(self, section: str) -> dict[str, Document]:
        """The pieces that count in a section, by id or name, each with the file that it comes from."""
        of_section = {name: equals[-1] for (of, name), equals in self.statements.items() if of == section}
        return {name: statement.node for name, statement in of_section.items() if not statement.dropped}

    @property
    def rules(self) -> dict[str, Document]:
        """The rules in their order."""
        return self.pieces(RULES)

    @property
    def zones(self) -> dict[str, Document]:
        """The zones of a deck."""
        return {name: node.at(name) for node in self.setting("zones") for name in node.data}

    @property
    def banlists(self) -> list[Document]:
        """The banlists that it uses."""
        found: dict[str, Document] = {}
        for name in (name for node in self.setting("banlists") for name in node.items()):
            found.setdefault(name.data, name)
        return list(found.values())

    @property
    def exchange(self) -> Document | None:
        """The zones between which cards are exchanged."""
        return next(iter(self.setting("exchange")[::-1]), None)

    def setting(self, key: str) -> tuple[Document, ...]:
        """The pieces of equals about a setting."""
        return _pieces_of(self.statements.get((SETTINGS, key), ()))

    def state(self, key: Key, node: Document, *, dropped: bool = False) -> None:
        """Put a statement of the format's own file over what it extends."""
        replaces = _pieces_of(self.statements.get(key, ()))
        self.statements[key] = (Statement(self.file, self.over, node, dropped, replaces),)


def inherit(
    file: Path,
    folders: lookup.Folders = lookup.BUNDLED_ONLY,
    above: tuple[Path, ...] = (),
    done: dict[Path, Inheritance] | None = None,
) -> Inheritance:
    """The format of a file with all that it extends. Raises UserError for unusable files, and for anything that
    contradicts itself, has no effect or loses a bound silently. `above` are the files that lead here, `done` those read."""
    top = load_yaml(file, lookup.shown_path(file))
    _refuse(_retired(top))
    require_shape(top, "format")
    found = Inheritance(top, real_path(file), files=[file])
    above, done = (*above, found.file), {} if done is None else done
    parents: list[tuple[Document, Inheritance]] = []
    for reference in top.under("extends"):
        beneath = _parent_file(reference, file, folders, above)
        real = real_path(beneath)
        if real not in done:
            if len(done) >= MOST_FILES:
                raise _refused(reference, _("more than {most} files are extended", most=MOST_FILES))
            done[real] = inherit(beneath, folders, above, done)
            if sum(len(parent.top.data.get("rules", ())) for parent in done.values()) > MOST_RULES:
                raise _refused(reference, _("more than {most:,} rules are extended", most=MOST_RULES))
        parents.append((reference, done[real]))
    _refuse(_redundant_parents(parents))
    for _reference, parent in parents:
        found.over |= {parent.file, *parent.over}
        found.zones_of |= parent.zones_of
        found.files += [path for path in parent.files if path not in found.files]
        found.game = parent.game or found.game
        _join(found.statements, parent.statements)
    for key, equals in found.statements.items():
        overruled = frozenset[Path]().union(*(statement.over for statement in equals))
        found.statements[key] = tuple(statement for statement in equals if statement.by not in overruled)
    found.game = top.data.get("game") or found.game or top.data["format"].partition("/")[0]
    _refuse(chain(_double_ids(top), _add_own(found), _conflicts(found, parents)))
    found.zones_of[top.path] = frozenset(found.zones)
    return found


def _refused(node: Document, message: Words) -> UserError:
    return UserError([node.problem(message)])


def _refuse(problems: Iterable[Problem]) -> None:
    """Raise UserError with the first of the problems, if there are any."""
    first = in_order(islice(problems, MOST_PROBLEMS))
    if first:
        raise UserError(first)


def _retired(node: Document) -> Iterator[Problem]:
    # The shape of a piece may be wrong.
    for key in ("rules", "clauses", "either") if isinstance(node.data, dict) else ():
        for item in node.under(key) if isinstance(node.data.get(key), list) else ():
            for way, instead in retired_words(item.data) if isinstance(item.data, dict) else ():
                message = _("{word!r} is no longer used here", word=way[-1])
                yield item.at(*way).problem(message, _("write {instead}", instead=instead))
            yield from _retired(item)


def _parent_file(reference: Document, child: Path, folders: lookup.Folders, above: tuple[Path, ...]) -> Path:
    name = reference.data
    try:
        file = lookup.format_file(name, child, folders)
    except UserError as error:
        first, *others = error.problems
        raise UserError([reference.problem(first.message, first.hint), *others]) from error
    if not is_file(file):
        raise _refused(reference, _("there is no file {name!r}", name=name))
    if real_path(file) in above:
        raise _refused(reference, _("{name!r} extends itself through other formats", name=name))
    if len(above) > MOST_DEEP:
        raise _refused(reference, _("more than {most} formats extend one another", most=MOST_DEEP))
    return file


def _redundant_parents(parents: Sequence[tuple[Document, Inheritance]]) -> Iterator[Problem]:
    """Yields problems with formats that are extended twice, or that another extended format extends."""
    for at, (reference, parent) in enumerate(parents):
        name = parent.top.data["format"]
        if any(parent.file == other.file for _reference, other in parents[:at]):
            yield reference.problem(LISTED_TWICE.filled(name=name))
        others = (other.top.data["format"] for _reference, other in parents if parent.file in other.over)
        for by in islice(others, 1):
            message = _("{by!r} already extends {name!r}, so this has no effect", by=by, name=name)
            yield reference.problem(message)


def _join(joined: Statements, more: Statements) -> None:
    """Add the statements of one more format; new ones come last."""
    for key, statements in more.items():
        before = joined.get(key, ())
        known = {by for statement in before for by in (statement.by, *statement.over)}
        again = {statement.by for statement in statements}
        if not again <= known:
            joined.pop(key, None)
        joined[key] = (*(statement for statement in before if statement.by not in again), *statements)


def _double_ids(top: Document) -> Iterator[Problem]:
    """Yields problems with repeated names that may be given only once, and with ids of built-in findings."""
    for key in ("banlists", "drop", "override"):
        yield from duplicate_problems(top.under(key))
    ids = [node.at("id") for section in (BESIDE, RULES) for node in top.under(section)]
    for node in ids:
        if node.data in ENGINE_IDS:
            yield node.problem(_("{name!r} is the id of a built-in finding", name=node.data))
    yield from duplicate_problems(ids, _RULE_TWICE)


def _add_own(found: Inheritance) -> Iterator[Problem]:
    """Put the file's own statements over what it extends; yields problems."""
    top, inherited = found.top, dict(found.statements)
    rules = found.rules
    own = {(DEFINITIONS, name): top.at(DEFINITIONS, name) for name in top.data.get(DEFINITIONS, ())}
    own |= {(RULES, node.data["id"]): node for node in top.under(RULES)}
    for name in ("zones", "banlists", "exchange"):
        if name in top.data:
            found.state((SETTINGS, name), top.at(name))
    for node in top.under(BESIDE):
        found.state((BESIDE, node.data["id"]), node)
    for node in top.under("drop"):
        name = node.data
        if not _pieces_of(inherited.get((RULES, name), ())):
            hint = did_you_mean(name, rules)
            yield node.problem(_("no extended format has a rule {name!r} to drop", name=name), hint)
        elif (RULES, name) in own:
            hint = _("to replace it, write override: [{name}] instead of the drop", name=name)
            yield node.problem(_("{name!r} is both dropped and defined", name=name), hint)
        # A rule also loses its place in the order.
        found.statements.pop((RULES, name), None)
        found.state((RULES, name), node, dropped=True)
    for node in top.under("override"):
        yield from _override(node, found, inherited, own)
    for key, node in own.items():
        yield from _override_problems(key, node, inherited.get(key, ()), found)
        found.state(key, node)


def _override_problems(
    key: Key, node: Document, equals: PeerStatements, found: Inheritance
) -> Iterator[Problem]:
    """Yields problems with a piece that replaces inherited ones."""
    (section, name), before = key, _pieces_of(equals)
    if len(before) == len(equals) == 1 and before[0].data == node.data:
        place = before[0].place
        yield node.problem(_("{place} already says exactly this, so it has no effect here", place=place))
        return
    if any(name in found.top.data.get(word, ()) for word in ("override", "drop")):
        return
    for old in before:
        if section == RULES:
            gap: str | None = lost(written_clauses(old), written_clauses(node), found.zones)
        else:
            gap = None if old.data == node.data else "condition"
        if gap is not None:
            message = _(
                "{name!r} replaces {place} but loses part of it: {loss}",
                name=name,
                place=old.place,
                loss=_GAPS[gap],
            )
            hint = _(
                "if that is intended, write override: [{name}]; to add a rule instead, choose another name",
                name=name,
            )
            yield node.problem(message, hint)
            return


def _override(
    node: Document, found: Inheritance, inherited: Statements, own: Mapping[Key, Document]
) -> Iterator[Problem]:
    """Let the last of equals, or the file's own piece, count; yields a problem if neither needs that."""
    name, needed = node.data, False
    for key in ((RULES, name), (DEFINITIONS, name)):
        equals = inherited.get(key, ())
        if key in own:
            needed |= bool(_pieces_of(equals))
        elif name not in found.top.data.get("drop", ()) and _differ(key, equals):
            needed = True
            last = equals[-1]._replace(by=found.file, over=found.over, replaces=_pieces_of(equals[:-1]))
            found.statements[key] = (last,)
    if not needed:
        known = [
            other
            for (section, other), equals in inherited.items()
            if section in (RULES, DEFINITIONS) and not equals[-1].dropped
        ]
        hint = did_you_mean(name, known) if name not in known else None
        yield node.problem(_("there is nothing to override in {name!r}", name=name), hint)


def _differ(key: Key, equals: PeerStatements) -> bool:
    """Whether equals differ in their meaning."""

    def alike(first: Document, other: Document) -> bool:
        if key[0] == RULES:
            return same_meaning(written_clauses(first), written_clauses(other))
        return set(first.data) == set(other.data) if key[0] == SETTINGS else bool(first.data == other.data)

    pieces = _pieces_of(equals)
    return bool(pieces) and (
        len(pieces) < len(equals) or not all(alike(pieces[0], other) for other in pieces[1:])
    )


def _conflicts(found: Inheritance, parents: Sequence[tuple[Document, Inheritance]]) -> Iterator[Problem]:
    """Yields problems with what equally specific extended formats define differently and this one leaves open."""
    if len({parent.game for _reference, parent in parents}) > 1 and "game" not in found.top.data:
        hint = _("say which game it is with `game`")
        yield parents[-1][0].problem(_("formats of several games are extended"), hint)
        # All other differences follow from that.
        return
    rules = found.rules
    for name, node in found.pieces(BESIDE).items():
        if name in rules:
            yield node.problem(_("the rule {name!r} is also in {place}", name=name, place=rules[name].place))
    # One section after the other.
    for key in ((section, name) for section in _WAYS_OUT for of, name in found.statements if of == section):
        equals = found.statements[key]
        if key not in _JOINED and _differ(key, equals):
            by, name = equals[-1].by, key[1]
            reference = next(node for node, parent in reversed(parents) if by in (parent.file, *parent.over))
            places = " / ".join(other.node.place + " (drop)" * other.dropped for other in equals)
            message = _("{places} define {name!r} differently", places=places, name=name)
            yield reference.problem(message, _WAYS_OUT[key[0]].filled(name=name))


class RuleIds(NamedTuple):
    """The ids of all rules, built-in ones included (None if a format can't be read), and the files that have them."""

    all: frozenset[str] | None
    files: tuple[Path, ...]


def rule_ids(folders: lookup.Folders, references: Iterable[str] = ()) -> RuleIds:
    """The ids of the rules of bundled formats, of those in `folders`, and of files in `references`."""
    entries = lookup.bundled_formats() + lookup.own_formats(folders.formats)
    known = {rule for entry in entries for rule in entry.rules} | ENGINE_IDS
    files = [entry.file for entry in lookup.bundled_formats()] + lookup.searched_files(folders)
    unsure = lookup.any_broken(folders.formats)
    for file in [Path(reference) for reference in references if reference.endswith(lookup.ENDINGS)]:
        files.append(file)
        try:
            found = inherit(file, folders)
        except UserError:
            unsure = True
        else:
            known.update(found.rules, found.pieces(BESIDE))
            files += found.files
    return RuleIds(None if unsure else frozenset(known), tuple(dict.fromkeys(files)))
