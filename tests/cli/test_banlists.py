"""`deckcheck banlists`: which lists there are, and up to which day each is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories.commands import run_here

from deckcheck.report.writer import OUTPUT_FORMATS


def listed(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, str], str]:
    status = run_here("banlists", "--lang", "en", *options)
    out, err = capsys.readouterr()
    return status, {line.split("  ")[0]: line for line in out.splitlines()}, err


def test_a_list_of_the_folder_is_named_with_its_file_and_a_broken_one_is_status_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deckcheck.toml").write_text('formats = ["."]\nbanlists = ["."]\n', encoding="utf-8")
    history = "[{from: 2026-11-01, status: hall}]"
    for name, key in (("ours", "history"), ("broken", "histories")):
        text = f"banlist: club/{name}\nname: {{ja: 会, en: Club}}\ncards: [{{card: 凧, {key}: {history}}}]\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    status, lines, err = listed(capsys)
    assert status == 2
    assert "newest change 2026-11-01" in lines["club/ours"] and lines["club/ours"].endswith("ours.yaml")
    assert "broken.yaml:3" in err


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("output", OUTPUT_FORMATS)
def test_every_output_says_after_which_day_changes_are_not_known(
    output: str, lang: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("60 Plains\n", encoding="utf-8")

    def lines_about_the_day(as_of: str) -> int:
        words = ("check", deck, "-f", "modern", "--output-format", output, "--as-of", as_of, "--lang", lang)
        assert run_here(*words) == 0
        told = "".join(capsys.readouterr())
        notes = {
            "en": (
                "only known to be complete through 2026-08-22",
                "not known: Modern banned and restricted list (2026-08-22)",
            ),
            "ja": ("2026-08-22までの分しか", "「モダンの禁止・制限カード」2026-08-22"),
        }
        return sum(any(note in line for note in notes[lang]) for line in told.splitlines())

    assert lines_about_the_day("2026-08-22") == 0
    assert lines_about_the_day("2026-08-23") == 1
