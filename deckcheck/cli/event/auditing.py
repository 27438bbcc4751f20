"""`deckcheck event audit`: the log in, what was done to it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deckcheck.cli.check import tell_first_time
from deckcheck.cli.language import user_language
from deckcheck.cli.screen import output
from deckcheck.registration.audit import Audit, CardStatus, Rechecked, audit
from deckcheck.registration.desk import finder, open_desk
from deckcheck.registration.receipts import Receipt
from deckcheck.report.escaping import json_page
from deckcheck.report.json import TOOL, problem_object
from deckcheck.report.wording import VERDICTS
from deckcheck.support.errors import wrong
from deckcheck.support.messages import Localized, Words, _
from deckcheck.support.safetext import safe

INTACT, ALTERED, OPEN = 0, 1, 3


def run(path: str, receipts: Sequence[str], heads: Sequence[str], form: str, lang: str | None) -> int:
    """Audit the event's log, tell what was found, and return the exit status. Raises UserError."""
    language = lang or user_language()
    tell_first_time(language)
    desk = open_desk(Path(path))
    if not desk.event.log.exists():
        raise wrong(_("there is no log yet"), path=str(desk.event.log))
    found = audit(desk.event, finder(desk), heads=heads, receipts=[Path(one) for one in receipts])
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(_object(found, language)))
        else:
            for line in _lines(found, language):
                write(line + "\n")
    return {"intact": INTACT, "altered": ALTERED, "open": OPEN}[found.verdict]


_WORDS: Mapping[CardStatus, Words] = {
    "proven": _("the same verdict by the same rules"),
    "same": _("the same verdict, though the rules have changed"),
    "open": _("can't be proven, for the rules have changed"),
    "wrong": _("another verdict or other faults by the same rules"),
    "sealed": _("sealed"),
}


def _lines(found: Audit, lang: str) -> Iterator[str]:
    for problem in found.problems:
        yield safe(problem.in_(lang))
    for one in found.rechecked:
        if one.standing in ("open", "wrong"):
            yield safe(_rechecked(one).in_(lang))
    changes = dict.fromkeys(change.in_(lang) for one in found.rechecked for change in one.changed)
    yield from (safe(change) for change in changes)
    yield from (safe(note.in_(lang)) for note in found.notes)
    counts = Counter(one.standing for one in found.rechecked)
    said = "、" if lang == "ja" else ", "
    parts = said.join(f"{_WORDS[name].in_(lang)} {counts[name]}" for name in _WORDS if counts[name])
    words = [one.entry.value for one in found.rechecked if isinstance(one.entry.value, Receipt)]
    on_word = sum(receipt.by is not None for receipt in words)
    size = len(found.log.entries)
    yield _("receipts: {n} ({parts})", n=len(found.rechecked), parts=parts).in_(lang)
    if on_word:
        yield _("of these, {on_word} on a judge's word", on_word=on_word).in_(lang)
    verdict = {
        "intact": _("nothing was altered, removed or reordered"),
        "altered": _("something was altered, removed or reordered"),
        "open": _("the log is as it was written, but some receipts can't be proven"),
    }[found.verdict]
    yield verdict.in_(lang)
    yield _("entries: {size}, head {head}", size=size, head=found.log.head).in_(lang)


def _rechecked(one: Rechecked) -> Words:
    was = one.entry.value
    old = VERDICTS[was.verdict] if isinstance(was, Receipt) else Localized("?", "?")
    new = _("no verdict") if one.report is None else VERDICTS[one.report.verdict]
    why = _WORDS[one.standing]
    if one.standing == "wrong" and old == new:
        # A false reason is as bad as a false verdict.
        why = _("other faults by the same rules")
    number = one.entry.number
    return _("receipt {number}: {why} (then {old}, now {new})", number=number, why=why, old=old, new=new)


def _object(found: Audit, lang: str) -> dict[str, object]:
    return {
        "schema": 1,
        "tool": dict(TOOL),
        "verdict": found.verdict,
        "entries": len(found.log.entries),
        "head": found.log.head,
        "problems": [problem_object(one, lang) for one in found.problems],
        "notes": [note.in_(lang) for note in found.notes],
        "receipts": [
            {
                "number": one.entry.number,
                "standing": one.standing,
                "changed": [change.in_(lang) for change in one.changed],
                "verdict": None if one.report is None else one.report.verdict,
            }
            for one in found.rechecked
        ],
    }
