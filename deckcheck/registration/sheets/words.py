"""What a sheet says beside names and numbers, in both languages."""

from collections.abc import Mapping, Sequence

from deckcheck.model.finding import Verdict
from deckcheck.registration.sheets.model import Line, Page, Required, Sum, Total
from deckcheck.support.text import Text

WORDS: Mapping[str, Text] = {
    "decklist": Text("デッキ登録用紙", "Decklist"),
    "name": Text("氏名", "Name"),
    "name-read": Text("氏名（ふりがな）", "Name (reading)"),
    "table": Text("卓番号", "Table"),
    "handle": Text("ハンドルネーム", "Handle"),
    "id": Text("プレイヤーID", "Player ID"),
    "event": Text("大会名", "Event"),
    "organiser": Text("主催", "Organiser"),
    "date": Text("開催日", "Date"),
    "format": Text("フォーマット", "Format"),
    "lists": Text("適用リスト（最新の変更日）", "Lists in force (newest change)"),
    "verdict": Text("判定", "Verdict"),
    "copies": Text("枚数", "No."),
    "card": Text("カード名", "Card name"),
    "continued": Text("（続き）", " (continued)"),
    "together": Text("合計", "Total"),
    "not-played": Text("このフォーマットにない置き場所", "not a zone of this format"),
    "unsure": Text(
        "※ どのカードか確定していない名前（リストに書かれたまま）",
        "* not one certain card; as written in the list",
    ),
    "findings": Text("指摘", "Findings"),
    "signature": Text("署名", "Signature"),
    "declaration": Text(
        "このリストは、大会で使うデッキの内容と一致しています。", "This list matches the deck that I play."
    ),
    "signed-on": Text("日付", "Date"),
    "official": Text("大会運営 記入欄", "Official use"),
    "checked-at": Text("確認時刻", "Deck check at"),
    "judge": Text("ジャッジ", "Judge"),
    "result": Text("結果", "Result"),
    "match": Text("一致", "match"),
    "mismatch": Text("不一致", "mismatch"),
    "fingerprint": Text("指紋", "Fingerprint"),
    "no-fingerprint": Text("指紋なし", "no fingerprint"),
    "no-change": Text("変更なし", "no change"),
}

STAMPS: Mapping[Verdict, Text] = {
    "illegal": Text("使用不可", "NOT LEGAL"),
    "undecided": Text("未確定", "UNDECIDED"),
}
"""What is written across a sheet that is not legal."""

MARKS = Text("※", "*")
BOX = "□"
APART = Text("　", " · ")
"""Between things on one line."""
_MOST_COUNTS = 12
_JOINED = Text("・", ", ")
_OR = Text("か", " or ")


def as_of_words(page: Page) -> str:
    """By the rules of which day the deck was judged."""
    return f"{page.as_of}時点のルール" if page.lang == "ja" else f"rules of {page.as_of}"


def required_words(wanted: Required, lang: str) -> str:
    """What is required, short: "50", "0–12", "0か12", "40以上"."""
    if wanted.one_of is not None:
        return _OR.in_(lang).join(map(str, wanted.one_of))
    low, high = wanted.low, wanted.high
    if wanted.step and (low is not None or high is not None):
        base = low if low is not None else high or 0
        return _JOINED.in_(lang).join([str(base), str(base + wanted.step), "…"])
    if high is None:
        return "" if low is None else f"{low}以上" if lang == "ja" else f"at least {low}"
    return str(high) if low == high else f"{low or 0}–{high}"


def found_words(found: tuple[int, int]) -> str:
    """A count, or the two that it may be."""
    return str(found[0]) if found[0] == found[1] else f"{found[0]}–{found[1]}"


def total_words(total: Total, lang: str) -> tuple[str | None, str]:
    """What was found (None: left to the pen) and what is required ("" for nothing)."""
    wanted = "" if total.required is None else required_words(total.required, lang)
    return None if total.found is None else found_words(total.found), wanted


def copies_words(line: Line) -> str:
    """How many of a card."""
    return found_words((line.copies, line.most))


def sum_words(one: Sum, lang: str) -> str:
    """What is added up."""
    return ("＋" if lang == "ja" else " + ").join(one.titles)


def counts_of(page: Page) -> Sequence[tuple[str, str]]:
    """What a judge counts: the zones of the format, each with what is required; as many as find room."""
    zones = [(one.title, total_words(one.total, page.lang)[1]) for one in page.zones if one.played]
    return zones[:_MOST_COUNTS]
