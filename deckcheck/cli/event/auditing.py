"""`deckcheck event audit`: the log in, what was done to it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deckcheck.cli.check import tell_first_time
from deckcheck.cli.language import user_language
from deckcheck.cli.screen import output
from deckcheck.registration.audit import Audit, Rechecked, Standing, audit
from deckcheck.registration.desk import finder, open_desk
from deckcheck.registration.receipts import Receipt
from deckcheck.report.labels import VERDICTS
from deckcheck.report.objects import TOOL, json_page, problem_object
from deckcheck.support.errors import wrong
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

INTACT, ALTERED, OPEN = 0, 1, 3


def run(path: str, receipts: Sequence[str], heads: Sequence[str], form: str, lang: str | None) -> int:
    """Audit the event's log, tell what was found, and return the exit status. Raises UserError."""
    language = lang or user_language()
    tell_first_time(language)
    desk = open_desk(Path(path))
    if not desk.event.log.exists():
        raise wrong("記録がまだありません", "there is no log yet", path=str(desk.event.log))
    found = audit(desk.event, finder(desk), heads=heads, receipts=[Path(one) for one in receipts])
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(_object(found, language)))
        else:
            for line in _lines(found, language):
                write(line + "\n")
    return {"intact": INTACT, "altered": ALTERED, "open": OPEN}[found.verdict]


_WORDS: Mapping[Standing, Text] = {
    "proven": Text("同じルールで同じ判定", "the same verdict by the same rules"),
    "same": Text("ルールは変わったが判定は同じ", "the same verdict, though the rules have changed"),
    "open": Text("ルールが変わっていて確かめられない", "can't be proven, for the rules have changed"),
    "wrong": Text(
        "同じルールなのに判定か違反の内容が違う", "another verdict or other faults by the same rules"
    ),
    "sealed": Text("封印されたリスト", "sealed"),
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
    yield Text(
        f"受付証 {len(found.rechecked)}件: {parts}", f"receipts: {len(found.rechecked)} ({parts})"
    ).in_(lang)
    if on_word:
        yield Text(f"うちジャッジが認めたもの {on_word}件", f"of these, {on_word} on a judge's word").in_(
            lang
        )
    verdict = {
        "intact": Text(
            "記録に書きかえ・削除・並べかえはありません", "nothing was altered, removed or reordered"
        ),
        "altered": Text("記録か受付証に問題があります", "something was altered, removed or reordered"),
        "open": Text(
            "記録はそのままですが、確かめられない受付証があります",
            "the log is as it was written, but some receipts can't be proven",
        ),
    }[found.verdict]
    yield verdict.in_(lang)
    yield Text(f"記録 {size}項目、控え {found.log.head}", f"entries: {size}, head {found.log.head}").in_(lang)


def _rechecked(one: Rechecked) -> Text:
    was = one.entry.value
    old = VERDICTS[was.verdict] if isinstance(was, Receipt) else Text("?", "?")
    new = Text("判定できず", "no verdict") if one.report is None else VERDICTS[one.report.verdict]
    why = _WORDS[one.standing]
    if one.standing == "wrong" and old == new:
        # A false reason is as bad as a false verdict.
        why = Text("同じルールなのに違反の内容が違う", "other faults by the same rules")
    number = one.entry.number
    return Text(
        f"受付証{number}番: {why.ja}（受付時 {old.ja}、いま {new.ja}）",
        f"receipt {number}: {why.en} (then {old.en}, now {new.en})",
    )


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
