"""Sheets printed by a real browser: a page for each player, with every card's name and the code of the list."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from factories import printed_sheets
from factories.browsers import browser, environment_with_font
from factories.printed_sheets import names_of, squeezed
from msgspec.structs import replace

from deckcheck.registration.sheet import Page, render_html

A4 = (595, 842)
MADE = (
    printed_sheets.legal,
    printed_sheets.illegal,
    printed_sheets.undecided,
    printed_sheets.sixty,
    printed_sheets.long_names,
    printed_sheets.hundred,
)
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--no-pdf-header-footer",
)


def printed(pages: Sequence[Page], folder: Path) -> list[str]:
    """The text on each page of paper, without white space; every page is A4 and has ink on it."""
    sheet, target = folder / "sheet.html", folder / "sheet.pdf"
    sheet.write_text(render_html(pages), encoding="utf-8")
    command = [browser(), *OPTIONS, f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={target}"]
    done = subprocess.run(
        [*command, sheet.as_uri()], env=environment_with_font(folder), capture_output=True, timeout=180
    )
    assert target.is_file(), done.stderr.decode(errors="replace")
    texts = []
    with pdfium.PdfDocument(target) as document:
        for page in document:
            width, height = page.get_size()
            assert (round(width), round(height)) == A4
            darkest, _lightest = page.render(scale=1, grayscale=True).to_pil().convert("L").getextrema()
            assert darkest < 100
            texts.append(squeezed(page.get_textpage().get_text_range()))
    return texts


def test_a_browser_prints_a_page_for_each_player_with_every_card(tmp_path: Path) -> None:
    pages = []
    for number in range(60):
        page = MADE[number % len(MADE)]("ja" if number % 2 else "en")
        player = replace(page.player, name=f"参加者{number:02}", table=str(number + 1))
        pages.append(replace(page, player=player))
    texts = printed(pages, tmp_path)
    assert len(texts) == len(pages)
    for page, text in zip(pages, texts, strict=True):
        assert squeezed(page.player.name or "") in text and squeezed(page.format_name) in text
        assert [name for name in names_of(page) if squeezed(name) not in text] == []


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_browser_prints_a_long_list_whole(lang: printed_sheets.Lang, tmp_path: Path) -> None:
    names = [card.name for card in printed_sheets.loaded("advance").game_data.catalog][5000:5150]
    page = printed_sheets.sheet("".join(f"1 x {name}\n" for name in names), "advance", lang)
    texts = printed([page, printed_sheets.empty(lang), printed_sheets.empty(lang, "commander")], tmp_path)
    assert len(texts) > 3
    assert [name for name in names if squeezed(name) not in "".join(texts)] == []
