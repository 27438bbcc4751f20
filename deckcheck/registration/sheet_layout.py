"""What is printed on sheets, as data for the templates: words in each sheet's language, two columns, a row height."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from deckcheck.model.finding import Verdict
from deckcheck.registration.sheets import Note, Page, Required, Sum, Total, Zone, payload, short
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support import VERSION
from deckcheck.support.messages import OR, Words, _, p_, series
from deckcheck.support.safetext import cells, safe

WORDS: Mapping[str, Words] = {
    "decklist": _("Decklist"),
    "table": _("Table"),
    "handle": _("Handle"),
    "id": _("Player ID"),
    "event": _("Event"),
    "organiser": _("Organiser"),
    "date": _("Date"),
    "format": _("Format"),
    "lists": _("Lists in force (newest change)"),
    "verdict": _("Verdict"),
    "copies": _("Copies"),
    "card": _("Card name"),
    "not-played": _("not a zone of this format"),
    "unsure": _("* not one certain card; as written in the list"),
    "findings": _("Findings"),
    "signature": _("Signature"),
    "declaration": _("This list matches the deck that I play."),
    "signed-on": p_("signature", "Date"),
    "official": _("Official use"),
    "checked-at": _("Deck check at"),
    "judge": _("Judge"),
    "result": _("Result"),
    "match": _("match"),
    "mismatch": _("mismatch"),
    "fingerprint": _("Fingerprint"),
    "no-fingerprint": _("no fingerprint"),
}
"""Captions, by the names that the templates give them."""

STAMPS: Mapping[Verdict, Words] = {"illegal": _("NOT LEGAL"), "undecided": _("UNDECIDED")}
"""What is written across a sheet that is not legal."""

MOST_CHARS = 240
"""More of a name or a sentence is not printed."""

_NAME, _NAME_READ, _NO_CHANGE = _("Name"), _("Name (reading)"), _("no change")
_APART, _PLUS, _AND_SO_ON = _(" · "), _(" + "), p_("beside", ", ")
_QUIET = 4
"""Modules of blank paper that readers want around a QR code."""
_MOST_COUNTS = 12
_LONE = 15
"""More rows than these are not left in one column with the other empty."""
_ROW_HEIGHTS = (7.4, 6.6, 6.2, 5.8, 5.4, 5.2, 5.0)
"""In millimetres, from roomy to dense; only the pen needs the roomiest."""
_HEADING = 14.4
"""Of a zone: its title, the captions of its columns and the gap beneath, in millimetres."""

_POINT = 25.4 / 72
_BIG = (20.0, 17.0, 14.0, 12.0, 10.0, 8.0, 6.5, 5.0, 4.0)
_USUAL = (12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0)
_SMALL = (7.5, 6.5, 5.0, 4.0)
_LINES = (8.5, 8.0, 7.5, 6.5, 5.5, 4.5, 4.0)
_NAMES = (12.0, 11.0, 10.0, 9.0, 8.0)
_TITLES = (11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0)
_STAMP_SIZES = (160.0, 120.0, 80.0, 60.0)
_NAME_WIDTH = 78.0

Box = dict[str, Any]
"""A zone or a sum, or the part of a zone that stands in one column."""


def document(pages: Sequence[Page]) -> dict[str, Any]:
    """All that the templates need of these sheets, of which there is at least one: strings, numbers, lists of them."""
    first = pages[0]
    return {
        "title": clip(first.event, 90) or WORDS["decklist"].in_(first.lang),
        "lang": first.lang,
        "words": {lang: {key: said.in_(lang) for key, said in WORDS.items()} for lang in ("ja", "en")},
        "sheets": [_sheet(page) for page in pages],
    }


def clip(text: str | None, most: int = MOST_CHARS) -> str:
    """The text on one line, nothing hidden in it, cut where it is longer than anybody's name; "" for None."""
    given = text or ""
    shown = safe(" ".join(given[: 4 * most].split()))
    return shown if len(shown) <= most and len(given) <= 4 * most else shown[: most - 1] + "…"


def required_words(wanted: Required, lang: str) -> str:
    """What is required, short: "50", "0–12", "0か12", "40以上"."""
    if wanted.one_of is not None:
        return series(wanted.one_of, OR).in_(lang)
    low, high = wanted.low, wanted.high
    if wanted.step and (low is not None or high is not None):
        base = low if low is not None else high or 0
        return series([base, base + wanted.step, "…"], _AND_SO_ON).in_(lang)
    if high is None:
        return "" if low is None else _("at least {low}", low=low).in_(lang)
    return str(high) if low == high else f"{low or 0}–{high}"


def total_words(total: Total, lang: str) -> tuple[str | None, str]:
    """What was found (None: left to the pen) and what is required ("" for nothing)."""
    wanted = "" if total.required is None else required_words(total.required, lang)
    return None if total.found is None else _number(*total.found), wanted


def _number(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _sheet(page: Page) -> dict[str, Any]:
    lang, player = page.lang, page.player
    day = _("rules of {day}", day=page.as_of).in_(lang)
    stamp = None if page.verdict is None else STAMPS.get(page.verdict)
    # Only in Japanese is a name without its reading half a name.
    read = lang == "ja" or bool(player.reading)
    columns, row = _arranged(page)
    colophon = [f"deckcheck {VERSION}", clip(page.format_id, 60), day]
    left = 158.0 if not page.empty else 186.0
    facts = 84.0 if page.verdict else 124.0
    lists = [f"{clip(one.name, 40)} {clip(one.latest or _NO_CHANGE.in_(lang))}" for one in page.lists]
    verdict = [] if page.verdict is None else [VERDICTS[page.verdict].in_(lang), day]
    return {
        "lang": lang,
        "empty": page.empty,
        "stamp": _sized("" if stamp is None else stamp.in_(lang), 170.0, _STAMP_SIZES),
        "head": _head_height(page),
        "name": _sized(clip(player.name, 60), left - 34, _BIG),
        "name-caption": (_NAME_READ if read else _NAME).in_(lang),
        "reading": _sized(clip(player.reading, 60), left - 34, _SMALL) if read else None,
        "table": _sized(clip(player.table, 20), 34, _BIG),
        "handle": _sized(clip(player.handle, 60), left / 2),
        "id": _sized(clip(player.id, 60), left / 2),
        "event": _sized(clip(page.event, 60), 96),
        "organiser": _sized(clip(page.organiser, 60), 54),
        "date": _sized(clip(page.date, 20), 36),
        "format": _sized(clip(page.format, 60), 62),
        "lists": [_sized(one, facts, _LINES) for one in lists],
        "verdict": [_sized(one, 40, _LINES) for one in verdict],
        "short": "" if page.fingerprint is None else short(page.fingerprint),
        "code": _code(page),
        "columns": columns,
        "row": row,
        "unsure": any(not line.sure for zone in page.zones for line in zone.lines),
        "notes": [[LABELS[note.label].in_(lang), _note(note, lang)] for note in page.notes],
        "counts": [
            [_sized(clip(zone.title, 40), 27, _LINES[1:]), total_words(zone.total, lang)[1]]
            for zone in page.zones
            if zone.played
        ][:_MOST_COUNTS],
        "continues": _sized(_APART.in_(lang).join(_continues(page)), 110, _LINES),
        "colophon": _APART.in_(lang).join(
            colophon if page.fingerprint is None else [*colophon, f"SHA-256 {page.fingerprint}"]
        ),
    }


def _head_height(page: Page) -> float:
    """In millimetres, of the frame at the top."""
    return 41.0 + max(11.0, 4.6 + 3.6 * max(len(page.lists), 2))


def _sized(text: str, width: float, sizes: Sequence[float] = _USUAL) -> dict[str, Any]:
    """The text with the largest of the sizes, in points, at which it takes one line of a cell `width` mm wide."""
    room = (width - 4.6) / _POINT
    ems = _ems(text)
    return {"text": text, "size": next((size for size in sizes if ems * size <= room), sizes[-1])}


def _ems(text: str) -> float:
    """About how wide the text is, in its own height; rather too wide than too narrow."""
    return sum(_em(char) for char in text)


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    if not char.isascii():
        return 1.0 if cells(char) == 2 else 0.72 * cells(char)
    if char in "iljtfrI.,:;|!'()[]{}` ":
        return 0.36
    return 0.92 if char in "mwMW@%" else 0.72 if char.isupper() else 0.6


def _continues(page: Page) -> list[str]:
    """Beside the name at the top of every further page of a sheet."""
    captioned = (("table", page.player.table), ("id", page.player.id))
    named = [f"{WORDS[key].in_(page.lang)} {clip(value, 20)}" for key, value in captioned if value]
    return [*named, clip(page.event, 40)] if page.event else named


def _note(note: Note, lang: str) -> str:
    if note.rule is None:
        return clip(note.message)
    return clip(p_("sheet", "[{rule}] {message}", rule=note.rule, message=note.message).in_(lang))


def _code(page: Page) -> dict[str, Any] | None:
    """The QR code: modules on a side, and its dark ones as the path of an SVG; None without a fingerprint."""
    text = payload(page)
    if text is None:
        return None
    import segno

    matrix = segno.make(text, error="m", micro=False, boost_error=False).matrix
    runs = []
    for down, row in enumerate(matrix):
        at = 0
        for dark, group in groupby(row):
            length = len(list(group))
            if dark:
                runs.append(f"M{at + _QUIET} {down + _QUIET}h{length}v1h-{length}z")
            at += length
    return {"side": len(matrix) + 2 * _QUIET, "path": "".join(runs)}


def _zone(zone: Zone, lang: str) -> Box:
    lines = []
    for line in zone.lines:
        name = clip(line.name)
        shown = name if line.sure else p_("unsure", "* {name}", name=name).in_(lang)
        lines.append((_number(line.copies, line.most), shown))
    if not lines and not zone.blanks:
        lines.append(("–", ""))
    lines += [("", "")] * zone.blanks
    sized = [{"copies": copies, "name": _sized(name, _NAME_WIDTH, _NAMES)} for copies, name in lines]
    return {
        "title": _sized(clip(zone.title, 80), 62.0 if zone.played else 45.0, _TITLES),
        "played": zone.played,
        "total": _total(zone.total, lang),
        "lines": sized,
        "long": any(_rows(line) > 1 for line in sized),
    }


def _sum(total: Sum, lang: str) -> Box:
    title = _sized(clip(series(total.titles, _PLUS).in_(lang), 80), 70.0, _TITLES)
    return {"title": title, "played": True, "total": _total(total.total, lang), "lines": None}


def _total(total: Total, lang: str) -> dict[str, Any]:
    found, wanted = total_words(total, lang)
    return {"found": found, "required": wanted, "wrong": total.fits is False}


def _arranged(page: Page) -> tuple[list[list[Box]], float]:
    """The boxes in two columns, and how high a row is. In one list where no page holds them all: the template breaks it."""
    boxes = [_zone(zone, page.lang) for zone in page.zones] + [_sum(one, page.lang) for one in page.sums]
    columns = _columns(boxes, page.lang)
    notes = sum(1 + cells(_note(note, page.lang)) // 100 for note in page.notes)
    signatures = 23.5 + 7.0 * ((len(page.zones) + 1) // 2)
    room = 268.0 - _head_height(page) - signatures - (10.0 + 4.2 * notes if notes else 0.0)
    for row in _ROW_HEIGHTS if page.empty else _ROW_HEIGHTS[1:]:
        if all(sum(_height(box, row) for box in column) <= room for column in columns):
            return columns, row
    return [boxes], _ROW_HEIGHTS[-1]


def _columns(boxes: list[Box], lang: str) -> list[list[Box]]:
    """Whole boxes in two columns of about one height, a sum beneath the zone before it; one long zone split in two."""
    if not boxes:
        return [[], []]
    heights = [_height(box, _ROW_HEIGHTS[-1]) for box in boxes]
    whole = sum(heights)
    places = [at for at in range(1, len(boxes) + 1) if at == len(boxes) or boxes[at]["lines"] is not None]
    at = min(places, key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
    longest = max(range(len(boxes)), key=heights.__getitem__)
    lines = boxes[longest]["lines"]
    if max(sum(heights[:at]), sum(heights[at:])) <= 0.62 * whole or len(lines or ()) <= _LONE:
        return [boxes[:at], boxes[at:]]
    box = boxes[longest]
    above = (whole + _HEADING) / 2 - sum(heights[:longest]) - _HEADING
    cut = min(max(round(above / _ROW_HEIGHTS[-1]), 2), len(lines) - 2)
    title = _("{title} (continued)", title=box["title"]["text"]).in_(lang)
    rest = box | {"title": _sized(title, 80.0, _TITLES), "total": None, "lines": lines[cut:]}
    return [[*boxes[:longest], box | {"lines": lines[:cut]}], [rest, *boxes[longest + 1 :]]]


def _height(box: Box, row: float) -> float:
    """About how high a box is in print, with the gap beneath."""
    if box["lines"] is None:
        return 10.0
    return _HEADING + sum(max(row, 3.0 * _rows(line) + 1.4) for line in box["lines"])


def _rows(line: dict[str, Any]) -> int:
    """About how many rows the name of a line takes, at the smallest size more than one."""
    ems = _ems(line["name"]["text"]) * line["name"]["size"] * _POINT
    # At the end of a row a word or a character finds no room any more.
    return 1 if ems <= _NAME_WIDTH - 4.6 else 1 + int(ems / (_NAME_WIDTH - 10.0))
