"""Whatever comes: a mistake of the user's with its place, or a deck in which every line can be found again."""

from __future__ import annotations

import contextlib

import pytest
from factories.errors import problem_of
from factories.examples import amount, examples, within
from factories.notations import COCKATRICE, DEK, SAMPLES, magic, table_for
from factories.reader_lists import content
from hypothesis import example, given
from hypothesis import strategies as st

from deckcheck.decklists.decoding import decode
from deckcheck.decklists.lines import LONGEST_LINE, Comment, Heading, Label, Title, Total
from deckcheck.decklists.notations.registry import NAMES
from deckcheck.decklists.read import ListReader, NoCardReadError
from deckcheck.support.errors import Problem, UserError


def problem(text: str, path: str = "a.dek") -> Problem:
    return problem_of(magic().read, text, path)


@pytest.mark.parametrize(
    ("text", "path", "line", "column", "said"),
    [
        (DEK.replace('Name="Mountain"', 'Name="Mountain'), "a.dek", 6, 83, "not readable as XML: not well-formed (invalid token)"),
        (DEK.replace("</Deck>", ""), "a.dek", 11, 1, "not readable as XML: no element found"),
        (DEK.replace("Mountain", "Mount & in"), "a.dek", 6, 69, "not readable as XML: not well-formed (invalid token)"),
        (DEK.replace("Mountain", "Moun&tain;"), "a.dek", 6, 3, "not readable as XML: undefined entity"),
        (DEK.replace("</Deck>", "</Dekc>"), "a.dek", 10, 3, "not readable as XML: mismatched tag"),
        (DEK + "<Deck/>", "a.dek", 11, 1, "not readable as XML: junk after document element"),
        (COCKATRICE[:200], "a.cod", 7, 9, "not readable as XML: unclosed token"),
        ('<?xml version="1.0"?>\n<html><body/></html>', "a.xml", 2, 1, "this XML is no deck (it holds <html>, not <Deck>)"),
        ('<?xml version="1.0"?>\n<html><body/></html>', "a.cod", 2, 1, "this XML is no deck (it holds <html>, not <cockatrice_deck>)"),
    ],
)  # fmt: skip
def test_malformed_xml_is_told_with_its_place(
    text: str, path: str, line: int, column: int, said: str
) -> None:
    one = problem(text, path)
    assert (one.line, one.column, one.message.en) == (line, column, said)
    assert one.path == path and one.excerpt == text.split("\n")[line - 1]


BOMB = """<?xml version="1.0"?>
<!DOCTYPE Deck [
  <!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
  <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
  <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<Deck><Cards Quantity="1" Sideboard="false" Name="&c;"/></Deck>
"""
OUTSIDE = '<!DOCTYPE cockatrice_deck SYSTEM "file:///etc/hostname">\n<cockatrice_deck/>'
DEFAULTS = '<!DOCTYPE Deck [<!ATTLIST Cards Quantity CDATA "4">]>\n<Deck><Cards Name="Mountain"/></Deck>'
PARAMETER = '<!DOCTYPE Deck [<!ENTITY % x SYSTEM "http://localhost:1/x"> %x;]>\n<Deck/>'


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, DEFAULTS, PARAMETER])
@pytest.mark.parametrize("path", ["a.dek", "a.cod"])
def test_a_document_type_is_refused_before_it_is_read(text: str, path: str) -> None:
    one = problem(text, path)
    assert one.message.en == "XML with a document type (DOCTYPE) isn't read"
    assert one.line in (1, 2)


def test_what_is_too_deep_or_too_much_is_refused() -> None:
    assert problem("<Deck>" + "<a>" * 100_000).message.en == "nested too deeply"
    cards = '<Cards Quantity="1" Sideboard="false" Name="Mountain"/>' * 40_001
    assert problem(f"<Deck>{cards}</Deck>").message.en == "too many items"
    assert "too many lines" in problem("<Deck>" + "\n" * 6_000 + "</Deck>").message.en
    for name in NAMES:
        with pytest.raises(UserError):
            table_for(name).read("4 Mountain\n" * 6_000, "-", name)


def test_a_long_name_or_line_is_shown_and_not_looked_up() -> None:
    for name, text in {
        "dek": f'<Deck><Cards Quantity="1" Name="{"a" * 5000}"/></Deck>',
        "cockatrice": f'<cockatrice_deck><zone name="main"><card number="1" name="{"a" * 5000}"/></zone></cockatrice_deck>',
        "forge": "[Main]\n4 " + "a" * 5000,
        "xmage": "4 [A:1] " + "a" * 5000,
        "ydk": "4" * 5000,
        "arena": "4 " + "a" * 5000,
    }.items():
        table = table_for(name)
        try:
            deck = table.read(text, "-", name)
        except NoCardReadError as error:
            assert "too long" in str(error), name
        else:
            assert [one.id for one in deck.diagnostics] == ["invalid-line"] and not deck.entries, name


def test_the_encoding_that_xml_declares_is_no_longer_true() -> None:
    declared = DEK.replace("utf-8", "shift_jis").replace("Pyroblast", "紅蓮破")
    text = decode(declared.encode("cp932"), "a.dek")
    deck = magic().read(text, "a.dek")
    assert ("紅蓮破", 8, 60) in [(one.written, one.line, one.column) for one in deck.entries]


def test_columns_count_characters_and_not_bytes() -> None:
    deck = magic().read('<Deck>あいう<Cards Quantity="1" Name="Mountain"/></Deck>', "a.dek")
    assert (deck.entries[0].line, deck.entries[0].column) == (1, 36)


PIECES = st.sampled_from([
    *'<>&"\'/=[]|#!:*%; \n\t4x+', "<Deck>", "</Deck>", "<Cards ", 'Quantity="', 'Name="Mountain"',
    "<![CDATA[", "]]>", "<!--", "-->", "<?xml ", "<!DOCTYPE ", "&amp;", "&#0;", "&#xD800;",
    "<zone name='side'>", "<cockatrice_deck>", "[Main]", "[metadata]", "SB: ", "#main", "!side",
    "46986414", "Mountain", "(M10) 146", "Sideboard", "About", "Name ", "\x00", "\x0b", "\ud800",
    "あ", "🂡", "9" * 30,
])  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A sample with a part of it replaced by something else, here and there."""
    text = draw(st.sampled_from(sorted(SAMPLES.values())))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from([0, 1, 5, 40]))
        put = draw(PIECES | st.text(max_size=8))
        text = text[:at] + put + text[at + gone :]
    return text


TEXTS = (
    spoilt()
    | st.binary(max_size=200).map(lambda data: data.decode("cp932", "surrogateescape"))
    | st.lists(PIECES, max_size=25).map("".join)
)


@examples(400)
@given(
    text=TEXTS,
    name=st.sampled_from([None, *NAMES]),
    path=st.sampled_from(["-", "a.dek", "a.cod", "a.dck", "a.ydk", "a.txt"]),
)
@example(text="<Deck><Cards Name='\ud800'/></Deck>", name="dek", path="-")
@example(text="", name="cockatrice", path="-")
@example(text="\r#created by s<<", name="dek", path="-")
def test_nothing_else_than_a_deck_or_the_users_mistake(text: str, name: str | None, path: str) -> None:
    for table in (magic(), table_for("ydk")):
        try:
            deck = table.read(text, path, name)
        except UserError as error:
            for one in error.problems:
                assert one.line is None or 1 <= one.line <= text.replace("\r", "\n").count("\n") + 1
            continue
        for line, column in [(one.line, one.column) for one in deck.entries] + [
            (one.line, one.column) for one in deck.diagnostics
        ]:
            assert 1 <= line <= len(deck.lines)
            assert 1 <= column <= len(deck.lines[line - 1]) + 1
        again = ListReader(table.game, table.catalog)(text, path, name)
        assert again == deck


@examples(200)
@given(text=spoilt(), name=st.sampled_from(["forge", "xmage", "ydk"]))
@example(text="[metadata]\nName=A\n[Ma<\n4 Lightning Bolt|M10\n[Sideboard]\n1 Opt\n", name="forge")
def test_no_line_is_dropped_in_silence(text: str, name: str) -> None:
    """A line that is no comment, no field and no layout is an entry, a heading, the deck's name or told."""
    table = table_for(name)
    try:
        deck = table.read(text, "-", name)
    except UserError:
        return
    lines = table.read.outline(text, "-", name).lines
    shown = {number for number, line in lines if isinstance(line, Heading | Title | Label | Total)}
    shown |= {number for number, line in lines if isinstance(line, Comment) and line.remark}
    known = {one.line for one in deck.entries} | {one.line for one in deck.diagnostics} | shown
    fields = False
    for number, line in enumerate(deck.lines, 1):
        bare = line.strip()
        if bare.startswith("["):
            fields = bare.strip("[] \t").casefold() in ("metadata", "general") and bare.endswith("]")
            continue
        is_comment = "#" in bare or bare.startswith(
            ("!", "//", "LAYOUT ", "NAME:", "AUTHOR:", "Name=", "Name ", "Description=", "About")
        )
        if bare and not is_comment and not (fields and name == "forge"):
            assert number in known, (line, name)


WORST = [
    "4 a " * 500, "(" * 2000, "4 " + "(A) 1 " * 300, "4 a" + " *F*" * 450, "4 a (AB) 1" + " #a" * 600,
    "[" * 1999, "4 a" + " " * 1900 + "b", "<Deck " * 300, "|" * 2000, " " * 1990 + "x",
    "SB:" + " " * 1900 + "NR:", "4" + " " * 1990 + "[", "[" + " " * 1990 + "x", "[" + "x " * 990 + "]",
    "4 a (AB) 1" + "  #a" * 480 + "##", "4 a (AB) 1" + " *F*" * 480 + "x", "4 [M10:1" + "a" * 1900,
    "4 a" + "|a" * 950,
]  # fmt: skip
"""Lines just short enough to be read, on which the patterns of the notations have most to try."""


def readings_of(name: str) -> tuple[str | None, ...]:
    """How a text is read: as of that notation and, once a game, as whatever it seems to be."""
    return (name, None) if name in ("dek", "ydk") else (name,)


@pytest.mark.parametrize("name", NAMES)
def test_long_lines_take_no_time(name: str) -> None:
    """No reader looks twice at what is too long: ten times as much takes about ten times as long."""
    table = table_for(name)
    card = {
        "dek": '<Cards Quantity="1" Sideboard="x" Name="Mountain"/>',
        "cockatrice": '<card number="x" name="Mountain"/>',
    }.get(name, "4 Mountain (M10) 146 ")
    head, tail = {
        "dek": ("<Deck>", "</Deck>"),
        "cockatrice": ('<cockatrice_deck><zone name="main">', "</zone></cockatrice_deck>"),
        "forge": ("[metadata]\n[Main]\n", ""),
        "ydk": ("#main\n", ""),
    }.get(name, ("", ""))
    most = amount(10_000_000, 40_000)
    long = [head + card * amount(30_000, 600) + tail]
    long += [head + piece * (most // len(piece)) + tail for piece in (" ", "[", "\t4", "(A) ", "|", "#")]
    for seconds, texts in ((3, WORST), (amount(8, 3), long)):
        for text in texts:
            for given_ in readings_of(name):
                with within(seconds), contextlib.suppress(UserError):
                    deck = table.read(text, "deck", given_)
                    assert all(len(one.written) <= LONGEST_LINE for one in deck.diagnostics)


def test_a_file_of_xml_that_ends_too_early_is_no_deck() -> None:
    """Half a file of lines is half a deck; half a file of XML is none, wherever it ends."""
    for name in ("dek", "cockatrice"):
        text = SAMPLES[name]
        whole = content(magic().read(text, "-", name))
        for end in range(0, len(text), amount(1, 3)):
            with contextlib.suppress(UserError):
                assert content(magic().read(text[:end], "-", name)) == whole
