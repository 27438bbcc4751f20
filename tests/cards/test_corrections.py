"""What corrections and extra files may say about cards, and what is told about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.kites_game import CARDS, GAME, names, write_table

from deckcheck.cards.catalog import CardTable, open_catalog
from deckcheck.support.errors import UserError

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
    set: {cost: ∞, released: 2003-03-03, home: ground}
    unset: [wind]
    add_aliases: [竜の凧]
    remove_printings: [K1]
  - {card: 天の ドラゴン凧, reason: And again., set: {name: 天空の ドラゴン凧}}
""",
    )
    (card,) = table.find("竜の凧")
    assert card.name == "天空の ドラゴン凧"
    assert card.corrections == ("The first source was wrong.", "And again.")
    assert (card.facts, card.home, card.released) == ({"cost": float("inf")}, "ground", "2003-03-03")
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
        ("{card: 左の翼, reason: r, set: {home: sky}}", "home: changes nothing"),
        ("{card: 左の翼, reason: r, set: {verified: true}}", "verified: changes nothing"),
        ("{card: 左の翼, reason: r, set: {name: 右の翼}}", "is another card's name"),
        ("{card: 左の翼, reason: r, set: {wind: [nort]}}", "wind[1]: unknown value: nort"),
        ("{card: 左の翼, reason: r, set: {aliases: 5}, add_aliases: [a]}", "aliases: must be a list"),
        ("{card: 左の翼, reason: r, set: {wnid: [north]}}", "unknown key: wnid"),
        ("{card: 左の翼, reason: r, unset: [cost]}", "cost: changes nothing"),
        ("{card: 左の翼, reason: r, unset: [name]}", "has no name"),
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
    with pytest.raises(UserError) as caught:
        corrected(tmp_path, f"  # a comment\n  - {entry}\n")
    problem = caught.value.problems[0]
    assert message in problem.message.en
    assert problem.path is not None and problem.path.endswith("corrections.yaml")
    assert problem.line == 3


def test_a_correction_that_did_its_work_cannot_be_repeated(tmp_path: Path) -> None:
    entry = "  - {card: 左の翼, reason: r, set: {cost: 1}}\n"
    assert corrected(tmp_path, entry).find("左の翼")[0].facts == {"cost": 1.0}
    with pytest.raises(UserError) as caught:
        corrected(tmp_path, entry * 2)
    assert caught.value.problems[0].line == 3


def test_a_name_made_of_unknown_cards_is_an_error(tmp_path: Path) -> None:
    cards = [{"name": "左の翼"}, {"name": "大きな翼", "made_of": ["左の翼", "左の石翼"]}]
    with pytest.raises(UserError) as caught:
        open_catalog(GAME, bundled=write_table(tmp_path / "bundle", cards))
    (problem,) = caught.value.problems
    assert (problem.line, problem.message.en) == (2, "no such card: 左の石翼")
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
