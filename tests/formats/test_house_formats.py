"""What somebody who writes a format of their own sees, at the command line and in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import run_here
from factories.errors import problem_of

from deckcheck.checking.judge import check, load_format
from deckcheck.formats.lookup import Folders

HEAD = "format: club/own\nname: Own\ngame: duel-masters\nzones: {main: {}}\n"
LIST = "8 コッコ・ルピア\n12 ボルシャック・ドラゴン\n20 アクア・ガード\n"


def format_with(folder: Path, rule: str, head: str = HEAD) -> Path:
    file = folder / "own.yaml"
    file.write_text(f"{head}rules:\n  - {rule}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("condition", ["{civilization: 火}", "{文明: Fire}", "{Civilization: fire}"])
def test_messages_say_the_condition_whichever_language_it_is_written_in(
    tmp_path: Path, condition: str
) -> None:
    file = format_with(tmp_path, f"{{id: fire, where: {condition}, at_most: 10}}")
    [finding] = check(LIST, load_format(file)).findings
    assert finding.message.in_("en") == "20 cards with civilization Fire; at most 10 allowed"
    assert finding.message.in_("ja") == "文明が火のカードが20枚です（10枚まで）"


@pytest.mark.parametrize(
    ("rule", "en", "ja"),
    [
        ("in: main, where: {civilization: [火, 水]}, at_least: 50", "Main deck: 40 cards with civilization Water or Fire; at least 50 needed", "メインデッキの文明が水か火のカードが40枚です（50枚以上）"),
        ("count: names, where: {civilization: 火}, at_most: 1", "2 different names among cards with civilization Fire; at most 1 allowed", "文明が火のカードが2種類です（1種類まで）"),
        ("in: main, count: {sum: cost}, where: {civilization: 火}, at_most: 1", "Main deck: total cost of cards with civilization Fire: 96; at most 1 allowed", "メインデッキにある文明が火のカードのコストの合計が96です（1まで）"),
    ],
)  # fmt: skip
def test_messages_of_other_counts_say_the_condition_too(tmp_path: Path, rule: str, en: str, ja: str) -> None:
    [finding] = check(LIST, load_format(format_with(tmp_path, f"{{id: a, {rule}}}"))).findings
    assert (finding.message.in_("en"), finding.message.in_("ja")) == (en, ja)


def test_formats_values_lists_what_can_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_here("--lang", "en", "formats", "values", "duel-masters") == 0
    text = capsys.readouterr().out
    assert "civilization (文明): words\n  光 (Light), 水 (Water)" in text
    assert "hyperspatial (超次元ゾーン / Hyperspatial zone)" in text
    assert "hall (殿堂 / Hall of Fame)" in text
    assert "deckcheck formats values duel-masters race" in text
    assert run_here("--lang", "ja", "formats", "values", "duel-masters", "種族") == 0
    text = capsys.readouterr().out
    assert text.startswith("race (種族): 語\n") and "ほか" not in text
    assert run_here("formats", "values", "duel-masters", "rase") == 2
    assert "did you mean 'race'?" in capsys.readouterr().err


# Files of a project with a bundled id

MIRACLE = "フェアリー・ミラクル"


def project(folder: Path, banlist: str) -> Folders:
    (folder / "list.yaml").write_text(banlist, encoding="utf-8")
    return Folders((folder,), (folder,))


LISTED = f"cards: [{{card: {MIRACLE}, history: [{{from: 2026-11-01, status: premium}}]}}]\n"
HALL = "banlist: duel-masters/hall-of-fame\nname: Hall\n"


def test_an_announcement_is_merged_with_the_bundled_list_by_day(tmp_path: Path) -> None:
    format = load_format("duel-masters/original", folders=project(tmp_path, HALL + LISTED))
    deck = f"1 {MIRACLE}\n4 ヘブンズ・ゲート\n"
    before, after = check(deck, format, as_of="2026-10-31"), check(deck, format, as_of="2026-11-01")
    assert {"premium"} == {item.rule for item in after.findings} - {item.rule for item in before.findings}
    [premium] = [item for item in after.findings if item.rule == "premium"]
    assert premium.source is not None and premium.source.path == str(tmp_path / "list.yaml")
    # The bundled entries stand.
    assert len(format.format.banlists[0].entries) > 50
    [told] = [item for item in after.findings if item.rule == "overridden"]
    assert told.message.in_("en").endswith(f"is used with the changes in {tmp_path}/list.yaml")
    assert told.message.in_("ja").startswith("殿堂レギュレーション")


@pytest.mark.parametrize("whole", ["complete_through: 2026-11-01\n", "partial: true\n"])
def test_any_other_list_with_a_bundled_id_is_refused_unless_it_says_so(tmp_path: Path, whole: str) -> None:
    kinds = "".join(
        f"- {{card: {name}, history: [{{from: 2026-01-01, status: {status}}}]}}\n"
        for name, status in (("青銅の鎧", "hall"), (MIRACLE, "premium"))
    )
    pair = f"combinations: [{{sides: [[青銅の鎧], [{MIRACLE}]], history: [{{from: 2026-01-01, status: pair}}]}}]\n"
    text = f"{HALL}{whole}cards:\n{kinds}{pair}"
    problem = problem_of(load_format, "duel-masters/original", folders=project(tmp_path, text))
    assert problem.in_("en") == (
        f"{tmp_path}/list.yaml:1:1: the id 'duel-masters/hall-of-fame' is that of a bundled file "
        "(choose another id, or write `replaces_bundled: true` to use this file in its place)"
    )
    assert problem.message.in_("ja") == "「duel-masters/hall-of-fame」は同梱のファイルのidです"
    format = load_format(
        "duel-masters/original", folders=project(tmp_path, f"{text}replaces_bundled: true\n")
    )
    report = check("4 青銅の鎧\n", format, as_of="2026-10-31")
    assert len(format.format.banlists[0].entries) == 3
    assert any("in place of the bundled list" in item.message.in_("en") for item in report.findings)


def test_a_format_with_a_bundled_id_is_refused_unless_it_says_so(tmp_path: Path) -> None:
    text = HEAD.replace("club/own", "duel-masters/original") + "rules: [{id: size, at_most: 60}]\n"
    (tmp_path / "original.yaml").write_text(text, encoding="utf-8")
    folders = Folders((tmp_path,))
    problem = problem_of(load_format, "duel-masters/original", folders=folders)
    assert "`replaces_bundled: true`" in problem.in_("en")
    (tmp_path / "original.yaml").write_text(f"{text}replaces_bundled: true\n", encoding="utf-8")
    report = check(LIST, load_format("duel-masters/original", folders=folders))
    assert [item.rule for item in report.findings] == ["overridden"]
    assert report.verdict == "legal"
