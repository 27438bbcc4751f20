"""What a format's own file says over what it extends, and what it must not leave open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from deckcheck.formats.merged import Merged, Said, Sayings, standing
from deckcheck.formats.overriding import left_open, same_bounds
from deckcheck.formats.placed import Placed
from deckcheck.model.finding import ENGINE_IDS
from deckcheck.support.errors import Problem, did_you_mean
from deckcheck.support.messages import Words, _
from deckcheck.support.yamlfile import Document, Keys

_WHOLE = ("zones", "banlists", "exchange")


def double_ids(document: Document) -> Iterator[Problem]:
    """Names that stand twice where they may stand once, and ids that are the engine's."""
    data = document.data
    for key in ("banlists", "drop", "override"):
        seen: set[str] = set()
        for at, name in enumerate(data.get(key, [])):
            if name in seen:
                yield document.problem((key, at), _("{name!r} stands here twice", name=name))
            seen.add(name)
    own: set[str] = set()
    for section in ("beside", "rules"):
        for at, item in enumerate(data.get(section, [])):
            name, keys = item["id"], (section, at, "id")
            if name in ENGINE_IDS:
                yield document.problem(keys, _("{name!r} is an id of the engine", name=name))
            if name in own:
                message = _("rule {name!r} stands here twice", name=name)
                yield document.problem(keys, message)
            own.add(name)


def add_own(merged: Merged) -> Iterator[Problem]:
    """Put what the file itself says over what it extends."""
    document, data = merged.document, merged.document.data
    for key in _WHOLE:
        if key in data:
            _say(merged, "whole", key, Placed(data[key], document, (key,)))
    inherited = {section: dict(merged.said[section]) for section in ("rules", "definitions")}
    own = {item["id"]: at for at, item in enumerate(data.get("rules", []))}
    for at, name in enumerate(data.get("drop", [])):
        known = standing(inherited["rules"])
        equals = inherited["rules"].get(name, ())
        if all(one.dropped for one in equals):
            yield document.problem(
                ("drop", at),
                _("no rule {name!r} is extended, so none can be dropped", name=name),
                did_you_mean(name, known),
            )
        elif name in own:
            hint = _("to replace it, write override: [{name}] in place of the drop", name=name)
            yield document.problem(("drop", at), _("{name!r} is dropped and given again", name=name), hint)
        # Where its rules go, so does their place.
        merged.said["rules"].pop(name, None)
        _say(merged, "rules", name, Placed(name, document, ("drop", at)), dropped=True)
    for at, item in enumerate(data.get("beside", [])):
        _say(merged, "beside", item["id"], Placed(item, document, ("beside", at)))
    yield from _overrides(merged, inherited)
    for name, value in data.get("definitions", {}).items():
        piece = Placed(value, document, ("definitions", name))
        yield from _given_again(piece, name, inherited["definitions"], merged, _definition_lost)
        _say(merged, "definitions", name, piece)
    for at, item in enumerate(data.get("rules", [])):
        piece = Placed(item, document, ("rules", at))
        yield from _given_again(piece, item["id"], inherited["rules"], merged, _rule_lost)
        _say(merged, "rules", item["id"], piece)


def _say(merged: Merged, section: str, name: str, piece: Placed, *, dropped: bool = False) -> None:
    before = tuple(one.piece for one in merged.said[section].get(name, ()) if not one.dropped)
    merged.said[section][name] = (Said(merged.file, merged.over, piece, dropped, before),)


Lost = Callable[[Placed, Placed, Merged], Words | None]


def _definition_lost(old: Placed, new: Placed, _unused: Merged) -> Words | None:
    return None if old.data == new.data else _("another condition")


def _rule_lost(old: Placed, new: Placed, merged: Merged) -> Words | None:
    return left_open(old.data, new.data, merged.zones)


def _given_again(
    piece: Placed, name: str, inherited: Mapping[str, tuple[Said, ...]], merged: Merged, lost: Lost
) -> Iterator[Problem]:
    """What is wrong with a piece that takes the place of inherited ones."""
    before = [one.piece for one in inherited.get(name, ()) if not one.dropped]
    if len(before) == len(inherited.get(name, ())) == 1 and before[0].data == piece.data:
        yield piece.document.problem(
            piece.keys, _("{place} says just this already, so it has no effect here", place=before[0].place)
        )
        return
    if any(name in merged.document.data.get(key, []) for key in ("override", "drop")):
        return
    for old in before:
        said = lost(old, piece, merged)
        if said is not None:
            message = _(
                "{name!r} takes the place of {place} and loses what that says ({said})",
                name=name,
                place=old.place,
                said=said,
            )
            hint = _("if that is meant, say override: [{name}]; to add to it, choose another name", name=name)
            yield piece.document.problem(piece.keys, message, hint)
            return


def _overrides(merged: Merged, inherited: Mapping[str, Sayings]) -> Iterator[Problem]:
    """Let the last of equals stand where `override` says so; a word without effect is a problem."""
    document, data = merged.document, merged.document.data
    own = {
        "rules": {item["id"] for item in data.get("rules", [])},
        "definitions": data.get("definitions", {}),
    }
    for at, name in enumerate(data.get("override", [])):
        needed = False
        for section in ("rules", "definitions"):
            equals = inherited[section].get(name, ())
            if name in own[section]:
                needed |= any(not one.dropped for one in equals)
            elif name not in data.get("drop", []) and _differ(section, equals):
                needed = True
                _choose(merged, section, name, equals)
        if not needed:
            known = [key for section in inherited.values() for key in standing(section)]
            hint = did_you_mean(name, known) if name not in known else None
            yield document.problem(
                ("override", at), _("there is nothing to override in {name!r}", name=name), hint
            )


def _choose(merged: Merged, section: str, name: str, equals: tuple[Said, ...]) -> None:
    last = equals[-1]
    before = tuple(one.piece for one in equals[:-1] if not one.dropped)
    merged.said[section][name] = (Said(merged.file, merged.over, last.piece, last.dropped, before),)


def _differ(section: str, equals: Sequence[Said]) -> bool:
    """Whether equals say different things where that matters."""
    return any(
        one.dropped != equals[0].dropped
        or (not one.dropped and _differs(section, equals[0].piece.data, one.piece.data))
        for one in equals[1:]
    )


def _differs(section: str, one: Any, other: Any) -> bool:
    if section == "rules":
        return not same_bounds(one, other)
    if section == "exchange":
        return set(one) != set(other)
    return bool(one != other)


def conflicts(merged: Merged, parents: list[tuple[Keys, Merged]]) -> Iterator[Problem]:
    """What several extended formats say differently, none of them more specific, and this one leaves open."""
    document = merged.document
    games = {parent.game for _unused, parent in parents}
    if len(games) > 1 and "game" not in document.data:
        message = _("formats of several games are extended")
        hint = _("say which game it is with `game`")
        yield document.problem(parents[-1][0], message, hint)
        # What else they say differently follows from that.
        return
    for name, piece in merged.beside.items():
        if name in merged.rules:
            place = merged.rules[name].place
            message = _("rule {name!r} stands in {place}, too", name=name, place=place)
            yield piece.document.problem(piece.keys, message)
    disputed: list[tuple[str, str, tuple[Said, ...]]] = [
        (section, name, said)
        for section in ("rules", "definitions")
        for name, said in merged.said[section].items()
    ]
    disputed.append(("exchange", "exchange", merged.said["whole"].get("exchange", ())))
    for section, name, said in disputed:
        if not _differ(section, said):
            continue
        keys = next(keys for keys, one in reversed(parents) if said[-1].by in (one.file, *one.over))
        listed = " / ".join(one.place for one in said)
        yield document.problem(
            keys,
            _("{listed} say different things of {name!r}", listed=listed, name=name),
            _ways_out(section, name),
        )


def _ways_out(section: str, name: str) -> Words:
    if section == "exchange":
        return _("give exchange here")
    if section == "definitions":
        return _("with override: [{name}] the last of them stands", name=name)
    return _("give it here, drop it, or say override: [{name}], and the last of them stands", name=name)
