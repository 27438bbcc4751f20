"""The pages in a real browser: players and the organiser, both languages, a phone, without scripts, for everybody's eyes.

On the way the pictures of the documentation are taken anew and compared. After a change that is meant,
DECKCHECK_UPDATE_PICTURES=1 writes them; look at each.
"""

import io
import os
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from factories.browsers import running_browsers
from factories.event_site import LIST, write_event
from factories.events import legal, put
from factories.live_site import LiveSite, live_site
from PIL import Image, ImageChops, ImageFilter, ImageStat
from playwright.sync_api import Browser, Page, expect

from deckcheck.desk import organiser, player_pages
from deckcheck.registration.event import read_event
from deckcheck.registration.log import read_log

WITH_A_MISTAKE = LIST.replace("喧嘩屋タイラー", "喧嘩屋タイラン")
ILLEGAL = LIST.replace("2 x 喧嘩屋タイラー", "3 x 喧嘩屋タイラー")
TOO_WIDE = """
[...document.querySelectorAll("*")].filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML)
"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PALE = {"type": "rule", "values": ["color-contrast"]}
NARROW = {"width": 320, "height": 640}
IMAGES = Path(__file__).parents[2] / "docs" / "images"
MOST_BYTES = 120_000
LOCALES = {"en": "en-GB", "ja": "ja-JP"}
CUP = """\
event: winter-cup
name: {ja: 冬の大会, en: Winter cup}
date: 2026-11-28
as_of: 2026-11-27
format: duel-masters/duemagic
organiser: カードの店
deadline: 2026-11-27 20:00
required: [name, id]
entries: [lists]
"""
PLAYERS = ("赤井 遥", "青木 葵", "緑川 蓮", "紫野 忍", "橙山 茜")


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Browser]]:
    with running_browsers(tmp_path_factory.mktemp("browser")) as browsers:
        yield browsers


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody has formats of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return write_event(tmp_path, datetime.now(UTC) + timedelta(days=1))


@pytest.fixture
def site(event: Path) -> Iterator[LiveSite]:
    with live_site(event) as site:
        yield site


@pytest.fixture
def cup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveSite]:
    """The event of the pictures, where with each look at the clock a minute passes."""
    times = iter(datetime(2026, 11, 26, 9, 30, tzinfo=UTC) + timedelta(minutes=at) for at in range(1, 999))
    for module in (player_pages, organiser):
        monkeypatch.setattr(module, "now", lambda: next(times))
    (tmp_path / "lists").mkdir()
    put(tmp_path, {"event.yaml": CUP})
    with live_site(tmp_path / "event.yaml") as site:
        yield site


@pytest.fixture
def open_page(browsers: Callable[[str], Browser]) -> Iterator[Callable[..., Page]]:
    """Opens a page in a language."""
    contexts = []

    def opened(lang: str = "en", width: int = 1000, **more: object) -> Page:
        size = {"width": width, "height": 600}
        contexts.append(browsers(LOCALES[lang]).new_context(locale=LOCALES[lang], viewport=size, **more))  # type: ignore[arg-type]
        contexts[-1].set_default_timeout(30_000)
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


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
    page.get_by_role("button", name="Submit the correction").click()
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    page.get_by_label("I don't take part in this event").check()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("You have withdrawn from this event.")).to_be_visible()
    expect(page.get_by_label("Decklist")).to_have_count(0)
    opened = read_event(event)
    assert len(read_log(opened).withdrawals) == 1


def test_the_newest_answer_wins(page: Page, site: LiveSite) -> None:
    page.goto(site.url)
    delayed: list[str] = []

    def hold_the_first(route, request):  # type: ignore[no-untyped-def]
        if not delayed:
            delayed.append(request.url)
            page.wait_for_timeout(1_000)
        route.continue_()

    page.route("**/answer", hold_the_first)
    box = page.get_by_label("Decklist")
    box.fill(ILLEGAL)
    page.wait_for_timeout(600)
    box.fill(LIST)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    page.wait_for_timeout(1_000)
    expect(page.locator(".verdict")).to_have_class("verdict legal")
    assert delayed


def test_everything_works_without_scripts(open_page: Callable[..., Page], site: LiveSite) -> None:
    page = open_page("ja", java_script_enabled=False)
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


# The pages of the documentation


def examine(page: Page, shown: str) -> None:
    """Axe finds no violation, nor colours too pale in the dark; at 320 pixels nothing is cut off, as WCAG asks."""
    page.wait_for_load_state()
    for scheme, rules in (("light", {"type": "tag", "values": TAGS}), ("dark", PALE)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(page, options={"runOnly": rules})
        assert found.violations_count == 0, (shown, scheme, found.generate_report())
    size = page.viewport_size
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    # Only tables may scroll, within themselves.
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= NARROW["width"], (shown, page.evaluate(TOO_WIDE))
    page.set_viewport_size(size)  # type: ignore[arg-type]


def compare(page: Page, name: str, lang: str, *, height: int | None = None) -> None:
    """The page must look as in the documentation, but for how letters are drawn; in one language it is examined, too."""
    page.wait_for_load_state()
    width = (page.viewport_size or {"width": 1000})["width"]
    clip = None if height is None else {"x": 0, "y": 0, "width": width, "height": height}
    taken = page.screenshot(full_page=True, clip=clip, animations="disabled", caret="hide", timeout=120_000)  # type: ignore[arg-type]
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    file = IMAGES / f"{name}.{lang}.png"
    if os.environ.get("DECKCHECK_UPDATE_PICTURES"):
        picture.quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)
    shown = Image.open(file).convert("RGB")
    assert file.stat().st_size <= MOST_BYTES
    assert shown.width == picture.width
    assert abs(shown.height - picture.height) <= 0.05 * picture.height
    difference = ImageChops.difference(
        *(one.resize(picture.size).filter(ImageFilter.GaussianBlur(6)) for one in (shown, picture))
    )
    assert max(ImageStat.Stat(difference).mean) < 8
    if lang == "en":
        examine(page, name)


def test_a_suggestion_leaves_what_was_typed_after_the_answer(open_page: Callable[..., Page]) -> None:
    with live_site() as site:
        page = open_page("en")
        page.goto(site.url)
        page.locator("#format").select_option("duel-masters/original")
        for typed, corrected in (
            ("4 x 天災 デドダン  # 𠮷", "4 x 天災 デドダム  # 𠮷"),
            ("14 x 天災 デドダン", "14 x 天災 デドダン"),
        ):
            page.locator("#list").fill("4 x 天災 デドダン")
            button = page.get_by_role("button", name="天災 デドダム")
            expect(button).to_be_visible()
            # Typed in the moment before the next answer.
            page.locator("#list").evaluate("(box, text) => { box.value = text; }", typed)
            button.click()
            expect(page.locator("#list")).to_have_value(corrected)


@pytest.mark.parametrize("lang", LOCALES)
def test_the_page_for_everybody(open_page: Callable[..., Page], lang: str) -> None:
    with live_site() as site:
        page = open_page(lang)
        page.goto(site.url)
        page.locator("#format").select_option("duel-masters/original")
        page.locator("#as_of").fill("2026-01-10")
        text = "4 x アクア・ガード\n5 x 青銅の鎧\n4 x 天災 デドダン\n4 x フェアリー・ライフ"
        page.locator("#list").fill(text)
        expect(page.locator("button[name=correct]").first).to_be_visible()
        compare(page, "page", lang)
        page.get_by_role("button", name="天災 デドダム").click()
        expect(page.locator("#list")).to_have_value(text.replace("デドダン", "デドダム"))
        page.locator("#notation").select_option("csv")
        page.locator("button[value=copy]").click()
        expect(page.locator("#copied")).to_have_value(re.compile("main,5,青銅の鎧\nmain,4,天災 デドダム\n"))


@pytest.mark.parametrize("lang", LOCALES)
def test_a_player_on_a_phone(open_page: Callable[..., Page], cup: LiveSite, lang: str) -> None:
    page = open_page(lang, 400)
    page.goto(cup.url)
    page.locator("#name").fill(PLAYERS[0])
    page.locator("#id").fill("1000")
    page.locator("#list").fill(legal().replace("4 x アクア・サーファー", "5 x アクア・サーファー"))
    expect(page.locator(".verdict")).to_be_visible()
    compare(page, "event-submit", lang, height=1100)
    page.locator("#list").fill(legal())
    page.locator("button[value=submit]").click()
    expect(page.locator("button.grave")).to_be_visible()
    compare(page, "event-private", lang, height=1100)


@pytest.mark.parametrize("lang", LOCALES)
def test_the_organisers_desk(open_page: Callable[..., Page], cup: LiveSite, lang: str) -> None:
    page = open_page(lang)
    texts = [legal(turn) for turn in range(len(PLAYERS))]
    texts[1] = texts[1].replace("4 x エナジー・ライト", "5 x エナジー・ライト")
    texts[3] = texts[3].replace("3 x アクア・ナイト", "3 x アクア・ナイツ")
    for number, (name, text) in enumerate(zip(PLAYERS, texts, strict=True), 1000):
        page.goto(cup.url)
        page.locator("#name").fill(name)
        page.locator("#id").fill(str(number))
        page.locator("#list").fill(text)
        page.locator("button[value=submit]").click()
        expect(page.locator(".notice").first).to_be_visible()
    page.goto(cup.desk)
    page.wait_for_url("**/desk")
    page.locator("button.main").click()
    expect(page.locator(".notice").first).to_be_visible()
    page.goto(f"{cup.url}/desk")
    compare(page, "event-roster", lang)
    page.get_by_role("row", name=PLAYERS[1]).get_by_role("link").click()
    compare(page, "event-player", lang, height=1100)
    page.goto(f"{cup.url}/desk/checks/1000")
    page.locator("#list").fill(texts[0].replace("3 x アクア・ナイト", "2 x アクア・ナイト"))
    page.locator("#by").fill("審判")
    page.locator("button.main").click()
    expect(page.locator(".verdict")).to_be_visible()
    compare(page, "event-deck-check", lang, height=1000)
    with page.expect_download() as download:
        page.goto(f"{cup.url}/desk")
        page.locator("a[href$='roster.csv']").click()
    assert PLAYERS[1] in Path(download.value.path()).read_text("utf-8")


def test_what_no_picture_shows_is_for_everybody_too(open_page: Callable[..., Page], cup: LiveSite) -> None:
    page = open_page()
    page.goto(cup.url)
    page.get_by_label("Name (required)").fill("赤井" * 20)
    page.get_by_label("Player ID (required)").fill("7")
    page.get_by_label("Decklist").fill(legal())
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name="Your list")).to_be_visible()
    page.goto(f"{cup.url}/desk")
    expect(page.get_by_role("alert")).to_contain_text("Open the link with the key")
    examine(page, "locked")
    page.goto(cup.desk)
    page.get_by_role("button", name="Accept all that may be accepted").click()
    page.get_by_role("link", name="Draw deck checks").click()
    page.get_by_label("Share of all accepted decks").fill("100%")
    page.get_by_label("Seed").fill("4-6-1")
    page.get_by_role("button", name="Draw").click()
    examine(page, "draw")
    page.get_by_role("list").get_by_role("link").filter(has_text="赤井").click()
    examine(page, "deck check")
    page.goto(f"{cup.url}/desk/submissions/nobody")
    examine(page, "error")
