"""The day of an organiser with sixty players, at the desk in a real browser."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pypdfium2
import pytest
from factories import sixty_players
from factories.browsers import running_browser
from factories.events import legal
from factories.live_site import LiveSite, live_event
from factories.sixty_players import SixtyPlayers, name_of
from playwright.sync_api import Browser, Page, expect

from deckcheck.registration.event import read_event
from deckcheck.registration.log import Log, read_log


@pytest.fixture
def event(tmp_path: Path) -> SixtyPlayers:
    (tmp_path / "event").mkdir()
    return SixtyPlayers(tmp_path / "event")


@pytest.fixture
def site(event: SixtyPlayers) -> Iterator[LiveSite]:
    with live_event(event.file) as site:
        yield site


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Browser]:
    (tmp_path / "browser").mkdir()
    with running_browser(tmp_path / "browser") as chromium:
        yield chromium


def open_page(chromium: Browser) -> Page:
    page = chromium.new_context(locale="en-GB", accept_downloads=True).new_page()
    page.set_default_timeout(60_000)
    return page


def log_of(event: SixtyPlayers) -> Log:
    opened = read_event(event.file)
    return read_log(opened.log, opened.id)


def filtered(desk: Page, name: str) -> int:
    """How many submissions a filter of the roster counts."""
    link = desk.get_by_role("navigation", name="Filter").get_by_role("link", name=re.compile(f"^{name} "))
    return int(link.inner_text().split()[-1])


def decide(desk: Page, url: str, who: str, button: str, by: str = "", reason: str = "") -> str:
    """Open a submission, press a button and return what the desk says."""
    desk.goto(f"{url}/desk/submissions/{who}")
    desk.get_by_label("Judge (only for").fill(by)
    desk.get_by_label("Reason").fill(reason)
    desk.get_by_role("button", name=button).click()
    status = desk.get_by_role("status").first
    expect(status).to_be_visible()
    return status.inner_text()


def test_from_the_first_list_to_the_last_deck_check(
    chromium: Browser, site: LiveSite, event: SixtyPlayers
) -> None:
    # A player submits on the page and keeps the private link.
    player = open_page(chromium)
    player.goto(site.url)
    player.get_by_label("Name (required)").fill("遅咲 桜")
    player.get_by_label("Player id (required)").fill("1061")
    player.get_by_label("Decklist").fill(legal(5))
    player.get_by_role("button", name="Submit", exact=True).click()
    expect(player.get_by_text("Received on")).to_be_visible()
    private = player.url

    # The evening before: who is there, and what is wrong?
    desk = open_page(chromium)
    desk.goto(site.desk)
    desk.wait_for_url("**/desk")
    counts = {name: filtered(desk, name) for name in ("illegal", "undecided", "no list", "late")}
    assert counts == {"illegal": 1, "undecided": 1, "no list": 1, "late": 3}
    assert filtered(desk, "registered more than once") == 4
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Letters (CSV)").click()
    letters = Path(download.value.path()).read_text("utf-8-sig")
    assert len(list(csv.reader(StringIO(letters, newline="")))) == 62

    # What may be accepted is accepted.
    desk.get_by_role("button", name="Accept all that may be accepted").click()
    expect(desk.get_by_role("status").filter(has_text=": accepted")).to_have_count(56)
    expect(desk.get_by_role("status").filter(has_text="not accepted")).to_have_count(5)
    player.reload()
    expect(player.get_by_text("It was accepted")).to_be_visible()

    # At the door: a late list needs a judge; a player withdraws.
    late = name_of(sixty_players.LATE)
    assert "the list came after the deadline" in decide(desk, site.url, late, "Accept")
    assert f"{late}: accepted" in decide(desk, site.url, late, "Accept", "審判", "電車の遅れ")
    assert "withdrawn" in decide(desk, site.url, name_of(10), "Withdraw the player", "受付", "電話")

    # The player corrects the accepted list by the private link: it counts once a judge says so.
    player.goto(private)
    player.get_by_label("Decklist").fill(legal(6))
    player.get_by_role("button", name="Submit the correction").click()
    expect(player.get_by_text("Received on")).to_be_visible()
    corrected = re.search(r"as submission (\w+)", player.locator(".notice").first.inner_text())
    assert corrected is not None
    assert "not the one that was accepted" in decide(desk, site.url, corrected[1], "Accept")
    assert "accepted" in decide(desk, site.url, corrected[1], "Accept", "審判", "一度だけ")
    (receipt,) = [one for one in log_of(event).receipts.values() if one.player.id == "1061"]
    assert (receipt.submission, receipt.reason) == (corrected[1], "一度だけ")

    # The sheets, one for each player with a list.
    desk.goto(f"{site.url}/desk/sheets")
    assert desk.locator("section.sheet").count() == 60
    assert name_of(10) not in desk.content()
    assert len(pypdfium2.PdfDocument(desk.pdf(prefer_css_page_size=True))) == 60

    # At the tables: a tenth is drawn, and the first deck is checked.
    desk.goto(f"{site.url}/desk/draw")
    desk.get_by_label("Seed").fill("4-6-1-3")
    desk.get_by_role("button", name="Draw").click()
    expect(desk.locator("ol a")).to_have_count(6)
    desk.locator("ol a").first.click()
    registered = desk.locator(".registered li").all_inner_texts()
    assert len(registered) >= 13
    lines = [card.replace(" ", " x ", 1) for card in registered]
    whole = "\n".join([*lines[:13], "サイドボード", *lines[13:]])
    for deck, said in ((whole, "as registered"), (lines[0], "different from the registered list")):
        desk.get_by_label("The deck as it lies on the table").fill(deck)
        desk.get_by_label("Judge").fill("審判")
        desk.get_by_role("button", name="Compare and record").click()
        expect(desk.get_by_role("status")).to_have_text(said)
    assert [entry.value.result for entry in log_of(event).entries[-2:]] == ["same", "different"]  # type: ignore[union-attr]
