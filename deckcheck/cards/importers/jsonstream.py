"""Reads JSON of any size value by value."""

import itertools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from deckcheck.cards.importers.unpack import Reader, ends_too_early, unpacked
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.messages import _

MOST_DEPTH = 40
_BOM = b"\xef\xbb\xbf"

Event = tuple[str, Any]
Events = Iterator[Event]

OPENING = ("start_map", "start_array")
CLOSING = ("end_map", "end_array")


def events(reader: Reader) -> Events:
    """What stands in the stream, piece by piece: ("map_key", "name"), ("string", …), ("start_array", None), …

    Raises UserError with the place where the file ends too early, is no JSON
    or is nested too deeply.
    """
    ijson = _parser()
    if reader.peek(3) == _BOM:
        reader.read(3)
    depth = 0
    try:
        for event in ijson.basic_parse(reader, use_float=True):
            if event[0] in OPENING:
                depth += 1
                if depth > MOST_DEPTH:
                    raise wrong(
                        _("nested too deeply (before byte {at:,})", at=reader.at),
                        path=str(reader.path),
                        line=reader.line,
                    )
            elif event[0] in CLOSING:
                depth -= 1
            yield event
    except ijson.JSONError as error:
        raise _no_json(reader, ijson) from error


def _parser() -> Any:
    try:
        import ijson
    except ImportError as error:
        raise wrong(
            _("reading large JSON takes one more library"),
            hint=_("run pip install 'deckcheck[bulk]'"),
        ) from error
    return ijson


def _no_json(reader: Reader, ijson: Any) -> UserError:
    """Where exactly: the parser only knows the piece, so that is gone through once more, byte by byte."""
    if reader.piece_at == reader.at:
        return ends_too_early(reader.path, reader.at, reader.line)
    at, line = _place(reader.path, reader.piece_at, ijson) or (reader.at, reader.line)
    return wrong(
        _("is not JSON (at byte {at:,})", at=at),
        path=str(reader.path),
        line=line,
    )


def _place(path: Path, start: int, ijson: Any) -> tuple[int, int] | None:
    with unpacked(path, lambda _: None, slowly_from=start) as reader:
        if reader.peek(3) == _BOM:
            reader.read(3)
        try:
            for _ in ijson.basic_parse(reader, use_float=True):
                pass
        except ijson.JSONError:
            return reader.at, reader.line
    return None


def value_of(events: Events, event: Event, leave_out: Collection[str] = ()) -> Any:
    """The value that begins with `event`, without the keys in `leave_out`, however deep they stand."""
    if event[0] not in OPENING:
        return event[1]
    top: Any = {} if event[0] == "start_map" else []
    stack: list[Any] = []
    here = top
    key = ""
    for kind, value in events:
        if kind == "map_key":
            if value in leave_out:
                skip(events, next(events))
            else:
                key = value
        elif kind in CLOSING:
            if not stack:
                return top
            here = stack.pop()
        else:
            inner = {} if kind == "start_map" else [] if kind == "start_array" else value
            if type(here) is list:
                here.append(inner)
            else:
                here[key] = inner
            if kind in OPENING:
                stack.append(here)
                here = inner
    return top


def skip(events: Events, event: Event) -> None:
    """Go past the value that begins with `event`."""
    depth = 1 if event[0] in OPENING else 0
    while depth:
        kind = next(events)[0]
        depth += (kind in OPENING) - (kind in CLOSING)


def pairs(events: Events) -> Iterator[tuple[str, Event]]:
    """The keys of a map just begun, each with the event that begins its value, which the caller goes past."""
    for kind, value in events:
        if kind == "end_map":
            return
        yield value, next(events)


def items(events: Events) -> Iterator[Event]:
    """The events that begin the items of a list just begun, each of which the caller goes past."""
    return itertools.takewhile(lambda event: event[0] != "end_array", events)
