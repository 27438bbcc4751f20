"""An empty line that may begin the sideboard, and is taken for nothing, is told."""

from __future__ import annotations

import pytest

from deckcheck.checking.judge import load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.rewriting.formatter import Formatter
from deckcheck.support.errors import UserError


def read(text: str, format: str = "magic/limited", notation: str | None = None) -> Deck:
    return read_deck(load_format(format), text, "-", notation)


def told(deck: Deck) -> list[tuple[str, int, int]]:
    return [(one.id, one.line, one.column) for one in deck.diagnostics]


MAIN, SIDE = "29x Mountain\n1x Opt\n", "8x Swamp\n3x Duress\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{MAIN}\n{SIDE}",
        f"{MAIN}\n\n \n{SIDE}\n\n",
        f"Burn\n{MAIN}\n{SIDE}",
        f"Deck\n{MAIN}\n{SIDE}",
        f"Lands\n{MAIN}\n{SIDE}",
        f"{MAIN}\n---\n{SIDE}",
        f"4x Brainstorm\n{MAIN}\n4x Giant Growth\n2x Duress\n\n{SIDE}",
        "29 Mountain\n1 Opt\n\n4 Brainstorm\n4 Duress\n\n11 Swamp\n",
        "《山》×29\n《選択》×1\n\n《沼》×11\n",
        "Mountain x29\nOpt x1\n\nSwamp x11\n",
    ],
)
def test_the_last_block_may_be_the_sideboard(text: str) -> None:
    deck = read(text)
    assert {entry.zone for entry in deck.entries} == {"main"}
    [(id, line, _)] = told(deck)
    assert id == "empty-line"
    last = max(
        at for at, one in enumerate(deck.lines) if not one.strip() and any(map(str.strip, deck.lines[at:]))
    )
    assert last < line == min(entry.line for entry in deck.entries if entry.line > last)
    assert deck.diagnostics[0].message.en == (
        "counted in “Main deck”, too; if “Sideboard” begins here, put that heading above"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{MAIN}{SIDE}",
        f"\n{MAIN}{SIDE}\n\n",
        f"{MAIN}\nSideboard\n{SIDE}",
        f"{MAIN}\nLands\n{SIDE}",
        f"{MAIN}\n// Lands\n{SIDE}",
        f"Sideboard\n{SIDE}\nDeck\n{MAIN}",
        f"{SIDE}\n{MAIN}",
        "Companion\n1x Lurrus of the Dream-Den\n\nDeck\n29x Mountain\n\n1x Swamp\n",
        "9x Mountain\n\n9x Island\n\n9x Forest\n\n9x Plains\n\n4x Swamp\n",
    ],
)
def test_where_it_can_be_no_sideboard_nothing_is_told(text: str) -> None:
    assert told(read(text)) == []


def test_a_format_without_a_sideboard_has_none_to_begin() -> None:
    assert told(read(f"{MAIN}\n{SIDE}", "magic/oathbreaker")) == []


def test_whoever_says_that_it_is_text_has_been_heard() -> None:
    assert told(read(f"{MAIN}\n{SIDE}", notation="text")) == []


def test_in_other_games_an_empty_line_means_nothing() -> None:
    text = "4x 青銅の鎧\n4x フェアリー・ライフ\n\n2x 天災 デドダム\n"
    assert told(read(text, "duel-masters/duemagic")) == []


def test_a_list_that_is_ignored_in_part_is_told_too() -> None:
    text = f"# deckcheck: ignore-file[main-size]\n{MAIN}\n{SIDE}"
    assert [id for id, *_ in told(read(text))] == ["empty-line"]


def test_the_formatter_takes_no_empty_line_away_that_may_mean_something() -> None:
    with pytest.raises(UserError, match="put a heading there"):
        Formatter(load_format("magic/limited").game_data).format(f"{MAIN}\n{SIDE}", "a.txt")
