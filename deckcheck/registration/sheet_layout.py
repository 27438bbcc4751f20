"""Printed sheets as HTML and PDF: the sizes and columns that templates/sheets.html and sheets.typ place, and fonts."""

import json
import re
import shutil
import struct
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from deckcheck.model.finding import Verdict
from deckcheck.registration.roster_outputs import TEMPLATES, render_page
from deckcheck.registration.sheet_content import Note, Page, Zone, payload, short
from deckcheck.report.wording import LABELS, VERDICTS
from deckcheck.support import VERSION
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_read, is_file
from deckcheck.support.messages import Words, _, p_
from deckcheck.support.safetext import cells, safe

if TYPE_CHECKING:
    from typst import FontInfo, Fonts

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

_NAME, _NAME_READ, _APART = _("Name"), _("Name (reading)"), _(" · ")
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


def render_html(pages: Sequence[Page]) -> str:
    """The web page of these sheets, of which there is at least one; it needs no network and runs nothing."""
    return render_page("sheets.html", style="sheets.css", **document(pages))


def document(pages: Sequence[Page]) -> dict[str, Any]:
    """The templates' data for these sheets, of which there is at least one: strings, numbers, lists of them."""
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


def _sheet(page: Page) -> dict[str, Any]:
    lang, player = page.lang, page.player
    day = _("rules of {day}", day=page.as_of).in_(lang)
    stamp = None if page.verdict is None else STAMPS.get(page.verdict)
    # Only in Japanese is a name without its reading half a name.
    read = lang == "ja" or bool(player.reading)
    # In millimetres, the height of the frame at the top.
    head = 41.0 + max(11.0, 4.6 + 3.6 * max(len(page.lists), 2))
    columns, row = _arranged(page, 268.0 - head)
    captioned = (("table", player.table), ("id", player.id))
    continues = [f"{WORDS[key].in_(lang)} {clip(value, 20)}" for key, value in captioned if value]
    continues += [clip(page.event, 40)] if page.event else []
    colophon = [f"deckcheck {VERSION}", clip(page.format_id, 60), day]
    left = 158.0 if not page.empty else 186.0
    facts = 84.0 if page.verdict else 124.0
    lists = [f"{clip(name, 40)} {clip(latest)}" for name, latest in page.lists]
    verdict = [] if page.verdict is None else [VERDICTS[page.verdict].in_(lang), day]
    return {
        "lang": lang,
        "empty": page.empty,
        "stamp": _sized("" if stamp is None else stamp.in_(lang), 170.0, _STAMP_SIZES),
        "head": head,
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
            [_sized(clip(zone.title, 40), 27, _LINES[1:]), zone.total.required]
            for zone in [zone for zone in page.zones if zone.played][:_MOST_COUNTS]
        ],
        "continues": _sized(_APART.in_(lang).join(continues), 110, _LINES),
        "colophon": _APART.in_(lang).join(
            colophon if page.fingerprint is None else [*colophon, f"SHA-256 {page.fingerprint}"]
        ),
    }


def _sized(text: str, width: float, sizes: Sequence[float] = _USUAL) -> dict[str, Any]:
    """The text with the largest of the sizes, in points, at which it takes one line of a cell `width` mm wide."""
    ems = sum(map(_em, text)) * _POINT
    return {"text": text, "size": next((size for size in sizes if ems * size <= width - 4.6), sizes[-1])}


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    """About how wide a character is, in its own height; rather too wide than too narrow."""
    if not char.isascii():
        return 1.0 if cells(char) == 2 else 0.72 * cells(char)
    if char in "iljtfrI.,:;|!'()[]{}` ":
        return 0.36
    return 0.92 if char in "mwMW@%" else 0.72 if char.isupper() else 0.6


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
    runs = [
        f"M{run.start() + _QUIET} {down + _QUIET}h{len(run[0])}v1h-{len(run[0])}z"
        for down, row in enumerate(matrix)
        for run in re.finditer(b"\x01+", row)
    ]
    return {"side": len(matrix) + 2 * _QUIET, "path": "".join(runs)}


def _number(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _box(zone: Zone, lang: str, *, summed: bool = False) -> Box:
    """The box of a zone, or of zones that are taken together."""
    lines = []
    for line in zone.lines:
        name = clip(line.name)
        shown = name if line.sure else p_("unsure", "* {name}", name=name).in_(lang)
        lines.append((_number(line.copies, line.most), shown))
    if not lines and not zone.blanks:
        lines.append(("–", ""))
    lines += [("", "")] * zone.blanks
    sized = [{"copies": copies, "name": _sized(name, _NAME_WIDTH, _NAMES)} for copies, name in lines]
    total = zone.total
    return {
        "title": _sized(clip(zone.title, 80), 70.0 if summed else 62.0 if zone.played else 45.0, _TITLES),
        "played": zone.played,
        "total": {
            "found": None if total.found is None else _number(*total.found),
            "required": total.required,
            "wrong": total.fits is False,
        },
        "lines": None if summed else sized,
        "long": any(_rows(line) > 1 for line in sized),
    }


def _arranged(page: Page, room: float) -> tuple[list[list[Box]], float]:
    """The boxes in two columns, or in one list for the template to break where no page holds them; a row's height."""
    boxes = [_box(zone, page.lang) for zone in page.zones]
    boxes += (_box(zones, page.lang, summed=True) for zones in page.sums)
    columns = _columns(boxes, page.lang)
    notes = sum(1 + cells(_note(note, page.lang)) // 100 for note in page.notes)
    signatures = 23.5 + 7.0 * ((len(page.zones) + 1) // 2)
    room -= signatures + (10.0 + 4.2 * notes if notes else 0.0)
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
    width = sum(map(_em, line["name"]["text"])) * line["name"]["size"] * _POINT
    # At the end of a row a word or a character finds no room any more.
    return 1 if width <= _NAME_WIDTH - 4.6 else 1 + int(width / (_NAME_WIDTH - 10.0))


# The PDF. Its fonts are embedded, so that it prints alike everywhere.

_PREFERRED = (
    *("notosanscjkjp", "notosansjp", "sourcehansansjp", "sourcehansans", "ipaexgothic", "ipagothic"),
    *("bizudgothic", "bizudpgothic", "yugothic", "meiryo", "msgothic", "hiraginosans", "hiraginokakugothic"),
    *("notosanscjk", "notosans", "dejavusans", "liberationsans", "arial", "helvetica"),
)
"""How the families of good fonts begin, without marks and in small letters; those for Japanese first."""

_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""Of variants; they are drawn with the character before them."""
_MOST_BYTES = 200 * 1024 * 1024
_MOST_FONTS = 1000
_MOST_NAMED = 20


def render_pdf(pages: Sequence[Page], font: str | None = None) -> bytes:
    """The file, at least one sheet in it; the same sheets with the same fonts give the same bytes.

    `font` is "FILE" or "FILE#INDEX", None for the best of this machine. Characters that it lacks are taken from other fonts
    or written out as numbers. Raises UserError without typst and for fonts that can't be used or lack Japanese.
    """
    try:
        from typst import Compiler
    except ImportError as error:
        raise user_error(_("PDF needs more libraries: pip install 'deckcheck[pdf]'")) from error
    with TemporaryDirectory() as folder:
        fonts, face = _chosen_font(font, Path(folder))
        style = {"families": [face.family], "weight": face.weight, "style": face.style}
        data = document(pages) | {"font": style}
        text = json.dumps(data, ensure_ascii=False)
        lacking = _lacking(fonts, style, set(text))
        if any(_common(char) for char in lacking):
            named = ", ".join(f"{char} (U+{ord(char):04X})" for char in lacking[:_MOST_NAMED])
            named += " …" if len(lacking) > _MOST_NAMED else ""
            raise user_error(
                _("no installed font has these characters: {characters}", characters=named),
                hint=_(
                    "install Noto Sans CJK JP or another font for Japanese, or name a font's file with --font"
                ),
            )
        # Within the strings of JSON, where a backslash is written twice.
        written_out = {ord(char): f"\\\\U{ord(char):08x}" for char in lacking}
        compiler = Compiler(
            (TEMPLATES / "sheets.typ").read_bytes(),
            font_paths=fonts,
            sys_inputs={"data": text.translate(written_out)},
        )
        made = compiler.compile(format="pdf", timestamp=0, pdf_tags=False)
    assert isinstance(made, bytes)
    return made


def _chosen_font(font: str | None, folder: Path) -> tuple["Fonts", "FontInfo"]:
    """The fonts that typst may use, and the face asked for, or the best one. Raises UserError."""
    from typst import Fonts

    if font is None:
        fonts = Fonts(include_embedded_fonts=False)
        faces = fonts.fonts()
        if not faces:
            raise user_error(_("no font is installed"), hint=_("name a font's file with --font"))
        return fonts, min(faces, key=_order)
    name, sign, number = font.rpartition("#")
    numbered = sign and number.isdecimal() and len(number) < 5 and not is_file(Path(font))
    path = Path(name if numbered else font)
    # Typst searches folders for files with such endings.
    copy = folder / "font.ttc"
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise user_error(_("too large"), path=str(path))
        with path.open("rb") as file:
            mark, _version, number_of_fonts = struct.unpack(">4sII", file.read(12).ljust(12))
        # Typst tries them all, however many a broken file says that it holds.
        if mark == b"ttcf" and number_of_fonts > _MOST_FONTS:
            raise user_error(_("can't be read as a font"), path=str(path))
        shutil.copyfile(path, copy)
    except OSError as error:
        raise cannot_read(path, error) from error
    fonts = Fonts(include_embedded_fonts=False, font_paths=[str(folder)])
    faces = [face for face in fonts.fonts() if face.path is not None and Path(face.path) == copy]
    if not faces:
        raise user_error(_("can't be read as a font"), path=str(path))
    chosen = [face for face in faces if face.index == int(number)] if numbered else faces
    if not chosen:
        message = _("it holds {number} fonts, counted from #0", number=len(faces))
        raise user_error(message, path=str(path))
    return fonts, min(chosen, key=_order)


def _order(face: "FontInfo") -> tuple[int, bool, int, str, int]:
    """The best family first; of a family the upright face of usual weight."""
    plain = re.sub(r"[\W_]", "", face.family).lower()
    rank = next((at for at, name in enumerate(_PREFERRED) if plain.startswith(name)), len(_PREFERRED))
    return rank, face.style != "normal", abs(face.weight - 400), face.path or "", face.index


def _lacking(fonts: "Fonts", style: Mapping[str, object], chars: Collection[str]) -> list[str]:
    """The characters that no font has, sorted; typst itself says so, as an archival PDF may not hold them."""
    from typst import Compiler, TypstError

    shown = [char for char in sorted(chars) if not char.isspace() and not re.match(_SELECTORS, char)]
    probe = Compiler(
        b"#let data = json(bytes(sys.inputs.data))\n"
        b"#set text(font: data.families, weight: data.weight, style: data.style)\n"
        b"#for char in data.chars [#char #linebreak()]",
        font_paths=fonts,
        sys_inputs={"data": json.dumps({**style, "chars": shown})},
    )
    try:
        probe.compile(format="pdf", timestamp=0, pdf_standards=["a-2b"])
    except TypstError as error:
        named = re.findall(r'error: the text `"(?:\\u\{([0-9a-f]+)\}|\\?(.))', error.diagnostic, re.S)
        return sorted({chr(int(code, 16)) if code else char for code, char in named})
    return []


def _common(char: str) -> bool:
    """Whether every font for Japanese has the character."""
    return bool(char.encode("shift_jis", "ignore"))
