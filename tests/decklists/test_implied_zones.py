"""Cards in the zones that a format has: what it may say of them, and what is written and asked of such lists.

Where they are found stands in lists/format_zones.yaml.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from factories.errors import problem_of
from factories.rosters import EVENT, entry, judge_event
from msgspec.structs import replace

from deckcheck.checking.judge import check, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.model.format import ListedAs
from deckcheck.rewriting.conversion import convert
from deckcheck.support.errors import UserError

COMMANDER = load_format("magic/commander")
AS_OF = "2025-12-01"
LEADER = "Kenrith, the Returned King"
BELOW = f"1 Sol Ring\n98 Plains\n\n1 {LEADER}\n"
"""As Magic Online writes it: nothing says who leads but the empty line."""
LIST = f"Commander\n1 {LEADER}\nDeck\n98 Plains\n1 Sol Ring\n"
PARTNERS = LIST.replace(LEADER, "Tymna the Weaver\n1 Thrasios, Triton Hero")
COMPANION = LIST.replace("Deck\n", "Companion\n1 Lurrus of the Dream-Den\nDeck\n")


def zones(deck: Deck) -> dict[str, Counter[str]]:
    held: dict[str, Counter[str]] = {}
    for one in deck.entries:
        held.setdefault(one.zone, Counter())[one.name] += one.copies
    return held


def read(text: str, notation: str | None = None) -> dict[str, Counter[str]]:
    return zones(read_deck(COMMANDER, text, "-", notation))


def test_it_is_said_where_the_card_was_moved() -> None:
    [diagnostic] = read_deck(COMMANDER, BELOW, "-").diagnostics
    assert (diagnostic.id, diagnostic.line, diagnostic.column) == ("moved-to-home-zone", 4, 3)
    assert (diagnostic.message.in_("ja"), diagnostic.message.in_("en")) == (
        f"「{LEADER}」は「統率者」に数えます（このフォーマットに「サイドボード」はありません）",
        f"counted in “Commander”, for this format has no “Sideboard”: “{LEADER}”",
    )
    # Each format finds the cards in its own zones.
    for id, zone in (("magic/brawl", "commander"), ("magic/modern", "side")):
        assert zones(read_deck(load_format(id), BELOW, "-"))[zone] == {LEADER: 1}


def test_an_event_reads_a_list_as_a_check_does() -> None:
    event = replace(EVENT, format="magic/commander", as_of=AS_OF)
    [row] = judge_event(event, [entry(1, BELOW)], COMMANDER).rows
    assert row.report is not None and zones(row.report.deck) == read(BELOW)


@pytest.mark.parametrize(
    "to", ["mtgo", "dek", "cockatrice", "xmage", "forge", "arena", "moxfield", "csv", "yaml"]
)
@pytest.mark.parametrize("text", [LIST, PARTNERS, COMPANION])
def test_a_commander_goes_through_notations_without_a_word_for_one(text: str, to: str) -> None:
    made = convert(COMMANDER.game_data, text, "-", to, format=COMMANDER).text
    assert read(made, to) == read(text)
    back = convert(COMMANDER.game_data, made, "-", "arena", notation=to, format=COMMANDER).text
    assert read(back) == read(text) and back.startswith("Commander\n")


@pytest.mark.parametrize(
    ("text", "format"),
    [
        # Of a format that nobody names nothing is listed elsewhere; neither is what would be mixed with a sideboard.
        (LIST, None),
        (f"{LIST}Sideboard\n1 Lightning Bolt\n", COMMANDER),
        (PARTNERS.replace("Deck\n", f"1 {LEADER}\nDeck\n"), COMMANDER),
    ],
)
def test_what_would_be_read_otherwise_is_not_listed_elsewhere(text: str, format: object) -> None:
    with pytest.raises(UserError, match="has no place for “Commander”"):
        convert(COMMANDER.game_data, text, "-", "dek", format=format)  # type: ignore[arg-type]


def test_a_commander_on_top_is_written_as_one() -> None:
    made = convert(COMMANDER.game_data, f"1 {LEADER}\n99 Plains\n", "-", "arena", format=COMMANDER)
    assert made.text == f"Commander\n1 {LEADER}\n\nDeck\n99 Plains\n"


SHELF = """\
format: magic/shelf
name: {{ja: 棚, en: Shelf}}
zones:
  main: {{{more}}}
  commander: {{listed_as: {listed}}}
rules: [{{id: size, at_most: 60}}]
"""
SIDE = "{zone: side, at_most: 1}"


@pytest.mark.parametrize(
    ("listed", "more", "said"),
    [
        ("{zone: sied, at_most: 1}", "", "5:27: the game has no zone 'sied' (did you mean 'side'?)"),
        ("{zone: main, at_most: 1}", "", "5:27: 'main' is a zone of this format, so it stands in for no other"),
        (SIDE, "listed_as: {zone: companion, at_most: 1}", "4:3: cards under no heading are in 'main', so it needs no on_top or listed_as"),
        (SIDE, f"}}\n  companion: {{listed_as: {SIDE}", "6:27: 'side' already stands in for 'companion'"),
        ("{zone: side}", "", "5:15: missing: at_most"),
        ("{zone: side, at_most: 0}", "", "5:39: must be at least 1"),
        (SIDE, "}\n  companion: {listed_as: {zone: side, at_most: 1, where: {tug: companion}}", "5:59: there is no attribute 'tug' (there are: all, any, not, ref, name, "),
        ("side", "", "5:15: side is not allowed here; a mapping of keys to values is needed"),
        (SIDE, "", None),
    ],
)  # fmt: skip
def test_what_is_listed_elsewhere_must_make_sense(
    listed: str, more: str, said: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "shelf.yaml"
    file.write_text(SHELF.format(listed=listed, more=more), encoding="utf-8")
    if said is None:
        assert load_format(file).format.listed_as == {"commander": ListedAs("side", 1, None)}
        return
    problem = problem_of(load_format, file)
    assert problem.in_("en").startswith(f"{file}:{said}")


OPEN = """\
format: magic/open
name: {ja: 自由, en: Open}
zones: {main: {}, side: {}}
exchange: [main, side]
rules: [{id: shock, in: main, where: {name: Shock}, at_most: 0}]
"""


@pytest.mark.parametrize(
    ("text", "verdict"), [("8 x Opt\n\n4 x Shock\n", "undecided"), ("8 x Opt\n4 x Shock\n", "illegal")]
)
def test_without_a_least_size_any_block_may_be_the_sideboard(tmp_path: Path, text: str, verdict: str) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(OPEN, "utf-8")
    report = check(text, load_format(str(path)), as_of=AS_OF)
    assert report.verdict == verdict


@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("magic/modern", "60 Mountain\nSideboard\n15 Island\n\nMain deck\n60 Island\nSideboard\n15 Island"),
        ("magic/modern", "60 Mountain\nSideboard\n14 Island\nCut:\n2 Island"),
        ("magic/commander", f"Commander\n1 {LEADER}\n99 Plains"),
    ],
)
def test_cards_that_may_be_elsewhere_make_no_deck_illegal(id: str, text: str) -> None:
    assert check(text, load_format(id), as_of=AS_OF).verdict == "undecided"
