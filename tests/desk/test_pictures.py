"""The pictures of the pages in the documentation, taken anew and compared.

After a change that is meant, DECKCHECK_UPDATE_PICTURES=1 writes them; look at each.
"""

import io
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from factories.browsers import running_browser
from factories.events import legal
from factories.live_site import LiveSite, live_desk, live_event
from PIL import Image, ImageChops, ImageFilter, ImageStat
from playwright.sync_api import Browser, Page, expect

from deckcheck.desk import organiser, player_pages

IMAGES = Path(__file__).parents[2] / "docs" / "images"
EVENT = """\
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
EVENING = datetime(2026, 11, 26, 9, 30, tzinfo=UTC)
LOCALES = {"en": "en-GB", "ja": "ja-JP"}
PLAYERS = ("赤井 遥", "青木 葵", "緑川 蓮", "紫野 忍", "橙山 茜")
MOST_BYTES = 120_000


class Camera:
    """A browser in a language."""

    def __init__(self, chromium: Browser, lang: str) -> None:
        self.lang = lang
        self._chromium = chromium

    def open(self, width: int = 1000) -> Page:
        """A new page."""
        size = {"width": width, "height": 600}
        return self._chromium.new_context(locale=LOCALES[self.lang], viewport=size).new_page()  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=LOCALES)
def camera(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camera]:
    with running_browser(tmp_path_factory.mktemp("browser"), LOCALES[request.param]) as chromium:
        yield Camera(chromium, request.param)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody has formats of their own."""
    monkeypatch.chdir(tmp_path)


class Clock:
    """The time on the server: a minute passes with each look at it."""

    def __init__(self) -> None:
        self.time = EVENING

    def __call__(self) -> datetime:
        self.time += timedelta(minutes=1)
        return self.time


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveSite]:
    clock = Clock()
    monkeypatch.setattr(player_pages, "now", clock)
    monkeypatch.setattr(organiser, "now", clock)
    (tmp_path / "event.yaml").write_text(EVENT, "utf-8")
    (tmp_path / "lists").mkdir()
    with live_event(tmp_path / "event.yaml") as site:
        yield site


def submit(page: Page, site: LiveSite, name: str, text: str) -> None:
    page.goto(site.url)
    page.locator("#name").fill(name)
    page.locator("#id").fill(f"{1000 + PLAYERS.index(name)}")
    page.locator("#list").fill(text)
    page.locator("button[value=submit]").click()
    expect(page.locator(".notice").first).to_be_visible()


def compare(page: Page, name: str, lang: str, *, height: int | None = None) -> None:
    """The page must look as in the documentation, but for how letters are drawn."""
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


def test_the_page_for_everybody(camera: Camera) -> None:
    with live_desk() as site:
        page = camera.open()
        page.goto(site.url)
        page.locator("#format").select_option("duel-masters/original")
        page.locator("#as_of").fill("2026-01-10")
        page.locator("#list").fill(
            "4 x アクア・ガード\n5 x 青銅の鎧\n4 x 天災 デドダン\n4 x フェアリー・ライフ"
        )
        expect(page.locator("button[name=correct]").first).to_be_visible()
        compare(page, "page", camera.lang)
        page.context.close()


def test_a_player_on_a_phone(camera: Camera, site: LiveSite) -> None:
    page = camera.open(400)
    page.goto(site.url)
    page.locator("#name").fill(PLAYERS[0])
    page.locator("#id").fill("1000")
    page.locator("#list").fill(legal().replace("4 x アクア・サーファー", "5 x アクア・サーファー"))
    expect(page.locator(".verdict")).to_be_visible()
    compare(page, "event-submit", camera.lang, height=1100)
    page.locator("#list").fill(legal())
    page.locator("button[value=submit]").click()
    expect(page.locator("button.grave")).to_be_visible()
    compare(page, "event-private", camera.lang, height=1100)
    page.context.close()


def test_the_organisers_desk(camera: Camera, site: LiveSite) -> None:
    page = camera.open()
    texts = [legal(turn) for turn in range(len(PLAYERS))]
    texts[1] = texts[1].replace("4 x エナジー・ライト", "5 x エナジー・ライト")
    texts[3] = texts[3].replace("3 x アクア・ナイト", "3 x アクア・ナイツ")
    for name, text in zip(PLAYERS, texts, strict=True):
        submit(page, site, name, text)
    page.goto(site.desk)
    page.wait_for_url("**/desk")
    page.locator("button.main").click()
    expect(page.locator(".notice").first).to_be_visible()
    page.goto(f"{site.url}/desk")
    compare(page, "event-roster", camera.lang)
    page.get_by_role("row", name=PLAYERS[1]).get_by_role("link").click()
    compare(page, "event-player", camera.lang, height=1100)
    page.goto(f"{site.url}/desk/checks/1000")
    page.locator("#list").fill(texts[0].replace("3 x アクア・ナイト", "2 x アクア・ナイト"))
    page.locator("#by").fill("審判")
    page.locator("button.main").click()
    expect(page.locator(".verdict")).to_be_visible()
    compare(page, "event-deck-check", camera.lang, height=1000)
    page.context.close()
