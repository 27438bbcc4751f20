"""The ids of what the engine itself has to tell of a list; no rule may bear one of them."""

from __future__ import annotations

PARTIAL = "partial-banlist"
"""That a list in use holds only some of its entries."""

UNCLEAR = frozenset({"unknown-card", "ambiguous-name", "invalid-line", "unknown-zone"})
"""What keeps a verdict open since nobody knows what is in the deck; nobody can ignore it."""

UNSETTLED = UNCLEAR | {PARTIAL}
"""What keeps a verdict open; everything else that the engine tells only informs."""

WARNINGS = frozenset(
    {
        "invalid-suppression",
        "not-yet-released",
        "total-mismatch",
        "unconfirmed-change",
        "unused-suppression",
    }
)

INFOS = frozenset({"empty-line", "moved-to-home-zone", "own-facts"})

ENGINE_IDS = UNSETTLED | WARNINGS | INFOS
