"""Sheets as PDF: what stands in the file, that it is always the same, and that nothing is left blank in silence."""

from __future__ import annotations

import json
import sys

import pypdfium2 as pdfium
import pytest
from factories import printed_sheets
from factories.examples import THOROUGH
from factories.printed_sheets import font_file, names_of, printed, squeezed
from factories.time_limits import within

from deckcheck.registration import sheet_rendering as pdf
from deckcheck.registration.sheet_content import Line, Note, Page, Total, Zone
from deckcheck.registration.submissions import Player
from deckcheck.support.errors import UserError

FONT = str(font_file())


def render(*pages: Page) -> bytes:
    return pdf.render_pdf(pages, FONT)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize(
    "make",
    [
        printed_sheets.legal,
        printed_sheets.illegal,
        printed_sheets.undecided,
        printed_sheets.sixty,
        printed_sheets.long_names,
        printed_sheets.hundred,
        printed_sheets.empty,
    ],
)
def test_the_words_of_a_sheet_are_on_one_page_that_is_not_empty(
    make: printed_sheets.Make, lang: printed_sheets.Lang
) -> None:
    page = make(lang)
    [one] = printed(render(page), dots=72)
    words = [*names_of(page), page.event, page.format, *(zone.title for zone in page.zones), *page.player]
    words += [*(note.message for note in page.notes), *(page.fingerprint or "")[:16], page.as_of, "1/1"]
    words += [page.deck, *(["Decklist", "Qty"] if lang == "en" else ["デッキ登録用紙", "枚数"])]
    for word in words:
        assert word is None or squeezed(word) in one.text
    assert sum(level < 100 for level in one.picture.tobytes()) > 2000


def test_the_same_sheets_are_the_same_bytes() -> None:
    first = render(printed_sheets.legal(), printed_sheets.illegal("en"))
    # What another file was made with between leaves no trace.
    render(printed_sheets.sixty())
    assert render(printed_sheets.legal(), printed_sheets.illegal("en")) == first


def test_pages_are_a4_and_each_player_has_one() -> None:
    papers = printed(
        render(printed_sheets.legal(), printed_sheets.sixty("en"), printed_sheets.empty()), dots=72
    )
    sizes = [(round(width), round(height)) for width, height in (one.size for one in papers)]
    assert sizes == [(595, 842)] * 3


def test_a_long_list_goes_on_with_the_name_at_the_top() -> None:
    lines = tuple(Line(1, 1, f"青銅の鎧{at}") for at in range(400))
    page = printed_sheets.legal()._replace(zones=(Zone("メインデッキ", lines, Total((400, 400))),))
    papers = printed(render(printed_sheets.legal(), page), dots=72)[1:]
    assert len(papers) > 2 and all("山田花子" in one.text for one in papers)
    assert [f"{at}/{len(papers)}" in one.text for at, one in enumerate(papers, 1)] == [True] * len(papers)
    assert [one.text.count("署名") for one in papers] == [0] * (len(papers) - 1) + [1]
    assert all(squeezed(line.name) in "".join(one.text for one in papers) for line in lines)
    edges = [box[3] for one in papers for _, box in one.chars]
    assert max(edges) < (297 - 8) / 25.4 * 72


def test_a_zone_goes_on_in_the_other_column() -> None:
    lines = tuple(Line(1, 1, f"青銅の鎧{at}") for at in range(40))
    page = printed_sheets.legal()._replace(zones=(Zone("メインデッキ", lines, Total((40, 40))),))
    [one] = printed(render(page), dots=72)
    assert "メインデッキ（続き）" in one.text


def test_an_empty_sheet_for_a_hundred_cards_is_one_page() -> None:
    page = printed_sheets.empty(format="commander")
    main = page.zones[1]._replace(blanks=100)
    [one] = printed(render(page._replace(zones=(page.zones[0], main))), dots=72)
    assert one.text.count("メインデッキ（続き）") == 2 and one.text.count("署名") == 1


def test_findings_leave_the_signature_beside_the_list() -> None:
    """However many findings a list has, they are grouped by rule and take no page of their own."""
    unknown = "".join(f"{at % 9 + 1} x 知らないカード{at}\n" for at in range(40))
    for lang in ("ja", "en"):
        [one] = printed(render(printed_sheets.sheet(unknown + "9 x 青銅の鎧\n", "duemagic", lang)), dots=72)
        assert one.text.count("unknown-card") == 1 and "1/1" in one.text


def test_more_findings_than_a_page_holds_go_on_over_the_page() -> None:
    notes = tuple(Note("error", f"r{at}", f"違反{at} " + "とても長い説明 " * 20) for at in range(41))
    papers = printed(render(printed_sheets.illegal()._replace(notes=notes)), dots=72)
    text = "".join(one.text for one in papers)
    assert len(papers) > 1 and all(f"［r{at}］" in text for at in range(41))


def test_the_title_names_the_event_and_nothing_names_a_player() -> None:
    document = pdfium.PdfDocument(render(printed_sheets.legal()))
    about = document.get_metadata_dict()
    document.close()
    assert about["Title"] == "秋のデュエル祭 2026"
    assert about["Author"] == about["Subject"] == about["Keywords"] == ""
    assert not any(word in str(about) for word in printed_sheets.PLAYER if word)


HOSTILE = [
    "\u202eネコ\x1b[31m",
    "あ" * 9000,
    "a\nb\tc",
    "\ud800",
    "が\u0300",
    "葛\U000e0100城",
    "&<b>(\\)",
    '#panic("x")',
    "*a* _b_ $c$ `d` <e> @f = g",
    '"] #read("/etc/passwd")',
]


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_names_are_drawn_as_they_are_or_written_out(words: str) -> None:
    player = Player(*[words] * 5)
    zone = Zone(words, (Line(1, 1, words), Line(1, 3, words, sure=False)), Total((2, 4)))
    page = printed_sheets.legal()._replace(
        player=player,
        zones=(zone, zone._replace(played=False)),
        event=words,
        organiser=words,
        format_id=words,
        notes=(Note("error", words, words),),
    )
    [one, *_] = printed(render(page), dots=72)
    assert "\u202e" not in one.text and "\x1b" not in one.text
    if words.isascii() and words.isprintable():
        assert one.text.count(squeezed(words)) >= 5


def test_an_emoji_and_a_rare_character_stop_no_pdf() -> None:
    """They are drawn with another font of this machine, or written out where none has them."""
    names = ("山田 \U0001f600", "\U0002000b田 \U0002ebf0", "\ue000 外字", "क नमस्ते")
    document = pdfium.PdfDocument(
        render(*(printed_sheets.legal()._replace(player=Player(name)) for name in names))
    )
    for name, page in zip(names, document, strict=True):
        text = page.get_textpage().get_text_range()
        for char in name:
            assert char in text or f"\\U{ord(char):08x}" in text, name
    document.close()


def test_without_a_font_for_japanese_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of characters only: in their order, so that they tell no player's name."""
    monkeypatch.setattr(pdf, "_lacking", lambda *_: ["山", "田", "\U0001f600"])
    with pytest.raises(UserError) as caught:
        render(printed_sheets.legal())
    [problem] = caught.value.problems
    assert "山 (U+5C71), 田 (U+7530)" in problem.message.in_("en")
    assert problem.hint is not None and "--font" in problem.hint.in_("en")
    assert "Noto Sans CJK JP" in problem.hint.in_("ja")


def test_what_is_cut_off_needs_no_font() -> None:
    page = printed_sheets.legal()._replace(player=Player("あ" * 5000 + "\ue000"))
    [one] = printed(render(page), dots=72)
    assert "ue000" not in one.text


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UserError, match=r"pip install 'deckcheck\[pdf\]'"):
        render(printed_sheets.legal())


def test_text_wider_than_its_place_is_written_smaller() -> None:
    """No letter of a cell lies beyond its edge, whatever the font's widths."""
    page = printed_sheets.legal()._replace(player=Player("W" * 60, "ん" * 60, "M" * 60, "Q" * 60, "@" * 30))
    page = page._replace(organiser="G" * 60, event="V" * 60, deck="N" * 80)
    [one] = printed(render(page), dots=72)
    for letter, end in {
        "W": 112,
        "ん": 112,
        "Q": 164,
        "@": 198,
        "N": 112,
        "M": 198,
        "V": 112,
        "G": 164,
    }.items():
        edges = [box[2] for char, box in one.chars if char == letter]
        assert edges and max(edges) < end / 25.4 * 72, letter


@pytest.mark.skipif(not THOROUGH, reason="takes half a minute; DECKCHECK_TESTS=thorough runs it")
def test_two_thousand_sheets_are_one_file_in_less_than_a_minute() -> None:
    cards = [card.name for card in printed_sheets.loaded("advance").game_data.catalog]
    pages = []
    for at in range(2000):
        page = [
            printed_sheets.legal(),
            printed_sheets.illegal(),
            printed_sheets.sixty("en"),
            printed_sheets.undecided(),
        ][at % 4]
        main = page.zones[0]
        lines = tuple(
            line._replace(name=cards[(at * 37 + row * 101) % len(cards)])
            for row, line in enumerate(main.lines)
        )
        player = page.player._replace(name=f"山田 {at}")
        mark = page.fingerprint and f"{at:064x}"
        pages.append(
            page._replace(
                player=player, fingerprint=mark, zones=(main._replace(lines=lines), *page.zones[1:])
            )
        )
    with within(60):
        data = render(*pages)
    document = pdfium.PdfDocument(data)
    assert len(document) >= 2000
    document.close()


def test_what_the_templates_get_is_plain_data() -> None:
    """Strings, numbers and lists of them: nothing that does things."""
    from deckcheck.registration.sheet_rendering import document

    data = document([printed_sheets.illegal(), printed_sheets.empty("en"), printed_sheets.sixty()])
    assert json.loads(json.dumps(data)) == data
