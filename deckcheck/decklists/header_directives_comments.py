"""The header of a list (`# format: …`), its directives (`# deckcheck: ignore[RULE] reason`), and cards with counts in comments, which are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from deckcheck.decklists.decoding import compiled, has_other_line_ends, shape_of
from deckcheck.decklists.lines import LONGEST_LINE, MOST_LIKELY, HeaderLine
from deckcheck.model.deck import Deck, Diagnostic, Directive
from deckcheck.model.finding import FindingId
from deckcheck.support.dates import how_to_write, no_such_day, parse_day, today
from deckcheck.support.errors import UserError, placed_at, user_error
from deckcheck.support.messages import Words, _, card_name, shortened

if TYPE_CHECKING:
    from deckcheck.decklists.line_reader import LineReader

KEYS = ("format", "date", "as-of", "best-of", "deck", "player", "expect")
_OTHER_NAMES = {
    "name": "deck",
    "deckname": "deck",
    "deck-name": "deck",
    "asof": "as-of",
    "bestof": "best-of",
    "フォーマット": "format",
    "デッキ": "deck",
    "デッキ名": "deck",
    "title": "deck",
    "タイトル": "deck",
    "日付": "date",
    "プレイヤー": "player",
}
_MOST_LINES = 200
_MOST_ABOVE = 5
"""The number of other lines that may precede an unmarked header."""
_LONGEST_KEY, _LONGEST_TITLE = 12, 200
_LABEL = (
    r"[^\w]*(?P<label>\w[\w -]{0,11})[^\w\s]+[ \t\u3000]*(?P<title>[^ \t\u3000].*?)[】\]》」』＞> \t\u3000]*"
)


def header_key(word: str) -> str | None:
    """The header key for `word`, None if there is none."""
    if not word or len(word) > _LONGEST_KEY:
        return None
    key = word.strip().casefold().replace("_", "-").replace(" ", "-")
    key = _OTHER_NAMES.get(key, key)
    return key if key in KEYS else None


def header_parts(line: str) -> tuple[str, str, bool]:
    """The word before the first colon ("" without one), the value after it, and whether it is a comment."""
    bare = line.strip()
    marked = bare.startswith(("#", "//"))
    if ":" not in bare and "：" not in bare:
        return "", "", marked
    word, value = compiled("[:：]").split(bare.lstrip("#/") if marked else bare, 1)
    return word.strip(), value.strip(), marked


def header_line(line: str) -> HeaderLine | None:
    """A line with a header (`# key: value`, `// key: value`, `key: value`); None for other lines.

    The deck's name has to be marked, since `Deck: 40` is a heading.
    """
    word, value, marked = header_parts(line)
    key = header_key(word)
    return HeaderLine(key, value) if key and value and (marked or key != "deck") else None


def without_label(title: str) -> str:
    """A title without the word in front that says that it is one (`【デッキ名】…`, `デッキ名：…`)."""
    match = compiled(_LABEL).fullmatch(title) if len(title) <= _LONGEST_TITLE else None
    return match["title"] if match is not None and header_key(match["label"]) == "deck" else title


def misspelt_header(line: str) -> tuple[str, str] | None:
    """The key as written in a line that is no header, and the similar header key; None for other lines."""
    word = header_parts(line)[0]
    if not 3 <= len(word) <= _LONGEST_KEY or not word.isascii() or header_key(word) is not None:
        return None
    from difflib import get_close_matches

    close = get_close_matches(word.casefold().replace("_", "-"), sorted(KEYS), 1, 0.8)
    return (word, close[0]) if close else None


def read_header(text: str) -> dict[str, str]:
    """The header of a list in any notation, by lower-case keys; {} if it has none.

    Reads the top of a text list, where only an unmarked header may follow a title or links, or the top level
    of YAML and JSON. Ignores malformed input, which the reader reports.
    """
    if text.lstrip()[:1] == "{":
        return json_header(text, header_key)
    header: dict[str, str] = {}
    mapping = False
    others = 0
    for line in text.splitlines()[:_MOST_LINES]:
        bare = line.strip()
        if not bare or (mapping and (":" not in bare or line[0] in " \t-")):
            continue
        word, value, marked = header_parts(line)
        key = header_key(word)
        if key and value and (not others if marked else mapping or key != "deck"):
            mapping = mapping or not marked
            if value := value if marked else plain_value(value):
                header.setdefault(key, value)
        elif bare == "---" or bare.endswith(":"):
            mapping = True
        elif not mapping and not marked:
            others += 1
        if others > _MOST_ABOVE:
            break
    return header


def header_place(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """Line and column (both 1-based) of the header `key` in a list of any notation; None without it."""
    for number, line in enumerate(lines[:_MOST_LINES], 1):
        bare = line.lstrip("#/{,\"' \t\u3000")
        word = bare.replace("：", ":").partition(":")
        if word[1] and header_key(word[0].strip("\"' \t")) == key:
            return number, len(line) - len(line.lstrip()) + 1
    return None


def lost_format(lines: Sequence[str]) -> tuple[int, Words] | None:
    """The number of the line that names a format too low or by a misspelt key, and what is wrong; None without one."""
    for number, line in enumerate(lines[:_MOST_LINES], 1):
        header, wrong = header_line(line), misspelt_header(line)
        if header is not None and header.key == "format":
            return number, _("put this line at the top")
        if wrong is not None and wrong[1] == "format":
            return number, no_header(*wrong)
    return None


def no_header(word: str, key: str) -> Words:
    """The message for a misspelt header, with the similar key."""
    return _("there is no header {word!r}; did you mean {key!r}?", word=word, key=key)


def day_of(deck: Deck, as_of: str | None = None) -> str:
    """The day of a check: as given, else that of the list, else today. Raises UserError, with place."""
    key = "as-of" if deck.header.get("as-of") else "date"
    written = as_of if as_of is not None else deck.header.get(key)
    if written is None:
        return today().isoformat()
    day = parse_day(written)
    if day is None:
        error = user_error(no_such_day(written), hint=how_to_write(written))
        raise error_in_header(error, "" if as_of is not None else key, deck.lines, deck.path)
    return day.isoformat()


def games_of(deck: Deck, best_of: int | None = None) -> int | None:
    """The games of a match: as given, else those of the list, else None. Raises UserError, with place."""
    written = deck.header.get("best-of")
    if best_of is not None or written is None:
        return best_of
    if not written.isdecimal() or len(written) > 9:
        error = user_error(_("best-of is not a number: {text}", text=written))
        raise error_in_header(error, "best-of", deck.lines, deck.path)
    return int(written)


def error_in_header(error: UserError, key: str, lines: Sequence[str], path: str) -> UserError:
    """The error with the line of the header `key`, unless it has a place."""
    line, column = header_place(lines, key) or (None, None)
    return placed_at(error, path, line, column, lines[line - 1] if line else None)


TWICE = _("this header is given above with another value")


def without_repeated_format(deck: Deck, is_format: Callable[[str], bool]) -> Deck:
    """The deck without the problem that its header names the format again in another spelling, as `is_format` says."""
    if not is_format(deck.header.get("format", "")):
        return deck
    rest = (
        item
        for item in deck.diagnostics
        if item.message != TWICE
        or not is_format(item.written)
        or header_key(header_parts(deck.lines[item.line - 1])[0]) != "format"
    )
    return replace(deck, diagnostics=tuple(rest))


def plain_value(value: str) -> str:
    """A one-line YAML scalar without its quotes or a trailing comment."""
    value = value.strip()
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    return "" if value.startswith("#") else value.partition(" #")[0].strip()


def json_header(text: str, key_of: Callable[[str], str | None]) -> dict[str, str]:
    """The top-level text and integer values of a JSON object, by `key_of` their names; {} for other input."""
    import json

    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    header: dict[str, str] = {}
    if isinstance(tree, dict):
        for word, value in tree.items():
            key = key_of(word)
            if key and isinstance(value, str | int) and not isinstance(value, bool):
                header.setdefault(key, str(value))
    return header


# Directives: `# deckcheck: ignore[RULE] reason`.

DIRECTIVE = "deckcheck"
MOST_RULES = 50
MOST_DIRECTIVES = 1_000

_MARK = r"(?:(?<![#＃])[#＃]++|//)[ \t　]*deckcheck[ \t　]*[:：][ \t　]*(?P<words>.*)"
_IGNORE = r"(?P<what>ignore(?P<whole>-file)?)[ \t　]*[\[［](?P<rules>[^\]］]*)[\]］][ \t　]*(?P<reason>.*)"
_BETWEEN = r"[\s,、，]+"


class Extracted(Struct, frozen=True):
    """The text without directives, lines and columns unchanged; the directives; their source text by line."""

    text: str
    directives: tuple[Directive, ...]
    sources: Mapping[int, str]


def extract_directives(text: str, *, sheet: bool = False) -> Extracted:
    """A list separated from its directives.

    A directive extends from its `#` or `//` to the end of the line; within a quoted cell of a `sheet`, to the
    end of the cell. A malformed directive, and the first one beyond MOST_DIRECTIVES, is a Directive with a
    problem; the rest beyond the limit stay ordinary comments.
    """
    lines = text.split("\n")
    directives: list[Directive] = []
    sources: dict[int, str] = {}
    for number, line in enumerate(lines, 1):
        is_read = DIRECTIVE in line and len(line) <= LONGEST_LINE and not has_other_line_ends(line)
        match = compiled(_MARK).search(line) if is_read else None
        # Directives beyond the limit aren't read, so they stay in the text.
        if match is None or len(directives) > MOST_DIRECTIVES:
            continue
        end = _cell_end(line, match.start()) if sheet else len(line)
        words = line[match.start("words") : end].strip()
        sources[number] = words.replace('""', '"') if end < len(line) else words
        directive = _directive(sources[number], number, match.start() + 1)
        if len(directives) == MOST_DIRECTIVES:
            message = _(
                "too many instructions to deckcheck (at most {most_directives:,})",
                most_directives=MOST_DIRECTIVES,
            )
            directive = Directive(False, (), "", number, match.start() + 1, message)
        directives.append(directive)
        # A line with nothing else stays a comment, since an empty line may begin another zone.
        lines[number - 1] = (line[: match.start()].rstrip() + line[end:]) or "#"
    return Extracted("\n".join(lines), tuple(directives), sources)


_QUOTED = r'(?:^|(?<=[,;\t]))"(?:[^"]|"")*+"'


def _cell_end(line: str, index: int) -> int:
    """The index of the quote that closes the cell around `index`; the end of the line outside quotes."""
    quoted = (cell for cell in compiled(_QUOTED).finditer(line) if cell.start() < index < cell.end())
    return next((cell.end() - 1 for cell in quoted), len(line))


def _unread(how: Words) -> Words:
    return _("{no_sense}; {how}", no_sense=_("this instruction to deckcheck can't be read"), how=how)


def _directive(words: str, line: int, column: int) -> Directive:
    match = compiled(_IGNORE).fullmatch(words)
    if match is None:
        wrong = _unread(_("write “ignore[RULE] reason” or “ignore-file[RULE] reason”"))
        return Directive(False, (), "", line, column, wrong)
    rules = tuple(filter(None, dict.fromkeys(compiled(_BETWEEN).split(match["rules"].strip()))))
    problem = None if rules else _("this doesn't say which rule is meant")
    if len(rules) > MOST_RULES:
        problem = _("too many rules (at most {most_rules})", most_rules=MOST_RULES)
    whole = match["whole"] is not None
    return Directive(whole, rules[:MOST_RULES], match["reason"].strip(), line, column, problem)


# Cards in comments.

_COMMENT = r"[#＃]|(?<![:：])//|／／|<!--|/\*"
_COMMENT_IN_MARKUP = "<!--|<comments>"
_BLOCKS = {"<!--": "-->", "<comments>": "</comments>", "/*": "*/"}
_MOST_NAMED = 4


def cards_in_comments(reader: LineReader, deck: Deck, *, is_markup: bool = False) -> Diagnostic | None:
    """One diagnostic, at the first, for all comments of a text that hold a card and its count; None without any."""
    lines = list(deck.lines)
    for entry in deck.entries:
        # Signs within names begin no comment.
        line = lines[entry.line - 1]
        lines[entry.line - 1] = line.replace(entry.written, "x" * len(entry.written))
    commented: list[tuple[int, int, str]] = []
    end = ""
    for number, line in enumerate(lines, 1):
        opened = compiled(_COMMENT_IN_MARKUP if is_markup else _COMMENT).search(line)
        start = 0 if end else opened.start() if opened is not None else None
        if start is None or len(line) > LONGEST_LINE:
            continue
        if not end and opened is not None and opened[0] in _BLOCKS and _BLOCKS[opened[0]] not in line:
            end = _BLOCKS[opened[0]]
        elif end and end in line:
            end = ""
        if (DIRECTIVE in line or header_line(line) is not None) and not end:
            continue
        comment = line[start:].lstrip("#＃/／*<!- ")
        if not any(map(str.isnumeric, shape_of(comment))):
            continue
        row = reader.row(comment)
        # A larger number is a year, a price or a rating.
        numbers = [one for one in row.numbers if one.taken is None and one.value <= MOST_LIKELY]
        if comment.isdecimal() and reader.find(comment):
            commented.append((number, len(line) - len(comment) + 1, comment))
        elif row.names and numbers:
            name = row.names[0]
            column = len(line) - len(comment) + name.start + 1
            commented.append((number, column, comment[name.start : name.end]))
    if not commented:
        return None
    names = list(dict.fromkeys(name for _number, _column, name in commented))
    message = _(
        "commented out, so not counted: {cards}",
        cards=shortened([card_name(name) for name in names], _MOST_NAMED),
    )
    number, column, first = commented[0]
    return Diagnostic(FindingId.CARD_IN_COMMENT, message, number, column, None, first)
