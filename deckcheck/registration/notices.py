"""Notices to players about their lists and what to do by when: as text, as one file a player, and as CSV for a mail merge."""

import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from msgspec import DecodeError, Struct, json

from deckcheck.analysis.repair import small_change
from deckcheck.model.finding import Finding
from deckcheck.registration.acceptance import failures, to_correct
from deckcheck.registration.event import Event
from deckcheck.registration.roster import Roster, Row, remark_of
from deckcheck.registration.roster_tables import csv_text
from deckcheck.registration.submissions import NOTICES_MARK
from deckcheck.report.results import Mark, Places
from deckcheck.report.text import excerpt
from deckcheck.support.dates import in_words
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Words, _, n_, series
from deckcheck.support.safe_text import cut, safe
from deckcheck.support.templates import render
from deckcheck.support.terminal import show

_LONGEST_NAME = 80
_LONGEST_FILE_NAME = 120
_NOT_IN_FILE_NAMES = '/\\:*?"<>|'
_WIDTH = 72


class Notice(Struct, frozen=True):
    """A notice to the player of a row, in the player's language; the text ends in a line feed."""

    row: Row
    subject: str
    text: str

    @property
    def file(self) -> str:
        """The name of its file: the player's name and the submission's id."""
        name = unicodedata.normalize("NFC", safe(self.row.player.called))
        plain = "".join("_" if char in _NOT_IN_FILE_NAMES else char for char in name).strip(" .")
        cut_off = plain.encode("utf-8", "ignore")[:_LONGEST_FILE_NAME].decode("utf-8", "ignore")
        # A player who is gone may have been accepted before there were ids.
        id = self.row.id or f"receipt {self.row.accepted}"
        return f"{cut_off} {id}".strip() + ".txt"


def notices(roster: Roster, advance: Callable[[], None] = lambda: None) -> list[Notice]:
    """A notice to every player who hasn't withdrawn; `advance` is called after each, which may take seconds."""
    made = []
    for row in roster.player_rows.values():
        lang = roster.event.language_of(row.player)
        subject = _("Deck registration for {event}", event=roster.event.name)
        made.append(Notice(row, safe(subject.in_(lang)), notice(row, roster, lang)))
        advance()
    return made


def notice(row: Row, roster: Roster, lang: str) -> str:
    """The notice to the player of this row in `lang`, safe for terminals, ending in a line feed."""
    event, player = roster.event, row.player
    day = in_words(date.fromisoformat(event.date))
    until = _("the day of the event ({day})", day=day)
    if event.deadline is not None:
        until = event.moment(event.deadline)
    # Also of a player whose list is no longer among the entries.
    is_accepted = row.is_frozen or row.state == "gone"
    repair = None
    if row.report is not None and row.counts is not None and not is_accepted:
        repair = small_change(row.report, roster.format, event.best_of, lang)
    about = [other for other in roster.rows if other.id == row.id or other.id in row.rivals]
    return render(
        "notice.txt",
        lang,
        row=row,
        is_accepted=is_accepted,
        event=event,
        name=cut(safe((player.name or player.handle or "").strip()), _LONGEST_NAME),
        day=day,
        format=roster.format.format.name,
        findings=to_correct(row),
        lacking=series(event.field_name(field) for field in row.lacking),
        lines_of=partial(_marked_lines, row),
        repair=repair,
        failed=() if is_accepted else failures(row, event),
        later=any(other.group == row.group and other.changed == "acceptance" for other in roster.rows),
        remarks=[remark for other in about if (remark := remark_of(other))],
        until=until,
    )


def _line_of(row: Row, line: int) -> Words:
    """A line of a list as its player knows it, who may have filled in one field for each zone."""
    begins = [(first, head) for first, head in row.submission.columns if first < line]
    if not begins:
        return _("line {number}", number=line)
    first, head = begins[-1]
    return _("“{head}”, line {number}", head=safe(head), number=line - first)


def _marked_lines(row: Row, finding: Finding) -> list[tuple[Words, str]]:
    """The place and the text of each line that a finding is about, in the finding's order; of a list that can't be read, too."""
    if row.report is None:
        lines: Sequence[str] = (row.submission.text or "").split("\n")
        marks = [] if finding.line is None else [Mark(finding.line, finding.column or 1)]
    else:
        lines, marks = row.report.deck.lines, Places(row.report.deck).of(finding)
    headings = {line for line, _head in row.submission.columns}
    return [
        (_line_of(row, mark.line), excerpt(lines[mark.line - 1], mark.column, 1, _WIDTH).line.strip())
        for mark in marks
        if mark.line <= len(lines) and mark.line not in headings
    ]


# Files


class _Mark(Struct, frozen=True):
    """What the file that marks a folder of notices holds: the event's id, and the names of the files."""

    event: str
    files: tuple[str, ...]


def write_notices(made: Sequence[Notice], folder: Path, event: Event) -> None:
    """Write each notice into a file named after its player, and remove outdated ones.

    Raises UserError if the folder holds anything else, or those of another event, or can't be written.
    """
    mark = folder / NOTICES_MARK
    before = _Mark(event.id, ())
    hint = _("name another folder for each event")
    of_another = user_error(_("these are another event's notices"), path=str(folder), hint=hint)
    try:
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        if mark.is_file():
            before = json.decode(mark.read_bytes(), type=_Mark)
        elif any(folder.iterdir()):
            hint = _("name an empty or a new folder")
            raise user_error(_("there are other files in this folder"), path=str(folder), hint=hint)
        if before.event != event.id:
            raise of_another
        folder.chmod(0o700)
        files = {one.file: one.text for one in made}
        outdated = {name for name in before.files if Path(name).name == name and name.endswith(".txt")}
        # Names of files that were written are noted first, so that a later run can remove them.
        content = _Mark(event.id, tuple(sorted({*files, *outdated})))
        write_atomically(mark, json.format(json.encode(content), indent=0))
        for name in outdated - files.keys():
            (folder / name).unlink(missing_ok=True)
        for name, text in files.items():
            write_atomically(folder / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise cannot_write(folder, error) from error
    except DecodeError:
        raise of_another from None


def notices_csv(made: Sequence[Notice]) -> str:
    """The notices for a mail merge: address, name, subject, text; addresses that weren't given are empty."""
    rows = [[one.row.player.email or "", one.row.player.called, one.subject, one.text] for one in made]
    return csv_text(["address", "name", "subject", "text"], rows)


def send_out(
    roster: Roster, folder: str | None, file: str | None, advance: Callable[[], None]
) -> list[Words]:
    """Write the notices into a folder, a file for a mail merge, or both; returns what was written. Raises UserError."""
    made = notices(roster, advance)
    if folder is not None:
        write_notices(made, Path(folder), roster.event)
    if file is not None:
        show(notices_csv(made), exact=True, file=file, private=True)
    told: list[Words] = [
        n_(
            "{n:,} notice written to {target}",
            "{n:,} notices written to {target}",
            len(made),
            target=safe(target),
        )
        for target in (folder, file)
        if target is not None
    ]
    nowhere = sum(not one.row.player.email for one in made)
    if file is not None and nowhere:
        told.append(n_("{n:,} of them has no address", "{n:,} of them have no address", nowhere))
    return told
