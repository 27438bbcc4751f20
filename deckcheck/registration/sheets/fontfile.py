"""From a font's file to a font to embed: with every character that is asked for, and small.

What is embedded is a TrueType font with the outlines of the characters that
are drawn and nothing else. Most fonts for Japanese have outlines of another
kind (CFF), which are converted.
"""

import re
from collections.abc import Collection, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import _
from deckcheck.support.text import Text

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

UNUSUAL = re.compile("bold|black|heavy|thin|italic|oblique|condensed|narrow|mono|serif|math", re.I)
"""In the names of fonts that nobody means who names none."""

_MOST_BYTES = 200 * 1024 * 1024
_MOST_FACES = 64
_MOST_NAMED = 20
_USUAL_WEIGHT = 400.0
_RESTRICTED, _NO_SUBSETTING, _BITMAPS_ONLY = 0x0002, 0x0100, 0x0200


class Font(NamedTuple):
    """A font made for one set of characters: a TrueType file, and the name that it has in itself."""

    data: bytes
    name: str


class LackingError(UserError):
    """The font is good but for some characters."""


def made_of(path: Path, index: int | None, chars: Collection[str]) -> Font:
    """The font of a file; of a collection the face that is asked for, else the best. Raises UserError."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise wrong(_("too large"), path=str(path))
        lacking: set[str] = set(chars)
        with path.open("rb") as file:
            for face in _faces(file, path, index):
                _require_embeddable(face, path)
                missing = _missing(face, chars)
                if not missing:
                    return _rebuilt(face, chars, path)
                lacking = min(lacking, missing, key=len)
    except FileNotFoundError as error:
        raise wrong(_("no such file"), path=str(path)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise wrong(_("can't be read: {reason}", reason=reason), path=str(path)) from error
    except UserError:
        raise
    except Exception as error:
        # A font's file is a program of sorts, and a broken one breaks its reader in any way.
        raise wrong(_("can't be read as a font"), path=str(path)) from error
    raise _lacking(path, lacking)


def _lacking(path: Path, missing: set[str]) -> UserError:
    """Sorted, so that the characters of a name don't tell the name."""
    named = [f"{char}（U+{ord(char):04X}）" for char in sorted(missing)[:_MOST_NAMED]]
    said = [f"{char} (U+{ord(char):04X})" for char in sorted(missing)[:_MOST_NAMED]]
    more = len(missing) - len(named)
    message = Text(
        "、".join(named) + (f" ほか{more}字" if more else ""),
        ", ".join(said) + (f" and {more} more" if more else ""),
    )
    hint = _("name another font with --font, or print the HTML")
    problem = wrong(_("the font lacks {message}", message=message), path=str(path), hint=hint)
    return LackingError(problem.problems)


def _faces(file: BinaryIO, path: Path, index: int | None) -> Iterator["TTFont"]:
    """The face of that number, else every face of the file, those for Japanese first."""
    from fontTools.ttLib import TTFont

    number = _number_of_faces(file)
    if index is not None:
        if index >= number:
            raise wrong(
                _("it holds {number} fonts, counted from #0", number=number),
                path=str(path),
            )
        yield TTFont(file, fontNumber=index, lazy=True)
        return
    faces = []
    for at in range(number):
        name = TTFont(file, fontNumber=at, lazy=True)["name"].getDebugName(4) or ""
        faces.append((not re.search(r"\bJP\b|Gothic|Meiryo", name), bool(UNUSUAL.search(name)), at))
    for _unused, _unused, at in sorted(faces):
        yield TTFont(file, fontNumber=at, lazy=True)


def _number_of_faces(file: BinaryIO) -> int:
    head = file.read(12)
    if head[:4] != b"ttcf":
        return 1
    number = int.from_bytes(head[8:12], "big")
    if not 0 < number <= _MOST_FACES:
        raise ValueError(number)
    return number


def _require_embeddable(face: "TTFont", path: Path) -> None:
    """Raises UserError where the font's maker forbids what has to be done."""
    rights = face["OS/2"].fsType if "OS/2" in face else 0
    if rights & 0x000F == _RESTRICTED or rights & (_NO_SUBSETTING | _BITMAPS_ONLY):
        raise wrong(
            _("this font's licence bits don't allow to embed it"),
            path=str(path),
        )


def _missing(face: "TTFont", chars: Collection[str]) -> set[str]:
    cmap = face.getBestCmap() or {}
    return {char for char in chars if ord(char) not in cmap}


def _rebuilt(face: "TTFont", chars: Collection[str], path: Path) -> Font:
    """A TrueType font of these characters with the face's outlines. Raises UserError for an empty glyph."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    units = face["head"].unitsPerEm
    cmap = face.getBestCmap()
    drawn = face.getGlyphSet(location=_location(face))
    names = sorted({cmap[ord(char)] for char in chars} - {".notdef"})
    order = [".notdef", *names]
    # Cubic outlines turn the other way round.
    cubic = "glyf" not in face
    glyphs = {}
    for name in order:
        outline = DecomposingRecordingPen(drawn)
        if name in drawn:
            drawn[name].draw(outline)
        pen = TTGlyphPen(None)
        outline.replay(Cu2QuPen(pen, units / 1000, reverse_direction=cubic))
        glyphs[name] = pen.glyph()
    blank = {char for char in chars if not char.isspace() and not glyphs[cmap[ord(char)]].numberOfContours}
    if blank:
        raise _lacking(path, blank)
    builder = FontBuilder(units, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({ord(char): cmap[ord(char)] for char in chars})
    builder.setupGlyf(glyphs)
    made = builder.font["glyf"]
    builder.setupHorizontalMetrics(
        {
            name: (
                round(drawn[name].width) if name in drawn else units,
                made[name].xMin if made[name].numberOfContours else 0,
            )
            for name in order
        }
    )
    head = face["hhea"]
    builder.setupHorizontalHeader(ascent=head.ascent, descent=head.descent)
    family = face["name"].getDebugName(6) or "Sheet"
    plain = re.sub(r"[^A-Za-z0-9-]", "", family) or "Sheet"
    builder.setupOS2(sTypoAscender=head.ascent, sTypoDescender=head.descent)
    builder.setupPost(keepGlyphNames=False)
    # The same font makes the same bytes at any time.
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    # A name of its own for each set of outlines: reportlab takes fonts of one name for one font.
    outlines = sha256("".join(sorted(chars)).encode() + builder.font.getTableData("glyf"))
    name = f"{plain[:40]}-{outlines.hexdigest()[:16]}"
    builder.setupNameTable({"familyName": name, "styleName": "Regular", "psName": name})
    file = BytesIO()
    builder.save(file)
    return Font(file.getvalue(), name)


def _location(face: "TTFont") -> dict[str, float] | None:
    """Where in a variable font the usual weight is; its default may be the thinnest."""
    if "fvar" not in face:
        return None
    place = {axis.axisTag: axis.defaultValue for axis in face["fvar"].axes}
    for axis in face["fvar"].axes:
        if axis.axisTag == "wght":
            place["wght"] = min(max(_USUAL_WEIGHT, axis.minValue), axis.maxValue)
    return place
