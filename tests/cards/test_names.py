"""When two spellings are one name."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from factories.card_tables import write_table
from factories.examples import amount
from factories.garden_game import GAME as GARDEN
from factories.random_cards import often
from hypothesis import example, given
from hypothesis import strategies as st

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.names import make_fold
from deckcheck.checking.judge import Loader, check, load_format
from deckcheck.formats.loading import load_game
from deckcheck.model.game import Folding

GAME = load_game("duel-masters")
FOLD = make_fold(GAME.folding)


@often(500)
@given(st.text(max_size=20))
@example("ﾊﾞ-ﾊﾟ")
@example("ハ゛")
@example("İıſßΐ")
@example("ｶ・ﾞ")
@example("K")
def test_folding_twice_is_folding_once(name: str) -> None:
    assert FOLD(FOLD(name)) == FOLD(name)


def test_folding_twice_is_folding_once_for_every_character() -> None:
    every = (chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000)
    assert [char for char in every if FOLD(FOLD(char)) != FOLD(char)] == []


@often(300)
@given(st.text(max_size=20), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_no_normal_form_makes_another_name(name: str, form: str) -> None:
    plain = "".join(char for char in name if char not in GAME.folding.drop)
    assert FOLD(unicodedata.normalize(form, plain)) == FOLD(plain)


@often(200)
@given(
    st.text(max_size=15),
    st.sampled_from([*sorted(GAME.folding.drop), " ", "\u3000", "\t"]),
    st.integers(0, 15),
)
def test_what_is_dropped_may_stand_anywhere(name: str, char: str, at: int) -> None:
    # A mark that joins the character before it is not the same behind another.
    if any(unicodedata.combining(one) or one in "\uff9e\uff9f" for one in name):
        return
    assert FOLD(name[:at] + char + name[at:]) == FOLD(name)


VARIANTS = [
    ("天災 デドダム", ["天災デドダム", "天災　デドダム", "天災・デドダム", "天災 ﾃﾞﾄﾞﾀﾞﾑ", " 天災 デドダム "]),
    ("“轟轟轟”ブランド", ['"轟轟轟"ブランド', "轟轟轟ブランド", "「轟轟轟」ブランド", "”轟轟轟“ブランド"]),
    ("禁断～封印されしX～", ["禁断〜封印されしX〜", "禁断~封印されしX~", "禁断封印されしx", "禁断～封印されしＸ～"]),
    ("S級宇宙 アダムスキー", ["Ｓ級宇宙アダムスキー", "s級宇宙 アダムスキ−", "S級宇宙 アダムスキ－", "S級宇宙 ｱﾀﾞﾑｽｷｰ"]),
    ("アクアン", ["ｱｸｱﾝ"]),
    ("ボルメテウス・ホワイト・ドラゴン", ["ボルメテウスホワイトドラゴン", "ボルメテウス･ホワイト･ドラゴン"]),
    ("妖精 アジサイ-2", ["妖精 アジサイ－2", "妖精アジサイ−２", "妖精 アジサイ‐2"]),
    ("<NEXT>", ["〈NEXT〉", "＜next＞"]),
    ("獣軍隊 ヤドックII", ["獣軍隊 ヤドックⅡ"]),
    ("終末の時計 ザ・クロック", ["終末の時計ザクロック", "終末の時計　ザ･ｸﾛｯｸ"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "spellings"), VARIANTS, ids=[name for name, _ in VARIANTS])
def test_spellings_in_use_are_the_same_name(name: str, spellings: list[str]) -> None:
    assert {FOLD(one) for one in spellings} == {FOLD(name)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("バングリッドX7", "バングリッドX"),
        ("750男", "75男"),
        ("Code:1059", "Code1059"),
        ("カ", "ガ"),
        ("ハ", "パ"),
        ("か", "カ"),
        ("零獄王秘伝 ZERO×STRIKE", "零獄王秘伝 ZEROSTRIKE"),
    ],
)
def test_what_tells_two_cards_apart_is_kept(one: str, other: str) -> None:
    assert FOLD(one) != FOLD(other)


def test_what_is_dropped_is_the_games_to_say() -> None:
    fold = make_fold(Folding(drop="!", replace={"@": "a"}))
    assert fold("A-b!") == "a-b"
    assert fold("C@T") == "cat"
    assert make_fold(Folding())("A-b!") == "a-b!"


@pytest.mark.usefixtures("own_folders")
def test_names_without_their_title_come_first(tmp_path: Path) -> None:
    cards = [
        {"name": name} for name in ("ドラゴン凧師", "ドラゴン凧壱", "地の ドラゴン凧", "天の ドラゴン凧")
    ]
    table = open_catalog(GARDEN, bundled=write_table(tmp_path / "bundle", cards))
    assert set(table.suggest("ドラゴン凧")[:2]) == {"地の ドラゴン凧", "天の ドラゴン凧"}
    assert sorted(table.suggest("ドラゴン凧")) == sorted(card["name"] for card in cards)
    assert table.suggest("地のドラコン凧")[0] == "地の ドラゴン凧"
    assert table.suggest("wholly different") == table.suggest("・") == table.suggest("") == []


@pytest.mark.usefixtures("own_folders")
def test_suggestions_are_canonical_names_and_five_at_most(table: CardTable, tmp_path: Path) -> None:
    assert table.suggest("sky dragom") == ["天の ドラゴン凧"]
    many = write_table(tmp_path / "many", [{"name": f"長い名前の凧{number}"} for number in range(9)])
    assert len(open_catalog(GARDEN, bundled=many).suggest("長い名前の凧")) == 5


@pytest.mark.parametrize(
    ("game", "written", "names"),
    [
        # Only what is near is suggested; numbers that are alike mean cards that aren't.
        ("duel-masters", "天災 デドダン", ["天災 デドダム"]),
        ("magic", "Lightnin Bolt", ["Lightning Bolt"]),
        ("yugioh", "Blue-Eyes Whit Dragon", ["Blue-Eyes White Dragon"]),
        ("yugioh", "46986419", []),
        ("yugioh", "399999999", []),
        ("magic", "Author: John Smith", []),
        ("magic", "by John Smith", []),
        # The card that is meant is among them.
        ("duel-masters", "デドダム", ["天災 デドダム", ...]),
        ("duel-masters", "あくあ・はるかす", ["アクア・ハルカス", ...]),
        ("duel-masters", "青銅の錘", ["青銅の鎧", ...]),
        ("duel-masters", "ボルメテウスホワイトドラゴソ", ["ボルメテウス・ホワイト・ドラゴン", ...]),
        ("magic", "Lightning Bolr", ["Lightning Bolt", ...]),
        ("magic", "Lightnig Bolt (foil)", ["Lightning Bolt", ...]),
        ("magic", "Llanowar Elf", ["Llanowar Elves", ...]),
        ("magic", "New Black Lotus", ["Black Lotus", ...]),
        ("yugioh", "Dark Magicain", ["Dark Magician", ...]),
    ],
)
def test_what_is_near_is_suggested(game: str, written: str, names: list[object]) -> None:
    suggested = Loader().game(game).catalog.suggest(written)
    if names[-1:] == [...]:
        assert names[0] in suggested
    else:
        assert suggested == names


MISTAKES: dict[str, tuple[Callable[[str, int, str], str], float]] = {
    "another letter": (lambda name, at, letter: name[:at] + letter + name[at + 1 :], 0.97),
    "a letter less": (lambda name, at, _letter: name[:at] + name[at + 1 :], 0.97),
    "a letter more": (lambda name, at, letter: name[:at] + letter + name[at:], 0.97),
    "two letters swapped": (
        lambda name, at, _letter: name[:at] + name[at : at + 2][::-1] + name[at + 2 :],
        0.97,
    ),
    "the beginning only": (lambda name, _at, _letter: name[: len(name) * 2 // 3], 0.9),
    "the end only": (lambda name, _at, _letter: name[len(name) // 3 :], 0.85),
}
"""What was done to a name, and how often the card that was meant must be among the suggestions."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_who_was_meant_is_suggested(mistake: str) -> None:
    """Whatever letters are wrong, and even where only a part of a name stands."""
    (misspell, share), chance = MISTAKES[mistake], random.Random(mistake)
    catalogue = Loader().game("duel-masters").catalog
    names = [card.name for card in catalogue if len(FOLD(card.name)) > 6]
    meant = [
        (name, misspell(name, chance.randrange(len(name)), chance.choice("アカサタナンザ炎龍王")))
        for name in chance.sample(names, amount(150, 20))
    ]
    unknown = [(name, written) for name, written in meant if not catalogue.find(written)]
    assert len(unknown) > amount(75, 10)
    assert sum(name in catalogue.suggest(written) for name, written in unknown) >= share * len(unknown)


@pytest.mark.parametrize(
    ("format", "text", "ja", "en"),
    [
        ("yugioh/ocg", "3 ブラック・マジシャソ", "《ブラック・マジシャン》", "Dark Magician"),
        ("yugioh/ocg", "3 Drak Magician", "《Dark Magician》", "Dark Magician"),
        ("magic/modern", "4 稲妻の連鏁", "《稲妻の連鎖》", "Chain Lightning"),
    ],
)
def test_a_japanese_name_is_suggested_for_a_japanese_one(format: str, text: str, ja: str, en: str) -> None:
    report = check(text, load_format(format), as_of="2026-09-20")
    [hint] = [one.hint for one in report.findings if one.rule == "unknown-card"]
    assert hint is not None and ja in hint.in_("ja")
    assert en in hint.in_("en") and "《" not in hint.in_("en")
