"""Banlist files, checked against the game and the card table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deckcheck.formats.checks import check_date, check_source
from deckcheck.formats.find import BUNDLED_ONLY, Folders, banlist_file, known_banlists, shown_path
from deckcheck.formats.placed import Placed
from deckcheck.formats.vocabulary import Context, card_name, inside, listed
from deckcheck.model.banlist import FREE_STATUS
from deckcheck.support.errors import UserError, did_you_mean
from deckcheck.support.files import is_file
from deckcheck.support.messages import _
from deckcheck.support.schema import require_shape
from deckcheck.support.yamlfile import load_yaml


def settle_banlist(
    named: Placed, context: Context, folders: Folders = BUNDLED_ONLY
) -> tuple[dict[str, Any], Path]:
    """The banlist that a format names, as plain values with canonical names and lines.

    An id is looked for in `folders`, too. Raises UserError when the file can't be used; what is wrong inside goes to
    the context.
    """
    reference = str(named.data)
    try:
        file = banlist_file(reference, Path(named.document.path), folders)
    except UserError as error:
        first = error.problems[0].message
        raise UserError([named.document.problem(named.keys, first)]) from error
    if not is_file(file):
        hint = did_you_mean(reference, known_banlists(folders))
        message = _("there is no banlist {reference!r}", reference=reference)
        raise UserError([named.document.problem(named.keys, message, hint)])
    document = load_yaml(file, shown_path(file))
    require_shape(document, "banlist")
    whole = Placed(document.data, document, ())
    settled = dict(document.data) | {"path": document.path}
    settled["cards"] = _cards(whole, context)
    settled["combinations"] = _combinations(whole, context)
    if "unconfirmed" in document.data:
        _unconfirmed(inside(whole, "unconfirmed"), context)
    for key in ("complete_from", "complete_through"):
        if key in document.data:
            check_date(inside(whole, key), context)
    if "source" in document.data:
        check_source(inside(whole, "source"), context)
    return settled, file


def _cards(whole: Placed, context: Context) -> list[dict[str, Any]]:
    settled: dict[str, dict[str, Any]] = {}
    for at in range(len(whole.data.get("cards", ()))):
        place = inside(whole, "cards", at)
        name = card_name(inside(place, "card"), context)
        if name in settled:
            context.wrong(place, _("{name!r} stands here twice", name=name))
        settled[name] = {"card": name, "history": _history(inside(place, "history"), context)}
    return list(settled.values())


def _combinations(whole: Placed, context: Context) -> list[dict[str, Any]]:
    settled = []
    for at in range(len(whole.data.get("combinations", ()))):
        place = inside(whole, "combinations", at)
        sides = [
            [card_name(name, context) for name in listed(side)] for side in listed(inside(place, "sides"))
        ]
        names = [name for side in sides for name in set(side)]
        if len(names) != len(set(names)):
            context.wrong(place, _("one card stands on two sides"))
        settled.append({"sides": sides, "history": _history(inside(place, "history"), context)})
    return settled


def _history(place: Placed, context: Context) -> list[dict[str, Any]]:
    settled: list[dict[str, Any]] = []
    before, day = FREE_STATUS, ""
    for item in listed(place):
        since, status = item.data["from"], item.data["status"]
        check_date(inside(item, "from"), context)
        _listed_status(inside(item, "status"), context)
        if since <= day:
            context.wrong(inside(item, "from"), _("the days are not in order"))
        if status == before:
            hint = _("it is {status!r} before that day already", status=status)
            context.wrong(inside(item, "status"), _("this change has no effect"), hint)
        before, day = status, since
        settled.append({"from": since, "status": status, "line": item.document.line(item.keys)})
    return settled


def _unconfirmed(place: Placed, context: Context) -> None:
    check_date(inside(place, "seen_by"), context)
    for item in listed(inside(place, "changes")):
        card_name(inside(item, "card"), context)
        for key in ("from", "to"):
            _listed_status(inside(item, key), context)


def _listed_status(place: Placed, context: Context) -> None:
    known = (*context.game.statuses, FREE_STATUS)
    if place.data not in known:
        message = _("there is no status {data!r}", data=place.data)
        context.wrong(place, message, did_you_mean(place.data, known))


def check_effect(lists: list[tuple[Placed, dict[str, Any]]], context: Context) -> None:
    """Every status that a list gives is looked at by some rule, and every status looked at is given."""
    for section, asked in (("cards", context.statuses), ("combinations", context.combined)):
        given: set[str] = set()
        for named, data in lists:
            changes = [change["status"] for one in data[section] for change in one["history"]]
            statuses = set(changes) & context.game.statuses.keys()
            given |= statuses
            for status in sorted(statuses - asked.keys()):
                context.wrong(
                    named,
                    _(
                        "no rule looks at the status {status!r} of {section} in {named!r}, so it has no effect",
                        status=status,
                        section=section,
                        named=named.data,
                    ),
                )
        for status, (document, keys) in asked.items():
            if status not in given and status in context.game.statuses:
                context.problems.append(
                    document.problem(
                        keys,
                        _(
                            "no list under banlists gives {section} the status {status!r}",
                            section=section,
                            status=status,
                        ),
                    )
                )
