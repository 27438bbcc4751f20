"""Every mistake in a format or a banlist is told with its place, and a broken format never half-works."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from factories.errors import problems_of
from factories.garden_game import GARDEN, Shelf, card, load

from deckcheck.support.documents import MOST_PROBLEMS
from deckcheck.support.errors import Problem

HEAD = "format: garden/x\nname: X\nzones: {main: {}, leader: {}}\n"
BASE = "format: garden/base\nname: B\nzones: {main: {}, leader: {}}\nrules: [{id: size, at_most: 60}]\n"
LIST = "banlist: garden/list\nname: L\n"


def rules(text: str) -> str:
    return f"{HEAD}rules:\n{text}"


LISTED = rules("- {id: a, at_most: 0, where: {status: out}}\n") + "banlists: [list.yaml]\n"
OUT = LIST + "cards:\n- card: Rose\n  history: [{from: 2020-01-01, status: out}]\n"


class Mistake(NamedTuple):
    """A file with one mistake; `at` is its line and column, in the banlist after "list"."""

    name: str
    text: str
    at: str
    en: str
    ja: str
    listed: str | None = None


# fmt: off
MISTAKES = [
    Mistake('a-tab', "format: garden/x\n\tname: X\n", '2:1', "not valid YAML: tabs can't be used for indentation: use spaces", 'YAMLとして読めません: 字下げにタブは使えません。空白を使ってください'),
    Mistake('a-key-twice', HEAD+"name: Y\n", '4:1', "'name' appears here twice", '「name」が二度あります'),
    Mistake('a-bracket-left-open', HEAD+"rules: [{id: a\n", '4:9', 'not valid YAML: a comma or the closing brace is missing', 'YAMLとして読めません: カンマか、閉じる波かっこがありません'),
    Mistake('a-character-that-begins-no-value', HEAD+"aliases: @x\n", '4:10', "not valid YAML: this character can't begin a value: put the value in quotes", 'YAMLとして読めません: この文字から値を始められません。値を引用符で囲んでください'),
    Mistake('a-bracket-too-many', HEAD+"rules: []]\n", '4:10', 'not valid YAML: there is a closing bracket too many', 'YAMLとして読めません: 閉じかっこが余っています'),
    Mistake('an-anchor', "format: &a garden/x\nname: *a\n", '1:9', "anchors and aliases (& and *) can't be used here (put quotes around a name)", 'アンカーと別名（&、*）は使えません（名前なら引用符で囲んでください）'),
    Mistake('two-documents', HEAD+"---\n"+HEAD, '5:1', 'one file holds one document', '1つのファイルに書けるのは1つの文書です'),
    Mistake('a-key-that-is-no-word', HEAD+"{a: b}: c\n", '4:1', 'a key must be a word', 'キーは文字列です'),
    Mistake('a-number-out-of-all-bounds', rules("- {id: a, at_most: "+"9"*5000+"}\n"), '5:20', 'the number is too large', '数が大きすぎます'),
    Mistake('nested-too-deeply', rules("- {id: a, where: "+"{not: "*45+"}"*45+"}\n"), '5:240', 'nested too deeply', '入れ子が深すぎます'),
    Mistake('a-number-in-quotes', rules("- {id: a, exactly: '30'}\n"), '5:11', "'30' is text: remove the quotes", '「30」は文字列です。引用符を外してください'),
    Mistake('a-number-in-full-width-digits', rules("- {id: a, exactly: ４０}\n"), '5:11', "'４０' is no number: write 40", '「４０」は数値ではありません。40と書いてください'),
    Mistake('a-number-in-quotes-in-a-condition', rules("- {id: a, at_most: 1, where: {cost: '3'}}\n"), '5:31', "'3' is text: remove the quotes", '「3」は文字列です。引用符を外してください'),
    Mistake('a-key-without-its-blank', "format: garden/x\nname:X\nzones: {main: {}}\n", '2:1', 'not valid YAML: a key needs a colon and a blank behind it', 'YAMLとして読めません: キーの後にはコロンと空白が必要です'),
    Mistake('a-misspelt-zone-that-a-rule-names', "format: garden/x\nname: X\nzones: {mian: {}}\nrules: [{id: a, at_most: 1, in: main}]\n", '3:9', "the game has no zone 'mian' (did you mean 'main'?)", '「mian」というゾーンはこのゲームにありません（「main」のことですか）'),
    Mistake('no-zones-and-a-rule-that-names-one', "format: garden/x\nname: X\nrules: [{id: a, at_most: 1, in: main}]\n", '1:1', 'there are no zones', 'zones が空です'),
    Mistake('a-misspelt-status', rules("- {id: a, at_most: 0, where: {status: ouut}}\n")+"banlists: [list.yaml]\n", '5:31', "there is no status 'ouut' (did you mean 'out'?)", '「ouut」という扱いはありません（「out」のことですか）', OUT),
    Mistake('a-bad-bound-beside-a-status-without-a-rule', rules("- {id: a, at_least: 3, at_most: 1}\n")+"banlists: [list.yaml]\n", '5:3', "at_least 3 is over at_most 1", '下限3が上限1を超えています', OUT),
    Mistake('a-colon-in-text', HEAD+"aliases: a: b\n", '4:11', "not valid YAML: a colon can't be used here: put the text in quotes", 'YAMLとして読めません: ここにコロンは書けません。文字列なら引用符で囲んでください'),
    Mistake('lines-that-do-not-align', HEAD+"rules:\n  - id: a\n   at_most: 1\n", '6:4', 'not valid YAML: this line is not indented like those before it', 'YAMLとして読めません: 字下げが前の行とそろっていません'),
    Mistake('a-quotation-mark-left-open', HEAD+"aliases: ['a]\n", '4:11', 'not valid YAML: a closing quotation mark is missing', 'YAMLとして読めません: 引用符が閉じていません'),
    Mistake('a-misspelt-game', "format: duel-master/x\nname: X\nzones: {main: {}}\nrules: [{id: a, at_most: 1}]\n", '1:1', "the line `game:` is missing, and 'duel-master' is no game (did you mean 'duel-masters'?)", 'game: の行がありません（「duel-master」というゲームはありません）（「duel-masters」のことですか）'),
    Mistake('an-empty-file', "", '1:1', 'this is empty; a mapping of keys to values is needed', '空です（キーと値の組が必要です）'),
    Mistake('a-list', "- a\n", '1:1', '[…] is not allowed here; a mapping of keys to values is needed', '「[…]」は使えません（キーと値の組が必要です）'),
    Mistake('no-name', "format: garden/x\n", '1:1', 'missing: name', '次のキーが必要です: name'),
    Mistake('an-unknown-key', HEAD+"rulez: []\n", '4:1', "unknown key 'rulez' (did you mean 'rules'?)", '「rulez」というキーはありません（「rules」のことですか）'),
    Mistake('an-unknown-key-of-a-rule', rules("- {id: a, at_mots: 3}\n"), '5:11', "unknown key 'at_mots' (did you mean 'at_most'?)", '「at_mots」というキーはありません（「at_most」のことですか）'),
    Mistake('an-unknown-severity', rules("- {id: a, at_most: 1, severity: eror}\n"), '5:23', "'eror' is not one of error, warning, info (did you mean 'error'?)", '「eror」は使えません（error、warning、infoのどれか）（「error」のことですか）'),
    Mistake('a-bound-that-is-no-number', rules("- {id: a, at_most: many}\n"), '5:11', 'many is not allowed here; a whole number or a mapping of keys to values is needed', '「many」は使えません（整数かキーと値の組が必要です）'),
    Mistake('a-bound-below-zero', rules("- {id: a, at_most: -1}\n"), '5:11', 'must be at least 0', '0以上で書きます'),
    Mistake('a-bound-without-end', rules("- {id: a, at_most: 99999999999}\n"), '5:11', 'must be at most 1000000', '1000000以下で書きます'),
    Mistake('a-bound-of-counts-without-counts', rules("- {id: a, at_most: {base: 1}}\n"), '5:11', 'missing: plus', '次のキーが必要です: plus'),
    Mistake('a-bound-that-adds-a-number', rules("- {id: a, at_most: {base: 1, plus: 2}}\n"), '5:30', '2 is not allowed here; a mapping of keys to values or a list is needed', '「2」は使えません（キーと値の組かリストが必要です）'),
    Mistake('a-bound-that-adds-nothing', rules("- {id: a, at_most: {plus: []}}\n"), '5:21', 'this is empty', '空です'),
    Mistake('a-count-in-a-bound-without-a-key', rules("- {id: a, at_most: {plus: [{in: main}, {}]}}\n"), '5:40', 'this is empty', '空です'),
    Mistake('a-step-of-nothing', rules("- {id: a, at_most: {plus: {in: main, step: 0}}}\n"), '5:38', 'must be at least 1', '1以上で書きます'),
    Mistake('a-count-in-a-bound-times-half', rules("- {id: a, at_most: {plus: {in: main, times: 0.5}}}\n"), '5:38', '0.5 is not allowed here; a whole number is needed', '「0.5」は使えません（整数が必要です）'),
    Mistake('a-rule-without-an-id', rules("- {at_most: 1}\n"), '5:3', 'missing: id', '次のキーが必要です: id'),
    Mistake('an-id-in-capitals', rules("- {id: Size, at_most: 1}\n"), '5:4', "'Size' is malformed (use lower-case letters, digits and hyphens)", '「Size」は書式が違います（小文字の英数字とハイフンで書きます）'),
    Mistake('an-empty-predicate', rules("- {id: a, at_most: 1, where: {}}\n"), '5:23', 'this is empty', '空です'),
    Mistake('an-empty-list-of-predicates', rules("- {id: a, at_most: 1, where: {any: []}}\n"), '5:31', 'this is empty', '空です'),
    Mistake('a-name-that-is-a-number', rules("- {id: a, at_most: 0, where: {name: 750}}\n"), '5:31', '750 is not allowed here; text or a list is needed', '「750」は使えません（文字列かリストが必要です）'),
    Mistake('two-loops-in-one', rules("- {id: a, at_most: 1, for_each: {colour: every, kind: [tree]}}\n"), '5:23', 'only one key is allowed here', 'キーは1つだけ書きます'),
    Mistake('a-loop-over-a-word', rules("- {id: a, at_most: 1, for_each: {colour: all}}\n"), '5:34', "'all' is not one of every", '「all」は使えません（everyのどれか）'),
    Mistake('one-side-only', rules("- {id: a, at_most: 1, sides: [{kind: tree}]}\n"), '5:23', 'at least 2 entries are needed', '2個以上必要です'),
    Mistake('a-text-in-one-language-only', rules("- {id: a, at_most: 1, message: {ja: あ}}\n"), '5:23', 'missing: en', '次のキーが必要です: en'),
    Mistake('a-date-written-otherwise', rules("- {id: a, at_most: 1, since: 2020/01/01}\n"), '5:23', "'2020/01/01' is malformed (write it like 2020-01-31)", '「2020/01/01」は書式が違います（2020-01-31 のように書きます）'),
    Mistake('a-number-that-begins-with-nought', rules("- {id: a, exactly: 040}\n"), '5:11', "'040' is no number: write 40", '「040」は数値ではありません。40と書いてください'),
    Mistake('a-number-given-twice', rules("- {id: a, exactly: [40, 40]}\n"), '5:25', "'40' is listed twice", '「40」が二度あります'),
    Mistake('a-name-without-letters', "format: garden/x\nname: ''\n", '2:1', 'this is empty', '空です'),
    Mistake('two-zones-of-one-name', "format: garden/x\nname: X\nzones: {main: {}, leader: {name: bed}}\nrules: [{id: a, at_most: 1}]\n", '3:28', "'leader' and 'main' have the same name", '「leader」と「main」の名前が同じです'),
    Mistake('a-list-of-another-game', rules("- {id: a, at_most: 0, where: {status: out}}\n")+"banlists: [magic/modern]\n", '6:12', "'magic/modern' is a list of another game", '「magic/modern」は別のゲームのリストです'),
    Mistake('rules-that-are-no-list', HEAD+"rules: {a: 1}\n", '4:1', '{…} is not allowed here; a list is needed', '「{…}」は使えません（リストが必要です）'),
    Mistake('an-id-used-twice', rules("- {id: a, at_most: 1}\n- {id: a, at_most: 2}\n"), '6:4', "the rule 'a' is given twice", '規則「a」が二度あります'),
    Mistake('a-hint-used-twice', rules("- {id: a, at_most: 1}\n")+"beside:\n- {id: b, names: [Pot], message: M}\n- {id: b, names: [Soil], message: M}\n", '8:4', "the rule 'b' is given twice", '規則「b」が二度あります'),
    Mistake('a-file-that-is-not-there', HEAD+"extends: nowhere.yaml\n", '4:1', "there is no file 'nowhere.yaml'", '「nowhere.yaml」というファイルはありません'),
    Mistake('a-format-that-is-not-there', HEAD+"extends: duel-masters/comander\n", '4:1', "there is no format 'duel-masters/comander' (did you mean DM Commander (duel-masters/commander)?)", '「duel-masters/comander」というフォーマットはありません（DMコマンダー（duel-masters/commander）のことですか）'),
    Mistake('an-ambiguous-nothing', HEAD+"extends: [base.yaml, \"a\\0b\"]\n", '4:22', "there is no format 'a\\x00b' (`deckcheck formats` lists them)", '「a\x00b」というフォーマットはありません（一覧は deckcheck formats）'),
    Mistake('a-game-that-is-not-there', "format: desert/x\nname: X\nzones: {main: {}}\nrules: [{id: a, at_most: 1}]\n", '1:1', "the line `game:` is missing, and 'desert' is no game (there are: duel-masters, magic, yugioh)", 'game: の行がありません（「desert」というゲームはありません）（書けるもの: duel-masters、magic、yugioh）'),
    Mistake('a-named-game-that-is-not-there', "format: garden/x\nname: X\ngame: desert\nzones: {main: {}}\nrules: [{id: a, at_most: 1}]\n", '3:1', 'no game desert (there are: duel-masters, magic, yugioh)', 'ありません（書けるもの: duel-masters、magic、yugioh）'),
    Mistake('no-rules', HEAD, '1:1', 'there are no rules', 'rules が空です'),
    Mistake('no-zones', "format: garden/x\nname: X\nrules: [{id: a, at_most: 1}]\n", '1:1', 'there are no zones', 'zones が空です'),
    Mistake('a-zone-that-the-game-has-not', "format: garden/x\nname: X\nzones: {main: {}, laeder: {}}\nrules: [{id: a, at_most: 1}]\n", '3:19', "the game has no zone 'laeder' (did you mean 'leader'?)", '「laeder」というゾーンはこのゲームにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone', rules("- {id: a, at_most: 1, in: [main, leeder]}\n"), '5:34', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('a-zone-of-the-game-that-is-not-played', rules("- {id: a, at_most: 1, in: side}\n"), '5:23', "this format has no zone 'side' (there are: main, leader)", '「side」というゾーンはこのフォーマットにありません（書けるもの: main、leader）'),
    Mistake('an-unknown-zone-in-when', rules("- {id: a, at_most: 1, when: {in: leeder}}\n"), '5:30', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-in-a-growing-bound', rules("- {id: a, at_most: {base: 1, plus: {in: leeder}}}\n"), '5:37', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colour: {of: leeder}}}\n"), '5:43', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-outside', rules("- {id: a, at_most: 1, where: {colour: {outside: leeder}}}\n"), '5:40', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-attribute', rules("- {id: a, at_most: 1, where: {color: red}}\n"), '5:31', "there is no attribute 'color' (did you mean 'colour'?)", '「color」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-deep-down', rules("- id: a\n  at_most: 1\n  where:\n    not:\n      any:\n        - kind: tree\n        - color: red\n"), '11:11', "there is no attribute 'color' (did you mean 'colour'?)", '「color」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-to-sum', rules("- {id: a, at_most: 1, count: {sum: cots}}\n"), '5:31', "there is no attribute 'cots' (did you mean 'cost'?)", '「cots」という属性はありません（「cost」のことですか）'),
    Mistake('an-unknown-attribute-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colours: every}}\n"), '5:34', "there is no attribute 'colours' (did you mean 'colour'?)", '「colours」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-of-other-cards', rules("- {id: a, at_most: 1, where: {no_other_card: {same: colours, where: {kind: tree}}}}\n"), '5:47', "there is no attribute 'colours' (did you mean 'colour'?)", '「colours」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-value', rules("- {id: a, at_most: 1, where: {colour: [red, gren]}}\n"), '5:45', "colour has no value 'gren' (values: red (Red), blue (Blue), green (Green))", '「gren」は色の値ではありません（書ける値: red（赤）、blue（青）、green（緑））'),
    Mistake('a-word-that-no-card-has', rules("- {id: a, at_most: 1, where: {kind: teee}}\n"), '5:31', "kind has no value 'teee' (values: fern, flower, great tree, tree)", '「teee」は種類の値ではありません（書ける値: fern、flower、great tree、tree）'),
    Mistake('a-text-that-no-word-contains', rules("- {id: a, at_most: 1, where: {kind: {containing: bush}}}\n"), '5:38', "no kind in the card table contains 'bush'", '「bush」を含む種類はカード表にありません'),
    Mistake('a-number-between-nothing', rules("- {id: a, at_most: 1, where: {cost: {at_least: 5, at_most: 3}}}\n"), '5:31', 'at_least 5 is over at_most 3', '下限5が上限3を超えています'),
    Mistake('an-unknown-value-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colour: [gren]}}\n"), '5:43', "colour has no value 'gren' (values: red (Red), blue (Blue), green (Green))", '「gren」は色の値ではありません（書ける値: red（赤）、blue（青）、green（緑））'),
    Mistake('an-unknown-rank', rules("- {id: a, at_most: 1, where: {rarity: {at_least: SRR}}}\n"), '5:40', "rarity has no value 'SRR' (values: C, U, R, SR, SSR, L)", '「SRR」は希少度の値ではありません（書ける値: C、U、R、SR、SSR、L）'),
    Mistake('an-unknown-home', rules("- {id: a, at_most: 1, where: {home: man}}\n"), '5:31', "home has no value 'man' (values: main (Bed), leader (Gardener), side (Glasshouse))", '「man」は置き場所の値ではありません（書ける値: main（花壇）、leader（庭師）、side（温室））'),
    Mistake('an-unknown-card', rules("- {id: a, at_most: 0, where: {name: [Rose, Irys]}}\n"), '5:44', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）'),
    Mistake('an-ambiguous-card', rules("- {id: a, at_most: 0, where: {name: Prune}}\n"), '5:31', "'Prune' may be any of Plum, Sour Plum", '「Prune」は《Plum》、《Sour Plum》のどれのことか決められません'),
    Mistake('an-unknown-status', rules("- {id: a, at_most: 0, where: {status: outt}}\n"), '5:31', "there is no status 'outt' (did you mean 'out'?)", '「outt」という扱いはありません（「out」のことですか）'),
    Mistake('an-attribute-that-resembles-none', rules("- {id: a, at_most: 1, where: {xyzzy: red}}\n"), '5:31', "there is no attribute 'xyzzy' (there are: all, any, not, ref, name, status, any_part, no_other_card, says, colour, kind, cost, rarity, home)", '「xyzzy」という属性はありません（書けるもの: all、any、not、ref、name、status、any_part、no_other_card、says、colour（色）、kind（種類）、cost（コスト）、rarity（希少度）、home（置き場所））'),
    Mistake('a-status-that-resembles-none', rules("- {id: a, at_most: 0, where: {status: xyzzy}}\n"), '5:31', "there is no status 'xyzzy' (there are: rare, pair, out)", '「xyzzy」という扱いはありません（書けるもの: rare、pair、out）'),
    Mistake('a-ref-that-resembles-none', rules("- {id: a, at_most: 0, where: {ref: xyzzy}}\n")+"definitions: {trees: {kind: tree}}\n", '5:31', "'xyzzy' is not defined (there are: trees)", '「xyzzy」は定義されていません（書けるもの: trees）'),
    Mistake('a-zone-that-resembles-none', "format: garden/x\nname: X\nzones: {xyzzy: {}}\nrules: [{id: a, at_most: 1}]\n", '3:9', "the game has no zone 'xyzzy' (there are: main, leader, side)", '「xyzzy」というゾーンはこのゲームにありません（書けるもの: main、leader、side）'),
    Mistake('an-unknown-status-of-combinations', rules("- {id: a, at_most: 1, sides: pear}\n"), '5:23', "there is no status 'pear' (did you mean 'pair'?)", '「pear」という扱いはありません（「pair」のことですか）'),
    Mistake('an-unknown-ref', rules("- {id: a, at_most: 0, where: {ref: tress}}\n")+"definitions: {trees: {kind: tree}}\n", '5:31', "'tress' is not defined (did you mean 'trees'?)", '「tress」は定義されていません（「trees」のことですか）'),
    Mistake('refs-in-a-circle', rules("- {id: a, at_most: 0, where: {ref: one}}\n")+"definitions:\n  one: {not: {ref: two}}\n  two: {any: [{ref: one}, {kind: tree}]}\n", '8:16', "the definition of 'one' refers to itself", '「one」の定義が輪になっています'),
    Mistake('a-definition-that-nobody-uses-and-that-is-wrong', rules("- {id: a, at_most: 1}\n")+"definitions: {trees: {kin: tree}}\n", '6:23', "there is no attribute 'kin' (did you mean 'kind'?)", '「kin」という属性はありません（「kind」のことですか）'),
    Mistake('each-outside-of-a-loop', rules("- {id: a, at_most: 1, where: {colour: $each}}\n"), '5:31', "$each needs a for_each over 'colour'", '$each は for_each: {colour: …} の中だけで使えます'),
    Mistake('each-of-another-attribute', rules("- {id: a, at_most: 1, for_each: {colour: every}, where: {kind: $each}}\n"), '5:58', "$each needs a for_each over 'kind'", '$each は for_each: {kind: …} の中だけで使えます'),
    Mistake('each-where-no-loop-reaches', rules("- {id: a, at_most: 1, for_each: {colour: every}, when: {where: {colour: $each}}}\n"), '5:65', '$each has no meaning inside when', '$each は when の中では使えません'),
    Mistake('outside-where-no-deck-is-asked', rules("- {id: a, at_most: 1, sides: [{colour: {outside: leader}}, {kind: tree}]}\n"), '5:41', 'outside has no meaning inside sides', 'outside は sides の中では使えません'),
    Mistake('other-cards-in-other-cards', rules("- {id: a, at_most: 0, where: {no_other_card: {same: colour, where: {no_other_card: {same: cost, where: {kind: tree}}}}}}\n"), '5:69', "no_other_card can't be used inside another", 'no_other_card は入れ子にできません'),
    Mistake('other-cards-of-the-same-rank', rules("- {id: a, at_most: 0, where: {no_other_card: {same: rarity, where: {kind: tree}}}}\n"), '5:47', "cards can't be compared by rarity (there are: colour, kind, cost)", '希少度は比べられません（書けるもの: colour、kind、cost）'),
    Mistake('a-rank-without-a-comparison', rules("- {id: a, at_most: 0, where: {rarity: SR}}\n"), '5:31', 'compare a rank with at_least or at_most', 'at_least か at_most を使ってください'),
    Mistake('a-word-compared-like-a-number', rules("- {id: a, at_most: 0, where: {colour: {at_least: red}}}\n"), '5:40', "colour can't be compared with 'at_least' (there are: containing, outside, naming)", '色に「at_least」は使えません（書けるもの: containing、outside、naming）'),
    Mistake('a-number-searched-like-a-word', rules("- {id: a, at_most: 0, where: {cost: {containing: '1'}}}\n"), '5:38', "cost can't be compared with 'containing' (there are: at_least, at_most)", 'コストに「containing」は使えません（書けるもの: at_least、at_most）'),
    Mistake('a-home-compared', rules("- {id: a, at_most: 0, where: {home: {outside: leader}}}\n"), '5:38', "home can't be compared with 'outside'", '置き場所に「outside」は使えません'),
    Mistake('a-word-for-a-number', rules("- {id: a, at_most: 0, where: {cost: high}}\n"), '5:31', "'high' is not a number", '「high」は数ではありません'),
    Mistake('a-number-for-a-word', rules("- {id: a, at_most: 0, where: {kind: 5}}\n"), '5:31', 'the values of kind are words: put 5 in quotes', '種類の値は文字列です（「5」を引用符で囲んでください）'),
    Mistake('a-loop-over-values-that-are-not-listed', rules("- {id: a, at_most: 1, for_each: {kind: every}}\n"), '5:34', "the values of 'kind' are not listed", '「kind」の値は一覧になっていません'),
    Mistake('a-loop-over-numbers', rules("- {id: a, at_most: 1, for_each: {cost: {of: leader}}}\n"), '5:34', "'cost' has no values to go through (there are: colour, kind)", '「cost」の値ごとには調べられません（書けるもの: colour、kind）'),
    Mistake('a-sum-of-words', rules("- {id: a, at_most: 1, count: {sum: colour}}\n"), '5:23', 'only numbers can be added up (there are: cost)', '数の属性だけを合計できます（書けるもの: cost）'),
    Mistake('predicates-that-write-one-another-out', rules("- {id: a, at_most: 0, where: {ref: d0}}\n")+"definitions:\n"+"".join(f"  d{i}: {{any: [{{ref: d{i+1}}}, {{ref: d{i+1}}}]}}\n" for i in range(16))+"  d16: {kind: tree}\n", '22:27', 'the conditions are too large or nested too deeply', '条件が大きすぎるか深すぎます'),
    Mistake('a-long-chain-of-refs', rules("- {id: a, at_most: 0, where: {ref: d0}}\n")+"definitions:\n"+"".join(f"  d{i}: {{ref: d{i+1}}}\n" for i in range(60))+"  d60: {kind: tree}\n", '56:3', 'the conditions are too large or nested too deeply', '条件が大きすぎるか深すぎます'),
    Mistake('no-bound', rules("- {id: a, in: main}\n"), '5:3', 'one of at_most, at_least and exactly is needed', 'at_most・at_least・exactly のどれかが必要です'),
    Mistake('exactly-and-another-bound', rules("- {id: a, exactly: 3, at_most: 4}\n"), '5:3', "'exactly' and 'at_most' don't go together", 'exactly と at_most は一緒に使えません'),
    Mistake('a-set-and-another-bound', rules("- {id: a, exactly: [3, 5], at_most: 4}\n"), '5:3', "'exactly' and 'at_most' don't go together", 'exactly と at_most は一緒に使えません'),
    Mistake('least-over-most', rules("- {id: a, at_least: 5, at_most: 4}\n"), '5:3', 'at_least 5 is over at_most 4', '下限5が上限4を超えています'),
    Mistake('copies-of-no-names', rules("- {id: a, at_least: 1, having: {at_least: 2}}\n"), '5:3', "'having' needs 'count: names'", 'having は count: names と一緒に使います'),
    Mistake('at-least-nothing', rules("- {id: a, at_least: 0}\n"), '5:3', 'no count is below 0, so at_least 0 has no effect', '数えた結果が0より小さくなることはないので、at_least: 0 には効果がありません'),
    Mistake('a-name-with-at-least-no-copies', rules("- {id: a, at_most: 1, count: names, having: {at_least: 0}}\n"), '5:3', 'no count is below 0, so at_least 0 has no effect', '数えた結果が0より小さくなることはないので、at_least: 0 には効果がありません'),
    Mistake('at-most-all-sides', rules("- {id: a, at_most: 2, sides: [{kind: tree}, {kind: fern}]}\n"), '5:3', 'there are only 2 sides, so this has no effect', '側は2つしかないので、効果がありません'),
    Mistake('a-definition-that-nobody-uses', rules("- {id: a, at_most: 1}\n")+"definitions: {trees: {kind: tree}}\n", '6:15', "no rule uses 'trees', so it has no effect", '「trees」を使う規則がないので、効果がありません'),
    Mistake('a-bound-that-is-yes', rules("- {id: a, at_most: yes}\n"), '5:11', 'true is not allowed here; a whole number or a mapping of keys to values is needed', '「true」は使えません（整数かキーと値の組が必要です）'),
    Mistake('least-copies-over-most', rules("- {id: a, at_least: 1, count: names, having: {at_least: 4, at_most: 2}}\n"), '5:3', 'at_least 4 is over at_most 2', '下限4が上限2を超えています'),
    Mistake('sides-with-a-count', rules("- {id: a, at_most: 1, count: names, sides: [{kind: tree}, {kind: fern}]}\n"), '5:3', "'sides' and 'count' don't go together", 'sides と count は一緒に使えません'),
    Mistake('sides-with-where', rules("- {id: a, at_most: 1, sides: [{kind: tree}, {kind: fern}], where: {cost: 1}}\n"), '5:3', "'sides' and 'where' don't go together", 'sides と where は一緒に使えません'),
    Mistake('groups-of-names', rules("- {id: a, at_most: 1, count: names, per: name}\n"), '5:3', "'per' and 'count' don't go together", 'per と count は一緒に使えません'),
    Mistake('two-loops', rules("- {id: a, at_most: 1, for_each: {colour: every}, for_some: {colour: every}}\n"), '5:3', "'for_each' and 'for_some' don't go together", 'for_each と for_some は一緒に使えません'),
    Mistake('since-after-until', rules("- {id: a, at_most: 1, since: 2020-02-01, until: 2020-01-01}\n"), '5:3', 'since is after until', 'since が until より後です'),
    Mistake('a-clause-that-makes-no-sense', rules("- id: a\n  exactly: 1\n  clauses:\n    - {in: main}\n    - {in: leader, at_most: 1}\n"), '9:7', "'exactly' and 'at_most' don't go together", 'exactly と at_most は一緒に使えません'),
    Mistake('a-day-that-is-none', rules("- {id: a, at_most: 1, since: 2021-02-29}\n"), '5:23', "“2021-02-29” is not a valid date", '「2021-02-29」という日はありません'),
    Mistake('an-unknown-field', rules("- {id: a, at_most: 1, message: '{crad}が多い'}\n"), '5:23', "there is no field {crad} (did you mean 'card'?)", '「{crad}」という欄はありません（「card」のことですか）'),
    Mistake('a-field-without-a-name', rules("- {id: a, at_most: 1, message: {ja: '{}', en: x}}\n"), '5:23', 'there is no field {} (there are: card, found, allowed, zone, each)', '「{}」という欄はありません（書けるもの: card、found、allowed、zone、each）'),
    Mistake('a-brace-left-open', rules("- {id: a, at_most: 1, message: '{card'}\n"), '5:23', "the braces don't match", '波括弧の対応が取れていません'),
    Mistake('a-field-with-a-format', rules("- {id: a, at_most: 1, message: '{found:d}'}\n"), '5:23', '{found} takes no formatting', '{found} に書式は付けられません'),
    Mistake('a-field-that-looks-inside', rules("- {id: a, at_most: 1, message: '{card.__class__}'}\n"), '5:23', "there is no field {card.__class__} (did you mean 'card'?)", '「{card.__class__}」という欄はありません（「card」のことですか）'),
    Mistake('a-source-of-no-day', rules("- {id: a, at_most: 1}\n")+"source: {title: T, edition: '1', date: 2020-13-01}\n", '6:34', "“2020-13-01” is not a valid date", '「2020-13-01」という日はありません'),
    Mistake('editions-out-of-order', rules("- {id: a, at_most: 1}\n")+"source:\n  title: T\n  editions:\n    - {edition: '2', date: 2020-02-02}\n    - {edition: '1', date: 2020-01-01}\n", '10:22', 'the dates are not in order', '日付が古い順に並んでいません'),
    Mistake('a-list-that-is-not-there', HEAD+"banlists: [lits.yaml]\nrules: [{id: a, at_most: 1}]\n", '4:12', "there is no banlist 'lits.yaml'", '「lits.yaml」というリストはありません'),
    Mistake('a-bundled-list-that-is-not-there', HEAD+"banlists: [duel-masters/hall-of-fam]\nrules: [{id: a, at_most: 1}]\n", '4:12', "there is no banlist 'duel-masters/hall-of-fam' (did you mean 'duel-masters/hall-of-fame'?)", '「duel-masters/hall-of-fam」というリストはありません（「duel-masters/hall-of-fame」のことですか）'),
    Mistake('a-status-that-no-rule-looks-at', rules("- {id: a, at_most: 1}\n")+"banlists: [list.yaml]\n", '6:12', "no rule looks at the status 'out' of cards in 'list.yaml', so it has no effect", '「list.yaml」には「out」のカードがありますが、それを見る規則がないので効果がありません', LIST+"cards:\n- card: Rose\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('a-status-that-no-list-gives', rules("- {id: a, at_most: 0, where: {status: out}}\n"), '5:31', "no banlist gives cards the status 'out'", 'カードを「out」にするリストが banlists にありません'),
    Mistake('list-unknown-key', LISTED, 'list 3:1', "unknown key 'card' (did you mean 'cards'?)", '「card」というキーはありません（「cards」のことですか）', LIST+"card: []\n"),
    Mistake('list-that-is-empty', LISTED, 'list 1:1', 'this is empty; a mapping of keys to values is needed', '空です（キーと値の組が必要です）', ""),
    Mistake('list-unknown-card', LISTED, 'list 4:3', "there is no card 'Rouse' (did you mean 'Rose'?)", '「Rouse」というカードはありません（「Rose」のことですか）', LIST+"cards:\n- card: Rouse\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-card-twice', LISTED, 'list 6:3', "'Rose' is listed twice", '「Rose」が二度あります', LIST+"cards:\n- card: Rose\n  history: [{from: 2020-01-01, status: out}]\n- card: rose\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-unknown-status', LISTED, 'list 7:26', "there is no status 'fre' (did you mean 'free'?)", '「fre」という扱いはありません（「free」のことですか）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: out}\n    - {from: 2021-01-01, status: fre}\n"),
    Mistake('list-no-such-day', LISTED, 'list 6:8', "“2020-02-30” is not a valid date", '「2020-02-30」という日はありません', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-02-30, status: out}\n"),
    Mistake('list-out-of-order', LISTED, 'list 7:8', 'the dates are not in order', '日付が古い順に並んでいません', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-02-01, status: out}\n    - {from: 2020-01-01, status: free}\n"),
    Mistake('list-change-without-effect', LISTED, 'list 7:26', "this change has no effect (it is 'out' before that day already)", 'この変更には効果がありません（その前から「out」です）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: out}\n    - {from: 2021-01-01, status: out}\n"),
    Mistake('list-freed-before-it-was-listed', LISTED, 'list 6:26', "this change has no effect (it is 'free' before that day already)", 'この変更には効果がありません（その前から「free」です）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: free}\n    - {from: 2021-01-01, status: out}\n"),
    Mistake('list-combination-of-an-unknown-card', LISTED.replace('banlists', '- {id: b, sides: out, at_most: 1}\nbanlists'), 'list 5:20', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\ncombinations:\n- sides: [[Rose], [Irys]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-pair-among-cards', LISTED.replace('status: out', 'status: rare'), '6:12', "no rule looks at the status 'out' of combinations in 'list.yaml', so it has no effect", '「list.yaml」には「out」の組み合わせがありますが、それを見る規則がないので効果がありません', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: rare}]}]\ncombinations:\n- sides: [[Rose], [Iris]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-combination-of-a-card-with-itself', LISTED.replace('banlists', '- {id: b, sides: out, at_most: 1}\nbanlists'), 'list 5:3', 'one card is on two sides', '同じカードが両方の側にあります', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\ncombinations:\n- sides: [[Rose], [Iris, Rose]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('an-id-of-the-engine', rules("- {id: unknown-card, at_most: 1}\n"), '5:4', "'unknown-card' is the id of a built-in finding", '「unknown-card」はdeckcheck自身が使うIDです'),
    Mistake('a-banlist-twice', LISTED.replace('[list.yaml]', '[list.yaml, list.yaml]'), '6:23', "'list.yaml' is listed twice", '「list.yaml」が二度あります', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\n"),
    Mistake('list-combination-of-one-side', LISTED, 'list 4:3', 'at least 2 entries are needed', '2個以上必要です', LIST+"combinations:\n- sides: [[Rose]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-complete-through-no-day', LISTED, 'list 4:1', "“2020-02-31” is not a valid date", '「2020-02-31」という日はありません', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\ncomplete_through: 2020-02-31\n"),
    Mistake('list-unconfirmed-unknown-card', LISTED, 'list 4:47', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nunconfirmed: {seen_by: 2020-02-03, changes: [{card: Irys, from: free, to: out}]}\n"),
    Mistake('list-unconfirmed-unknown-status', LISTED, 'list 4:59', "there is no status 'fre' (did you mean 'free'?)", '「fre」という扱いはありません（「free」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nunconfirmed: {seen_by: 2020-02-03, changes: [{card: Iris, from: fre, to: out}]}\n"),
    Mistake('list-source-of-no-day', LISTED, 'list 4:20', "“2020-02-31” is not a valid date", '「2020-02-31」という日はありません', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nsource: {title: T, date: 2020-02-31}\n"),
    Mistake('list-partial-of-no-truth', LISTED, 'list 3:1', "yes is not allowed here; true or false is needed", '「yes」は使えません（true か false が必要です）', LIST+"partial: 'yes'\ncards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\n"),
    Mistake('list-complete-from-no-day', LISTED, 'list 3:1', "“2026-02-30” is not a valid date", '「2026-02-30」という日はありません', LIST+"complete_from: 2026-02-30\ncards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\n"),
    Mistake('exchange-with-no-such-zone', rules("- {id: a, at_most: 9}\n")+"exchange: [main, mian]\n", '6:18', "this format has no zone 'mian' (did you mean 'main'?)", '「mian」というゾーンはこのフォーマットにありません（「main」のことですか）'),
    Mistake('exchange-with-itself', rules("- {id: a, at_most: 9}\n")+"exchange: [main, main]\n", '6:18', "'main' is listed twice", '「main」が二度あります'),
    Mistake('exchange-with-nothing', rules("- {id: a, at_most: 9}\n")+"exchange: [main]\n", '6:1', 'at least 2 entries are needed', '2個以上必要です'),
    Mistake('a-loop-that-nothing-looks-at', rules("- {id: a, for_each: {colour: every}, where: {kind: tree}, at_most: 3}\n"), '5:3', 'there is no $each in where, so for_each has no effect', 'where に $each がないので、for_each に効果がありません'),
    Mistake('a-loop-for-some-that-nothing-looks-at', rules("- {id: a, for_some: {colour: {of: leader}}, at_most: 3}\n"), '5:3', 'there is no $each in where, so for_some has no effect', 'where に $each がないので、for_some に効果がありません'),
    Mistake('a-loop-over-nothing', rules("- {id: a, for_each: {colour: []}, where: {colour: $each}, at_most: 3}\n"), '5:22', '[…] is not allowed here', '「[…]」は使えません'),
    Mistake('one-of-nothing', rules("- {id: a, exactly: []}\n"), '5:11', 'this is empty', '空です'),
    Mistake('no-zones-at-all', rules("- {id: a, in: [], at_most: 3}\n"), '5:11', 'this is empty', '空です'),
    Mistake('no-value-at-all', rules("- {id: a, where: {colour: []}, at_most: 3}\n"), '5:19', 'this is empty', '空です'),
    Mistake('a-zone-twice', rules("- {id: a, in: [main, main], at_most: 3}\n"), '5:22', "'main' is listed twice", '「main」が二度あります'),
    Mistake('a-sum-of-words-in-a-bound', rules("- {id: a, at_most: {plus: {in: main, count: {sum: kind}}}}\n"), '5:38', 'only numbers can be added up (there are: cost)', '数の属性だけを合計できます（書けるもの: cost）'),
    Mistake('a-range-of-copies-in-a-bound', rules("- {id: a, at_most: {plus: {in: main, having: {at_least: 2}}}}\n"), '5:21', "'having' needs 'count: names'", 'having は count: names と一緒に使います'),
    Mistake('a-condition-that-never-holds', rules("- {id: a, at_most: 1, when: {in: main, at_least: 3, at_most: 2}}\n"), '5:3', 'at_least 3 is over at_most 2', '下限3が上限2を超えています'),
    Mistake('each-in-a-bound-without-a-loop', rules("- {id: a, at_most: {plus: {in: main, where: {colour: $each}}}}\n"), '5:46', "$each needs a for_each over 'colour'", '$each は for_each: {colour: …} の中だけで使えます'),
    Mistake('more-sides-than-there-are', rules("- {id: a, sides: [{kind: tree}, {kind: flower}], at_least: 3}\n"), '5:3', 'there are only 2 sides, so no deck can keep this', '側は2つしかないので、守れません'),
    Mistake('words-that-say-nothing', rules("- {id: a, at_most: 1, says: ' '}\n"), '5:23', 'this is empty', '空です'),
    Mistake('words-of-two-lines', rules("- {id: a, at_most: 1, where: {kind: tree, says: {ja: 木の, en: \"are\\ntrees\"}}}\n"), '5:43', 'this takes one line of text', 'ここには1行の文を書きます'),
    Mistake('words-without-a-condition', rules("- {id: a, at_most: 0, where: {says: trees}}\n"), '5:23', 'a condition is needed beside says', 'says の横に条件が必要です'),
    Mistake('several-ways-without-a-message', rules("- {id: a, either: [{at_most: 1}, {where: {kind: tree}, exactly: 2}]}\n"), '5:3', 'either needs a message', 'either には message が必要です'),
    Mistake('a-bound-beside-several-ways', rules("- {id: a, at_least: 1, message: m, either: [{at_most: 1}, {where: {kind: tree}, exactly: 2}]}\n"), '5:3', "'either' and 'at_least' don't go together", 'either と at_least は一緒に使えません'),
    Mistake('a-loop-beside-several-ways', rules("- {id: a, for_each: {colour: every}, message: m, either: [{at_most: 1, where: {colour: $each}}, {where: {kind: tree, colour: $each}, exactly: 2}]}\n"), '5:3', "'either' and 'for_each' don't go together", 'either と for_each は一緒に使えません'),
    Mistake('a-way-without-a-bound', rules("- {id: a, message: m, either: [{at_most: 1}, {where: {kind: tree}}]}\n"), '5:46', 'one of at_most, at_least and exactly is needed', 'at_most・at_least・exactly のどれかが必要です'),
    Mistake('a-condition-under-or', rules("- {id: a, at_most: 0, where: {or: [{kind: tree}]}}\n"), '5:36', "{…} is not allowed here; text or a number is needed (several conditions go under `all` or `any`)", '「{…}」は使えません（文字列か数が必要です）（条件を並べるなら all（すべて）か any（どれか）の下に書きます）'),
    Mistake('a-value-under-or', rules("- {id: a, at_most: 0, where: {kind: {or: [tree]}}}\n"), '5:38', "unknown key 'or' (there are: at_least, at_most, containing, outside, naming)", '「or」というキーはありません（書けるもの: at_least、at_most、containing、outside、naming）'),
    Mistake('naming-in-no-zone', rules("- {id: a, at_most: 0, where: {kind: {naming: leadr}}}\n"), '5:38', "this format has no zone 'leadr' (did you mean 'leader'?)", '「leadr」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('naming-by-a-number', rules("- {id: a, at_most: 0, where: {cost: {naming: leader}}}\n"), '5:38', "cost can't be compared with 'naming' (there are: at_least, at_most)", 'コストに「naming」は使えません（書けるもの: at_least、at_most）'),
    Mistake('several-ways-with-one-number', rules("- {id: a, message: 'only {allowed}', either: [{at_most: 1}, {where: {kind: tree}, exactly: 2}]}\n"), '5:3', "the message of either can't use {found} or {allowed}: they differ from count to count", 'either の message に {found} と {allowed} は使えません（数え方によって違うため）'),
    Mistake('a-filter-of-no-names', rules("- {id: a, per: name, having: {at_least: 2}, at_most: 3}\n"), '5:3', "'having' needs 'count: names'", 'having は count: names と一緒に使います'),
]
# fmt: on
CARDS = Shelf([*GARDEN, card("Sour Plum", aliases=["Prune"])])


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.name for one in MISTAKES])
def test_a_mistake_is_told_with_its_place(mistake: Mistake, tmp_path: Path) -> None:
    problems = mistakes_in(mistake.text, tmp_path, mistake.listed)
    assert len(problems) == 1
    [problem] = problems
    listed, _, place = mistake.at.rpartition(" ")
    path = str(tmp_path / ("list.yaml" if listed else "x.yaml"))
    assert problem.in_("en") == f"{path}:{place}: {mistake.en}"
    assert problem.in_("ja") == f"{path}:{place}: {mistake.ja}"
    lines = (mistake.listed if listed else mistake.text or "").splitlines()
    assert problem.excerpt == (
        lines[problem.line - 1] if problem.line and lines[problem.line - 1 :] else None
    )


def mistakes_in(text: str | bytes, folder: Path, listed: str | None = None) -> tuple[Problem, ...]:
    (folder / "base.yaml").write_text(BASE)
    if listed is not None:
        (folder / "list.yaml").write_text(listed)
    file = folder / "x.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return problems_of(load, file, CARDS)


def test_the_files_around_the_mistakes_are_right(tmp_path: Path) -> None:
    """So that each file above fails for its one mistake only."""
    (tmp_path / "list.yaml").write_text(
        f"{LIST}cards:\n- card: Rose\n  history: [{{from: 2020-01-01, status: out}}]\n"
    )
    (tmp_path / "base.yaml").write_text(BASE)
    for text in (LISTED, BASE, rules("- {id: a, at_most: 3}\n"), f"{HEAD}extends: base.yaml\ndrop: [size]\nrules: [{{id: a, at_most: 1}}]\n"):  # fmt: skip
        (tmp_path / "x.yaml").write_text(text)
        assert load(tmp_path / "x.yaml", CARDS).format.rules


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = rules("- {id: a, at_most: 1, in: mian}\n- {id: b, at_least: 3, at_most: 2}\n- {id: c, at_most: 1, where: {kolour: red}}\n")  # fmt: skip
    problems = mistakes_in(text, tmp_path)
    assert [problem.line for problem in problems] == [5, 6, 7]
    shape = mistakes_in(f"{HEAD}rulez: 1\nbanlits: 1\nnaem: 2\n", tmp_path)
    assert [problem.line for problem in shape] == [4, 5, 6]


def test_no_more_mistakes_are_told_than_anyone_reads(tmp_path: Path) -> None:
    names = ", ".join(f"Nobody {at}" for at in range(500))
    assert (
        len(mistakes_in(rules(f"- {{id: a, at_most: 0, where: {{name: [{names}]}}}}\n"), tmp_path))
        == MOST_PROBLEMS
    )
    keys = "".join(f"key{at}: 1\n" for at in range(500))
    assert len(mistakes_in(HEAD + keys, tmp_path)) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("content", "place", "en", "ja"),
    [
        (b"format: garden/x\nname: \xff\n", (2, None), "not UTF-8", "UTF-8ではありません"),
        (b"format: garden/x\0\n", (1, 17), "not valid YAML: a character that is not allowed there", "YAMLとして読めません: 使えない文字があります"),
        (b"# \n" * 2_000_000, (None, None), "too large (at most 4,194,304 bytes)", "大きすぎます（4,194,304バイトまで）"),
        (b"- a\n" * 250_000, (200_001, 3), "too many values", "値が多すぎます"),
        *((opening * 100_000, None, "nested too deeply", "入れ子が深すぎます") for opening in (b"[", b"{a: ", b"- ", b"? ")),
    ],
    ids=["bytes", "characters", "size", "values", "lists", "maps", "items", "keys"],
)  # fmt: skip
def test_hostile_files(
    content: bytes, place: tuple[int | None, int | None] | None, en: str, ja: str, tmp_path: Path
) -> None:
    [problem] = mistakes_in(content, tmp_path)
    assert place is None or (problem.line, problem.column) == place
    assert (problem.message.en, problem.message.ja) == (en, ja)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"\xef\xbb\xbf" + rules("- {id: a, at_most: 3}\n").encode())
    assert load(tmp_path / "x.yaml").format.id == "garden/x"


@pytest.mark.parametrize("key", ["extends", "banlists"])
@pytest.mark.parametrize(
    "name", ["a\\0b", "a\\0b.yaml", "a" * 5000, "a" * 5000 + ".yaml", ".", "..", "../../x", "/"]
)
def test_names_that_no_file_can_have(key: str, name: str, tmp_path: Path) -> None:
    [problem] = mistakes_in(rules("- {id: a, at_most: 3}\n") + f'{key}: ["{name}"]\n', tmp_path)
    assert (problem.line, problem.column) == (6, len(key) + 4)


def test_a_mistake_in_an_extended_file_is_told_there(tmp_path: Path) -> None:
    (tmp_path / "base2.yaml").write_text(BASE.replace("at_most: 60", "at_most: 60, in: mian"))
    [problem] = mistakes_in("format: garden/x\nname: X\nextends: base2.yaml\n", tmp_path)
    assert problem.in_("en").startswith(f"{tmp_path}/base2.yaml:4:")
