"""Sheets as one self-contained HTML file, by a template."""

from collections.abc import Sequence

from deckcheck.registration.sheets.layout import document
from deckcheck.registration.sheets.model import Page
from deckcheck.registration.webpage import render_page


def render(pages: Sequence[Page]) -> str:
    """The file, at least one sheet in it."""
    data = document(pages)
    return render_page(
        "sheets.html",
        style="sheets.css",
        title=data["title"],
        lang=data["lang"],
        all_words=data["words"],
        sheets=data["sheets"],
    )
