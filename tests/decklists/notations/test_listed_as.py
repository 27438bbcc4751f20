"""Lists with a commander go through notations that have no word for one, and come back as they were."""

from __future__ import annotations

from collections import Counter

import pytest

from deckcheck.checking.judge import LoadedFormat, load_format, read_deck
from deckcheck.rewriting.conversion import convert
from deckcheck.support.errors import UserError

LIST = "Commander\n1 Kenrith, the Returned King\nDeck\n98 Plains\n1 Sol Ring\n"
PARTNERS = "Commander\n1 Tymna the Weaver\n1 Thrasios, Triton Hero\nDeck\n97 Plains\n1 Sol Ring\n"


def commander() -> LoadedFormat:
    return load_format("magic/commander")


def zones(text: str, notation: str | None) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for entry in read_deck(commander(), text, "-", notation).entries:
        found[entry.zone, entry.cards[0].name] += entry.copies
    return found


@pytest.mark.parametrize(
    "to", ["mtgo", "dek", "cockatrice", "xmage", "forge", "arena", "moxfield", "csv", "yaml"]
)
@pytest.mark.parametrize("text", [LIST, PARTNERS])
def test_a_commander_is_the_commander_again(text: str, to: str) -> None:
    rules = commander()
    made = convert(rules.game_data, text, "-", to, format=rules).text

    assert zones(made, to) == zones(text, None)
    back = convert(rules.game_data, made, "-", "arena", notation=to, format=rules).text
    assert zones(back, None) == zones(text, None)
    assert back.startswith("Commander\n")


def test_of_a_format_that_nobody_names_nothing_is_listed_elsewhere() -> None:
    with pytest.raises(UserError, match="has no place for “Commander”"):
        convert(commander().game_data, LIST, "-", "dek")


def test_a_sideboard_that_is_there_is_not_mixed_with_commanders() -> None:
    rules = commander()
    with pytest.raises(UserError, match="has no place for “Commander”"):
        convert(rules.game_data, f"{LIST}Sideboard\n1 Lightning Bolt\n", "-", "dek", format=rules)


def test_more_than_can_be_commanders_are_not_listed_elsewhere() -> None:
    rules = commander()
    three = LIST.replace("Deck\n", "1 Tymna the Weaver\n1 Thrasios, Triton Hero\nDeck\n")
    with pytest.raises(UserError, match="has no place for “Commander”"):
        convert(rules.game_data, three, "-", "dek", format=rules)


@pytest.mark.parametrize(
    "text", [LIST, PARTNERS, LIST.replace("Deck\n", "Companion\n1 Umori, the Collector\nDeck\n")]
)
def test_the_notations_without_a_word_for_a_commander_hold_the_same_deck(text: str) -> None:
    rules = commander()
    read = {
        to: zones(convert(rules.game_data, text, "-", to, format=rules).text, to)
        for to in ("dek", "mtgo", "xmage", "cockatrice", "forge")
    }
    assert all(found == zones(text, None) for found in read.values()), read


def test_a_commander_on_top_is_written_as_one() -> None:
    rules = commander()
    made = convert(
        rules.game_data, "1 Kenrith, the Returned King\n1 Sol Ring\n98 Plains\n", "-", "arena", format=rules
    )
    assert made.text == "Commander\n1 Kenrith, the Returned King\n\nDeck\n1 Sol Ring\n98 Plains\n"
