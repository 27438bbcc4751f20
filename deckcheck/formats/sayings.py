"""What a format's own file says over what it extends, and what it must not leave open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from deckcheck.formats.merged import Merged, Said, Sayings, standing
from deckcheck.formats.overriding import left_open, same_bounds
from deckcheck.formats.placed import Placed
from deckcheck.model.engineids import ENGINE_IDS
from deckcheck.support.errors import Problem
from deckcheck.support.schema import did_you_mean
from deckcheck.support.text import Text
from deckcheck.support.yamlfile import Document, Keys

_WHOLE = ("zones", "banlists", "exchange")


def double_ids(document: Document) -> Iterator[Problem]:
    """Names that stand twice where they may stand once, and ids that are the engine's."""
    data = document.data
    for key in ("banlists", "drop", "override"):
        seen: set[str] = set()
        for at, name in enumerate(data.get(key, [])):
            if name in seen:
                yield document.problem((key, at), f"「{name}」が二度あります", f"{name!r} stands here twice")
            seen.add(name)
    own: set[str] = set()
    for section in ("beside", "rules"):
        for at, item in enumerate(data.get(section, [])):
            name, keys = item["id"], (section, at, "id")
            if name in ENGINE_IDS:
                ja = f"「{name}」はdeckcheck自身が使うidです"
                yield document.problem(keys, ja, f"{name!r} is an id of the engine")
            if name in own:
                ja, en = f"規則「{name}」が二度あります", f"rule {name!r} stands here twice"
                yield document.problem(keys, ja, en)
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
            ja = f"「{name}」という規則は継承していません"
            en = f"no rule {name!r} is extended, so none can be dropped"
            yield document.problem(("drop", at), ja, en, did_you_mean(name, known))
        elif name in own:
            ja = f"「{name}」を外しながら、新しく書いています"
            hint = Text(
                f"置きかえるつもりなら、drop ではなく override: [{name}]",
                f"to replace it, write override: [{name}] in place of the drop",
            )
            yield document.problem(("drop", at), ja, f"{name!r} is dropped and given again", hint)
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


Lost = Callable[[Placed, Placed, Merged], Text | None]


def _definition_lost(old: Placed, new: Placed, _: Merged) -> Text | None:
    return None if old.data == new.data else Text("条件が違う", "another condition")


def _rule_lost(old: Placed, new: Placed, merged: Merged) -> Text | None:
    return left_open(old.data, new.data, merged.zones)


def _given_again(
    piece: Placed, name: str, inherited: Mapping[str, tuple[Said, ...]], merged: Merged, lost: Lost
) -> Iterator[Problem]:
    """What is wrong with a piece that takes the place of inherited ones."""
    before = [one.piece for one in inherited.get(name, ()) if not one.dropped]
    if len(before) == len(inherited.get(name, ())) == 1 and before[0].data == piece.data:
        ja = f"{before[0].place} と同じことを書いているので、効果がありません"
        en = f"{before[0].place} says just this already, so it has no effect here"
        yield piece.document.problem(piece.keys, ja, en)
        return
    if any(name in merged.document.data.get(key, []) for key in ("override", "drop")):
        return
    for old in before:
        said = lost(old, piece, merged)
        if said is not None:
            ja = f"「{name}」は {old.place} を置きかえますが、そこで決めていたことが抜けます（{said.ja}）"
            en = f"{name!r} takes the place of {old.place} and loses what that says ({said.en})"
            hint = Text(
                f"そのつもりなら override: [{name}]、加えるだけなら別の名前にします",
                f"if that is meant, say override: [{name}]; to add to it, choose another name",
            )
            yield piece.document.problem(piece.keys, ja, en, hint)
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
            ja = f"「{name}」には上書きするものがありません"
            yield document.problem(("override", at), ja, f"there is nothing to override in {name!r}", hint)


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
    games = {parent.game for _, parent in parents}
    if len(games) > 1 and "game" not in document.data:
        ja, en = "ゲームの違うフォーマットを継承しています", "formats of several games are extended"
        hint = Text("どのゲームかを game に書きます", "say which game it is with `game`")
        yield document.problem(parents[-1][0], ja, en, hint)
        # What else they say differently follows from that.
        return
    for name, piece in merged.beside.items():
        if name in merged.rules:
            place = merged.rules[name].place
            ja, en = f"規則「{name}」が {place} にもあります", f"rule {name!r} stands in {place}, too"
            yield piece.document.problem(piece.keys, ja, en)
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
            f"「{name}」について、{listed} が違うことを決めています",
            f"{listed} say different things of {name!r}",
            _ways_out(section, name),
        )


def _ways_out(section: str, name: str) -> Text:
    if section == "exchange":
        return Text("ここで exchange を書きます", "give exchange here")
    if section == "definitions":
        return Text(
            f"override: [{name}] と書くと最後のものになります",
            f"with override: [{name}] the last of them stands",
        )
    return Text(
        f"ここで書くか外すか、override: [{name}] で最後のものにします",
        f"give it here, drop it, or say override: [{name}], and the last of them stands",
    )
