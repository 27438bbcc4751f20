"""Tables without a separator of their own: columns parted by blanks, card numbers in brackets, rows of source code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deckcheck.decklists.classify import LineReader
from deckcheck.decklists.column_heads import column_role, zone_of_head, zone_role
from deckcheck.decklists.layout_rows import (
    UNKNOWN,
    UNREAD,
    Guess,
    Row,
    cost_of,
    furniture,
    span_entry,
    token_entry,
)
from deckcheck.decklists.lexer import MOST_COPIES, Token, compiled, shape_of
from deckcheck.decklists.line import LEAST_ROWS, MOST_LIKELY, NOT_READ, REMARK, USUAL, Line, invalid
from deckcheck.decklists.tables import count_column
from deckcheck.decklists.titles import has_count_or_zone
from deckcheck.decklists.vocabulary import Vocabulary, contains_zone_word, is_label

_LEAST_ROUND, _ROUND = 20, 10


def read_columns(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    """The lines of tables in which the count is the k-th number after the name, or before it."""
    tables: list[tuple[list[str], list[Row]]] = []
    heads: list[Row] = []
    for row in rows:
        roles = _roles(reader, row.text)
        if "zone" in roles and not row.tokens_of("number"):
            # If cells are missing, it isn't certain which zone a number belongs to.
            return
        if roles and not row.tokens_of("number"):
            heads.append(row)
            tables.append((roles, []))
        elif len(row.tokens_of("name")) == 1 and row.tokens_of("number"):
            if not tables:
                tables.append(([], []))
            tables[-1][1].append(row)
    result = list(lines)
    cost = 0.0
    taken: set[int] = set()
    for roles, table in tables:
        if len(table) < LEAST_ROWS or not (roles or _is_table(reader, table)):
            continue
        for row, number in zip(table, _counts(roles, table), strict=False):
            if 0 < number <= MOST_COPIES:
                result[row.at] = token_entry(reader, row.text, row.tokens_of("name")[0], number)
            else:
                result[row.at] = invalid(row.text, NOT_READ)
                cost += UNREAD
            taken.add(row.at)
    if not taken:
        return
    for head in heads:
        if any(row.at in taken for row in rows if row.at > head.at):
            result[head.at] = Line("furniture", head.text.strip())
            taken.add(head.at)
    yield _with_rest(reader, result, rows, taken, cost, headed=bool(heads))


def _with_rest(
    reader: LineReader,
    result: list[Line],
    rows: Sequence[Row],
    taken: set[int],
    cost: float,
    *,
    quoted: bool = False,
    headed: bool = False,
) -> Guess:
    """The guess for a list with a table; other lines above without a card or a number aren't unread.

    Above a table that is `headed`, they are remarks even if they might be names.
    """
    rest = [row for row in rows if row.at not in taken]
    for row in rest:
        above = quoted or row.at < min(taken)
        if above and not row.tokens_of("name") and not row.tokens_of("number"):
            is_heading = row.line.kind in ("heading", "label") and row.line.known
            is_open = has_count_or_zone(reader.words, row.text)
            is_unknown = headed and row.line.kind == "entry"
            if not is_heading and not is_open and (quoted or is_unknown or row.line.kind == "invalid"):
                result[row.at] = furniture(row.text)._replace(key=REMARK if is_unknown else "")
            else:
                result[row.at] = invalid(row.text, NOT_READ) if quoted and not is_heading else row.line
    return Guess(result, cost + cost_of([result[row.at] for row in rest], [row.text for row in rest]), quoted)


_CELL = r"[^\s|,;]+"
_SET = r"[A-Za-z]{1,5}[0-9]{1,3}[A-Za-z]?"


def _is_table(reader: LineReader, rows: Sequence[Row]) -> bool:
    """Whether rows without a head have tokens of the same kinds in the same order, and only known words."""
    words = reader.words
    if len({tuple(token.kind for token in row.tokens if token.kind != "code") for row in rows}) > 1:
        return False
    for row in rows:
        if sum(token.marked for token in row.tokens) > 1 or any(token.boxed for token in row.tokens):
            return False
        numbers = row.tokens_of("number")
        if any(first.end == second.start for first, second in pairwise(numbers)):
            return False
        if any(token.kind in ("span", "zone", "bracket", "joint", "comment") for token in row.tokens):
            return False
        for word in row.tokens_of("word"):
            text = row.text[word.start : word.end]
            if not is_label(words, words.fold(text), words.facts) and not compiled(_SET).fullmatch(text):
                return False
    return True


def _roles(reader: LineReader, line: str) -> list[str]:
    """The roles of columns separated by blanks, by their heads; [] if the line is no head."""
    cells = compiled(_CELL).findall(shape_of(line))
    if not 2 <= len(cells) <= 24:
        return []
    zones = [zone_of_head(reader.words, cell) is not None for cell in cells]
    roles: list[str] = [
        "zone" if zone else column_role(reader.words, cell) for zone, cell in zip(zones, cells, strict=True)
    ]
    return roles if "name" in roles else []


def _counts(roles: Sequence[str], table: Sequence[Row]) -> list[int]:
    """The count in each row of a table; [] if its column isn't certain."""
    if roles:
        if "count" not in roles:
            return []
        step = roles.index("count") - roles.index("name")
        found = [_number_in(row, step, len(roles)) for row in table]
        if None not in found:
            return [number for number in found if number is not None]
        if len({len(row.tokens_of("number")) for row in table}) > 1:
            return []
    tokens = [[token for token in row.tokens if token.kind in ("name", "number")] for row in table]
    distinct = {
        tuple(counts)
        for step in range(-4, 5)
        if (counts := _numbers_at(tokens, step)) and min(counts) > 0 and max(counts) <= USUAL
    }
    if len(distinct) > 1:
        # Of several columns, the only one with a round sum.
        distinct = {
            counts for counts in distinct if sum(counts) >= _LEAST_ROUND and sum(counts) % _ROUND == 0
        }
    return list(distinct.pop()) if len(distinct) == 1 else []


def _number_in(row: Row, step: int, width: int) -> int | None:
    """The number `step` cells after the name; `step` tokens after it in a row that lacks some of its `width` cells."""
    name = row.tokens_of("name")[0]
    cells = compiled(_CELL)
    before = list(cells.finditer(row.text, 0, name.start))
    after = list(cells.finditer(row.text, name.end))
    if len(before) + 1 + len(after) != width:
        return _number_at(row.tokens, step)
    beside, at = (after, step - 1) if step > 0 else (before, len(before) + step)
    if not 0 <= at < len(beside):
        return None
    cell = beside[at]
    return next(
        (token.number for token in row.tokens_of("number") if (token.start, token.end) == cell.span()), None
    )


def _number_at(row: Sequence[Token], step: int) -> int | None:
    """The number `step` tokens after the name."""
    at = next(at for at, token in enumerate(row) if token.kind == "name") + step
    return row[at].number if 0 <= at < len(row) and row[at].kind == "number" else None


def _numbers_at(rows: Sequence[Sequence[Token]], step: int) -> list[int]:
    """The numbers `step` tokens after the names; [] if any is missing."""
    numbers = [_number_at(row, step) for row in rows]
    return [number for number in numbers if number is not None] if None not in numbers else []


def read_counted_names(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> list[Line] | None:
    """The lines of a table whose cells for names begin with the counts; None for other lists.

    Its heads are a word for names, then words for facts. What follows the names below is in the other columns.
    """
    head = next((row for row in rows if _heads_facts(reader.words, row.text)), None)
    if head is None:
        return None
    result = list(lines)
    known = 0
    for row in rows:
        if row.at < head.at:
            if (
                row.line.kind == "invalid"
                and not row.tokens_of("name")
                and not has_count_or_zone(reader.words, row.text)
            ):
                result[row.at] = furniture(row.text)
            continue
        name = _counted_name(row)
        if any(token.marked or token.boxed for token in row.tokens[1:]):
            # The number in front isn't the count.
            return None
        if name is None or contains_zone_word(reader.words, shape_of(row.text[name.end :]).casefold()):
            continue
        result[row.at] = token_entry(reader, row.text, name, row.tokens[0].number)
        known += bool(name.cards)
    if known < LEAST_ROWS:
        return None
    result[head.at] = Line("furniture", head.text.strip())
    return result


def _heads_facts(words: Vocabulary, line: str) -> bool:
    """Whether a line is a word for a column of names, then words for columns of facts and remarks."""
    first, *others = [words.columns.get(words.fold(cell)) for cell in line.split()] or [None]
    return first == "name" and others[:1] == ["other"] and set(others) <= {"other", "kind"}


def _counted_name(row: Row) -> Token | None:
    """The name behind the count at the start of a row; an unknown one ends before the next number."""
    first, *others = row.tokens or (None,)
    if first is None or first.kind != "number" or not 0 < first.number <= MOST_COPIES or not others:
        return None
    if row.text[: first.start].strip() or row.text[first.end : others[0].start].strip(" \t\u3000:："):
        return None
    kinds = [token.kind for token in others]
    if kinds[0] == "name":
        # The other side of a name is no column.
        return None if row.text[others[0].end :].lstrip()[:1] in _JOINTS else others[0]
    cost = kinds.index("number") if "number" in kinds else 0
    if not cost or "name" in kinds[:cost]:
        return None
    start, end = others[0].start, others[cost].start
    return Token("name", start, start + len(row.text[start:end].rstrip()))


_JOINTS = frozenset("/／→⇔⇒<＜・+＋&＆")


def read_printings(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    """The lines of a list with the count in front and the card's number in its set in brackets behind the name."""
    table = [row for row in rows if row.tokens_of("name")]
    numbered = [row for row in table if _kinds(row) in _PRINTED]
    behind = [row.tokens[2].number for row in numbered]
    # Some of the numbers are too large for counts.
    if len(numbered) < max(LEAST_ROWS, len(table) / 2) or max(behind) <= MOST_LIKELY:
        return
    if any(row.line.kind != "entry" or not row.line.cards for row in table if row not in numbered):
        return
    result = list(lines)
    for row in numbered:
        count, name = row.tokens[:2]
        result[row.at] = token_entry(reader, row.text, name, count.number)
    yield Guess(result, cost_of([result[row.at] for row in rows], [row.text for row in rows]))


_PRINTED = (("number", "name", "boxed"), ("number", "name", "boxed", "code"))


def _kinds(row: Row) -> tuple[str, ...]:
    return tuple("boxed" if token.boxed else token.kind for token in row.tokens)


_ITEM = r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|(?<![\w.])([0-9]{1,4})(?![\w.])"

_KEY = r"[\"']?\b([A-Za-z_]\w{0,24})[\"']?[ \t]*(?::|=>)[ \t]*$"
_BARE_KEY = r"\b[A-Za-z_]\w{0,24}[ \t]*:"
_LONGEST_KEY = 40


def read_source_code(reader: LineReader, rows: Sequence[Row], lines: Sequence[Line]) -> Iterator[Guess]:
    """The lines of rows of source code: quoted strings and numbers, separated by commas."""
    table = [(row, items) for row in rows if (items := _items(row.text))]
    width = min((len(items) for _row, items in table), default=0)
    columns = [[items[at] for _row, items in table] for at in range(width)]
    keys = [{_key(item) for item in column} for column in columns]
    if any(_names_zone(reader, key) for key in {_key(item) for _row, items in table for item in items}):
        return
    strings = [at for at in range(width) if all(item[3] is None for item in columns[at])]
    known = {at: sum(bool(reader.parser.name(_unescaped(item))) for item in columns[at]) for at in strings}
    named = max(known, key=lambda at: known[at], default=None)
    numbers = [
        [int(item[3] or 0) for item in column]
        if all(_may_head_count(reader, key) for key in keys[at])
        else []
        for at, column in enumerate(columns)
    ]
    counted = count_column(numbers)
    if len(table) < LEAST_ROWS or named is None or 2 * known[named] < len(table) or counted is None:
        return
    result = list(lines)
    for (row, _cells), item, count in zip(table, columns[named], numbers[counted], strict=True):
        cards = reader.parser.name(_unescaped(item))
        result[row.at] = span_entry(reader, row.text, item.start() + 1, item.end() - 1, cards, count)
    cost = UNKNOWN * sum(not result[row.at].cards for row, _cells in table)
    yield _with_rest(reader, result, rows, {row.at for row, _cells in table}, cost, quoted=True)


def _unescaped(item: re.Match[str]) -> str:
    """The value of a string literal."""
    return compiled(r"\\(.)").sub(r"\1", item[0][1:-1])


def _key(item: re.Match[str]) -> str:
    """The key in front of a literal; "" without one."""
    start = item.start()
    match = compiled(_KEY).search(item.string[max(start - _LONGEST_KEY, 0) : start])
    return match[1] if match else ""


def _may_head_count(reader: LineReader, key: str) -> bool:
    """Whether a number behind a key may be a count: behind no key, a word for counts, or the card's name."""
    return not key or column_role(reader.words, key) == "count" or bool(reader.parser.name(key))


def _names_zone(reader: LineReader, key: str) -> bool:
    """Whether a key names a zone, or says whether a card is in the deck."""
    role = zone_role(reader.words, key) if key and not reader.parser.name(key) else None
    return role is not None and role[0] in ("zone", "flag", "used", "near")


def _items(line: str) -> list[re.Match[str]]:
    """The string and number literals of a row of source code; [] for any other line."""
    bare = line.strip().rstrip(",;")
    if len(bare) < 5 or not ((bare[0] in "[({" and bare[-1] in "])}") or bare[0] in "\"'"):
        return []
    items = list(compiled(_ITEM).finditer(line))
    # Keys may lack quotes.
    rest = compiled(_BARE_KEY).sub("", compiled(_ITEM).sub("", line))
    return items if len(items) >= 2 and not rest.strip(" \t[](){},:;=>") else []
