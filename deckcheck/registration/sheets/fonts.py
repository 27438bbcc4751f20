"""Which font a PDF is drawn with: the one that is named, or the best of those on this machine."""

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from deckcheck.registration.sheets.fontfile import UNUSUAL, Font, LackingError, made_of
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.files import is_file
from deckcheck.support.messages import _

ENDINGS = (".ttf", ".otf", ".ttc", ".otc")

_PREFERRED = (
    "notosanscjkjp",
    "notosanscjk",
    "notosansjp",
    "sourcehansans",
    "ipaexg",
    "ipaexgothic",
    "ipag",
    "bizudgothic",
    "bizudpgothic",
    "yugoth",
    "meiryo",
    "msgothic",
    "hiragino",
    "ヒラギノ角ゴシック",
)
"""How the file names of fonts for Japanese begin, without marks and in small letters; the best first."""

_USUAL = re.compile("(regular|book|roman|w[34]|gothicr|gothr)$", re.I)
_MOST_FILES = 5000
_MOST_OTHERS = 300


def font_for(chars: Collection[str], given: str | None) -> Font:
    """The font to draw these characters with: `given` ("FILE" or "FILE#INDEX"), else one that is installed.

    Raises UserError when there is none, when it may not be embedded, or when
    it lacks one of the characters, which are then named.
    """
    if given is not None:
        path, index = _parted(given)
        return made_of(path, index, chars)
    least: UserError | None = None
    for path in _worth_a_try(installed()):
        try:
            return made_of(path, None, chars)
        except LackingError as error:
            if least is None and _rank(path) < len(_PREFERRED):
                least = error
        except UserError:
            continue
    if least is not None:
        raise least
    raise wrong(
        _("no font with all characters of the sheets is installed"),
        hint=_("install Noto Sans CJK JP or another font for Japanese, or name a font's file with --font"),
    )


def _worth_a_try(paths: Iterable[Path]) -> Iterator[Path]:
    """All fonts that are known to be good, and some of the others: opening thousands takes minutes."""
    others = 0
    for path in paths:
        others += _rank(path) == len(_PREFERRED)
        if others <= _MOST_OTHERS:
            yield path


def _parted(given: str) -> tuple[Path, int | None]:
    path, mark, index = given.rpartition("#")
    if mark and index.isdecimal() and len(index) < 5 and not is_file(Path(given)):
        return Path(path), int(index)
    return Path(given), None


def folders(environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where this system keeps fonts, the user's own first."""
    home = Path.home()
    if sys.platform == "win32":
        local, windows = environ.get("LOCALAPPDATA"), environ.get("WINDIR", r"C:\Windows")
        mine = [Path(local) / "Microsoft" / "Windows" / "Fonts"] if local else []
        return (*mine, Path(windows) / "Fonts")
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    mine = [data / "fonts", home / ".fonts"]
    if sys.platform == "darwin":
        system = [Path("/Library/Fonts"), Path("/System/Library/Fonts")]
        return (*mine, home / "Library" / "Fonts", *system)
    shared = (environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    return (*mine, *(Path(one) / "fonts" for one in shared if one.startswith("/")))


def installed(places: Iterable[Path] | None = None) -> list[Path]:
    """The font files in these folders (default: the system's), in the order in which they are tried."""
    found: list[Path] = []
    for place in folders() if places is None else places:
        for folder, inner, names in os.walk(place):
            inner.sort()
            found += [Path(folder) / name for name in names if name.lower().endswith(ENDINGS)]
            if len(found) > _MOST_FILES:
                break
    return sorted(dict.fromkeys(found), key=_order)


def _order(path: Path) -> tuple[int, bool, bool, int, str]:
    """The best kind first; of a kind the upright face of usual weight, which often has the shortest name."""
    name = path.stem
    return _rank(path), bool(UNUSUAL.search(name)), not _USUAL.search(name), len(name), str(path)


def _rank(path: Path) -> int:
    plain = re.sub(r"[\W_]", "", path.stem).lower()
    return next((at for at, name in enumerate(_PREFERRED) if plain.startswith(name)), len(_PREFERRED))
