"""Sheets as PDF: what stands in the file, that it is always the same, and that nothing is left blank in silence."""

from __future__ import annotations

import re
import sys

import pypdfium2 as pdfium
import pytest
from factories import paper
from factories.paper import font_file, names_of, printed, squeezed

from deckcheck.registration.model import Player
from deckcheck.registration.sheets import pdf
from deckcheck.registration.sheets.layout import leaves
from deckcheck.registration.sheets.model import Line, Page, Total, Zone
from deckcheck.support.errors import UserError

FONT = str(font_file())


def render(*pages: Page) -> bytes:
    return pdf.render(pages, FONT)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(
    "make", [paper.legal, paper.illegal, paper.undecided, paper.sixty, paper.long_names, paper.empty]
)
def test_the_words_of_a_sheet_are_in_the_file(make: paper.Make, lang: paper.Lang) -> None:
    page = make(lang)
    papers = printed(render(page), dots=72)
    assert len(papers) == len(leaves(page))
    text = "".join(one.text for one in papers)
    words = [*names_of(page), page.event, page.format, *(zone.title for zone in page.zones), *page.player]
    words += [*(note.message for note in page.notes), *(page.fingerprint or "")[:16]]
    for word in words:
        assert word is None or squeezed(word) in text


def test_the_same_sheets_are_the_same_bytes() -> None:
    first = render(paper.legal(), paper.illegal("en"))
    # What another file was made with between leaves no trace.
    render(paper.sixty())
    assert render(paper.legal(), paper.illegal("en")) == first


def test_pages_are_a4_and_each_player_has_one() -> None:
    papers = printed(render(paper.legal(), paper.sixty("en"), paper.empty()), dots=72)
    assert [(round(width), round(height)) for width, height in (one.size for one in papers)] == [
        (595, 842)
    ] * 3


def test_a_long_list_goes_on_with_the_name_at_the_top() -> None:
    lines = tuple(Line(1, 1, f"青銅の鎧{at}") for at in range(200))
    page = paper.legal()._replace(zones=(Zone("メインデッキ", lines, Total((200, 200), None)),))
    papers = printed(render(page), dots=72)
    assert len(papers) > 1 and all("山田花子" in one.text for one in papers)
    assert "メインデッキ（続き）" in papers[1].text
    assert ["署名" in one.text for one in papers] == [False] * (len(papers) - 1) + [True]


def test_the_title_names_the_event_and_nothing_names_a_player() -> None:
    data = render(paper.legal())
    document = pdfium.PdfDocument(data)
    about = document.get_metadata_dict()
    document.close()
    assert about["Title"] == "秋のデュエル祭 2026"
    assert about["Author"] == about["Subject"] == about["Keywords"] == ""
    assert not any(word in str(about) for word in paper.PLAYER if word)


def test_only_the_one_font_is_used_and_it_is_embedded() -> None:
    data = render(paper.illegal(), paper.long_names())
    names = set(re.findall(rb"/BaseFont /([^ ]+)", data))
    assert names and all(b"NotoSansCJKjp-Regular" in name for name in names)
    assert data.count(b"/FontFile2") == len(re.findall(rb"/Type /FontDescriptor", data)) > 0


def test_the_code_is_drawn_where_there_is_a_fingerprint() -> None:
    """As many dark squares as the code has runs: a picture of it is read in test_sheets_print.py."""
    dark = [
        sum(level < 100 for level in one.picture.crop((480, 20, 570, 120)).tobytes())
        for one in printed(render(paper.legal(), paper.undecided()), dots=72)
    ]
    assert dark[0] > 5 * dark[1]


HOSTILE = ["\u202eネコ\x1b[31m", "あ" * 9000, "a\nb\tc", "\ud800", "が\u0300", "葛\U000e0100城", "&<b>(\\)"]


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_names_are_drawn_as_they_are_or_written_out(words: str) -> None:
    player = Player(*[words] * 5)
    zone = Zone(words, (Line(1, 1, words), Line(1, 3, words, sure=False)), Total((2, 4), None))
    page = paper.legal()._replace(player=player, zones=(zone, zone._replace(played=False)), event=words)
    try:
        papers = printed(render(page), dots=72)
    except UserError as error:
        # Some accents are joined to no letter of the font.
        assert "\u0300" in words and "U+0300" in str(error)
        return
    assert papers and "\u202e" not in papers[0].text


def test_a_character_that_the_font_lacks_stops_the_print() -> None:
    page = paper.legal()._replace(player=Player("山田 \U0001f600"))
    with pytest.raises(UserError) as caught:
        render(page)
    [problem] = caught.value.problems
    assert "U+1F600" in problem.message.en and problem.path == FONT
    assert "山田" not in problem.in_("ja") + problem.in_("en")


def test_what_is_cut_off_needs_no_font() -> None:
    page = paper.legal()._replace(player=Player("あ" * 5000 + "\U0001f600"))
    assert printed(render(page), dots=72)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    with pytest.raises(UserError, match=r"pip install 'deckcheck\[pdf\]'"):
        render(paper.legal())


def test_text_wider_than_its_place_is_written_smaller() -> None:
    """No letter of a cell lies beyond its edge, whatever the font's widths."""
    page = paper.legal()._replace(player=Player("W" * 60, "ん" * 60, "W" * 60, "W" * 60, "W" * 30))
    [one] = printed(render(page), dots=72)
    edges = [box[2] for char, box in one.chars if char in "Wん"]
    assert edges and max(edges) < (210 - 12) / 25.4 * 72
    table = one.text.index("卓番号")
    name = [box[2] for char, box in one.chars[:table] if char in "Wん"]
    assert max(name) <= (12 + 186 - 28 - 34) / 25.4 * 72
