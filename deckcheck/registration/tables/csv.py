"""The roster for spreadsheets: a line a submission, and no cell that a spreadsheet would take for a formula."""

import csv
from collections.abc import Sequence
from io import StringIO

from deckcheck.registration.model import Event, Roster, Row
from deckcheck.registration.obstacles import FIELD_NAMES, copied_seal, shared_name
from deckcheck.registration.tables.told import gravest, is_unclear, local, state_name
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

BEGIN_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell that begins so may be reckoned out when a spreadsheet opens the file."""

_BEFORE = (Text("番号", "number"), Text("提出元", "place"))
_BEHIND = (
    Text("提出日時", "submitted"),
    Text("締切後", "late"),
    Text("採用", "stands"),
    Text("判定", "verdict"),
    Text("最初の指摘", "first problem"),
    Text("場所", "where"),
    Text("ほかの指摘", "more problems"),
    Text("記入もれ", "not filled in"),
    Text("同じ人の登録", "registered again as"),
    Text("変更", "changed"),
    Text("受付番号", "accepted as"),
    Text("指紋", "fingerprint"),
    Text("そのほか", "remarks"),
)
_YES, _NO, _UNKNOWN = Text("はい", "yes"), Text("いいえ", "no"), Text("不明", "unknown")
_CHANGES = {
    "deadline": Text("締切後に別のリスト", "another list after the deadline"),
    "acceptance": Text("受付後に変更", "since it was accepted"),
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


def _remarks(row: Row) -> list[Text]:
    """What no other column tells."""
    copied = copied_seal(row)
    found = [] if copied is None else [copied]
    if row.namesakes:
        found.append(shared_name(row.namesakes))
    return [*found, *row.notes]


def _asked(value: bool | None, lang: str) -> str:
    return (_UNKNOWN if value is None else _YES if value else _NO).in_(lang)
