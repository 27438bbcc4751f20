"""Sheets as PDF, by a typst template. The fonts are embedded, so they print alike everywhere."""

import json
import re
import shutil
import struct
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.registration.html import TEMPLATES
from deckcheck.registration.sheet_layout import document
from deckcheck.registration.sheets import Page
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_read, is_file
from deckcheck.support.messages import _

if TYPE_CHECKING:
    from typst import FontInfo, Fonts

_PREFERRED = (
    *("notosanscjkjp", "notosansjp", "sourcehansansjp", "sourcehansans", "ipaexgothic", "ipagothic"),
    *("bizudgothic", "bizudpgothic", "yugothic", "meiryo", "msgothic", "hiraginosans", "hiraginokakugothic"),
    *("notosanscjk", "notosans", "dejavusans", "liberationsans", "arial", "helvetica"),
)
"""How the families of good fonts begin, without marks and in small letters; those for Japanese first."""

_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""Of variants; they are drawn with the character before them."""
_MOST_BYTES = 200 * 1024 * 1024
_MOST_NAMED = 20
_RESTRICTED, _NO_SUBSETTING, _BITMAPS_ONLY = 0x0002, 0x0100, 0x0200


class Face(NamedTuple):
    """The fonts that typst may draw with, and the one that it is to take wherever that has the character."""

    fonts: "Fonts"
    family: str
    weight: int
    style: str


def render(pages: Sequence[Page], font: str | None = None) -> bytes:
    """The file, at least one sheet in it; the same sheets with the same fonts give the same bytes.

    `font` is "FILE" or "FILE#INDEX"; without it the best font of this machine
    is taken. What that lacks is drawn with any other font of this machine, and
    what none has is written out as a number. Raises UserError where typst is
    missing, for a font that can't be used, and where no font for Japanese is installed.
    """
    try:
        from typst import Compiler
    except ImportError as error:
        raise user_error(_("PDF needs more libraries: pip install 'deckcheck[pdf]'")) from error
    with TemporaryDirectory() as folder:
        face = _best(_fonts()) if font is None else _given(font, Path(folder))
        data = document(pages)
        data["font"] = {"families": [face.family], "weight": face.weight, "style": face.style}
        text = json.dumps(data, ensure_ascii=False)
        lacking = _lacking(face, set(text))
        if any(_common(char) for char in lacking):
            named = ", ".join(f"{char} (U+{ord(char):04X})" for char in lacking[:_MOST_NAMED])
            named += " …" if len(lacking) > _MOST_NAMED else ""
            raise user_error(
                _("no installed font has these characters: {characters}", characters=named),
                hint=_(
                    "install Noto Sans CJK JP or another font for Japanese, or name a font's file with --font"
                ),
            )
        # Within the strings of JSON, where a backslash is written twice.
        written_out = {ord(char): f"\\\\U{ord(char):08x}" for char in lacking}
        compiler = Compiler(
            (TEMPLATES / "sheets.typ").read_bytes(),
            font_paths=face.fonts,
            sys_inputs={"data": text.translate(written_out)},
        )
        made = compiler.compile(format="pdf", timestamp=0, pdf_tags=False)
    assert isinstance(made, bytes)
    return made


def _best(fonts: "Fonts") -> Face:
    allowed = [face for face in fonts.fonts() if not _forbidden(face)]
    if not allowed:
        raise user_error(_("no font is installed"), hint=_("name a font's file with --font"))
    return _face(fonts, allowed)


def _given(font: str, folder: Path) -> Face:
    """The font of that file; of a collection the face that is asked for, else the best. Raises UserError."""
    name, mark, number = font.rpartition("#")
    numbered = mark and number.isdecimal() and len(number) < 5 and not is_file(Path(font))
    path = Path(name if numbered else font)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise user_error(_("too large"), path=str(path))
        with path.open("rb") as file:
            collection = file.read(4) == b"ttcf"
        # typst takes folders of fonts, and in them only what is named as a font.
        copy = folder / ("font.ttc" if collection else "font.ttf")
        shutil.copyfile(path, copy)
    except OSError as error:
        raise cannot_read(path, error) from error
    fonts = _fonts(folder)
    faces = [face for face in fonts.fonts() if face.path is not None and Path(face.path) == copy]
    if not faces:
        raise user_error(_("can't be read as a font"), path=str(path))
    chosen = [face for face in faces if face.index == int(number)] if numbered else faces
    if not chosen:
        raise user_error(_("it holds {number} fonts, counted from #0", number=len(faces)), path=str(path))
    allowed = [face for face in chosen if not _forbidden(face)]
    if not allowed:
        raise user_error(_("this font's licence bits don't allow embedding it"), path=str(path))
    return _face(fonts, allowed)


def _fonts(folder: Path | None = None) -> "Fonts":
    """The fonts of this machine, and those of a folder."""
    from typst import Fonts

    return Fonts(include_embedded_fonts=False, font_paths=[] if folder is None else [str(folder)])


def _face(fonts: "Fonts", faces: Sequence["FontInfo"]) -> Face:
    best = min(faces, key=_order)
    return Face(fonts, best.family, best.weight, best.style)


def _order(face: "FontInfo") -> tuple[int, bool, int, str, int]:
    """The best family first; of a family the upright face of usual weight."""
    plain = re.sub(r"[\W_]", "", face.family).lower()
    rank = next((at for at, name in enumerate(_PREFERRED) if plain.startswith(name)), len(_PREFERRED))
    return rank, face.style != "normal", abs(face.weight - 400), face.path or "", face.index


def _forbidden(face: "FontInfo") -> bool:
    """Whether the font's maker forbids to embed it in part, or its file says nothing that could be read."""
    try:
        with Path(face.path or "").open("rb") as file:
            start = 0
            if file.read(4) == b"ttcf":
                file.seek(12 + 4 * face.index)
                [start] = struct.unpack(">I", file.read(4))
            file.seek(start + 4)
            [tables] = struct.unpack(">H6x", file.read(8))
            for _table in range(tables):
                tag, offset = struct.unpack(">4s4xI4x", file.read(16))
                if tag == b"OS/2":
                    file.seek(offset + 8)
                    [rights] = struct.unpack(">H", file.read(2))
                    return rights & 0x000F == _RESTRICTED or bool(rights & (_NO_SUBSETTING | _BITMAPS_ONLY))
    except (OSError, struct.error):
        return True
    return False


def _lacking(face: Face, chars: Collection[str]) -> list[str]:
    """The characters that no font has, sorted, so that those of a name don't tell the name.

    Found out by typst itself: an archival PDF may not hold what no font can draw.
    """
    from typst import Compiler, TypstError

    shown = [char for char in sorted(chars) if not char.isspace() and not re.match(_SELECTORS, char)]
    probe = Compiler(
        b"#let data = json(bytes(sys.inputs.data))\n"
        b"#set text(font: data.family, weight: data.weight, style: data.style)\n"
        b"#for char in data.chars [#char #linebreak()]",
        font_paths=face.fonts,
        sys_inputs={"data": json.dumps({**face._asdict(), "fonts": None, "chars": shown})},
    )
    try:
        probe.compile(format="pdf", timestamp=0, pdf_standards=["a-2b"])
    except TypstError as error:
        named = re.findall(r'error: the text `"(?:\\u\{([0-9a-f]+)\}|\\?(.))', error.diagnostic, re.S)
        return sorted({chr(int(code, 16)) if code else char for code, char in named})
    return []


def _common(char: str) -> bool:
    """Whether every font for Japanese has the character."""
    try:
        return bool(char.encode("shift_jis"))
    except UnicodeEncodeError:
        return False
