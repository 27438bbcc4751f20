"""What `explain` says of a list: the kind of each line, and what each of its parts was taken for."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from deckcheck import UserError, explain, load_format
from deckcheck.decklists.auditor import SEPARATORS
from deckcheck.decklists.source import clean_line

FORMATS = {
    "duel-masters": "duel-masters/duemagic",
    "magic": "magic/commander",
    "yugioh": "yugioh/ocg",
}
CASES = [
    case
    for path in sorted((Path(__file__).parent / "lists").glob("*.yaml"))
    for case in yaml.safe_load(path.read_text("utf-8"))
    if path.stem not in ("records", "files", "notations", "format_zones", "pasted")
]


def test_each_part_of_each_line() -> None:
    text = (
        "【速攻】\n"
        "メインデッキ 8枚\n"
        "・青銅の鎧 (DM-01) ×4 # 切り札\n"
        "フェアリー・ライフ\n"
        "×4\n"
        "合計 8枚\n"
        "アクア・ガード ★★★★\n"
    )
    lines = explain(text, load_format("duel-masters/original"))
    assert [(line.number, line.kind) for line in lines] == [
        (1, "title"),
        (2, "zone"),
        (3, "cards"),
        (4, "cards"),
        (5, "count"),
        (6, "sum"),
        (7, "unread"),
        (8, "blank"),
    ]
    assert [(part.taken, part.text, part.column) for part in lines[2].parts] == [
        ("card", "青銅の鎧", 2),
        ("printing", "(DM-01)", 7),
        ("count", "×4", 15),
        ("comment", "# 切り札", 18),
    ]
    assert lines[6].why is not None and "枚数が書かれていません" in lines[6].why.in_("ja")


def test_places_are_those_of_the_line_as_written() -> None:
    [line] = explain("4 x Look at Me, I&#39;m R&amp;D", load_format("magic/vintage"))
    assert [(part.taken, part.column) for part in line.parts] == [("count", 1), ("card", 5)]


def test_a_count_on_another_line_is_told_as_one() -> None:
    text = "フェアリー・ライフ\n×4\n青銅の鎧\n×4\nアクア・ガード\n×2 # 予定\n"
    lines = explain(text, load_format("duel-masters/original"))
    assert [line.kind for line in lines] == ["cards", "count", "cards", "count", "cards", "count", "blank"]


def test_what_cannot_be_read_at_all_is_refused() -> None:
    with pytest.raises(UserError):
        explain("だれか\nなにか\n", load_format("duel-masters/original"))


@pytest.mark.parametrize("game", FORMATS)
def test_what_no_part_holds_only_separates(game: str) -> None:
    format = load_format(FORMATS[game])
    for case in (case for case in CASES if case["game"] == game and "refused" not in case):
        for line in explain(case["text"], format, path=case.get("path", "list.txt")):
            if line.kind == "unread":
                assert line.why is not None and not line.parts
                continue
            rest = clean_line(line.text)[0]
            for part in line.parts:
                rest = rest.replace(part.text, "", 1)
            assert not any(map(str.isalnum, rest)), (case["text"], line)
            assert all(char in SEPARATORS or char in "+＋" or char.isspace() for char in rest), line
