"""Runs over parts: shares batches of whole decks among processes, writes verdicts part by part, and compares days."""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import count, groupby
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from deckcheck.analysis.impact import Impact, Transition
from deckcheck.bulk.batch_files import (
    FAILURES,
    Writer,
    encode,
    note_of,
    read_batches,
    read_results,
    rows_at_once,
)
from deckcheck.bulk.batches import DeckIndex, Duplicate, comes_again, list_rows, whole_decks
from deckcheck.bulk.changes import AffectedDecks, Moment
from deckcheck.bulk.stored_files import Identity, Kind, Part, are_lists, kind_of
from deckcheck.bulk.verdicts import BatchJudge, judge
from deckcheck.checking.judge import LoadedFormat, read_deck
from deckcheck.checking.session import OpenedDeck
from deckcheck.config.settings import DeckSettings
from deckcheck.model.deck import Deck
from deckcheck.model.format import to_plain
from deckcheck.support import VERSION
from deckcheck.support.dates import today
from deckcheck.support.errors import Problem, UserError, placed_at, user_error
from deckcheck.support.files import cannot_write, open_output
from deckcheck.support.messages import Message, _
from deckcheck.support.workers import processors, share_in_processes

Result = TypeVar("Result")

_MOST_CHANGES = 16
_ENOUGH = 2**20
"""The size of the parts from which several processes are worthwhile."""


class Piece(NamedTuple, Generic[Result]):
    """The result for a batch of a part, or the problems of the batch or of the rest; neither at the end of a part."""

    part: int
    number: int
    result: Result | None = None
    decks: pa.Array | None = None
    """The decks of the batch."""
    problems: tuple[Problem, ...] = ()


def map_parts(
    parts: Sequence[Part], work: Callable[[int, pa.RecordBatch], Result], index: DeckIndex
) -> Generator[Piece[Result], None, None]:
    """Yields the results of `work` for each part's index and batches of whole decks; an empty part has an empty batch.

    Every process reads all parts, and does its share of the work. Decks that are in the index already are problems of their
    part. Raises UserError if processes read a part differently, since it changed. Close the generator to stop
    early.
    """

    def share(at: int, number: int) -> Iterator[Piece[Result]]:
        turns = count()
        for place, part in enumerate(parts):
            for piece in _batches(place, part.path):
                if next(turns) % number == at:
                    yield _worked_on(piece, part.path, work)

    size = sum(Path(part.path).stat().st_size for part in parts)
    processes = processors() if size >= _ENOUGH else 1
    pieces = share_in_processes(share, processes) if processes > 1 else share(0, 1)
    part = number = 0
    for piece in pieces:
        if (piece.part, piece.number) != (part, number):
            raise _was_changed(parts[min(part, piece.part)])
        path = parts[part].path
        duplicate = None if piece.decks is None else index.add(piece.decks, path)
        yield piece if duplicate is None else piece._replace(problems=_problems_of_duplicate(duplicate, path))
        part, number = (part + 1, 0) if piece.decks is None else (part, number + 1)
    if part < len(parts):
        raise _was_changed(parts[part])


def _was_changed(part: Part) -> UserError:
    return user_error(_("it was changed while it was read"), path=part.path)


class _Batch(NamedTuple):
    rows: pa.RecordBatch
    before: int
    """How many rows of the part come before it."""


def _batches(place: int, path: str) -> Iterator[Piece[_Batch]]:
    """Yields the batches of a part, not processed yet."""
    number = before = 0
    try:
        batches = read_batches(path)
        empty = next(batches)
        for rows, decks in whole_decks(batches, rows_at_once(empty.schema)):
            yield Piece(place, number, _Batch(rows, before), decks)
            number, before = number + 1, before + rows.num_rows
        if not number:
            yield Piece(place, 0, _Batch(empty, 0), pa.array([], pa.string()))
            number = 1
        yield Piece(place, number)
    except (UserError, *FAILURES) as error:
        yield Piece(place, number, problems=_problems(error, path, before))


def _worked_on(
    piece: Piece[_Batch], path: str, work: Callable[[int, pa.RecordBatch], Result]
) -> Piece[Result]:
    part, number, batch, decks, problems = piece
    if batch is None:
        return Piece(part, number, problems=problems)
    try:
        return Piece(part, number, work(part, batch.rows), decks)
    except (UserError, *FAILURES) as error:
        return Piece(part, number, None, decks, _problems(error, path, batch.before))


def _problems(error: Exception, path: str, before: int) -> tuple[Problem, ...]:
    """The problems of a part with its path, and with numbers of its rows instead of those of a batch."""
    if not isinstance(error, UserError):
        reason = str(error).partition("\n")[0]
        error = user_error(_("can't be read: {reason}", reason=reason))
    problems = []
    for problem in error.problems:
        message, place = problem.message, path
        if problem.path is None and isinstance(message, Message):
            fields = (
                (name, value + before if name == "row" and isinstance(value, int) else value)
                for name, value in message.fields
            )
            message = message._replace(fields=tuple(fields))
        if problem.path is not None:
            word, _space, number = problem.path.partition(" ")
            if word == "list" and number.isdecimal():
                place = f"{path}: list {int(number) + before}"
        problems.append(problem._replace(message=message, path=place))
    return tuple(problems)


def _problems_of_duplicate(duplicate: Duplicate, path: str) -> tuple[Problem, ...]:
    if duplicate.path == path:
        return placed_at(comes_again(duplicate.deck), path).problems
    message = _("deck {deck} is in {path}, too", deck=duplicate.deck, path=duplicate.path)
    return (Problem(message, path, hint=_("the rows of a deck have to be in a single file")),)


# Judging


class Job(NamedTuple):
    """A part to be judged, the file for its results, and the format, day and games of a match."""

    part: Part
    target: Path
    format: LoadedFormat
    as_of: str | None = None
    best_of: int | None = None
    since: str | None = None
    """Only decks that the change between this day and `as_of` may affect are judged."""

    def with_changes_since(self, day: str) -> "Job":
        """The job for only those decks that the change since a day may affect. Raises UserError for a later day."""
        as_of = self.as_of or today().isoformat()
        if day > as_of:
            raise user_error(_("--changed-since: {before} is after {after}", before=day, after=as_of))
        return self._replace(since=day, as_of=as_of)

    @property
    def affected(self) -> AffectedDecks | None:
        """The decks to be judged; None for all."""
        if self.since is None or self.as_of is None:
            return None
        return _affected(self.format, self.since, self.as_of, self.best_of)

    @property
    def affects_all(self) -> bool:
        """Whether the change since a day may affect all decks."""
        return self.affected is not None and self.affected.cards(self.best_of) is None

    def note(self, day: str) -> str:
        """What results depend on if `day` is today: the file, the rules, the cards, the day and the version."""
        data = self.format.game_data
        rules = json.dumps(
            [to_plain(self.format.format), to_plain(data.game), data.catalog.version], default=str
        )
        made_from = {
            "version": VERSION,
            "input": self.part.identity(),
            "rules": sha256(rules.encode("utf-8", "surrogatepass")).hexdigest(),
            "as_of": self.as_of or day,
            "best_of": self.best_of,
            "since": self.since,
        }
        return json.dumps(made_from, ensure_ascii=False)


class Tally(NamedTuple):
    """How many decks have each verdict, break each rule or leave it undecided, and how many are left out."""

    verdicts: Counter[str]
    rules: Counter[str]
    open: Counter[str]
    left_out: int = 0

    def plus(self, other: "Tally") -> "Tally":
        """The sum of both."""
        return Tally(
            self.verdicts + other.verdicts,
            self.rules + other.rules,
            self.open + other.open,
            self.left_out + other.left_out,
        )

    @classmethod
    def empty(cls) -> "Tally":
        """The tally of no decks."""
        return cls(Counter(), Counter(), Counter())

    @classmethod
    def of(cls, results: pa.RecordBatch) -> "Tally":
        """The tally of results."""
        rules, opened = (_counted(results.column(name).flatten()) for name in ("rules", "open"))
        return cls(_counted(results.column("verdict")), rules, opened)


class JobResult(NamedTuple):
    """The result of a job: its tally, or its problems; `reused` results existed already."""

    job: Job
    tally: Tally
    problems: tuple[Problem, ...] = ()
    reused: bool = False


def _counted(column: pa.Array) -> Counter[str]:
    return Counter({pair["values"]: pair["counts"] for pair in pc.value_counts(column).to_pylist()})


class _Task(NamedTuple):
    """A job without results yet, and the note for these and the identity of its part at the start."""

    job: Job
    note: str
    identity: Identity


def judge_parts(
    jobs: Sequence[Job], advance: Callable[[int], object] = lambda _decks: None
) -> Generator[JobResult, None, None]:
    """Judge parts and write their results, each part as a whole or not at all; results that exist already are reused.

    `advance` is called with numbers of decks. Raises UserError for a format that can't be used, for results that can't be
    written, and if the run can't continue.
    """
    index, todo, day = DeckIndex(), list[_Task](), today().isoformat()
    for job in jobs:
        note = job.note(day)
        # Results don't tell how many decks were left out.
        if job.since is None and note_of(job.target) == note:
            try:
                yield _reuse(job, index)
            except FAILURES:
                # The results are damaged.
                pass
            else:
                continue
        todo.append(_Task(job, note, job.part.identity()))
    for job, _note, _identity in todo:
        # Processes inherit what is loaded.
        judge(_NO_DECKS, job.format, as_of=job.as_of, best_of=job.best_of)
    every_affected = [task.job.affected for task in todo]

    def work(part: int, batch: pa.RecordBatch) -> tuple[pa.RecordBatch | bytes, Tally]:
        job, affected, left_out = todo[part].job, every_affected[part], 0
        if affected is not None:
            batch, number = affected.of(batch)
        # A list may name a day; for rows midnight changes nothing.
        as_of = job.as_of if are_lists(batch.schema.names) else job.as_of or day
        results = judge(batch, job.format, as_of=as_of, best_of=job.best_of)
        if affected is not None:
            left_out = number - results.num_rows
        return encode(results, _kind(job)), Tally.of(results)._replace(left_out=left_out)

    pieces = map_parts([task.job.part for task in todo], work, index)
    for part, group in groupby(pieces, key=lambda piece: piece.part):
        yield _write_results(todo[part], group, advance)


@lru_cache(_MOST_CHANGES)
def _affected(format: LoadedFormat, since: str, as_of: str, best_of: int | None) -> AffectedDecks:
    return AffectedDecks(Moment(format, since), Moment(format, as_of), best_of)


def _kind(job: Job) -> Kind:
    return kind_of(job.target.name) or "parquet"


_NO_DECKS = pa.RecordBatch.from_pydict(
    {"deck": [], "zone": [], "card": [], "copies": []},
    pa.schema([("deck", pa.string()), ("zone", pa.string()), ("card", pa.string()), ("copies", pa.int64())]),
)


def _reuse(job: Job, index: DeckIndex) -> JobResult:
    """The result of a job whose results exist already. Raises one of FAILURES."""
    tally, path = Tally.empty(), job.part.path
    for results in read_results(job.target):
        tally = tally.plus(Tally.of(results))
    for results in read_results(job.target):
        duplicate = index.add(results.column("deck"), path)
        if duplicate is not None:
            return _without_results(job, _problems_of_duplicate(duplicate, path))
    return JobResult(job, tally, reused=True)


def _without_results(job: Job, problems: tuple[Problem, ...]) -> JobResult:
    """The result of a job with problems; removes earlier results, which were those of another file."""
    with suppress(OSError):
        target = job.target.resolve()
        if target.is_file():
            target.unlink()
    return JobResult(job, Tally.empty(), problems)


def _write_results(
    task: _Task,
    pieces: Iterable[Piece[tuple[pa.RecordBatch | bytes, Tally]]],
    advance: Callable[[int], object],
) -> JobResult:
    job, note, identity = task
    tally, problems = Tally.empty(), tuple[Problem, ...]()
    try:
        job.target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(job.target.parent, error) from error
    with (
        suppress(_UnreadableError),
        open_output(str(job.target)) as stream,
        Writer(_kind(job), stream, note) as writer,
    ):
        for piece in pieces:
            problems = piece.problems
            if not problems and piece.result is None and job.part.identity() != identity:
                problems = _was_changed(job.part).problems
            if problems:
                raise _UnreadableError
            if piece.result is None:
                # Asking for more would wait for the next part.
                break
            results, numbers = piece.result
            writer.write(results)
            tally = tally.plus(numbers)
            advance(numbers.verdicts.total() + numbers.left_out)
    return _without_results(job, problems) if problems else JobResult(job, tally)


class _UnreadableError(Exception):
    """No results are to be written for a part."""


# Comparing


class StoredPart(NamedTuple):
    """A part, the change by which to compare its decks, and their settings."""

    part: Part
    transition: Transition
    best_of: int | None
    settings: DeckSettings


class ComparedPart(NamedTuple):
    """The impacts on the decks of a part and the number of all its decks, or why it can't be read."""

    decks: int = 0
    impacts: tuple[Impact, ...] = ()
    problems: tuple[Problem, ...] = ()


def compared_parts(
    stored: Sequence[StoredPart], advance: Callable[[int], object] = lambda _decks: None
) -> Iterator[ComparedPart]:
    """What a change does to the decks of each part; `advance` is called with numbers of decks."""
    finders, judges = [], []
    for item in stored:
        change, days = item.transition, item.transition.days
        moments = Moment(change.before, days.before), Moment(change.after, days.after)
        # A grading may count findings that aren't from rules, such as that a card isn't released yet.
        finders.append(AffectedDecks(*moments, item.best_of, every=item.settings.grading is not None))
        judges.append(BatchJudge(change.after, days.after, item.best_of))

    def work(part: int, batch: pa.RecordBatch) -> tuple[int, list[Impact]]:
        item = stored[part]
        batch, number = finders[part].of(batch)
        decks = _decks_of_lists(batch, item) if are_lists(batch.schema.names) else judges[part].decks(batch)
        impacts = []
        for name, deck in decks:
            named = deck._replace(path=item.part.path, header={**deck.header, "deck": str(name)})
            opened = OpenedDeck("", named, item.transition.after, None, item.best_of, item.settings, False)
            impact = item.transition.impact_on(opened)
            if impact is not None:
                impacts.append(impact)
        return number, impacts

    pieces = map_parts([item.part for item in stored], work, DeckIndex())
    for _part, group in groupby(pieces, key=lambda piece: piece.part):
        decks, impacts, problems = 0, list[Impact](), tuple[Problem, ...]()
        for piece in group:
            problems = problems or piece.problems
            if piece.result is not None:
                number, found = piece.result
                decks += number
                impacts += found
                advance(number)
        yield ComparedPart(problems=problems) if problems else ComparedPart(decks, tuple(impacts))


def _decks_of_lists(batch: pa.RecordBatch, item: StoredPart) -> Iterator[tuple[object, Deck]]:
    decks, texts = list_rows(batch)
    for name, text in zip(decks.to_pylist(), texts, strict=True):
        # Anything unreadable was found when decks were chosen.
        yield name, read_deck(item.transition.after, text, item.part.path)
