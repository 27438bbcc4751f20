"""Certain corrections: what is put right, what is not, and that nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from factories.examples import examples
from factories.reader_lists import HARD, PLAIN, Cards, cards, content, duel_masters, reader
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.judge import GameData, open_game_data
from deckcheck.decklists.decode import decode
from deckcheck.model.card import Card, Part
from deckcheck.model.deck import Deck
from deckcheck.rewriting.files import with_lines
from deckcheck.rewriting.fixes import MOST_FIXES, Fix, Fixed, Fixer, make_speller
from deckcheck.support.errors import UserError

A, B, C = "天災 デドダム", "アクア・ガード", "フェアリー・ライフ"


@cache
def small() -> tuple[GameData, Callable[..., Fixed]]:
    table = GameData(duel_masters(), cards(), reader())
    return table, Fixer(table).fix


@cache
def real() -> tuple[GameData, Callable[..., Fixed]]:
    table = open_game_data("duel-masters")
    return table, Fixer(table).fix


def fix(text: str, path: str = "deck.txt") -> Fixed:
    return small()[1](text, path, ())


def untouched(text: str, path: str = "deck.txt") -> bool:
    found = fix(text, path)
    return found == Fixed(text, {}, ())


# Names


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("天災 デドダン", A),
        ("天災デドム", A),
        ("天災 デデドダム", A),
        ("天災 デダドム", A),
        ("フェアリー・ライク", C),
        ("STARSCREEM -ALT MODE-", "STARSCREAM -ALT MODE-"),
    ],
)
@pytest.mark.parametrize(
    "line", ["{n} x {c}", "《{c}》×{n}", "・{c}　×{n}枚 # {c}は強い", "{n}\t{c}", "  {n}枚 {c} (殿) // あ"]
)
def test_a_misspelling_with_one_candidate(line: str, wrong: str, right: str) -> None:
    text = f"# あ\n3 {B}\n{line.format(n=4, c=wrong)}\n2 青銅の鎧\n"
    found = fix(text)
    before, behind = line.split("{c}", 1)
    assert (
        found.text
        == f"# あ\n3 {B}\n{(before + right + behind).replace('{c}', wrong).format(n=4)}\n2 青銅の鎧\n"
    )
    assert found.fixes == (Fix(3, wrong, right),)
    assert found.lines == {3: found.text.split("\n")[2]}


@pytest.mark.parametrize("line", ["4 x {c}", "《{c}》×4", "・{c} ×4枚 # あ", "{c} 4", "SB: 4 {c}", "4 | {c}"])
def test_most_notations_are_corrected(line: str) -> None:
    found = fix(f"3 {B}\n" + line.format(c="天災 デドダン"))
    assert found.text == f"3 {B}\n" + line.format(c=A)


def test_a_list_without_counts_is_corrected() -> None:
    assert fix(f"《{B}》\n《天災 デドダン》\n").text == f"《{B}》\n《{A}》\n"


@pytest.mark.parametrize(
    "name",
    [
        "バングリッドX8",
        "バングリッドX",
        "バングリッドX77",
        "バングリットX7と",
        "14番目の計画",
        "十3番目の計画",
        "ジャガライガーW7",
        "750女子",
        "Code:1058",
        "究極防衛司令 コード 778",
        "零龍王",
        "天災 デデダン",
        "からミカズ",
        "誰も知らないカード",
        "ガチャック3",
    ],
)
def test_what_may_be_another_card_is_left(name: str) -> None:
    assert untouched(f"4 x {name}\n2 x {B}\n")


@pytest.mark.parametrize("name", ["クリスマⅡ", "クリスマⅣ", "爆竜 GENJI・XY"])
def test_numbers_of_any_kind_are_left(name: str) -> None:
    """クリスマⅢ and 爆竜 GENJI・XX are cards."""
    assert real()[1](f"4 x {name}\n", "a.txt", ()).fixes == ()


def speller(
    *names: str, aliases: tuple[str, ...] = (), parts: tuple[str, ...] = ()
) -> Callable[[str], str | None]:
    class Few(Cards):
        def __init__(self) -> None:
            super().__init__(duel_masters())
            first, *others = names
            faces = tuple(Part(name, {}) for name in parts)
            self.cards = [Card(first, "main", {}, aliases=aliases, parts=faces)]
            self.cards += [Card(name, "main", {}) for name in others]
            self._found = {
                self.fold(name): (card,)
                for card in self.cards
                for name in (card.name, *card.aliases, *(part.name for part in card.parts))
            }

    spelt = make_speller(Few())

    def asked(name: str) -> str | None:
        found = spelt(name)
        return None if found is None else found[1]

    return asked


def test_a_second_card_within_two_edits_makes_it_uncertain() -> None:
    assert speller("あかさたな")("あかさたに") == "あかさたな"
    assert speller("あかさたな", "あかさとに")("あかさたに") is None
    assert speller("あかさたな", "あかしとに")("あかさたに") is None
    assert speller("あかさたな", "あきしとに")("あかさたに") == "あかさたな"
    assert speller("あかさたな")("あかさとに") is None


def test_short_names_are_left() -> None:
    assert speller("あかさた")("あかさた な") is None
    assert speller("あかさたな")("あかさた") is None


def test_other_names_of_the_same_card_are_no_second_candidate() -> None:
    asked = speller("あかさたな", aliases=("あかさたのに",), parts=("ぎぐげござ",))
    assert asked("あかさたに") == "あかさたな"
    assert asked("あかさたのの") == "あかさたのに"
    assert asked("ぎぐげごじ") == "ぎぐげござ"


def test_what_lies_beside_the_deck_is_no_misspelling() -> None:
    text = "4 x 天災 デドダン\n"
    assert small()[1](text, "a", ["天災　デドダン"]).fixes == ()


def test_a_card_that_is_found_may_go_home() -> None:
    found = fix(f"4 {B}\n1 時空の凶兵ブラック・ガンヴィード\n")
    deck = small()[0].read(found.text, "a")
    assert [entry.zone for entry in deck.entries] == ["main", "hyperspatial"]
    assert len(found.fixes) == 1


def test_a_right_sum_stays_right() -> None:
    text = f"4 {B}\n1 時空の凶兵ブラック・ガンヴィード\nメインデッキ合計 5\n"
    assert untouched(text)


# Lines of the same card


@pytest.mark.parametrize(
    ("first", "later", "merged"),
    [
        (f"2 x {A}", f"1 x {A}", f"3 x {A}"),
        (f"《{A}》×2", f"1 x {A}", f"《{A}》×3"),
        ("・天災デドダム　×２枚 # 強い", f"{A} 1枚", "・天災デドダム　×３枚 # 強い"),
        (f"8 {A}", f"4 {A}", f"12 {A}"),
        (f"SB: 2 {A}", f"SB: 2 {A}", f"SB: 4 {A}"),
        (f"(2) {A}", f"{A}（1）", f"(3) {A}"),
    ],
)
def test_two_lines_of_one_card_become_one(first: str, later: str, merged: str) -> None:
    found = fix(f"{first}\n3 {B}\n{later}\n2 {C}\n")
    assert found.text == f"{merged}\n3 {B}\n2 {C}\n"
    assert found.fixes == (Fix(1, first, merged, 3),)
    assert found.lines == {1: merged, 3: None}


def test_a_comment_above_a_line_that_is_gone_speaks_of_nothing_else() -> None:
    found = fix(f"1 {A}\n# あ\n1 {A}\n1 {A}\n1 {A}\n")
    assert found.text == f"3 {A}\n# あ\n1 {A}\n"
    assert found.lines == {1: f"3 {A}", 4: None, 5: None}


def test_three_lines_become_one() -> None:
    found = fix(f"1 {A}\n1 {B}\n1 {A}\n1 {A}\n")
    assert found.text == f"3 {A}\n1 {B}\n"
    assert [(one.line, one.merged) for one in found.fixes] == [(1, 3), (1, 4)]
    assert found.lines == {1: f"3 {A}", 3: None, 4: None}


@pytest.mark.parametrize(
    "text",
    [
        f"2 {A}\n1 {A} # 借り物\n",
        f"2 {A}\n1 {A} (予備)\n",
        f"2 {A}\n1 {A} # deckcheck: ignore[copies] あ\n",
        f"2 {A} # deckcheck: ignore[copies] あ\n1 {A}\n",
        f"2 {A}\n# 追加\n1 {A}\n",
        f"2 {A}\nサイド\n1 {A}\n",
        f"《{A}》\n《{A}》\n",
        f"{A}\n{A}\n",
        f"2 {A}、1 {A}\n",
        f"2 {A}\n1 {A}、3 {B}\n",
        "ガチャック2\nガチャック2\n",
        f"600 {A}\n600 {A}\n",
        f"クリーチャー 2\n2 {A}\n呪文 1\n1 {A}\n",
        "2 誰も知らない\n2 誰も知らない\n",
        f"1. {A}\n2. {A}\n3. {B}\n",
        f"二枚 {A}\n2 {A}\n",
        f"2枚 {A} ×2\n2 {A}\n",
    ],
)
def test_what_is_not_certain_stays_on_two_lines(text: str) -> None:
    assert untouched(text)


def test_sums_that_stay_right_are_no_hindrance() -> None:
    text = f"メイン 6\n2 {A}\n3 {B}\n1 {A}\n合計 6\n"
    assert fix(text).text == f"メイン 6\n3 {A}\n3 {B}\n合計 6\n"


def test_both_kinds_at_once() -> None:
    found = fix(f"3 {A}\n1 天災 デドダン\n")
    assert found.text == f"4 {A}\n"
    assert [(one.line, one.merged) for one in found.fixes] == [(1, 2), (2, None)]
    assert found.lines == {1: f"4 {A}", 2: None}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"main": ["4 x 天災 デドダン"]}'),
        ("a.yaml", "main:\n  - 2 x 天災 デドダム\n  - 2 x 天災 デドダム\n"),
        ("a.csv", "Count,Name\n2,天災 デドダム\n2,天災 デドダム\n"),
    ],
)
def test_structured_lists_stay(path: str, text: str) -> None:
    assert untouched(text, path)


def test_there_is_an_end_to_corrections() -> None:
    found = fix("1 天災 デドダン\n" * (MOST_FIXES + 50))
    assert len(found.fixes) <= 2 * MOST_FIXES


NAMES = st.sampled_from([*PLAIN, *HARD])
ROWS = st.lists(
    st.builds(
        lambda form, name, count, at, char: form.format(
            c=name[: at % len(name)] + char + name[at % len(name) :], n=count
        ),
        st.sampled_from(
            ["{n} x {c}", "《{c}》×{n}", "{c} ×{n}枚", "{n} {c} # あ", "サイド", "{c}", "{c}{n}"]
        ),
        NAMES,
        st.integers(1, 30),
        st.integers(0, 30),
        st.sampled_from(["", "", "", "ン", "2", "x", "#"]),
    ),
    min_size=1,
    max_size=8,
)


def sums(deck: Deck) -> tuple[int, int]:
    return sum(entry.copies for entry in deck.entries), sum(entry.most for entry in deck.entries)


@examples(200)
@given(ROWS)
def test_counts_and_known_cards_never_change(rows: list[str]) -> None:
    text = "\n".join(rows)
    table, fixer = small()
    old, found = table.read(text, "a"), fixer(text, "a", ())
    new = table.read(found.text, "a")
    assert sums(old) == sums(new)
    if all(entry.copies == entry.most for entry in old.entries):
        known = {key: count for key, count in content(old).items() if not key[1].startswith("?")}
        assert all(content(new)[key] >= count for key, count in known.items())
    assert sum(not entry.cards for entry in old.entries) - sum(
        not entry.cards for entry in new.entries
    ) == sum(one.merged is None for one in found.fixes)
    assert found.text.count("\n") == text.count("\n") - sum(one.merged is not None for one in found.fixes)
    again = fixer(found.text, "a", ())
    assert again.fixes == ()


def test_the_real_table_knows_a_common_slip() -> None:
    _, fixer = real()
    assert [one.now for one in fixer("4 x 天災 デドダン\n4 x 青銅の鎚\n", "a", ()).fixes] == [A]


# Bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_all_other_bytes_stay(encoding: str, ends: str, last: bool) -> None:
    lines = [f"2 {A}", "", f"《{B}》×3", "天災 デドダン 1枚", f"4 {C}"]
    data = (ends.join(lines) + (ends if last else "")).encode(encoding)
    found = fix(decode(data, "a"))
    wanted = [f"3 {A}", "", f"《{B}》×3", f"4 {C}"]
    made = with_lines(data, found.lines, "a")
    assert made == (ends.join(wanted) + (ends if last else "")).encode(encoding)
    assert decode(made, "a").rstrip("\n") == found.text.rstrip("\n")


def test_mixed_line_ends_stay() -> None:
    data = f"2 {A}\r\n3 {B}\r4 天災 デドダン\n\n".encode()
    assert with_lines(data, {3: f"4 {A}"}, "a") == f"2 {A}\r\n3 {B}\r4 {A}\n\n".encode()
    assert with_lines(data, {1: None, 4: None}, "a") == f"3 {B}\r4 天災 デドダン\n".encode()


def test_a_name_that_the_encoding_does_not_have() -> None:
    with pytest.raises(UserError) as caught:
        with_lines("4 ア\n".encode("cp932"), {1: "4 ♡"}, "a.txt")
    assert caught.value.problems[0].path == "a.txt"


def test_two_codes_for_one_character_stay_what_they_are() -> None:
    """CP932 has some characters twice; a line that isn't corrected keeps the bytes that it has."""
    odd = b"# \xed\x40 \x87\x9a \x87\x90 \xfa\x4a\r\n"
    data = odd + "old\r\ngone\r\n".encode("cp932") + odd
    assert with_lines(data, {2: "鎧", 3: None}, "a.txt") == odd + "鎧\r\n".encode("cp932") + odd
