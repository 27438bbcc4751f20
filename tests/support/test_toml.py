"""Every key of a TOML file is found where it stands, however it is written."""

from __future__ import annotations

from deckcheck.support.toml import marks_of

TEXT = '''\
# a comment with [brackets] and key = 1
top = "a # no comment"  # but this is one
"quoted key".'it''s' = 1
dotted . key = [1, 2]

[ table ]  # after a header
inline = {a = 1, "b c" = {d = [ {e = 1}, {e = 2} ]}}
long = """
[fake]
x = 1 \\""" still
"""
literal = \'\'\'
y = 2
\'\'\'
array = [
  "one", # comment, with ] in it
  [2, 3],

  {f = "]"},
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
'''.replace("'it''s'", "'its'")


def test_each_way_to_write_a_key() -> None:
    marks = marks_of(TEXT)
    lines = TEXT.split("\n")

    def at(*keys: str | int) -> tuple[int, str]:
        line, column = marks[keys]
        return line, lines[line - 1][column - 1 :]

    assert at("top") == (2, 'top = "a # no comment"  # but this is one')
    assert at("quoted key") == (3, "\"quoted key\".'its' = 1")
    assert at("quoted key", "its") == (3, "'its' = 1")
    assert at("dotted", "key", 1) == (4, "2]")
    assert at("table") == (6, "table ]  # after a header")
    assert at("table", "inline", "b c", "d", 1, "e") == (7, "e = 2} ]}}")
    assert at("table", "long") == (8, 'long = """')
    assert at("table", "literal")[0] == 12
    assert at("table", "array", 0) == (16, '"one", # comment, with ] in it')
    assert at("table", "array", 1, 1) == (17, "3],")
    assert at("table", "array", 2, "f") == (19, 'f = "]"},')
    assert at("table", "sub", "quoted") == (21, '"quoted"]')
    assert at("table", "sub", "quoted", "z")[0] == 22
    assert at("list", 0) == (23, "[[list]]")
    assert at("list", 1, "k") == (26, "k = 2")
    assert at("list", 1, "inner", 0, "m") == (28, "m = 1")
    assert at("list", 1, "inner", 0, "deep", "n") == (30, "n = 0x1F")
    assert ("x",) not in marks
    assert ("fake",) not in marks
