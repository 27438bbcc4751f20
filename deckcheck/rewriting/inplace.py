"""Single lines of a file put in the place of others: all the rest stays as it is, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deckcheck.decklists.decode import encoding_of
from deckcheck.errors import wrong


def with_lines(data: bytes, lines: Mapping[int, str | None], path: str) -> bytes:
    """The bytes of a list with other lines in the place of those named by number, None for none.

    Encoding, byte order mark and line ends stay. Raises UserError for a
    character that the encoding doesn't have.
    """
    mark, encoding = encoding_of(data)
    # A line and its end take turns.
    parts = re.split("(\r\n|\r|\n)", data[len(mark) :].decode(encoding))
    kept = []
    for number, line in enumerate(parts[::2], 1):
        end = parts[2 * number - 1] if 2 * number - 1 < len(parts) else ""
        now = lines.get(number, line)
        if now is not None:
            kept.append(now + end)
    try:
        return mark + "".join(kept).encode(encoding)
    except UnicodeEncodeError as error:
        char = error.object[error.start]
        raise wrong(
            f"この文字コード（{encoding}）では「{char}」を書けません",
            f"its encoding ({encoding}) has no {char!r}",
            path=path,
        ) from error
