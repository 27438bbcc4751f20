"""What an import did, in words."""

from collections.abc import Iterator

from deckcheck.importers.banlist_updates import BanlistUpdate
from deckcheck.importers.importer import ListsWritten
from deckcheck.importers.own_cards import ImportResult
from deckcheck.support.messages import Message, _, shortened
from deckcheck.support.safe_text import safe

_REASONS = {
    "token": _("tokens and emblems"),
    "art": _("art cards"),
    "beside": _("cards that are never in a deck"),
    "remade": _("digital-only versions"),
    "other": _("cards of other games"),
    "unreleased": _("unreleased cards"),
    "flawed": _("unreadable entries"),
}
"""Why an import leaves cards out."""


def card_lines(done: ImportResult, *, brief: bool) -> Iterator[Message | str]:
    """What an import of cards did; for a large file, more than the numbers of cards unless `brief`."""
    source = None if brief else done.source
    if source is not None:
        yield source
    yield _(
        "{added} added, {changed} changed, {unchanged} unchanged: {path}",
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        path=str(done.path),
    )
    if source is None:
        return
    left_out = [
        _("{what} {count:,}", what=_REASONS[reason], count=count)
        for reason, count in sorted(done.left_out.items())
        if count
    ]
    doubles = [_("“{name}” (same as “{other}”)", name=name, other=other) for name, other in done.doubles]
    clashes = [_("“{alias}” ({name})", alias=alias, name=name) for alias, name in done.clashes]
    unknown = [_("{word} ({count:,})", word=word, count=done.unknown[word]) for word in sorted(done.unknown)]
    if left_out:
        yield _("left out: {items}", items=shortened(left_out, 10))
    if doubles:
        yield _("left out because of their names: {items}", items=shortened(doubles, 10))
    if clashes:
        yield _("aliases that could mean another card, too: {items}", items=shortened(clashes, 10))
    if unknown:
        yield _("words that the game does not define: {items}", items=shortened(unknown, 10))


def list_line(new: BanlistUpdate) -> Message:
    """What an import did to a list."""
    return _(
        "{list} (from {day}): {added} added, {changed} changed, {freed} removed, {unchanged} unchanged: {path}",
        list=new.id,
        day=new.since,
        added=new.added,
        changed=new.changed,
        freed=new.freed,
        unchanged=new.unchanged,
        path=str(new.file),
    )


def list_remarks(done: ListsWritten) -> Iterator[Message]:
    """What couldn't be imported from lists, and the cards about which they say nothing."""
    yield from done.remarks
    for new in (*done.unmatched, *done.written):
        for words, remark in (
            (new.unknown, _("skipped (no single card with this name in the card table)")),
            (new.untouched, _("left as they were (not mentioned in the new data)")),
        ):
            if words:
                yield _(
                    "{list}: {remark}: {cards}",
                    list=safe(new.id),
                    remark=remark,
                    cards=shortened(list(map(safe, words)), 10),
                )
