"""Cards stand in the zones that the format has, also where the list's notation has no word for one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from factories.rosters import EVENT, entry, judge_event
from msgspec.structs import replace

from deckcheck.analysis.which import which
from deckcheck.checking.judge import LoadedFormat, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.model.format import ListedAs
from deckcheck.rewriting.conversion import convert
from deckcheck.support.errors import UserError

LEADER = "Kenrith, the Returned King"
BELOW = f"1 Sol Ring\n98 Plains\n\n1 {LEADER}\n"
"""As Magic Online writes it: nothing says who leads but the empty line."""

AS_OF = "2025-12-01"


def commander() -> LoadedFormat:
    return load_format("magic/commander")


def zones(deck: Deck) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for one in deck.entries:
        found.setdefault(one.zone, Counter())[one.written] += one.copies
    return found


def in_xml(*side: str) -> str:
    cards = [("98", "Plains", "false"), ("1", "Sol Ring", "false"), *(("1", name, "true") for name in side)]
    return (
        "<Deck>\n"
        + "".join(f'<Cards Quantity="{n}" Sideboard="{s}" Name="{name}" />\n' for n, name, s in cards)
        + "</Deck>\n"
    )


@pytest.mark.parametrize("text", [BELOW, in_xml(LEADER), f"98 Plains\n1 Sol Ring\nSideboard\n1 {LEADER}\n"])
def test_who_leads_is_found_where_lists_without_a_word_for_it_put_them(text: str) -> None:
    deck = read_deck(commander(), text, "-")

    assert zones(deck) == {"main": {"Plains": 98, "Sol Ring": 1}, "commander": {LEADER: 1}}
    [diagnostic] = deck.diagnostics
    assert diagnostic.id == "moved-to-home-zone"
    assert (diagnostic.message.in_("ja"), diagnostic.message.in_("en")) == (
        f"「{LEADER}」は「統率者」に数えます（このフォーマットに「サイドボード」はありません）",
        f"counted in “Commander”, for this format has no “Sideboard”: “{LEADER}”",
    )
    assert deck.lines[diagnostic.line - 1][diagnostic.column - 1 :].startswith(LEADER)


def test_two_may_lead_and_three_are_a_sideboard() -> None:
    two = in_xml("Tymna the Weaver", "Thrasios, Triton Hero")
    assert zones(read_deck(commander(), two, "-"))["commander"].total() == 2

    three = in_xml("Tymna the Weaver", "Thrasios, Triton Hero", "Lightning Bolt")
    deck = read_deck(commander(), three, "-")
    assert zones(deck)["side"].total() == 3
    assert "commander" not in zones(deck)


def test_a_leader_under_the_heading_leaves_the_sideboard_a_sideboard() -> None:
    text = f"Commander\n1 {LEADER}\nDeck\n99 Plains\nSideboard\n1 Sol Ring\n"

    assert zones(read_deck(commander(), text, "-"))["side"] == {"Sol Ring": 1}


def test_empty_lines_between_groups_still_mean_nothing() -> None:
    text = f"Commander\n1 {LEADER}\n\nDeck\n1 Sol Ring\n95 Plains\n\n3 Island\n"
    assert zones(read_deck(commander(), text, "-")) == {
        "commander": {LEADER: 1},
        "main": {"Sol Ring": 1, "Plains": 95, "Island": 3},
    }
    grouped = "60 Plains\n1 Sol Ring\n\n37 Island\n"
    assert zones(read_deck(commander(), grouped, "-")) == {
        "main": {"Plains": 60, "Sol Ring": 1, "Island": 37}
    }


def test_a_format_with_a_sideboard_moves_nothing() -> None:
    deck = read_deck(load_format("magic/modern"), in_xml(LEADER), "-")

    assert zones(deck)["side"] == {LEADER: 1}
    assert deck.diagnostics == ()


def test_each_format_finds_the_cards_in_its_own_zones() -> None:
    formats = [load_format("magic/commander"), load_format("magic/brawl"), load_format("magic/modern")]
    fits = which(BELOW, "-", formats, as_of=AS_OF)

    found = {report.format: zones(report.deck) for game in fits.games for report in game.reports}
    assert found["magic/commander"]["commander"] == {LEADER: 1}
    assert found["magic/brawl"]["commander"] == {LEADER: 1}
    assert found["magic/modern"]["side"] == {LEADER: 1}


@pytest.mark.parametrize("text", [BELOW, "60 Plains\n1 Sol Ring\n\n37 Island\n"])
def test_an_event_reads_a_list_as_a_check_does(text: str) -> None:
    event = replace(EVENT, format="magic/commander", as_of=AS_OF)
    [row] = judge_event(event, [entry(1, text)], commander()).rows

    assert row.report is not None
    assert zones(row.report.deck) == zones(read_deck(commander(), text, "-"))
    assert "side" not in zones(row.report.deck)


LURRUS, JEGANTHA = "Lurrus of the Dream-Den", "Jegantha, the Wellspring"


@pytest.mark.parametrize(
    ("side", "found"),
    [
        ([LEADER, LURRUS], {"commander": [LEADER], "companion": [LURRUS]}),
        ([LURRUS, LEADER], {"commander": [LEADER], "companion": [LURRUS]}),
        (
            ["Tymna the Weaver", JEGANTHA, "Thrasios, Triton Hero"],
            {"commander": ["Tymna the Weaver", "Thrasios, Triton Hero"], "companion": [JEGANTHA]},
        ),
        # A companion that is the only card there leads.
        ([JEGANTHA], {"commander": [JEGANTHA]}),
        # Which of three leads can't be told.
        ([LEADER, JEGANTHA, LURRUS], {"side": [LEADER, JEGANTHA, LURRUS]}),
        (
            [LEADER, LURRUS, "Lightning Bolt", "Sol Ring"],
            {"side": [LEADER, LURRUS, "Lightning Bolt", "Sol Ring"]},
        ),
    ],
)
def test_commander_and_companion_are_told_apart(side: list[str], found: dict[str, list[str]]) -> None:
    lists = [
        in_xml(*side),
        "98 [M10:1] Plains\n" + "".join(f"SB: 1 [M10:2] {name}\n" for name in side),
    ]
    for text in lists:
        deck = read_deck(commander(), text, "-")
        assert {zone: list(cards) for zone, cards in zones(deck).items() if zone != "main"} == found
        moved = [one.id for one in deck.diagnostics if one.id == "moved-to-home-zone"]
        assert len(moved) == len(found.keys() - {"side"})


def test_a_companion_goes_through_a_notation_without_a_word_for_it() -> None:
    rules = commander()
    text = f"Commander\n1 {LEADER}\nCompanion\n1 {LURRUS}\nDeck\n99 Plains\n"
    for to in ("xmage", "mtgo", "dek", "forge"):
        made = convert(rules.game_data, text, "-", to, format=rules).text
        assert zones(read_deck(rules, made, "-", to)) == zones(read_deck(rules, text, "-"))


SHELF = """\
format: magic/shelf
name: {{ja: 棚, en: Shelf}}
zones:
  main: {{{more}}}
  commander: {{listed_as: {listed}}}
rules: [{{id: size, at_most: 60}}]
"""


@pytest.mark.parametrize(
    ("listed", "more", "said"),
    [
        ("{zone: sied, at_most: 1}", "", "5:27: the game has no zone 'sied' (did you mean 'side'?)"),
        (
            "{zone: main, at_most: 1}",
            "",
            "5:27: 'main' is a zone of this format, so it stands in for no other",
        ),
        (
            "{zone: side, at_most: 1}",
            "listed_as: {zone: companion, at_most: 1}",
            "4:22: cards under no heading are in 'main', so no other zone stands in for it",
        ),
        (
            "{zone: side, at_most: 1}",
            "}\n  companion: {listed_as: {zone: side, at_most: 1}",
            "6:27: 'side' already stands in for 'companion'",
        ),
        ("{zone: side}", "", "5:15: missing: at_most"),
        ("{zone: side, at_most: 0}", "", "5:39: must be at least 1"),
        (
            "{zone: side, at_most: 1}",
            "}\n  companion: {listed_as: {zone: side, at_most: 1, where: {tug: companion}}",
            "5:59: there is no attribute 'tug' (attributes: colour, identity (colour identity), ",
        ),
        ("side", "", "5:15: side is not allowed here; a mapping of keys to values is needed"),
        ("{zone: side, at_most: 1}", "", None),
    ],
)
def test_what_is_listed_elsewhere_must_make_sense(
    listed: str, more: str, said: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "shelf.yaml"
    file.write_text(SHELF.format(listed=listed, more=more), encoding="utf-8")
    if said is None:
        assert load_format(file).format.listed_as == {"commander": ListedAs("side", 1, None)}
        return
    with pytest.raises(UserError) as caught:
        load_format(file)
    [problem] = caught.value.problems
    assert problem.in_("en").startswith(f"{file}:{said}")


def test_a_card_that_is_marked_on_its_own_line_stays_where_the_mark_puts_it() -> None:
    text = "Deck\n3 Pyroblast (EMA) 142 [sideboard]\n56 Mountain (ANB) 114\n4 Shock (M21) 159\n\n"
    deck = read_deck(load_format("magic/modern"), f"{text}Sideboard\n15 Plains (ANB) 111\n", "-")
    assert zones(deck) == {
        "main": {"Mountain": 56, "Shock": 4},
        "side": {"Pyroblast": 3, "Plains": 15},
    }


def blocks(*sizes: int, line: str = "{n} {name}") -> str:
    """Basic lands in blocks of so many cards, below empty lines."""
    names = ("Plains", "Island", "Swamp", "Mountain", "Forest", "Wastes")
    rows = [line.format(n=size, name=name) for size, name in zip(sizes, names, strict=False)]
    return "\n\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("text", "main", "side"),
    [
        (blocks(20, 24, 16), 60, 0),
        (blocks(20, 24, 16, 15), 60, 15),
        (blocks(20, 24, 16, 15, line="{name} x{n}"), 60, 15),
        (blocks(20, 40, line="{n} {name} (XLN) 260"), 60, 0),
        (blocks(20, 24, 16, 15, line="{n} {name} (XLN) 260"), 60, 15),
        (blocks(20, 24, 16, line="{name} x{n}"), 60, 0),
    ],
)
def test_blocks_are_zones_where_their_sizes_prove_it(text: str, main: int, side: int) -> None:
    deck = read_deck(load_format("magic/modern"), text, "-")

    assert {zone: held.total() for zone, held in zones(deck).items()} == (
        {"main": main, "side": side} if side else {"main": main}
    )
    [diagnostic] = deck.diagnostics
    assert diagnostic.id == "empty-line"


HEADINGS = "■初動\n{0} 青銅の鎧\n■つなぎ\n4 天災 デドダム\n■フィニッシャー\n4 ボルシャック・ドラゴン\n"


@pytest.mark.parametrize(("copies", "main"), [(32, 40), (31, 31), (33, 33)])
def test_unknown_headings_sort_the_main_deck_where_their_cards_complete_it(copies: int, main: int) -> None:
    deck = read_deck(load_format("duel-masters/original"), HEADINGS.format(copies), "-")

    assert zones(deck)["main"].total() == main
    assert ("unknown-zone" in {item.id for item in deck.diagnostics}) == (main != 40)
    assert ("moved-to-home-zone" in {item.id for item in deck.diagnostics}) == (main == 40)


def test_one_unknown_heading_may_be_another_zone() -> None:
    text = "# deck: a\n36 青銅の鎧\n■サブ\n4 天災 デドダム\n"
    assert zones(read_deck(load_format("duel-masters/original"), text, "-"))["main"].total() == 36
