"""`deckcheck formats`: what there is, what it says, and whether it holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date

from deckcheck.checking import Table, load_format
from deckcheck.cli.check import tell_first_time
from deckcheck.cli.screen import output, wants_color
from deckcheck.formats.find import bundled_formats
from deckcheck.report.paint import painter
from deckcheck.report.places import cells


def listing(lang: str) -> int:
    """Write every format that can be used: id, name, aliases and the edition in force today."""
    tell_first_time(lang)
    rows = []
    tables: dict[str, Table] = {}
    for one in bundled_formats():
        if one.abstract:
            continue
        format = load_format(one.id, tables=tables).format
        edition = format.edition(date.today().isoformat())
        said = " ".join(part for part in (format.title, edition.edition if edition else None) if part)
        rows.append((one.id, format.name.in_(lang), ", ".join(one.aliases), said))
    widths = [max((cells(row[at]) for row in rows), default=0) for at in range(4)]
    with output(None, exact=False) as write:
        for row in rows:
            padded = (cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True))
            write("  ".join(padded).rstrip() + "\n")
    return 0


def show(reference: str, lang: str) -> int:
    """Write every rule of a format in words."""
    from deckcheck.report.describe import describe_format

    tell_first_time(lang)
    loaded = load_format(reference)
    with output(None, exact=False) as write:
        write(describe_format(loaded.format, loaded.table.game, lang).rstrip("\n") + "\n")
    return 0


def test(references: Sequence[str], lang: str) -> int:
    """Write a line for each format and case; 1 if one of them is not as it should be."""
    from deckcheck.cases import test_formats

    tell_first_time(lang)
    paint = painter(wants_color("auto", sys.stdout))
    failed = total = 0
    with output(None, exact=False) as write:
        for ok, line in test_formats(references, lang):
            total += 1
            failed += not ok
            mark = paint("ok", "green") if ok else paint("NG" if lang == "ja" else "FAILED", "red")
            write(f"{mark}  {line}\n")
        if lang == "ja":
            write(f"{total}件中{total - failed}件が正しく通りました\n")
        else:
            write(f"{total - failed} of {total} as they should be\n")
    return 1 if failed else 0
