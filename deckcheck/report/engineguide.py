"""What the engine itself tells of a list, explained: what it means, why it is told, what mends it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.support.messages import Words, _


class Explained(NamedTuple):
    """One id of the engine in words."""

    meaning: Words
    why: Words
    mend: Words


ENGINE_GUIDE: Mapping[str, Explained] = MappingProxyType(
    {
        "unknown-card": Explained(
            _("A name that the card table doesn't have."),
            _(
                "Whether it is a slip of the pen or a card that is missing in the table can't be told, "
                "and nothing unknown is called legal."
            ),
            _(
                "Take the right name from those suggested. New cards can be added with --cards or "
                "`deckcheck cards import`."
            ),
        ),
        "ambiguous-name": Explained(
            _("What is written can mean several cards, or two numbers of copies."),
            _("How it is read may change the verdict, so nothing is guessed."),
            _("Write the name of the one that is meant."),
        ),
        "invalid-line": Explained(
            _("A line that reads neither as a card nor as a heading or a total."),
            _("It may hold a card, so it is never dropped in silence and the verdict stays open."),
            _("Write it as “4 x NAME”, or put a # before it if it is a note."),
        ),
        "unknown-zone": Explained(
            _("Cards stand in a zone that this format hasn't, or under a heading that names no zone."),
            _("Whether they count can't be told from the list."),
            _("Mend the heading or take the cards out, and see that the format is the one you mean."),
        ),
        "partial-banlist": Explained(
            _("Of a list in use only some entries are known, at all or for the day of the check."),
            _(
                "What is not on it may be on the real list, so a deck in which nothing is wrong isn't "
                "called legal."
            ),
            _(
                "Take in the whole list with `deckcheck banlists import`. If you have looked the cards "
                "up in the official list yourself, ignore this with a reason."
            ),
        ),
        "not-yet-released": Explained(
            _("A card that was not out yet on the day of the check, or a format that had not begun."),
            _("The day may be wrong, or somebody tries a coming card early. The verdict stays the same."),
            _("Set the day with --as-of or with “# as-of: YYYY-MM-DD” in the list."),
        ),
        "total-mismatch": Explained(
            _("A total that the list states is not the sum of its rows."),
            _("A row may be missing, or a count be wrong. The verdict goes by the rows."),
            _("Mend the rows or the total."),
        ),
        "unconfirmed-change": Explained(
            _("A card of which a list in use was seen changed, on a day that nobody has told."),
            _("The day is not known, so the verdict goes by what stood before."),
            _(
                "See the official announcement before a tournament. Up to the day through which the list "
                "is complete there is no such warning."
            ),
        ),
        "empty-line": Explained(
            _("Cards below an empty line were counted in the first zone, for no heading says otherwise."),
            _("An empty line alone doesn't tell whether another zone begins or the cards are only grouped."),
            _("If another zone begins there, put its heading above the cards; else leave it as it is."),
        ),
        "moved-to-home-zone": Explained(
            _(
                "A card under no heading, or under one that the format lacks, was counted in the zone "
                "where such cards belong."
            ),
            _("Lists without headings are to be counted right, and you are told where it went."),
            _("Put it under its zone's heading."),
        ),
        "own-facts": Explained(
            _("A card was judged by a file of your own, not by the bundled facts."),
            _("Whoever checks the same deck without that file may get another result."),
            _("To go by the bundled facts, take the card out of the file."),
        ),
        "unused-suppression": Explained(
            _("The list asks to ignore a rule of which nothing was found there."),
            _("Left in place, it would hide a real mistake some day."),
            _("Take it out, or put it at the end of the line that the finding is about."),
        ),
        "invalid-suppression": Explained(
            _("What follows “# deckcheck:” can't be understood."),
            _("What somebody meant to be ignored is not ignored."),
            _(
                "Write “# deckcheck: ignore[RULE] reason”, or “# deckcheck: ignore-file[RULE] reason” "
                "for the whole list."
            ),
        ),
    }
)
