"""Notices to players about their lists and what to do by when, as text and as files, one a player."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path

from deckcheck.registration.eventfile import Event
from deckcheck.registration.roster import Roster, Row, failures, marked_lines, players_findings
from deckcheck.support.errors import user_error
from deckcheck.support.files import cannot_write, write_atomically
from deckcheck.support.messages import Localized, Message, Words, _
from deckcheck.support.safetext import excerpt, safe

MARK = ".deckcheck-letters"
"""A file in a folder of notices that names their event, so that no other files are taken for notices."""

_FILE = re.compile(r"\d{3,}\.txt")
_LONGEST_NAME = 80
_WIDTH = 72

_RESULTS: Mapping[str, Words] = {
    "legal": _("Your list is legal as it is"),
    "illegal": _("Your list is not legal"),
    "undecided": _("It is not yet clear whether your list is legal"),
    "unreadable": _("Your list can't be read"),
    "missing": _("Your decklist has not arrived yet"),
}
_SEAL_NOT_LEGAL = _("Your seal arrived, but it doesn't state that the list is legal")
_RESULTS_OF_SEALS: Mapping[str, Words] = {
    "legal": _("Your seal arrived; it states that the list is legal"),
    "illegal": _SEAL_NOT_LEGAL,
    "undecided": _SEAL_NOT_LEGAL,
    "unreadable": _("Your seal was not made for this event"),
}
_ERRANDS: Mapping[str, Message] = {
    "missing": _("By {until}, please send your list."),
    "legal": _("By {until}, please fill in what is empty."),
    "undecided": _("By {until}, please send a corrected list if something is wrong."),
    "illegal": _("By {until}, please send a corrected list."),
    "unreadable": _("By {until}, please send a corrected list."),
}


def notice(row: Row, roster: Roster, lang: str) -> str:
    """The notice to the player of this row, in `lang`, safe for a screen and ended by a line feed."""
    player = row.submission.player
    name = safe((player.name or player.handle or "").strip())
    name = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
    greeting = _("Dear {name},", name=name) if name else _("Dear player,")
    about = _(
        "This is about your deck registration for {event} on {day}.",
        event=safe(roster.event.name.in_(lang)),
        day=_day(date.fromisoformat(roster.event.date)),
    )
    result = _("{about}\n{result}.", about=about, result=_state(row))
    if row.report is not None and not row.is_unclear and not row.is_frozen:
        result = _(
            "{about}\n{result} ({format}, by the rules of {day}).",
            about=about,
            result=_state(row),
            format=safe(roster.format.format.name.in_(lang)),
            day=roster.event.as_of,
        )
    texts = [greeting.in_(lang), result.in_(lang)]
    if not row.is_frozen and not row.is_unclear:
        errors, warnings = _findings(row, lang)
        if errors:
            head = _("Please check this:") if row.state == "undecided" else _("Please correct this:")
            texts += [head.in_(lang), *errors]
        if warnings:
            texts += [_("Please also look at this:").in_(lang), *warnings]
    others = [_("- {item}", item=safe(item.in_(lang))).in_(lang) for item in _others(row, roster.event)]
    if others:
        texts.append("\n".join(others))
    texts.append("\n".join(line.in_(lang) for line in _ending(row, roster.event)))
    return "\n\n".join(texts) + "\n"


def _state(row: Row) -> Words:
    if row.is_frozen:
        return _("Your list has been accepted")
    if row.is_unclear:
        number = len(row.others) + 1
        return _(
            "You submitted {number} decklists, and it is unclear which one you want to play", number=number
        )
    return _RESULTS[row.state] if row.seal is None else _RESULTS_OF_SEALS.get(row.state, _SEAL_NOT_LEGAL)


def _findings(row: Row, lang: str) -> tuple[list[str], list[str]]:
    """What has to be corrected, numbered, and what is only worth a look."""
    errors: list[str] = []
    warnings: list[str] = []

    def add(texts: list[str], message: Words, hint: Words | None, lines: list[str]) -> None:
        whole = message if hint is None else _("{message} ({hint})", message=message, hint=hint)
        texts.append("\n   ".join([f"{len(texts) + 1}. {safe(whole.in_(lang))}", *lines]))

    def quoted(number: int, line: str, column: int) -> str:
        shown = excerpt(line, column, 1, _WIDTH).line.strip()
        return _("line {number}: {shown}", number=number, shown=shown).in_(lang)

    for message, _path, line, column, written, hint in row.problems:
        add(errors, message, hint, [quoted(line, written, column or 1)] if line and written else [])
    for finding in players_findings(row):
        found, more = marked_lines(finding, row)
        lines = [quoted(line, text, column) for line, text, column, _length in found]
        texts = errors if finding.severity == "error" else warnings
        add(texts, finding.message, finding.hint, [*lines, *(note.in_(lang) for note in more)])
    return errors, warnings


def _others(row: Row, event: Event) -> Iterator[Words]:
    """What there is to say beside the list."""
    for failure in () if row.is_frozen else failures(row):
        if failure.notice is not None:
            yield failure.notice
    if row.others and row.counts:
        submitted = row.submission.submitted
        which = Localized(row.submission.place, row.submission.place)
        yield _(
            "You have submitted {number} lists; the one that counts is {which}.",
            number=len(row.others) + 1,
            which=which if submitted is None else _("that of {time}", time=_moment(event.clock(submitted))),
        )
    if row.changed == "deadline":
        yield _("A different list that came after the deadline is not used.")
    if row.changed == "acceptance":
        yield _("This is not the list that was accepted; a change needs the organiser's consent.")
    for note in row.notes:
        yield _("Note: {note}.", note=note)


def _ending(row: Row, event: Event) -> list[Words]:
    """What to do by when, a line each."""
    host: Words = _("the organiser")
    if event.organiser:
        host = _("the organiser ({organiser})", organiser=safe(event.organiser))
    ask = _("Questions? Please ask {host}.", host=host)
    if row.is_frozen or not failures(row):
        return [_("You don't need to send anything else."), ask]
    until = _until(event)
    if row.is_unclear:
        return [_("By {until}, please tell {host} which one counts.", until=until, host=host)]
    if row.changed == "acceptance" or {"late", "untimed", "namesake", "copied"} & {
        failure.id for failure in failures(row)
    }:
        if row.state in ("legal", "missing"):
            return [_("Please contact {host} soon.", host=host)]
        return [_("Please prepare a corrected list and contact {host} soon.", host=host)]
    return [_ERRANDS[row.state].filled(until=until), ask]


def _until(event: Event) -> Words:
    if event.deadline is not None:
        return _moment(event.clock(event.deadline))
    return _("the day of the event ({day})", day=_day(date.fromisoformat(event.date)))


def _day(day: date) -> Words:
    return _("{year}-{month:02}-{day:02}", year=day.year, month=day.month, day=day.day)


def _moment(when: datetime) -> Words:
    return _("{day} {time} ({zone})", day=_day(when), time=f"{when:%H:%M}", zone=when.tzname())


def write_notices(roster: Roster, folder: Path) -> int:
    """Write a notice to every player, named by the number of the submission, and return how many there are.

    The folder is made where there is none, and outdated notices in it are removed. Raises
    UserError when the folder holds anything else, or can't be written.
    """
    event = roster.event
    notices = {
        f"{row.submission.number:03}.txt": notice(row, roster, event.language_of(row.submission.player))
        for row in roster.player_rows.values()
    }
    try:
        _claim(folder, event)
        for file in folder.iterdir():
            if _FILE.fullmatch(file.name) and file.name not in notices:
                file.unlink()
        for name, text in notices.items():
            write_atomically(folder / name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise cannot_write(folder, error) from error
    return len(notices)


def _claim(folder: Path, event: Event) -> None:
    """Make the folder one of notices for this event alone. Raises UserError when it belongs to anything else."""
    mark = folder / MARK
    if not folder.is_dir():
        folder.mkdir(parents=True, mode=0o700)
    elif not mark.is_file():
        if any(folder.iterdir()):
            hint = _("name an empty or a new folder")
            raise user_error(_("there are other files in this folder"), path=str(folder), hint=hint)
    elif mark.read_bytes()[:1000].decode("utf-8", "replace").strip() != event.id:
        hint = _("name another folder for each event")
        raise user_error(_("these are another event's notices"), path=str(folder), hint=hint)
    folder.chmod(0o700)
    write_atomically(mark, f"{event.id}\n".encode())
