"""Printed sheets: what stands on them, whatever the names, for whom there is one, and what a browser makes of them."""

from __future__ import annotations

import json
import re
import unicodedata
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pypdfium2 as pdfium
import pytest
import segno
from factories.browsers import running_browsers
from factories.commands import Done, deckcheck
from factories.events import EVENT, ILLEGAL, UNDECIDED, UNREADABLE, a_list, an_event, legal, put
from factories.examples import examples
from factories.pages import PageRead
from factories.rosters import EVENT as CUP
from factories.rosters import judge_event
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deckcheck.checking.judge import Loader, check, load_format
from deckcheck.model.finding import Copies, Finding, State
from deckcheck.model.format import Severity
from deckcheck.registration.sheet import (
    MOST_CHARS,
    MOST_NOTES,
    Page,
    Required,
    Zone,
    clip,
    payload,
    render_html,
    required,
    sheet_of,
    sheets_of,
    short,
)
from deckcheck.registration.submissions import Player, Submission
from deckcheck.report.wording import label_of
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

DAY = "2026-11-21"
HANAKO = Player("山田 花子", "やまだ はなこ", "hanako_dm", "0012-3456", "17")
LOADER = Loader()
RULES = {name: LOADER.format(f"duel-masters/{name}") for name in ("advance", "commander", "duemagic")}
BLANK = "<tr><td></td><td></td></tr>"
ADVANCE = [card.name for card in RULES["advance"].game_data.catalog]
LISTS = {
    "legal": ("duemagic", f"# deck: 水闇\n{legal()}"),
    "illegal": ("duemagic", ILLEGAL + "1 x 蒼神龍チェイン・スラッシュ\n"),
    "undecided": ("duemagic", UNDECIDED),
    "sixty": ("commander", (shipped("examples") / "white-dragon-commander.txt").read_text("utf-8")),
    # The longest names that there are, which take several lines.
    "long": (
        "advance",
        "".join(f"3 x {name}\n" for name in sorted(ADVANCE, key=lambda name: (-len(name), name))[:14]),
    ),
}


def sheet(text: str, format: str = "duemagic", lang: str = "ja") -> Page:
    """The sheet of a list by a player of whom everything is known."""
    report = check(text, RULES[format], as_of=DAY)
    return sheet_of(RULES[format], lang, DAY, report=report, player=HANAKO, event=CUP)


def made(name: str, lang: str = "ja") -> Page:
    format, text = LISTS[name]
    return sheet(text, format, lang)


def empty(format: str = "duemagic", lang: str = "ja") -> Page:
    return sheet_of(RULES[format], lang, DAY, event=CUP)


# What stands on a sheet


@pytest.mark.parametrize(
    ("format", "sizes", "blanks"),
    [
        (
            "advance",
            {("main",): "40以上", ("hyperspatial",): "0–8", ("gr",): "0か12", ("start",): "0か1か5"},
            {"メインデッキ": 24, "超次元ゾーン": 8, "超GRゾーン": 12, "ゲーム開始前に置くカード": 5},
        ),
        (
            "commander",
            {("commander",): "1", ("commander", "main"): "60"},
            {"統率者": 1, "メインデッキ": 59},
        ),
        ("duemagic", {("main",): "50", ("side",): "0–12"}, {"メインデッキ": 30, "サイドボード": 12}),
    ],
)
def test_what_is_required_is_read_from_the_format_and_an_empty_sheet_is_ruled_for_it(
    format: str, sizes: dict[tuple[str, ...], str], blanks: dict[str, int]
) -> None:
    """In a best of one the rules of Duemagic warn of a sideboard; it is allowed all the same."""
    rules = RULES[format]
    bounds = required(rules.prepared(DAY, 1), rules.format.zones, None)
    assert {zones: bounds[zones].in_("ja") for zones in sizes} == sizes
    page = empty(format)
    assert {zone.title: zone.blanks for zone in page.zones} == blanks
    assert page.report is None


DATED = """\
format: club/dated
name: Dated
game: duel-masters
zones: {main: {}, side: {}}
rules:
  - {id: old-size, in: main, until: 2019-12-31, exactly: 40}
  - {id: new-size, in: main, since: 2020-01-01, at_least: 50}
  - {id: most, in: main, since: 2020-01-01, at_most: 60}
"""


def test_only_what_stands_on_the_day_is_required_and_rules_add_up(tmp_path: Path) -> None:
    (tmp_path / "dated.yaml").write_text(DATED, encoding="utf-8")
    rules = load_format(tmp_path / "dated.yaml")
    for day, bound in (("2019-12-31", Required(40, 40)), ("2020-01-01", Required(50, 60))):
        assert required(rules.prepared(day), rules.format.zones, None) == {("main",): bound}
    # A zone of no told size gets some lines.
    assert [zone.blanks for zone in sheet_of(rules, "en", "2020-01-01").zones] == [36, 10]


def test_bounds_are_short() -> None:
    wanted = [Required(40, None), Required(one_of=(0, 1, 5)), Required()]
    assert [one.in_("en") for one in wanted] == ["at least 40", "0 or 1 or 5", ""]


def test_totals_stand_against_what_is_required() -> None:

    def totals(page: Page) -> list[tuple[str, int | None, str]]:
        return [(zone.title, zone.copies, zone.required) for zone in page.zones]

    assert totals(made("illegal")) == [("メインデッキ", 51, "50"), ("サイドボード", 13, "0–12")]
    whole = made("sixty")
    assert totals(whole) == [("統率者", 1, "1"), ("メインデッキ", 59, "")]
    assert [zone.sums for zone in whole.zones] == [(), (Zone("統率者＋メインデッキ", 60, "60"),)]
    # A bound that grows is that of the deck.
    for text, wanted in (("", "40"), ("超次元ゾーン\n2 x 13番目の計画\n", "50")):
        zone = sheet(f"4 x フェアリー・ライフ\n{text}", "advance").zones[0]
        assert (zone.copies, zone.required) == (4, wanted)


def test_lines_are_canonical_in_the_order_of_the_list_and_mark_what_is_no_certain_card() -> None:
    page = sheet("2 x フェアリーライフ\n4 x 天災 デドダン\n1 x フェアリー・ライフ\n0 x 青銅の鎧\n")
    sure, unsure = page.zones[0].cards
    assert sure == Copies("main", "フェアリー・ライフ", 3) and unsure == Copies(
        "main", "天災 デドダン", 4, False
    )
    assert page.report is not None and page.report.fingerprint is None and page.report.verdict == "illegal"
    page = sheet("4 x 青銅の鎧\n謎の場所:\n2 x フェアリー・ライフ\n")
    assert [zone.played for zone in page.zones][:2] == [True, True], "another zone has a box of its own"
    assert [held.card for zone in page.zones for held in zone.cards] == ["青銅の鎧", "フェアリー・ライフ"]


def test_the_gravest_findings_come_first_and_not_all_are_printed() -> None:
    unknown = "".join(f"1 x 知らないカード{chr(0x4E00 + at)}\n" for at in range(99))
    page = sheet(
        unknown
        + "9 x 青銅の鎧\n5 x 天災 デドダム\n"
        + "".join(f"謎の{n}:\n1 青銅の鎧\n" for n in "甲乙丙丁戊")
    )
    assert [label_of(finding, False) for finding in page.findings[:3]] == ["error", "error", "undecided"]
    assert 0 < render_html([page]).count("<li>") <= MOST_NOTES + 1 < len(page.findings)


def test_the_fingerprint_is_short_for_the_eye_and_whole_in_the_code() -> None:
    page = made("legal")
    mark = page.report and page.report.fingerprint
    assert mark is not None
    assert short(mark) == " ".join(mark[at : at + 4] for at in (0, 4, 8, 12))
    text = payload("duel-masters/duemagic", mark)
    assert text == f"deckcheck:1:duel-masters/duemagic:{mark}"
    code = segno.make(text, error="m", micro=False, boost_error=False)
    shown = code.svg_inline(border=4, omitsize=True, svgclass=None, lineclass=None)
    assert shown in render_html([page]) and "<svg" not in render_html([made("undecided")])
    for id in ("a" * 9000, "\ud800", "a:b"):
        assert payload(id, mark) == f"deckcheck:1::{mark}"


def test_each_player_has_a_page_in_the_order_of_the_tables_as_people_count() -> None:
    """Then those without a table by the reading of their names in any kana; each in the player's language."""
    tables = {
        "甲": "B2",
        "乙": "10",
        "丙": None,
        "丁": "9",
        "戊": "B10",
        "己": "A1",
        "庚": "９",
        "辛": "",
        "壬": "",
    }
    readings = {"丙": "へい", "辛": "しん", "壬": "ヒラ"}
    submissions = [
        Submission(f"lists/{name}", Player(name, readings.get(name), table=table), legal(), id=name)
        for name, table in tables.items()
    ]
    broken, english = Localized("壊れています", "broken"), Player("John", table="Z", language="en")
    submissions.append(Submission("lists/secret.txt", english, None, id="9", problem=broken))
    event = replace(CUP, as_of="2026-11-27", language="ja")
    pages, _unclear = sheets_of(judge_event(event, submissions, RULES["duemagic"]), "en")
    order = "".join(page.player.name or "" for page in pages)
    assert order[:2] in ("丁庚", "庚丁") and order[2:] == "乙己甲戊John辛壬丙"
    [other] = [page for page in pages if page.lang != "ja"]
    # No place of a file is printed, and without a list there is a sheet to fill in by hand.
    assert [finding.message.en for finding in other.findings] == ["broken"]
    assert other.report is None and render_html([other]).count(BLANK) == 42


# The page


HTML_TAGS = frozenset([
    "html", "head", "meta", "title", "style", "body", "section", "header", "footer", "div", "span",
    "table", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "h1", "h2", "p", "ul", "li",
    "b", "i", "small", "strong", "ruby", "rp", "rt", "bdi", "svg", "path",
])  # fmt: skip
ATTRIBUTES = frozenset([
    "lang", "charset", "http-equiv", "content", "name", "class", "colspan", "aria-hidden",
    "aria-label", "role", "viewbox", "d", "stroke",
])  # fmt: skip


def test_what_is_not_known_is_ruled_for_the_pen() -> None:
    pen, reading = '<span class="pen"></span>', '<span class="reading"></span>'
    known = render_html([made("legal")])
    assert pen not in known
    assert "<ruby><bdi>山田 花子</bdi><rp>(</rp><rt><bdi>やまだ はなこ</bdi></rt>" in known
    unnamed = check(legal(), RULES["duemagic"], as_of=DAY)
    nobody = replace(made("legal"), player=Player(), event=None, report=unnamed)
    # Name, id, table; deck, handle; event, organiser, date. Only in Japanese is there a line for the reading.
    pages = [render_html([replace(nobody, lang=lang)]) for lang in ("ja", "en")]
    assert [(page.count(pen), page.count(reading)) for page in pages] == [(8, 1), (8, 0)]
    alone = render_html([replace(nobody, player=Player(reading="やまだ"))])
    assert f'<span class="reading"><bdi>やまだ</bdi></span>{pen}' in alone
    blank = render_html([empty()])
    assert PageRead(blank).rows.count(["", ""]) == 30 + 12
    assert blank.count('<span class="blank"></span>') == 2


def test_every_class_has_its_style_and_only_our_style_is_obeyed() -> None:
    pages = [made(name, lang) for name in LISTS for lang in ("ja", "en")]
    html = render_html([*pages, empty()])
    [css] = re.findall(r"(?s)<style>(.*?)</style>", html)
    used = {name for names in re.findall(r'class="([^"]*)"', html) for name in names.split()}
    assert {name for name in used if f".{name}" not in css} <= {"name", "title"}
    mark = b64encode(sha256(css.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{mark}'; base-uri 'none'; form-action 'none'" in html
    assert not re.search(r"(?i)https?:|url\(|@import|<script|<link|<img|\son\w+=|style=", html)


HOSTILE = st.text(
    st.sampled_from("<>&\"'/=`\u202e\u2066\u200b\x00\x1b\n\r\t\ufeff\ud800") | st.characters(), max_size=40
) | st.sampled_from(
    [
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
def test_hostile_words_make_no_tags(words: list[str], is_empty: bool) -> None:
    legal_page = made("legal")
    listed = legal_page.rules.lists[0]
    names = [Localized(word, word) for word in words]
    cards = Copies("main", words[1], 1), Copies("main", words[2], 1, known=False)
    zone = Zone(words[0], 3, cards=cards, sums=(Zone(words[0], 1),))
    notes = [
        Finding(rule, Severity.ERROR, State.VIOLATED, name)
        for rule, name in zip(words[2:], names[3:5], strict=False)
    ]
    page = Page(
        lang="ja",
        player=Player(*words[3:8], deck_name=words[1]),
        event=replace(CUP, name=names[8], organiser=words[9], date=words[10]),
        format=replace(legal_page.format, name=names[11], id=words[12]),
        rules=replace(legal_page.rules, edition=words[13], lists=(replace(listed, name=names[13]),)),
        zones=(zone, replace(zone, played=False)),
        report=None if is_empty else legal_page.report,
        notes=tuple(notes),
    )
    html = render_html([page])
    read = PageRead(html)
    assert read.is_nested
    assert read.tags.keys() <= HTML_TAGS and read.attributes <= ATTRIBUTES
    assert read.tags["title"] == read.tags["style"] == 1 and read.tags["meta"] == 4
    text = read.text_outside("style")
    assert all(safe(char) == char for char in text if char != "\n")
    assert all(clip(name, MOST_CHARS) in text for name in words[1:3])
    html.encode("utf-8")


# The command


SECRETS = ("水野", "みずの", "0017", "アクア")


def run(folder: Path, *arguments: str, given: str = "", lang: str = "en") -> Done:
    return deckcheck("sheet", *arguments, cwd=folder, given=given, DECKCHECK_LANG=lang)


def printed(folder: Path, *arguments: str, given: str = "", lang: str = "en") -> str:
    done = run(folder, *arguments, given=given, lang=lang)
    assert (done.status, done.err) == (0, "")
    return done.out


def leaves_of(html: str) -> list[str]:
    return html.split('<section class="sheet')[1:]


def players(html: str) -> list[str | None]:
    """The name on each leaf, None where it is left to the pen."""
    heads = [re.search(r'class="cell name".*?</div>', leaf) for leaf in leaves_of(html)]
    names = [re.search(r"<bdi>([^<]*)</bdi>", head[0]) if head else None for head in heads]
    return [name[1] if name else None for name in names]


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    head = "# format: duel-masters/duemagic\n# date: 2026-11-27\n"
    files = {"plain.txt": legal(), "two.txt": "4 青銅の鎧\n\n3 フェアリー・ライフ\n", "event.yaml": EVENT}
    files["deck.txt"] = head + a_list("水野 光", legal(), table="7", id="0017")
    files["bad.txt"] = f"# deckcheck: ignore-file[copies, main-size] ok\n{ILLEGAL}"
    put(tmp_path, files)
    return tmp_path


DUEMAGIC = ("-f", "duel-masters/duemagic")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        # Options say more and win.
        (
            ("deck.txt", "--name", "A & B", "--format", "duel-masters/original", "--as-of", "2026-01-10"),
            ("A &amp; B", "<bdi>0017</bdi>", "Original", "rules of 2026-01-10", "!水野"),
        ),
        (("-", *DUEMAGIC), ("青銅の鎧",)),
        # What a list asks to ignore is told all the same.
        (("bad.txt", *DUEMAGIC), ("NOT LEGAL", "[copies]", "[main-size]")),
        (("two.txt", *DUEMAGIC), ("<b>7</b> / 50", "<b>0</b> / 0–12")),
        (("two.txt", *DUEMAGIC, "--notation", "mtgo"), ("<b>4</b> / 50", "<b>3</b> / 0–12")),
        (("--empty", "-f", "dmc", "--name", "乙"), (BLANK, "乙", "DM Commander")),
        (("--empty", *DUEMAGIC), ("2026-08-10",)),
        (("--empty", *DUEMAGIC, "--as-of", "2020-05-01"), ("!2026-08-10", "rules of 2020-05-01")),
        (("--empty", "event.yaml"), ("Winter cup", BLANK, "!水野")),
    ],
)
def test_what_is_asked_for_is_printed(deck: Path, arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    html = printed(deck, *arguments, given="event: 1\n" + legal())
    for words in said:
        assert (words.removeprefix("!") in html) is not words.startswith("!"), words


def test_who_plays_a_list_may_stand_above_the_cards_without_a_mark(deck: Path) -> None:
    (deck / "bare.txt").write_text(f"名前：水野 光\n会員番号: 0017\n\n{legal()}", encoding="utf-8")
    html = printed(deck, "bare.txt", *DUEMAGIC)
    assert players(html) == ["水野 光"] and "<bdi>0017</bdi>" in html


def test_the_format_may_come_from_the_settings(deck: Path) -> None:
    (deck / "deckcheck.toml").write_text('format = "duel-masters/duemagic"\nlang = "ja"\n', encoding="utf-8")
    assert "デュエマジック" in printed(deck, "plain.txt", lang="")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "duel-masters/duemagic"], "name a deck"),
        (["."], "name a single file"),
        (["plain.txt"], "no format"),
        (["event.yaml"], "no lists to make sheets of"),
        (["event.yaml", "--format", "duel-masters/original", "--name", "A"], "--format, --name"),
        (["deck.txt", "-f", "duel-masters/nothing"], "nothing"),
        (["deck.txt", "--as-of", "2026-13-01"], "not a valid date"),
        (["deck.txt", "-o", "deck.txt"], "will not be overwritten"),
        (["deck.txt", "-o", "."], "can't be written"),
    ],
)
def test_what_makes_no_sense_is_told_and_nothing_is_written(
    deck: Path, arguments: list[str], said: str
) -> None:
    (deck / "lists").mkdir()
    before = sorted(deck.iterdir()), (deck / "deck.txt").read_bytes()
    done = run(deck, *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert (sorted(deck.iterdir()), (deck / "deck.txt").read_bytes()) == before


def test_once_accepted_the_sheet_shows_what_was_accepted_whatever_comes_in_later(tmp_path: Path) -> None:
    an_event(tmp_path, *(a_list(name, legal(), id=name) for name in "甲乙丙丁戊"))
    done = deckcheck("event", "accept", "event.yaml", "--output-format", "json", cwd=tmp_path)
    marks = [one["fingerprint"] for one in json.loads(done.out)["accepted"]]
    # Of two lists without a time nobody can tell which one counts, but which one was accepted.
    later = {"01": a_list("甲", legal(3), id="甲"), "02": a_list("乙", UNREADABLE, id="乙")}
    later["06"] = a_list("丁", legal(5), id="丁")
    put(tmp_path, {f"lists/{name}.txt": text for name, text in later.items()})
    (tmp_path / "lists" / "03.txt").unlink()
    html = printed(tmp_path, "event.yaml", "--lang", "en")
    leaves = dict(zip(players(html), leaves_of(html), strict=True))
    assert leaves.keys() == set("甲乙丙丁戊")
    for number, name in enumerate("甲乙丙丁戊", 1):
        assert short(marks[number - 1]) in leaves[name]
        said = f"the list as it was accepted (receipt {number}), not one that came in later"
        assert (said in leaves[name]) == (name in "甲乙丙")


def test_a_player_who_is_named_twice_has_one_page_and_one_who_withdrew_has_none(tmp_path: Path) -> None:
    an_event(tmp_path, a_list("甲", legal(), id="1"), a_list("乙", legal(2), id="2"))
    assert players(printed(tmp_path, "event.yaml", "甲", "1")) == ["甲"]
    deckcheck("event", "withdraw", "event.yaml", "甲", "--by", "J", "--reason", "R", cwd=tmp_path)
    assert players(printed(tmp_path, "event.yaml")) == ["乙"]
    assert run(tmp_path, "event.yaml", "甲").status == 2


def test_of_lists_of_one_player_only_the_one_that_counts_has_a_page(tmp_path: Path) -> None:
    """Of two at unknown times nobody can tell which one counts: neither is printed, and that is said without a name."""
    an_event(tmp_path, a_list("水野 光", legal()), a_list("水野 光", legal(2)), a_list("乙", legal(4)))
    done = run(tmp_path, "event.yaml")
    assert done.status == 0 and players(done.out) == ["乙"]
    assert "lists/01.txt and 1 more" in done.err and not any(word in done.err for word in SECRETS)


# On paper


def squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


def papers(pages: Sequence[Page], folder: Path) -> list[str]:
    """The text on each page of paper, without white space; every page is A4 and has ink on it."""
    source, target = folder / "sheet.html", folder / "sheet.pdf"
    source.write_text(render_html(pages), encoding="utf-8")
    with running_browsers(folder) as browsers:
        opened = browsers("ja-JP").new_page()
        opened.goto(source.as_uri())
        opened.pdf(path=target, prefer_css_page_size=True)
    texts = []
    with pdfium.PdfDocument(target) as document:
        for page in document:
            width, height = page.get_size()
            assert (round(width), round(height)) == (595, 842)
            darkest, _lightest = page.render(scale=1, grayscale=True).to_pil().convert("L").getextrema()
            assert darkest < 100
            texts.append(squeezed(page.get_textpage().get_text_range()))
    return texts


def hundred(lang: str) -> Page:
    """A hundred different cards, as unlike in length as they come, and findings of as many rules as are printed."""
    # Pdfium reads no hyphen at the end of a line, and quotes in small print are too small to compare.
    cards = [name for name in ADVANCE if not re.search("[!-~‘-”]", name)][2000:10000:79][:100]
    text = "".join(f"1 x {name}\n" for name in cards[1:])
    page = sheet(f"統率者\n1 x {cards[0]}\nメインデッキ\n{text}", "commander", lang)
    long = {"ja": "とても長い説明です。" * 9, "en": "a very long explanation " * 8}[lang]
    said = [Localized(f"{at} {long}", f"{at} {long}") for at in range(MOST_NOTES)]
    notes = [Finding(f"rule-{at}", Severity.ERROR, State.VIOLATED, text) for at, text in enumerate(said)]
    return replace(page, notes=tuple(notes))


def test_a_browser_prints_a_page_for_each_player_and_a_long_list_whole(tmp_path: Path) -> None:
    pages = []
    for number, lang in enumerate(("ja", "en") * 6):
        page = hundred(lang) if number < 2 else made(list(LISTS)[number // 2 - 1], lang)
        player = replace(page.player, name=f"参加者{number:02}", table=str(number + 1))
        pages.append(replace(page, player=player))
    names = ADVANCE[5000:5150]
    long = sheet("".join(f"1 x {name}\n" for name in names), "advance", "en")
    texts = papers([*pages, empty(), empty("commander", "en"), long], tmp_path)
    for page, text in zip(pages, texts, strict=False):
        assert squeezed(page.player.name or "") in text and squeezed(page.format.name.in_(page.lang)) in text
        cards = [held.card for zone in page.zones for held in zone.cards]
        assert [name for name in cards if squeezed(name) not in text] == []
    rest = texts[len(pages) + 2 :]
    assert len(rest) > 1
    assert [name for name in names if squeezed(name) not in "".join(rest)] == []
