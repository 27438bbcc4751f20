"""The ids of what the engine itself has to tell of a list; no rule may bear one of them."""

from __future__ import annotations

PARTIAL = "partial-banlist"
"""That a list in use holds only some of its entries."""

EMPTY_LINE = "empty-line"
"""That cards below an empty line were counted where those above it were."""

MOVED = "moved-to-home-zone"
"""That cards were counted in another zone than the one in which they are written."""

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

INFOS = frozenset({EMPTY_LINE, MOVED, "own-facts"})

ENGINE_IDS = UNSETTLED | WARNINGS | INFOS
