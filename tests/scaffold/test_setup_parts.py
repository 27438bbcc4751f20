"""What `deckcheck init` is made of: each file by itself, guesses of formats, and names that are hostile."""

from __future__ import annotations

import json
import os
import re
import stat
import string
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from factories.scratch_repositories import ROOT, deck_repository, deckcheck, example, put
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deckcheck.scaffold import setup
from deckcheck.scaffold.setup import Source, Survey, source_of
from deckcheck.support import VERSION
from deckcheck.support.errors import UserError
from deckcheck.support.files import write_new

WRITTEN = ("deckcheck.toml", ".pre-commit-config.yaml", ".github/workflows/deckcheck.yml")


def source(requirement: str) -> Source:
    return Source(requirement=requirement)


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
        ja, en = (
            setup.pipeline(kind, source("deckcheck==1.0"), lang, formats=formats) for lang in ("ja", "en")
        )
        assert ja != en
        assert "@" not in re.sub(r"@[0-9a-f]{40}", "", ja + en), "a marker was left"
        assert without_names(yaml.safe_load(ja)) == without_names(yaml.safe_load(en))


def without_names(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_names(value) for key, value in data.items() if key != "name"}
    return [without_names(one) for one in data] if isinstance(data, list) else data


def test_the_hooks_are_those_that_are_published() -> None:
    published = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    [local] = yaml.safe_load(setup.pipeline("pre_commit", source("x"), "en", formats=True))["repos"]
    for ours, theirs in zip(local["hooks"], published, strict=True):
        assert ours.pop("additional_dependencies") == ["x"]
        del theirs["description"]
        assert ours == theirs


@given(st.text(min_size=1, max_size=60))
def test_a_requirement_is_one_word_wherever_it_stands(text: str) -> None:
    import shlex

    try:
        setup.require_source(source(text))
    except UserError:
        return
    [local] = yaml.safe_load(setup.pipeline("pre_commit", source(text), "ja", formats=False))["repos"]
    assert local["hooks"][0]["additional_dependencies"] == [text]
    steps = yaml.safe_load(setup.pipeline("github", source(text), "en", formats=True))["jobs"]["decks"][
        "steps"
    ]
    gitlab = yaml.safe_load(setup.pipeline("gitlab", source(text), "en", formats=True))["deckcheck"][
        "before_script"
    ]
    for script in (steps[2]["run"], *gitlab):
        assert shlex.split(script) == ["python", "-m", "pip", "install", text]


# What this copy was installed from

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIT = {"vcs": "git", "commit_id": COMMIT}


@pytest.mark.parametrize(
    ("noted", "requirement", "repository", "is_local"),
    [
        (None, f"deckcheck=={VERSION}", None, False),
        ("no JSON", f"deckcheck=={VERSION}", None, False),
        ("[]", f"deckcheck=={VERSION}", None, False),
        ({"url": "https://x.org/a\nb", "vcs_info": GIT}, f"deckcheck=={VERSION}", None, False),
        (
            {"url": "https://x.org/d.git", "vcs_info": GIT},
            f"deckcheck @ git+https://x.org/d.git@{COMMIT}",
            "https://x.org/d.git",
            False,
        ),
        ({"url": "file:///d", "vcs_info": GIT}, f"deckcheck @ git+file:///d@{COMMIT}", "file:///d", True),
        ({"url": "https://x.org/d.zip", "archive_info": {}}, "deckcheck @ https://x.org/d.zip", None, False),
        ({"url": "file:///nowhere", "dir_info": {}}, "deckcheck @ file:///nowhere", None, True),
    ],
)
def test_what_pip_noted_is_where_it_came_from(
    noted: object, requirement: str, repository: str | None, is_local: bool
) -> None:
    text = noted if noted is None or isinstance(noted, str) else json.dumps(noted)
    found = source_of(text)
    assert (found.requirement, found.repository, found.note is not None) == (
        requirement,
        repository,
        is_local,
    )
    assert found._replace(facts=("a",)).installs == requirement.replace("deckcheck", "deckcheck[import]", 1)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_commit_is_pinned_as_rev_and_facts_are_a_step(lang: str) -> None:
    installed = Source(f"deckcheck @ git+https://x.org/d@{COMMIT}", "https://x.org/d", COMMIT)
    text = setup.pipeline("pre_commit", installed, lang, formats=True)
    [repo] = yaml.safe_load(text)["repos"]
    assert repo == {
        "repo": "https://x.org/d",
        "rev": COMMIT,
        "hooks": [{"id": "deckcheck"}, {"id": "deckcheck-formats"}],
    }
    facts = installed._replace(facts=("https://x.org/a b.json", "own.yaml"))
    steps = yaml.safe_load(setup.pipeline("github", facts, lang, formats=False))["jobs"]["decks"]["steps"]
    assert f"'deckcheck[import] @ git+https://x.org/d@{COMMIT}'" in steps[2]["run"]
    assert steps[3]["run"] == "deckcheck import -- 'https://x.org/a b.json' own.yaml\n"
    before = yaml.safe_load(setup.pipeline("gitlab", facts, lang, formats=False))["deckcheck"][
        "before_script"
    ]
    assert before[1] == "deckcheck import -- 'https://x.org/a b.json' own.yaml\n"
    [local] = yaml.safe_load(setup.pipeline("pre_commit", source("x"), lang, formats=False))["repos"]
    assert local["repo"] == "local", "what was asked for is installed"


# Hostile names

names = st.text(
    st.one_of(
        st.sampled_from(string.punctuation.replace("/", "") + " \n\r\t\x7f\x85\u2028\u202e"),
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: name not in (".", ".."))


@given(st.lists(st.lists(names, min_size=1, max_size=3), max_size=4, unique_by=tuple))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_name_breaks_out_of_its_string(folders: list[list[str]]) -> None:
    formats = {"/".join(parts): "c/d" for parts in folders}
    said = tomllib.loads(setup.settings(Survey("a/b", formats), "ja"))
    assert said.keys() <= {"format", "lang", "decks"}
    assert [one["path"] for one in said.get("decks", [])] == [setup.folder_pattern(one) for one in formats]


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
    put(tmp_path, f"{name}/original/open.csv", example("red-original.csv", header=False))
    put(tmp_path, "other/white.txt", example("white-dragon-commander.txt"))
    put(tmp_path, f"other/{name}.txt", "not a card in here\n")
    done = deckcheck(tmp_path, "init")
    assert done.returncode == 0
    checked = deckcheck(tmp_path, "check", "--verbose", ".")
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
    assert len(toml(tmp_path)["decks"]) == 2
