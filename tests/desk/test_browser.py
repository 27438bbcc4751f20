"""The pages in a real browser: players and the organiser, both languages, a phone, without scripts, for everybody's eyes."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from factories.browsers import running_browser
from factories.event_site import LIST, write_event
from factories.live_site import LiveSite, live_desk, live_event
from playwright.sync_api import Browser, Page, expect

from deckcheck.registration.event import read_event
from deckcheck.registration.log import Log, read_log

WITH_A_MISTAKE = LIST.replace("喧嘩屋タイラー", "喧嘩屋タイラン")
ILLEGAL = LIST.replace("2 x 喧嘩屋タイラー", "3 x 喧嘩屋タイラー")
TOO_WIDE = """
[...document.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML)
"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PALE = {"type": "rule", "values": ["color-contrast"]}
PHONE = {"width": 320, "height": 640}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with running_browser(tmp_path_factory.mktemp("browser")) as chromium:
        yield chromium


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return write_event(tmp_path, datetime.now(UTC) + timedelta(days=1))


@pytest.fixture
def site(event: Path) -> Iterator[LiveSite]:
    with live_event(event) as site:
        yield site


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="en-GB", accept_downloads=True)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def log_of(event: Path) -> Log:
    opened = read_event(event)
    return read_log(opened.log, opened.id)


def submit(page: Page, site: LiveSite, name: str, text: str = LIST) -> str:
    """Submit a list as a player does; returns the address of the private page."""
    page.goto(site.url)
    page.get_by_label("Name (required)").fill(name)
    page.get_by_label("Decklist").fill(text)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name="Your list")).to_be_visible()
    return page.url


def test_a_player_pastes_corrects_submits_comes_back_and_withdraws(
    page: Page, site: LiveSite, event: Path
) -> None:
    page.goto(site.url)
    page.get_by_label("Name (required)").fill("赤井")
    # The check is live: nothing is pressed.
    page.get_by_label("Decklist").fill(WITH_A_MISTAKE)
    page.get_by_role("button", name="Write 喧嘩屋タイラー").click()
    expect(page.get_by_label("Decklist")).to_have_value(LIST)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Received on")).to_be_visible()
    private = page.url

    page.goto("about:blank")
    page.goto(private)
    expect(page.get_by_label("Decklist")).to_have_value(LIST)
    page.get_by_label("Decklist").fill(ILLEGAL)
    expect(page.locator(".verdict")).to_have_class("verdict illegal")
    page.get_by_label("Decklist").fill(LIST)
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.locator(".verdict")).to_have_class("verdict legal")

    page.get_by_label("I don't take part in this event").check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("You have withdrawn from this event.")).to_be_visible()
    expect(page.get_by_label("Decklist")).to_have_count(0)
    assert len(log_of(event).withdrawals) == 1


def test_the_newest_answer_wins(page: Page, site: LiveSite) -> None:
    page.goto(site.url)
    delayed: list[str] = []

    def hold_the_first(route, request):  # type: ignore[no-untyped-def]
        if not delayed:
            delayed.append(request.url)
            page.wait_for_timeout(1_500)
        route.continue_()

    page.route("**/answer", hold_the_first)
    box = page.get_by_label("Decklist")
    box.fill(ILLEGAL)
    page.wait_for_timeout(600)
    box.fill(LIST)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    page.wait_for_timeout(1_500)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    assert delayed


def test_everything_works_without_scripts(chromium: Browser, site: LiveSite) -> None:
    context = chromium.new_context(locale="ja-JP", java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url)
    page.locator("#name").fill("赤井")
    page.locator("#list").fill(WITH_A_MISTAKE)
    page.get_by_role("button", name="調べる").click()
    page.get_by_role("button", name="喧嘩屋タイラー").click()
    expect(page.locator("#list")).to_have_value(LIST)
    expect(page.locator("#name")).to_have_value("赤井")
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    page.get_by_role("button", name="提出する", exact=True).click()
    expect(page.locator(".notice").first).to_contain_text("届きました")
    page.goto(site.desk)
    page.wait_for_url("**/desk")
    page.locator("button.main").click()
    expect(page.get_by_role("status").first).to_contain_text("赤井")
    context.close()


def examine(page: Page, shown: str) -> None:
    """Axe finds no violation, nor colours too pale in the dark; at 320 pixels nothing is cut off, as WCAG asks."""
    page.wait_for_load_state()
    for scheme, rules in (("light", {"type": "tag", "values": TAGS}), ("dark", PALE)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(page, options={"runOnly": rules})
        assert found.violations_count == 0, (shown, scheme, found.generate_report())
    size = page.viewport_size
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    # Only tables may scroll, within themselves.
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], (shown, page.evaluate(TOO_WIDE))
    page.set_viewport_size(size)  # type: ignore[arg-type]


def test_every_page_from_the_first_list_to_the_deck_check_is_for_everybody(
    page: Page, site: LiveSite, event: Path
) -> None:
    page.goto(site.url)
    examine(page, "empty form")
    page.get_by_label("Decklist").fill(WITH_A_MISTAKE.replace("2 x 技師", "3 x 技師"))
    expect(page.locator(".verdict")).to_be_visible()
    examine(page, "form with findings")
    submit(page, site, "赤井" * 20, ILLEGAL)
    examine(page, "private page")
    submit(page, site, "青木")

    page.goto(f"{site.url}/desk")
    expect(page.get_by_role("alert")).to_contain_text("Open the link with the key")
    examine(page, "locked")
    page.goto(site.desk)
    page.wait_for_url("**/desk")
    examine(page, "roster")
    page.get_by_role("button", name="Accept all that may be accepted").click()
    expect(page.get_by_role("status").first).to_contain_text("青木: accepted (receipt 1)")
    examine(page, "roster after accepting")

    page.get_by_role("navigation", name="Filter").get_by_role("link", name="illegal").click()
    page.get_by_role("row", name="赤井").get_by_role("link").click()
    examine(page, "submission with findings")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_contain_text("not accepted")
    page.get_by_label("Judge (only for").fill("審判")
    page.get_by_label("Reason").fill("確認済み")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_contain_text("accepted (receipt 2)")
    assert [receipt.by for receipt in log_of(event).receipts.values()] == [None, "審判"]

    page.get_by_role("link", name="Sheets to print").click()
    assert page.locator("section.sheet").count() == 2
    page.goto(f"{site.url}/desk")
    with page.expect_download() as download:
        page.get_by_role("link", name="Roster (CSV)").click()
    assert "青木" in Path(download.value.path()).read_text("utf-8")

    page.get_by_role("link", name="Draw deck checks").click()
    page.get_by_label("Share of all accepted decks").fill("100%")
    page.get_by_label("Seed").fill("4-6-1")
    page.get_by_role("button", name="Draw").click()
    examine(page, "draw")
    page.get_by_role("list").get_by_role("link").filter(has_text="青木").click()
    typed = LIST.replace("2 x フォース", "1 x フォース")
    page.get_by_label("The deck as it lies on the table").fill(typed)
    page.get_by_label("Judge").fill("審判")
    page.get_by_role("button", name="Compare and record").click()
    expect(page.get_by_role("status")).to_contain_text("different from the registered list")
    expect(page.get_by_text("missing: 1 フォース・アゲイン")).to_be_visible()
    examine(page, "deck check")
    page.goto(f"{site.url}/desk/submissions/nobody")
    examine(page, "error")


def test_the_keyboard_is_enough(page: Page, site: LiveSite) -> None:
    page.goto(site.url)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    for _step in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "name":
            break
    page.keyboard.type("赤井")
    page.keyboard.press("Tab")
    page.keyboard.insert_text(LIST)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    while page.evaluate("document.activeElement.value") != "submit":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your list")).to_be_visible()


def test_the_page_for_everybody(page: Page) -> None:
    with live_desk() as site:
        page.goto(site.url)
        page.get_by_label("Format").select_option("duel-masters/original")
        page.get_by_label("Decklist").fill("5 x 青銅の鎧\n4 x 天災 デドダン")
        expect(page.get_by_text("5 copies of 青銅の鎧; at most 4 allowed")).to_be_visible()
        page.get_by_role("button", name="Write 天災 デドダム").click()
        expect(page.get_by_label("Decklist")).to_have_value("5 x 青銅の鎧\n4 x 天災 デドダム")
        page.get_by_label("Copy as").select_option("csv")
        page.get_by_role("button", name="Write", exact=True).click()
        copied = "Zone,Count,Name\nmain,5,青銅の鎧\nmain,4,天災 デドダム\n"
        expect(page.locator("#copied")).to_have_value(copied)
        examine(page, "page for everybody")
