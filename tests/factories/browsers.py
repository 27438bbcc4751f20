"""A real browser for tests.

It is $DECKCHECK_BROWSER, else what is found on PATH. Without one, its tests are skipped; where $DECKCHECK_BROWSER is set
they never are.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "msedge",
)
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


def browser() -> str:
    """The browser to print with; the test is skipped where there is none and none was promised."""
    told = os.environ.get("DECKCHECK_BROWSER")
    if told:
        return told
    if not sys.platform.startswith("linux"):
        pytest.skip("only on Linux can a browser be given a font without installing it")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no browser (set DECKCHECK_BROWSER to one to make this test run)")
    return found


def font_file() -> Path:
    """The font of the tests: Noto Sans CJK JP, whose outlines are CFF."""
    spec = find_spec("noto_cjk_sans_jp_regular")
    assert spec is not None and spec.submodule_search_locations
    [file] = Path(spec.submodule_search_locations[0]).glob("*.otf")
    return file


def environment_with_font(folder: Path) -> dict[str, str]:
    """The environment in which a browser finds one font, that of the tests, and keeps its files in a folder."""
    (folder / "fonts").mkdir()
    shutil.copy(font_file(), folder / "fonts")
    config = FONTS.format(folder=folder / "fonts", cache=folder / "cache")
    (folder / "fonts.conf").write_text(config, encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf"), "HOME": str(folder)}


@contextmanager
def running_browsers(folder: Path) -> Iterator[Callable[[str], Browser]]:
    """The browser in the language of a locale, with its files in a folder, driven by Playwright."""
    program, environment = browser(), environment_with_font(folder)
    with sync_playwright() as playwright:

        @cache
        def started(locale: str) -> Browser:
            return playwright.chromium.launch(
                executable_path=program,
                env={**environment},
                args=["--no-sandbox", "--disable-gpu", f"--lang={locale}"],
            )

        yield started
