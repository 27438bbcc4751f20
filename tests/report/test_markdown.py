"""Markdown, read by two parsers of it: what stands in the files is shown and nothing else comes of it."""

from __future__ import annotations

import re

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from factories.pages import PageRead
from factories.reports import few, finding, hostile, lists, looks, problems, report, runs, written
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from deckcheck.model.finding import ListUsed, Report, UnappliedChange
from deckcheck.report.markdown import MOST, markdown, markdown_code
from deckcheck.report.writer import RenderOptions
from deckcheck.support.errors import Problem
from deckcheck.support.messages import Localized
from deckcheck.support.safe_text import safe

PARSER = MarkdownIt("gfm-like")
HARMLESS = {
    *(
        f"{one}_{side}"
        for one in ("heading", "paragraph", "strong", "bullet_list", "list_item")
        for side in ("open", "close")
    ),
    *(f"{one}_{side}" for one in ("table", "thead", "tbody", "tr", "th", "td") for side in ("open", "close")),
    "inline",
    "text",
    "code_inline",
}
# What GitHub makes links, mentions, pictures and formulas of, outside of code.
LIVE = re.compile(r"@\w|#\d|\bGH-\d|https?:|www\.|\$|:\w+:|\b[0-9a-f]{7,40}\b")


def tokens(text: str) -> list[Token]:
    return [child for token in PARSER.parse(text) for child in (token, *(token.children or ()))]


def cells(text: str) -> list[list[str]]:
    """The text of each row's cells; heads are left out."""
    rows: list[list[str]] = []
    inside = False
    for token in PARSER.parse(text):
        if token.type == "tbody_open":
            inside = True
        elif token.type == "tbody_close":
            inside = False
        elif inside and token.type == "tr_open":
            rows.append([])
        elif inside and token.type == "inline":
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


@few
@given(runs, looks, st.lists(problems, max_size=2, unique=True), st.lists(lists, max_size=2))
def test_nothing_in_a_file_becomes_markup(
    run: list[Report], look: RenderOptions, wrong: list[Problem], used: list[ListUsed]
) -> None:
    text = written("markdown", run, look=look, problems=wrong, lists=used)
    assert {token.type for token in tokens(text)} <= HARMLESS
    html = PageRead(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))
    allowed = {"h2", "h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
    assert html.tags.keys() <= allowed
    assert html.attributes <= {"align"}
    assert not LIVE.search(html.text_outside("code"))
    # Each finding is a row that shows its message.
    told = [(one.message, one.hint) for deck in run for one in deck.findings]
    told += [(one.finding.message, one.reason) for deck in run for one in deck.suppressed]
    brackets = "（{}）" if look.lang == "ja" else " ({})"
    wanted = []
    for message, more in told:
        added = more.in_(look.lang) if isinstance(more, Localized) else more
        wanted.append(safe(message.in_(look.lang) + (brackets.format(added) if added else "")))
    assert sorted(row[3] for row in cells(written("markdown", run, look=look))) == sorted(wanted)


@given(hostile)
@example(" ")
@example("a|b")
@example("\\|")
@example("`\\`|`")
@example(" `a` ")
@example("<b>&amp;")
@example("-")
@example("1.")
def test_a_text_reads_as_itself_in_a_cell_and_in_a_line(text: str) -> None:
    for written_as in (markdown(text), markdown_code(text)):
        assert cells(f"| a | b |\n| --- | --- |\n| x | {written_as} |\n") == [["x", safe(text)]]
        [paragraph] = [token for token in PARSER.parse(f"- {written_as}\n") if token.type == "inline"]
        assert "".join(child.content for child in paragraph.children or ()) == safe(text)


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_it_stays_within_what_github_takes_and_counts_the_rest(lang: str) -> None:
    decks = [
        report(*[finding(message=f"card {at}", line=at) for at in range(1, 30)], path=f"decks/{number}.txt")
        for number in range(200)
    ]
    text = written("markdown", decks, look=RenderOptions(lang))
    assert MOST - 2000 < len(text) <= MOST
    shown = len(cells(text))
    missing = 200 * 29 - shown
    [last] = [line for line in text.splitlines() if f"{missing:,}" in line]
    whole = text.count("### ")
    assert f"{200 - whole + (shown % 29 > 0):,}" in last


def test_nobody_makes_it_longer_than_it_may_be() -> None:
    long = "`|" * 2_000
    text = Localized(long, long)
    decks = [
        replace(
            report(*[finding(message=long, line=1, hint=text)] * 50, path=long),
            format_name=text,
            edition=long,
        )
        for _ in range(5)
    ]
    used = ListUsed("x", text, long, long, None, None, (text,) * 500, (UnappliedChange(long, text),) * 500)
    found = written(
        "markdown",
        decks,
        problems=[Problem(text, f"{at}{long}", hint=text) for at in range(500)],
        lists=[used],
    )
    assert len(found) <= MOST
    assert "and 4" in found
