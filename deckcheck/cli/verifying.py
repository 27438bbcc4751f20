"""`deckcheck verify`: a receipt and a deck in, what differs out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from deckcheck.cli.check import tell_first_time
from deckcheck.cli.project import language_of
from deckcheck.cli.ruling import Asked, Ruling, format_named, ruling
from deckcheck.cli.screen import output
from deckcheck.decklists.decode import decode
from deckcheck.errors import wrong
from deckcheck.opening import read_list
from deckcheck.registration.log import Log, extend, standing
from deckcheck.registration.receipts import Checked, Entry, Receipt, entry_from, entry_line
from deckcheck.registration.seals import opening_from, opens
from deckcheck.registration.strictjson import read_object
from deckcheck.registration.verify import Registered, Verified, no_list, verify
from deckcheck.report.objects import TOOL, json_page
from deckcheck.report.places import safe
from deckcheck.text import Text

STATUS = {"same": 0, "different": 1, "undecided": 3}


def run(
    receipt: str,
    deck: str,
    asked: Asked,
    *,
    between_games: bool,
    by: str | None,
    form: str,
    lang: str | None,
) -> int:
    """Compare, tell what differs, keep it in the event's log if an event is told, and return the exit status.

    Raises UserError for what can't be read or belongs to another event.
    """
    rules = ruling(receipt, asked)
    language = language_of(rules.settings, lang)
    tell_first_time(language)
    if by is not None and rules.desk is None:
        raise wrong("--by には --event も必要です", "--by needs --event, whose log it goes to")
    entry, registered = _registered(Path(receipt))
    format, _ = format_named(registered.format, rules)
    typed = format.table.read(decode(read_list(deck), deck), deck)
    if not typed.entries and not typed.remarks:
        raise wrong("カードが1枚も書かれていません", "no card is listed here", path=deck)
    found = verify(registered, typed, format, between_games=between_games)
    if rules.desk is not None and found.result != "undecided":
        _keep(entry, found, rules, between_games=between_games, by=by, path=receipt)
    names = {zone.id: zone.name for zone in format.table.game.zones.values()} | dict(format.format.zones)
    with output(None, exact=form == "json") as write:
        if form == "json":
            write(json_page(_object(found, language)))
        else:
            for line in _lines(found, names, language, between_games=between_games):
                write(safe(line) + "\n")
    return STATUS[found.result]


def _registered(path: Path) -> tuple[Entry | None, Registered]:
    data = read_object(path)
    if "opening" in data:
        opening = opening_from(data, str(path))
        if not opens(opening, opening.seal.commitment):
            raise wrong(
                "開封用のファイルのリストが、封印のときのリストと違います",
                "the list in this opening file is not the one that was sealed",
                path=str(path),
            )
        return None, Registered(opening.cards, opening.seal.format, opening.seal.as_of)
    entry = entry_from(data, str(path))
    receipt = entry.value
    if not isinstance(receipt, Receipt):
        raise wrong("受付証ではありません", "this is no receipt", path=str(path))
    if receipt.listed is None:
        said = no_list()
        raise wrong(said.ja, said.en, path=str(path))
    return entry, Registered(receipt.listed, receipt.format.id, receipt.as_of, receipt.best_of)


def _keep(
    entry: Entry | None, found: Verified, rules: Ruling, *, between_games: bool, by: str | None, path: str
) -> None:
    """Add the check to the event's log. Raises UserError for a receipt that is not in it."""
    if rules.desk is None or entry is None:
        raise wrong(
            "記録に残せるのは受付証との比較だけです",
            "only a check of a receipt can be kept in the log",
            path=path,
        )
    event, line, number = rules.desk.event, entry_line(entry), entry.number

    def made(log: Log) -> list[Checked]:
        if number > len(log.entries) or entry_line(log.entries[number - 1]) != line:
            raise wrong(
                "この受付証は大会の記録にありません", "this receipt is not in the event's log", path=path
            )
        if number not in standing(log):
            raise wrong(
                "この受付証は新しいものに置きかえられています",
                "this receipt was replaced by a newer one",
                path=path,
            )
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        same = found.result == "same"
        return [Checked(event.id, now, number, "same" if same else "different", between_games, by)]

    extend(event.log, event.id, made)


def _lines(found: Verified, zones: Mapping[str, Text], lang: str, *, between_games: bool) -> Iterator[str]:
    def zone(id: str | None) -> str:
        return "" if id is None else zones.get(id, Text(id, id)).in_(lang)

    for one in found.differences:
        was, now = zone(one.registered), zone(one.found)
        said = {
            "missing": Text(
                f"足りない  {one.card} {one.copies}枚（{was}）", f"missing  {one.copies} {one.card} ({was})"
            ),
            "extra": Text(
                f"余分  {one.card} {one.copies}枚（{now}）", f"extra  {one.copies} {one.card} ({now})"
            ),
            "moved": Text(
                f"場所が違う  {one.card} {one.copies}枚（登録 {was} → {now}）",
                f"moved  {one.copies} {one.card} ({was} as registered, now {now})",
            ),
        }[one.kind]
        yield said.in_(lang)
    for finding in found.findings:
        yield finding.message.in_(lang)
    for line in found.unread:
        written = safe(line.written)
        yield Text(
            f"{line.line}行目が読めません: {written}", f"line {line.line} can't be read: {written}"
        ).in_(lang)
    as_registered = Text("登録されたリストと同じです", "this is the registered list")
    exchanged = Text(
        "登録されたカードの、ルールに合う分け方です",
        "these are the registered cards, divided as the rules allow",
    )
    yield {
        "same": exchanged if between_games else as_registered,
        "different": Text("登録されたリストと違います", "this is not the registered list"),
        "undecided": Text("読めない行があるので、比べられません", "lines that can't be read leave it open"),
    }[found.result].in_(lang)


def _object(found: Verified, lang: str) -> dict[str, object]:
    return {
        "schema": 1,
        "tool": dict(TOOL),
        "result": found.result,
        "differences": [one._asdict() for one in found.differences],
        "findings": [{"rule": one.rule, "message": one.message.in_(lang)} for one in found.findings],
        "unread": [{"line": one.line, "written": one.written} for one in found.unread],
    }
