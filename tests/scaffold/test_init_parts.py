"""What `deckcheck init` is made of: each file by itself, guesses of formats, and names that are hostile."""

from __future__ import annotations

import os
import re
import stat
import string
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from factories.scratch import ROOT, deck_repository, deckcheck, example, put
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.scaffold import setup
from deckcheck.scaffold.survey import FoundDeck, Guess, Mapped, Survey, called, guess, playable_formats
from deckcheck.support.errors import UserError
from deckcheck.support.files import write_new

WRITTEN = ("deckcheck.toml", ".pre-commit-config.yaml", ".github/workflows/deckcheck.yml")
KNOWN = playable_formats()


def toml(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "deckcheck.toml").read_text("utf-8"))


# Each file by itself


def test_nothing_is_written_over_or_left_behind(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b.txt"
    assert write_new(file, b"one\n")
    assert not write_new(file, b"two\n")
    assert (file.read_bytes(), [one.name for one in file.parent.iterdir()]) == (b"one\n", ["b.txt"])
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~mask
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    assert not write_new(link, b"three\n"), "a link that leads nowhere is there, too"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(tmp_path, "a.txt", "theirs\n")
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    assert not write_new(file, b"ours\n")
    assert (file.read_text(), len(list(tmp_path.iterdir()))) == ("theirs\n", 1)


def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Path, __: Path) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    assert write_new(tmp_path / "a.txt", b"ours\n")
    assert not write_new(tmp_path / "a.txt", b"again\n")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["ours\n"]


@pytest.mark.parametrize("formats", [False, True])
def test_both_languages_say_the_same_to_machines(formats: bool) -> None:
    for kind in get_args(setup.Pipeline):
        ja, en = (setup.pipeline(kind, "deckcheck==1.0", lang, formats=formats) for lang in ("ja", "en"))
        assert ja != en
        assert "@" not in re.sub(r"@v\d+", "", ja + en), "a marker was left"
        assert without_names(yaml.safe_load(ja)) == without_names(yaml.safe_load(en))


def without_names(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_names(value) for key, value in data.items() if key != "name"}
    return [without_names(one) for one in data] if isinstance(data, list) else data


def test_the_hooks_are_those_that_are_published() -> None:
    published = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    [local] = yaml.safe_load(setup.pipeline("pre_commit", "x", "en", formats=True))["repos"]
    for ours, theirs in zip(local["hooks"], published, strict=True):
        assert ours.pop("additional_dependencies") == ["x"]
        del theirs["description"]
        assert ours == theirs


@given(st.text(min_size=1, max_size=60))
def test_a_requirement_is_one_word_wherever_it_stands(text: str) -> None:
    import shlex

    try:
        setup.require_requirement(text)
    except UserError:
        return
    [local] = yaml.safe_load(setup.pipeline("pre_commit", text, "ja", formats=False))["repos"]
    assert local["hooks"][0]["additional_dependencies"] == [text]
    steps = yaml.safe_load(setup.pipeline("github", text, "en", formats=True))["jobs"]["decks"]["steps"]
    gitlab = yaml.safe_load(setup.pipeline("gitlab", text, "en", formats=True))["deckcheck"]["before_script"]
    for script in (steps[2]["run"], *gitlab):
        assert shlex.split(script) == ["python", "-m", "pip", "install", text]


# Guessing


def decks(*said: str) -> list[FoundDeck]:
    """From "path" and "path=format"."""
    split = [one.partition("=") for one in said]
    return [FoundDeck(tuple(path.split("/")), format or None) for path, _, format in split]


@pytest.mark.parametrize(
    ("found", "format", "folders", "left_open"),
    [
        (["a.txt"], None, {}, 1),
        (["a.txt=original", "b.txt"], "duel-masters/original", {}, 0),
        (["x/a.txt=original", "x/b.txt"], None, {"x": "duel-masters/original"}, 0),
        (["x/a.txt=original", "y/b.txt"], None, {"x": "duel-masters/original"}, 1),
        (["x/a.txt=original", "y/b.txt=オリジナル"], "duel-masters/original", {}, 0),
        (["x/a.txt=original", "x/b.txt=advance"], None, {}, 0),
        (["x/a.txt=no such", "x/b.txt"], None, {}, 1),
        (["Duel Party/a.txt", "デュエパ/b.txt", "duel-masters-duemagic/c.txt"], None, {
            "Duel Party": "duel-masters/duel-party",
            "duel-masters-duemagic": "duel-masters/duemagic",
            "デュエパ": "duel-masters/duel-party",
        }, 0),
        (["DMC/a.txt=original", "b.txt"], None, {"DMC": "duel-masters/commander"}, 1),
        (["w/x/a.txt=original", "w/y/b.txt=original", "w/dmc/c.txt"], None, {
            "w": "duel-masters/original",
            "w/dmc": "duel-masters/commander",
        }, 0),
        (["original/old/a.txt=advance", "original/b.txt"], None, {
            "original": "duel-masters/original",
            "original/old": "duel-masters/advance",
        }, 0),
    ],
)  # fmt: skip
def test_guesses(found: list[str], format: str | None, folders: dict[str, str], left_open: int) -> None:
    guessed = guess(decks(*found), KNOWN)
    assert guessed.format == format
    assert {"/".join(one.parts): one.format for one in guessed.folders} == folders
    assert guessed.open == left_open


def test_a_name_that_two_formats_have_says_nothing() -> None:
    one, other = KNOWN[0], KNOWN[1]._replace(aliases=[KNOWN[0].id])
    assert called(one.id, [one]) == one.id
    assert called(one.id, [one, other]) is None


# Hostile names

names = st.text(
    st.one_of(
        st.sampled_from(string.punctuation.replace("/", "") + " \n\r\t\x7f\x85\u2028\u202e"),
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name not in (".", ".."))


@given(st.lists(st.lists(names, min_size=1, max_size=3), max_size=4), st.lists(names, max_size=3))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_name_breaks_out_of_its_string(folders: list[list[str]], files: list[str]) -> None:
    guessed = Guess("a/b", tuple(Mapped(tuple(parts), "c/d", False) for parts in folders), 0)
    found = Survey(no_decks=tuple((name,) for name in files))
    said = tomllib.loads(setup.settings(guessed, found, "ja", "e/f"))
    assert said.keys() <= {"format", "lang", "exclude", "decks"}
    assert [one.keys() for one in said.get("decks", [])] == [{"path", "format"}] * len(folders)
    assert [one["path"] for one in said.get("decks", [])] == [setup.all_below(tuple(one)) for one in folders]
    assert len(said.get("exclude", [])) == len(files)


HOSTILE = [
    "a' b",
    'q"uote',
    "${{ github.token }}",
    "[x]*?",
    "!no",
    "#c",
    " lead",
    "back\\slash",
    "-rf",
    "$(x);`y`",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_folder_of_any_name_is_mapped_to_its_format(tmp_path: Path, name: str) -> None:
    for path, with_format in ((f"{name}/said.csv", True), (f"{name}/inner/open.csv", False)):
        put(tmp_path, path, example("red-original.csv", header=with_format))
    put(tmp_path, "other/white.txt", example("white-dragon-commander.txt"))
    put(tmp_path, f"other/{name}.txt", "not a card in here\n")
    done = deckcheck(tmp_path, "init")
    assert done.returncode == 0
    checked = deckcheck(tmp_path, "check", ".")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "open.csv" in checked.stdout
    for path in WRITTEN[1:]:
        assert name not in (tmp_path / path).read_text("utf-8").replace("${{ !cancelled()", "")


def test_names_that_are_no_text_are_left_alone(tmp_path: Path) -> None:
    deck_repository(tmp_path)
    folder = os.path.join(os.fsencode(tmp_path), b"\xff\xfe")  # noqa: PTH118 - a name that is no text
    try:
        os.mkdir(folder)  # noqa: PTH102 - as above
    except OSError:
        pytest.skip("this file system has no such names")
    with open(os.path.join(folder, b"a.txt"), "wb") as file:  # noqa: PTH118, PTH123 - as above
        file.write(b"4 x nothing\n")
    done = deckcheck(tmp_path, "init")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(toml(tmp_path)["decks"]) == 3
