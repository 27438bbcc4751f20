"""The words of a game, folded once for fast lookup, and the headings that they make."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property

from msgspec.structs import replace

from deckcheck.cards.names import make_fold
from deckcheck.decklists.decoding import CIRCLED, KANJI, compiled, shape_of
from deckcheck.decklists.lines import Heading, Label, Total
from deckcheck.model.game import Game

_LONGEST = 48
"""The longest text that is considered as a heading."""


ASIDE, _UNUSED = "aside", "unused"
"""Kinds of words for zones; the first is also the zone of cards that a record says aren't in the deck."""
_WORD_BORDER = r"_|(?<=[a-z])(?=[A-Z])"


@cache
def any_of(words: Collection[str]) -> str:
    """A pattern that matches any of `words`, longest first, never within a longer ASCII word."""
    ordered = sorted({word.lower() for word in words if word}, key=lambda word: (-len(word), word))
    alternatives = [
        (r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else "")
        + re.escape(word).replace(r"\{n\}", "[0-9]+")
        + (r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else "")
        for word in ordered
    ]
    return "(?:" + "|".join(alternatives) + ")" if alternatives else "(?!)"


_CODE = (
    r"(?P<code>\((?=[^)]{0,16}[a-z])(?!x[0-9]+\))(?![0-9]+[ \t]*x?\))[a-z0-9][a-z0-9:/#_-]{1,15}\)"
    r"|\([a-z]{2,5}(?:[0-9]{1,3}[ \t-]+[a-z]{0,4}[0-9]{1,4}|[ \t-]+[a-z]{0,4}[0-9]{1,4}(?=/))(?:/[a-z]{0,4}[0-9]{1,4})?\)"
    r"|\[(?=[^\]]{0,16}[a-z])(?!x[0-9]+\])(?![0-9]+[ \t]*x?\])[a-z0-9][a-z0-9:/#†★*-]{1,15}\]"
    r"|(?<![0-9a-z])[a-z]{2,5}[0-9]{0,3}-(?=[a-z]*[0-9])[a-z0-9]{1,6}(?:-[a-z0-9]{1,6})?(?![0-9a-z/-])"
    r"|(?<![0-9a-z])[a-z]{2,5}[0-9]{2}(?=[ \t]+[a-z]{0,4}[0-9]{1,4}/[a-z]{0,4}[0-9]))"
    r"(?:[ \t:]+#?(?P<printed>[0-9]{1,4}(?![0-9a-z/★†-])"
    r"|(?!x[0-9])[a-z]{0,4}-?[0-9]{1,4}[a-z★†]?(?:/[a-z]{0,4}[0-9]{1,4})?)(?![0-9a-z]|[ \t]*(?:円|yen|tix|usd|eur)|WORD))?"
)
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,9})(?![0-9])"
_AMOUNT, _WITH_COMMA = rf"{_WHOLE}(?:\.[0-9]{{1,4}})?", rf"{_WHOLE}(?:\.[0-9]{{1,4}}|,[0-9]{{2}}(?![0-9]))?"
_PRICE = (
    rf"(?:[@約計各][ \t]*)?(?:(?<![0-9])(?:(?<![a-z])(?:r|us|[ac]))?[¥$€£][ \t]*{_WITH_COMMA}|{_WITH_COMMA}[ \t]?[€£](?![0-9.,])"
    rf"|{_AMOUNT}(?:[-~～][0-9]{{1,6}})?[ \t]*(?:円|yen|tix|usd|cents(?:[ \t]each)?)(?![a-z])|{_WITH_COMMA}[ \t]*eur(?![a-z])"
    r"|(?<=[ \t])[0-9]{1,6}[.,][0-9]{2}[ \t]?[€$£](?![0-9.,]))[ \t]*-?"
)
_DAY = r"(?:19|20)[0-9]{2}[ \t]*[-/.年][ \t]*[0-9]{1,2}(?:[ \t]*[-/.月][ \t]*[0-9]{1,2}日?|月)"
_LINKED = r"(?:\.(?=[0-9])|[/~～〜+→-]|->|CHOICES)"


def _between(words: Sequence[str]) -> str:
    """A pattern that matches any of `words` between others, Latin letters only between blanks."""
    alternatives = (
        rf"(?<=[ \t]){re.escape(word)}(?=[ \t])" if word.isascii() else re.escape(word) for word in words
    )
    return "|".join(alternatives) or "(?!)"


class Vocabulary:
    """The words of `game.yaml` that appear around the cards, as given in `around`.

    `zones` maps folded words to zone ids; words for what isn't in the deck stand for zones of their own. `unused` are the
    folded ones of these that say so in any cell of a table. `ends_at_label` are the zones that a label ends.
    """

    def __init__(self, game: Game) -> None:
        self._game, self.around, self.fold = game, game.words, make_fold(game.folding)
        self.default, self.zone_ids = game.default_zone, frozenset(game.zones)
        self.ends_at_label = frozenset(zone.id for zone in game.zones.values() if zone.ends_at_label)
        # Cards that aren't in the deck go to a zone of their own, which no game has.
        unused = self.around.columns.get(_UNUSED, ())
        aside = (*self.around.columns.get(ASIDE, ()), *unused)
        self.aside, self.unused = frozenset({*aside, ASIDE}), frozenset(map(self.fold, unused))
        marks = {word.lower(): zone for word, zone in self.around.marks.items()}
        self.marks = marks | {word.lower(): word for word in aside}
        self._headings = {
            heading: zone.id
            for zone in game.zones.values()
            for heading in (*zone.headings, zone.id, zone.name.ja, zone.name.en)
        }
        zones = dict[str, str]()
        for word, zone in (*self._headings.items(), *self.marks.items()):
            # Lines are looked up without the decoration around them, such as the bracket of "Card(s)".
            for spelling in (word, word.strip(_DECORATION)):
                zones.setdefault(self.fold(spelling), zone)
        zones.pop("", None)
        self.zones: Mapping[str, str] = zones
        self.labels = frozenset(map(self.fold, self.around.labels)) - zones.keys() - {""}

    @cached_property
    def label_starts(self) -> tuple[str, ...]:
        """The words with which one label or several joined begin."""
        return (*self.labels, *self.joints)

    @cached_property
    def long_zones(self) -> Mapping[str, str]:
        """The words for zones in which a slip of the pen can be told, folded, with one as written."""
        long: dict[str, str] = {}
        for word in (*self._headings, *self.marks):
            folded = self.fold(word)
            if len(folded) >= _SHORTEST_SLIP or compiled(_KANJI_WORD).fullmatch(folded):
                long.setdefault(folded, word)
        return long

    @cached_property
    def other_zones(self) -> re.Pattern[str]:
        """Finds a word for a zone other than the default one, the longest first, and short Latin ones only as whole words."""
        zones = {word.lower(): zone for word, zone in self._headings.items()} | self.marks
        others = [word for word, zone in zones.items() if zone != self.default and len(word) > 1]
        others.sort(key=len, reverse=True)
        patterns = (
            re.escape(word)
            if not word.isascii() or len(word) >= _LONG_WORD
            else rf"(?<![0-9a-z]){re.escape(word)}(?![0-9a-z])"
            for word in others
        )
        return re.compile("|".join(patterns) or "(?!)", re.ASCII)

    @cached_property
    def numbered(self) -> frozenset[str]:
        """The labels whose number is no total (a cost)."""
        numbers = (item for item in self._game.attributes.values() if item.kind == "number")
        return frozenset(self.fold(text) for item in numbers for text in item.name.both) & self.labels

    @cached_property
    def written_numbers(self) -> frozenset[str]:
        """The attributes with a number that people write beside a card: those whose name is a label or the head of a column."""
        numbers = (item for item in self._game.attributes.values() if item.kind == "number")
        heads = self.labels | self.columns.keys()
        return frozenset(item.id for item in numbers if not heads.isdisjoint(map(self.fold, item.name.both)))

    @cached_property
    def totals(self) -> tuple[str, ...]:
        """The words beside the number of all cards, folded."""
        return tuple(sorted({self.fold(word) for word in self.around.totals} - {""}))

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """The heads of columns, folded, with what is in the column."""
        heads = self.around.columns.items()
        columns = {
            self.fold(head): role for role, words in heads for head in words if role not in (ASIDE, _UNUSED)
        }
        return {role: role for role in ("count", "name", "zone")} | columns

    @cached_property
    def answers_yes(self) -> frozenset[str]:
        """The cells, in lower case, that say that a card is in the deck."""
        return frozenset(word.lower() for word in self.around.answers_yes)

    @cached_property
    def answers_no(self) -> frozenset[str]:
        """The cells, in lower case, that say that a card isn't in the deck; so does an empty one."""
        return frozenset({"", *(word.lower() for word in self.around.answers_no)})

    def has_own_word(self, name: str) -> bool:
        """Whether a text has a word that this game's lists may have around cards."""
        lower = name.lower()
        words = lower.split()
        return any(word in (words if word.isascii() else lower) for word in self._own_words)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        words = self.around
        lists = (
            words.notes,
            words.numerals,
            words.singles,
            words.out,
            words.dittos,
            words.totals,
            words.for_each,
        )
        own = (*lists, words.counters, words.labels, self._headings, self.marks, self.joints)
        return frozenset(word.lower() for one in own for word in one)

    @cached_property
    def joints(self) -> str:
        """The signs and letters that join labels."""
        return _JOINTS + "".join(word for word in self.around.joints if len(word) == 1)

    @cached_property
    def between(self) -> str:
        """Matches a word that joins names or labels."""
        return _between(self.around.joints)

    @cached_property
    def _number_words(self) -> str:
        return any_of(self.around.numerals).replace("[a-z0-9]", "[a-z]")

    def may_say_count(self, shape: str) -> bool:
        """Whether a text has anything that could be a count: a numeral in any script, or a word for one."""
        return any(map(str.isnumeric, shape)) or re.search(self._number_words, shape) is not None

    def is_amount(self, shape: str) -> bool:
        """Whether a text in brackets is nothing but words, or a counter without its number, that may say how many there are."""
        is_only = not any(map(str.isalnum, self._amount.sub("", shape)))
        return is_only and self._amount.search(shape) is not None

    @cached_property
    def _amount(self) -> re.Pattern[str]:
        words = any_of((*self.around.amounts, *self.around.numerals, *self.around.singles))
        return re.compile(f"{words}|{self.counter}")

    def numerals_in(self, shape: str) -> Iterator[re.Match[str]]:
        """What in a text may count a card beside it."""
        singles = "|".join(map(re.escape, self.around.singles))
        return re.finditer(rf"[0-9]+|[{KANJI}]|{self._number_words}|{singles or '(?!)'}", shape)

    @cached_property
    def _out(self) -> re.Pattern[str]:
        return re.compile(f"{any_of(self.around.out)}|[{OUT_MARKS}]")

    @cached_property
    def printed(self) -> str:
        """Matches a rank, a set or the like."""
        orders = (item.order for item in self._game.attributes.values())
        ranks = (rank for order in orders for level in order for rank in level)
        return any_of((*self.around.printed, *ranks))

    @cached_property
    def sentence_end(self) -> str:
        """Matches the last word of a sentence, perhaps with signs behind it."""
        return rf"{any_of(self.around.sentence_ends)}\W*$"

    @cached_property
    def kinds(self) -> str:
        """Matches how many different cards there are."""
        return rf"[(\[]?[0-9]{{1,3}}[ \t]*{any_of(self.around.kinds)}[)\]]?"

    def says_out(self, shape: str) -> bool:
        """Whether a text, in lower case, has a word or mark that may say that a card beside it isn't in the deck."""
        return self._out.search(shape) is not None or self.fold(shape) in self.unused

    def says_where_or_out(self, shape: str) -> bool:
        """Whether a text, in lower case, is a word for a zone, or may say that a card isn't in the deck."""
        return self.fold(shape) in self.zones or self.says_out(shape)

    def comment_says_out(self, comment: str) -> bool:
        """Whether all that a comment, in lower case, says of the card beside it is that it isn't in the deck."""
        text = comment.strip("#/*!<>- \t")
        return self._out.fullmatch(text) is not None or self.fold(text) in self.unused

    def changes_count(self, comment: str) -> bool:
        """Whether a comment behind a card, in lower case, is nothing but a change of it: `3枚に減らす`, `only 3`, `-1`, `→ NAME`."""
        if compiled(_CHANGE).match(comment):
            return True
        is_only = not any(map(str.isalnum, self._change.sub("", comment)))
        return is_only and self._change_word.search(comment) is not None

    @cached_property
    def _change_word(self) -> re.Pattern[str]:
        words = any_of((*self.around.out, *self.around.amounts))
        return re.compile(rf"{words}|[0-9{KANJI}][ \t]*{self.counter}")

    @cached_property
    def _change(self) -> re.Pattern[str]:
        numbers = rf"{self._number_words}|[0-9]+(?![0-9]|-[a-z])|[{KANJI}]"
        # A word or counter may end in a few kana.
        word = rf"(?:{self._change_word.pattern}|{self.counter})[\u3041-\u3096]{{0,4}}"
        return re.compile(f"{word}|{numbers}")

    def says_where(self, head: str) -> bool:
        """Whether the name of a field may say that a card isn't in the deck, or in which zone it is: `isSideboard`."""
        text = compiled(_WORD_BORDER).sub(" ", head).lower()
        return self.says_out(text) or self.other_zones.search(text) is not None

    @cached_property
    def value_names(self) -> Mapping[str, frozenset[str]]:
        """The names of the values of attributes, by the folded value."""
        return {
            self.fold(value): frozenset({name.ja, name.en})
            for item in self._game.attributes.values()
            for value, name in item.names.items()
        }

    @cached_property
    def facts(self) -> frozenset[str]:
        """The words that are never a card in a cell of a table, folded."""
        facts = set(self.labels)
        for item in self._game.attributes.values():
            facts.update(map(self.fold, item.values))
            facts.update(self.fold(text) for name in item.names.values() for text in name.both)
            facts.update(self.fold(rank) for level in item.order for rank in level)
        return frozenset(facts - {""})

    # The patterns of tokens, for `compiled`. Plain lists need none.

    @cached_property
    def counter(self) -> str:
        """Matches a counter word."""
        return any_of(self.around.counters).replace("(?<![a-z0-9])", "(?<![a-z])")

    @cached_property
    def number(self) -> str:
        """Matches a count."""
        return (
            rf"(?P<each>{any_of(self.around.for_each)}[ \t]*)?"
            rf"(?P<minus>(?:(?<![^ \t])|(?<=[x*])|(?<![^ \t])[x*])-(?=[0-9]))?(?P<x>[x*][ \t]*)?"
            rf"(?<![0-9])(?<![0-9][.,])(?P<n>{self._digits})(?![0-9])"
            rf"(?:[ \t]*(?P<c>{self.counter}(?:[x*](?=[^\s0-9a-z]))?|[x*](?![a-z0-9])))?"
        )

    @cached_property
    def number_starts(self) -> frozenset[str]:
        """The characters with which a count begins."""
        return frozenset("0123456789x*-" + CIRCLED + KANJI) | {word[0] for word in self.around.for_each}

    @cached_property
    def noise_starts(self) -> frozenset[str]:
        """The characters with which noise begins."""
        words = self.around
        notes, joints, dittos = words.notes, words.joints, words.dittos
        return frozenset("#/@約計各¥$€£([{<*^※←0123456789abcdefghijklmnopqrstuvwxyz") | {
            word[0].lower() for word in (*notes, *joints, *self.marks, *self._headings, *dittos) if word
        }

    @property
    def _digits(self) -> str:
        return rf"(?:[0-9]+|[{CIRCLED}]|[{KANJI}](?=[ \t]*{self.counter}))"

    @cached_property
    def noise(self) -> str:
        """Matches everything else that may accompany a name."""
        word, linked = self.counter, _LINKED.replace("CHOICES", _between(self.around.choices))
        return "|".join(
            [
                r"(?P<comment>(?:#|//).*)",
                rf"(?P<price>{_PRICE})",
                rf"(?P<day>(?<![0-9]){_DAY}(?![0-9]))",
                rf"(?P<span>[0-9]{{1,2}}[ \t]*{linked}[ \t]*[0-9]{{1,2}}(?![0-9])(?:[ \t]*(?:{word}|x(?![a-z0-9])))?)",
                _CODE.replace("WORD", word),
                rf"(?P<zone>{any_of(tuple(self._headings))}(?:[ \t]*\([0-9]{{1,3}}[ \t]*(?:{word}|cards?)?\))?+(?=[ \t]*[:=])"
                rf"(?![ \t]*[:=][ \t]*[0-9]+[ \t]*{word}?$)"
                rf"|{any_of(tuple(self.marks))}(?=$|[\s()\[\]<>《》「」『』,、→|:=*←-]))",
                rf"(?P<note>{any_of(self.around.notes)}|\*[a-z]\*|\^[^^]*\^(?=[ \t]*$))",
                rf"(?P<boxed>[(\[<][ \t]*(?:[x*][ \t]*)?(?P<b>{self._digits})[ \t]*{word}?[ \t]*[)\]>])",
                r"(?P<bracket>\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|<[^<>]{0,200}>|\{[^{}]{0,200}\}"
                r"|(?<![※←])(?:※|←|<-)(?:(?![ \t]{2}|;).){0,200})",
                rf"(?P<joint>{self.between})",
                rf"(?P<ditto>{any_of(self.around.dittos)}(?=[\s|,;]|$))",
            ]
        )

    @cached_property
    def tail(self) -> str:
        """Matches the number of a heading at its end."""
        return (
            rf"[\s:=(\[・~-]*(?:{self.kinds}[\s/・:,]*)?(?:{any_of(self.around.totals)}[ \t]*[:=]?[ \t]*)?(?P<x>[x*][ \t]*)?"
            rf"(?P<n>[0-9]{{1,4}})(?:[ \t]*/[ \t]*[0-9]{{1,4}})?[ \t]*(?P<c>{self.counter}|cards?\b)?"
            rf"(?:[\s/・(\[]*{self.kinds})?[\s)\]]*$"
        )

    @cached_property
    def counted(self) -> str:
        """Matches the text behind a number that counts cards: a word in front of or behind the counter."""
        counter = rf"(?:{self.counter}|cards?(?![a-z]))"
        return rf"{counter}[ \t]*(?:(?:in|of)[ \t]+)?(?P<behind>.+)|(?P<before>.*[^ \t])[ \t]+{counter}"


Section = Heading | Label | Total
"""What begins a section or states a sum."""

_DECORATION = " \t#/!■□●○◆◇▼▽▲△★☆◎▶►▷▸※・•*=_~+-[](){}<>《》:.。「」『』|─━↓〇"
_CLOSING_TAG = r"[\[<]/[a-z]"
_LEADING_COUNT = r"([0-9]{1,4})[ \t]*(?P<x>[x*][ \t]*)?"


def heading_of(words: Vocabulary, bare: str) -> Section | None:
    """The heading in `bare`, a trimmed shape; None if it isn't one in this game's words."""
    if len(bare) > _LONGEST + 32:
        return None
    core = compiled(rf"^{any_of(words.around.from_here)}[\s、,:]*").sub("", _undecorated(bare), 1)
    if not core or len(core) > _LONGEST or compiled(_CLOSING_TAG).match(bare):
        return None
    whole = zone_in_heads(words, _cells_of(words, core)) or sort_of(words, words.fold(core))
    if whole is not None:
        return whole
    none = any_of(words.around.none)
    empty = compiled(rf"(?P<zone>.+?)[\s:=・(-]*{none}|{none}[\s:=]+(?P<behind>.+)").fullmatch(core)
    named = (empty["zone"] or empty["behind"]).strip(_DECORATION) if empty else ""
    zone = sort_of(words, words.fold(named)) if named else None
    if isinstance(zone, Heading):
        return replace(zone, total=0)
    kinds = compiled(rf"[\s:=]*{words.kinds}$").search(core)
    heading = sort_of(words, words.fold(core[: kinds.start()].strip(_DECORATION))) if kinds else None
    if heading is not None:
        return heading
    tail = compiled(words.tail).search(core)
    if tail:
        total, rest = int(tail["n"]), core[: tail.start()].strip(_DECORATION)
        if not rest:
            word = words.fold(core[tail.start() : tail.start("n")].strip(_DECORATION))
            return Total("", total) if tail["c"] or word in words.totals else None
        heading = _with_total(words, rest, total, counted=bool(tail["c"]))
        # The word for a zone may be a card's name, whose copies the sign marks.
        return None if tail["x"] and isinstance(heading, Heading) else heading
    lead = compiled(_LEADING_COUNT).match(core)
    if lead:
        rest = core[lead.end() :].strip(_DECORATION)
        counter = compiled(words.counted).fullmatch(rest)
        rest = rest if counter is None else (counter["before"] or counter["behind"]).strip(_DECORATION)
        return _with_total(words, rest, int(lead[1]), counted=counter is not None)
    return None


def _cells_of(words: Vocabulary, core: str) -> Sequence[str]:
    """The cells of a line that may be a row of heads; between single blanks the first or the last word is one."""
    cells = compiled(r"[ \t]*[,;|\t][ \t]*|[ \t]{2,}").split(core)
    if len(cells) > 1:
        return cells
    first = core.partition(" ")
    return first if words.fold(first[0]) in words.columns else core.rpartition(" ")


def zone_in_heads(words: Vocabulary, cells: Sequence[str]) -> Heading | None:
    """The zone of the cards below a row of heads that has it where others have the head of the names (`Qty | Side`)."""
    folded = [words.fold(cell) for cell in cells]
    zones = [cell for cell in folded if cell in words.zones]
    roles = {words.columns.get(cell, "") for cell in folded if cell and cell not in words.zones}
    if len(zones) != 1 or "count" not in roles or roles & {"", "name"}:
        return None
    section = sort_of(words, zones[0])
    return section if isinstance(section, Heading) else None


def _undecorated(text: str) -> str:
    """A text without the signs and pictures around it; marks that say that something isn't in the deck stay."""
    start, end = 0, len(text)
    while start < end and _is_ornament(text[start]):
        start += 1
    while end > start and _is_ornament(text[end - 1]):
        end -= 1
    return text[start:end]


def _is_ornament(char: str) -> bool:
    return char in _DECORATION or (
        unicodedata.category(char) in ("So", "Sk") and char not in OUT_MARKS + _ABOVE
    )


def says_none(words: Vocabulary, shape: str) -> bool:
    """Whether a text only says that there are no cards."""
    return compiled(any_of(words.around.none)).fullmatch(shape.strip(_DECORATION)) is not None


def _with_total(words: Vocabulary, rest: str, total: int, *, counted: bool) -> Section | None:
    folded = words.fold(rest)
    heading = sort_of(words, folded)
    if heading is not None:
        number = folded in words.numbered and not counted
        return replace(heading, total=None if number else total)
    # "cost 3: 8 cards"
    inner = rest.strip("0123456789 \t")
    if inner != rest and words.fold(inner) in words.numbered:
        return Label("", total)
    return None


def sort_of(words: Vocabulary, folded: str) -> Section | None:
    """A folded text without decoration and numbers as a heading; None for other texts."""
    zone = words.zones.get(folded)
    if zone is not None:
        return Heading("", zone, None, zone in words.zone_ids or zone in words.aside)
    if folded in words.totals:
        return Total("", None)
    has_total = folded.startswith(words.totals) or folded.endswith(words.totals)
    for total in words.totals if has_total else ():
        for rest in (folded.removeprefix(total), folded.removesuffix(total)):
            if rest != folded and rest in words.zones:
                return Total("", None, words.zones[rest])
    inner = folded.strip(_NUMBER_SIGNS)
    is_numbered = inner != folded and inner in words.numbered
    return Label("") if is_numbered or is_label(words, folded) else None


def misspelt_zone(words: Vocabulary, text: str) -> str | None:
    """The word for a zone that a text is with one typing error; None for other texts, and words without one."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = words.fold(compiled(words.tail).sub("", shape_of(text)).strip(_DECORATION))
    nearest = process.extractOne(folded, list(words.long_zones), scorer=OSA.distance, score_cutoff=1)
    if nearest is None or folded in words.zones:
        return None
    word = nearest[0]
    # With a letter more or less, a short word is another one.
    return words.long_zones[word] if len(folded) == len(word) or len(word) >= _SHORTEST_SLIP else None


def names_several_zones(words: Vocabulary, shape: str) -> bool:
    """Whether all of a text are words for several zones, such as the heads of two columns."""
    shape = compiled(words.between).sub("/", shape)
    for match in words.other_zones.finditer(shape):
        zone = words.zones.get(words.fold(match[0]))
        around = [shape[: match.start()], shape[match.end() :]]
        rests = [part for part in around if any(map(str.isalpha, part))]
        sections = [heading_of(words, part.strip(_DECORATION + _JOINTS)) for part in rests]
        if sections and all(
            isinstance(section, Label) or (isinstance(section, Heading) and section.zone != zone)
            for section in sections
        ):
            return True
    return False


_SHORTEST_SLIP, _KANJI_WORD = 4, "[一-鿿]{3}"
_JOINTS, _NUMBER_SIGNS = "/&+、,|", "0123456789+~"


def is_label(words: Vocabulary, folded: str) -> bool:
    """Whether a folded text is one label or several joined."""
    may_be_label = folded.startswith(words.label_starts)
    if not may_be_label or len(folded) > _LONGEST or not folded.strip(words.joints):
        return False
    ends = {0}
    for start in range(len(folded)):
        if start > max(ends):
            return False
        if start not in ends:
            continue
        if folded[start] in words.joints:
            ends.add(start + 1)
        ends.update(start + len(label) for label in words.labels if folded.startswith(label, start))
    return len(folded) in ends


_HEADING_FRAME = r"\[.*\]|==.*==|--.*--|<.*>|[■□◆◇▼].*|.*:"


def may_be_heading(bare: str) -> bool:
    """Whether a trimmed shape looks like a heading, whatever its words."""
    return compiled(_HEADING_FRAME).fullmatch(bare) is not None and any(map(str.isalnum, bare))


OUT_MARKS = "☐✗✘❌🚫❎"
"""Marks beside cards that aren't in the deck."""
_ABOVE = "⬆👆☝🔼⏫"
"""Marks of a heading that speaks of what is above it."""

_LONGEST_TEXT = 200
_FLAGS = r"\{[^{}]*\}"
_WORD_JOINTS = r"[,、;/|&+\n]"


def zones_named(words: Vocabulary, text: str) -> tuple[str, ...]:
    """The zones that a text names, each once: by one word or several joined, with or without `{flags}`."""
    if len(text) > _LONGEST_TEXT:
        return ()
    whole, parts = phrases(text)
    zones = (words.zones.get(words.fold(part.strip(" \t:!"))) for part in (whole, *parts))
    return tuple(dict.fromkeys(zone for zone in zones if zone is not None))


def phrases(shape: str) -> tuple[str, list[str]]:
    """A shape without `{flags}`, and its parts, split at joints."""
    bare = compiled(_FLAGS).sub("", shape)
    return bare, [part for part in compiled(_WORD_JOINTS).split(bare) if part.strip()]


def zones_in_comment(words: Vocabulary, comment: str) -> tuple[str, ...]:
    """The zones that a comment names with tags, `#word #word` or `# !word`; () for any other comment."""
    if not compiled(_TAGS).fullmatch(comment):
        return ()
    tagged = (zones_named(words, tag) for tag in comment.replace("#", " ").replace("!", " ").split())
    return tuple(dict.fromkeys(zone for zones in tagged for zone in zones))


def zones_in_note(words: Vocabulary, comment: str) -> frozenset[str]:
    """The zones of which a comment of few words speaks; none of a sentence, and no zone of a few cards that a label ends.

    What is in 《》 is a card, and a word such as “Notes” is about one.
    """
    text = compiled("《[^《》]*》").sub("", comment).strip("#/*!<>- \t")
    is_short = len(text) <= _LONGEST_NOTE and len(compiled(r"[^\s0-9]+").findall(text)) <= _MOST_WORDS
    is_sentence = "." in text or compiled(words.sentence_end).search(text) is not None
    if not is_short or is_sentence or words.zones.get(words.fold(text)) in words.aside:
        return frozenset()
    return zones_spoken_of(words, text) - words.ends_at_label


def zones_spoken_of(words: Vocabulary, text: str) -> frozenset[str]:
    """The zones other than the default one of which a text has a word, though not within a Latin word or joined to one."""
    named = compiled(rf"(?<![a-z-])(?:{words.other_zones.pattern})(?![a-z-])").findall(text)
    return frozenset(words.zones.get(words.fold(word), word) for word in named)


_TAG = r"(?i)<[a-z][^<>]*>"
_ATTRIBUTE = r"(?i)[\s\"'](?:class|id|title|name|data-[\w-]+)\s*=\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"'>]+)"


def zones_in_tags(words: Vocabulary, raw: str) -> Iterator[str]:
    """The attributes in the tags of a web page that have a word for a zone other than the default one."""
    for tag in compiled(_TAG).findall(raw):
        for attribute in compiled(_ATTRIBUTE).finditer(tag):
            value = attribute["value"].strip("\"'")
            if zones_spoken_of(words, compiled("[_-]").sub(" ", value).lower()):
                yield value


_LONGEST_NOTE, _MOST_WORDS = 40, 5
_CHANGE = r"[#/*!<\s]*(?:[→⇒]|[-=]>|[-+−][ \t]*[0-9]{1,2}\s*$)"
"""Matches an arrow to what comes instead, or a number with a sign."""
_TAGS = r"(?:#(?:[ \t]+!)?[^#\s]+(?:[ \t]+![^#\s]+)*[ \t]*)+"


_LONG_WORD = 4
"""A Latin word this long is also recognized within longer words."""


def contains_zone_word(words: Vocabulary, shape: str) -> bool:
    """Whether a normalized text contains a word for a zone other than the default one."""
    return words.other_zones.search(shape) is not None
