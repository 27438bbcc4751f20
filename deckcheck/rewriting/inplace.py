"""Single lines of a file put in the place of others: all the rest stays as it is, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import AnyStr

from deckcheck.decklists.decode import encoding_of
from deckcheck.support.errors import user_error
from deckcheck.support.messages import _


def with_lines(data: bytes, lines: Mapping[int, str | None], path: str) -> bytes:
    """The bytes of a list with other lines in the place of those named by number, None for none.

    Encoding, byte order mark and line ends stay. Raises UserError for a
    character that the encoding doesn't have.
    """
    mark, encoding = encoding_of(data)
    rest = data[len(mark) :]
    try:
        if encoding.startswith("utf-16"):
            text = re.split("(\r\n|\r|\n)", rest.decode(encoding))
            return mark + "".join(_kept(text, lines)).encode(encoding)
        # No other byte of a character looks like a line's end, and what is not changed is not even decoded.
        now = {number: line if line is None else line.encode(encoding) for number, line in lines.items()}
        return mark + b"".join(_kept(re.split(b"(\r\n|\r|\n)", rest), now))
    except UnicodeEncodeError as error:
        char = error.object[error.start]
        raise user_error(
            _("its encoding ({encoding}) has no {char!r}", encoding=encoding, char=char),
            path=path,
        ) from error


def _kept(parts: Sequence[AnyStr], lines: Mapping[int, AnyStr | None]) -> Iterator[AnyStr]:
    """Lines and their ends, which take turns in `parts`, without those that are gone."""
    for number, line in enumerate(parts[::2], 1):
        now = lines.get(number, line)
        if now is not None:
            yield now
            yield from parts[2 * number - 1 : 2 * number]
