"""Sheets as one self-contained HTML file: nothing is loaded, nothing runs, everything is escaped."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape

from deckcheck.registration.sheets.head import EDGES, ROWS, Cell, Row
from deckcheck.registration.sheets.layout import (
    ROW_HEIGHTS,
    Box,
    Entry,
    Leaf,
    count_rows,
    leaves,
    note_words,
    title_of,
    unsure,
)
from deckcheck.registration.sheets.measure import clip, ems, sized
from deckcheck.registration.sheets.model import Note, Page, Total, short
from deckcheck.registration.sheets.qr import QUIET, modules, runs
from deckcheck.registration.sheets.style import (
    height_class,
    heights,
    size_class,
    stamp_class,
    style,
    width_class,
    widths,
)
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
from deckcheck.report.wording import LABELS
from deckcheck.support.safetext import safe
from deckcheck.support.version import VERSION


def render(pages: Sequence[Page]) -> str:
    """The file, at least one sheet in it; a sheet takes one leaf, or more where its list is long."""
    bodies = [(page, leaf, _head(page, leaf.head)) for page in pages for leaf in leaves(page)]
    used = {cell.width for _, leaf, _ in bodies for row in leaf.head for cell in row.cells}
    css = style() + widths(used) + heights({row.height for _, leaf, _ in bodies for row in leaf.head})
    mark = b64encode(sha256(css.encode()).digest()).decode()
    lang = pages[0].lang
    title = clip(pages[0].event or WORDS["decklist"].in_(lang), 90)
    sheets = "".join(_leaf(page, leaf, head) for page, leaf, head in bodies)
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{mark}'; "
        "base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n{sheets}</body>\n</html>\n"
    )


def _text(value: str) -> str:
    """Words of a stranger: no tag, no hidden character, and no pull on the direction of what stands around."""
    return f"<bdi>{escape(safe(value))}</bdi>"


def _leaf(page: Page, leaf: Leaf, head: str) -> str:
    lang = page.lang
    parts = [f'<section class="leaf r{ROW_HEIGHTS.index(leaf.row)}" lang="{lang}">\n']
    stamp = None if page.verdict is None else STAMPS.get(page.verdict)
    if stamp is not None:
        said = stamp.in_(lang)
        parts.append(
            f'<div class="stamp {stamp_class(said)}" aria-hidden="true"><span>{escape(said)}</span></div>\n'
        )
    parts.append(head if leaf.head else _short_head(page))
    columns = "".join(
        f'<div class="column">\n{"".join(_box(box, lang) for box in column)}</div>\n'
        for column in leaf.columns
    )
    parts.append(f'<div class="columns">\n{columns}</div>\n')
    if unsure(leaf):
        parts.append(f'<p class="legend">{WORDS["unsure"].in_(lang)}</p>\n')
    parts.append('<footer class="foot">\n')
    if leaf.notes:
        parts.append(_notes(leaf.notes, lang))
    if leaf.foot:
        parts.append(_foot(page))
    parts.append(_colophon(page, leaf))
    parts.append("</footer>\n</section>\n")
    return "".join(parts)


def _head(page: Page, rows: Sequence[Row]) -> str:
    made = "".join(
        f'<div class="row {height_class(row.height)}{" beside" if at < len(ROWS) and not page.empty else ""}">'
        f"{''.join(_cell(cell) for cell in row.cells)}</div>\n"
        for at, row in enumerate(rows)
    )
    return f'<header class="head">\n{made}{_code(page)}</header>\n'


def _cell(cell: Cell) -> str:
    room = cell.width - EDGES
    values = "".join(
        f'<span class="value {size_class(sized(one, room, cell.sizes)[0])}">{_text(one)}</span>'
        for one in cell.values
    )
    if not cell.values:
        values = '<span class="pen"></span>'
    caption = cell.caption
    if cell.above is not None:
        values = _with_reading(cell, values, room)
    return f'<div class="cell {cell.key} {width_class(cell.width)}"><span class="caption">{escape(caption)}</span>{values}</div>'


def _with_reading(cell: Cell, values: str, room: float) -> str:
    """The reading above the name where there are both, else lines of their own, ruled where there is none."""
    if cell.above and cell.values:
        name = cell.values[0]
        size = size_class(sized(name, room, cell.sizes)[0])
        ruby = f"<ruby>{_text(name)}<rp>(</rp><rt>{_text(cell.above)}</rt><rp>)</rp></ruby>"
        return f'<span class="read {size}">{ruby}</span>'
    above = _text(cell.above) if cell.above else '<span class="pen"></span>'
    return f'<span class="reading">{above}</span>{values}'


def _code(page: Page) -> str:
    """The QR code with the short fingerprint beneath; an empty sheet has no place for it."""
    if page.empty:
        return ""
    square = modules(page)
    if square is None or page.fingerprint is None:
        return f'<div class="qr"><span class="none">{WORDS["no-fingerprint"].in_(page.lang)}</span></div>\n'
    side = len(square) + 2 * QUIET
    path = "".join(
        f"M{at + QUIET} {y + QUIET}h{length}v1h-{length}z"
        for y, row in enumerate(square)
        for at, length in runs(row)
    )
    groups = short(page.fingerprint).split()
    lines = "".join(f'<span class="finger">{" ".join(groups[at : at + 2])}</span>' for at in (0, 2))
    name = WORDS["fingerprint"].in_(page.lang)
    return (
        f'<div class="qr"><svg viewBox="0 0 {side} {side}" role="img" aria-label="{name}" '
        f'shape-rendering="crispEdges"><path d="{path}"/></svg>{lines}</div>\n'
    )


def _short_head(page: Page) -> str:
    """Whose sheet goes on here."""
    lang, player = page.lang, page.player
    parts = [
        f"<strong>{_text(clip(player.name, 40)) if player.name else WORDS['decklist'].in_(lang)}</strong>"
    ]
    for key, value in (("table", player.table), ("id", player.id)):
        if value:
            parts.append(f"<span>{WORDS[key].in_(lang)} {_text(clip(value, 20))}</span>")
    if page.event:
        parts.append(f"<span>{_text(clip(page.event, 40))}</span>")
    if page.fingerprint is not None:
        parts.append(f'<span class="finger">{short(page.fingerprint)}</span>')
    return f'<header class="short">{"".join(parts)}</header>\n'


def _box(box: Box, lang: str) -> str:
    if box.sum is not None:
        named = clip(sum_words(box.sum, lang), 80)
        return f'<div class="sum">{_title(named)}{_total(box.sum.total, lang)}</div>\n'
    if box.zone is None:
        return ""
    foreign = "" if box.zone.played else f"<small>{WORDS['not-played'].in_(lang)}</small>"
    total = "" if box.continued else _total(box.zone.total, lang)
    rows = "".join(_entry(entry, lang) for entry in box.entries)
    return (
        f'<section class="zone{"" if box.zone.played else " foreign"}">'
        f"<h2>{_title(title_of(box, lang), 20 if box.continued and box.zone.played else 14)}{foreign}{total}</h2>\n"
        f"<table><thead><tr><th>{WORDS['copies'].in_(lang)}</th><th>{WORDS['card'].in_(lang)}</th></tr></thead>"
        f"<tbody>\n{rows}</tbody></table></section>\n"
    )


def _title(title: str, most: float = 14) -> str:
    """The name of a box, smaller where it is wider than so many of its own heights."""
    return f'<span class="title{" long" if ems(title) > most else ""}">{_text(title)}</span>'


def _total(total: Total, lang: str) -> str:
    found, wanted = total_words(total, lang)
    number = '<span class="blank"></span>' if found is None else f"<b>{found}</b>"
    against = f" / {escape(wanted)}" if wanted else ""
    return f'<span class="total{" wrong" if total.fits is False else ""}">{number}{against}</span>'


def _entry(entry: Entry, lang: str) -> str:
    if entry.name is None or entry.copies is None:
        return "<tr><td></td><td></td></tr>\n"
    mark = "" if entry.sure else f"{MARKS.in_(lang)} "
    size = "" if entry.size == 12 else f' class="{size_class(entry.size)}"'
    many = ' class="many"' if entry.lines > 1 else ""
    return f"<tr{many}><td>{entry.copies}</td><td{size}>{mark}{_text(entry.name)}</td></tr>\n"


def _notes(notes: Iterable[Note], lang: str) -> str:
    items = "".join(
        f"<li><b>{LABELS[note.label].in_(lang)}</b><span>{_text(note_words(note, lang))}</span></li>\n"
        for note in notes
    )
    return f'<section class="notes"><h2>{WORDS["findings"].in_(lang)}</h2><ul>\n{items}</ul></section>\n'


def _foot(page: Page) -> str:
    def say(key: str) -> str:
        return WORDS[key].in_(page.lang)

    counts = "".join(
        '<div class="line">'
        + "".join(
            f'<span class="count"><i>{_text(title)}</i><b>{escape(wanted)}</b></span>'
            for title, wanted in row
        )
        + "</div>\n"
        for row in count_rows(page)
    )
    return (
        f'<div class="boxes"><section class="box"><h2>{say("signature")}</h2>'
        f"<p>{say('declaration')}</p>\n"
        f'<div class="line"><span class="wide">{say("signature")}</span><span>{say("signed-on")}</span></div>'
        f'</section>\n<section class="box"><h2>{say("official")}</h2>\n'
        f'<div class="line"><span>{say("checked-at")}</span><span>{say("judge")}</span></div>\n'
        f'<div class="line"><span class="plain">{say("result")}　{BOX} {say("match")}　{BOX} {say("mismatch")}</span></div>\n'
        f"{counts}</section></div>\n"
    )


def _colophon(page: Page, leaf: Leaf) -> str:
    lang = page.lang
    said = [f"deckcheck {VERSION}", _text(clip(page.format_id, 60)), as_of_words(page)]
    if page.fingerprint is not None:
        said.append(f"SHA-256 {page.fingerprint}")
    return (
        f'<div class="colophon"><span>{APART.in_(lang).join(said)}</span>'
        f"<span>{leaf.number}/{leaf.of}</span></div>\n"
    )
