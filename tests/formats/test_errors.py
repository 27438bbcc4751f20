"""Every mistake in a format or a banlist is told with its place, and a broken format never half-works."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.format_mistakes import BASE, HEAD, LIST, LISTED, MISTAKES, Mistake, rules
from factories.garden_game import GARDEN, Shelf, card, load, opened

from deckcheck.formats.loading import load_format
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


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    [problem] = problems_of(b"format: garden/x\nname: \xff\n", tmp_path)
    assert (problem.line, problem.message.ja) == (2, "UTF-8ではありません")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xef\xbb\xbf" + rules("- {id: a, at_most: 3}\n").encode())
    assert load(tmp_path / "x.yaml").format.id == "garden/x"


def test_characters_that_may_not_stand_in_yaml(tmp_path: Path) -> None:
    [problem] = problems_of(b"format: garden/x\0\n", tmp_path)
    assert problem.message.en.startswith("not valid YAML")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    [problem] = problems_of(b"# \n" * 2_000_000, tmp_path)
    assert problem.message.ja == "大きすぎます（4,194,304バイトまで）"


def test_more_values_than_any_format_has(tmp_path: Path) -> None:
    [problem] = problems_of("- a\n" * 250_000, tmp_path)
    assert problem.message.en == "too many values"


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_endless_nesting_is_no_crash(opening: str, tmp_path: Path) -> None:
    [problem] = problems_of(opening * 100_000, tmp_path)
    assert problem.message.en == "nested too deeply"


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    for name, said in (("nowhere.yaml", "no such file"), ("folder.yaml", "can't be read: Is a directory")):
        (tmp_path / "folder.yaml").mkdir(exist_ok=True)
        with pytest.raises(UserError) as caught:
            load_format(str(tmp_path / name), opened())
        assert caught.value.problems[0].message.en == said


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("duel-masters/comander", "did you mean DM Commander (duel-masters/commander)?"),
        ("DMCC", "did you mean DM Commander (duel-masters/commander)?"),
        ("xyzzy-xyzzy-xyzzy", "`deckcheck formats` lists them"),
        ("", "`deckcheck formats` lists them"),
        ("../../../../etc/passwd", "`deckcheck formats` lists them"),
        ("a" * 5000, "`deckcheck formats` lists them"),
        ("a\0b", "`deckcheck formats` lists them"),
    ],
)
def test_a_format_that_nobody_knows(reference: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        load_format(reference, opened())
    [problem] = caught.value.problems
    assert problem.hint is not None
    assert problem.hint.en == hint


@pytest.mark.parametrize("key", ["extends", "banlists"])
@pytest.mark.parametrize(
    "name", ["a\\0b", "a\\0b.yaml", "a" * 5000, "a" * 5000 + ".yaml", ".", "..", "../../x", "/"]
)
def test_names_that_no_file_can_have(key: str, name: str, tmp_path: Path) -> None:
    [problem] = problems_of(rules("- {id: a, at_most: 3}\n") + f'{key}: ["{name}"]\n', tmp_path)
    assert (problem.line, problem.column) == (6, len(key) + 4)


def test_files_that_extend_one_another_many_times_are_read_once(tmp_path: Path) -> None:
    """Two to the power of fifteen ways lead to the last file."""
    for at in range(15):
        for side in "ab":
            beneath = f"[a{at + 1}.yaml, b{at + 1}.yaml]" if at < 14 else "base.yaml"
            (tmp_path / f"{side}{at}.yaml").write_text(
                f"format: garden/{side}{at}\nname: F\nabstract: true\nextends: {beneath}\n"
            )
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "x.yaml").write_text("format: garden/x\nname: X\nextends: [a0.yaml, b0.yaml]\n")
    assert [rule.id for rule in load(tmp_path / "x.yaml").format.rules] == ["size"]


def test_a_circle_of_files(tmp_path: Path) -> None:
    for name, other in (("one", "two"), ("two", "three"), ("three", "one")):
        (tmp_path / f"{name}.yaml").write_text(f"format: garden/{name}\nname: N\nextends: {other}.yaml\n")
    with pytest.raises(UserError) as caught:
        load(tmp_path / "one.yaml")
    [problem] = caught.value.problems
    assert problem.in_("en") == f"{tmp_path}/three.yaml:3:1: 'one.yaml' extends itself through other formats"


def test_a_chain_of_files_without_end(tmp_path: Path) -> None:
    for at in range(30):
        (tmp_path / f"f{at}.yaml").write_text(f"format: garden/f{at}\nname: F\nextends: f{at + 1}.yaml\n")
    with pytest.raises(UserError) as caught:
        load(tmp_path / "f0.yaml")
    [problem] = caught.value.problems
    assert problem.in_("en") == f"{tmp_path}/f20.yaml:3:1: more than 20 formats extend one another"
    assert problem.message.ja == "継承が20段を超えています"


def test_too_many_files(tmp_path: Path) -> None:
    for at in range(120):
        (tmp_path / f"f{at}.yaml").write_text(BASE.replace("garden/base", f"garden/f{at}"))
    for at in range(6):
        names = ", ".join(f"f{one}.yaml" for one in range(at * 20, at * 20 + 20))
        (tmp_path / f"g{at}.yaml").write_text(f"format: garden/g{at}\nname: G\nextends: [{names}]\n")
    assert load(tmp_path / "g0.yaml")
    [problem] = problems_of(
        f"format: garden/x\nname: X\nextends: [{', '.join(f'g{at}.yaml' for at in range(6))}]\n", tmp_path
    )
    assert problem.message.en == "more than 100 files are extended"
    assert problem.message.ja == "継承が100ファイルを超えています"
    names = ", ".join(f"f{one}.yaml" for one in range(21))
    [problem] = problems_of(f"format: garden/x\nname: X\nextends: [{names}]\n", tmp_path)
    assert problem.in_("en") == f"{tmp_path}/x.yaml:3:1: at most 20 entries are allowed"
    assert problem.message.ja == "20個までです"


def test_a_family_with_too_many_rules_is_left_before_it_takes_long(tmp_path: Path) -> None:
    zones, many = "zones: {main: {}}\nabstract: true\nrules:\n", 1_000
    for at in range(12):
        each = "".join(f"- {{id: r{at}-{one}, at_most: 9, where: {{name: Rose}}}}\n" for one in range(many))
        (tmp_path / f"f{at}.yaml").write_text(f"format: garden/f{at}\nname: F\n{zones}{each}")
    extended = ", ".join(f"f{at}.yaml" for at in range(12))
    [problem] = problems_of(f"{HEAD}extends: [{extended}]\n", tmp_path)
    assert problem.message.en == "more than 5,000 rules are extended"
    assert problem.message.ja == "継承する規則が5,000件を超えています"
    assert (problem.line, problem.column) == (4, 56), "where the sixth of them is asked for"


def test_a_mistake_in_an_extended_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base2.yaml").write_text(BASE.replace("at_most: 60", "at_most: 60, in: mian"))
    [problem] = problems_of("format: garden/x\nname: X\nextends: base2.yaml\n", tmp_path)
    assert problem.in_("en").startswith(f"{tmp_path}/base2.yaml:4:")


def test_a_zone_of_an_extended_rule_that_is_not_played_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base2.yaml").write_text(BASE.replace("at_most: 60", "at_most: 60, in: leader"))
    [problem] = problems_of("format: garden/x\nname: X\nextends: base2.yaml\nzones: {main: {}}\n", tmp_path)
    assert problem.in_("en").startswith(f"{tmp_path}/base2.yaml:4:")
