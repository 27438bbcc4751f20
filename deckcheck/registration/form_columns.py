"""Guesses what the columns of a form's export mean, from its heads: Google Forms, Microsoft Forms and the like."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deckcheck.model.game import Game
from deckcheck.registration.entries import plain_head, read_rows
from deckcheck.registration.roster_rows import registration_words
from deckcheck.support.documents import Keys
from deckcheck.support.errors import Problem, user_error
from deckcheck.support.messages import Words, _, series


class FormColumns(NamedTuple):
    """The heads of an export by field; `deck` is the column of the list, or `zones` those of its zones."""

    fields: Mapping[str, tuple[str, ...]]
    deck: str | None
    zones: Mapping[str, str]
    unused: tuple[str, ...]


def guess_columns(path: Path, game: Game) -> FormColumns:
    """The columns of the export at `path`. Raises UserError if it can't be read, or names or lists aren't found."""

    def problem(_keys: Keys, message: Words, hint: Words | None) -> Problem:
        return Problem(message, str(path), hint=hint)

    words = registration_words()
    wanted = frozenset(
        plain_head(head)
        for ways in words["columns"].values()
        for way in ways
        for head in ([way] if isinstance(way, str) else way)
    )
    rows = read_rows(path, str(path), None, wanted, problem)
    if not rows:
        raise user_error(_("it is empty: it must begin with a header row"), path=str(path))
    heads = [head for head in rows[0].cells if head.strip()]
    values = {
        head: {_folded(row.cells[index]) for row in rows[1:] if index < len(row.cells)}
        for index, head in enumerate(rows[0].cells)
    }
    columns = _Guess(heads, values).columns(game)
    lacking = [
        name
        for name, there in (("name", "name" in columns.fields), ("deck", columns.deck or columns.zones))
        if not there
    ]
    if lacking:
        named = series([f"“{head}”" for head in heads])
        message = _("no column looks like {lacking}", lacking=series(lacking))
        raise user_error(message, path=str(path), hint=_("the columns are {columns}", columns=named))
    return columns


class _Guess:
    """The heads that aren't taken yet, the best first: those of questions before those that Microsoft Forms adds."""

    def __init__(self, heads: Sequence[str], values: Mapping[str, set[str]]) -> None:
        words = registration_words()
        added = set(words["added_columns"])
        plain = [_folded(head) for head in heads]
        # Microsoft Forms begins with the number of the answer and the times of its beginning and its end.
        of_microsoft = plain[:1] == ["id"] and len(added.intersection(plain[:3])) == 3
        nobody = {"", *words["nobody"]}
        unfit = [
            head
            for index, head in enumerate(heads)
            if of_microsoft
            and plain[index] in added
            and (index == 0 or (values[head] and values[head] <= nobody))
        ]
        questions = [
            head for index, head in enumerate(heads) if not of_microsoft or plain[index] not in added
        ]
        rest = [head for head in heads if head not in questions]
        # A head that stands there twice can't be named.
        self.free = [head for head in (*questions, *rest) if head not in unfit and heads.count(head) == 1]
        self.heads = heads

    def columns(self, game: Game) -> FormColumns:
        words: Mapping[str, Sequence[str | list[str]]] = registration_words()["columns"]
        fields: dict[str, tuple[str, ...]] = {}
        zones = self._zones(game)
        for whole in (True, False):
            for field, ways in words.items():
                if field not in fields and not (field == "deck" and zones):
                    heads = next(filter(None, (self._take(way, whole) for way in ways)), None)
                    if heads is not None:
                        fields[field] = heads
        deck = fields.pop("deck", None)
        if "name" not in fields and "handle" in fields:
            fields["name"] = fields.pop("handle")
        order = {head: index for index, head in enumerate(self.heads)}
        fields = dict(sorted(fields.items(), key=lambda pair: order[pair[1][0]]))
        unused = tuple(sorted(self.free, key=lambda head: order[head]))
        return FormColumns(fields, None if deck is None else deck[0], zones, unused)

    def _zones(self, game: Game) -> dict[str, str]:
        """The columns of the game's zones, if there are several."""
        by_zone: dict[str, str] = {}
        for zone in game.zones.values():
            names = {_folded(name) for name in (zone.name.in_("ja"), zone.name.in_("en"), *zone.headings)}
            fitting = [head for head in self.free if _folded(head) in names]
            fitting = fitting or [
                head for head in self.free if any(len(name) > 3 and name in _folded(head) for name in names)
            ]
            if fitting:
                by_zone[zone.id] = fitting[0]
        if len(set(by_zone.values())) < 2:
            return {}
        # A column belongs to the zone that fits it first.
        zones = {head: zone for zone, head in reversed(by_zone.items())}
        self.free = [head for head in self.free if head not in zones]
        return {zone: head for head, zone in reversed(zones.items())}

    def _take(self, way: str | list[str], whole: bool) -> tuple[str, ...] | None:
        """The free heads that are these words (or contain them); None if there aren't any."""
        taken: list[str] = []
        for word in [way] if isinstance(way, str) else way:
            plain = _folded(word)
            fitting = [head for head in self.free if head not in taken and _fits(_folded(head), plain, whole)]
            # Parts of a name are short words, which other heads contain by chance.
            if not fitting or (not whole and not isinstance(way, str) and len(plain) < 3):
                return None
            taken.append(fitting[0])
        self.free = [head for head in self.free if head not in taken]
        return tuple(taken)


def _fits(head: str, word: str, whole: bool) -> bool:
    return head == word if whole else len(word) > 1 and word in head


def _folded(text: str) -> str:
    return plain_head(text).casefold()
