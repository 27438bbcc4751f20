"""The top of a sheet: who, where, by which rules. Rows of cells, each with a caption and a value or a blank."""

from typing import NamedTuple

from deckcheck.registration.sheets.measure import clip, cut
from deckcheck.registration.sheets.model import Page
from deckcheck.registration.sheets.words import WORDS, as_of_words
from deckcheck.report.wording import VERDICTS

QR = 28.0
"""The square for the code and the fingerprint beneath it, over the first two rows."""
ROWS = (19.0, 11.0)

EDGES = 4.6
"""What is blank at both sides in a cell."""
READING = 7.5
"""The size of what stands above a name."""

_WHOLE = 186.0
_MOST_CHARS = 90


class Cell(NamedTuple):
    """`values` are lines; none means a ruled blank. `above` is the reading, "" for a blank one, None for no line."""

    key: str
    caption: str
    values: tuple[str, ...]
    width: float
    sizes: tuple[float, ...]
    above: str | None = None


class Row(NamedTuple):
    """Cells side by side."""

    height: float
    cells: tuple[Cell, ...]


_BIG, _SMALL, _LISTS = (
    (20.0, 17.0, 14.0, 12.0, 10.0, 8.0, 6.5),
    (12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.5),
    (8.5, 7.5, 6.5),
)


def full_head(page: Page) -> tuple[Row, ...]:
    """The rows at the top of the first leaf."""
    player = page.player
    left = _WHOLE - (0 if page.empty else QR)
    lists = [f"{clip(one.name, 40)} {one.latest or WORDS['no-change'].in_(page.lang)}" for one in page.lists]
    # Only in Japanese is a name without its reading half a name.
    reading = player.reading if page.lang == "ja" else player.reading or None
    above = (
        cut(clip(reading, _MOST_CHARS), left - 34 - EDGES, READING)
        if reading
        else ""
        if page.lang == "ja"
        else None
    )
    verdict = () if page.verdict is None else (VERDICTS[page.verdict].in_(page.lang), as_of_words(page))
    name = _cell(page, "name", player.name, left - 34, _BIG)
    if above is not None:
        name = name._replace(caption=WORDS["name-read"].in_(page.lang), above=above)
    rows = [
        Row(
            ROWS[0],
            (
                name,
                _cell(page, "table", player.table, 34, _BIG),
            ),
        ),
        Row(
            ROWS[1],
            (
                _cell(page, "handle", player.handle, left / 2, _SMALL),
                _cell(page, "id", player.id, left / 2, _SMALL),
            ),
        ),
        Row(
            11.0,
            (
                _cell(page, "event", page.event, 96, _SMALL),
                _cell(page, "organiser", page.organiser, 54, _SMALL),
                _cell(page, "date", page.date, 36, _SMALL),
            ),
        ),
    ]
    facts = [_cell(page, "format", page.format, 62, _SMALL)]
    width = _WHOLE - 62 - (40 if verdict else 0)
    if lists:
        facts.append(Cell("lists", WORDS["lists"].in_(page.lang), tuple(lists), width, _LISTS))
    else:
        facts[0] = facts[0]._replace(width=62 + width)
    if verdict:
        facts.append(Cell("verdict", WORDS["verdict"].in_(page.lang), verdict, 40, _LISTS))
    most = max(len(cell.values) for cell in facts)
    return (*rows, Row(max(11.0, 5.4 + 3.6 * most), tuple(facts)))


def _cell(page: Page, key: str, value: str | None, width: float, sizes: tuple[float, ...]) -> Cell:
    shown = cut(clip(value, _MOST_CHARS), width - EDGES, sizes[-1]) if value else ""
    return Cell(key, WORDS[key].in_(page.lang), (shown,) if shown else (), width, sizes)
