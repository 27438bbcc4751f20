"""What the tests of the reader share: the game's words, some cards, and lists made of them."""

from __future__ import annotations

from collections import Counter
from functools import cache

from deckcheck.cards.names import make_fold
from deckcheck.decklists.read import ListReader
from deckcheck.formats.loading import load_game
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck
from deckcheck.model.game import Game
from factories.memory_catalog import MemoryCatalog

PLAIN = [
    "天災 デドダム", "終末の時計 ザ・クロック", "“轟轟轟”ブランド", "アクア・ガード",
    "からみカズラ", "青銅の鎧(ブロンズ・アーム・トライブ)", "フェアリー・ライフ",
    "ボルメテウス・ホワイト・ドラゴン", "斬隠オロチ", "完全不明", "オールデリート",
    "伝説のレジェンド ドギラゴン",
]  # fmt: skip
HARD = [
    "バングリッドX7", "ジャガライガーV7", "750男", "0点男", "2番ウッドのタイガーくん",
    "20thSP じーさん", "201式-銅鑼GOON", "1000KAI-如来参式", "13番目の計画",
    "1、2、3、チームボンバーイェー!", "*/弐幻ケルベロック/*", "*/零幻チュパカル/*", "Code:1059",
    "Code:1500", "最終命令：3150-1059", "零獄王秘伝 ZERO×STRIKE", "♪2×2-4×5+17=1",
    "妖精 アジサイ-2", "天啓 CX-20", "E-GO55", "偽りの名 13", "究極防衛司令 コード 777",
    "万里の超常 ボンバルディア 4000", "超音速 ターボ3", "爆裂英雄 C・T・7", "神聖十二神騎:||",
    "真実の巨兵 サンダーバード Re:", "リツイーギョ #桜 #満開", "カクタキュー #ナイトリバー #KAWAE",
    "その子供、凶暴につき", "精神を刻む者、ジェイス",
    "龍装者 “OGU”ヴァル／「静謐よ、世界に満ちよ」",
    "ビシャモンス・デーケン／「深淵より来たれ、魂よ」", "キング・ザ・スロットン7／7777777",
    "XENOGEAR-拳2号", "「無月」の頂 $スザーク$", "龍装車 ピオドーロ／毒汁100%",
    "《パーロック～陰謀に立ち向かえ!～》", "【問1】 テック",
    "【神回】バズレンダでマナが大変なことに?!【驚愕】", "ニケ※◎☆♯△", "SC龍飛→SC風流",
    "天鎧機装アメイジンガー(", "^^^^^^", "R.S.F.K.", "禁断 ～目覚めの刻～", "「GG」-001",
    "「K」-9+9", "アクア・ジェット<BOOON・スカイ>", "STARSCREAM -ALT MODE-",
    "コマンダー・ラッキーロトファイブ", "No Data",
]  # fmt: skip
COUNTED = [
    "{n} x {c}", "{n} X {c}", "{n}x {c}", "{n}× {c}", "{n}×{c}", "{n} {c}", "{n}　{c}",
    "{n} 《{c}》", "{n}枚 {c}", "{n}: {c}", "{n}：{c}", "×{n} {c}", "x{n} {c}", "[{n}] {c}",
    "({n}) {c}", "{n} | {c}", "{n}\t{c}", "《{c}》×{n}", "《{c}》× {n}", "《{c}》 ×{n}",
    "《{c}》{n}", "《{c} ×{n}", "{c}》×{n}", "{c} ×{n}", "{c}×{n}", "{c} x{n}", "{c} X{n}",
    "{c} *{n}", "{c} {n}", "{c}　{n}", "{c} {n}枚", "{c}（{n}）", "{c} (×{n})", "{c}: {n}",
    "{c} - {n}", "{c} = {n}", "{c} …{n}", "{c} | {n}", "{c}\t{n}", "●{c}×{n}", "・{c} ×{n}枚",
    "• {n} {c}", "- {n} x {c}", "■{c} ×{n}枚", "※ {c} ×{n}", "▪\ufe0f{c} ×{n}", "7. {c} ×{n}",
    "{n} x {c}(殿)", "{n} x {c} (プレ殿)", "《{c}》(殿)×{n}", "{c}（プレミアム殿堂） ×{n}",
    "st {c} ×{n}", "{c}【S・トリガー】×{n}", "{n} {c} (DMR-01) 12", "{n} {c} (M21) 123 *F*",
    "{n} [M21:123] {c}", "{n} {c} DMRP-06 12/93", "《{c}》×{n} ¥480", "{n} {c} 1,200円",
    "{n} {c} # 強い", "{n} {c} // 強い", "{c} ×{n}　※初動", "{n} x {c} ← 初動", "  {n} x {c}  ",
]  # fmt: skip
"""Ways to write a card with its count."""
AWAY = {"時空の凶兵ブラック・ガンヴィート": "hyperspatial", "ゴルドンゴルドー": "gr", "零龍": "start"}
TWINS = ["ガチャック", "ガチャック2"]
"""Two cards, one called like two copies of the other."""


class Cards(MemoryCatalog):
    """A small card table of made-up homes and real names; "半分" is a half of two cards."""

    version = "test"

    def __init__(self, game: Game) -> None:
        homes = dict.fromkeys([*PLAIN, *HARD, *TWINS], "main") | AWAY
        super().__init__(make_fold(game.folding), [Card(name, home, {}) for name, home in homes.items()])
        self._found[self.fold("半分")] = (self.cards[0], self.cards[1])
        self._found[self.fold("凶刃王ブラック・ガンヴィート")] = self.find("時空の凶兵ブラック・ガンヴィート")

    def suggest(self, _name: str) -> list[str]:
        return []


@cache
def duel_masters() -> Game:
    """The bundled game."""
    return load_game("duel-masters")


@cache
def cards() -> Cards:
    """The small card table."""
    return Cards(duel_masters())


@cache
def reader() -> ListReader:
    """A reader of the game with those cards."""
    return ListReader(duel_masters(), cards())


def read(text: str, path: str = "deck.txt") -> Deck:
    """The deck in `text`."""
    return reader()(text, path)


def content(deck: Deck) -> Counter[tuple[str, str]]:
    """How many of which card stand where; a name that isn't known stands for itself behind "?"."""
    found: Counter[tuple[str, str]] = Counter()
    for entry in deck.entries:
        name = entry.cards[0].name if len(entry.cards) == 1 else f"?{entry.written}"
        found[entry.zone, name] += entry.copies
    return found


def told(deck: Deck) -> list[str]:
    """Entries, then remarks, one a line, short enough to read in a test."""
    lines = [
        f"{entry.line}:{entry.column} {entry.zone} "
        f"{entry.copies} "
        f"{' | '.join(card.name for card in entry.cards) or f'?{entry.written}'}"
        for entry in deck.entries
    ]
    return lines + [
        f"! {diagnostic.line}:{diagnostic.column} {diagnostic.id} {diagnostic.written}"
        for diagnostic in deck.diagnostics
    ]


def ids(deck: Deck) -> list[str]:
    """The ids of the remarks."""
    return [diagnostic.id for diagnostic in deck.diagnostics]


def one(deck: Deck) -> tuple[str, int, int]:
    """The only entry as name, copies and column; its line must hold that name there."""
    (entry,) = deck.entries
    line = deck.lines[entry.line - 1]
    assert line[entry.column - 1 :].startswith(entry.written), (line, entry)
    return "/".join(card.name for card in entry.cards), entry.copies, entry.column
