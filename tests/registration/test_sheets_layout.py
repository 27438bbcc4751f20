"""How a sheet is laid out on paper: every line once, within the paper, on as few leaves as go."""

from __future__ import annotations

from collections import Counter

import pytest
from factories import paper
from factories.examples import examples
from hypothesis import example, given
from hypothesis import strategies as st

from deckcheck.registration.sheets import layout
from deckcheck.registration.sheets.layout import leaves
from deckcheck.registration.sheets.measure import clip, cut, ems, lines_of, sized
from deckcheck.registration.sheets.model import Line, Note, Page, Total, Zone


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_sixty_names_fit_on_one_leaf(lang: paper.Lang) -> None:
    page = paper.sixty(lang)
    assert len(paper.names_of(page)) == 60
    [leaf] = leaves(page)
    assert leaf.row >= 5 and leaf.foot
    assert all(entry.size == 12 for column in leaf.columns for box in column for entry in box.entries)


@pytest.mark.parametrize("make", [paper.legal, paper.illegal, paper.undecided, paper.empty])
def test_a_usual_deck_takes_one_leaf(make: paper.Make) -> None:
    [leaf] = leaves(make())
    assert (leaf.number, leaf.of, leaf.foot) == (1, 1, True)


_LINES = st.lists(
    st.builds(
        Line,
        copies=st.integers(1, 4),
        most=st.just(4),
        name=st.text(st.sampled_from("アクアデドダム青銅鎧 ABCi/"), min_size=1, max_size=120),
        sure=st.booleans(),
    ),
    max_size=150,
).map(tuple)

_NOTES = [Note("error", "r", "")]


@examples(60)
# Columns that were once reckoned three millimetres higher than the paper has room.
@example([(), (), ()], 31 * _NOTES)
@given(
    st.lists(_LINES, min_size=1, max_size=4),
    st.lists(
        st.builds(Note, label=st.just("error"), rule=st.just("r"), message=st.text("あa ", max_size=300)),
        max_size=50,
    ),
)
def test_every_line_and_finding_is_laid_out_once_in_order_and_within_the_paper(
    zones: list[tuple[Line, ...]], notes: list[Note]
) -> None:
    page = paper.legal()._replace(
        zones=tuple(Zone(f"z{at}", lines, Total((0, 0), None)) for at, lines in enumerate(zones)),
        notes=tuple(notes),
    )
    made = leaves(page)
    assert [leaf.number for leaf in made] == list(range(1, len(made) + 1))
    assert [leaf.foot for leaf in made] == [False] * (len(made) - 1) + [True]
    assert [bool(leaf.head) for leaf in made] == [True] + [False] * (len(made) - 1)
    boxes = [box for leaf in made for column in leaf.columns for box in column if box.zone is not None]
    laid: dict[str, list[str | None]] = {}
    for box in boxes:
        assert box.zone is not None
        laid.setdefault(box.zone.title, []).extend(entry.name for entry in box.entries)
    for zone in page.zones:
        assert (
            laid[zone.title] == [clip(line.name, layout.MOST_CHARS) for line in zone.lines] or not zone.lines
        )
    assert [note for leaf in made for note in leaf.notes] == notes
    for leaf in made:
        top = sum(row.height for row in leaf.head) or layout.SHORT_HEAD
        used = max(sum(box.height for box in column) for column in leaf.columns)
        if leaf.notes:
            used += layout.TITLE + layout.GAP + sum(layout.note_height(note, "ja") for note in leaf.notes)
        used += layout.foot_height(page) if leaf.foot else 0
        assert top + used + layout.COLOPHON <= layout.HEIGHT - 2 * layout.TOP


def test_a_list_of_thousands_of_lines_is_laid_out_whole() -> None:
    lines = tuple(Line(1, 1, f"カード{at}") for at in range(5000))
    page = paper.legal()._replace(zones=(Zone("main", lines, Total((5000, 5000), None)),))
    made = leaves(page)
    names = Counter(
        entry.name for leaf in made for column in leaf.columns for box in column for entry in box.entries
    )
    assert names == Counter(line.name for line in lines)
    assert made[-1].of == len(made)


def test_many_zones_and_lists_never_keep_the_layout_from_its_end() -> None:
    zones = tuple(Zone("謎" * 60, (Line(1, 1, "あ" * 500),), Total((1, 1), None)) for _ in range(300))
    page = paper.legal()._replace(zones=zones, lists=paper.legal().lists * 60)
    assert leaves(page)[-1].foot


@given(st.text(max_size=60), st.integers(1, 40))
def test_cut_and_clipped_text_is_short_enough_and_hides_nothing(text: str, most: int) -> None:
    clipped = clip(text, most)
    assert len(clipped) <= most and (clipped.isprintable() or not text.isprintable())
    assert not any(char in "\n\r\t\x00\u202e" for char in clipped)
    line = cut(clipped, 50.0, 8.0)
    assert line == clipped or (line.endswith("…") and clipped.startswith(line[:-1].rstrip()))


def test_long_names_are_written_smaller_and_then_on_several_lines() -> None:
    assert sized("あ" * 10, 73.5, layout.NAME_SIZES) == (12.0, 1)
    assert sized("あ" * 19, 73.5, layout.NAME_SIZES)[0] == 10.0
    assert sized("あ" * 100, 73.5, layout.NAME_SIZES) == (8.0, lines_of("あ" * 100, 73.5, 8.0))
    assert lines_of("あ" * 100, 73.5, 8.0) == 5
    assert ems("あ") == 1.0 and ems("il") < ems("WM")


def test_pages_are_plain_data() -> None:
    """What a page holds can be written down and compared: names, numbers, words, and nothing that does things."""

    def plain(value: object) -> bool:
        return (
            value is None
            or isinstance(value, str | int)
            or (isinstance(value, tuple) and all(map(plain, value)))
        )

    assert isinstance(paper.illegal(), Page) and plain(paper.illegal()) and plain(paper.empty())
    assert paper.illegal() == paper.illegal()
