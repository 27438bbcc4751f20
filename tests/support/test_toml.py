"""The keys and items of a TOML file are found where they stand."""

from __future__ import annotations

from deckcheck.support.toml import places_in

TEXT = """\
# a comment with [brackets] and key = 1
top = "a # no comment"  # but this is one
"quoted key".its = 1
dotted . key = [1, "b, c"]

[ table ]  # after a header
inline = {a = 1, "b c" = {d = 1}}
array = [
  "one", # comment, with ] and "two" in it
  'three', 4
]
[table.sub."quoted"]
z = 1979-05-27 07:32:00Z
[[list]]
k = 1
[[list]]
k = 2
[[list.inner]]
m = 1
[list.inner.deep]
n = 0x1F
"""


def test_each_way_to_write_a_key() -> None:
    marks = places_in(TEXT)
    lines = TEXT.split("\n")

    def at(*keys: str | int) -> tuple[int, str]:
        line, column = marks[keys]
        return line, lines[line - 1][column - 1 :]

    assert at("top") == (2, 'top = "a # no comment"  # but this is one')
    assert at("quoted key") == (3, '"quoted key".its = 1')
    assert at("quoted key", "its") == (3, "its = 1")
    assert at("dotted", "key", 1) == (4, '"b, c"]')
    assert at("table") == (6, "table ]  # after a header")
    assert at("table", "inline")[0] == 7
    assert ("table", "inline", 0) not in marks
    assert at("table", "array", 0)[0] == 9
    assert at("table", "array", 1) == (10, "'three', 4")
    assert at("table", "array", 2) == (10, "4")
    assert at("table", "sub", "quoted") == (12, '"quoted"]')
    assert at("table", "sub", "quoted", "z")[0] == 13
    assert at("list", 0) == (14, "[[list]]")
    assert at("list", 1, "k") == (17, "k = 2")
    assert at("list", 1, "inner", 0, "m") == (19, "m = 1")
    assert at("list", 1, "inner", 0, "deep", "n") == (21, "n = 0x1F")
