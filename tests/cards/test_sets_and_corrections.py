"""What comes with a game: corrections to its cards, and what the days of its sets say of cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.card_tables import CARDS, names, write_table
from factories.errors import problem_of, problems_of
from factories.garden_game import GAME

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.cards.sets_and_corrections import Sets, read_sets
from deckcheck.model.card import Days

pytestmark = pytest.mark.usefixtures("own_folders")


def corrected(tmp_path: Path, entry: str) -> CardTable:
    folder = write_table(tmp_path / "bundle", CARDS, f"corrections:\n{entry}")
    return open_catalog(GAME, bundled=folder)


def test_corrections_replace_remove_and_tell_why(tmp_path: Path) -> None:
    table = corrected(
        tmp_path,
        """
  - card: 天のドラゴン凧
    reason: The first source was wrong.
    set: {cost: ∞, released: 2003-03-03, home: side}
    unset: [colour]
    add_aliases: [竜の凧]
    remove_printings: [K1]
  - {card: 天の ドラゴン凧, reason: And again., set: {name: 天空の ドラゴン凧}}
""",
    )
    (card,) = table.find("竜の凧")
    assert card.name == "天空の ドラゴン凧"
    assert card.corrections == ("The first source was wrong.", "And again.")
    assert (card.facts, card.home, card.released) == ({"cost": float("inf")}, "side", "2003-03-03")
    assert [item.set for item in card.printings] == ["K2"]
    assert card.aliases == ("Sky Dragon", "竜の凧")
    assert table.find("天の ドラゴン凧") == ()
    assert table.find("左の翼")[0].corrections == ()


def test_a_card_may_be_another_under_an_other_spelling(tmp_path: Path) -> None:
    entry = "  - {card: 天の ドラゴン凧, reason: One card., same_as: 表の月}\n"
    table = corrected(tmp_path, entry)
    (card,) = table.find("Sky Dragon")
    assert card is table.find("天のドラゴン凧")[0] is table.find("裏の月")[0]
    assert (card.name, card.released, card.corrections) == ("表の月", "2001-01-01", ("One card.",))
    assert [item.set for item in card.printings] == ["K2", "K1", "K1"]
    assert len(table) == 8


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{card: 天のドラコン凧, reason: r, unset: [cost]}", "no such card"),
        ("{card: 左の翼, reason: r, same_as: 右の羽}", "no such card: 右の羽"),
        ("{card: 左の翼, reason: r, same_as: 左の翼}", "is the card itself"),
        ("{card: 左の翼, reason: r, set: {aliases: [対の片方]}}", "aliases: changes nothing"),
        ("{card: 左の翼, reason: r, set: {home: main}}", "home: changes nothing"),
        ("{card: 左の翼, reason: r, set: {verified: true}}", "verified: changes nothing"),
        ("{card: 左の翼, reason: r, set: {name: 右の翼}}", "is another card's name"),
        ("{card: 左の翼, reason: r, set: {colour: [rad]}}", "colour[1]: 'rad' is not one of"),
        (
            "{card: 左の翼, reason: r, set: {aliases: 5}, add_aliases: [a]}",
            "aliases: 5 is not allowed here; a list is needed",
        ),
        ("{card: 左の翼, reason: r, set: {coluor: [red]}}", "unknown key 'coluor'"),
        ("{card: 左の翼, reason: r, unset: [cost]}", "cost: changes nothing"),
        ("{card: 左の翼, reason: r, unset: [name]}", "missing: name"),
        ("{card: 左の翼, reason: r, add_aliases: [対の片方]}", "対の片方: changes nothing"),
        ("{card: 左の翼, reason: r, remove_printings: [K1]}", "K1: changes nothing"),
        ("{card: 左の翼, reason: r}", "must hold either"),
        ("{card: 左の翼, reason: r, set: {}}", "this is empty"),
        ("{card: 左の翼, reason: r, unset: [[cost]]}", "[…] is not allowed here; text is needed"),
        ("{card: 左の翼, reason: r, same_as: 右の翼, unset: [cost]}", "must hold either"),
        ("{card: 左の翼, set: {cost: 1}}", "missing: reason"),
        ("{reason: r, set: {cost: 1}}", "missing: card"),
        ("{card: 左の翼, reason: r, ste: {cost: 1}}", "unknown key 'ste'"),
        ("text", "a mapping of keys to values is needed"),
    ],
)
def test_corrections_without_effect_or_sense_are_errors(tmp_path: Path, entry: str, message: str) -> None:
    problem = problems_of(corrected, tmp_path, f"  # a comment\n  - {entry}\n")[0]
    assert message in problem.message.en
    assert problem.path is not None and problem.path.endswith("corrections.yaml")
    assert problem.line == 3


def test_a_name_made_of_unknown_cards_is_an_error(tmp_path: Path) -> None:
    cards = [{"name": "左の翼"}, {"name": "大きな翼", "made_of": ["左の翼", "左の石翼"]}]
    problem = problem_of(open_catalog, GAME, bundled=write_table(tmp_path / "bundle", cards))
    assert (problem.line, problem.message.en) == (2, "made_of[2]: no such card: 左の石翼")
    assert problem.hint is not None and "左の翼" in problem.hint.en


def test_a_small_yaml_file_is_enough_for_a_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text(
        "cards:\n  - {name: '750', cost: 1.5}\n  - {name: 凧, aliases: ['12:30']}\n", encoding="utf-8"
    )
    table = open_catalog(GAME, extra=[file])
    assert names(table, "750") == ["750"]
    assert names(table, "12:30") == ["凧"]
    assert table.find("750")[0].facts == {"cost": 1.5}


# Sets

SETS = Sets(
    {
        "released": {
            "OLD": "2001-01-01",
            "NEW": "2005-05-05",
            "LATE": "2009-09-09",
            "GUESS": "2000-01-01",
            "DROPS": "1999-01-01",
        },
        "approximate": ["GUESS"],
        "ongoing": ["DROPS"],
        "opening": {"pool": {"south": ["NEW", "LATE", "SOON"]}},
    }
)


def card(*sets: str | dict[str, str], **more: Any) -> dict[str, Any]:
    printings = [{"set": each} if isinstance(each, str) else each for each in sets]
    return {"name": "凧", "pool": ["south", "north"], "printings": printings, **more}


@pytest.mark.parametrize(
    ("record", "day"),
    [
        (card("NEW", "OLD"), "2001-01-01"),
        (card("DROPS", "NEW"), "2005-05-05"),
        (card("GUESS", "NEW"), "2005-05-05"),
        (card("DROPS"), None),
        (card("GUESS", "DROPS"), None),
        (card(), None),
        # A set that nobody dated may have been the first.
        (card("SOON", "NEW"), None),
        (card({"set": "DROPS", "released": "2004-04-04"}, "NEW"), "2004-04-04"),
        (card("NEW", released="2003-03-03"), "2003-03-03"),
    ],
)
def test_the_first_day_is_that_of_a_printing_whose_day_is_certain(
    record: dict[str, Any], day: str | None
) -> None:
    assert SETS.first_day(record) == day


@pytest.mark.parametrize(
    ("record", "days"),
    [
        (card("OLD", "LATE", "NEW"), Days("2005-05-05", "2005-05-05")),
        (card("NEW", "LATE"), None),
        (card("DROPS", "NEW"), None),
        # It may have been open since the printing in SOON, whose day nobody knows.
        (card("OLD", "SOON", "LATE", released="2001-01-01"), Days("", "2009-09-09")),
        (card("OLD", {"set": "SOON", "released": "2010-10-10"}), Days("2010-10-10", "2010-10-10")),
        # Some set opened it that the file doesn't know.
        (card("OLD", {"set": "OTHER", "released": "2011-11-11"}), Days("2001-01-01", "2011-11-11")),
        (card("OLD"), None),
        (card(), None),
    ],
)
def test_a_value_begins_with_the_first_printing_in_a_set_that_opens_it(
    record: dict[str, Any], days: Days | None
) -> None:
    assert SETS.days_of_values(record) == ({} if days is None else {"pool": {"south": days}})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"released":{"K":"soon"}}',
        '{"released":{},"other":1}',
        '{"released":{"K":5}}',
        '{"released":{},"ongoing":"K"}',
        '{"released":{},"ongoing":[1]}',
        '{"released":{},"opening":["K"]}',
        '{"released":{},"opening":{"pool":["K"]}}',
        '{"released":{},"opening":{"pool":{"south":"K"}}}',
        "[" * 99_999,
    ],
)
def test_wrong_release_dates_are_refused(text: str) -> None:
    assert problem_of(read_sets, Path("sets.json"), text.encode()).path == "sets.json"
