"""Every cell of a table, leaf of a tree and text of an XML file is part of what is read, or its record is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from xml.sax.saxutils import quoteattr

import pytest
from factories.reader_lists import PLAIN, content, ids, read
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.support.errors import UserError

FIRST, SECOND, THIRD = PLAIN[:3]
COLUMN = st.sampled_from(["foo", "変更後", "", "2025", "My column"])
SAYING = st.sampled_from([
    THIRD, f"3 {THIRD}", f"{THIRD} x2", "3", "x3", "2枚", "×", "不採用", "サイド", "★★★", "?", "→",
    "抜く", "うち1枚サイド",
])  # fmt: skip
"""What a leaf may say that isn't part of the two cards of each list."""
Record = Mapping[str, object]


def _csv(records: list[Record]) -> tuple[str, str]:
    heads = list(dict.fromkeys(head for record in records for head in record))
    rows = [heads, *([str(record.get(head, "")) for head in heads] for record in records)]
    return "\n".join(",".join(row) for row in rows) + "\n", "a.csv"


def _json(records: list[Record]) -> tuple[str, str]:
    return json.dumps({"cards": records}, ensure_ascii=False), "a.json"


def _yaml(records: list[Record]) -> tuple[str, str]:
    items = (f"- {json.dumps(record, ensure_ascii=False)}\n" for record in records)
    return "cards:\n" + "".join(items), "a.yaml"


def _nested(records: list[Record]) -> tuple[str, str]:
    """The name of each card is in a record within its own."""
    nested = [
        {
            ("card" if key == "name" else key): ({"name": value} if key == "name" else value)
            for key, value in record.items()
        }
        for record in records
    ]
    return json.dumps(nested, ensure_ascii=False), "a.json"


WRITERS = [_csv, _json, _yaml, _nested]


def _says(text: str, path: str) -> tuple[Mapping[tuple[str, str], int], list[str]]:
    """The cards of a list and what is told of it; of one that can't be read, that."""
    try:
        deck = read(text, path)
    except UserError:
        return {}, ["refused"]
    return content(deck), [id for id in ids(deck) if id != "moved-to-home-zone"]


@pytest.mark.parametrize("write", WRITERS)
@given(head=COLUMN, said=SAYING)
def test_a_leaf_under_an_unknown_head_is_read_or_told(
    write: Callable[[list[Record]], tuple[str, str]], head: str, said: str
) -> None:
    first, second = {"name": FIRST, "count": 4}, {"name": SECOND, "count": 3}
    plain = _says(*write([first, second]))
    assert plain == ({("main", FIRST): 4, ("main", SECOND): 3}, [])
    odd = _says(*write([{**first, head: said}, second]))
    assert odd[1] or odd[0] != plain[0], (head, said)
    assert ("main", FIRST) not in odd[0] or odd[0].get(("main", FIRST)) != 4 or odd[1]


# Alone in a row, these words are the headings of a zone, or of what isn't in the deck.
HEADINGS = ("不採用", "抜く", "サイド")


@given(said=SAYING.filter(lambda said: said not in ("★★★", "?", "→", "×", *HEADINGS)))
def test_a_row_without_a_name_is_told(said: str) -> None:
    text = f"name,count,foo\n{FIRST},4,\n,,{said}\n"
    found, told = _says(text, "a.csv")
    assert found == {("main", FIRST): 4} and told


@pytest.mark.parametrize(
    ("notation", "element"),
    [
        ('<Deck><Cards Quantity="4" Name={name}{odd}/>{text}</Deck>', "a.dek"),
        (
            '<cockatrice_deck version="1"><zone name="main"><card number="4" name={name}{odd}/>{text}</zone></cockatrice_deck>',
            "a.cod",
        ),
    ],
)
@given(said=st.sampled_from([THIRD, f"3 {THIRD}", "3", "side"]))
def test_texts_and_attributes_of_xml(notation: str, element: str, said: str) -> None:
    clean = notation.format(name=quoteattr(FIRST), odd="", text="")
    assert _says(clean, element) == ({("main", FIRST): 4}, [])
    for odd, text in ((f" foo={quoteattr(said)}", ""), ("", said)):
        _cards, told = _says(notation.format(name=quoteattr(FIRST), odd=odd, text=text), element)
        assert told, (odd, text)


def test_cards_in_comments_of_files_are_told() -> None:
    for text, path in (
        (f"# 3 {SECOND}\nmain:\n- {FIRST}: 4\n", "a.yaml"),
        (f"name,count\n# 3 {SECOND}\n{FIRST},4\n", "a.csv"),
        (f'<Deck><Cards Quantity="4" Name="{FIRST}"/><!-- 3 {SECOND} --></Deck>', "a.dek"),
        (f"[metadata]\n[Main]\n4 {FIRST}\n# 3 {SECOND}\n", "a.dck"),
    ):
        assert _says(text, path) == ({("main", FIRST): 4}, ["card-in-comment"]), path
