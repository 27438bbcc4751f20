"""The style sheet of the HTML sheets: for A4 paper first, for the screen as an afterthought."""

from deckcheck.registration.sheets import layout
from deckcheck.registration.sheets.head import QR, ROWS
from deckcheck.registration.sheets.measure import ems
from deckcheck.registration.sheets.words import STAMPS

_FIXED = """\
@page { size: A4; margin: 0 }
* { box-sizing: border-box; margin: 0; padding: 0 }
html { font-family: "Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans", "Hiragino Sans",
  "Hiragino Kaku Gothic ProN", "Yu Gothic", Meiryo, "BIZ UDGothic", "IPAexGothic", sans-serif;
  font-variant-numeric: tabular-nums; text-rendering: geometricPrecision; color: #000; background: #fff; line-height: 1.2 }
.leaf { position: relative; width: 210mm; min-height: 296mm; padding: 10mm 12mm; display: flex;
  flex-direction: column; break-after: page; overflow-wrap: anywhere; isolation: isolate }
.leaf:last-child { break-after: auto }
.stamp { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center;
  overflow: hidden; pointer-events: none; color: transparent; -webkit-text-stroke: 0.25mm #bbb;
  font-weight: 400; z-index: -1; white-space: nowrap; line-height: 1 }
.stamp span { transform: rotate(-32deg) }
.head { position: relative; border: 0.35mm solid #000; margin-bottom: 3mm }
.row { display: flex }
.row + .row { border-top: 0.15mm solid #000 }
.cell { position: relative; padding: 0.9mm 2mm 0 }
.cell + .cell { border-left: 0.15mm solid #000 }
.caption { display: block; font-size: 6.5pt; line-height: 1.25; color: #333 }
.value { display: block; line-height: 1.15; white-space: nowrap }
.head .lists .value, .head .verdict .value { line-height: 3.6mm }
.verdict .value:nth-child(2) { font-weight: 700 }
.cell.name { display: flex; flex-direction: column }
.name .value, .table .value { font-weight: 700; margin-top: auto; padding-bottom: 1.6mm }
.table { display: flex; flex-direction: column }
.table .value { text-align: center }
.read { margin-top: auto; padding-bottom: 1.6mm; line-height: 1.15; font-weight: 700; white-space: nowrap }
ruby { ruby-align: center }
rt { font-size: 7.5pt; font-weight: 400; line-height: 1.1; white-space: nowrap }
.reading { display: flex; align-items: flex-end; font-size: 7.5pt; line-height: 1.1; height: 4mm;
  border-bottom: 0.15mm dotted #777 }
.pen { flex: 1; align-self: stretch }
.cell > .pen { position: absolute; left: 2mm; right: 2mm; bottom: 1.6mm; border-bottom: 0.15mm dotted #777 }
.qr { position: absolute; right: 0; top: 0; border-left: 0.15mm solid #000; text-align: center }
.qr svg { display: block; width: 24.5mm; height: 24.5mm; margin: 0 auto }
.qr .finger { font-size: 6.5pt; line-height: 2.3mm; display: block; letter-spacing: 0.02em }
.qr .none { font-size: 8pt; padding-top: 12mm; display: block; color: #333 }
.short { display: flex; align-items: baseline; gap: 5mm; height: 12mm; border-bottom: 0.35mm solid #000;
  margin-bottom: 3mm; padding: 0 1mm; font-size: 9pt }
.short strong { font-size: 14pt }
.short .finger { margin-left: auto }
.columns { display: flex; gap: 5mm; align-items: flex-start }
.column { flex: 0 0 90.5mm }
.column > :last-child { margin-bottom: 0 }
.zone { border: 0.35mm solid #000; margin-bottom: 3mm }
.zone h2, .sum { display: flex; align-items: center; justify-content: space-between; gap: 3mm; height: 7mm;
  padding: 0 2mm; font-size: 11pt; line-height: 1.1 }
.sum { border: 0.35mm solid #000; margin-bottom: 3mm; font-weight: 700 }
.zone.foreign { border-style: dashed }
.zone h2 small { font-size: 7pt; font-weight: 400 }
.title { font-size: 11pt }
.title.long { font-size: 8pt }
.total { white-space: nowrap; font-weight: 400; font-size: 10pt }
.total b { font-size: 13pt }
.total.wrong b { border: 0.35mm solid #000; padding: 0 1.2mm }
.total .blank { display: inline-block; width: 11mm; border-bottom: 0.15mm solid #000 }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
thead th { font-size: 6.5pt; font-weight: 400; text-align: left; height: 4.4mm; padding: 0 2mm; color: #333;
  border-top: 0.15mm solid #000 }
thead th:first-child, td:first-child { width: 13mm; text-align: center }
td { font-kerning: none; text-spacing-trim: space-all; border-top: 0.1mm solid #777; padding: 0 2mm; font-size: 12pt; line-height: 1.12; vertical-align: middle }
td:first-child { border-right: 0.1mm solid #777 }
tr { break-inside: avoid }
.many td:last-child { line-height: 3.6mm }
.foot { margin-top: auto }
.legend { font-size: 7pt; line-height: 3mm; height: 4mm; padding-top: 1mm }
.notes { border: 0.35mm solid #000; margin-top: 3mm }
.notes h2 { font-size: 10pt; height: 7mm; line-height: 7mm; padding: 0 2mm }
.notes li { list-style: none; display: flex; font-size: 8.5pt; line-height: 4.2mm; padding: 0 2mm }
.notes li b { flex: 0 0 18mm }
.boxes { margin-top: 3mm; display: flex; gap: 5mm }
.box { flex: 0 0 90.5mm; border: 0.35mm solid #000; padding: 1mm 2mm; display: flex; flex-direction: column }
.box h2 { font-size: 8pt; line-height: 4mm }
.box p { font-size: 8pt; line-height: 4mm; margin-bottom: auto }
.line { display: flex; gap: 4mm; height: 7mm; align-items: flex-end; font-size: 8pt; line-height: 1.1 }
.line span { flex: 1 1 0; display: flex; align-items: flex-end; gap: 1.5mm; overflow-wrap: normal }
.line span::after { content: ""; flex: 1 1 4mm; min-width: 4mm; border-bottom: 0.15mm solid #000 }
.line .plain::after { content: none }
.line .wide { flex-grow: 2 }
.line .count::after { flex: 0 0 11mm; order: 1 }
.line .count b { font-weight: 400; order: 2; white-space: nowrap; min-width: 8mm }
.line .count i { font-style: normal; flex: 1 1 auto }
.colophon { display: flex; justify-content: space-between; gap: 4mm; font-size: 6pt; line-height: 3mm;
  padding-top: 2mm; color: #333 }
@media screen {
  html { background: #ddd }
  .leaf { background: #fff; margin: 6mm auto; box-shadow: 0 1mm 4mm #0005 }
}
"""


def style() -> str:
    """All of it; the lengths that decide what fits are those of the layout."""
    beside = f".beside {{ width: calc(100% - {QR:g}mm) }}\n"
    rows = "".join(f".r{at} td {{ height: {height:g}mm }}\n" for at, height in enumerate(layout.ROW_HEIGHTS))
    sizes = (20, 17, 14, 12, 11, 10, 9, 8.5, 8, 7.5, 7, 6.5)
    points = "".join(f".{size_class(size)} {{ font-size: {size:g}pt }}\n" for size in sizes)
    stamps = "".join(
        f".{stamp_class(text)} {{ font-size: {stamp_size(text):g}mm }}\n"
        for text in dict.fromkeys(word for stamp in STAMPS.values() for word in (stamp.ja, stamp.en))
    )
    tops = f".qr {{ width: {QR:g}mm; height: {sum(ROWS):g}mm }}\n"
    return _FIXED + beside + rows + points + stamps + tops


def stamp_class(text: str) -> str:
    """The class for what is written across a sheet."""
    return f"s{len(text)}"


def stamp_size(text: str) -> float:
    """How high, in millimetres, what is written across a sheet may be."""
    return round(170 / ems(text), 1)


def size_class(size: float) -> str:
    """The class for text of so many points."""
    return f"p{size * 10:.0f}"


def width_class(width: float) -> str:
    """The class for a cell of so many millimetres."""
    return f"w{width * 10:.0f}"


def height_class(height: float) -> str:
    """The class for a row of the head so many millimetres high."""
    return f"h{height * 10:.0f}"


def heights(used: set[float]) -> str:
    """The style of the head's rows."""
    return "".join(f".{height_class(one)} {{ min-height: {one:g}mm }}\n" for one in sorted(used))


def widths(used: set[float]) -> str:
    """The style of the cells' widths."""
    return "".join(
        f".{width_class(one)} {{ flex: 0 0 {one:g}mm; width: {one:g}mm }}\n" for one in sorted(used)
    )
