"""`deckcheck rule` as a command: what it prints, and formats of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from factories.commands import deckcheck, run_here

from deckcheck.analysis.rule_pages import RulePage, pages_of, render_pages
from deckcheck.checking.judge import LoadedFormat, load_format
from deckcheck.checking.session import FormatCache, index_formats
from deckcheck.formats.lookup import Folders
from deckcheck.report.writer import RenderOptions
from deckcheck.support.messages import Localized


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["copys"], ["there is no rule 'copys'", "did you mean 'copies'", "deckcheck rule lists them all"]),
        (["unknown-crad"], ["did you mean 'unknown-card'?"]),
        (["zzzzzzzzzzzz"], ["there is no rule 'zzzzzzzzzzzz'", "deckcheck rule lists them all"]),
        (
            ["side-size", "--format", "original"],
            ["duel-masters/original has no rule 'side-size'", "it is a rule of duel-masters/duemagic"],
        ),
        (["copies", "--format", "orignal"], ["there is no format 'orignal'"]),
        (["\x1b[31m"], ["\\x1b[31m"]),
    ],
)
def test_what_is_not_there_is_the_users_mistake(arguments: list[str], told: list[str]) -> None:
    done = deckcheck("rule", *arguments, "--lang", "en")
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert "\x1b" not in done.err
    for one in told:
        assert one in done.err


# Formats of one's own.

OWN = """\
format: club/own
game: duel-masters
name: "Own \\e[31m"
zones: {main: {}}
rules:
  - {id: own-size, in: main, exactly: 2, cite: "\\e[2J"}
  - {id: copies, per: name, at_most: 1}
"""


@pytest.fixture
def own(tmp_path: Path) -> Folders:
    folder = tmp_path / "formats"
    (folder / "own.cases").mkdir(parents=True)
    (folder / "own.yaml").write_text(OWN, "utf-8")
    for name, text in {
        "good.txt": "# expect: legal\n# bound: own-size\n# note: two \x1b[31m\n1 アクア・ガード\n1 アクア・ビークル\n",
        "a-lie.txt": "# expect: own-size\n# note: a lie\n1 アクア・ガード\n1 アクア・ビークル\n",
        "broken.txt": "# expect: own-size\n# note: three\n# note-ja: 3枚 \x1b[31m\n1 アクア・ガード\n1 アクア・ビークル\n1 アクア・ナイト\n",
        "noise.txt": "own-size \x00\x01",
        "no-day.txt": "# expect: own-size\n# as-of: 2020-13-01\n1 アクア・ガード\n",
        "silent.txt": "own-size, and no word of what it shows\n",
    }.items():
        (folder / "own.cases" / name).write_text(text, "utf-8")
    return Folders(formats=(folder,))


def own_pages(id: str, folders: Folders) -> tuple[RulePage, ...]:
    found, problems = index_formats(FormatCache(folders).load, folders)
    assert problems == ()
    return pages_of(id, found)


@pytest.mark.usefixtures("fewer_cards")
def test_a_format_of_ones_own_is_explained_too(own: Folders) -> None:
    [page] = own_pages("own-size", own)
    assert page.breaks is not None
    assert page.breaks.note == Localized("3枚 \x1b[31m", "three")
    assert page.keeps is not None
    assert page.keeps.path.endswith("good.txt")
    # It has no Japanese note, so the one that it has is shown.
    assert page.keeps.note == Localized("two \x1b[31m", "two \x1b[31m")
    told = {lang: render_pages([page], RenderOptions(lang)) for lang in ("ja", "en")}
    for text in told.values():
        assert "\x1b" not in text
        assert "two \\x1b[31m\n" in text
        assert "\\x1b[2J" in text
    assert "breaks it: three\n" in told["en"]
    assert "破る例：3枚 \\x1b[31m\n" in told["ja"]
    assert "three" not in told["ja"]


@pytest.mark.usefixtures("fewer_cards")
def test_a_rule_without_cases_says_so(own: Folders) -> None:
    page = next(page for page in own_pages("copies", own) if page.info.format == "club/own")
    assert (page.breaks, page.keeps) == (None, None)
    assert "breaks it: there is no example" in render_pages([page], RenderOptions("en"))


@pytest.mark.usefixtures("own")
def test_a_guess_names_ids_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nlang = "en"\n', "utf-8")
    done = deckcheck("rule", "own-siez", cwd=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "'own-size'" in done.err


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formats that a command loads, which takes seconds for all of them."""
    found: list[str] = []

    def load(reference: str, **more: Any) -> LoadedFormat:
        found.append(reference)
        return load_format(reference, **more)

    monkeypatch.setattr("deckcheck.checking.session.load_format", load)
    return found


@pytest.mark.parametrize(
    ("rule", "said"), [("copys", "did you mean 'copies'"), ("unknown-card", "not in the card table")]
)
def test_what_is_no_rule_of_a_format_needs_none(
    rule: str, said: str, loaded: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("rule", rule, "--lang", "en")
    assert said in "".join(capsys.readouterr())
    # An id of the engine is shown in a list, which has a format.
    assert len(loaded) <= 1


def test_a_rule_of_one_game_needs_no_format_of_another(
    loaded: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here("rule", "hall") == 0
    assert "duel-masters/" in capsys.readouterr().out
    assert {reference.partition("/")[0] for reference in loaded} == {"duel-masters"}


def test_the_settings_name_folders_of_formats(own: Folders, tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('formats = ["formats"]\nlang = "en"\n', "utf-8")
    done = deckcheck("rule", "own-size", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert "breaks it: three\n" in done.out
    (own.formats[0] / "bad.yaml").write_text("format: club/bad\nrules: 7\n", "utf-8")
    done = deckcheck("rule", "own-size", cwd=tmp_path)
    assert done.status == 0
    assert "bad.yaml" in done.err
