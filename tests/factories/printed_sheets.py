"""Sheets for the tests, and what is on paper: pictures of a PDF's pages, and where which words stand there.

A name counts as printed where the text layer says that it stands and the
picture shows what the font draws for it. Neither alone would do: text can be
there unseen, and ink can be anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from deckcheck.checking.judge import LoadedFormat, OpenedGames, check, load_format
from deckcheck.registration.event import Event
from deckcheck.registration.sheet import MOST_NOTES, Note, Page, sheet_of
from deckcheck.registration.submissions import Player
from deckcheck.support.files import shipped
from deckcheck.support.messages import Localized

PLAYER = Player("山田 花子", "やまだ はなこ", "hanako_dm", "0012-3456", "17")
EVENT = Event(
    id="autumn-2026",
    name=Localized("秋のデュエル祭 2026", "Autumn Duels 2026"),
    date="2026-11-22",
    time_zone="Asia/Tokyo",
    format="duel-masters/duemagic",
    as_of="2026-11-21",
    path=Path("event.yaml"),
    log=Path("log.jsonl"),
    sources=(),
    organiser="カードショップ アトラス",
)
Lang = str
ALIKE = 0.8
"""Right names come to 0.85 and more, other names of the decks here to less than 0.7."""


Make = Callable[..., Page]
"""Makes a page, in Japanese unless told."""


def font_file() -> Path:
    """The font of the tests: Noto Sans CJK JP, whose outlines are CFF."""
    spec = find_spec("noto_cjk_sans_jp_regular")
    assert spec is not None and spec.submodule_search_locations
    [file] = Path(spec.submodule_search_locations[0]).glob("*.otf")
    return file


@cache
def loaded(format: str) -> LoadedFormat:
    return load_format(f"duel-masters/{format}", games=_TABLES)


_TABLES: OpenedGames = {}


def example(name: str) -> str:
    return (shipped("examples") / name).read_text("utf-8")


def legal_fifty() -> str:
    """Fifty cards and twelve beside them, legal."""
    text = example("water-darkness-duemagic.txt").replace("5 x アクア・サーファー", "4 x アクア・サーファー")
    return text.replace("3 x 終末の時計 ザ・クロック", "3 x アクア・ハルカス")


def sheet(
    text: str, format: str, lang: Lang = "ja", *, player: Player = PLAYER, event: Event | None = EVENT
) -> Page:
    rules = loaded(format)
    report = check(text, rules)
    return sheet_of(rules, lang, report.as_of, report=report, player=player, event=event)


def legal(lang: Lang = "ja") -> Page:
    return sheet(legal_fifty(), "duemagic", lang)


def illegal(lang: Lang = "ja") -> Page:
    player = PLAYER._replace(reading=None, table=None)
    return sheet(example("water-darkness-duemagic.txt"), "duemagic", lang, player=player)


def undecided(lang: Lang = "ja") -> Page:
    return sheet(example("dedodam-advance.txt"), "advance", lang)


def sixty(lang: Lang = "ja") -> Page:
    """Sixty names in one copy each."""
    return sheet(example("white-dragon-commander.txt"), "commander", lang)


def long_names(lang: Lang = "ja") -> Page:
    """The longest names that there are, which take several lines."""
    catalog = loaded("advance").game_data.catalog
    names = sorted((card.name for card in catalog), key=lambda name: (-len(name), name))[:14]
    return sheet("".join(f"3 x {name}\n" for name in names), "advance", lang)


def hundred(lang: Lang = "ja") -> Page:
    """A hundred different cards, as unlike in length as they come, and findings of as many rules as are printed."""
    # Pdfium reads no hyphen at the end of a line, and quotes in small print are too small to compare.
    cards = [
        card.name for card in loaded("commander").game_data.catalog if not re.search("[!-~‘-”]", card.name)
    ]
    cards = cards[2000:10000:79][:100]
    page = sheet(
        f"統率者\n1 x {cards[0]}\n" + "".join(f"1 x {name}\n" for name in cards[1:]), "commander", lang
    )
    long = {"ja": "とても長い説明です。" * 9, "en": "a very long explanation " * 8}[lang]
    notes = [Note("error", f"rule-{at}", f"{at} {long}") for at in range(MOST_NOTES // 2)]
    return page._replace(notes=tuple(notes))


def empty(lang: Lang = "ja", format: str = "duemagic") -> Page:
    return sheet_of(loaded(format), lang, "2026-11-21", event=EVENT)


def names_of(page: Page) -> list[str]:
    return [line.name for zone in page.zones for line in zone.lines]


class Stretch(NamedTuple):
    """Words on one line of paper, and the picture of the place where they stand."""

    words: str
    picture: Image.Image


class Paper(NamedTuple):
    """A page as it is printed: its picture, and its characters with their places in the picture."""

    picture: Image.Image
    chars: tuple[tuple[str, tuple[float, float, float, float]], ...]
    size: tuple[float, float]

    @property
    def text(self) -> str:
        """The characters without white space."""
        return "".join(char for char, _ in self.chars)

    def stretches(self, name: str) -> Iterator[list[Stretch]]:
        """Every place where the text layer says that the name stands, line by line."""
        wanted, text = squeezed(name), self.text
        at = text.find(wanted)
        while at >= 0:
            yield self._lines(name, self.chars[at : at + len(wanted)])
            at = text.find(wanted, at + 1)

    def _lines(
        self, name: str, chars: Sequence[tuple[str, tuple[float, float, float, float]]]
    ) -> list[Stretch]:
        lines: list[list[int]] = []
        for at, (char, box) in enumerate(chars):
            last, before = chars[at - 1] if at else ("", box)
            # A new line begins further left; characters as low as a comma don't. Brackets side by side are set closer.
            if not at or box[2] < before[0] or (last in "」』" and char in "「『"):
                lines.append([])
            lines[-1].append(at)
        places = [at for at, char in enumerate(normal(name)) if not char.isspace()]
        made = []
        for line in lines:
            boxes = [chars[at][1] for at in line]
            whole = (
                min(box[0] for box in boxes),
                min(box[1] for box in boxes),
                max(box[2] for box in boxes),
                max(box[3] for box in boxes),
            )
            words = normal(name)[places[line[0]] : places[line[-1]] + 1]
            made.append(Stretch(words, self.picture.crop(tuple(round(end) for end in whole))))
        return made


def normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def squeezed(text: str) -> str:
    return "".join(normal(text).split())


def printed(pdf: bytes, dots: int = 400) -> list[Paper]:
    """The pages of a PDF as pictures of so many dots per inch, with their text layer."""
    scale = dots / 72
    papers = []
    document = pdfium.PdfDocument(pdf)
    try:
        for page in document:
            width, height = page.get_size()
            picture = page.render(scale=scale, grayscale=True).to_pil().convert("L")
            layer = page.get_textpage()
            chars = []
            for at in range(layer.count_chars()):
                char = layer.get_text_range(at, 1)
                if char and not char.isspace():
                    left, low, right, high = layer.get_charbox(at)
                    box = (left * scale, (height - high) * scale, right * scale, (height - low) * scale)
                    chars += [(one, box) for one in normal(char)]
            papers.append(Paper(picture, tuple(chars), (width, height)))
            layer.close()
            page.close()
    finally:
        document.close()
    return papers


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(), size, layout_engine=ImageFont.Layout.BASIC)


def drawn(words: str, size: int = 64) -> Image.Image:
    """The words as the font draws them, black on white."""
    font = _font(size)
    left, top, right, bottom = font.getbbox(words)
    picture = Image.new("L", (int(right - left) + 20, int(bottom - top) + 20), 255)
    ImageDraw.Draw(picture).text((10 - left, 10 - top), words, font=font, fill=0)
    return picture


def likeness(picture: Image.Image, words: str) -> float:
    """How like what the font draws for the words a picture is: 1 the same, 0 nothing like it or blank.

    Both are cut to their ink, brought to one size, blurred a little, and
    correlated. Grey, as of a watermark, is no ink.
    """
    found, wanted = _ink(picture), _ink(drawn(words))
    if found is None or wanted is None:
        return 0.0
    shapes = [one.width / one.height for one in (found, wanted)]
    if not 0.85 < shapes[0] / shapes[1] < 1 / 0.85:
        return 0.0
    size = (max(round(32 * shapes[1]), 8), 32)
    blurred = [
        one.resize(size, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(0.7))
        for one in (found, wanted)
    ]
    return _correlation(*(one.tobytes() for one in blurred))


def _ink(picture: Image.Image) -> Image.Image | None:
    dark = picture.point([255 if level < 110 else 0 for level in range(256)])
    box = dark.getbbox()
    if box is None or box[2] - box[0] < 4 or box[3] - box[1] < 4:
        return None
    return dark.crop(box)


def _correlation(one: bytes, other: bytes) -> float:
    number = len(one)
    mean, mean_other = sum(one) / number, sum(other) / number
    both = sum(a * b for a, b in zip(one, other, strict=True)) / number - mean * mean_other
    spread = sum(a * a for a in one) / number - mean**2
    spread_other = sum(b * b for b in other) / number - mean_other**2
    return float(both / (spread * spread_other) ** 0.5) if spread > 0 and spread_other > 0 else 0.0


def best_likeness(papers: Sequence[Paper], name: str) -> float:
    """How well the name is printed at the best place where it stands; 0 where it stands nowhere."""
    found = [
        min(likeness(one.picture, one.words) for one in lines)
        for paper in papers
        for lines in paper.stretches(name)
    ]
    return max(found, default=0.0)
