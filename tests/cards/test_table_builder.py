"""Own cards over bundled ones, names that fold alike, and what the names in a table mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from factories.card_tables import CARDS, names, write_table
from factories.errors import problem_of
from factories.examples import examples
from factories.garden_game import GAME
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from msgspec.structs import asdict

from deckcheck.cards.catalog import CardTable, open_catalog, sources_of
from deckcheck.cards.catalog import write_table as write_built_table
from deckcheck.cards.names import make_fold
from deckcheck.importers.own_cards import import_cards

pytestmark = pytest.mark.usefixtures("own_folders")

Card = dict[str, object]
WORDS = st.sampled_from(["左の翼", "左の・翼", "右の翼", "弓", "弓(ゆみ)", "弓(きゅう)", "青い凧", "赤い凧", "裏の月", "凧", "大きな翼", "x凧", "4弓", "新しい 凧"])  # fmt: skip


@st.composite
def own_cards(draw: st.DrawFn) -> list[Card]:
    cards: dict[str, Card] = {}
    for name in draw(st.lists(WORDS, min_size=1, max_size=5, unique=True)):
        card: Card = {"name": name, "home": "main", "cost": draw(st.integers(0, 9))}
        if draw(st.booleans()):
            card["aliases"] = draw(st.lists(WORDS, min_size=1, max_size=2))
        if draw(st.booleans()):
            card["faces"] = [{"name": draw(WORDS)}]
        if draw(st.booleans()):
            card["parts"] = [{"name": draw(WORDS)}, {"name": draw(WORDS)}]
        if draw(st.booleans()):
            card["printings"] = [{"set": draw(st.sampled_from(["K1", "K2", "K9"]))}]
        cards[name] = card
    return list(cards.values())


def merged(own: list[Card]) -> list[Card]:
    """The bundled cards with those of the user's own in their places."""
    fold = make_fold(GAME.folding)
    result: list[Card] = [dict(card) for card in CARDS]
    for card in own:
        same = [at for at, other in enumerate(result) if other["name"] == card["name"]]
        alike = [at for at, other in enumerate(result) if fold(str(other["name"])) == fold(str(card["name"]))]
        if same or alike:
            result[(same or alike)[0]] = card
        else:
            result.append(card)
    return result


@examples(120, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(own=own_cards())
def test_own_cards_over_a_table_say_what_one_table_of_all_says(
    tmp_path_factory: pytest.TempPathFactory, own: list[Card]
) -> None:
    if sum(str(card["name"]).replace("・", "") == "左の翼" for card in own) > 1:
        return
    folder = tmp_path_factory.mktemp("own")
    extra = folder / "mine.jsonl"
    extra.write_text("".join(json.dumps(card) + "\n" for card in own), encoding="utf-8")
    over = open_catalog(GAME, bundled=write_table(folder / "texts", CARDS), extra=[extra])
    whole = open_catalog(GAME, bundled=write_table(folder / "whole", merged(own)))

    def contents(table: CardTable) -> dict[str, object]:
        keys = sorted(table.beginning(""))
        return {
            "names": {key: sorted(card.name for card in table.find(key)) for key in keys},
            "facts": {card.name: {**asdict(card), "own": None} for card in table},
            "days": [card.released for card in table],
        }

    assert contents(over) == contents(whole)
    keys = whole.beginning("")
    for key in keys | {make_fold(GAME.folding)(str(card["name"])) for card in CARDS}:
        assert over.has(key) == (key in keys)
    assert {card.name for card in over if card.own} <= {str(card["name"]) for card in own}


def test_own_cards_over_an_installed_table(tmp_path: Path) -> None:
    source = sources_of(GAME, (), write_table(tmp_path / "source", CARDS))
    installed = tmp_path / "installed"
    write_built_table(GAME, source, installed / "cards.sqlite")
    extra, later = tmp_path / "mine.yaml", tmp_path / "later.yaml"
    extra.write_text(
        "cards: [{name: 左の・翼, cost: 9, printings: [{set: K1}]}, {name: 新凧}]", encoding="utf-8"
    )
    later.write_text("cards: [{name: 新・凧, cost: 4}]", encoding="utf-8")
    table = open_catalog(GAME, bundled=installed, extra=[extra, later])
    (wing,) = table.find("左の翼")
    # The days of the sets come from the table.
    assert (wing.name, wing.released, wing.own) == ("左の・翼", "2001-01-01", f"{extra}:1")
    assert sorted(names(table, "大きな翼")) == ["右の翼", "左の・翼"]
    assert names(table, "対の片方") == ["右の翼"]
    assert table.suggest("左の翼だ")[0] == "左の・翼"
    assert names(table, "新凧") == ["新・凧"], "of two files the last one wins"
    result = import_cards(GAME, extra, bundled=installed)
    assert (result.added, result.changed, result.unchanged) == (1, 1, 0)
    assert open_catalog(GAME, bundled=installed).find("左の翼")[0].own == f"{result.path}:1"


def test_where_a_card_of_ones_own_lives_is_unknown_unless_it_says_so(tmp_path: Path) -> None:
    extra = tmp_path / "mine.yaml"
    extra.write_text(
        "cards: [{name: 新しい凧}, {name: 空の凧, home: main}, {name: 左の翼}]", encoding="utf-8"
    )
    table = open_catalog(GAME, bundled=write_table(tmp_path / "bundle", CARDS), extra=[extra])
    homes = {name: table.find(name)[0].home for name in ("新しい凧", "空の凧", "左の翼", "右の翼")}
    assert homes == {"新しい凧": None, "空の凧": "main", "左の翼": None, "右の翼": "main"}


def test_missing_extra_files_and_folders_are_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        assert problem_of(open_catalog, GAME, extra=[path]).path == str(path)


# Names that fold alike

PAIR = [{"name": "雷鳴", "cost": 1}, {"name": "雷-鳴", "cost": 2, "aliases": ["Rai-Mei"]}, {"name": "らい"}]


def test_of_names_that_fold_alike_an_exact_spelling_decides(tmp_path: Path) -> None:
    table = open_catalog(GAME, bundled=write_table(tmp_path / "pair", PAIR))
    assert [names(table, name) for name in ("雷鳴", "雷-鳴", "Rai-Mei", "raimei")] == [
        ["雷鳴"],
        ["雷-鳴"],
        ["雷-鳴"],
        ["雷-鳴"],
    ]
    assert names(table, "雷・鳴") == names(table, "雷 鳴") == ["雷鳴", "雷-鳴"]
    assert len(table) == 3


def test_corrections_of_names_that_fold_alike(tmp_path: Path) -> None:
    right = "corrections:\n  - {card: 雷-鳴, reason: r, set: {cost: 7}}\n"
    table = open_catalog(GAME, bundled=write_table(tmp_path / "right", PAIR, right))
    assert [table.find(name)[0].facts["cost"] for name in ("雷鳴", "雷-鳴")] == [1.0, 7.0]
    wrong = write_table(tmp_path / "wrong", PAIR, right.replace("雷-鳴", "雷・鳴"))
    assert "may be any of" in problem_of(open_catalog, GAME, bundled=wrong).message.en


@pytest.mark.parametrize(
    ("own", "costs"),
    [
        (["雷鳴"], {"雷鳴": 9, "雷-鳴": 2}),
        (["雷-鳴"], {"雷鳴": 1, "雷-鳴": 9}),
        (["雷鳴", "雷-鳴"], {"雷鳴": 9, "雷-鳴": 9}),
        (["雷鳴", "雷・鳴"], {"雷鳴": 9, "雷・鳴": 9}),
        (["ら・い"], {"雷鳴": 1, "雷-鳴": 2, "ら・い": 9}),
        (["ら・い", "らい"], {"らい": 9, "ら・い": 9, "雷鳴": 1}),
    ],
)
def test_own_cards_replace_the_one_of_just_that_name(
    tmp_path: Path, own: list[str], costs: dict[str, int]
) -> None:
    bundle = write_table(tmp_path / "pair", PAIR)
    extra = tmp_path / "mine.yaml"
    extra.write_text(json.dumps({"cards": [{"name": name, "cost": 9} for name in own]}), encoding="utf-8")
    table = open_catalog(GAME, bundled=bundle, extra=[extra])
    assert {name: int(table.find(name)[0].facts["cost"]) for name in costs} == costs  # type: ignore[arg-type]
    assert all(len(table.find(name)) == 1 for name in costs)


def test_an_own_card_that_could_replace_several_is_told(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "pair", PAIR)
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards:\n  - name: 雷・鳴\n", encoding="utf-8")
    for work in (
        lambda: open_catalog(GAME, bundled=bundle, extra=[extra]),
        lambda: import_cards(GAME, extra, bundled=bundle),
    ):
        problem = problem_of(work)
        assert (problem.path, problem.line) == (str(extra), 2)
        assert problem.message.en == "'雷・鳴' may be any of 雷-鳴, 雷鳴"
