"""Lists as CSV, TSV, JSON and YAML: every card with its zone and its count."""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.decklists.notations.common import Listing
from deckcheck.support.errors import wrong
from deckcheck.support.messages import _

_COLUMNS = ("Zone", "Count", "Name")
_FORMULA = ("=", "+", "-", "@")


def sheet(listing: Listing, header: Mapping[str, str], delimiter: str) -> str:
    """A table with a row for each card, below what the list says of itself.

    Raises UserError for an unknown name that a spreadsheet would take for a formula.
    """
    import csv
    import io

    page = io.StringIO()
    writer = csv.writer(page, delimiter=delimiter, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for zone, rows in listing.zones.items():
        for row in rows:
            if row.card is None and row.name.startswith(_FORMULA):
                raise wrong(
                    _("a spreadsheet could take {row!r} for a formula, so it isn't written", row=row.name)
                )
            writer.writerow((zone, row.copies, row.name))
    return "".join(f"# {key}: {value}\n" for key, value in header.items()) + page.getvalue()


def tree(listing: Listing, header: Mapping[str, str]) -> dict[str, object]:
    """Plain values: what the list says of itself, and its cards."""
    cards = [
        {"zone": zone, "count": row.copies, "name": row.name}
        for zone, rows in listing.zones.items()
        for row in rows
    ]
    return {**header, "cards": cards}


def as_json(listing: Listing, header: Mapping[str, str]) -> str:
    """The tree as JSON."""
    import json

    return json.dumps(tree(listing, header), ensure_ascii=False, indent=1) + "\n"


def as_yaml(listing: Listing, header: Mapping[str, str]) -> str:
    """The tree as YAML."""
    import yaml

    dumped = yaml.safe_dump(tree(listing, header), allow_unicode=True, sort_keys=False, width=10_000)
    return str(dumped)
