"""Fonts for the PDF: which is taken, what is made of it, and what is said where none will do."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from factories.examples import examples
from factories.paper import font_file
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration.sheets import fonts
from deckcheck.registration.sheets.fonts import font_for, installed
from deckcheck.support.errors import UserError

NAME = "天災 デドダム"


def made(
    chars: str,
    *,
    name: str = "Test Gothic",
    size: int = 500,
    rights: int = 0,
    blank: str = "",
) -> FontBuilder:
    """A font whose every character is a square of `size` units; those in `blank` are there and show nothing."""
    builder = FontBuilder(1000, isTTF=True)
    names = {char: f"u{ord(char):X}" for char in chars}
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap({ord(char): glyph for char, glyph in names.items()})
    glyphs = {}
    for glyph in (".notdef", *names.values()):
        pen = TTGlyphPen(None)
        if glyph not in {names[char] for char in blank}:
            pen.moveTo((0, 0))
            for corner in ((0, size), (size, size), (size, 0)):
                pen.lineTo(corner)
            pen.closePath()
        glyphs[glyph] = pen.glyph()
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *names.values()), (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": name, "styleName": "Regular", "fullName": name, "psName": "Test"})
    builder.setupOS2(fsType=rights)
    builder.setupPost()
    return builder


def put(file: Path, builder: FontBuilder) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    builder.save(file)
    return file


def height(data: bytes, char: str) -> float:
    """How high the character is in a font, of its em."""
    font = TTFont(BytesIO(data))
    pen = BoundsPen(font.getGlyphSet())
    font.getGlyphSet()[font.getBestCmap()[ord(char)]].draw(pen)
    return float(pen.bounds[3] - pen.bounds[1]) / font["head"].unitsPerEm


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder with fonts."""
    folder = tmp_path / "fonts"
    folder.mkdir()
    monkeypatch.setattr(fonts, "folders", lambda: (folder,))
    return folder


def test_outlines_of_cff_become_a_small_font_of_truetype() -> None:
    with TTFont(font_file(), lazy=True) as noto:
        assert "CFF " in noto
    font = font_for(set(NAME), str(font_file()))
    read = TTFont(BytesIO(font.data))
    assert "glyf" in read and "CFF " not in read
    assert set(read.getBestCmap()) == {ord(char) for char in NAME}
    assert len(font.data) < 20_000
    assert font.name.startswith("NotoSansCJKjp-Regular-")


@cache
def _noto() -> TTFont:
    return TTFont(BytesIO(font_file().read_bytes()))


@examples(6)
@given(
    st.sets(st.sampled_from("天災デドダム青銅の鎧フェアリー・ライフABCgjp0123456789～／＋「」"), min_size=1)
)
def test_what_is_made_has_the_outlines_and_widths_of_the_font(chars: set[str]) -> None:
    font = font_for(chars, str(font_file()))
    read, given_font = TTFont(BytesIO(font.data)), _noto()
    names, units = given_font.getBestCmap(), given_font["head"].unitsPerEm
    assert set(read.getBestCmap()) == set(map(ord, chars))
    for char in chars:
        was, now = names[ord(char)], read.getBestCmap()[ord(char)]
        assert read["hmtx"][now][0] == given_font["hmtx"][was][0]
        bounds = []
        for one, name in ((given_font, was), (read, now)):
            pen = BoundsPen(one.getGlyphSet())
            one.getGlyphSet()[name].draw(pen)
            bounds.append(pen.bounds)
        assert all(abs(a - b) <= units / 250 for a, b in zip(*bounds, strict=True)), char


def test_the_same_characters_make_the_same_font_and_others_another() -> None:
    """By name, too: reportlab takes fonts of one name for one font."""
    one, again, other = (font_for(set(chars), str(font_file())) for chars in ("天災", "災天", "天災デ"))
    assert one == again
    assert one.name != other.name and one.data != other.data


def test_a_font_of_truetype_is_taken_as_it_is(tmp_path: Path) -> None:
    font = font_for(set("ab"), str(put(tmp_path / "a.ttf", made("abc", size=700))))
    assert height(font.data, "a") == pytest.approx(0.7)
    assert set(TTFont(BytesIO(font.data)).getBestCmap()) == {ord("a"), ord("b")}


def test_missing_characters_are_named_with_the_font(tmp_path: Path) -> None:
    file = put(tmp_path / "latin.ttf", made("abc"))
    with pytest.raises(UserError) as caught:
        font_for(set("ab天鎧"), str(file))
    [problem] = caught.value.problems
    assert problem.path == str(file)
    assert (
        "天 (U+5929), 鎧 (U+93A7)" in problem.message.en
        and "天（U+5929）、鎧（U+93A7）" in problem.message.ja
    )


def test_many_missing_characters_are_counted_and_sorted_so_that_they_tell_no_name(tmp_path: Path) -> None:
    file = put(tmp_path / "latin.ttf", made("abc"))
    chars = "".join(map(chr, range(0x4E00, 0x4E00 + 50)))
    with pytest.raises(UserError) as caught:
        font_for(chars[::-1], str(file))
    message = caught.value.problems[0].message.en
    assert "and 30 more" in message and message.index(chars[0]) < message.index(chars[1])


def test_a_blank_glyph_counts_as_missing_and_a_blank_space_does_not(tmp_path: Path) -> None:
    file = put(tmp_path / "blank.ttf", made("ab 　", blank="b 　"))
    assert font_for(set("a 　"), str(file)).data
    with pytest.raises(UserError, match=r"b \(U\+0062\)"):
        font_for(set("ab"), str(file))


@pytest.mark.parametrize("rights", [0x0002, 0x0100, 0x0104, 0x0200])
def test_a_font_that_may_not_be_embedded_is_refused_and_passed_over(alone: Path, rights: int) -> None:
    forbidden = put(alone / "ipaexg.ttf", made("ab", rights=rights))
    with pytest.raises(UserError, match="licence"):
        font_for(set("ab"), str(forbidden))
    with pytest.raises(UserError, match="no font"):
        font_for(set("ab"), None)
    put(alone / "other.ttf", made("ab", size=300))
    assert height(font_for(set("ab"), None).data, "a") == pytest.approx(0.3)


@pytest.mark.parametrize("rights", [0x0000, 0x0004, 0x0008])
def test_a_font_for_preview_or_editing_may_be_embedded(tmp_path: Path, rights: int) -> None:
    assert font_for(set("a"), str(put(tmp_path / "a.ttf", made("ab", rights=rights)))).data


def test_the_best_installed_font_with_every_character_is_taken(alone: Path) -> None:
    put(alone / "sub" / "NotoSansCJK-Regular.ttc", made("ab", size=100))
    put(alone / "ipaexg.ttf", made("abc", size=200))
    put(alone / "A.ttf", made("abc天", size=300))
    assert height(font_for(set("ab"), None).data, "a") == pytest.approx(0.1)
    assert height(font_for(set("abc"), None).data, "a") == pytest.approx(0.2)
    assert height(font_for(set("abc天"), None).data, "a") == pytest.approx(0.3)


def test_upright_faces_of_usual_weight_come_first(tmp_path: Path) -> None:
    names = [
        *("NotoSansCJK-Regular.ttc", "NotoSansCJK-Light.ttc", "NotoSansCJK-Bold.ttc"),
        *("ipaexg.ttf", "YuGothR.ttc", "YuGothB.ttc", "meiryo.ttc"),
        *(
            "ヒラギノ角ゴシック W3.ttc",
            "ヒラギノ角ゴシック W8.ttc",
            "DejaVuSans.ttf",
            "DejaVuSans-Oblique.ttf",
        ),
    ]
    for name in (*names, "readme.txt"):
        (tmp_path / name).touch()
    order = [path.name for path in installed([tmp_path])]
    assert set(order) == set(names)
    for better, worse in (
        ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Light.ttc"),
        ("NotoSansCJK-Light.ttc", "NotoSansCJK-Bold.ttc"),
        ("NotoSansCJK-Bold.ttc", "ipaexg.ttf"),
        ("YuGothR.ttc", "YuGothB.ttc"),
        ("YuGothB.ttc", "meiryo.ttc"),
        ("ヒラギノ角ゴシック W3.ttc", "ヒラギノ角ゴシック W8.ttc"),
        ("ヒラギノ角ゴシック W8.ttc", "DejaVuSans.ttf"),
        ("DejaVuSans.ttf", "DejaVuSans-Oblique.ttf"),
    ):
        assert order.index(better) < order.index(worse), (better, worse)


def test_where_no_font_will_do_it_is_said_what_to_install(alone: Path) -> None:
    with pytest.raises(UserError) as caught:
        font_for({"天"}, None)
    [problem] = caught.value.problems
    assert problem.hint is not None and "--font" in problem.hint.en and "Noto Sans CJK JP" in problem.hint.ja
    put(alone / "ipaexg.ttf", made("abc"))
    with pytest.raises(UserError, match=r"ipaexg\.ttf.*天 \(U\+5929\)"):
        font_for({"天"}, None)


def test_broken_files_among_the_installed_are_passed_over(alone: Path) -> None:
    (alone / "NotoSansCJK-Regular.ttc").write_bytes(b"ttcf" + b"\xff" * 100)
    (alone / "ipag.ttf").write_bytes(b"")
    put(alone / "z.ttf", made("ab"))
    assert font_for(set("ab"), None).data


@pytest.mark.parametrize(
    "data", [b"", b"nothing of a font", b"ttcf\x00\x01\x00\x00\xff\xff\xff\xff", b"OTTO" + b"\xff" * 200]
)
def test_what_is_no_font_is_told_as_such(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "broken.ttf"
    file.write_bytes(data)
    with pytest.raises(UserError, match="can't be read as a font"):
        font_for({"a"}, str(file))


@examples(40)
@given(st.integers(0, 3000), st.integers(0, 255), st.integers(0, 3000))
def test_a_damaged_font_is_read_or_refused_but_never_breaks(at: int, byte: int, end: int) -> None:
    file = BytesIO()
    made("abc").save(file)
    data = bytearray(file.getvalue())
    data[at % len(data)] = byte
    with TemporaryDirectory() as folder:
        damaged = Path(folder) / "x.ttf"
        damaged.write_bytes(bytes(data[: len(data) - end % 50]))
        with suppress(UserError):
            assert font_for({"a"}, str(damaged)).data


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        font_for({"a"}, str(tmp_path / "none.ttf"))
    with pytest.raises(UserError, match="can't be read"):
        font_for({"a"}, str(tmp_path))


def test_a_face_of_a_collection_goes_by_its_number_or_is_the_japanese_one(tmp_path: Path) -> None:
    collection = TTCollection()
    for name, size, chars in (("X Sans KR", 100, "ab"), ("X Sans JP", 200, "ab"), ("X Sans SC", 300, "abc")):
        file = BytesIO()
        made(chars, name=name, size=size).save(file)
        collection.fonts.append(TTFont(BytesIO(file.getvalue())))
    path = tmp_path / "x.ttc"
    collection.save(path)
    assert height(font_for({"a"}, str(path)).data, "a") == pytest.approx(0.2)
    assert height(font_for({"a"}, f"{path}#0").data, "a") == pytest.approx(0.1)
    assert height(font_for({"a"}, f"{path}#2").data, "a") == pytest.approx(0.3)
    assert height(font_for({"c"}, str(path)).data, "c") == pytest.approx(0.3)
    with pytest.raises(UserError, match="holds 3 fonts"):
        font_for({"a"}, f"{path}#3")
    odd = tmp_path / "odd#1"
    odd.write_bytes(path.read_bytes())
    assert font_for({"a"}, str(odd)).data


def test_cubic_outlines_turn_the_way_that_truetype_wants() -> None:
    """Outlines go clockwise around ink and the other way around holes; some viewers fill by that."""
    font = TTFont(BytesIO(font_for({"口"}, str(font_file())).data))
    glyph = font["glyf"][font.getBestCmap()[ord("口")]]
    points, start, areas = list(glyph.coordinates), 0, []
    for end in glyph.endPtsOfContours:
        ring = points[start : end + 1]
        areas.append(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)))
        start = end + 1
    outer, inner = sorted(areas, key=abs, reverse=True)
    assert outer < 0 < inner


def test_a_variable_font_is_taken_at_its_usual_weight(tmp_path: Path) -> None:
    from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
    from fontTools.varLib import build

    space = DesignSpaceDocument()
    space.addAxis(AxisDescriptor(tag="wght", name="Weight", minimum=100, default=100, maximum=900))
    for weight, size in ((100, 100), (900, 900)):
        file = BytesIO()
        made("ab", size=size).save(file)
        space.addSource(
            SourceDescriptor(
                font=TTFont(BytesIO(file.getvalue())),
                location={"Weight": weight},
                familyName="X",
                styleName=str(weight),
            )
        )
    variable, _, _ = build(space)
    path = tmp_path / "x.ttf"
    variable.save(path)
    assert height(font_for({"a"}, str(path)).data, "a") == pytest.approx(0.4, abs=0.01)


def test_fonts_are_looked_for_where_the_system_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts.sys, "platform", "linux")
    listed = fonts.folders({"XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/one:/two"})
    assert {Path("/data/fonts"), Path("/one/fonts"), Path("/two/fonts"), Path.home() / ".fonts"} == set(
        listed
    )
    assert Path("/usr/share/fonts") in fonts.folders({})
    monkeypatch.setattr(fonts.sys, "platform", "darwin")
    assert Path("/System/Library/Fonts") in fonts.folders({})
    monkeypatch.setattr(fonts.sys, "platform", "win32")
    mine = fonts.folders({"LOCALAPPDATA": "L", "WINDIR": "W"})
    assert mine == (Path("L") / "Microsoft" / "Windows" / "Fonts", Path("W") / "Fonts")


def test_a_folder_of_fonts_that_is_not_there_is_no_mistake(tmp_path: Path) -> None:
    assert installed([tmp_path / "none"]) == []
