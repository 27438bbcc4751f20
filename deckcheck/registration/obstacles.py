"""What stands in the way of accepting a list."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from deckcheck.registration.model import Row
from deckcheck.report.violation import Report
from deckcheck.text import Text

Kind = Literal[
    "missing",
    "unreadable",
    "superseded",
    "unclear",
    "unsettled",
    "illegal",
    "undecided",
    "late",
    "lacking",
    "changed",
]

FIELD_NAMES: Mapping[str, Text] = {
    "name": Text("名前", "name"),
    "reading": Text("ふりがな", "reading of the name"),
    "handle": Text("ハンドルネーム", "handle"),
    "id": Text("プレイヤーID", "player id"),
    "table": Text("卓番号", "table"),
    "language": Text("言語", "language"),
}
"""What the fields of a Player are called."""


class Obstacle(NamedTuple):
    """One thing that stands in the way; `by_word` says that a judge may accept the list all the same."""

    kind: Kind
    message: Text
    by_word: bool


_MESSAGES: Mapping[Kind, Text] = {
    "missing": Text("リストがありません", "there is no list"),
    "unreadable": Text("リストが読めません", "the list can't be read"),
    "unclear": Text(
        "同じ人の登録が複数あり、どのリストを使うのか決められません",
        "this player registered more than once, and which list stands can't be told",
    ),
    "illegal": Text("ルール違反があります", "the list is illegal"),
    "undecided": Text("使えるか判定できません", "whether the list is legal can't be decided"),
    "late": Text("締切を過ぎて提出されています", "the list came after the deadline"),
    "changed": Text("受け付けたときのリストと違います", "the list is not the one that was accepted"),
}

_UNSETTLED_REMARKS = frozenset({"invalid-line", "unknown-zone"})


def obstacles(row: Row) -> tuple[Obstacle, ...]:
    """All that stands in the way of accepting this row's list, the gravest first; () for nothing.

    What no word of a judge can mend: no list, none that can be read, another
    one that counts. An unknown time is told elsewhere and hinders nothing.
    """
    found = list(_final(row))
    if row.state == "illegal" or row.state == "undecided":
        found.append(Obstacle(row.state, _MESSAGES[row.state], by_word=True))
    if row.late:
        found.append(Obstacle("late", _MESSAGES["late"], by_word=True))
    if row.lacking:
        found.append(Obstacle("lacking", lacking_fields(row.lacking), by_word=True))
    if row.changed == "acceptance":
        found.append(Obstacle("changed", _MESSAGES["changed"], by_word=True))
    return tuple(found)


def lacking_fields(fields: tuple[str, ...]) -> Text:
    """That these fields of a player were left empty."""
    names = [FIELD_NAMES[field] for field in fields]
    return Text(
        f"記入がありません: {'、'.join(one.ja for one in names)}",
        f"not filled in: {', '.join(one.en for one in names)}",
    )


def _final(row: Row) -> list[Obstacle]:
    found = []
    if row.state == "missing":
        found.append(Obstacle("missing", _MESSAGES["missing"], by_word=False))
    if row.state == "unreadable":
        found.append(Obstacle("unreadable", _MESSAGES["unreadable"], by_word=False))
    if not row.counts:
        if row.instead is None:
            found.append(Obstacle("unclear", _MESSAGES["unclear"], by_word=False))
        else:
            message = Text(
                f"同じ人の別のリスト（{row.instead}番）を使います",
                f"another list of the same player stands (no. {row.instead})",
            )
            found.append(Obstacle("superseded", message, by_word=False))
    lines = [] if row.report is None else unsettled_lines(row.report)
    if lines:
        named = "、".join(map(str, lines[:5])) + ("…" if len(lines) > 5 else "")
        message = Text(
            f"どう読むのか決まらない行があります（{named}行目）",
            f"some lines can't be read for certain (line {named.replace('、', ', ')})",
        )
        found.append(Obstacle("unsettled", message, by_word=False))
    return found


def unsettled_lines(report: Report) -> list[int]:
    """The lines for which nobody can say what is in the deck, and how often: no such list can be frozen."""
    deck = report.deck
    lines = {remark.line for remark in deck.remarks if remark.id in _UNSETTLED_REMARKS}
    lines |= {entry.line for entry in deck.entries if entry.copies != entry.most}
    return sorted(lines)
