"""A short text for each player: what was found in their list, and what to do until when."""

from collections.abc import Iterator
from datetime import date, datetime

from deckcheck.model.finding import Finding, Report
from deckcheck.registration.conditions import failures
from deckcheck.registration.model import Event, Roster, Row
from deckcheck.registration.tables.told import at_event, is_unclear, sorted_findings
from deckcheck.report.locations import line_of, marks
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import excerpt, safe
from deckcheck.support.text import Text

_MOST_LINES = 6
_LONGEST_NAME = 80
_WIDTH = 72
_NOT_FOR_PLAYERS = "unconfirmed-change"
"""About what is known of a list of cards; a player can do nothing about it."""


def letter(row: Row, roster: Roster, lang: str) -> str:
    """What to tell the player of this row, in `lang`, ended by a line feed. Nothing in it plays tricks on a screen."""
    blocks = [_greeting(row, lang), _result(row, roster).in_(lang)]
    if not row.settled and not is_unclear(row):
        mend, look = _findings(row, lang)
        blocks += [_head(row).in_(lang), *mend] if mend else []
        blocks += [_HEAD_BESIDES.in_(lang), *look] if look else []
    dash = "・" if lang == "ja" else "- "
    others = [f"{dash}{safe(one.in_(lang))}" for one in _others(row, roster.event)]
    blocks += ["\n".join(others)] if others else []
    blocks.append(_ending(row, roster.event).in_(lang))
    return "\n\n".join(blocks) + "\n"


def _head(row: Row) -> Words:
    return _HEAD_CHECK if row.state == "undecided" else _HEAD_MEND


_HEAD_MEND = _("Please mend this:")
_HEAD_CHECK = _("Please check this:")
_HEAD_BESIDES = _("Please have a look at this, too:")


def _greeting(row: Row, lang: str) -> str:
    player = row.submission.player
    name = safe((player.name or player.handle or "").strip())
    name = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
    return (_("Dear {name},", name=name) if name else _("Dear player,")).in_(lang)


def _result(row: Row, roster: Roster) -> Words:
    event, name = roster.event, roster.format.format.name
    day = date.fromisoformat(event.date)
    message = Text(
        f"「{safe(event.name.ja)}」（{_day_ja(day)}）のデッキ登録についてお知らせします。\n",
        f"This is about your deck registration for {safe(event.name.en)} on {_day_en(day)}.\n",
    )
    rules = Text(f"{safe(name.ja)}、{event.as_of}のルール", f"{safe(name.en)}, by the rules of {event.as_of}")
    said = _said(row)
    judged = row.report is not None and not is_unclear(row) and not row.settled
    return Text(
        message.ja + said.ja + (f"（{rules.ja}）。" if judged else "。"),
        message.en + said.en + (f" ({rules.en})." if judged else "."),
    )


_RESULTS = {
    "legal": _("Your list is legal as it is"),
    "illegal": _("Your list is not legal"),
    "undecided": _("Whether your list is legal can't be told yet"),
    "unreadable": _("Your list can't be read"),
    "missing": _("Your decklist has not arrived yet"),
}
_ACCEPTED = _("Your list has been accepted")


def _said(row: Row) -> Words:
    if row.settled:
        return _ACCEPTED
    if is_unclear(row):
        number = len(row.others) + 1
        return _(
            "{number} decklists arrived from you, and which one you mean to play can't be told", number=number
        )
    return _of_seal(row) if row.seal is not None else _RESULTS[row.state]


def _of_seal(row: Row) -> Words:
    if row.state == "legal":
        return _("Your sealed list arrived; it says that it is legal")
    if row.state == "unreadable":
        return _("Your sealed list is not made for this event")
    return _("Your sealed list arrived, but it doesn't say that it is legal")


def _findings(row: Row, lang: str) -> tuple[list[str], list[str]]:
    """What has to be mended, numbered, and what is only worth a look."""
    mend = [
        _block(
            at,
            safe(_with(one.message, one.hint, lang)),
            []
            if not one.line or not one.excerpt
            else [_quoted(one.line, one.excerpt, one.column or 1, lang)],
        )
        for at, one in enumerate(row.problems, 1)
    ]
    look: list[str] = []
    report = row.report
    if report is not None:
        for one in sorted_findings(row):
            if one.severity == "error":
                mend.append(_finding(len(mend) + 1, one, report, lang))
            elif one.severity == "warning" and one.rule != _NOT_FOR_PLAYERS:
                look.append(_finding(len(look) + 1, one, report, lang))
    return mend, look


def _finding(at: int, finding: Finding, report: Report, lang: str) -> str:
    found = marks(finding, report)
    lines = [
        _quoted(line, line_of(report, line), column, lang) for line, column, _unused in found[:_MOST_LINES]
    ]
    more = len(found) - _MOST_LINES
    if more > 0:
        lines.append(_("and {more} more lines", more=more).in_(lang))
    return _block(at, safe(_with(finding.message, finding.hint, lang)), lines)


def _block(at: int, said: str, lines: list[str]) -> str:
    return "\n".join([f"{at}. {said}", *(f"   {line}" for line in lines)])


def _with(message: Words, hint: Words | None, lang: str) -> str:
    if hint is None:
        return message.in_(lang)
    return _("{message} ({hint})", message=message, hint=hint).in_(lang)


def _quoted(number: int, line: str, column: int, lang: str) -> str:
    shown = excerpt(line, column, 1, _WIDTH).line.strip()
    return _("line {number}: {shown}", number=number, shown=shown).in_(lang)


def _others(row: Row, event: Event) -> Iterator[Words]:
    for failure in () if row.settled else failures(row):
        if failure.notice is not None and failure.id != "changed":
            yield failure.notice
    if row.others and row.counts:
        number, which = len(row.others) + 1, _which(row, event)
        yield _(
            "There are {number} lists of yours; the one that stands is {which}.", number=number, which=which
        )
    if row.changed == "deadline":
        yield _("A different list that came after the deadline is not used.")
    if row.changed == "acceptance":
        yield _("This is not the list that was accepted; a change needs the organiser's consent.")
    for note in row.notes:
        yield Text(f"{note.ja}。", f"{note.en[:1].upper()}{note.en[1:]}.")


def _which(row: Row, event: Event) -> Words:
    submitted = row.submission.submitted
    if submitted is None:
        return Localized(row.submission.place, row.submission.place)
    when = at_event(submitted, event)
    return Text(f"{_moment_ja(when)}に届いたもの", f"that of {_moment_en(when)}")


def _ending(row: Row, event: Event) -> Words:
    until = _until(event)
    host = _("the organiser")
    if event.organiser:
        host = _("the organiser ({organiser})", organiser=safe(event.organiser))
    ask = _("Questions? Please ask {host}.", host=host)
    if row.settled or not failures(row):
        return _("There is nothing more for you to send.\n{ask}", ask=ask)
    if is_unclear(row):
        return _("By {until}, please tell {host} which one stands.", until=until, host=host)
    asking = row.late or row.untimed or row.namesakes or row.copies or row.copied is not None
    if asking or row.changed == "acceptance":
        mended = row.state not in ("legal", "missing")
        return (
            _("Please prepare a mended list and get in touch with {host} soon.", host=host)
            if mended
            else _("Please get in touch with {host} soon.", host=host)
        )
    what = {
        "missing": _("send your list"),
        "legal": _("fill in what is empty"),
        "undecided": _("send a mended list where something is wrong"),
    }.get(row.state, _("send a mended list"))
    return _("By {until}, please {what}.\n{ask}", until=until, what=what, ask=ask)


def _until(event: Event) -> Words:
    if event.deadline is not None:
        when = at_event(event.deadline, event)
        return Text(_moment_ja(when), _moment_en(when))
    day = date.fromisoformat(event.date)
    return Text(f"大会の日（{_day_ja(day)}）", f"the day of the event ({_day_en(day)})")


def _day_ja(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _day_en(day: date) -> str:
    return day.isoformat()


def _moment_ja(when: datetime) -> str:
    return f"{when.month}月{when.day}日 {when:%H:%M}"


def _moment_en(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} ({when.tzname()})"
