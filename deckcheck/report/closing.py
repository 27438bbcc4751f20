"""What stands beneath all decks of a run: the lists that were used, and how many decks are what."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from deckcheck.model.finding import ListUsed, Verdict
from deckcheck.report.paint import painter
from deckcheck.support.messages import _
from deckcheck.support.safetext import safe


class Tally(NamedTuple):
    """How many decks of a run got which verdict."""

    legal: int = 0
    illegal: int = 0
    undecided: int = 0

    @property
    def decks(self) -> int:
        """All of them."""
        return sum(self)

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(*(mine + more for mine, more in zip(self, other, strict=True)))


def tally_of(verdicts: Iterable[Verdict]) -> Tally:
    """The tally of some verdicts."""
    given = list(verdicts)
    return Tally(given.count("legal"), given.count("illegal"), given.count("undecided"))


_HEAD = _("lists used:")


def render_lists(lists: Iterable[ListUsed], held: Collection[str], lang: str, *, color: bool) -> str:
    """Each list with its newest change and how far it can be trusted; "" where none was used.

    Of changes that were seen and not applied only those of cards in `held`
    are named.
    """
    lines = [line for one in lists for line in _list(one, held, lang, color)]
    return "\n".join([painter(color)(_HEAD.in_(lang), "dim"), *lines]) + "\n" if lines else ""


def _list(used: ListUsed, held: Collection[str], lang: str, color: bool) -> list[str]:
    paint = painter(color)
    name = used.name.in_(lang)
    title = " ".join(part for part in (used.title if used.title != name else None, used.edition) if part)
    if lang == "ja":
        what = f"{name}（{title}）" if title else name
        day = f"最新の変更 {used.latest}" if used.latest else "この日までの変更なし"
        lines = [f"  {safe(what)}、{day}"]
    else:
        what = f"{name} ({title})" if title else name
        day = f"newest change {used.latest}" if used.latest else "no change by this day"
        lines = [f"  {safe(what)}, {day}"]
    mark = paint(_("note: ").in_(lang), "yellow")
    lines += [f"    {mark}{safe(one.in_(lang))}" for one in used.notes]
    lines += [f"      {safe(one)}" for one in _unapplied(used, held, lang)]
    return lines


def _unapplied(used: ListUsed, held: Collection[str], lang: str) -> list[str]:
    named = [one for one in used.unapplied if one.card in held]
    if lang == "ja":
        return [f"デッキにあるカード: 《{one.card}》 {one.change.ja}" for one in named]
    return [f"in the deck: {one.card}, {one.change.en}" for one in named]


def render_tally(tally: Tally, failed: int, left_out: int, lang: str) -> str:
    """One line for all decks of a run.

    `failed` counts those that could not be checked, `left_out` findings that
    somebody asked not to be told.
    """
    if lang == "ja":
        said = f"{tally.decks:,}件のデッキ: 問題なし{tally.legal:,}、違反あり{tally.illegal:,}、判定できません{tally.undecided:,}"
        said += f"、無視した指摘{left_out:,}件" if left_out else ""
        return said + (f"（ほかに読めなかったもの{failed:,}）\n" if failed else "\n")
    decks = "deck" if tally.decks == 1 else "decks"
    said = f"{tally.decks:,} {decks}: {tally.legal:,} legal, {tally.illegal:,} illegal, {tally.undecided:,} undecided"
    said += f"; {left_out:,} findings ignored" if left_out > 1 else "; 1 finding ignored" if left_out else ""
    return said + (f" (and {failed:,} that could not be checked)\n" if failed else "\n")
