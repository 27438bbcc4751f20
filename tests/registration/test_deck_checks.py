"""Which decks are checked, and a deck at the table against its list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from math import ceil
from typing import Any, Literal

import pytest
from factories import garden_game
from factories.events import MAIN, SIDE, UNDECIDED, UNREADABLE, duemagic, legal
from factories.random_lists import HASH, chained, deck_check, known_lists, lists, receipt
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.judge import load_format, read_deck
from deckcheck.model.finding import CanonicalList, list_of
from deckcheck.registration.deck_checks import Comparison, differences, draw, share_of, verify
from deckcheck.registration.event import Stamp
from deckcheck.registration.log import EntryValue, Log, Receipt
from deckcheck.registration.submissions import Player
from deckcheck.support.errors import UserError


def log_of(*values: EntryValue) -> Log:
    return Log(chained(*values))


def decks(number: int) -> list[EntryValue]:
    return [receipt(player=Player(str(at))) for at in range(number)]


@given(st.integers(1, 40), st.integers(1, 100), st.text(min_size=1, max_size=5).filter(str.strip))
def test_as_many_are_drawn_as_were_asked_for_and_none_twice(number: int, percent: int, seed: str) -> None:
    found = draw(log_of(*decks(number)), share_of(f"{percent}%"), seed)
    assert len(found.drawn) == ceil(Decimal(number * percent) / 100)
    assert len({entry.number for entry in found.drawn}) == len(found.drawn)
    assert (found.total, found.checked) == (number, 0)


def test_every_deck_is_drawn_about_as_often() -> None:
    log = log_of(*decks(10))
    hits = [entry.number for seed in range(2000) for entry in draw(log, share_of("10%"), str(seed)).drawn]
    assert len(hits) == 2000
    assert all(140 < hits.count(number) < 260 for number in range(1, 11))


@given(st.lists(st.sampled_from(["same", "different"]), max_size=4))
def test_the_last_check_of_a_deck_counts(results: list[Literal["same", "different"]]) -> None:
    """Also the one before it found it right: what is on the table now is what counts."""
    checks = [deck_check(2, result) for result in results]
    found = draw(log_of(*decks(3), *checks), share_of("100%"), "seed")
    right = bool(results) and results[-1] == "same"
    assert {entry.number for entry in found.drawn} == ({1, 3} if right else {1, 2, 3})
    assert found.checked == right


def test_a_receipt_that_was_replaced_is_not_drawn_and_the_new_one_is_unchecked() -> None:
    log = log_of(receipt(), deck_check(1, "same"), receipt(replaces=1))
    found = draw(log, share_of("100%"), "seed")
    assert [entry.number for entry in found.drawn] == [3]
    assert (found.total, found.checked) == (1, 0)


def test_shares_and_seeds_as_they_are_written() -> None:
    for written, share in (("10%", "0.1"), (" 12.5 % ", "0.125"), ("100％", "1"), ("0.5%", "0.005")):
        assert share_of(written) == Decimal(share)
    for written in ("", "10", "0%", "101%", "-5%", "1e1%", "ten%", "10%%", "9" * 50 + "%"):
        with pytest.raises(UserError, match="share"):
            share_of(written)
    for seed in ("", " ", "\u3000\n"):
        with pytest.raises(UserError, match="the seed is empty"):
            draw(log_of(*decks(3)), share_of("10%"), seed)


def registered(text: str = "", **more: Any) -> Receipt:
    """A receipt of a list of Duemagic."""
    listed = list_of(duemagic().game_data.read(text or legal(), "r"))
    format = Stamp("duel-masters/duemagic", HASH)
    return receipt(**{"listed": listed, "game": "duel-masters", "format": format, "best_of": None} | more)


def held(text: str, against: Receipt | None = None, *, between_games: bool = False) -> Comparison:
    deck = read_deck(duemagic(), text, "d")
    return verify(against or registered(), deck, duemagic(), between_games=between_games)


def found(verified: Comparison) -> list[tuple[str, str, int]]:
    return sorted((one.kind, one.card, one.copies) for one in verified.differences)


def swapped(number: int, out: str = MAIN[0], come: str = SIDE[0]) -> str:
    """The legal list with so many copies of a card in the main deck exchanged for one of the side."""
    counts = {
        "main": Counter({**dict.fromkeys(MAIN[:11], 4), MAIN[11]: 3, "アクア・ナイト": 3}),
        "side": Counter(dict.fromkeys(SIDE, 4)),
    }
    for gone, zone, other in ((out, "main", "side"), (come, "side", "main")):
        counts[zone][gone] -= number
        counts[other][gone] += number
    main, side = ("".join(f"{n} {name}\n" for name, n in zone.items() if n) for zone in counts.values())
    return f"メインデッキ\n{main}サイドボード\n{side}"


FIVE = legal().replace("4 x アクア・サーファー", "5 x アクア・サーファー")
ONE_MOVED = ("4 x 悪魔神バロム", "3 x 悪魔神バロム"), ("サイドボード", "1 悪魔神バロム\nサイドボード")
SPACED = UNDECIDED.replace("誰も知らない新カード", "誰も知らない 新カード")


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (swapped(0), []),
        (legal().replace("4 x デーモン・ハンド", "3 x デーモン・ハンド"), [("missing", "デーモン・ハンド", 1)]),
        (legal() + "1 クリスタル・メモリー\n", [("extra", "クリスタル・メモリー", 1)]),
        (swapped(2), [("moved", MAIN[0], 2), ("moved", SIDE[0], 2)]),
        (
            legal().replace("4 x デーモン・ハンド", "3 x デーモン・ハンド\n1 クリスタル・メモリー"),
            [("extra", "クリスタル・メモリー", 1), ("missing", "デーモン・ハンド", 1)],
        ),
    ],
)  # fmt: skip
def test_what_is_missing_extra_or_moved_is_told(text: str, told: list[tuple[str, str, int]]) -> None:
    verified = held(text)
    assert (verified.result, found(verified)) == ("different" if told else "same", told)


@pytest.mark.parametrize(
    ("registered_text", "text", "between_games", "result"),
    [
        # After sideboarding any legal partition of the same 62 cards, 50 of them in the main deck again.
        *((legal(), swapped(number), True, "same") for number in (0, 1, 4)),
        (legal(), swapped(1).replace(f"4 {MAIN[5]}", f"3 {MAIN[5]}"), True, "different"),
        (legal(), swapped(1) + "1 クリスタル・メモリー\n", True, "different"),
        (legal(), changed(legal(), *ONE_MOVED), True, "different"),
        # What a judge accepted in spite of its faults may be played so.
        (FIVE, FIVE, True, "same"),
        (FIVE, changed(FIVE, *ONE_MOVED), True, "different"),
        # A card that nobody knows is compared as names are; one that is not on the list leaves it open.
        (UNDECIDED, UNDECIDED, False, "same"),
        (UNDECIDED, SPACED, False, "same"),
        (UNDECIDED, UNDECIDED.replace("3 x 誰も知らない", "2 x 誰も知らない"), False, "different"),
        (legal(), legal() + "1 ???????\n", False, "undecided"),
        (legal(), UNREADABLE, False, "undecided"),
    ],
)
def test_a_deck_is_the_same_different_or_undecided(
    registered_text: str, text: str, between_games: bool, result: str
) -> None:
    assert held(text, registered(registered_text), between_games=between_games).result == result


def test_a_format_without_an_exchange_has_none() -> None:
    amadeus = load_format("duel-masters/amadeus")
    deck = amadeus.game_data.read("4 天災 デドダム", "d")
    against = registered(listed=list_of(deck), format=Stamp("duel-masters/amadeus", HASH))
    assert verify(against, deck, amadeus).result == "same"
    with pytest.raises(UserError, match="no cards are exchanged"):
        verify(against, deck, amadeus, between_games=True)


def test_what_leaves_it_open_or_breaks_the_rules_is_told() -> None:
    assert [one.line for one in held(UNREADABLE).unread] == [3]
    verified = held(changed(legal(), *ONE_MOVED), between_games=True)
    assert "main-size" in [one.rule for one in verified.findings]
    verified = held(UNDECIDED.replace("誰も知らない新カード", "誰も知らない別カード"), registered(UNDECIDED))
    assert verified.result == "undecided"
    assert [one.near[0] for one in verified.unknown] == ["誰も知らない新カード"]


def test_text_in_which_no_card_was_counted_is_told_beside_the_result() -> None:
    for end in ("候補\n1 アクア・ガード\n", "# 1 アクア・ガード\n", "\nありがとうございました\n"):
        compared = held(legal() + end)
        assert (compared.result, len(compared.notes)) == ("same", 1)
    wrong_sum = held(legal().replace("メインデッキ", "メインデッキ(49)"))
    assert (wrong_sum.result, [note.line for note in wrong_sum.notes]) == ("undecided", [1])


def test_a_name_that_was_unknown_and_is_known_now_is_that_card() -> None:
    """It was accepted on a judge's word before the card table had it."""
    then = registered().listed
    cards = {**then.cards, "main": {**then.cards["main"]}}
    unknown = {"main": {"アクア ナイト": cards["main"].pop("アクア・ナイト")}}
    against = registered(listed=CanonicalList(cards, unknown))
    assert held(legal(), against).result == "same"
    assert held(swapped(1, out="アクア・ナイト"), against, between_games=True).result == "same"
    fewer = held(legal().replace("3 x アクア・ナイト", "2 x アクア・ナイト"), against)
    assert found(fewer) == [("missing", "アクア・ナイト", 1)]


def test_a_name_that_was_known_and_is_unknown_now_is_that_card() -> None:
    """As where the organiser's own cards were not given along."""
    then = registered(UNDECIDED).listed
    known = {**then.cards, "main": {**then.cards["main"], **then.unknown["main"]}}
    against = registered(listed=CanonicalList(known, {}))
    assert [held(text, against).result for text in (UNDECIDED, SPACED)] == ["same", "same"]


def test_names_on_the_registered_list_are_suggested_before_others() -> None:
    """The nearest of all cards may be none of the player's."""
    slip = "アクア・ナイツ"
    nearest = duemagic().game_data.catalog.suggest(slip)
    verified = held(legal().replace("アクア・ナイト", slip))
    [unknown] = verified.unknown
    assert unknown.near[0] == "アクア・ナイト"
    assert len(unknown.near) == len(set(unknown.near)) <= 3
    assert set(unknown.near) <= {*nearest, *MAIN, *SIDE, "アクア・ナイト"}


def test_a_name_that_may_mean_several_cards_leaves_it_open() -> None:
    table = duemagic().game_data
    cards = tuple(table.catalog.find(name)[0] for name in ("クリスタル・メモリー", MAIN[0]))
    deck = table.read(legal() + "1 x 誰も知らない新カード\n", "d")
    odd = replace(deck.entries[-1], cards=cards)
    verified = verify(registered(), replace(deck, entries=(*deck.entries[:-1], odd)), duemagic())
    assert verified.result == "undecided"
    assert [one.near for one in verified.unknown] == [(MAIN[0], "クリスタル・メモリー")]


@given(known_lists, known_lists)
def test_the_differences_make_one_list_of_the_other(one: CanonicalList, other: CanonicalList) -> None:
    """Taking away what is missing and adding what is extra, in the zones that are told, ends at the other list."""
    counts = Counter({(listed.zone, listed.card): listed.copies for listed in one.copies})
    for diff in differences(one, other, garden_game.FOLD):
        if diff.registered is not None:
            counts[diff.registered, diff.card] -= diff.copies
        if diff.found is not None:
            counts[diff.found, diff.card] += diff.copies
    assert +counts == Counter({(listed.zone, listed.card): listed.copies for listed in other.copies})
    assert not -counts


def all_beside(zones: Mapping[str, Mapping[str, int]]) -> dict[str, Counter[str]]:
    """The cards of the main deck put with those of the side."""
    beside = Counter(zones.get("main", {})) + Counter(zones.get("side", {}))
    return {**{zone: Counter(names) for zone, names in zones.items() if zone != "main"}, "side": beside}


@given(lists)
def test_between_zones_of_exchange_only_sums_count(listed: CanonicalList) -> None:
    moved = CanonicalList(all_beside(listed.cards), all_beside(listed.unknown))
    assert differences(listed, moved, garden_game.FOLD, exchange=frozenset({"main", "side"})) == ()
    kinds = {diff.kind for diff in differences(listed, moved, garden_game.FOLD)}
    assert kinds <= {"moved"}
    assert bool(kinds) == any(one.zone == "main" for one in listed.copies)
