"""The READMEs are promises: every command and every example in them is run."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from factories import commands
from factories.commands import Done
from factories.scratch_repositories import fresh_copy

ROOT = Path(__file__).parent.parent.parent
READMES = ("README.md", "README.ja.md")
WAYS = (
    *(".venv/bin/deckcheck`", ". .venv/bin/activate", r".venv\Scripts\activate", "pipx install ."),
    "deckcheck check - -f modern",
)
"""How the installed program is run, and how a list is pasted."""
FENCE = re.compile(
    r"(<!-- (?P<mark>\w+) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


def blocks(name: str) -> list[tuple[str, str, str]]:
    """The fenced blocks of a README: the mark before it, its kind, its text."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = [(hit["mark"] or "", hit["kind"], hit["body"]) for hit in FENCE.finditer(text)]
    assert text.count("```") == 2 * len(found)
    return found


def deckcheck(command: str, folder: Path) -> Done:
    words = shlex.split(command)
    assert words[0] == "deckcheck"
    return commands.deckcheck(*words[1:], cwd=folder, NO_COLOR="1", COLUMNS="100")


@pytest.fixture
def written(readme: str, tmp_path: Path) -> Path:
    """A folder with the files that a README writes and the bundled examples."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for _, _, body in blocks(readme):
        if hit := re.match(r"# file: (\S+)\n", body):
            (tmp_path / hit[1]).write_text(body, encoding="utf-8")
    return tmp_path


@pytest.fixture(params=READMES)
def readme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_readme_is_short_and_every_block_is_of_a_kind_that_is_run(readme: str) -> None:
    assert len((ROOT / readme).read_text(encoding="utf-8").splitlines()) <= 150
    for mark, kind, body in blocks(readme):
        assert kind in ("sh", "console", "text", "yaml"), body
        assert kind not in ("text", "yaml") or body.startswith("# file: "), body
        assert mark in ("", "try", "tests")


def test_console_examples_print_what_the_readme_shows(readme: str, written: Path) -> None:
    shown = [body for _, kind, body in blocks(readme) if kind == "console"]
    assert len(shown) >= 2
    text = found = (ROOT / readme).read_text(encoding="utf-8")
    for body in shown:
        command = body.removeprefix("$ ").partition("\n")[0]
        done = deckcheck(command, written)
        found = found.replace(body, f"$ {command}\n{done.out}{done.err}")
    if os.environ.get("DECKCHECK_UPDATE_DOCS"):
        (ROOT / readme).write_text(found, encoding="utf-8")
    assert found == text


@pytest.mark.parametrize(("lang", "deck"), [("en", "burn-modern"), ("ja", "water-darkness-duemagic")])
def test_the_picture_shows_a_real_check(lang: str, deck: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    command = f"deckcheck check examples/{deck}.txt"
    printed = deckcheck(f"{command} --lang {lang} --color always", tmp_path).out
    picture = runpy.run_path(str(ROOT / "tools" / "picture.py"))["picture"]
    drawn = picture(f"\x1b[2m$\x1b[0m {command}\n{printed}", command)
    file = ROOT / "docs" / "images" / f"check.{lang}.svg"
    if os.environ.get("DECKCHECK_UPDATE_DOCS"):
        file.write_text(drawn, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == drawn
    readme = ROOT / {"en": "README.md", "ja": "README.ja.md"}[lang]
    assert f"docs/images/{file.name}" in readme.read_text("utf-8")


def test_commands_without_shown_output_run(readme: str, written: Path) -> None:
    scripts = "".join(body for mark, kind, body in blocks(readme) if kind == "sh" and not mark)
    found = re.findall("(?m)^deckcheck .*", scripts)
    assert len(found) >= 3
    for command in found:
        # The little list in the text is not a whole deck, so "illegal" is the right answer.
        wanted = 1 if command.startswith("deckcheck check ") else 0
        done = deckcheck(command, written)
        assert done.status == wanted and done.out, (command, done.out, done.err)


def marked(readme: str, mark: str) -> str:
    [command] = [body.strip() for own, _, body in blocks(readme) if own == mark]
    return command


def run_in_copy(folder: Path, mark: str, **variables: str) -> str:
    """What a command of the README prints in a fresh copy of the project."""
    done = subprocess.run(
        marked("README.md", mark),
        shell=True,
        cwd=fresh_copy(folder / "copy"),
        capture_output=True,
        encoding="utf-8",
        env=os.environ | variables,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.setup
def test_the_first_command_works_in_a_fresh_copy(tmp_path: Path) -> None:
    printed = run_in_copy(tmp_path, "try")
    assert all(verdict in printed or "使用" in printed for verdict in ("legal", "illegal", "undecided"))


@pytest.mark.setup
def test_the_test_command_works_in_a_fresh_copy(tmp_path: Path) -> None:
    # Running every test again from within a test would never end; that they are found and load is shown.
    assert "test_readme.py" in run_in_copy(tmp_path, "tests", PYTEST_ADDOPTS="--collect-only")


def test_both_readmes_give_the_same_commands_and_say_how_the_program_is_run() -> None:
    for mark in ("try", "tests"):
        assert marked("README.md", mark) == marked("README.ja.md", mark)
    for name in READMES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert [way for way in WAYS if way not in text] == []
