"""The players of a roster as rows of an HTML table, each with all that there is to tell of its list."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from deckcheck.model.deck import Entry
from deckcheck.model.finding import Finding, Report
from deckcheck.registration.model import Event, Row
from deckcheck.registration.tables.markup import foreign, shown
from deckcheck.registration.tables.told import flags, gravest, is_unclear, local, sorted_findings, state_name
from deckcheck.report.locations import line_of, marks
from deckcheck.report.wording import LABELS, label_of
from deckcheck.support.messages import Localized, Words, _, p_

HEADS: Mapping[str, Words] = {
    "no": _("No."),
    "who": p_("roster", "Name"),
    "id": Localized("ID", "ID"),
    "seat": p_("roster", "Table"),
    "what": _("Verdict"),
    "more": _("What there is to tell"),
}

_LIST = _("List")
_FINDINGS = _("Findings and list")
_NO_NAME = _("(no name)")
_LONGEST_LINE = 200
_MOST_LINES = 6


def people(rows: tuple[Row, ...], event: Event, lang: str) -> str:
    """The table; its rows bear their state for whoever filters them."""
    heads = "".join(
        f'<th role="columnheader" scope="col" class="{key}">{shown(head.in_(lang))}</th>'
        for key, head in HEADS.items()
    )
    body = "\n".join(_row(row, event, lang) for row in rows)
    return (
        f'<table class="players" role="table"><thead role="rowgroup"><tr role="row">{heads}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{body}\n</tbody></table>'
    )


def state_of(row: Row) -> str:
    """The state by which a row is coloured and found."""
    return "unclear" if is_unclear(row) else row.state


def _row(row: Row, event: Event, lang: str) -> str:
    one, player = row.submission, row.submission.player
    aside = "" if row.counts or is_unclear(row) else ' class="aside"'
    state = state_of(row)
    name = foreign(player.name) if player.name else shown(_NO_NAME.in_(lang))
    below = "".join(
        f'<span class="small">{foreign(text)}</span>' for text in (player.reading, player.handle) if text
    )
    cells = [
        f'<td role="cell" class="no">{one.number}</td>',
        f'<th role="rowheader" scope="row" class="who"><span class="name">{name}</span>{below}</th>',
        f'<td role="cell" class="id">{foreign(player.id or "")}</td>',
        f'<td role="cell" class="seat">{foreign(player.table or "")}</td>',
        f'<td role="cell" class="what"><span class="state {state}">{shown(state_name(row).in_(lang))}</span></td>',
        f'<td role="cell" class="more">{_more(row, event, lang)}</td>',
    ]
    # What doesn't stand is no part of the verdicts that the buttons count.
    found_by = "aside" if aside else state
    return f'<tr role="row" id="n{one.number}" data-state="{found_by}"{aside}>{"".join(cells)}</tr>'


def _more(row: Row, event: Event, lang: str) -> str:
    one = row.submission
    told = gravest(row)
    parts = []
    if told is not None:
        parts.append(f"<p>{foreign(told.in_(lang))}</p>")
    parts.append(_items("flags", [text.in_(lang) for text in flags(row)]))
    parts.append(_items("notes", [text.in_(lang) for text in row.notes]))
    came = one.submitted_as if one.submitted is None else local(one.submitted, event)
    place = foreign(one.place) + (f" ・ {foreign(came)}" if came else "")
    inner = "".join(_problems(row, lang)) + "".join(_findings(row, lang)) + _list(row, lang)
    if inner:
        title = (
            _FINDINGS if row.problems or (row.report is not None and row.report.findings) else _LIST
        ).in_(lang)
        parts.append(
            f'<details><summary>{shown(title)}</summary>{inner}<p class="small">{place}</p></details>'
        )
    else:
        parts.append(f'<p class="small">{place}</p>')
    return "".join(parts)


def _items(kind: str, texts: list[str]) -> str:
    inner = "".join(f"<li>{foreign(text)}</li>" for text in texts)
    return f'<ul class="{kind}">{inner}</ul>' if inner else ""


def _problems(row: Row, lang: str) -> Iterator[str]:
    if row.problems:
        yield '<ul class="findings">'
        for one in row.problems:
            where = "" if one.line is None else _line(one.line, lang) + " "
            line = "" if one.excerpt is None else f"<code>{foreign(_cut(one.excerpt))}</code>"
            yield f'<li class="error">{where}{foreign(one.message.in_(lang))}{line}{_hint(one.hint, lang)}</li>'
        yield "</ul>"


def _findings(row: Row, lang: str) -> Iterator[str]:
    report = row.report
    if report is not None and report.findings:
        yield '<ul class="findings">'
        for one in sorted_findings(row):
            yield _finding(one, report, lang)
        yield "</ul>"


def _finding(finding: Finding, report: Report, lang: str) -> str:
    label = label_of(finding, lenient=False)
    found = marks(finding, report)
    lines = "".join(
        f"<code>{_line(line, lang)} {_marked(line_of(report, line), column, length)}</code>"
        for line, column, length in found[:_MOST_LINES]
    )
    more = len(found) - _MOST_LINES
    if more > 0:
        lines += f'<span class="hint">{f"ほか{more}行" if lang == "ja" else f"and {more} more lines"}</span>'
    return (
        f'<li class="{label}"><span class="label">{shown(LABELS[label].in_(lang))}</span>'
        f"{foreign(finding.message.in_(lang))}{lines}{_hint(finding.hint, lang)}</li>"
    )


def _line(number: int, lang: str) -> str:
    return _("line {number}", number=number).in_(lang)


def _hint(hint: Words | None, lang: str) -> str:
    return "" if hint is None else f'<span class="hint">{foreign(hint.in_(lang))}</span>'


def _marked(line: str, column: int, length: int) -> str:
    """The line with the stretch marked; of a long one what stands around it."""
    start = max(column - 1, 0)
    first = max(0, start - _LONGEST_LINE // 2)
    last = min(len(line), start + max(length, _LONGEST_LINE // 2))
    last = min(last, start + _LONGEST_LINE)
    before, inner, after = (
        line[first:start],
        line[start : min(start + length, last)],
        line[start + length : last],
    )
    cut = "…" if last < len(line.rstrip()) else ""
    return f"<bdi>{'…' if first else ''}{shown(before)}<mark>{shown(inner)}</mark>{shown(after)}{cut}</bdi>"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + "…"


def _list(row: Row, lang: str) -> str:
    report = row.report
    if report is None:
        return ""
    order = {zone: at for at, zone in enumerate(report.zone_names)}
    entries = sorted(report.deck.entries, key=lambda one: order.get(one.zone, len(order)))
    parts = []
    for zone, several in groupby(entries, key=lambda one: one.zone):
        mine = list(several)
        name = report.zone_names[zone].in_(lang) if zone in report.zone_names else zone
        total = sum(one.copies for one in mine)
        size = f"{total}枚" if lang == "ja" else str(total)
        parts.append(f"<h3>{foreign(name)} {size}</h3>")
        parts.append('<ul class="cards">' + "".join(_card(one) for one in mine) + "</ul>")
    return "".join(parts)


def _card(entry: Entry) -> str:
    name = entry.cards[0].name if len(entry.cards) == 1 else entry.written
    copies = str(entry.copies) if entry.copies == entry.most else f"{entry.copies}–{entry.most}"
    return f'<li><span class="copies">{copies}</span> {foreign(_cut(name))}</li>'
