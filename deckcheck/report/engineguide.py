"""What the engine itself tells of a list, explained: what it means, why it is told, what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.support.text import Text


class Explained(NamedTuple):
    """One id of the engine in words."""

    meaning: Text
    why: Text
    mend: Text


ENGINE_GUIDE: Mapping[str, Explained] = MappingProxyType(
    {
        "unknown-card": Explained(
            Text("カード表にない名前です。", "A name that the card table doesn't have."),
            Text(
                "書き間違いか、まだ登録されていないカードかは区別できません。分からないカードを「問題なし」とは言いません。",
                "Whether it is a slip of the pen or a card that is missing in the table can't be told, and "
                "nothing unknown is called legal.",
            ),
            Text(
                "「もしかして」に出る候補から選ぶか、新しいカードなら --cards か deckcheck cards import で加えてください。",
                "Take the right name from those suggested. New cards can be added with --cards or "
                "`deckcheck cards import`.",
            ),
        ),
        "ambiguous-name": Explained(
            Text(
                "どのカードか、または何枚かが1つに決まらない書き方です。",
                "What is written can mean several cards, or two numbers of copies.",
            ),
            Text(
                "どちらと読むかで判定が変わることがあるので、推測はしません。",
                "How it is read may change the verdict, so nothing is guessed.",
            ),
            Text(
                "候補のうち、入れたいカードの名前を書いてください。",
                "Write the name of the one that is meant.",
            ),
        ),
        "invalid-line": Explained(
            Text(
                "カードとしても、見出しや合計としても読めない行です。",
                "A line that reads neither as a card nor as a heading or a total.",
            ),
            Text(
                "カードが書いてあったのかもしれないので、読み飛ばさずに判定を保留します。",
                "It may hold a card, so it is never dropped in silence and the verdict stays open.",
            ),
            Text(
                "「4 x カード名」の形に直すか、メモなら行の先頭に # を付けてください。",
                "Write it as “4 x NAME”, or put a # before it if it is a note.",
            ),
        ),
        "unknown-zone": Explained(
            Text(
                "このフォーマットにない場所にカードが置かれているか、見出しがどの場所のことか分かりません。",
                "Cards stand in a zone that this format hasn't, or under a heading that names no zone.",
            ),
            Text(
                "そのカードを数に入れるかどうかは、リストだけでは決まりません。",
                "Whether they count can't be told from the list.",
            ),
            Text(
                "見出しを直すか、そのカードをリストから外してください。フォーマットの指定も確かめてください。",
                "Mend the heading or take the cards out, and see that the format is the one you mean.",
            ),
        ),
        "partial-banlist": Explained(
            Text(
                "使ったリストに、一部のカードしか載っていません。または、調べる日の分がそろっていません。",
                "Of a list in use only some entries are known, at all or for the day of the check.",
            ),
            Text(
                "載っていないカードにも制限があるかもしれないので、違反が見つからなくても「問題なし」とは言いません。",
                "What is not on it may be on the real list, so a deck in which nothing is wrong isn't called legal.",
            ),
            Text(
                "deckcheck banlists import でリスト全体を取り込んでください。公式のリストを自分で確かめたのなら、理由を書いて無視できます。",
                "Take in the whole list with `deckcheck banlists import`. If you have looked the cards up in the "
                "official list yourself, ignore this with a reason.",
            ),
        ),
        "not-yet-released": Explained(
            Text(
                "調べている日にはまだ出ていないカード、またはまだ始まっていないフォーマットです。",
                "A card that was not out yet on the day of the check, or a format that had not begun.",
            ),
            Text(
                "日付の間違いかもしれず、これから出るカードを先に試しているのかもしれません。判定は変わりません。",
                "The day may be wrong, or somebody tries a coming card early. The verdict stays the same.",
            ),
            Text(
                "--as-of か、リストの「# as-of: 年-月-日」で調べる日を直してください。",
                "Set the day with --as-of or with “# as-of: YYYY-MM-DD” in the list.",
            ),
        ),
        "total-mismatch": Explained(
            Text(
                "リストに書いてある合計と、数えた枚数が違います。",
                "A total that the list states is not the sum of its rows.",
            ),
            Text(
                "行が抜けているか、枚数の書き間違いかもしれません。判定には数えた枚数を使います。",
                "A row may be missing, or a count be wrong. The verdict goes by the rows.",
            ),
            Text("行か合計のどちらかを直してください。", "Mend the rows or the total."),
        ),
        "unconfirmed-change": Explained(
            Text(
                "使ったリストで、いつからか分からない変更が見つかっているカードです。",
                "A card of which a list in use was seen changed, on a day that nobody has told.",
            ),
            Text(
                "日付が確かめられないので、変更前のまま判定しています。",
                "The day is not known, so the verdict goes by what stood before.",
            ),
            Text(
                "大会の前に公式の発表を確かめてください。リストが確かな日までなら、この警告は出ません。",
                "See the official announcement before a tournament. Up to the day through which the list is "
                "complete there is no such warning.",
            ),
        ),
        "empty-line": Explained(
            Text(
                "空行で分けたカードを、見出しがないので最初のゾーンに数えました。",
                "Cards below an empty line were counted in the first zone, for no heading says otherwise.",
            ),
            Text(
                "空行だけでは、別のゾーンの始まりか、ただの区切りか分かりません。",
                "An empty line alone doesn't tell whether another zone begins or the cards are only grouped.",
            ),
            Text(
                "別のゾーンなら、その見出しをカードの上に書いてください。区切りなら、このままで構いません。",
                "If another zone begins there, put its heading above the cards; else leave it as it is.",
            ),
        ),
        "moved-to-home-zone": Explained(
            Text(
                "見出しのないカードやフォーマットにない見出しのカードを、そのカードが置かれるはずの場所に数えました。",
                "A card under no heading, or under one that the format lacks, was counted in the zone where such cards belong.",
            ),
            Text(
                "見出しを書かないリストでも正しく数えるためです。どこに数えたかを知らせます。",
                "Lists without headings are to be counted right, and you are told where it went.",
            ),
            Text("場所の見出しの下に書いてください。", "Put it under its zone's heading."),
        ),
        "own-facts": Explained(
            Text(
                "付属の情報の代わりに、自分のカードのファイルの情報で判定しました。",
                "A card was judged by a file of your own, not by the bundled facts.",
            ),
            Text(
                "そのファイルがない人が調べると、結果が違うかもしれません。",
                "Whoever checks the same deck without that file may get another result.",
            ),
            Text(
                "付属の情報を使うなら、ファイルからそのカードを消してください。",
                "To go by the bundled facts, take the card out of the file.",
            ),
        ),
        "unused-suppression": Explained(
            Text(
                "無視するよう指定された規則が、そこでは見つかっていません。",
                "The list asks to ignore a rule of which nothing was found there.",
            ),
            Text(
                "残しておくと、あとで本当の違反まで隠してしまいます。",
                "Left in place, it would hide a real mistake some day.",
            ),
            Text(
                "その指定を消すか、指摘のある行の後ろに書いてください。",
                "Take it out, or put it at the end of the line that the finding is about.",
            ),
        ),
        "invalid-suppression": Explained(
            Text(
                "「# deckcheck:」の後ろが読み取れません。",
                "What follows “# deckcheck:” can't be understood.",
            ),
            Text(
                "指定したつもりの規則が、無視されないままになります。",
                "What somebody meant to be ignored is not ignored.",
            ),
            Text(
                "「# deckcheck: ignore[規則] 理由」か、リスト全体なら「# deckcheck: ignore-file[規則] 理由」と書いてください。",
                "Write “# deckcheck: ignore[RULE] reason”, or “# deckcheck: ignore-file[RULE] reason” for the "
                "whole list.",
            ),
        ),
    }
)
