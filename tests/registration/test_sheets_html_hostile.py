"""Sheets as HTML, whatever words are thrown at them and whatever format they are for."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from factories import printed_sheets
from factories.examples import examples
from factories.markup import ATTRIBUTES, HTML_TAGS, Read
from factories.printed_sheets import loaded, names_of
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.sheet import MOST_CHARS, Line, Note, Page, Total, Zone, clip
from deckcheck.registration.sheet import render_html as render
from deckcheck.registration.submissions import Player
from deckcheck.support.safe_text import safe


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


@examples(150)
@given(st.lists(HOSTILE, min_size=14, max_size=14), st.booleans())
def test_hostile_words_make_no_tags(words: list[str], empty: bool) -> None:
    lines = Line(1, words[1]), Line(1, words[2], sure=False)
    zone = Zone(words[0], lines, Total(3), sums=((words[0], Total(1)),))
    page = Page(
        lang="ja",
        player=Player(*words[3:8]),
        event=words[8],
        organiser=words[9],
        date=words[10],
        format=words[11],
        format_id=words[12],
        as_of="2026-11-21",
        lists=((words[13], "x"), (words[0], words[10])),
        zones=(zone, zone._replace(played=False)),
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


def test_what_turns_the_direction_of_writing_is_written_out() -> None:
    page = printed_sheets.legal()._replace(player=Player("\u202eネコ\x1b[31m", "\u2067よみ"))
    html = render([page])
    assert "\\u202eネコ\\x1b[31m" in html and "\\u2067よみ" in html
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b]", html)
    assert html.count("<bdi>") > len(names_of(page))


def test_lines_whose_card_is_not_certain_say_so() -> None:
    zone = Zone("メイン", (Line(7, "バングリッドX", sure=False),), Total(7))
    read = Read(render([printed_sheets.legal()._replace(zones=(zone,))]))
    assert read.cards == [("7", "※ バングリッドX")]
    assert "どのカードか確定していない名前" in "".join(read.text)


def test_every_bundled_format_has_a_sheet_in_both_languages() -> None:
    for format in ("advance", "amadeus", "commander", "duel-party", "duemagic", "hall-zero", "original"):
        rules = loaded(format)
        for lang in ("ja", "en"):
            html = render([printed_sheets.empty(lang, format)])
            assert all(name.in_(lang) in html for name in rules.format.zones.values())
