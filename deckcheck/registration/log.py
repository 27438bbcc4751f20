"""An event's log: receipts for accepted lists and checks of decks at the table, each carrying the hash of the one before.

The log is a file of JSON lines. It is only ever replaced as a whole by a longer
one, while a lock is held, so a crash leaves the log before or the log after and
nothing between, and two desks at once wait for each other.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from deckcheck.model.finding import Verdict
from deckcheck.registration.canonical import CanonicalList, list_from, list_object
from deckcheck.registration.model import FIELDS, Accepted, Player
from deckcheck.registration.provenance import Provenance, Stamp
from deckcheck.registration.seals import VERDICTS
from deckcheck.report.json import json_line
from deckcheck.support.canonicaljson import digest
from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.files import read_bytes, write_atomically
from deckcheck.support.messages import Words, _
from deckcheck.support.strictjson import Fields, malformed, parse_object, unescaped
from deckcheck.support.version import VERSION

FORM = 1
"""The "deckcheck_log" of an entry; raised when a key changes its meaning or goes."""

BEGINNING = "0" * 64
"""What the first entry carries in the place of the hash of the one before."""

_WHAT = _("entry of a log")


class Receipt(NamedTuple):
    """A list as it was accepted.

    `at` is the moment in UTC (ISO, seconds). `place` and `submitted` tell where the
    list came from and when. `cards` is the version of the card table. `faults`
    are the ids of the rules that make it illegal or undecided, in the order of
    the findings. Exactly one of `listed`, the canonical list, and `sealed`, a
    commitment, is there. `by` and `reason` are a judge's word for accepting it
    `despite` what stood in the way. `replaces` is the number of the receipt of the same
    player that no longer stands. `tool` is the version of deckcheck.
    """

    event: str
    date: str
    at: str
    player: Player
    place: str
    submitted: str | None
    game: str
    format: Stamp
    banlists: tuple[Stamp, ...]
    cards: str
    as_of: str
    best_of: int | None
    verdict: Verdict
    faults: tuple[str, ...] = ()
    listed: CanonicalList | None = None
    sealed: str | None = None
    by: str | None = None
    reason: str | None = None
    despite: tuple[str, ...] = ()
    replaces: int | None = None
    tool: str = VERSION

    @property
    def mark(self) -> str:
        """What tells this list from others: its fingerprint, or the commitment of a sealed one."""
        return self.listed.fingerprint if self.listed is not None else str(self.sealed)


class Checked(NamedTuple):
    """A deck that was compared with its receipt (by number) at the table.

    `between_games` tells that cards may have been exchanged as they may between games.
    """

    event: str
    at: str
    receipt: int
    result: Literal["same", "different"]
    between_games: bool = False
    by: str | None = None
    tool: str = VERSION


class Entry(NamedTuple):
    """A line of a log: its number (from 1), the hash of the one before, what it says, and its own hash."""

    number: int
    previous: str
    value: Receipt | Checked
    hash: str


def entry_of(number: int, previous: str, value: Receipt | Checked) -> Entry:
    """The entry that says `value` behind the one with the hash `previous`.

    Raises UserError where something in it is no text: half of a surrogate pair, as a command line may hold one.
    """
    try:
        return Entry(number, previous, value, digest("entry", _unsigned(number, previous, value)))
    except ValueError as error:
        raise user_error(_("this contains text that a log can't store")) from error


def entry_line(entry: Entry) -> str:
    """The entry as JSON on one line, without anything that a terminal obeys; its hash doesn't depend on this text."""
    return json_line(entry_object(entry))


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as plain values for JSON; its shape is published in schemas/receipt.schema.json."""
    return _unsigned(entry.number, entry.previous, entry.value) | {"hash": entry.hash}


def _unsigned(number: int, previous: str, value: Receipt | Checked) -> dict[str, object]:
    kind = "receipt" if isinstance(value, Receipt) else "check"
    head: dict[str, object] = {
        "deckcheck_log": FORM,
        "kind": kind,
        "number": number,
        "previous": previous,
        "event": value.event,
        "at": value.at,
        "tool": value.tool,
    }
    return head | (_of_receipt(value) if isinstance(value, Receipt) else _of_check(value))


def _of_check(one: Checked) -> dict[str, object]:
    return {
        "receipt": one.receipt,
        "result": one.result,
        "between_games": one.between_games,
        "by": one.by,
    }


def _of_receipt(one: Receipt) -> dict[str, object]:
    return {
        "date": one.date,
        "player": {key: value for key, value in one.player._asdict().items() if value is not None},
        "place": one.place,
        "submitted": one.submitted,
        "game": one.game,
        "format": one.format._asdict(),
        "banlists": [stamp._asdict() for stamp in one.banlists],
        "cards": one.cards,
        "as_of": one.as_of,
        "best_of": one.best_of,
        "verdict": one.verdict,
        "faults": list(one.faults),
        "list": None if one.listed is None else list_object(one.listed),
        "fingerprint": None if one.listed is None else one.listed.fingerprint,
        "commitment": one.sealed,
        "by": one.by,
        "reason": one.reason,
        "despite": list(one.despite),
        "replaces": one.replaces,
    }


def entry_from(data: Mapping[str, Any], path: str | None = None) -> Entry:
    """The entry that `entry_object` wrote. Raises UserError for anything else, an entry whose hash is wrong included."""
    kind = data.get("kind")
    if data.get("deckcheck_log") != FORM:
        raise malformed(_WHAT, path, "deckcheck_log")
    said = Fields(data, _WHAT, path)
    if kind == "receipt":
        value: Receipt | Checked = _receipt(said)
    elif kind == "check":
        value = _check(said)
    else:
        raise malformed(_WHAT, path, "kind")
    entry = entry_of(said.number("number"), said.hex("previous"), value)
    own = entry_object(entry)
    # What is not read here must not be there: it would be covered by no hash that we make.
    if _written(own) != _written(data):
        localized = {**own, **data}
        odd = (
            key
            for key in localized
            if (key in own) != (key in data) or _written(own[key]) != _written(data[key])
        )
        raise malformed(_WHAT, path, next(odd))
    return entry


def _written(value: object) -> str:
    # Not by ==, for which True is 1.
    return json.dumps(value, sort_keys=True)


def _stamp(said: Fields) -> Stamp:
    return Stamp(said.id("id"), said.hex("sha256"))


def _check(said: Fields) -> Checked:
    return Checked(
        event=said.text("event"),
        at=said.moment("at"),
        receipt=said.number("receipt"),
        result=said.one_of("result", ("same", "different")),
        between_games=said.flag("between_games"),
        by=said.text_or_none("by"),
        tool=said.text("tool"),
    )


def _receipt(said: Fields) -> Receipt:
    player = said.below("player")
    game = said.text("game")
    listed: CanonicalList | None = None
    if said.data.get("list") is not None:
        try:
            listed = list_from(game, said.below("list").data, said.path)
        except ValueError as error:
            raise said.wrong("list") from error
    sealed = None if said.data.get("commitment") is None else said.hex("commitment")
    if (listed is None) == (sealed is None):
        raise said.wrong("list")
    return Receipt(
        event=said.text("event"),
        date=said.day("date"),
        at=said.moment("at"),
        player=Player(**{key: player.text(key) for key in FIELDS if key in player.data}),
        place=said.text("place"),
        submitted=said.moment_or_none("submitted"),
        game=game,
        format=_stamp(said.below("format")),
        banlists=tuple(map(_stamp, said.several("banlists"))),
        cards=said.text("cards"),
        as_of=said.day("as_of"),
        best_of=said.number_or_none("best_of"),
        verdict=cast(Verdict, said.one_of("verdict", VERDICTS)),
        faults=said.texts("faults"),
        listed=listed,
        sealed=sealed,
        by=said.text_or_none("by"),
        reason=said.text_or_none("reason"),
        despite=said.texts("despite"),
        replaces=said.number_or_none("replaces"),
        tool=said.text("tool"),
    )


MOST_BYTES = 512 * 1024 * 1024
"""A log of twenty thousand players is a tenth of this."""

PATIENCE = 60.0
"""Seconds to wait for another desk."""

New = Receipt | Checked


class Log(NamedTuple):
    """Entries that hang together, oldest first."""

    entries: tuple[Entry, ...] = ()

    @property
    def head(self) -> str:
        """The hash of the last entry: whoever knows it can tell whether anything before it was changed."""
        return self.entries[-1].hash if self.entries else BEGINNING


class Broken(NamedTuple):
    """What was read of a log, and what is wrong with it, line by line."""

    log: Log
    problems: tuple[Problem, ...]


def read_log(path: Path, event: str) -> Log:
    """The log of the event with that id; an empty one where there is no file.

    Raises UserError with every line that doesn't hang together with the one
    before, and for the log of another event.
    """
    if not path.exists():
        return Log()
    found = examine(read_bytes(path, most=MOST_BYTES), str(path), event)
    if found.problems:
        raise UserError(found.problems)
    return found.log


def examine(data: bytes, path: str, event: str) -> Broken:
    """All that can be read of a log, and every place where something was altered, removed or reordered."""
    problems: list[Problem] = []
    entries: list[Entry] = []
    previous, last = BEGINNING, 0
    lines = data.split(b"\n")
    if lines.pop():
        said = _("the last line is cut off")
        problems.append(Problem(said, path, len(lines) + 1))
    for at, line in enumerate(lines, 1):
        entry = _entry(line, path, at, problems)
        if entry is None:
            continue
        for wrong_with in _misplaced(entry, previous, last, event):
            problems.append(Problem(wrong_with, path, at))
        previous, last = entry.hash, entry.number
        entries.append(entry)
    return Broken(Log(tuple(entries)), tuple(problems))


def _entry(line: bytes, path: str, at: int, problems: list[Problem]) -> Entry | None:
    try:
        text = line.decode()
        entry = entry_from(parse_object(text, path), path)
    except UnicodeDecodeError:
        problems.append(Problem(_("not UTF-8"), path, at))
        return None
    except UserError as error:
        problems += [problem._replace(path=path, line=at, column=None) for problem in error.problems]
        return None
    # By which characters are escaped for terminals a log may not break.
    if unescaped(entry_line(entry)) != unescaped(text):
        # Blanks, the order of keys: nothing that says something else, and yet not what was written.
        said = _("this is not as it was written")
        problems.append(Problem(said, path, at))
    return entry


def _misplaced(entry: Entry, previous: str, last: int, event: str) -> list[Words]:
    found: list[Words] = []
    if entry.number != last + 1:
        found.append(
            _("entry {number} follows entry {last}: one was removed or moved", number=entry.number, last=last)
        )
    elif entry.previous != previous:
        found.append(_("the entry before entry {number} is not the original one", number=entry.number))
    if entry.value.event != event:
        found.append(_("entry {number} belongs to another event", number=entry.number))
    return found


def extend(path: Path, event: str, make: Callable[[Log], Sequence[New]]) -> tuple[Log, tuple[Entry, ...]]:
    """Add to the log of the event what `make` says when it sees it; the new log, and what was added.

    Nobody else adds anything meanwhile. All of it is on the disk when this
    returns, or nothing has changed. Raises UserError when the log is broken,
    when it can't be written, or when another desk holds it for a minute.
    """
    from filelock import FileLock, Timeout

    # A link stays a link, and those who come by another way wait at the same lock.
    path = path.resolve() if path.is_symlink() else path
    lock = path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=PATIENCE):
            before = read_log(path, event)
            added = _chained(before, make(before))
            after = Log(before.entries + added)
            if added:
                old = read_bytes(path, most=MOST_BYTES) if path.exists() else b""
                lines = "".join(entry_line(entry) + "\n" for entry in added)
                write_atomically(path, old + lines.encode(), durable=True)
            return after, added
    except Timeout as error:
        hint = _("wait a moment and try again")
        raise user_error(
            _("another desk is writing to the log"),
            path=str(path),
            hint=hint,
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise user_error(_("can't be written: {reason}", reason=reason), path=str(path)) from error


def _chained(before: Log, values: Sequence[New]) -> tuple[Entry, ...]:
    previous, number = before.head, len(before.entries)
    added = []
    for value in values:
        number += 1
        entry = entry_of(number, previous, value)
        previous = entry.hash
        added.append(entry)
    return tuple(added)


def standing(log: Log) -> dict[int, Receipt]:
    """The receipts that stand, by number: those that no later one replaces."""
    receipts = {entry.number: entry.value for entry in log.entries if isinstance(entry.value, Receipt)}
    gone = {receipt.replaces for receipt in receipts.values()}
    return {number: receipt for number, receipt in receipts.items() if number not in gone}


def accepted_in(log: Log) -> list[Accepted]:
    """What a roster needs to know of the receipts that stand."""
    return [
        Accepted(number, one.player, one.mark, one.place, Provenance(one.format, one.banlists))
        for number, one in standing(log).items()
    ]


def read_entry(path: Path) -> Entry:
    """The receipt, or whatever entry of a log stands in a file of its own. Raises UserError."""
    from deckcheck.support.strictjson import read_object

    return entry_from(read_object(path), str(path))
