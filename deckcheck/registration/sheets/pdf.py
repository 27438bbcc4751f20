"""Sheets as PDF, on the same plan as the HTML. The font is embedded, so they print alike everywhere."""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

from deckcheck.registration.sheets import layout
from deckcheck.registration.sheets.fonts import font_for
from deckcheck.registration.sheets.layout import note_words
from deckcheck.registration.sheets.measure import MM, clip
from deckcheck.registration.sheets.model import Page
from deckcheck.registration.sheets.pdfparts import draw_leaf
from deckcheck.registration.sheets.pen import Pen, plain
from deckcheck.registration.sheets.words import (
    APART,
    BOX,
    MARKS,
    STAMPS,
    WORDS,
    as_of_words,
    sum_words,
    total_words,
)
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Words, _
from deckcheck.support.version import VERSION


def render(pages: Sequence[Page], font: str | None = None) -> bytes:
    """The file, at least one sheet in it; the same sheets with the same font give the same bytes.

    `font` is the file of a font, see `fonts.font_for`. Raises UserError where
    reportlab is missing, and for the font.
    """
    try:
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise wrong(_("PDF needs more libraries: pip install 'deckcheck[pdf]'")) from error
    chars = _chars(pages)
    made = font_for(chars, font)
    name = made.name
    pdfmetrics.registerFont(TTFont(name, BytesIO(made.data)))
    file = BytesIO()
    size = (layout.WIDTH / MM, layout.HEIGHT / MM)
    canvas = Canvas(
        file, pagesize=size, invariant=1, pageCompression=1, lang=pages[0].lang, initialFontName=name
    )
    canvas.setTitle(clip(pages[0].event or WORDS["decklist"].in_(pages[0].lang), 90))
    canvas.setCreator(f"deckcheck {VERSION}")
    canvas.setProducer(f"deckcheck {VERSION}")
    canvas.setAuthor("")
    canvas.setSubject("")
    pen = Pen(canvas, name, chars)
    for page in pages:
        for leaf in layout.leaves(page):
            draw_leaf(pen, page, leaf)
            canvas.showPage()
    canvas.save()
    return file.getvalue()


def _chars(pages: Iterable[Page]) -> frozenset[str]:
    """Every character that may be drawn."""
    found = {chr(code) for code in range(0x20, 0x7F)} | set("…–" + BOX)
    for page in pages:
        said: list[Words] = [
            *WORDS.values(),
            *LABELS.values(),
            *VERDICTS.values(),
            *STAMPS.values(),
            APART,
            MARKS,
        ]
        notes = [note_words(note, page.lang) for note in page.notes]
        for text in (*(one.in_(page.lang) for one in said), as_of_words(page), *notes, *_strings(page)):
            found |= set(plain(text))
        for zone in page.zones:
            found |= set(total_words(zone.total, page.lang)[1])
        for one in page.sums:
            found |= set(sum_words(one, page.lang) + total_words(one.total, page.lang)[1])
    return frozenset(found)


def _strings(value: object) -> Iterator[str]:
    """The strings of a record, cut as they are drawn."""
    if isinstance(value, str):
        yield clip(value, layout.MOST_CHARS)
    elif isinstance(value, tuple):
        for part in value:
            yield from _strings(part)
