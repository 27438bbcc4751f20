"""The sheets of an event: one for each player, in the order of the tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deckcheck.checking.judge import check
from deckcheck.registration.canonical import deck_of
from deckcheck.registration.model import Event, Roster, Row
from deckcheck.registration.receipts import Receipt
from deckcheck.registration.rivals import mark_of
from deckcheck.registration.sheets.make import MOST_NOTES, Lang, empty_sheet, sheet_of
from deckcheck.registration.sheets.model import Note, Page, short
from deckcheck.support.messages import _

Place = tuple[bool, tuple[tuple[bool, int, str], ...], str, int]


class Sheets(NamedTuple):
    """The pages, and the places of submissions for which there is none since nobody can tell which one counts."""

    pages: tuple[Page, ...]
    unsettled: tuple[str, ...]


def sheets_of(
    roster: Roster, lang: Lang, receipts: Mapping[int, Receipt] | None = None, *, always: bool = False
) -> Sheets:
    """A page for each row that counts; who sent no list that can be read gets an empty one.

    Of `receipts`, by number, the lists are printed that were accepted, whatever came in since.
    A page is in its player's language, else in the event's, else in `lang`;
    with `always` it is in `lang`.
    """
    accepted = receipts or {}
    rows = sorted(_printed(roster.rows, accepted), key=_place)
    event = roster.event
    pages = tuple(
        _page(row, roster, lang if always else _language(row, event, lang), _instead(row, accepted))
        for row in rows
    )
    settled = {row.group for row in rows}
    left = tuple(row.submission.place for row in roster.rows if row.group not in settled)
    return Sheets(pages, left)


def _printed(rows: Iterable[Row], receipts: Mapping[int, Receipt]) -> list[Row]:
    """One row for each player that has a sheet. Where nobody can tell which list counts, one that was accepted does."""
    found: dict[int, Row] = {}
    for row in rows:
        if row.counts or (row.instead is None and row.group not in found and _instead(row, receipts)):
            found[row.group] = row
    return list(found.values())


def _instead(row: Row, receipts: Mapping[int, Receipt]) -> Receipt | None:
    """The receipt whose list is to be printed in the place of what came in; None where that is as it was accepted."""
    receipt = None if row.accepted is None else receipts.get(row.accepted)
    if receipt is None or receipt.listed is None or (row.counts and mark_of(row) == receipt.mark):
        return None
    return receipt


def _language(row: Row, event: Event, lang: Lang) -> Lang:
    said = row.submission.player.language or event.language or lang
    return "ja" if said == "ja" else "en"


def _place(row: Row) -> Place:
    """By table (table 9 before table 10, those without one last), by reading, by number."""
    player = row.submission.player
    table = player.table or ""
    parts = re.findall(r"(\d{1,18})|([^\d]+)", table[:100])
    numbered = tuple((not digits, int(digits or 0), other) for digits, other in parts)
    return not table, numbered, player.reading or player.name or "", row.submission.number


def _page(row: Row, roster: Roster, lang: Lang, receipt: Receipt | None) -> Page:
    event, player = roster.event, row.submission.player
    if receipt is not None and receipt.listed is not None:
        deck = deck_of(
            receipt.listed, roster.format.game_data.catalog.find, roster.format.format.zones, receipt.place
        )
        report = check(deck, roster.format, as_of=receipt.as_of, best_of=receipt.best_of, suppressions=False)
        page = sheet_of(report, roster.format, lang, player=player, event=event, best_of=receipt.best_of)
        message = _(
            "the list as it was accepted (receipt {accepted}), not one that came in later",
            accepted=row.accepted,
        )
        return page._replace(notes=(Note("info", None, message.in_(lang)), *page.notes))
    if row.report is not None:
        return sheet_of(row.report, roster.format, lang, player=player, event=event, best_of=event.best_of)
    return empty_sheet(
        roster.format,
        event.as_of,
        lang,
        player=player,
        event=event,
        best_of=event.best_of,
        notes=_reasons(row, lang),
    )


def _reasons(row: Row, lang: Lang) -> Sequence[Note]:
    """Why no list stands on the sheet. Nothing of where a file lies, which is the organiser's business."""
    if row.state == "gone":
        # The receipt holds it; here there is nothing to copy it from.
        receipt = f"受付済みのリストが見当たりません（受付{row.accepted}）"
        return [
            Note(
                "error",
                None,
                receipt if lang == "ja" else f"the accepted list is gone (receipt {row.accepted})",
            )
        ]
    if row.seal is not None:
        sealed = short(row.seal.commitment)
        said = _("handed in sealed ({sealed})", sealed=sealed).in_(lang)
        return [Note("info", None, said)]
    return [Note("error", None, one.message.in_(lang)) for one in row.problems[:MOST_NOTES]]
