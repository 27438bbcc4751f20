"""Fonts for the PDF: which is taken, and what is said where none will do."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pypdfium2 as pdfium
import pytest
from factories import printed_sheets
from factories.examples import examples
from factories.printed_sheets import font_file
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.registration import sheet_rendering as pdf
from deckcheck.support.errors import UserError


def fonts_in(data: bytes) -> set[str]:
    """The names of the fonts that the first page of a PDF is drawn with."""
    document = pdfium.PdfDocument(data)
    names = {
        str(text.get_font().get_base_name())
        for text in document[0].get_objects([pdfium.raw.FPDF_PAGEOBJ_TEXT])
    }
    document.close()
    return names


def refusal(font: Path | str) -> str:
    with pytest.raises(UserError) as caught:
        pdf.render_pdf([printed_sheets.legal()], str(font))
    [problem] = caught.value.problems
    return problem.in_("en")


def test_the_font_that_is_named_is_taken_and_embedded(tmp_path: Path) -> None:
    odd = tmp_path / "odd#1"
    shutil.copyfile(font_file(), odd)
    for font in (str(font_file()), f"{font_file()}#0", str(odd)):
        data = pdf.render_pdf([printed_sheets.legal()], font)
        assert b"FontFile" in data
        assert {name.partition("+")[2] for name in fonts_in(data)} == {"NotoSansCJKjp-Regular"}
        assert "天災デドダム" not in data.decode("latin-1") and len(data) < 200_000


def test_the_best_installed_font_is_taken_the_upright_one_of_usual_weight() -> None:
    families = [
        *("DejaVu Sans", "Zapf Dingbats", "Yu Gothic", "IPAexGothic", "Meiryo"),
        *("Noto Sans CJK JP", "Noto Sans JP", "Hiragino Kaku Gothic ProN"),
    ]
    faces = [
        SimpleNamespace(family=family, style=style, weight=weight, path=f"/{family}", index=0)
        for family in families
        for style in ("italic", "normal")
        for weight in (900, 400, 100)
    ]
    ordered = sorted(faces, key=pdf._order)
    assert (ordered[0].family, ordered[0].style, ordered[0].weight) == ("Noto Sans CJK JP", "normal", 400)
    best = list(dict.fromkeys(face.family for face in ordered))
    assert best[1:3] == ["Noto Sans JP", "IPAexGothic"] and best[-2:] == ["DejaVu Sans", "Zapf Dingbats"]


@pytest.mark.parametrize(
    "data", [b"", b"nothing of a font", b"ttcf\x00\x01\x00\x00\xff\xff\xff\xff", b"OTTO" + b"\xff" * 200]
)
def test_what_is_no_font_is_told_as_such(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "broken.ttf"
    file.write_bytes(data)
    assert "can't be read as a font" in refusal(file)


@examples(4)
@given(st.integers(0, 3000), st.integers(0, 255))
def test_a_damaged_font_is_read_or_refused_but_never_breaks(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int
) -> None:
    data = bytearray(font_file().read_bytes())
    data[at] = byte
    damaged = tmp_path_factory.mktemp("damaged") / "x.otf"
    damaged.write_bytes(data)
    try:
        assert pdf.render_pdf([printed_sheets.legal()], str(damaged)).startswith(b"%PDF-")
    except UserError as error:
        assert error.problems


def test_a_file_that_is_not_there_or_holds_no_such_font_is_told(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "none.ttf")
    assert "can't be read" in refusal(tmp_path)
    assert "holds 1 fonts, counted from #0" in refusal(f"{font_file()}#3")


def test_where_no_font_is_installed_it_is_said_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typst.Fonts", lambda **_: SimpleNamespace(fonts=list))
    with pytest.raises(UserError, match="no font is installed") as caught:
        pdf.render_pdf([printed_sheets.legal()])
    hint = caught.value.problems[0].hint
    assert hint is not None and "--font" in hint.in_("en")


def test_common_characters_need_a_font_and_rare_ones_do_not() -> None:
    assert all(pdf._common(char) for char in "aあア山鎧「／")
    assert not any(pdf._common(char) for char in "\U0001f600\U0002000b\ue000क")
