"""What holds of every list: names are read in any notation, noise changes no row in silence, every number is accounted for."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from factories.examples import amount, examples
from factories.reader_lists import AWAY, HARD, PLAIN, Cards, duel_masters, read
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.checking.judge import GameData, Loader
from deckcheck.decklists.read import ListReader
from deckcheck.model.card import Card
from deckcheck.model.deck import Deck

GAMES = ["duel-masters", "magic", "yugioh"]
JOINTS = ["/", "／", " / ", " // ", "⇔", "→"]
FORMS = [
    "{n} x {c}", "{n}x {c}", "{n}× {c}", "{n} {c}", "({n}) {c}", "[{n}] {c}", "{n}\t{c}", "{n} | {c}",
    "・{n} {c}", "- {n} x {c}", "{n} 《{c}》", "{n}: {c}", "x{n} {c}", "{n} {c} (M10) 146",
    "《{c}》×{n}", "《{c}》{n}", "{c} ×{n}", "{c}×{n}", "{c} x{n}", "{c} *{n}", "{c} {n}", "{c} ({n})",
    "{c}: {n}", "{c} - {n}", "{c} = {n}", "{c}\t{n}", "{c} | {n}", "■{c} ×{n}", "{c} ×{n} # note",
    "{c} (M10) x{n}", "{n}枚 {c}", "{n}枚：{c}", "《{c}》{n}枚", "{c}　{n}枚", "{c}{n}枚", "・{c} ×{n}枚",
]  # fmt: skip
SHARE = amount(1, 6)
"""Each form is tried with one name of so many, another one each time."""
STEP = {"duel-masters": amount(60, 240), "magic": amount(4, 200), "yugioh": amount(4, 120)}


@cache
def _table(game: str) -> GameData:
    return Loader().game(game)


@cache
def _all(game: str) -> list[Card]:
    return list(_table(game).catalog)


@cache
def _reader(game: str) -> ListReader:
    return ListReader(_table(game).game, _table(game).catalog)


def _writings(card: Card) -> Iterator[str]:
    """What people may write for a card."""
    yield from (card.name, *card.aliases)
    for sides in ([face.name for face in card.faces], [part.name for part in card.parts]):
        yield from sides
        if len(sides) > 1:
            yield from (joint.join(sides) for joint in JOINTS)


@pytest.mark.parametrize("game", GAMES)
def test_a_plain_line_is_read_as_it_is_beside_a_comment(game: str) -> None:
    """The short way of plain lists agrees with the full reader, to which a comment sends the list."""
    names = [card.name for card in _all(game)]
    tricky = [name for name in names if not name[-1].isalpha() or not name[0].isalpha()]
    chosen = dict.fromkeys([*names[:: STEP[game]], *tricky[:: amount(1, 24)]])
    forms = ("{n} x {c}", "{n} {c}", "{c}{n}", "{c} {n}", "{c}×{n}", "《{c}》{n}", "・{c}　{n}")
    compared = 0
    for number, name in enumerate(chosen):
        for form in forms[number % amount(1, 3) :: amount(1, 3)]:
            plain, full = _both_ways(game, form.format(c=name, n=(4, 12)[number % 2]))
            compared += bool(plain)
            # The full reader may tell a line that the short way knows.
            assert plain == full or not full, name
    assert 2 * compared > amount(9, 3) * len(chosen)
    # So it is with names that the table lacks: the short way takes one only where the full reader does.
    pick = random.Random(f"misspelt names of {game}")
    names = [name for name in names if name.replace(" ", "").isalpha()]
    unknown = 0
    for _ in range(amount(4000, 60)):
        first, second, third = pick.sample(names, 3)
        at = pick.randrange(len(second))
        misspelt = (second[:at] + second[at + 1 :], second + third[len(third) // 2 :], f"と{second}")
        form = pick.choice([*forms, "{c} ×{n}", "《{c}》 {n}枚", "{n}枚：{c}"])
        rows = ((first, 4), (pick.choice(misspelt), 3), (third, 2))
        plain, full = _both_ways(game, "\n".join(form.format(c=name, n=copies) for name, copies in rows))
        unknown += any(not row[1] for row in plain)
        assert plain == full, rows
    assert unknown > amount(500, 6)


def _both_ways(game: str, text: str) -> list[list[tuple[str, Any, int, str]]]:
    """The entries of a list as a plain one, and as the full reader has it."""
    decks = (_reader(game)(text, "a.txt"), _reader(game)(f"{text}\n# note", "a.txt"))
    return [[(one.written, one.cards, one.copies, one.zone) for one in deck.entries] for deck in decks]


@pytest.mark.parametrize("game", GAMES)
def test_names_faces_halves_and_links_in_every_notation(game: str) -> None:
    pick = random.Random(f"names of {game}")
    catalog = _table(game).catalog
    start = pick.randrange(STEP[game])
    written = {
        text: {one.name for one in catalog.find(text)} or {card.name}
        for at, card in enumerate(_all(game))
        if at % STEP[game] == start
        for text in _writings(card)
        if not text.isdecimal()
    }
    names = list(written)
    silent, unread, total = [], [], 0
    for number, form in enumerate(FORMS):
        pick.shuffle(names)
        tried = names[number % SHARE :: SHARE]
        for at in range(0, len(tried), 40):
            rows = [(name, pick.choice((1, 2, 3, 4, 4))) for name in tried[at : at + 40]]
            deck = _reader(game)("\n".join(form.format(c=name, n=copies) for name, copies in rows), "a.txt")
            told = {one.line for one in deck.diagnostics if one.id != "moved-to-home-zone"}
            for line, (name, copies) in enumerate(rows, 1):
                total += 1
                here = [entry for entry in deck.entries if entry.line == line]
                known = {card.name for entry in here for card in entry.cards}
                if len(here) == 1 and here[0].copies == copies and known & written[name]:
                    continue
                open_ = any(not entry.cards for entry in here)
                (unread if open_ or line in told else silent).append(form.format(c=name, n=copies))
    assert silent == []
    assert len(unread) <= total / 500, unread[:20]


NAMES = [*PLAIN, *AWAY, *HARD[:24]]
STYLES = [
    "{n} x {c}", "{n} {c}", "《{c}》×{n}", "{c} ×{n}", "・{c}　{n}枚", "{c}\n×{n}", "{n}\n{c}",
    "{c}", "{n}\t{c}",
]  # fmt: skip
NOISE = [
    "おまけの話", "http://example.com/12", "#タグ", "# 4 メモ", "閲覧 1234", "------", "2025/01/10 12:30",
    "★★★", "3", "コスト3", "クリーチャー", "計40枚", "40", "×4", "〃", "4枚", "（2枚は予備）", "◯◯デッキ", "1.",
    "|", "'", '"x", 4',
]  # fmt: skip


def _rows(deck: Deck, without: int, lines: int) -> list[tuple[int, int, tuple[str, ...], str]]:
    """The entries with their lines as if `lines` lines at `without` weren't there."""
    return sorted(
        (
            entry.line - lines * (entry.line > without),
            entry.copies,
            tuple(sorted(card.name for card in entry.cards)) or (entry.written,),
            entry.zone,
        )
        for entry in deck.entries
        if not without < entry.line <= without + lines
    )


@examples(400)
@given(
    names=st.lists(st.sampled_from(NAMES), min_size=3, max_size=12, unique=True),
    style=st.sampled_from(STYLES),
    noise=st.sampled_from(NOISE),
    data=st.data(),
)
def test_noise_changes_no_other_row_in_silence(
    names: list[str], style: str, noise: str, data: st.DataObject
) -> None:
    copies = data.draw(st.lists(st.integers(1, 4), min_size=len(names), max_size=len(names)))
    lines = [
        line
        for name, number in zip(names, copies, strict=True)
        for line in style.format(c=name, n=number).split("\n")
    ]
    at = data.draw(st.integers(0, len(lines)))
    before, after = read("\n".join(lines)), read("\n".join([*lines[:at], noise, *lines[at:]]))
    if _rows(before, len(lines), 0) != _rows(after, at, 1):
        was = {(one.id, one.message.en) for one in before.diagnostics}
        assert any((one.id, one.message.en) not in was for one in after.diagnostics), (lines, at, noise)


LEFTOVER = [
    " 7", " ×7", " (7)", "+7", "~7", "/7", " or 7", " あと7枚", " 7回", " {7}", " [7枚]", " <7>", " か7", "、7",
    " - 7", " No.7", " vol.7", " 7%", " #7 7", " 第7弾", " ⑦", " 七枚", " 7/8", " (7)(8)", "\t7", " | 7", " @7",
]  # fmt: skip
AHEAD = ["7 ", "7/", "7+", "7~", "No7 ", "第7 ", "(7) ", "[7] ", "7 - ", "7、", "7|", "⑦"]


@examples(600)
@given(
    name=st.sampled_from([name for name in PLAIN if not re.search(r"[0-9七]", name)]),
    copies=st.integers(1, 4),
    form=st.sampled_from(
        ["{n} x {c}", "{n} {c}", "{c} ×{n}", "《{c}》×{n}", "・{c} ×{n}枚", "{c} {n}", "{n}枚 {c}"]
    ),
    number=st.sampled_from([*((head, "") for head in AHEAD), *(("", tail) for tail in LEFTOVER)]),
    rows=st.integers(0, 6),
    at=st.integers(0, 6),
)
def test_every_number_is_explained_told_or_in_a_comment(
    name: str, copies: int, form: str, number: tuple[str, str], rows: int, at: int
) -> None:
    head, tail = number
    others = [form.format(c=other, n=4) for other in PLAIN if other != name][:rows]
    line = head + form.format(c=name, n=copies) + tail
    place = min(at, len(others))
    deck = read("\n".join([*others[:place], line, *others[place:]]))
    here = [entry for entry in deck.entries if entry.line == place + 1]
    exact = all(entry.cards for entry in here) and len(here) == 1
    told = any(one.line == place + 1 for one in deck.diagnostics)
    # Behind a marked count in front, a number in brackets is the card's number in its set.
    printing = form in ("{n} x {c}", "{n}枚 {c}") and tail in (" (7)", " <7>")
    # A number of its own may be that of the line, in circles or with a point behind it.
    explained = head in ("⑦", "(7) ", "[7] ") or "#" in tail or "@" in tail or printing
    assert told or not exact or explained, line


class Backwards(Cards):
    """The same cards in the other order."""

    def __init__(self) -> None:
        super().__init__(duel_masters())
        self.cards = self.cards[::-1]
        self._found = {key: cards[::-1] for key, cards in reversed(self._found.items())}


@cache
def _backwards() -> ListReader:
    return ListReader(duel_masters(), Backwards())


@examples(300)
@given(
    names=st.lists(st.sampled_from([*NAMES, "半分"]), min_size=2, max_size=8),
    joint=st.sampled_from(["", " ", "・", "、", "/", " // ", " 4 ", "×2 ", "\n", "\n4\n", " | 3 | "]),
    ends=st.sampled_from([("", ""), ("4 ", ""), ("", " 4"), ("《", "》"), ("1. ", ""), ("", "×3\n")]),
)
def test_no_reading_hangs_on_the_order_of_what_is_equal(
    names: list[str], joint: str, ends: tuple[str, str]
) -> None:
    text = joint.join(f"{ends[0]}{name}{ends[1]}" for name in names)
    one, other = read(text), _backwards()(text, "deck.txt")
    assert _rows(one, 99, 0) == _rows(other, 99, 0)
    assert one.diagnostics == other.diagnostics
