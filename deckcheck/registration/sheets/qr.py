"""The QR code of a deck's fingerprint, as a square of modules."""

from deckcheck.registration.sheets.model import Page, payload

QUIET = 4
"""Modules of blank paper that readers want around a code."""


def modules(page: Page) -> tuple[tuple[bool, ...], ...] | None:
    """The rows of the code, True for dark; None for a sheet without a fingerprint."""
    text = payload(page)
    if text is None:
        return None
    import segno

    code = segno.make(text, error="m", micro=False, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Where dark modules begin in a row, and how many stand side by side."""
    found = []
    at = 0
    while at < len(row):
        length = 0
        while at + length < len(row) and row[at + length]:
            length += 1
        if length:
            found.append((at, length))
        at += length or 1
    return found
