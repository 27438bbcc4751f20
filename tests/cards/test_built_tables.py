"""The tables that are built with the package, and those of the user's own cards over them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.examples import examples
from factories.kites_game import CARDS, GAME, names, write_table
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.compile import build_table
from deckcheck.cards.database import sources_of
from deckcheck.importers.card_imports import import_cards
from deckcheck.model.game import Folding
from deckcheck.support.errors import UserError

pytestmark = pytest.mark.usefixtures("own_folders")

CORRECTIONS = "corrections:\n  - {card: 右の翼, reason: Its value., set: {cost: 4}}\n"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A checkout: the texts with the table built beside them."""
    bundle = write_table(tmp_path / "texts", CARDS, CORRECTIONS)
    sources = sources_of(GAME, (), bundle)
    build_table(GAME, sources, sources.compiled)
    return bundle


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """An installed package: a table and no texts."""
    sources = sources_of(GAME, (), write_table(tmp_path / "source", CARDS, CORRECTIONS))
    build_table(GAME, sources, tmp_path / "installed" / "cards.sqlite")
    shutil.rmtree(tmp_path / "source")
    return tmp_path / "installed"


def answers(table: CardTable) -> object:
    """All that a table says."""
    keys = sorted(table.beginning(""))
    return (
        {key: [card._asdict() for card in table.find(key)] for key in keys},
        {card.name: [found.name for found in table.find(card.name)] for card in table},
        [(card.released, card.name) for card in table],
        {start: table.beginning(start) for start in {key[:2] for key in keys}},
        {key: table.suggest(f"{key}だ") for key in keys},
        (table.behind_counts, table.before_counts),
        len(table),
    )


def is_cached(tmp_path: Path) -> bool:
    return (tmp_path / "cache").exists()


@pytest.mark.parametrize("kind", ["texts", "installed"])
def test_a_built_table_is_used_and_says_what_a_compiled_one_says(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    table = open_catalog(GAME, bundled=request.getfixturevalue(kind))
    assert not is_cached(tmp_path)
    plain = open_catalog(GAME, bundled=write_table(tmp_path / "plain", CARDS, CORRECTIONS))
    assert is_cached(tmp_path)
    assert answers(table) == answers(plain)
    assert table.version == plain.version
    assert table.find("右の翼")[0].mended == ("Its value.",)


def test_building_again_changes_nothing_and_building_elsewhere_gives_the_same_bytes(
    tmp_path: Path, texts: Path
) -> None:
    sources = sources_of(GAME, (), texts)
    before = sources.compiled.stat()
    build_table(GAME, sources, sources.compiled)
    after = sources.compiled.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    built = []
    for name in ("one", "two"):
        copy = write_table(tmp_path / name, CARDS, CORRECTIONS)
        build_table(GAME, sources_of(GAME, (), copy), tmp_path / f"{name}.sqlite")
        built.append((tmp_path / f"{name}.sqlite").read_bytes())
        os.utime(copy / "cards.jsonl", (1, 1))
    assert built[0] == built[1]


@pytest.mark.parametrize("file", ["cards.jsonl", "sets.json", "corrections.yaml"])
def test_a_table_is_not_used_when_a_text_beside_it_has_changed(texts: Path, file: str) -> None:
    write_table(texts, [*CARDS, {"name": "後の凧"}], CORRECTIONS.replace("4}", "5}"))
    changed = {"cards.jsonl": "後の凧", "sets.json": "", "corrections.yaml": "右の翼"}[file]
    table = open_catalog(GAME, bundled=texts)
    assert names(table, "後の凧") == ["後の凧"] and table.find("右の翼")[0].facts == {"cost": 5.0}
    assert changed == "" or names(table, changed) == [changed]


def test_a_table_of_other_texts_is_not_used(tmp_path: Path, texts: Path) -> None:
    """As when the texts are those of an earlier version, of the same size and older than the table."""
    other = write_table(
        tmp_path / "other", [{**card, "name": f"{card['name']}"} for card in CARDS], CORRECTIONS
    )
    (other / "cards.jsonl").write_text(
        (other / "cards.jsonl").read_text("utf-8").replace("左の翼", "上の翼"), encoding="utf-8"
    )
    os.utime(other / "cards.jsonl", (1, 1))
    shutil.copy2(other / "cards.jsonl", texts / "cards.jsonl")
    table = open_catalog(GAME, bundled=texts)
    assert names(table, "上の翼") == ["上の翼"] and table.find("左の翼") == ()


@pytest.mark.parametrize("kind", ["texts", "installed"])
def test_a_game_that_folds_otherwise_gets_a_table_of_its_own(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    bundle = request.getfixturevalue(kind)
    other = GAME._replace(folding=Folding(drop="の"))
    table = open_catalog(other, bundled=bundle)
    assert names(table, "左翼") == ["左の翼"] and is_cached(tmp_path)
    plain = open_catalog(other, bundled=write_table(tmp_path / "plain", CARDS, CORRECTIONS))
    assert answers(table) == answers(plain)


def test_a_table_with_characters_that_this_python_folds_otherwise_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # ꞉ is younger than Unicode 3.2, and U+0378 is still no character.
    bundle = write_table(tmp_path / "texts", [{"name": "凧꞉甲"}, {"name": "凧\u0378乙"}])
    sources = sources_of(GAME, (), bundle)
    build_table(GAME, sources, sources.compiled)
    assert len(open_catalog(GAME, bundled=bundle)) == 2
    assert not is_cached(tmp_path)
    import unicodedata

    real = unicodedata.category
    monkeypatch.setattr("unicodedata.category", lambda char: "Cn" if char == "꞉" else real(char))
    assert len(open_catalog(GAME, bundled=bundle)) == 2
    assert is_cached(tmp_path)


def test_any_damage_beside_the_texts_changes_no_answer(texts: Path) -> None:
    right = answers(open_catalog(GAME, bundled=texts))
    file = texts / "cards.sqlite"
    whole = file.read_bytes()
    for at in [*range(0, 100, 7), *range(100, len(whole), 997)]:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        assert answers(open_catalog(GAME, bundled=texts)) == right, at
    file.write_bytes(whole[: len(whole) // 2])
    assert answers(open_catalog(GAME, bundled=texts)) == right


def test_damage_in_an_installed_package_is_told(installed: Path) -> None:
    right = answers(open_catalog(GAME, bundled=installed))
    file = installed / "cards.sqlite"
    whole = file.read_bytes()
    told = 0
    for at in [*range(0, 100, 7), *range(100, len(whole), 997)]:
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        try:
            assert answers(open_catalog(GAME, bundled=installed)) == right, at
        except UserError as error:
            told += 1
            (problem,) = error.problems
            assert problem.path == str(file) and "damaged" in problem.message.en
            assert problem.hint is not None and "install deckcheck again" in problem.hint.en
    assert told > 3


# The user's own cards over a built table

Card = dict[str, object]
WORDS = st.sampled_from(["左の翼", "左の・翼", "右の翼", "弓", "弓(ゆみ)", "弓(きゅう)", "青い凧", "赤い凧", "裏の月", "凧", "大きな翼", "x凧", "4弓", "新しい 凧"])  # fmt: skip


@st.composite
def own_cards(draw: st.DrawFn) -> list[Card]:
    cards: dict[str, Card] = {}
    for name in draw(st.lists(WORDS, min_size=1, max_size=5, unique=True)):
        card: Card = {"name": name, "home": "sky", "cost": draw(st.integers(0, 9))}
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
    fold: Callable[[object], str] = lambda name: str(name).replace("・", "").replace(" ", "")  # noqa: E731
    result: list[Card] = [dict(card) for card in CARDS]
    for card in own:
        same = [at for at, other in enumerate(result) if other["name"] == card["name"]]
        alike = [at for at, other in enumerate(result) if fold(other["name"]) == fold(card["name"])]
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
    bundle = write_table(folder / "texts", CARDS)
    sources = sources_of(GAME, (), bundle)
    build_table(GAME, sources, sources.compiled)
    extra = folder / "mine.jsonl"
    extra.write_text("".join(json.dumps(card) + "\n" for card in own), encoding="utf-8")
    over = open_catalog(GAME, bundled=bundle, extra=[extra])
    whole = open_catalog(GAME, bundled=write_table(folder / "whole", merged(own)))

    def told(table: CardTable) -> dict[str, object]:
        keys = sorted(table.beginning(""))
        return {
            "keys": keys,
            "found": {key: sorted(card.name for card in table.find(key)) for key in keys},
            "facts": {card.name: {**card._asdict(), "own": None} for card in table},
            "days": [card.released for card in table],
            "begins": {start: table.beginning(start) for start in {key[:1] for key in keys}},
            "behind": table.behind_counts.intersection(keys),
            "before": table.before_counts.intersection(keys),
        }

    assert told(over) == told(whole)
    keys = whole.beginning("")
    for key in keys | open_catalog(GAME, bundled=bundle).beginning(""):
        assert over.has(key) == (key in keys)
    assert {card.name for card in over if card.own} <= {str(card["name"]) for card in own}


def test_own_cards_over_an_installed_table(tmp_path: Path, installed: Path) -> None:
    extra = tmp_path / "mine.yaml"
    extra.write_text(
        "cards: [{name: 左の・翼, cost: 9, printings: [{set: K1}]}, {name: 新凧}]", encoding="utf-8"
    )
    table = open_catalog(GAME, bundled=installed, extra=[extra])
    (wing,) = table.find("左の翼")
    # The days of the sets come from the table.
    assert (wing.name, wing.released, wing.own) == ("左の・翼", "2001-01-01", f"{extra}:1")
    assert sorted(names(table, "大きな翼")) == ["右の翼", "左の・翼"]
    assert names(table, "対の片方") == ["右の翼"]
    assert len(list((tmp_path / "cache").iterdir())) == 1
    assert table.suggest("左の翼だ")[0] == "左の・翼"
    result = import_cards(GAME, extra, bundled=installed)
    assert (result.added, result.changed, result.unchanged) == (1, 1, 0)
    assert open_catalog(GAME, bundled=installed).find("左の翼")[0].own == f"{result.path}:1"


def test_the_table_of_own_cards_is_small_and_made_anew_with_the_one_below(
    tmp_path: Path, texts: Path
) -> None:
    many = [*CARDS, *({"name": f"凧{number}号", "aliases": [f"{number}番の凧"]} for number in range(3000))]
    write_table(texts, many)
    sources = sources_of(GAME, (), texts)
    build_table(GAME, sources, sources.compiled)
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards: [{name: 凧7号, cost: 9}]", encoding="utf-8")
    assert open_catalog(GAME, bundled=texts, extra=[extra]).find("凧7号")[0].facts == {"cost": 9.0}
    (file,) = (tmp_path / "cache").iterdir()
    assert file.stat().st_size < sources.compiled.stat().st_size / 2
    # The numbers of the cards below change.
    write_table(texts, [{"name": "先の凧", "released": "1990-01-01"}, *many])
    build_table(GAME, sources, sources.compiled)
    table = open_catalog(GAME, bundled=texts, extra=[extra])
    assert names(table, "凧7号") == ["凧7号"] and names(table, "凧8号") == ["凧8号"]
    assert len(table) == len(many) == 1 + len(many) - 1


def test_a_damaged_table_of_own_cards_is_made_anew(tmp_path: Path, texts: Path) -> None:
    extra = tmp_path / "mine.yaml"
    extra.write_text("cards: [{name: 左の翼, cost: 9}, {name: 新しい凧}]", encoding="utf-8")
    right = answers(open_catalog(GAME, bundled=texts, extra=[extra]))
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    for at in range(0, len(whole), 1499):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1 :])
        assert answers(open_catalog(GAME, bundled=texts, extra=[extra])) == right, at


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
    with pytest.raises(UserError) as caught:
        open_catalog(GAME, bundled=write_table(tmp_path / "wrong", PAIR, right.replace("雷-鳴", "雷・鳴")))
    assert "may be any of" in caught.value.problems[0].message.en


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
        with pytest.raises(UserError) as caught:
            work()
        (problem,) = caught.value.problems
        assert (problem.path, problem.line) == (str(extra), 2)
        assert problem.message.en == "'雷・鳴' may be any of 雷-鳴, 雷鳴"


def test_both_of_a_pair_can_be_imported_and_again(tmp_path: Path) -> None:
    bundle = write_table(tmp_path / "pair", PAIR[:1])
    file = tmp_path / "new.jsonl"
    file.write_text("".join(json.dumps(card) + "\n" for card in PAIR[:2]), encoding="utf-8")
    first = import_cards(GAME, file, bundled=bundle)
    assert (first.added, first.changed) == (1, 1)
    again = import_cards(GAME, file, bundled=bundle)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 2)
    table = open_catalog(GAME, bundled=bundle)
    assert [names(table, name) for name in ("雷鳴", "雷-鳴")] == [["雷鳴"], ["雷-鳴"]]
