"""Sheets printed by a real browser, and looked at: is every card's name on them, to be seen?"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
import segno
from factories import printed_sheets
from factories.browsers import browser, environment_with_font
from factories.examples import amount
from factories.printed_sheets import (
    ALIKE,
    Paper,
    best_likeness,
    likeness,
    names_of,
    printed,
    squeezed,
)
from PIL import Image

from deckcheck.registration.sheet import Page, payload, render_html

MADE = {
    "legal": printed_sheets.legal,
    "illegal": printed_sheets.illegal,
    "undecided": printed_sheets.undecided,
    "sixty": printed_sheets.sixty,
    "long names": printed_sheets.long_names,
    "hundred": printed_sheets.hundred,
}
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--no-pdf-header-footer",
)


def print_with_browser(pages: Sequence[Page], folder: Path, dots: int = 400) -> list[Paper]:
    program = browser()
    sheet, target = folder / "sheet.html", folder / "sheet.pdf"
    sheet.write_text(render_html(pages), encoding="utf-8")
    command = [program, *OPTIONS, f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={target}"]
    done = subprocess.run(
        [*command, sheet.as_uri()],
        env=environment_with_font(folder),
        capture_output=True,
        timeout=180,
    )
    assert target.is_file(), done.stderr.decode(errors="replace")
    return printed(target.read_bytes(), dots)


@pytest.fixture(scope="module")
def by_browser(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Paper]]:
    """The papers that a browser prints for all the sheets in one file, one for each."""
    pages = [make() for make in MADE.values()]
    papers = print_with_browser(pages, tmp_path_factory.mktemp("browser"))
    assert len(papers) == len(pages), "one page a player"
    return {name: [one] for name, one in zip(MADE, papers, strict=True)}


def unprinted(papers: Sequence[Paper], page: Page) -> dict[str, float]:
    """The names that can't be seen, with how like anything that stands there is."""
    found = {name: best_likeness(papers, name) for name in names_of(page)}
    assert found
    return {name: like for name, like in found.items() if like < ALIKE}


@pytest.mark.parametrize("name", MADE)
def test_every_card_is_to_be_seen_on_what_a_browser_prints(
    name: str, by_browser: dict[str, list[Paper]]
) -> None:
    assert not unprinted(by_browser[name], MADE[name]())


def test_a_browser_makes_a_page_of_a4_for_each_player(by_browser: dict[str, list[Paper]]) -> None:
    for name, [one] in by_browser.items():
        assert (round(one.size[0]), round(one.size[1])) == (595, 842)
        assert ("山田花子" in one.text) and squeezed(MADE[name]().format) in one.text
        assert "deckcheck" in one.text.lower()


def test_a_browser_prints_sixty_players_on_a_page_each(tmp_path: Path) -> None:
    kinds = list(MADE.values())
    pages = []
    for number in range(60):
        page = kinds[number % len(kinds)]("ja" if number % 2 else "en")
        player = page.player._replace(name=f"参加者{number:02}", table=str(number + 1))
        pages.append(page._replace(player=player))
    papers = print_with_browser(pages, tmp_path, dots=60)
    assert len(papers) == 60
    for page, paper in zip(pages, papers, strict=True):
        assert (round(paper.size[0]), round(paper.size[1])) == (595, 842)
        assert squeezed(page.player.name or "") in paper.text
        assert all(squeezed(name) in paper.text for name in names_of(page) if len(name) < 12)


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_browser_prints_a_long_list_whole(lang: printed_sheets.Lang, tmp_path: Path) -> None:
    names = [card.name for card in printed_sheets.loaded("advance").game_data.catalog][5000:5150]
    page = printed_sheets.sheet("".join(f"1 x {name}\n" for name in names), "advance", lang)
    papers = print_with_browser(
        [page, printed_sheets.empty(lang), printed_sheets.empty(lang, "commander")], tmp_path
    )
    assert len(papers) > 3
    assert not unprinted(papers, page)


def code_on(papers: Sequence[Paper], side: int) -> tuple[tuple[bool, ...], ...]:
    """The modules of the code in the judge's box, as a reader would sample them."""
    [one] = papers
    dots = one.picture.width / 210
    corner = one.picture.crop((round(173 * dots), round(257 * dots), round(197 * dots), round(279 * dots)))
    box = corner.point([255 if level < 128 else 0 for level in range(256)]).getbbox()
    assert box is not None
    square = corner.crop(box)
    assert abs(square.width - square.height) < 0.02 * square.width
    step = square.width / side
    return tuple(
        tuple(
            square.getpixel((int((at + 0.5) * step), int((down + 0.5) * square.height / side))) < 128
            for at in range(side)
        )
        for down in range(side)
    )


def modules(page: Page) -> tuple[tuple[bool, ...], ...]:
    """The modules of the code that a sheet should bear."""
    text = payload(page)
    assert text is not None
    code = segno.make(text, error="m", micro=False, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


@pytest.mark.parametrize("name", ["legal", "sixty"])
def test_the_code_of_the_fingerprint_can_be_read_off_what_a_browser_prints(
    name: str, by_browser: dict[str, list[Paper]]
) -> None:
    wanted = modules(MADE[name]())
    assert code_on(by_browser[name], len(wanted)) == wanted


def places(name: str, papers: Sequence[Paper]) -> dict[str, Image.Image]:
    """The picture of each name that takes one line, cut out where it stands."""
    page = MADE[name]()
    cut = {}
    for one in names_of(page):
        for lines in papers[0].stretches(one):
            if len(lines) == 1:
                cut[one] = lines[0].picture
    assert len(cut) > 10
    return cut


@pytest.mark.parametrize("name", ["legal", "undecided", "sixty"][: amount(3, 1)])
def test_of_the_test_another_name_is_not_taken_for_the_right_one(
    name: str, by_browser: dict[str, list[Paper]]
) -> None:
    for right, picture in places(name, by_browser[name]).items():
        others = [other for other in names_of(MADE[name]()) if other != right]
        assert max(likeness(picture, other) for other in others) < ALIKE - 0.08 < likeness(picture, right)


def test_of_the_test_text_without_ink_is_found_out(by_browser: dict[str, list[Paper]]) -> None:
    """The text layer says that the names are there; nothing is to be seen."""
    [one] = by_browser["legal"]
    unseen = one._replace(picture=Image.new("L", one.picture.size, 255))
    page = printed_sheets.legal()
    assert set(unprinted([unseen], page)) == set(names_of(page))
