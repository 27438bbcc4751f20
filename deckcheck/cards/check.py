"""Whether a record says only what the game's vocabulary allows."""

import datetime
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from deckcheck.cards.names import make_fold
from deckcheck.cards.record import INFINITY
from deckcheck.model.game import Attribute, Game
from deckcheck.support.errors import suggest
from deckcheck.support.messages import Words, _

Route = tuple[str | int, ...]
"""The keys and indexes that lead from a record to a value in it."""

MOST_CHARACTERS = 300
"""No name comes near this."""

MOST_ITEMS = 1000
MOST_NUMBER = 10**9

# Control characters, line separators, halves of surrogate pairs, and the marks that turn
# the reading direction: in a name they only serve to deceive whoever reads a report.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Flaw(NamedTuple):
    """What is wrong at one place of a record, and what was perhaps meant."""

    route: Route
    message: Words
    hint: Words | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a record may say in one game."""

    fold: Callable[[str], str]
    facts: dict[str, Attribute]
    listed: frozenset[str]
    ranks: dict[str, frozenset[str]]
    zones: frozenset[str]
    card: frozenset[str]
    part: frozenset[str]
    printing: frozenset[str]


def vocabulary(game: Game) -> Vocabulary:
    """The words of `game` as `flaws` needs them."""
    facts = {item.id: item for item in game.attributes.values() if item.kind in ("values", "number")}
    ranks = {
        item.id: frozenset(code for step in item.order for code in step)
        for item in game.attributes.values()
        if item.kind == "rank"
    }
    card = {"name", "aliases", "home", "released", "partial", "printings", "parts", "faces", "made_of"}
    return Vocabulary(
        fold=make_fold(game.folding),
        facts=facts,
        listed=frozenset(item.id for item in facts.values() if item.kind == "values"),
        ranks=ranks,
        zones=frozenset(game.zones),
        card=frozenset(card | {"verified"} | set(facts)),
        part=frozenset({"name"} | set(facts)),
        printing=frozenset({"set", "released"} | set(ranks)),
    )


def flaws(record: object, words: Vocabulary) -> Iterator[Flaw]:
    """Everything that is wrong with `record`, in the order of its keys."""
    if not isinstance(record, dict):
        yield Flaw((), _("a card must be a mapping of keys to values"))
        return
    yield from _unknown((), record, words.card)
    yield from _named((), record, words.fold)
    for key, value in record.items():
        route = (key,)
        if key in words.facts:
            yield from _fact(route, value, words.facts[key])
        elif key in ("aliases", "made_of"):
            yield from _names(route, value, words.fold)
        elif key == "home":
            yield from _one_of(route, value, words.zones)
        elif key == "released":
            yield from _date(route, value)
        elif key == "partial":
            yield from _each(route, value, lambda at, item: _one_of(at, item, words.listed))
        elif key == "printings":
            yield from _each(route, value, lambda at, item: _printing(at, item, words))
        elif key in ("parts", "faces"):
            yield from _each(route, value, lambda at, item: _part(at, item, words))
        elif key == "verified" and not isinstance(value, bool):
            yield Flaw(route, _("must be true or false"))


def text_flaw(value: object) -> Words | None:
    """Why `value` can't stand as a name or a code; None where it can."""
    if not isinstance(value, str):
        return _("must be text (in YAML, put it in quotes)")
    if not value.strip():
        return _("is empty")
    if len(value) > MOST_CHARACTERS:
        return _("too long (at most {most_characters} characters)", most_characters=MOST_CHARACTERS)
    if _UNFIT.search(value):
        return _("contains a control character that can't stand there")
    return None


def is_date(value: object) -> bool:
    """Whether `value` is a day of the calendar in the form YYYY-MM-DD."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def shown(value: object) -> str:
    """`value` for a message: short, and without characters that harm a terminal."""
    # A list from a stranger may be nested deeper than str() can follow.
    text = "[…]" if isinstance(value, list) else "{…}" if isinstance(value, dict) else str(value)
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text[:60]) + ("…" if len(text) > 60 else "")


def did_you_mean(word: object, known: Collection[str]) -> Words | None:
    """The known word most like `word`, as a hint; None where none is like it."""
    near = suggest(word[:60], sorted(known), most=1) if isinstance(word, str) else []
    return _("did you mean {near}?", near=near[0]) if near else None


def _unknown(route: Route, record: dict[Any, Any], known: frozenset[str]) -> Iterator[Flaw]:
    for key in record:
        if key not in known:
            message = _("unknown key: {key}", key=shown(key))
            yield Flaw((*route, key), _labelled(route, message), did_you_mean(key, known))


def _named(route: Route, record: dict[Any, Any], fold: Callable[[str], str]) -> Iterator[Flaw]:
    if "name" not in record:
        yield Flaw(route, _labelled(route, _("has no name")))
    else:
        yield from _name((*route, "name"), record["name"], fold)


def _name(route: Route, value: object, fold: Callable[[str], str]) -> Iterator[Flaw]:
    flaw: Words | None = text_flaw(value)
    if flaw is None and not fold(str(value)):
        flaw = _("nothing of this name is left to compare: {value}", value=str(value))
    if flaw is not None:
        yield Flaw(route, _labelled(route, flaw))


def _names(route: Route, value: object, fold: Callable[[str], str]) -> Iterator[Flaw]:
    yield from _each(route, value, lambda at, item: _name(at, item, fold))


def _each(route: Route, value: object, check: Callable[[Route, Any], Iterator[Flaw]]) -> Iterator[Flaw]:
    if not isinstance(value, list):
        yield Flaw(route, _labelled(route, _("must be a list")))
    elif len(value) > MOST_ITEMS:
        yield Flaw(
            route,
            _labelled(route, _("too many (at most {most_items})", most_items=MOST_ITEMS)),
        )
    else:
        for place, item in enumerate(value):
            yield from check((*route, place), item)


def _fact(route: Route, value: object, attribute: Attribute) -> Iterator[Flaw]:
    if attribute.kind == "number":
        fits = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_NUMBER
        if not fits and value != INFINITY:
            said = _("must be a number or {infinity}: {value}", infinity=INFINITY, value=shown(value))
            yield Flaw(route, _labelled(route, said))
        return
    if attribute.values:
        yield from _each(route, value, lambda at, item: _one_of(at, item, attribute.values))
    else:
        yield from _each(route, value, _word)


def _word(route: Route, value: object) -> Iterator[Flaw]:
    flaw = text_flaw(value)
    if flaw is not None:
        yield Flaw(route, _labelled(route, flaw))


def _one_of(route: Route, value: object, known: Collection[str]) -> Iterator[Flaw]:
    if not isinstance(value, str) or value not in known:
        said = _("unknown value: {value}", value=shown(value))
        yield Flaw(route, _labelled(route, said), did_you_mean(value, known))


def _date(route: Route, value: object) -> Iterator[Flaw]:
    if not is_date(value):
        said = _("not a date (YYYY-MM-DD): {value}", value=shown(value))
        yield Flaw(route, _labelled(route, said))


def _printing(route: Route, value: object, words: Vocabulary) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield Flaw(route, _labelled(route, _("must be a mapping with a set")))
        return
    yield from _unknown(route, value, words.printing)
    if "set" not in value:
        yield Flaw(route, _labelled(route, _("has no set")))
    else:
        yield from _word((*route, "set"), value["set"])
    if "released" in value:
        yield from _date((*route, "released"), value["released"])
    for key in value:
        if key in words.ranks:
            yield from _rank((*route, key), value[key], words.ranks[key])


def _rank(route: Route, value: object, known: frozenset[str]) -> Iterator[Flaw]:
    if value is None:
        return
    code = value.removeprefix("<=").removeprefix("?") if isinstance(value, str) else value
    prefixed = isinstance(value, str) and value.startswith("<=?")
    if prefixed or not isinstance(code, str) or code not in known:
        said = _("unknown value: {value}", value=shown(value))
        yield Flaw(route, _labelled(route, said), did_you_mean(code, known))


def _part(route: Route, value: object, words: Vocabulary) -> Iterator[Flaw]:
    if not isinstance(value, dict):
        yield Flaw(route, _labelled(route, _("must be a mapping with a name")))
        return
    yield from _unknown(route, value, words.part)
    yield from _named(route, value, words.fold)
    for key in value:
        if key in words.facts:
            yield from _fact((*route, key), value[key], words.facts[key])


def _labelled(route: Route, message: Words) -> Words:
    label = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in route).lstrip(".")
    return _("{label}: {message}", label=label, message=message) if label else message
