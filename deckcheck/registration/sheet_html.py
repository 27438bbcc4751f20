"""Renders sheets as one HTML page for A4 paper, which a browser prints or saves as PDF."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import segno

from deckcheck.model.finding import Verdict
from deckcheck.registration.sheet import Note, Page, Total, Zone, payload, short
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support import VERSION
from deckcheck.support.messages import Words, _, p_
from deckcheck.support.safe_text import cells, safe
from deckcheck.support.templates import render_page

WORDS: Mapping[str, Words] = {
    "decklist": _("Decklist"),
    "deck": _("Deck name"),
    "table": _("Table"),
    "handle": _("Handle"),
    "id": _("Player ID"),
    "event": _("Event"),
    "organiser": _("Organiser"),
    "date": _("Date"),
    "format": _("Format"),
    "lists": _("Lists in force (newest change)"),
    "verdict": _("Verdict"),
    "copies": _("Qty"),
    "card": _("Card name"),
    "not-played": _("not a zone of this format"),
    "unsure": _("* not one certain card; as written in the list"),
    "signature": _("Signature"),
    "declaration": _("This list matches the deck that I play."),
    "signed-on": p_("signature", "Date"),
    "official": _("Official use"),
    "checked-at": _("Deck check at"),
    "judge": _("Judge"),
    "result": _("Result"),
    "match": _("match"),
    "mismatch": _("mismatch"),
    "code": _("QR code"),
}
"""Captions, by their names in the templates."""

STAMPS: Mapping[Verdict, Words] = {Verdict.ILLEGAL: _("NOT LEGAL"), Verdict.UNDECIDED: _("UNDECIDED")}
"""The text across the sheet of a deck that isn't legal."""

MOST_CHARS = 240
"""The most characters of a name or sentence that are printed."""

_NAME, _NAME_READ, _APART = _("Name"), _("Name (reading)"), _(" · ")
_QUIET = 4
"""The width, in modules, of the blank margin that readers need around a QR code."""
_MOST_COUNTS = 12
_STYLES = ((2, 7.2, 38), (2, 6.2, 38), (2, 5.2, 38), (3, 4.4, 26), (3, 3.9, 28), (3, 3.3, 32))
"""Styles: columns, the height of a line in millimetres, and how many terminal cells of a name fit."""


def render_html(pages: Sequence[Page]) -> str:
    """The web page of these sheets, at least one; it needs no network and runs no scripts."""
    first = pages[0]
    return render_page(
        "sheets.html",
        style="sheets.css",
        title=clip(first.event or first.deck, 90) or WORDS["decklist"].in_(first.lang),
        lang=first.lang,
        words={lang: {key: said.in_(lang) for key, said in WORDS.items()} for lang in ("ja", "en")},
        sheets=[_sheet(page) for page in pages],
    )


def clip(text: str | None, most: int = MOST_CHARS) -> str:
    """The text on one line, without hidden characters and cut to `most` characters; "" for None."""
    given = text or ""
    shown = safe(" ".join(given[: 4 * most].split()))
    return shown if len(shown) <= most and len(given) <= 4 * most else shown[: most - 1] + "…"


def _sheet(page: Page) -> dict[str, Any]:
    lang, player = page.lang, page.player
    day = _("rules of {day}", day=page.as_of).in_(lang)
    stamp = None if page.verdict is None else STAMPS.get(page.verdict)
    # Only in Japanese does a name need its reading.
    read = lang == "ja" or bool(player.reading)
    captioned = (("table", player.table), ("id", player.id))
    continues = [clip(player.name, 30)] if player.name else []
    continues += [f"{WORDS[key].in_(lang)} {clip(value, 20)}" for key, value in captioned if value]
    continues += [clip(page.event, 40)] if page.event else []
    zones = [_zone(zone, lang) for zone in page.zones]
    notes = [[LABELS[note.label].in_(lang), _note(note, lang)] for note in page.notes]
    return {
        "lang": lang,
        "empty": page.empty,
        "style": _style(zones, notes, page.empty),
        "stamp": "" if stamp is None else stamp.in_(lang),
        "name": clip(player.name, 60),
        "name-caption": (_NAME_READ if read else _NAME).in_(lang),
        "reading": clip(player.reading, 60) if read else None,
        "table": clip(player.table, 20),
        "handle": clip(player.handle, 60),
        "id": clip(player.id, 30),
        "deck": clip(page.deck, 80),
        "event": clip(page.event, 60),
        "organiser": clip(page.organiser, 36),
        "date": clip(page.date, 20),
        "format": clip(page.format, 60),
        "lists": [f"{clip(name, 40)} {clip(latest)}" for name, latest in page.lists],
        "verdict": [] if page.verdict is None else [VERDICTS[page.verdict].in_(lang), day],
        "short": "" if page.fingerprint is None else short(page.fingerprint),
        "code": _code(page),
        "zones": zones,
        "unsure": any(not line.sure for zone in page.zones for line in zone.lines),
        "notes": notes,
        "counts": [
            [clip(zone.title, 40), zone.total.required]
            for zone in [zone for zone in page.zones if zone.played][:_MOST_COUNTS]
        ],
        "continues": _APART.in_(lang).join(continues),
        "colophon": _APART.in_(lang).join([f"deckcheck {VERSION}", clip(page.format_id, 60), day]),
    }


def _zone(zone: Zone, lang: str) -> dict[str, Any]:
    title = clip(zone.title, 80)
    lines = []
    for line in zone.lines:
        name = clip(line.name)
        shown = name if line.sure else p_("unsure", "* {name}", name=name).in_(lang)
        lines.append([_number(line.copies, line.most), shown])
    if not lines and not zone.blanks:
        lines.append(["–", ""])
    return {
        "title": title,
        "continued": _("{title} (continued)", title=title).in_(lang),
        "played": zone.played,
        "total": _total(zone.total),
        "lines": lines + [["", ""]] * zone.blanks,
        "sums": [{"title": clip(title, 80), "total": _total(total)} for title, total in zone.sums],
    }


def _total(total: Total) -> dict[str, Any]:
    found = None if total.found is None else _number(*total.found)
    return {"found": found, "required": total.required, "wrong": total.fits is False}


def _style(zones: Sequence[Mapping[str, Any]], notes: Sequence[Sequence[str]], empty: bool) -> int:
    """The index of the style that should fit zones and notes on one sheet."""
    room = 180.0 - sum(4.0 * (1 + cells(message) // 110) for _label, message in notes)
    chosen = range(4) if empty else range(1, len(_STYLES))
    for at in chosen:
        columns, row, width = _STYLES[at]
        high = sum(
            13.0
            + 6.0 * len(zone["sums"])
            + row * sum(1 + cells(name) // width for _copies, name in zone["lines"])
            for zone in zones
        )
        # Columns seldom have the same height.
        if high + 3 * row * (columns - 1) <= columns * room:
            return at
    return chosen[-1]


def _note(note: Note, lang: str) -> str:
    if note.rule is None:
        return clip(note.message)
    return clip(p_("sheet", "[{rule}] {message}", rule=note.rule, message=note.message).in_(lang))


def _code(page: Page) -> dict[str, Any] | None:
    """The QR code: modules per side with the margin, and the dark ones as an SVG path; None without a fingerprint."""
    text = payload(page)
    if text is None:
        return None
    matrix = segno.make(text, error="m", micro=False, boost_error=False).matrix
    runs = [
        f"M{run.start() + _QUIET} {down + _QUIET}h{len(run[0])}v1h-{len(run[0])}z"
        for down, row in enumerate(matrix)
        for run in re.finditer(b"\x01+", row)
    ]
    return {"side": len(matrix) + 2 * _QUIET, "path": "".join(runs)}


def _number(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"
