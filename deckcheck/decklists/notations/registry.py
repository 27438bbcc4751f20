"""The notations of other tools, and detecting them."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from deckcheck.decklists.decoding import compiled

if TYPE_CHECKING:
    from deckcheck.decklists.notations.common import Notation
    from deckcheck.decklists.vocabulary import Vocabulary

_MODULES = {
    "mtgo": "arena_moxfield_mtgo",
    "dek": "cockatrice_dek",
    "arena": "arena_moxfield_mtgo",
    "moxfield": "arena_moxfield_mtgo",
    "cockatrice": "cockatrice_dek",
    "forge": "forge_xmage_ydk",
    "xmage": "forge_xmage_ydk",
    "ydk": "forge_xmage_ydk",
}
NAMES = tuple(_MODULES)
_BY_ENDING = {"dek": ("dek",), "cod": ("cockatrice",), "dck": ("forge", "xmage"), "ydk": ("ydk",)}
_ROOTS = {"cockatrice": r"<cockatrice_deck", "dek": r"<Deck[\s/>]"}
"""The root elements of the notations that are XML."""
_XML = r"\s*+(?:<\?xml\b|<(?:cockatrice_deck|Deck)\b[^>]*+>\s*+(?:<!--[^>]*+>\s*+)*+<[A-Za-z/])"
_TREE = r"\s*+<[A-Za-z?!]"
_MOST_BEFORE_ROOT = 4096
_SECTION = r"(?im)^[ \t]*+(?:\[[a-z]++\]|[#!][ \t]*+(?:main|extra|side))[ \t]*+$"


def notation(name: str) -> "Notation":
    """The notation of a name in NAMES."""
    module = import_module(f"deckcheck.decklists.notations.{_MODULES[name]}")
    return cast("Notation", module.NOTATIONS[name])


def notation_of(words: "Vocabulary", text: str, path: str) -> str | None:
    """The notation of a text by its content, with the ending of `path` as a hint; None if not in NAMES.

    A notation that resembles plain lists is only detected if the game names it.
    """
    by_ending = _BY_ENDING.get(path.rpartition(".")[2].lower(), ())
    named_xml = not set(by_ending).isdisjoint(_ROOTS)
    if text.lstrip()[:1] == "<" and compiled(_TREE if named_xml else _XML).match(text):
        # Other XML is refused when it is read.
        detected = (name for name in _ROOTS if detects(name, text))
        return next(detected, by_ending[0] if by_ending else "dek")
    for name in dict.fromkeys((*by_ending, *_DETECTORS)):
        if name not in _ROOTS and detects(name, text, expected=name in words.notations):
            return name
    return by_ending[0] if by_ending and not named_xml and compiled(_SECTION).search(text) else None


def detects(name: str, text: str, *, expected: bool = False) -> bool:
    """Whether the content is in that notation; weak signs count only if it is `expected`."""
    if name in _ROOTS:
        return compiled(_ROOTS[name]).search(text, 0, _MOST_BEFORE_ROOT) is not None
    return _DETECTORS[name](text, expected)


# Detecting a notation by its content doesn't load its module. Patterns are possessive, so that matching takes linear time.

_LINE = r"[ \t]*+[0-9]{1,3} (?!x )[^\s][^\n]*+"
_GAP = r"(?:[ \t]*+\n)++"
# No line matches two of the parts.
_BLOCKS = rf"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)*+((?:{_LINE}\n)++){_GAP}({_LINE}(?:\n{_LINE})*+)\s*+"
_COUNTS = r"(?m)^[ \t]*+([0-9]{1,3}) "


def _is_mtgo(text: str, expected: bool) -> bool:
    """Whether there are two blocks of plain lines, the smaller one below; only if `expected`."""
    # Most plain lists have a heading, and need no pattern.
    has_gap = "\n\n" in text or "\n " in text
    may_match = expected and has_gap and not any(line[:1].isalpha() for line in text.split("\n"))
    match = compiled(_BLOCKS).fullmatch(text) if may_match else None
    if match is None:
        return False
    main, side = (sum(map(int, compiled(_COUNTS).findall(block))) for block in match.groups())
    return main > side


# "4 x Name" is a plain list. Names with a parenthesis are rare enough to be left out.
_CODED = (
    r"(?m)^[ \t]*+(?:SB:[ \t]*+)?+[0-9]{1,4}+x?+[ \t]++(?!x )[^\n#|(]++(?<=[ \t])"
    r"\([A-Z0-9_]{2,8}\)[ \t]++[^\s()*#]{1,12}+(?!\S)"
)
_STATEMENT = r"(?m)^[ \t]*+(?:[^\s#/]|/(?!/))"


def _is_coded(text: str) -> bool:
    """Whether at least half of the lines that aren't comments are cards with a set and a number."""
    if ") " not in text:
        return False
    coded = len(compiled(_CODED).findall(text))
    return coded > 0 and 2 * coded >= len(compiled(_STATEMENT).findall(text))


_ABOUT = "About\nName "
_HEADS = "(?:Commander|Companion|Deck|Sideboard)"
_BEGIN = rf"\s*+{_ABOUT}\S[^\n]*+\n\s*+{_HEADS}[ \t]*+\n"
_HEAD = rf"(?m)^{_HEADS}[ \t]*+$"
_COMPANION = r"(?m)^Companion[ \t]*+$"
_CARD = r"[ \t]*+[0-9]{1,3} (?!x )\S[^\n]*+\n"
_NOTHING = r"(?:[ \t]*+(?:(?:#|//)[^\n]*+)?+\n)"
# Web sites export "for Arena" with headings, but only counts and names.
_BARE = rf"{_NOTHING}*+(?:{_HEADS}[ \t]*+\n(?:{_CARD})++{_NOTHING}*+){{2,5}}+"


def _is_arena(text: str, expected: bool) -> bool:
    """Whether it begins with Arena's lines for the name, or has headings and cards with set and number.

    If expected, a companion heading with plain lines below is enough.
    """
    if _ABOUT in text and compiled(_BEGIN).match(text) is not None:
        return True
    if (
        expected
        and "\n\n" in text
        and "Companion" in text
        and compiled(_COMPANION).search(text)
        and compiled(_BARE).fullmatch(text + "\n")
    ):
        return True
    return _is_coded(text) and (expected or compiled(_HEAD).search(text) is not None)


_MOXFIELD = r"(?m)\*[FE]\*|^(?:SIDEBOARD|COMMANDER|COMPANION|MAYBEBOARD|CONSIDERING|TOKENS)S?:[ \t]*+$"
_TAGGED = r"\)[ \t]++[^\s()]++[ \t]++#"


def _is_moxfield(text: str, expected: bool) -> bool:
    """Whether most lines have a set and a number, and there is a sign that only Moxfield writes."""
    signs = (_MOXFIELD, _TAGGED) if expected else (_MOXFIELD,)
    return _is_coded(text) and any(compiled(sign).search(text) for sign in signs)


_METADATA = r"(?im)^[ \t]*+\[metadata\][ \t]*+$"
_MAIN = r"(?im)^[ \t]*+\[main\][ \t]*+$"
_PIPED = r"(?m)^[ \t]*+[0-9]{1,3} [^\s|][^|\n]*+\|[A-Z0-9_]{2,8}+(?:\|[^|\s]++)*+[ \t]*+$"


def _is_forge(text: str, _expected: bool) -> bool:
    """Whether there is a [metadata] section, or a [Main] and cards with sets after bars."""
    if "[" not in text:
        return False
    return compiled(_METADATA).search(text) is not None or (
        compiled(_MAIN).search(text) is not None and compiled(_PIPED).search(text) is not None
    )


BEFORE_XMAGE_CARD = r"[ \t]*+(?P<side>SB:)?+[ \t]*+(?:NR:)?+[ \t]*+"
_XMAGE = rf"(?m)^{BEFORE_XMAGE_CARD}[0-9]{{1,3}}+[ \t]*+\[[A-Za-z0-9_]++:[^\[\]:\s]++\][ \t]*+\S"


def _is_xmage(text: str, _expected: bool) -> bool:
    """Whether a card follows its set and number in brackets."""
    return "[" in text and compiled(_XMAGE).search(text) is not None


PASSCODE = r"[0-9]{1,10}"
YDKE = r"ydke://(?P<parts>[A-Za-z0-9+/=]*+(?:![A-Za-z0-9+/=]*+){0,3})"
"""Matches a link that holds a deck."""
_YDK_MAIN = r"(?im)^#[ \t]*+main[ \t]*+$"


def _is_ydk(text: str, _expected: bool) -> bool:
    """Whether there is a link with a deck; or a #main, and all other lines but comments and sections are numbers."""
    if "ydke://" in text and compiled(YDKE).search(text) is not None:
        return True
    if "#main" not in text or compiled(_YDK_MAIN).search(text) is None:
        return False
    rows = [row for line in text.split("\n") if (row := line.strip()) and row[0] not in "#!"]
    return bool(rows) and all(compiled(PASSCODE).fullmatch(row) for row in rows)


_DETECTORS: Mapping[str, Callable[[str, bool], bool]] = {
    "forge": _is_forge,
    "xmage": _is_xmage,
    "ydk": _is_ydk,
    "moxfield": _is_moxfield,
    "arena": _is_arena,
    "mtgo": _is_mtgo,
}
