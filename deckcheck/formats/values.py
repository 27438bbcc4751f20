"""What the formats of a game can name: its attributes with their values, its zones and its statuses, in both languages."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from deckcheck.formats.context import attributes_named, value_names, values_of
from deckcheck.model.card import Catalog
from deckcheck.model.game import Attribute, Game
from deckcheck.support.errors import did_you_mean, user_error
from deckcheck.support.messages import Localized, Message, _, n_, series
from deckcheck.support.safe_text import safe

MOST_SHOWN = 60
"""The most values that are listed if no attribute was asked for."""

_KINDS: Mapping[str, Message] = {
    "values": _("words"),
    "number": _("a number"),
    "rank": _("from low to high, compared with at_least and at_most"),
    "home": _("the zone where the card belongs"),
}


def attribute_named(name: str | None, game: Game) -> Attribute | None:
    """The attribute with that id or name in either language; None for no name. Raises UserError."""
    if name is None:
        return None
    meant = attributes_named(game, name)
    if len(meant) == 1:
        return game.attributes[min(meant)]
    hint = did_you_mean(name, game.attributes) or _("attributes: {names}", names=series(game.attributes))
    raise user_error(_("there is no attribute {name!r}", name=name), hint=hint)


class NamedId(NamedTuple):
    """An id with its names; `name` is None for a word of the card table."""

    id: str
    name: Localized | None

    @property
    def text(self) -> str:
        """The id with its names in both languages as far as they differ from it."""
        names = dict.fromkeys(() if self.name is None else (self.name.ja, self.name.en))
        others = " / ".join(name for name in names if name != self.id)
        return f"{self.id} ({others})" if others else self.id


def attribute_values(attribute: Attribute, game: Game, catalog: Catalog) -> list[NamedId]:
    """The values of an attribute with their names; none for a number."""
    if attribute.kind == "number":
        return []
    names = value_names(attribute, game)
    return [NamedId(id, names.get(id)) for id in values_of(attribute, game, catalog)]


def describe_values(game: Game, catalog: Catalog, lang: str, only: Attribute | None = None) -> str:
    """What conditions, `in` and `status` can name, or all values of one attribute. Either language may be written."""
    attributes = game.attributes.values() if only is None else [only]
    lines: list[str] = []
    for attribute in attributes:
        lines += _attribute_lines(attribute, game, catalog, lang, is_only=only is not None)
    if only is None:
        lines += ["", _("zones").in_(lang)]
        lines += [f"  {NamedId(zone.id, zone.name).text}" for zone in game.zones.values()]
        lines += ["", _("statuses").in_(lang)]
        lines += [f"  {NamedId(id, name).text}" for id, name in game.statuses.items()]
    return "\n".join(map(safe, lines)) + "\n"


def _attribute_lines(
    attribute: Attribute, game: Game, catalog: Catalog, lang: str, *, is_only: bool
) -> Iterator[str]:
    name = NamedId(attribute.id, attribute.name).text
    kind = _KINDS[str(attribute.kind)].in_(lang)
    yield f"{name}: {kind}"
    values = attribute_values(attribute, game, catalog)
    listed = values if is_only else values[:MOST_SHOWN]
    if listed:
        yield "  " + series([value.text for value in listed]).in_(lang)
    if len(values) > len(listed):
        yield "  " + n_(
            "{n} more: `deckcheck formats values {game} {attribute}`",
            "{n:,} more: `deckcheck formats values {game} {attribute}`",
            len(values) - len(listed),
            game=game.id,
            attribute=attribute.id,
        ).in_(lang)
