"""Every mistake in a format or a banlist is told with its place, and a broken format never half-works."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.format_mistakes import BASE, HEAD, LIST, LISTED, MISTAKES, Mistake, rules
from factories.garden_game import GARDEN, Shelf, card, load

from deckcheck.support.documents import MOST_PROBLEMS
from deckcheck.support.errors import Problem, UserError

CARDS = Shelf([*GARDEN, card("Sour Plum", aliases=["Prune"])])


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.name for one in MISTAKES])
def test_a_mistake_is_told_with_its_place(mistake: Mistake, tmp_path: Path) -> None:
    problems = problems_of(mistake.text, tmp_path, mistake.listed)
    assert len(problems) == 1
    [problem] = problems
    listed, _, place = mistake.at.rpartition(" ")
    path = str(tmp_path / ("list.yaml" if listed else "x.yaml"))
    assert problem.in_("en") == f"{path}:{place}: {mistake.en}"
    assert problem.in_("ja") == f"{path}:{place}: {mistake.ja}"
    lines = (mistake.listed if listed else mistake.text or "").splitlines()
    assert problem.excerpt == (
        lines[problem.line - 1] if problem.line and lines[problem.line - 1 :] else None
    )


def problems_of(text: str | bytes, folder: Path, listed: str | None = None) -> tuple[Problem, ...]:
    (folder / "base.yaml").write_text(BASE)
    if listed is not None:
        (folder / "list.yaml").write_text(listed)
    file = folder / "x.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as caught:
        load(file, CARDS)
    return caught.value.problems


def test_the_files_around_the_mistakes_are_right(tmp_path: Path) -> None:
    """So that each file above fails for its one mistake only."""
    (tmp_path / "list.yaml").write_text(
        f"{LIST}cards:\n- card: Rose\n  history: [{{from: 2020-01-01, status: out}}]\n"
    )
    (tmp_path / "base.yaml").write_text(BASE)
    for text in (LISTED, BASE, rules("- {id: a, at_most: 3}\n"), f"{HEAD}extends: base.yaml\ndrop: [size]\nrules: [{{id: a, at_most: 1}}]\n"):  # fmt: skip
        (tmp_path / "x.yaml").write_text(text)
        assert load(tmp_path / "x.yaml", CARDS).format.rules


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = rules("- {id: a, at_most: 1, in: mian}\n- {id: b, at_least: 3, at_most: 2}\n- {id: c, at_most: 1, where: {kolour: red}}\n")  # fmt: skip
    problems = problems_of(text, tmp_path)
    assert [problem.line for problem in problems] == [5, 6, 7]
    shape = problems_of(f"{HEAD}rulez: 1\nbanlits: 1\nnaem: 2\n", tmp_path)
    assert [problem.line for problem in shape] == [4, 5, 6]


def test_no_more_mistakes_are_told_than_anyone_reads(tmp_path: Path) -> None:
    names = ", ".join(f"Nobody {at}" for at in range(500))
    assert (
        len(problems_of(rules(f"- {{id: a, at_most: 0, where: {{name: [{names}]}}}}\n"), tmp_path))
        == MOST_PROBLEMS
    )
    keys = "".join(f"key{at}: 1\n" for at in range(500))
    assert len(problems_of(HEAD + keys, tmp_path)) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("content", "place", "en", "ja"),
    [
        (b"format: garden/x\nname: \xff\n", (2, None), "not UTF-8", "UTF-8ではありません"),
        (b"format: garden/x\0\n", (1, 17), "not valid YAML: a character that is not allowed there", "YAMLとして読めません: 使えない文字があります"),
        (b"# \n" * 2_000_000, (None, None), "too large (at most 4,194,304 bytes)", "大きすぎます（4,194,304バイトまで）"),
        (b"- a\n" * 250_000, (200_001, 3), "too many values", "値が多すぎます"),
        *((opening * 100_000, None, "nested too deeply", "入れ子が深すぎます") for opening in (b"[", b"{a: ", b"- ", b"? ")),
    ],
    ids=["bytes", "characters", "size", "values", "lists", "maps", "items", "keys"],
)  # fmt: skip
def test_hostile_files(
    content: bytes, place: tuple[int | None, int | None] | None, en: str, ja: str, tmp_path: Path
) -> None:
    [problem] = problems_of(content, tmp_path)
    assert place is None or (problem.line, problem.column) == place
    assert (problem.message.en, problem.message.ja) == (en, ja)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xef\xbb\xbf" + rules("- {id: a, at_most: 3}\n").encode())
    assert load(tmp_path / "x.yaml").format.id == "garden/x"


@pytest.mark.parametrize("key", ["extends", "banlists"])
@pytest.mark.parametrize(
    "name", ["a\\0b", "a\\0b.yaml", "a" * 5000, "a" * 5000 + ".yaml", ".", "..", "../../x", "/"]
)
def test_names_that_no_file_can_have(key: str, name: str, tmp_path: Path) -> None:
    [problem] = problems_of(rules("- {id: a, at_most: 3}\n") + f'{key}: ["{name}"]\n', tmp_path)
    assert (problem.line, problem.column) == (6, len(key) + 4)


def test_a_mistake_in_an_extended_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base2.yaml").write_text(BASE.replace("at_most: 60", "at_most: 60, in: mian"))
    [problem] = problems_of("format: garden/x\nname: X\nextends: base2.yaml\n", tmp_path)
    assert problem.in_("en").startswith(f"{tmp_path}/base2.yaml:4:")
