"""The roster for spreadsheets: a line a submission, and no cell that a spreadsheet would take for a formula."""

import csv
from collections.abc import Sequence
from io import StringIO

from deckcheck.registration.conditions import all_failures
from deckcheck.registration.model import FIELD_NAMES, Event, Roster, Row
from deckcheck.registration.tables.told import gravest, is_unclear, local, state_name
from deckcheck.support.messages import Words, _
from deckcheck.support.safetext import safe

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so may be reckoned out when a spreadsheet opens the file."""

_BEFORE = (_("number"), _("place"))
_BEHIND = (
    _("submitted"),
    _("late"),
    _("stands"),
    _("verdict"),
    _("first problem"),
    _("where"),
    _("more problems"),
    _("not filled in"),
    _("registered again as"),
    _("changed"),
    _("accepted as"),
    _("fingerprint"),
    _("remarks"),
)
_YES, _NO, _UNKNOWN = _("yes"), _("no"), _("unknown")
_CHANGES = {
    "deadline": _("another list after the deadline"),
    "acceptance": _("since it was accepted"),
}


def render(roster: Roster, lang: str) -> str:
    """A head and a line a submission, as RFC 4180 has it; the mark before it tells Excel that it is UTF-8."""
    written = StringIO()
    # Where a semicolon parts cells, one without quotes would begin anew behind it.
    writer = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    heads = [*_BEFORE, *FIELD_NAMES.values(), *_BEHIND]
    writer.writerow([head.in_(lang) for head in heads])
    writer.writerows([[harmless(cell) for cell in _cells(row, roster.event, lang)] for row in roster.rows])
    return "\ufeff" + written.getvalue()


def harmless(cell: str) -> str:
    """A cell that shows what it holds, on one line, and that no spreadsheet reckons out."""
    shown = safe(cell)
    return "'" + shown if shown.startswith(BEGIN_FORMULAS) else shown


def _cells(row: Row, event: Event, lang: str) -> Sequence[str]:
    one = row.submission
    told = gravest(row)
    fingerprint = None if row.report is None else row.report.fingerprint
    commas = "、" if lang == "ja" else ", "
    return [
        str(one.number),
        one.place,
        *((getattr(one.player, field) or "") for field in FIELD_NAMES),
        one.submitted_as if one.submitted is None else local(one.submitted, event),
        _asked(row.late, lang),
        _asked(None if is_unclear(row) else row.counts, lang),
        state_name(row).in_(lang),
        "" if told is None else told._replace(more=0).in_(lang),
        "" if told is None else told.place,
        "" if told is None else str(told.more),
        commas.join(FIELD_NAMES[field].in_(lang) for field in row.lacking),
        commas.join(map(str, row.others)),
        "" if row.changed is None else _CHANGES[row.changed].in_(lang),
        "" if row.accepted is None else str(row.accepted),
        fingerprint or ("" if row.seal is None else row.seal.commitment),
        commas.join(text.in_(lang) for text in _remarks(row)),
    ]


def _remarks(row: Row) -> list[Words]:
    """What no other column tells."""
    failed = [one.message for one in all_failures(row) if one.id in ("namesake", "copied")]
    return [*failed, *row.notes]


def _asked(value: bool | None, lang: str) -> str:
    return (_UNKNOWN if value is None else _YES if value else _NO).in_(lang)
