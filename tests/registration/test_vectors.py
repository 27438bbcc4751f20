"""Hashes don't move: literal values of every kind, which no change of ours or of a library may ever alter.

Whoever has to change a line below breaks every log and fingerprint that
people keep. docs/en/hashes.md says how each is made; `by_hand` makes them anew
without anything of ours.
"""

from __future__ import annotations

import json
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from factories.garden_game import IRIS, OAK, ROSE, deck_of
from factories.random_lists import chained, deck_check, receipt, withdrawal
from msgspec import structs

from deckcheck.model.finding import CanonicalList, fingerprint
from deckcheck.registration.deck_checks import draw
from deckcheck.registration.event import Stamp, provenance
from deckcheck.registration.log import BEGINNING, Entry, Log, entry_of
from deckcheck.registration.submissions import Player
from deckcheck.report.github_gitlab_junit_sarif import hash_of, numbered
from deckcheck.report.json import json_line
from deckcheck.support.errors import UserError
from deckcheck.support.json import canonical, digest

SECOND = "1f214ba38bb340c79947eae45a714ab04985572115b74ed783ae3a683b87636e"
"""The hash of the second entry, which earlier versions could write: a sealed list."""

LIST = CanonicalList(
    {"main": {"Rose": 2, '《ドラゴン》\u2028𠮷“"\\': 4}, "side": {"Iris": 1}},
    {"main": {"誰も知らない\u202e花": 3}},
)
RULES = {
    "format.yaml": "format: club/x\nextends: base.yaml\nbanlists: [list.yaml]\nname: X\n",
    "base.yaml": "format: club/base\ngame: duel-masters\nname: B\nzones: {main: {}}\nrules: [{id: size, in: main, exactly: 40}]\n",
    "list.yaml": "banlist: club/list\nname: L\ncards: [{card: 学校男, history: [{from: 2026-01-01, status: hall}]}]\n",
}


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
    return [ordered(inner) for inner in value] if isinstance(value, list) else value


def by_hand(tag: str, value: object) -> str:
    """As the page tells it."""
    text = json.dumps(ordered([tag, value]), ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def log() -> list[Entry]:
    """The first, third and fourth entries of a log."""
    first = receipt(listed=LIST, reason="“新”\x1b[31m\u202e\U0001f0a1", by="審判", despite=("late",))
    check = deck_check(1, "different", between_games=True)
    third = entry_of(3, SECOND, receipt())
    return [entry_of(1, BEGINNING, first), third, entry_of(4, third.hash, check)]


def test_the_fingerprint_of_a_deck() -> None:
    deck = deck_of((ROSE, 1), (IRIS, 2, "side"), (OAK, 3), (ROSE, 2))
    cards = {"main": {"Great Oak": 3, "Rose": 3}, "side": {"Iris": 2}}
    value = {"game": "garden", "cards": cards, "unknown": {}}
    wanted = "c9b439070f35845363ead9917b89efef3a7602e9ff4a9988ca311c524fc9cea8"
    assert fingerprint(deck, "garden") == by_hand("deckcheck/deck/1", value) == wanted
    # And that of a registered list.
    value = {"game": "garden", **structs.asdict(LIST)}
    wanted = "fea536a2fb41f48de12b0f864c39fae5bdb008f5543291b714cf3a3564e2052b"
    assert LIST.fingerprint("garden") == by_hand("deckcheck/deck/1", value) == wanted


def test_the_hashes_of_a_format_and_its_banlist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "game.yaml"
    game.write_text("game: garden\n", encoding="utf-8")
    monkeypatch.setattr("deckcheck.registration.event.game_file", lambda _id, _folders: game)
    for name, text in RULES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = provenance(str(tmp_path / "format.yaml"))
    content = {name: sha256(text.encode()).hexdigest() for name, text in RULES.items()}
    files = [content["format.yaml"], content["base.yaml"], sha256(b"game: garden\n").hexdigest()]
    wanted = "fe9c0c87cc7f3352a0e9c67c70efc56227297ebe17d72e097fea3cf502395b6b"
    assert found.format == Stamp("club/x", by_hand("deckcheck/format/1", files)) == Stamp("club/x", wanted)
    wanted = "daa1aac69f46dee3cbf40e9002c128524c45d0ba066867dd3595bf3a7d1ad98a"
    [banlist] = found.banlists
    assert banlist.id == "club/list"
    assert banlist.sha256 == by_hand("deckcheck/banlist/1", content["list.yaml"]) == wanted


def test_the_chain_of_a_log() -> None:
    entries = log()
    for entry in entries:
        said = json.loads(json_line(entry.content))
        assert said == entry.content
        assert said.pop("hash") == entry.hash == by_hand("deckcheck/entry/1", said)
    assert [entry.previous for entry in entries] == ["0" * 64, SECOND, entries[1].hash]
    assert [entry.hash for entry in entries] == [
        "912aa9e34f42725580c26e7c6840d4c2fad8ac21857199576b38bdc99bed0ca2",
        "fc520159815b3831d02a93a05eb548385383bc714a74680155600025e726386f",
        "d4ea8c8c360937ffe12c6eb46f549f3b213d6680064bf7a36ed13d7a65fcce0c",
    ]


def test_the_hash_of_a_withdrawal() -> None:
    entry = entry_of(5, SECOND, withdrawal(Player("山田", id="1"), 3))
    said = {
        "deckcheck_log": 1,
        "kind": "withdrawal",
        "number": 5,
        "previous": SECOND,
        "event": "cup",
        "at": "2026-11-28T01:00:00Z",
        "tool": "0.1.0",
        "player": {"name": "山田", "id": "1"},
        "receipt": 3,
        "submissions": ["mz2ucq"],
        "by": "J",
        "reason": "R",
    }
    wanted = "7cc44fbf5b1e5778f56b6dca547db0e0a4ab17f53b0372f2dbc19ab47c8bc769"
    assert entry.hash == by_hand("deckcheck/entry/1", said) == wanted


def test_the_order_of_a_draw() -> None:
    entries = chained(*(receipt(place=f"form.csv:{at}") for at in range(8)))
    lots = {
        entry.number: by_hand("deckcheck/lot/1", {"seed": "4-1-6 サイコロ", "receipt": entry.hash})
        for entry in entries
    }
    drawn = [entry.number for entry in draw(Log(entries), Decimal(1), "4-1-6 サイコロ").drawn]
    assert drawn == sorted(lots, key=lambda number: lots[number]) == [6, 4, 5, 2, 3, 7, 8, 1]
    assert lots[1] == "d67abb3d028ec40f954b369adf84cdd814472e48bdb0196bda885b7387036be5"


def test_what_tells_findings_apart() -> None:
    known = hash_of("club/x", "size", "main", ["学校男"], "# cards")
    wanted = "e8b7066e35022a0aa63e1abaad90ccf4c679509a14e60d2b1451aa234ca06d63"
    parts = ["club/x", "size", "main", ["学校男"], "# cards"]
    assert known == by_hand("deckcheck/finding/1", parts) == wanted
    assert numbered([known, known]) == [known, by_hand("deckcheck/finding/1", [known, 2])]


def test_canonical_json_as_the_rfc_has_it() -> None:
    """The example of RFC 8785, section 3.2.3, and what JSON escapes."""
    keys = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    wanted = '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\U0001f600":5,"\ufb33":3}'
    assert canonical(keys) == wanted.encode()
    said = ['\u0000\b\t\n\f\r\u001f"\\/\x7f\u2028\u202e', True, None, -1, 2**53 - 1, {}]
    assert canonical(said) == (
        '["\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\x7f\u2028\u202e",true,null,-1,9007199254740991,{}]'.encode()
    )


@pytest.mark.parametrize(
    "odd", [1.5, 1.0, float("nan"), 2**53, -(2**53), "\ud800", {"\udc00": 1}, b"x", {1: 2}, {1, 2}]
)
def test_what_programs_write_differently_is_not_hashed(odd: object) -> None:
    with pytest.raises(ValueError):
        digest("entry", {"value": [odd]})


@pytest.mark.parametrize("odd", [{"reason": "\udcff"}, {"place": "\ud800"}, {"event": "\udc80"}])
def test_what_is_no_text_gets_into_no_log(odd: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="a log can't store"):
        entry_of(1, BEGINNING, receipt(**odd))


def test_a_seed_is_text() -> None:
    with pytest.raises(UserError, match="the seed is not text"):
        draw(Log(tuple(log())), Decimal(1), "4-1-6\udcff")
