"""An empty line that may begin the sideboard, and is taken for nothing, is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import run_here

from deckcheck.checking.judge import check, load_format, read_deck
from deckcheck.model.deck import Deck
from deckcheck.model.finding import Report
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


def judged(text: str, format: str = "magic/modern", **how: str) -> Report:
    return check(text, load_format(format), as_of="2026-01-01", **how)


def sizes(report: Report) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in report.deck.entries:
        found[entry.zone] = found.get(entry.zone, 0) + entry.copies
    return found


@pytest.mark.parametrize(
    "text",
    [
        "4 Goblin Guide\n\n56 Mountain\n\n16 Plains\n",
        "4x Goblin Guide\n56x Mountain\n\n16x Plains\n",
        "4x Goblin Guide\n52x Mountain\n\n15x Plains\n",
    ],
)
def test_a_block_on_which_the_verdict_depends_leaves_it_open(text: str) -> None:
    report = judged(text)
    [finding] = report.findings
    assert (report.verdict, finding.rule) == ("undecided", "unknown-zone")
    assert finding.line == 1 + max(at for at, line in enumerate(text.split("\n")) if "Plains" in line)
    assert "put the heading “Sideboard” above" in finding.message.in_("en")
    assert "見出し「サイドボード」を書く" in finding.message.in_("ja")
    headed = text.replace("\n\n16", "\n\nSideboard\n16").replace("\n\n15", "\n\nSideboard\n15")
    assert judged(headed).verdict == "illegal"
    assert judged(text.replace("\n\n", "\n")).verdict == "legal"


@pytest.mark.parametrize(
    ("text", "format", "found"),
    [
        ("4 Goblin Guide\n\n56 Mountain\n\n15 Plains\n", "magic/modern", {"main": 60, "side": 15}),
        ("4x Goblin Guide\n56x Mountain\n\n9x Plains\n\n6x Island\n", "magic/modern", {"main": 60, "side": 15}),
        ("40 青銅の鎧\n\n10 フェアリー・ライフ\n\n12 天災 デドダム\n", "duel-masters/duemagic", {"main": 50, "side": 12}),
        ("40 青銅の鎧\n\n10 フェアリー・ライフ\n\n9 天災 デドダム\n", "duel-masters/duemagic", {"main": 50, "side": 9}),
        ("3 Dark Magician\n\n37 Summoned Skull\n\n15 Kuriboh\n", "yugioh/ocg", {"main": 40, "side": 15}),
    ],
)  # fmt: skip
def test_sizes_that_fit_exactly_prove_where_the_sideboard_begins(
    text: str, format: str, found: dict[str, int]
) -> None:
    report = judged(text, format)
    assert sizes(report) == found
    [said] = [finding for finding in report.findings if finding.rule == "empty-line"]
    assert said.severity == "info"
    assert "exactly" in said.message.in_("en") and "ちょうど" in said.message.in_("ja")


@pytest.mark.parametrize(
    ("text", "format", "found"),
    [
        # The blocks are groups of one deck.
        ("36 Goblin Guide\n\n24 Mountain\n", "magic/modern", {"main": 60}),
        ("4 Goblin Guide\n19 Shock\n\n17 Mountain\n", "magic/limited", {"main": 40}),
        ("20x Goblin Guide\n\n16x Shock\n\n25x Mountain\n", "magic/modern", {"main": 61}),
        # Words above a block say what it is.
        ("4x Goblin Guide\n56x Mountain\n\nLands\n15x Plains\n", "magic/modern", {"main": 75}),
        # Empty lines below each card say nothing.
        ("\n\n".join(["10 青銅の鎧"] * 5 + ["3 デーモン・ハンド"]), "duel-masters/duemagic", {"main": 53}),
        # Magic Online's own lists may lack cards.
        ("4 Goblin Guide\n41 Mountain\n\n15 Plains\n", "magic/modern", {"main": 45, "side": 15}),
    ],
)
def test_a_block_that_can_be_no_sideboard_is_none(text: str, format: str, found: dict[str, int]) -> None:
    report = judged(text, format)
    assert sizes(report) == found
    assert "unknown-zone" not in {finding.rule for finding in report.findings}


def test_a_block_on_which_nothing_depends_is_an_info() -> None:
    report = judged("4x Goblin Guide\n56x Mountain\n\n7x Plains\n")
    assert (report.verdict, [finding.rule for finding in report.findings]) == ("legal", ["empty-line"])


@pytest.mark.parametrize(
    "text",
    [
        "Deck\n4 Goblin Guide\n56 Mountain\nSB: 15 Plains\n15 Cards\n",
        "4 Goblin Guide\n56 Mountain\n60 Cards Total\nSB: 15 Plains\n15 sideboard cards\nTotal: 75 cards\n",
        "4 Goblin Guide\n56 Mountain\n60 cards in main deck\n\nSideboard:\n15 Plains\n15 cards total\n",
        "60 maindeck cards\n4 Goblin Guide\n56 Mountain\n15 sideboard cards\n15 Plains\n",
    ],
)
def test_sums_in_words_are_no_cards(text: str) -> None:
    report = judged(text)
    assert (sizes(report), report.findings) == ({"main": 60, "side": 15}, ())


@pytest.mark.parametrize("sum", ["59 cards total", "14 sideboard cards"])
def test_a_wrong_sum_in_words_is_told(sum: str) -> None:
    report = judged(f"4 Goblin Guide\n56 Mountain\nSB: 15 Plains\n{sum}\n")
    [finding] = report.findings
    assert (finding.rule, sizes(report)) == ("total-mismatch", {"main": 60, "side": 15})
    assert f"“{sum}”" in finding.message.in_("en")


@pytest.mark.parametrize("rest", [15, 16])
def test_no_command_takes_away_an_empty_line_that_means_something(
    rest: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deck.txt"
    file.write_text(f"# format: magic/modern\n4 Goblin Guide\n\n56 Mountain\n\n{rest} Plains\n", "utf-8")
    assert run_here("fmt", "--lang", "en", file) == 2
    assert "put a heading there" in capsys.readouterr().err
    assert file.read_text("utf-8").count("\n\n") == 2
    if rest == 15:
        assert run_here("convert", file, "--to", "arena") == 0
        assert "Sideboard\n15 Plains" in capsys.readouterr().out


MONSTERS = "".join(
    f"3 {name}\n"
    for name in (
        "Dark Magician", "Kuriboh", "Summoned Skull", "Celtic Guardian", "Mystical Elf", "Feral Imp", "Beaver Warrior",
        "Giant Soldier of Stone", "Mammoth Graveyard", "Gaia The Fierce Knight", "Curse of Dragon", "Battle Ox",
        "La Jinn the Mystical Genie of the Lamp", "Battle Steer",
    )
)  # fmt: skip
EXTRA = "3 Blue-Eyes Ultimate Dragon\n3 Gaia the Dragon Champion\n3 Stardust Dragon\n3 Black Rose Dragon\n3 Number 39: Utopia\n"


def test_a_third_block_below_cards_that_moved_home_may_be_the_side_deck() -> None:
    report = judged(f"{MONSTERS}\n{EXTRA}\n3 Kuribandit\n2 Time Wizard\n", "yugioh/ocg")
    assert (report.verdict, sizes(report)) == ("legal", {"main": 47, "extra": 15})
    assert [finding.line for finding in report.findings if finding.rule == "empty-line"] == [22]


def test_a_side_deck_that_would_make_the_others_too_large_leaves_the_verdict_open() -> None:
    report = judged(f"{MONSTERS}\n{EXTRA}\n3 Kuribandit\n2 Thousand Dragon\n", "yugioh/ocg")
    assert report.verdict == "undecided"
    assert [finding.line for finding in report.findings if finding.rule == "unknown-zone"] == [22]
    headed = judged(f"{MONSTERS}\n{EXTRA}\nSide Deck\n3 Kuribandit\n2 Thousand Dragon\n", "yugioh/ocg")
    assert headed.verdict == "legal"


@pytest.mark.parametrize(("below", "verdict"), [("10 Plains", "legal"), ("16 Plains", "undecided")])
def test_a_rule_may_begin_the_sideboard_too(below: str, verdict: str) -> None:
    report = judged(f"4 Goblin Guide\n56 Mountain\n---\n{below}\n")
    assert report.verdict == verdict
    [finding] = report.findings
    assert (finding.line, finding.rule) == (4, "empty-line" if verdict == "legal" else "unknown-zone")


def test_a_doubted_block_keeps_its_cards_where_they_moved() -> None:
    names = ("Kuribandit", "Time Wizard", "Baby Dragon", "Skull Servant", "Man-Eater Bug", "Rude Kaiser")
    below = "".join(f"3 {name}\n" for name in names)
    report = judged(
        f"{MONSTERS}{EXTRA.replace('3 Number', '2 Number')}\n{below}1 Number 39: Utopia\n", "yugioh/ocg"
    )
    assert report.verdict == "undecided"
    assert {finding.rule for finding in report.findings} == {"moved-to-home-zone", "unknown-zone"}
