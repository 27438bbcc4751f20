"""One small file a mistake, with the sentences that its author reads."""

from __future__ import annotations

from typing import NamedTuple

HEAD = "format: garden/x\nname: X\nzones: {main: {}, leader: {}}\n"
BASE = "format: garden/base\nname: B\nzones: {main: {}, leader: {}}\nrules: [{id: size, at_most: 60}]\n"
LIST = "banlist: garden/list\nname: L\n"


def rules(text: str) -> str:
    return f"{HEAD}rules:\n{text}"


LISTED = rules("- {id: a, at_most: 0, where: {status: out}}\n") + "banlists: [list.yaml]\n"


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
    Mistake('a-tab', "format: garden/x\n\tname: X\n", '2:1', 'not valid YAML: found a tab character that violates indentation', 'YAMLとして読めません: found a tab character that violates indentation'),
    Mistake('a-key-twice', HEAD+"name: Y\n", '4:1', "'name' stands here twice", '「name」が二度あります'),
    Mistake('a-bracket-left-open', HEAD+"rules: [{id: a\n", '5:1', "not valid YAML: did not find expected ',' or '}'", "YAMLとして読めません: did not find expected ',' or '}'"),
    Mistake('an-anchor', "format: &a garden/x\nname: *a\n", '1:9', 'anchors and aliases are not allowed', 'アンカーと別名は使えません'),
    Mistake('an-alias-only', "format: garden/x\nname: *a\n", '2:7', 'anchors and aliases are not allowed', 'アンカーと別名は使えません'),
    Mistake('two-documents', HEAD+"---\n"+HEAD, '4:1', 'not valid YAML: but found another document', 'YAMLとして読めません: but found another document'),
    Mistake('a-key-that-is-no-word', HEAD+"{a: b}: c\n", '4:1', 'a key must be a word', 'キーは文字列です'),
    Mistake('a-number-out-of-all-bounds', rules("- {id: a, at_most: "+"9"*5000+"}\n"), '5:20', 'the number is too large', '数が大きすぎます'),
    Mistake('nested-too-deeply', rules("- {id: a, where: "+"{not: "*45+"}"*45+"}\n"), '5:240', 'nested too deeply', '入れ子が深すぎます'),
    Mistake('an-empty-file', "", '1:1', 'this is empty; a mapping of keys to values is needed', '空です（キーと値の組が必要です）'),
    Mistake('a-list', "- a\n", '1:1', "[…] can't stand here; a mapping of keys to values is needed", '「[…]」は使えません（キーと値の組が必要です）'),
    Mistake('a-word', "hello\n", '1:1', "hello can't stand here; a mapping of keys to values is needed", '「hello」は使えません（キーと値の組が必要です）'),
    Mistake('no-name', "format: garden/x\n", '1:1', "'name' is missing", '「name」が必要です'),
    Mistake('an-unknown-key', HEAD+"rulez: []\n", '4:1', "unknown key 'rulez' (did you mean 'rules'?)", '「rulez」というキーはありません（「rules」のことですか）'),
    Mistake('an-unknown-key-of-a-rule', rules("- {id: a, at_mots: 3}\n"), '5:11', "unknown key 'at_mots' (did you mean 'at_most'?)", '「at_mots」というキーはありません（「at_most」のことですか）'),
    Mistake('an-unknown-key-of-a-clause', rules("- id: a\n  at_most: 3\n  clauses:\n    - {wher: {kind: tree}}\n"), '8:8', "unknown key 'wher' (did you mean 'where'?)", '「wher」というキーはありません（「where」のことですか）'),
    Mistake('an-unknown-severity', rules("- {id: a, at_most: 1, severity: eror}\n"), '5:23', "'eror' is none of error, warning, info (did you mean 'error'?)", '「eror」は使えません（error, warning, info のどれか）（「error」のことですか）'),
    Mistake('an-unknown-count', rules("- {id: a, at_most: 1, count: name}\n"), '5:23', "'name' is none of copies, names, sides (did you mean 'names'?)", '「name」は使えません（copies, names, sides のどれか）（「names」のことですか）'),
    Mistake('a-bound-that-is-no-number', rules("- {id: a, at_most: many}\n"), '5:11', "many can't stand here; a whole number or a mapping of keys to values is needed", '「many」は使えません（整数かキーと値の組が必要です）'),
    Mistake('a-bound-below-zero', rules("- {id: a, at_most: -1}\n"), '5:11', 'must be at least 0', '0以上で書きます'),
    Mistake('a-bound-without-end', rules("- {id: a, at_most: 99999999999}\n"), '5:11', 'must be at most 1000000', '1000000以下で書きます'),
    Mistake('a-growing-bound-without-a-base', rules("- {id: a, at_most: {plus: 1, for_each_copy: {in: main}}}\n"), '5:11', "'base' is missing", '「base」が必要です'),
    Mistake('a-rule-without-an-id', rules("- {at_most: 1}\n"), '5:3', "'id' is missing", '「id」が必要です'),
    Mistake('an-id-in-capitals', rules("- {id: Size, at_most: 1}\n"), '5:4', "'Size' is not written as it must be (written in lower-case letters, digits and hyphens)", '「Size」は書式が違います（小文字の英数字とハイフンで書きます）'),
    Mistake('an-empty-predicate', rules("- {id: a, at_most: 1, where: {}}\n"), '5:23', 'this is empty', '空です'),
    Mistake('an-empty-list-of-predicates', rules("- {id: a, at_most: 1, where: {any: []}}\n"), '5:31', 'this is empty', '空です'),
    Mistake('a-name-that-is-a-number', rules("- {id: a, at_most: 0, where: {name: 750}}\n"), '5:31', "750 can't stand here; text or a list is needed", '「750」は使えません（文字列かリストが必要です）'),
    Mistake('two-loops-in-one', rules("- {id: a, at_most: 1, for_each: {colour: every, kind: [tree]}}\n"), '5:23', 'only one can stand here', '一つだけ書きます'),
    Mistake('a-loop-over-a-word', rules("- {id: a, at_most: 1, for_each: {colour: all}}\n"), '5:34', "'all' is none of every", '「all」は使えません（every のどれか）'),
    Mistake('one-side-only', rules("- {id: a, at_most: 1, count: sides, sides: [{kind: tree}]}\n"), '5:37', 'at least 2 are needed', '2個以上必要です'),
    Mistake('a-text-in-one-language-only', rules("- {id: a, at_most: 1, message: {ja: あ}}\n"), '5:23', "'en' is missing", '「en」が必要です'),
    Mistake('a-date-written-otherwise', rules("- {id: a, at_most: 1, since: 2020/01/01}\n"), '5:23', "'2020/01/01' is not written as it must be (written like 2020-01-31)", '「2020/01/01」は書式が違います（2020-01-31 のように書きます）'),
    Mistake('an-unknown-option', rules("- {id: a, at_most: 1, when: {best: 1}}\n"), '5:30', "unknown key 'best' (did you mean 'best_of'?)", '「best」というキーはありません（「best_of」のことですか）'),
    Mistake('rules-that-are-no-list', HEAD+"rules: {a: 1}\n", '4:1', "{…} can't stand here; a list is needed", '「{…}」は使えません（リストが必要です）'),
    Mistake('an-id-used-twice', rules("- {id: a, at_most: 1}\n- {id: a, at_most: 2}\n"), '6:4', "rule 'a' stands here twice", '規則「a」が二度あります'),
    Mistake('a-hint-used-twice', rules("- {id: a, at_most: 1}\n")+"beside:\n- {id: b, names: [Pot], message: M}\n- {id: b, names: [Soil], message: M}\n", '8:4', "rule 'b' stands here twice", '規則「b」が二度あります'),
    Mistake('a-drop-of-nothing', "format: garden/x\nname: X\nextends: base.yaml\ndrop: [sise]\n", '4:8', "no rule 'sise' is extended, so none can be dropped (did you mean 'size'?)", '「sise」という規則は継承していません（「size」のことですか）'),
    Mistake('a-file-that-is-not-there', HEAD+"extends: nowhere.yaml\n", '4:1', "there is no file 'nowhere.yaml'", '「nowhere.yaml」というファイルはありません'),
    Mistake('a-format-that-is-not-there', HEAD+"extends: duel-masters/comander\n", '4:1', "there is no format 'duel-masters/comander' (did you mean 'duel-masters/commander'?)", '「duel-masters/comander」というフォーマットはありません（「duel-masters/commander」のことですか）'),
    Mistake('an-ambiguous-nothing', HEAD+"extends: [base.yaml, \"a\\0b\"]\n", '4:22', "there is no format 'a\\x00b' (deckcheck formats lists them)", '「a\x00b」というフォーマットはありません（一覧は deckcheck formats）'),
    Mistake('a-format-that-extends-itself', HEAD+"extends: x.yaml\n", '4:1', "extending 'x.yaml' runs in a circle", '「x.yaml」を継承すると輪になります'),
    Mistake('a-game-that-is-not-there', "format: desert/x\nname: X\nzones: {main: {}}\nrules: [{id: a, at_most: 1}]\n", '1:1', 'no game desert', 'ありません'),
    Mistake('a-named-game-that-is-not-there', "format: garden/x\nname: X\ngame: desert\nzones: {main: {}}\nrules: [{id: a, at_most: 1}]\n", '3:1', 'no game desert', 'ありません'),
    Mistake('no-rules', HEAD, '1:1', 'there are no rules', 'rules が空です'),
    Mistake('no-zones', "format: garden/x\nname: X\nrules: [{id: a, at_most: 1}]\n", '1:1', 'there are no zones', 'zones が空です'),
    Mistake('a-zone-that-the-game-has-not', "format: garden/x\nname: X\nzones: {main: {}, laeder: {}}\nrules: [{id: a, at_most: 1}]\n", '3:19', "the game has no zone 'laeder' (did you mean 'leader'?)", '「laeder」というゾーンはこのゲームにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone', rules("- {id: a, at_most: 1, in: [main, leeder]}\n"), '5:34', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('a-zone-of-the-game-that-is-not-played', rules("- {id: a, at_most: 1, in: side}\n"), '5:23', "this format has no zone 'side'", '「side」というゾーンはこのフォーマットにありません'),
    Mistake('an-unknown-zone-in-when', rules("- {id: a, at_most: 1, when: {in: leeder}}\n"), '5:30', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-in-a-growing-bound', rules("- {id: a, at_most: {base: 1, plus: 1, for_each_copy: {in: leeder}}}\n"), '5:55', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colour: {of: leeder}}}\n"), '5:43', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-zone-outside', rules("- {id: a, at_most: 1, where: {colour: {outside: leeder}}}\n"), '5:40', "this format has no zone 'leeder' (did you mean 'leader'?)", '「leeder」というゾーンはこのフォーマットにありません（「leader」のことですか）'),
    Mistake('an-unknown-attribute', rules("- {id: a, at_most: 1, where: {color: red}}\n"), '5:31', "there is no attribute 'color' (did you mean 'colour'?)", '「color」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-deep-down', rules("- id: a\n  at_most: 1\n  where:\n    not:\n      any:\n        - kind: tree\n        - color: red\n"), '11:11', "there is no attribute 'color' (did you mean 'colour'?)", '「color」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-to-sum', rules("- {id: a, at_most: 1, count: {sum: cots}}\n"), '5:31', "there is no attribute 'cots' (did you mean 'cost'?)", '「cots」という属性はありません（「cost」のことですか）'),
    Mistake('an-unknown-attribute-to-group-by', rules("- {id: a, at_most: 1, per: colours}\n"), '5:23', "there is no attribute 'colours' (did you mean 'colour'?)", '「colours」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colours: every}}\n"), '5:34', "there is no attribute 'colours' (did you mean 'colour'?)", '「colours」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-attribute-of-other-cards', rules("- {id: a, at_most: 1, where: {no_other_card: {same: colours, where: {kind: tree}}}}\n"), '5:47', "there is no attribute 'colours' (did you mean 'colour'?)", '「colours」という属性はありません（「colour」のことですか）'),
    Mistake('an-unknown-value', rules("- {id: a, at_most: 1, where: {colour: [red, gren]}}\n"), '5:45', "'gren' is no colour (did you mean 'green'?)", '「gren」は色の値ではありません（「green」のことですか）'),
    Mistake('a-word-that-no-card-has', rules("- {id: a, at_most: 1, where: {kind: teee}}\n"), '5:31', "'teee' is no kind (did you mean 'tree'?)", '「teee」は種類の値ではありません（「tree」のことですか）'),
    Mistake('a-text-that-no-word-contains', rules("- {id: a, at_most: 1, where: {kind: {containing: bush}}}\n"), '5:38', "no kind in the card table contains 'bush'", '「bush」を含む種類はカード表にありません'),
    Mistake('a-number-between-nothing', rules("- {id: a, at_most: 1, where: {cost: {at_least: 5, at_most: 3}}}\n"), '5:31', 'at_least 5 is over at_most 3', '下限5が上限3を超えています'),
    Mistake('an-unknown-value-of-a-loop', rules("- {id: a, at_most: 1, for_each: {colour: [gren]}}\n"), '5:43', "'gren' is no colour (did you mean 'green'?)", '「gren」は色の値ではありません（「green」のことですか）'),
    Mistake('an-unknown-rank', rules("- {id: a, at_most: 1, where: {rarity: {at_least: SRR}}}\n"), '5:40', "'SRR' is no rarity (did you mean 'SR'?)", '「SRR」は希少度の値ではありません（「SR」のことですか）'),
    Mistake('an-unknown-home', rules("- {id: a, at_most: 1, where: {home: man}}\n"), '5:31', "'man' is no home (did you mean 'main'?)", '「man」は置き場所の値ではありません（「main」のことですか）'),
    Mistake('an-unknown-card', rules("- {id: a, at_most: 0, where: {name: [Rose, Irys]}}\n"), '5:44', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）'),
    Mistake('an-ambiguous-card', rules("- {id: a, at_most: 0, where: {name: Prune}}\n"), '5:31', "'Prune' may be any of Plum / Sour Plum", '「Prune」は Plum / Sour Plum のどれですか'),
    Mistake('an-unknown-status', rules("- {id: a, at_most: 0, where: {status: outt}}\n"), '5:31', "there is no status 'outt' (did you mean 'out'?)", '「outt」という扱いはありません（「out」のことですか）'),
    Mistake('an-unknown-status-of-combinations', rules("- {id: a, at_most: 1, count: sides, sides: pear}\n"), '5:37', "there is no status 'pear' (did you mean 'pair'?)", '「pear」という扱いはありません（「pair」のことですか）'),
    Mistake('an-unknown-ref', rules("- {id: a, at_most: 0, where: {ref: tress}}\n")+"definitions: {trees: {kind: tree}}\n", '5:31', "'tress' is not defined (did you mean 'trees'?)", '「tress」は定義されていません（「trees」のことですか）'),
    Mistake('refs-in-a-circle', rules("- {id: a, at_most: 0, where: {ref: one}}\n")+"definitions:\n  one: {not: {ref: two}}\n  two: {any: [{ref: one}, {kind: tree}]}\n", '8:16', "the definition of 'one' runs in a circle", '「one」の定義が輪になっています'),
    Mistake('a-definition-that-nobody-uses-and-that-is-wrong', rules("- {id: a, at_most: 1}\n")+"definitions: {trees: {kin: tree}}\n", '6:23', "there is no attribute 'kin' (did you mean 'kind'?)", '「kin」という属性はありません（「kind」のことですか）'),
    Mistake('each-outside-of-a-loop', rules("- {id: a, at_most: 1, where: {colour: $each}}\n"), '5:31', "$each needs a for_each over 'colour'", '$each は for_each: {colour: …} の中だけで使えます'),
    Mistake('each-of-another-attribute', rules("- {id: a, at_most: 1, for_each: {colour: every}, where: {kind: $each}}\n"), '5:58', "$each needs a for_each over 'kind'", '$each は for_each: {kind: …} の中だけで使えます'),
    Mistake('each-where-no-loop-reaches', rules("- {id: a, at_most: 1, for_each: {colour: every}, when: {where: {colour: $each}}}\n"), '5:65', '$each has no meaning inside of when', '$each は when の中では使えません'),
    Mistake('outside-where-no-deck-is-asked', rules("- {id: a, at_most: 1, count: sides, sides: [{colour: {outside: leader}}, {kind: tree}]}\n"), '5:55', "outside can't be asked inside of sides", 'outside は sides の中では使えません'),
    Mistake('other-cards-in-other-cards', rules("- {id: a, at_most: 0, where: {no_other_card: {same: colour, where: {no_other_card: {same: cost, where: {kind: tree}}}}}}\n"), '5:69', "no_other_card can't stand in another", 'no_other_card は入れ子にできません'),
    Mistake('other-cards-of-the-same-rank', rules("- {id: a, at_most: 0, where: {no_other_card: {same: rarity, where: {kind: tree}}}}\n"), '5:47', "cards can't be compared by rarity", '希少度は比べられません'),
    Mistake('a-rank-without-a-comparison', rules("- {id: a, at_most: 0, where: {rarity: SR}}\n"), '5:31', 'a rank is compared with at_least', 'at_least を使ってください'),
    Mistake('a-word-compared-like-a-number', rules("- {id: a, at_most: 0, where: {colour: {at_least: red}}}\n"), '5:40', "'at_least' can't be asked of colour", '色に「at_least」は使えません'),
    Mistake('a-number-searched-like-a-word', rules("- {id: a, at_most: 0, where: {cost: {containing: '1'}}}\n"), '5:38', "'containing' can't be asked of cost", 'コストに「containing」は使えません'),
    Mistake('a-home-compared', rules("- {id: a, at_most: 0, where: {home: {outside: leader}}}\n"), '5:38', "'outside' can't be asked of home", '置き場所に「outside」は使えません'),
    Mistake('a-word-for-a-number', rules("- {id: a, at_most: 0, where: {cost: high}}\n"), '5:31', "'high' is no number", '「high」は数ではありません'),
    Mistake('a-number-for-a-word', rules("- {id: a, at_most: 0, where: {kind: 5}}\n"), '5:31', 'kind is a word: put 5 in quotes', '種類の値は文字列です（「5」を引用符で囲んでください）'),
    Mistake('a-loop-over-values-that-are-not-listed', rules("- {id: a, at_most: 1, for_each: {kind: every}}\n"), '5:34', "the values of 'kind' are not listed", '「kind」の値は一覧になっていません'),
    Mistake('a-loop-over-numbers', rules("- {id: a, at_most: 1, for_each: {cost: {of: leader}}}\n"), '5:34', "'cost' has no values to go through", '「cost」の値ごとには調べられません'),
    Mistake('groups-by-a-number', rules("- {id: a, at_most: 1, per: cost}\n"), '5:23', "'cost' makes no groups", '「cost」では分けられません'),
    Mistake('a-sum-of-words', rules("- {id: a, at_most: 1, count: {sum: colour}}\n"), '5:23', 'only numbers can be added up', '数の属性だけを合計できます'),
    Mistake('predicates-that-write-one-another-out', rules("- {id: a, at_most: 0, where: {ref: d0}}\n")+"definitions:\n"+"".join(f"  d{i}: {{any: [{{ref: d{i+1}}}, {{ref: d{i+1}}}]}}\n" for i in range(16))+"  d16: {kind: tree}\n", '22:27', 'the predicates are too large or nested too deeply', '条件が大きすぎるか深すぎます'),
    Mistake('a-long-chain-of-refs', rules("- {id: a, at_most: 0, where: {ref: d0}}\n")+"definitions:\n"+"".join(f"  d{i}: {{ref: d{i+1}}}\n" for i in range(60))+"  d60: {kind: tree}\n", '56:3', 'the predicates are too large or nested too deeply', '条件が大きすぎるか深すぎます'),
    Mistake('no-bound', rules("- {id: a, in: main}\n"), '5:3', 'one of at_most, at_least, exactly, one_of is needed', 'at_most・at_least・exactly・one_of のどれかが必要です'),
    Mistake('exactly-and-another-bound', rules("- {id: a, exactly: 3, at_most: 4}\n"), '5:3', 'exactly stands alone, without other bounds', 'exactly はほかの上限・下限と一緒に使えません'),
    Mistake('one-of-and-another-bound', rules("- {id: a, one_of: [3], at_most: 4}\n"), '5:3', 'one_of stands alone, without other bounds', 'one_of はほかの上限・下限と一緒に使えません'),
    Mistake('least-over-most', rules("- {id: a, at_least: 5, at_most: 4}\n"), '5:3', 'at_least 5 is over at_most 4', '下限5が上限4を超えています'),
    Mistake('at-least-nothing', rules("- {id: a, at_least: 0}\n"), '5:3', 'at_least: 0 has no effect', 'at_least: 0 には効果がありません'),
    Mistake('copies-of-no-names', rules("- {id: a, at_least: 1, copies: {at_least: 2}}\n"), '5:3', 'copies goes with count: names', 'copies は count: names と一緒に使います'),
    Mistake('least-copies-over-most', rules("- {id: a, at_least: 1, count: names, copies: {at_least: 4, at_most: 2}}\n"), '5:3', 'the at_least of copies is over its at_most', 'copies の下限が上限を超えています'),
    Mistake('sides-that-nobody-counts', rules("- {id: a, at_most: 1, sides: [{kind: tree}, {kind: fern}]}\n"), '5:3', 'sides goes with count: sides', 'sides は count: sides と一緒に使います'),
    Mistake('counting-sides-of-nothing', rules("- {id: a, at_most: 1, count: sides}\n"), '5:3', 'sides goes with count: sides', 'sides は count: sides と一緒に使います'),
    Mistake('sides-with-where', rules("- {id: a, at_most: 1, count: sides, sides: [{kind: tree}, {kind: fern}], where: {cost: 1}}\n"), '5:3', 'count: sides takes no where', 'count: sides に where は使えません'),
    Mistake('groups-of-names', rules("- {id: a, at_most: 1, count: names, per: colour}\n"), '5:3', 'per groups copies only', 'per は枚数だけを分けます'),
    Mistake('two-loops', rules("- {id: a, at_most: 1, for_each: {colour: every}, for_some: {colour: every}}\n"), '5:3', "for_each and for_some don't go together", 'for_each と for_some は一緒に使えません'),
    Mistake('since-after-until', rules("- {id: a, at_most: 1, since: 2020-02-01, until: 2020-01-01}\n"), '5:3', 'since is after until', 'since が until より後です'),
    Mistake('a-clause-that-makes-no-sense', rules("- id: a\n  exactly: 1\n  clauses:\n    - {in: main}\n    - {in: leader, at_most: 1}\n"), '9:7', 'exactly stands alone, without other bounds', 'exactly はほかの上限・下限と一緒に使えません'),
    Mistake('a-day-that-is-none', rules("- {id: a, at_most: 1, since: 2021-02-29}\n"), '5:23', "there is no day '2021-02-29'", '「2021-02-29」という日はありません'),
    Mistake('an-unknown-field', rules("- {id: a, at_most: 1, message: '{crad}が多い'}\n"), '5:23', "there is no field {crad} (did you mean 'card'?)", '「{crad}」という欄はありません（「card」のことですか）'),
    Mistake('a-field-without-a-name', rules("- {id: a, at_most: 1, message: {ja: '{}', en: x}}\n"), '5:23', 'there is no field {}', '「{}」という欄はありません'),
    Mistake('a-brace-left-open', rules("- {id: a, at_most: 1, message: '{card'}\n"), '5:23', "the braces don't match", '波括弧の対応が取れていません'),
    Mistake('a-field-with-a-format', rules("- {id: a, at_most: 1, message: '{found:d}'}\n"), '5:23', '{found} takes no formatting', '{found} に書式は付けられません'),
    Mistake('a-field-that-looks-inside', rules("- {id: a, at_most: 1, message: '{card.__class__}'}\n"), '5:23', "there is no field {card.__class__} (did you mean 'card'?)", '「{card.__class__}」という欄はありません（「card」のことですか）'),
    Mistake('a-source-of-no-day', rules("- {id: a, at_most: 1}\n")+"source: {title: T, edition: '1', date: 2020-13-01}\n", '6:34', "there is no day '2020-13-01'", '「2020-13-01」という日はありません'),
    Mistake('editions-out-of-order', rules("- {id: a, at_most: 1}\n")+"source:\n  title: T\n  editions:\n    - {edition: '2', date: 2020-02-02}\n    - {edition: '1', date: 2020-01-01}\n", '10:22', 'the days are not in order', '日付が古い順に並んでいません'),
    Mistake('a-list-that-is-not-there', HEAD+"banlists: [lits.yaml]\nrules: [{id: a, at_most: 1}]\n", '4:12', "there is no banlist 'lits.yaml'", '「lits.yaml」というリストはありません'),
    Mistake('a-bundled-list-that-is-not-there', HEAD+"banlists: [duel-masters/hall-of-fam]\nrules: [{id: a, at_most: 1}]\n", '4:12', "there is no banlist 'duel-masters/hall-of-fam' (did you mean 'duel-masters/hall-of-fame'?)", '「duel-masters/hall-of-fam」というリストはありません（「duel-masters/hall-of-fame」のことですか）'),
    Mistake('a-status-that-no-rule-looks-at', rules("- {id: a, at_most: 1}\n")+"banlists: [list.yaml]\n", '6:12', "no rule looks at the status 'out' of 'list.yaml', so it has no effect", '「list.yaml」の「out」を見る規則がないので、効果がありません', LIST+"cards:\n- card: Rose\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('a-status-that-no-list-gives', rules("- {id: a, at_most: 0, where: {status: out}}\n"), '5:31', "no list under banlists gives the status 'out'", '「out」にするリストが banlists にありません'),
    Mistake('list-unknown-key', LISTED, 'list 3:1', "unknown key 'card' (did you mean 'cards'?)", '「card」というキーはありません（「cards」のことですか）', LIST+"card: []\n"),
    Mistake('list-that-is-empty', LISTED, 'list 1:1', 'this is empty; a mapping of keys to values is needed', '空です（キーと値の組が必要です）', ""),
    Mistake('list-unknown-card', LISTED, 'list 4:3', "there is no card 'Rouse' (did you mean 'Rose'?)", '「Rouse」というカードはありません（「Rose」のことですか）', LIST+"cards:\n- card: Rouse\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-card-twice', LISTED, 'list 6:3', "'Rose' stands here twice", '「Rose」が二度あります', LIST+"cards:\n- card: Rose\n  history: [{from: 2020-01-01, status: out}]\n- card: rose\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-unknown-status', LISTED, 'list 7:26', "there is no status 'fre' (did you mean 'free'?)", '「fre」という扱いはありません（「free」のことですか）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: out}\n    - {from: 2021-01-01, status: fre}\n"),
    Mistake('list-no-such-day', LISTED, 'list 6:8', "there is no day '2020-02-30'", '「2020-02-30」という日はありません', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-02-30, status: out}\n"),
    Mistake('list-out-of-order', LISTED, 'list 7:8', 'the days are not in order', '日付が古い順に並んでいません', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-02-01, status: out}\n    - {from: 2020-01-01, status: free}\n"),
    Mistake('list-the-same-day-twice', LISTED, 'list 7:8', 'the days are not in order', '日付が古い順に並んでいません', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-02-01, status: out}\n    - {from: 2020-02-01, status: free}\n"),
    Mistake('list-change-without-effect', LISTED, 'list 7:26', "this change has no effect (it is 'out' before that day already)", 'この変更には効果がありません（その前から「out」です）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: out}\n    - {from: 2021-01-01, status: out}\n"),
    Mistake('list-freed-before-it-was-listed', LISTED, 'list 6:26', "this change has no effect (it is 'free' before that day already)", 'この変更には効果がありません（その前から「free」です）', LIST+"cards:\n- card: Rose\n  history:\n    - {from: 2020-01-01, status: free}\n    - {from: 2021-01-01, status: out}\n"),
    Mistake('list-combination-of-an-unknown-card', LISTED, 'list 5:20', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\ncombinations:\n- sides: [[Rose], [Irys]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-combination-of-one-side', LISTED, 'list 4:3', 'at least 2 are needed', '2個以上必要です', LIST+"combinations:\n- sides: [[Rose]]\n  history: [{from: 2020-01-01, status: out}]\n"),
    Mistake('list-complete-through-no-day', LISTED, 'list 4:1', "there is no day '2020-02-31'", '「2020-02-31」という日はありません', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\ncomplete_through: 2020-02-31\n"),
    Mistake('list-unconfirmed-unknown-card', LISTED, 'list 4:47', "there is no card 'Irys' (did you mean 'Iris'?)", '「Irys」というカードはありません（「Iris」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nunconfirmed: {seen_by: 2020-02-03, changes: [{card: Irys, from: free, to: out}]}\n"),
    Mistake('list-unconfirmed-unknown-status', LISTED, 'list 4:59', "there is no status 'fre' (did you mean 'free'?)", '「fre」という扱いはありません（「free」のことですか）', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nunconfirmed: {seen_by: 2020-02-03, changes: [{card: Iris, from: fre, to: out}]}\n"),
    Mistake('list-source-of-no-day', LISTED, 'list 4:20', "there is no day '2020-02-31'", '「2020-02-31」という日はありません', LIST+"cards: [{card: Rose, history: [{from: 2020-01-01, status: out}]}]\nsource: {title: T, date: 2020-02-31}\n"),
]
