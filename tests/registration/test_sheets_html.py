"""Sheets as HTML: what stands on them, whatever the names."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
import segno
from factories import printed_sheets
from factories.examples import examples
from factories.markup import ATTRIBUTES, HTML_TAGS, Read
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.registration.sheet import (
    MOST_CHARS,
    Line,
    Note,
    Page,
    Total,
    Zone,
    clip,
    payload,
)
from deckcheck.registration.sheet import render_html as render
from deckcheck.registration.submissions import Player
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

SHEETS = {
    "legal": printed_sheets.legal,
    "illegal": printed_sheets.illegal,
    "undecided": printed_sheets.undecided,
    "sixty": printed_sheets.sixty,
    "empty": printed_sheets.empty,
}


def body(html: str) -> str:
    return re.sub(r"(?s)<style>.*?</style>", "", html)


@pytest.mark.parametrize(
    "make",
    [
        printed_sheets.legal,
        printed_sheets.illegal,
        printed_sheets.undecided,
        printed_sheets.sixty,
        printed_sheets.long_names,
    ],
)
def test_every_card_of_a_deck_is_on_its_sheet(make: printed_sheets.Make) -> None:
    page = make()
    read = Read(render([page]))
    wanted = [
        (str(line.copies), line.name if line.sure else f"※ {line.name}")
        for zone in page.zones
        for line in zone.lines
    ]
    assert sorted(read.cards) == sorted(wanted)


def test_the_code_on_a_sheet_holds_its_fingerprint() -> None:
    page = printed_sheets.legal()
    code = segno.make(payload(page), error="m", micro=False, boost_error=False)
    assert code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None) in render([page])
    assert "<svg" not in render([printed_sheets.undecided()])


def test_what_is_not_known_is_ruled_for_the_pen() -> None:
    pens = '<span class="pen"></span>'
    assert pens not in body(render([printed_sheets.legal()]))
    nobody = replace(printed_sheets.legal(), player=Player(), event=None)
    # Name, id, table; deck, handle; event, organiser, date. Only in Japanese is there a line for the reading.
    nobody = replace(nobody, deck=None)
    assert render([nobody]).count(pens) == render([replace(nobody, lang="en")]).count(pens) == 8
    readings = '<span class="reading"></span>'
    assert [render([replace(nobody, lang=lang)]).count(readings) for lang in ("ja", "en")] == [1, 0]
    empty = Read(render([printed_sheets.empty()]))
    assert empty.rows.count(["", ""]) == 30 + 12
    assert render([printed_sheets.empty()]).count('<span class="blank"></span>') == 2


def test_the_reading_stands_above_the_name() -> None:
    assert "<ruby><bdi>山田 花子</bdi><rp>(</rp><rt><bdi>やまだ はなこ</bdi></rt>" in render(
        [printed_sheets.legal()]
    )
    alone = replace(printed_sheets.legal(), player=Player(reading="やまだ"))
    assert '<span class="reading"><bdi>やまだ</bdi></span><span class="pen"></span>' in render([alone])


def test_the_title_names_the_event_or_the_deck_and_no_player() -> None:
    assert "<title>秋のデュエル祭 2026</title>" in render([printed_sheets.legal()])
    alone = replace(printed_sheets.legal("en"), event=None)
    assert "<title>水闇コントロール</title>" in render([alone])
    assert "<title>Decklist</title>" in render([replace(alone, deck=None)])


def test_every_class_has_its_style_and_every_size_of_text_too() -> None:
    html = render(
        [make(lang) for make in (*SHEETS.values(), printed_sheets.long_names) for lang in ("ja", "en")]
    )
    css = re.search(r"(?s)<style>(.*?)</style>", html)
    assert css is not None
    used = {name for names in re.findall(r'class="([^"]*)"', html) for name in names.split()}
    bare = {"name", "title"}
    assert {name for name in used if f".{name}" not in css[1]} <= bare


def test_nothing_is_loaded_and_only_our_style_is_obeyed() -> None:
    html = render([printed_sheets.legal(), printed_sheets.empty("en")])
    css = re.search(r"(?s)<style>(.*?)</style>", html)
    assert css is not None
    mark = b64encode(sha256(css[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{mark}'; base-uri 'none'; form-action 'none'" in html
    assert not re.search(r"(?i)https?:|url\(|@import|<script|<link|<img|\son\w+=|style=", html)


HOSTILE = st.text(
    st.one_of(
        st.sampled_from("<>&\"'/=`\u202e\u2066\u200b\x00\x1b\n\r\t\ufeff\ud800"),
        st.characters(),
    ),
    max_size=40,
) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</style><script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "]]><!--",
        "&lt;b&gt;",
        "{}%s\\",
        "\u202eevil",
        "a" * 9000,
        "あ" * 9000,
    ]
)


LEGAL = printed_sheets.legal()
LIST = LEGAL.rules.lists[0]


def doubled(words: str) -> Localized:
    return Localized(words, words)


@examples(150)
@given(st.lists(HOSTILE, min_size=14, max_size=14), st.booleans())
def test_hostile_words_make_no_tags(words: list[str], empty: bool) -> None:
    lines = Line(1, words[1]), Line(1, words[2], sure=False)
    zone = Zone(words[0], lines, Total(3), sums=((words[0], Total(1)),))
    page = Page(
        lang="ja",
        player=Player(*words[3:8]),
        event=replace(printed_sheets.EVENT, name=doubled(words[8]), organiser=words[9], date=words[10]),
        format=replace(LEGAL.format, name=doubled(words[11]), id=words[12]),
        rules=replace(LEGAL.rules, edition=words[13], lists=(replace(LIST, name=doubled(words[13])),)),
        zones=(zone, replace(zone, played=False)),
        deck=words[1],
        verdict="illegal",
        notes=(Note("error", words[2], words[3]), Note("info", None, words[4])),
        fingerprint=None if empty else "0" * 64,
    )
    html = render([page])
    read = Read(html)
    assert read.tags.keys() <= HTML_TAGS
    assert read.attributes.keys() <= ATTRIBUTES
    assert read.tags["title"] == read.tags["style"] == 1 and read.tags["meta"] == 4
    text = "".join(read.text)
    assert all(safe(char) == char for char in text if char != "\n")
    for name in words[1:3]:
        shown = clip(name, MOST_CHARS)
        assert shown in text
    html.encode("utf-8")
