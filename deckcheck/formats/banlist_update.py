"""What a list says on a day, merged into the dated list that is there, so that its history is kept."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.formats.lookup import Folders, banlist_file, own_banlists, require_single, shown_path
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, is_file, write_atomically
from deckcheck.support.messages import _
from deckcheck.support.schema import require_shape
from deckcheck.support.yamlfile import load_yaml, parse_yaml

History = Sequence[Mapping[str, str]]

_HEADER = """\
# Written by deckcheck banlists import, which keeps what stands under the keys, but no comments. A card that the first
# list taken in had already is dated from the day of that list.
"""

_HEAD = ("banlist", "name", "source", "complete_from", "complete_through", "partial")
_BARE = ("banlist", "complete_from", "complete_through")


class NewList(NamedTuple):
    """A list as it is to be written: `data` in the form of banlist files, and what became of how many cards.

    `unknown` are words that name no card, or several; `untouched` cards of the
    earlier list of which the new one doesn't speak.
    """

    id: str
    file: Path
    data: dict[str, Any]
    since: str
    added: int
    changed: int
    freed: int
    unchanged: int
    unknown: tuple[str, ...]
    untouched: tuple[str, ...]


def history_with(history: History, since: str, status: str) -> list[dict[str, str]]:
    """The history (changes with `from` and `status`, oldest first) in which the status stands on that day.

    What was told of other days stays; a change that then has no effect goes.
    """
    days = {one["from"]: one["status"] for one in history} | {since: status}
    made: list[dict[str, str]] = []
    before = FREE_STATUS
    for day in sorted(days):
        if days[day] != before:
            made.append({"from": day, "status": days[day]})
        before = days[day]
    return made


def status_on(history: History, day: str) -> str:
    """The status in force on a day; FREE_STATUS where there is none."""
    past = [one["status"] for one in history if one["from"] <= day]
    return past[-1] if past else FREE_STATUS


def merged(
    id: str,
    title: str,
    statuses: Mapping[str, str],
    free: frozenset[str] | None,
    since: str,
    canonical: Callable[[str], str | None],
    folders: Folders,
    to: Path | None,
) -> NewList:
    """The list of that id with what `statuses` says from `since` on.

    Cards of the earlier list that aren't in `statuses` are free from that day;
    with `free`, those of them only that are in it. The list is partial if it
    names what `canonical` doesn't know; where nothing whole was there before,
    it is complete from `since`. `canonical` gives a card's one name by any. The
    earlier list is the one in `to` or in the project's folders, else the
    bundled one. Raises UserError where that can't be read, or where no folder
    is known to write to.
    """
    file, before = _earlier(id, folders, to)
    cards = {canonical(one["card"]) or one["card"]: dict(one) for one in before.get("cards", ())}
    new: dict[str, str] = {}
    unknown = []
    for word, status in statuses.items():
        name = canonical(word)
        if name is None:
            unknown.append(word)
        else:
            new[name] = status
    open_names = None if free is None else {canonical(word) for word in free if canonical(word) in cards}
    counts = {"added": 0, "changed": 0, "freed": 0, "unchanged": 0}
    untouched = []
    for name in [*cards, *sorted(new.keys() - cards.keys())]:
        history = cards[name]["history"] if name in cards else []
        was, status = status_on(history, since), new.get(name, FREE_STATUS)
        if name not in new and open_names is not None and name not in open_names:
            if was != FREE_STATUS:
                untouched.append(name)
            continue
        if was != FREE_STATUS or status != FREE_STATUS:
            kind = "unchanged" if was == status else "freed" if status == FREE_STATUS else "changed"
            counts["added" if was == FREE_STATUS else kind] += 1
        cards[name] = {**cards.get(name, {"card": name}), "history": history_with(history, since, status)}
    data: dict[str, Any] = {"banlist": id, "name": title, **before}
    data.setdefault("source", {"title": title})
    if not unknown:
        if not before or before.get("partial"):
            data["complete_from"] = since
        elif "complete_from" in before:
            data["complete_from"] = min(before["complete_from"], since)
        data["complete_through"] = max(before.get("complete_through", since), since)
        data.pop("partial", None)
    else:
        # Whoever comes to know those cards later must not take them for free.
        data["partial"] = True
    data["cards"] = [one for one in cards.values() if one["history"]]
    _settle(data, new)
    data = {key: data[key] for key in (*_HEAD, *data) if key in data}
    return NewList(id, file, data, since, **counts, unknown=tuple(unknown), untouched=tuple(untouched))


def _earlier(id: str, folders: Folders, to: Path | None) -> tuple[Path, dict[str, Any]]:
    places = (to,) if to is not None else folders.banlists
    if not places:
        raise user_error(
            _("no folder is known to write to"),
            hint=_("give one with --to FOLDER, or name it under banlists in deckcheck.toml"),
        )
    own = [one for one in own_banlists([place for place in places if place.is_dir()]) if one.id == id]
    if own:
        require_single(own[0], own)
    file = own[0].file if own else places[0] / f"{id}.yaml"
    source = file if own else banlist_file(id, file)
    if not is_file(source):
        if is_file(file):
            raise user_error(_("there is another file already"), path=str(file))
        return file, {}
    document = load_yaml(source, shown_path(source))
    require_shape(document, "banlist")
    return file, dict(document.data)


def _settle(data: dict[str, Any], new: Mapping[str, str]) -> None:
    """What was seen and not dated is done with once a list says it."""
    open_ones = data.get("unconfirmed")
    if open_ones is None:
        return
    left = [one for one in open_ones["changes"] if new.get(one["card"], FREE_STATUS) != one["to"]]
    if left:
        data["unconfirmed"] = {**open_ones, "changes": left}
    else:
        del data["unconfirmed"]


def written(lists: Sequence[NewList]) -> None:
    """Write each to its file, which is replaced as a whole. Raises UserError, before the first if one isn't right."""
    texts = [_text(one.data) for one in lists]
    for one, text in zip(lists, texts, strict=True):
        require_shape(parse_yaml(text, str(one.file)), "banlist")
    for one, text in zip(lists, texts, strict=True):
        try:
            write_atomically(one.file, text.encode(), private=False)
        except OSError as error:
            raise cannot_write(one.file, error) from error


def _text(data: Mapping[str, Any]) -> str:
    lines = [_HEADER]
    for key, value in data.items():
        if key == "cards":
            lines.append("cards:\n" if value else "cards: []\n")
            for card in value:
                lines.append(f"  - card: {_plain(card['card'])}\n    history:\n")
                lines += [
                    f"      - {{from: {one['from']}, status: {one['status']}}}\n" for one in card["history"]
                ]
        elif key == "combinations":
            lines.append("combinations:\n")
            lines += [f"  - {_plain(one)}\n" for one in value]
        else:
            lines.append(f"{key}: {value if key in _BARE else _plain(value)}\n")
    return "".join(lines)


def _plain(value: Any) -> str:
    # What is JSON is YAML, and the names of strangers need quotes.
    return json.dumps(value, ensure_ascii=False)
