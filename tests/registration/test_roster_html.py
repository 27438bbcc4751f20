"""The organiser's page: it shows what came in, and nothing that came in does anything there."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from factories.examples import examples
from factories.garden_game import GAME_YAML
from factories.rosters import (
    EVENT,
    HOSTILE,
    ILLEGAL,
    LEGAL,
    OTHER,
    TOO_LATE,
    UNREADABLE,
    entry,
    judged,
    sample,
)
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.formats import loading
from deckcheck.formats.loading import game_from, load_game
from deckcheck.registration.roster import Roster
from deckcheck.registration.roster_page import render_html as render
from deckcheck.registration.roster_page import statistics_of
from deckcheck.registration.submissions import FIELDS, Player
from deckcheck.support.errors import UserError
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

VOID = {"meta", "input", "rect", "br"}


class Page(HTMLParser):
    """The tags of a page with their attributes, its text, and whether every tag is closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.inside: dict[str, list[str]] = {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.inside.setdefault(self.open[-1], []).append(data)
        else:
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def bad(*names: str, text: str = LEGAL) -> Roster:
    """Players with these names in every field."""
    return judged(
        *(
            entry(at, text)._replace(
                player=Player(*(name for _ in FIELDS)), submitted=None, submitted_as=name
            )
            for at, name in enumerate(names, 1)
        )
    )


def shape(page: Page) -> list[tuple[str, tuple[tuple[str, str | None], ...]]]:
    """Every tag with its attributes, as far as they are not numbers or hashes."""
    return [(tag, tuple(attributes.items())) for tag, attributes in page.tags]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_page_needs_no_network_and_runs_nothing_but_its_own(lang: str) -> None:
    text = render(sample(), lang)
    page = Page(text)
    [policy] = [
        one["content"] or "" for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for tag in ("script", "style"):
        [content] = page.inside[tag]
        assert rules[f"{tag}-src"] == f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
    assert not [
        (tag, attributes)
        for tag, attributes in page.tags
        if attributes.keys() & {"src", "href", "style", "srcset", "action", "data"}
        or any(name.startswith("on") for name in attributes)
    ]
    assert not re.search(r"https?://|url\(|@import|fetch\(|XMLHttp", text)
    assert page.all("html") == [{"lang": lang}]


def test_a_script_in_a_players_name_is_only_text() -> None:
    page = Page(render(bad(HOSTILE[0]), "en"))
    assert len(page.all("script")) == 1
    assert page.text.count(HOSTILE[0]) >= 4


@pytest.mark.parametrize("name", HOSTILE)
def test_no_tag_comes_from_a_name(name: str) -> None:
    tame, found = Page(render(bad("x" * 5), "en")), Page(render(bad(name), "en"))
    assert shape(found) == shape(tame)


def test_a_right_to_left_override_in_a_name_turns_nothing() -> None:
    text = render(bad(HOSTILE[4]), "ja")
    assert all(safe(line) == line for line in text.split("\n"))
    assert r"<bdi>\u202e\u2066evil\x1b[31m</bdi>" in text


def test_words_of_others_keep_their_direction_to_themselves() -> None:
    assert "<bdi>ליאור</bdi>" in render(bad("ליאור"), "en")


@examples(40)
@given(st.text(st.characters(codec=None) | st.sampled_from("<>\"'&/ ;scriptbdi="), min_size=1, max_size=30))
def test_no_tag_comes_from_any_data(name: str) -> None:
    """Wherever it stands: in names, in lists, in the event."""
    # A field without a visible character is one that is not there.
    name = f"a{name}b"
    tame = bad("x", text=LEGAL + "1 nobody\n2 nobody\n")
    line = " ".join(name.split())
    event = EVENT._replace(name=Localized(name, name), organiser=name)
    wild = bad(name, text=f"{LEGAL}1 {line}\n" + "{\n")._replace(event=event)
    known = {tag for tag, _ in shape(Page(render(tame, "en")))} | {"mark", "code", "li", "ul", "h3"}
    page = Page(render(wild, "en"))
    assert {tag for tag, _ in page.tags} <= known
    assert len(page.all("script")) == len(page.all("style")) == len(page.all("input")) == 1


def test_each_player_has_a_row_with_all_that_was_found() -> None:
    text = render(sample(), "en")
    rows = re.findall(r'(?s)<tr role="row"(?: id="n(\d+)")? data-state="([a-z]+)"(.*?)</tr>', text)
    assert [number for number, _, _ in rows] == [*(str(at) for at in range(1, 21)), ""]
    states = {number: state for number, state, _ in rows}
    assert (states["1"], states["2"], states["5"], states["6"]) == (
        "legal",
        "illegal",
        "unreadable",
        "missing",
    )
    assert (states["9"], states["10"], states["11"]) == ("aside", "unclear", "unclear")
    inside = unescape(rows[1][2])
    assert "5 copies of フェアリー・ライフ; at most 4 allowed" in inside
    assert "line 2 <bdi>3 <mark>フェアリー・ライフ</mark></bdi>" in inside
    assert "<bdi>アクア・ハルカス</bdi>" in inside
    assert "Main deck" in inside


def test_headers_labels_and_buttons_are_what_they_are_called() -> None:
    page = Page(render(sample(), "ja"))
    assert all(one.get("type") == "button" and one.get("aria-pressed") for one in page.all("button"))
    assert [one["for"] for one in page.all("label")] == [one["id"] for one in page.all("input")] == ["find"]
    assert all(one.get("scope") in ("col", "row") for one in page.all("th"))
    assert all(one.get("aria-hidden") == "true" for one in page.all("svg"))
    assert len(page.all("h1")) == 1
    assert {one.get("role") for one in page.all("table")} == {"table", None}


def test_a_list_that_does_not_count_is_no_part_of_the_field() -> None:
    roster = judged(
        entry(1, LEGAL, "青木"), entry(2, OTHER, "青木", TOO_LATE), entry(3, UNREADABLE), entry(4, None)
    )
    assert statistics_of(roster, "en").decks == 1
    assert {name for name, _decks, _copies in statistics_of(roster, "en").cards} == {
        "アクア・ハルカス",
        "フェアリー・ライフ",
    }


def test_the_field_counts_decks_and_copies() -> None:
    field = statistics_of(judged(entry(1, LEGAL), entry(2, LEGAL), entry(3, OTHER), entry(4, ILLEGAL)), "en")
    assert field.cards == [
        ("アクア・ハルカス", 4, 16),
        ("フェアリー・ライフ", 3, 13),
        ("天災 デドダム", 1, 4),
    ]
    [(name, slices)] = field.charts
    assert name == "civilization"
    assert slices == [
        ("Light", 0),
        ("Water", 4),
        ("Darkness", 1),
        ("Fire", 0),
        ("Nature", 4),
        ("Zero", 0),
    ]


def test_no_more_than_twenty_cards_are_told() -> None:
    names = [card.name for card in judged(entry(1)).format.game_data.catalog if card.home == "main"][:40]
    roster = judged(entry(1, "".join(f"{1 + at % 4} {name}\n" for at, name in enumerate(names))))
    copies = [copies for _name, _decks, copies in statistics_of(roster, "en").cards]
    assert len(copies) == 20
    assert copies == sorted(copies, reverse=True)


def test_what_is_drawn_is_the_games_to_say() -> None:
    assert load_game("duel-masters").charts == ("civilization",)
    roster = judged(entry(1))
    table = roster.format.game_data
    table = table._replace(game=table.game._replace(charts=("type", "race")))
    other = type(roster.format)(roster.format.format, table)
    charts = statistics_of(roster._replace(format=other), "en").charts
    assert [name for name, _slices in charts] == ["card type", "race"]
    assert game_from({"game": "g", "name": "G", "attributes": {}, "zones": {"a": {"name": "A"}}}).charts == ()


@pytest.mark.parametrize(
    ("chart", "said"), [("color", "(did you mean 'colour'?)"), ("rarity", "'rarity' is no")]
)
def test_a_game_that_draws_what_it_has_not_is_refused(
    chart: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garden").mkdir()
    (tmp_path / "garden" / "game.yaml").write_text(f"{GAME_YAML}\ncharts: [{chart}]\n", encoding="utf-8")
    monkeypatch.setattr(loading, "shipped", lambda _: tmp_path)
    with pytest.raises(UserError) as caught:
        load_game("garden")
    [problem] = caught.value.problems
    assert problem.line is not None and said in problem.in_("en")


def test_an_event_without_entries_has_a_page() -> None:
    page = Page(render(judged(), "ja"))
    assert "まだ誰も登録していません。" in page.text
    assert not page.all("table") and not page.all("button")


def test_an_event_of_unread_lists_has_no_field() -> None:
    page = Page(render(judged(entry(1, UNREADABLE)), "en"))
    assert "Most played cards" not in page.text


CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
ASK = """
const box = document.getElementById("find"), told = [];
const numbers = () => Array.from(document.querySelectorAll("tr[data-state]")).filter((row) => !row.hidden).map((row) => row.id).join();
for (const words of ["アクア デドダム", "あおき", "アオキ", "j-003", "ｉｌｌｅｇａｌ", "nowhere at all", ""]) {
  box.value = words;
  box.dispatchEvent(new Event("input"));
  told.push(numbers() + " " + document.getElementById("shown").textContent);
}
for (const state of ["illegal", "missing", ""]) {
  document.querySelector(`button[data-state="${state}"]`).click();
  told.push(numbers());
}
document.title = told.join("|");
"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser")
def test_search_in_a_browser(tmp_path: Path) -> None:
    """The policy lets the page's own script run; a second one only because its hash is added here."""
    assert CHROMIUM is not None
    mine = f"'sha256-{b64encode(sha256(ASK.encode()).digest()).decode()}'"
    text = render(sample(), "en").replace("script-src ", f"script-src {mine} ", 1)
    file = tmp_path / "page.html"
    file.write_text(
        text.replace("</body>", f"<script>{ASK}</script><script>document.title = 'hacked'</script></body>"),
        encoding="utf-8",
    )
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    options += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    done = subprocess.run(
        [CHROMIUM, *options, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", file.as_uri()],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    found = re.search(r"<title>(.*?)</title>", done.stdout)
    assert found is not None, done.stderr
    # A player who is gone has no submission, and so no id.
    every = ",".join([*(f"n{at}" for at in range(1, 21)), ""])
    assert found[1].split("|") == [
        "n8,n11,n13,n20 4 of 21",
        "n1 1 of 21",
        "n1 1 of 21",
        "n3 1 of 21",
        "n2,n16 2 of 21",
        " 0 of 21",
        f"{every} 21 of 21",
        "n2,n16",
        "n6",
        every,
    ]
