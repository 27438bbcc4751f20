"""Formats put together from files, and files broken at random."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from factories.examples import amount
from factories.garden_game import OAK, ROSE, deck_from, deck_of, load, opened, unread

from deckcheck.checking.judge import GameData, LoadedFormat, Loader, check
from deckcheck.formats.description import describe_format
from deckcheck.formats.loading import load_format
from deckcheck.model.deck import Deck, Entry
from deckcheck.model.format import Source
from deckcheck.support.errors import UserError
from deckcheck.support.files import shipped

BASE = """\
format: garden/base
name: {ja: 土台, en: Base}
zones: {main: {}, side: {}}
rules:
  - {id: size, in: main, at_most: 60}
  - {id: no-trees, where: {kind: tree}, at_most: 0}
  - {id: copies, per: name, at_most: 4}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    return tmp_path


def written(folder: Path, text: str, name: str = "x.yaml") -> LoadedFormat:
    (folder / name).write_text(text)
    return load(folder / name)


HEAD = "format: garden/x\nname: X\nextends: base.yaml\n"


def test_every_rule_and_every_list_remembers_its_line(folder: Path) -> None:
    (folder / "list.yaml").write_text(
        "banlist: garden/l\nname: L\ncards:\n- card: Rose\n  history:\n"
        "    - {from: 2000-01-01, status: rare}\n    - {from: 2010-01-01, status: out}\n"
    )
    ready = written(
        folder,
        HEAD + "override: [size]\nbanlists: [list.yaml]\nrules:\n  - {id: size, at_most: 1}\n"
        "  - id: ban\n    clauses:\n      - {where: {status: [rare, out]}, at_most: 0}\n",
    )
    sources = {rule.id: (Path(rule.source.path).name, rule.source.line) for rule in ready.format.rules}
    assert sources == {
        "size": ("x.yaml", 7),
        "no-trees": ("base.yaml", 6),
        "copies": ("base.yaml", 7),
        "ban": ("x.yaml", 8),
    }
    for day, line in (("2009-12-31", 6), ("2010-01-01", 7)):
        report = check(deck_of((ROSE, 1)), ready, as_of=day)
        [finding] = report.findings
        assert finding.source == Source(str(folder / "list.yaml"), line)
        assert [(Path(one.path).name, one.line) for one in finding.related] == [("x.yaml", 10)]
    assert ready.format.source == Source(str(folder / "x.yaml"), 1)


def test_names_in_a_format_may_be_written_as_people_write_them(folder: Path) -> None:
    ready = written(folder, HEAD + "rules: [{id: r, where: {name: [great-oak, ＲＯＳＥ, prune]}, at_most: 0}]\ndrop: [no-trees]\n")  # fmt: skip
    [finding] = check(deck_of((OAK, 1), (ROSE, 1)), ready, as_of="2020-01-01").findings
    assert [card.name for card in finding.cards] == [OAK.name, ROSE.name]


def test_an_abstract_format_may_be_unfinished(folder: Path) -> None:
    text = "format: garden/a\nname: A\nabstract: true\nrules: [{id: ban, where: {status: out}, at_most: 0}]\n"
    ready = written(folder, text)
    assert ready.format.abstract
    with pytest.raises(UserError, match="can only be extended"):
        check(deck_of((ROSE, 1)), ready, as_of="2020-01-01")
    with pytest.raises(UserError, match=r"there are no zones|no banlist gives"):
        written(folder, text.replace("abstract: true\n", ""))


def test_the_edition_is_the_one_of_the_day(folder: Path) -> None:
    ready = written(
        folder,
        HEAD
        + "source:\n  title: T\n  editions: [{edition: 初版, date: 2010-01-01}, {edition: 第2版, date: 2012-01-01}]\n",
    ).format
    days = ("2009-12-31", "2010-01-01", "2012-01-01")
    assert list(map(ready.edition, days)) == [None, "初版", "第2版"]
    single = written(folder, HEAD + "source: {title: T, edition: 初版}\n").format
    assert single.edition("1999-01-01") is not None


ODD: list[Any] = [
    None, True, 0, 1, -1, 2.5, 10**30, "", "0", "$each", "main", "every", "hall", "SR", "クリーチャー", "2020-01-01",
    "2020-02-30", "{card} {found} {allowed} {zone} {each}", "{", "{x}", "\0", "a" * 400, [], {}, [[]], [None], {"": ""},
    {"of": "main"}, {"outside": "main"}, {"at_least": 1}, {"at_least": 3, "at_most": 2}, {"containing": "x"},
    {"not": {"cost": 3}}, {"any": [{"tag": "any-number"}, {"home": "main"}]}, {"ref": "creature"}, {"ja": "あ", "en": "a"},
    {"sum": "cost"}, {"civilization": {"of": "main"}}, {"civilization": "every"}, {"civilization": "$each"},
    {"base": 1, "plus": {"times": 2, "in": "main"}}, {"any_part": {"cost": {"at_least": 5}}},
    {"no_other_card": {"same": "civilization", "where": {"rarity": {"at_least": "SR"}}}},
    {"civilization": {"outside": "main"}}, {"status": ["hall", "premium"]}, {"in": "main", "where": {"cost": 1}},
]  # fmt: skip
KEYS = [
    "in", "count", "where", "per", "copies", "sides", "at_most", "at_least", "exactly", "one_of", "for_each",
    "for_some", "when", "plus", "base", "times", "step", "since", "until", "severity", "message", "cite", "clauses", "id", "extends", "drop", "banlists",
    "zones", "definitions", "rules", "beside", "game", "abstract", "source", "civilization", "type", "cost", "rarity",
    "home", "tag", "name", "status", "any_part", "no_other_card", "all", "any", "not", "ref", "history", "card", "from",
]  # fmt: skip


def break_values(text: str, chance: Random) -> str:
    """The same document with a few values or keys gone wrong: still YAML, so it gets further."""
    data = yaml.safe_load(text)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(data))
        if not places:
            break
        parent, key = chance.choice(places)
        match chance.randrange(6):
            case 0:
                del parent[key]
            case 1 | 2:
                parent[key] = copy.deepcopy(chance.choice(ODD))
            case 3:
                other, at = chance.choice(places)
                parent[key] = copy.deepcopy(other[at])
            case 4 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = parent.pop(key)
            case 5 if isinstance(parent, dict):
                parent[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            case _ if isinstance(parent, list):
                parent.insert(chance.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
    return str(yaml.safe_dump(data, allow_unicode=True, sort_keys=False))


def _places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(items):
        yield data, key
        yield from _places(value)


@pytest.fixture(scope="module")
def table() -> GameData:
    return Loader().game("duel-masters")


def opener(table: GameData) -> Callable[[str], object]:
    """Opens that game, and the garden."""
    return lambda game: (table.game, table.catalog) if game == table.game.id else opened()(game)


def some_deck(table: GameData, chance: Random, cards: list[object]) -> Deck:
    zones = [*table.game.zones, "main", "main", "Shed"]
    entries = []
    for line in range(1, chance.randint(1, 9)):
        one, other = chance.choice(cards), chance.choice(cards)
        named = chance.choice([(one,), (one,), (one,), (one, other), ()])
        copies = chance.randint(0, 5)
        entries.append(Entry("w", named, copies, chance.choice(zones), line, 1))  # type: ignore[arg-type]
    return deck_from(entries, [unread(chance.choice(["main", None]))] if chance.random() < 0.2 else [])


@pytest.mark.parametrize("seed", range(amount(4, 1)))
def test_a_broken_format_never_half_works(table: GameData, tmp_path: Path, seed: int) -> None:
    """Whatever is broken: a clear error with its place, or a format that judges any deck."""
    chance = Random(seed)
    cards: list[object] = list(table.catalog)[::97]
    formats = [
        # A bundled id would be refused whatever else is wrong.
        file.read_text().replace("format: duel-masters/", "format: own/")
        for file in sorted(shipped("formats").glob(f"{table.game.id}/*.yaml"))
        if file.name != "game.yaml"
    ]
    lists = [file.read_text() for file in sorted(shipped("banlists").glob(f"{table.game.id}/*.yaml"))]
    lists = [text if len(text) < 4000 else "".join(text.splitlines(keepends=True)[:80]) for text in lists]
    file, listed = tmp_path / "x.yaml", tmp_path / "list.yaml"
    broken = loaded = 0
    for _ in range(amount(60, 40)):
        text = chance.choice(formats)
        if chance.random() < 0.2:
            listed.write_text(break_values(chance.choice(lists), chance))
            text = text.replace("banlists: [", "banlists: [list.yaml, ")
        elif chance.random() < 0.9:
            text = break_values(text, chance)
        file.write_text(text)
        try:
            ready = LoadedFormat(load_format(str(file), opener(table)), table)  # type: ignore[arg-type]
        except UserError as error:
            broken += 1
            assert all(problem.path and problem.line is not None for problem in error.problems)
            assert all(problem.in_("ja") and problem.in_("en") for problem in error.problems)
            continue
        loaded += 1
        # What can only be extended judges no deck.
        for _ in range(0 if ready.format.abstract else 3):
            day = chance.choice(["2018-03-01", "2020-06-07", "2025-01-01"])
            deck, best_of = some_deck(table, chance, cards), chance.choice([None, 1])
            report = check(deck, ready, as_of=day, best_of=best_of)
            assert all(one.message.ja and one.message.en for one in report.findings)
        assert describe_format(ready.format, table.game, chance.choice(["ja", "en"]))
    assert broken > amount(30, 20) and loaded > 0
