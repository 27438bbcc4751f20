"""A folder of small formats that extend one another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deckcheck.support.errors import Problem, UserError
from factories.garden_game import load

BASE = """\
format: garden/base
name: Base
zones: {main: {}, side: {}}
banlists: [list.yaml]
exchange: [main, side]
definitions: {costly: {cost: {at_least: 3}}}
rules:
  - {id: size, in: main, at_most: 60}
  - {id: few, where: {ref: costly}, at_most: 9}
  - {id: out, where: {status: out}, at_most: 0}
beside:
  - {id: tools, names: [Spade], message: M}
"""
LISTED = (
    "banlist: garden/{0}\nname: L\ncards:\n- card: Rose\n  history: [{{from: 2020-01-01, status: out}}]\n"
)


def garden(tmp_path: Path) -> Path:
    (tmp_path / "base.yaml").write_text(BASE)
    for name in ("list", "more"):
        (tmp_path / f"{name}.yaml").write_text(LISTED.format(name))
    put(tmp_path, "plain", "extends: base.yaml\n")
    return tmp_path


def put(folder: Path, name: str, text: str) -> Path:
    (folder / f"{name}.yaml").write_text(f"format: garden/{name}\nname: {name}\n{text}")
    return folder / f"{name}.yaml"


def problems_of(file: Path) -> list[Problem]:
    with pytest.raises(UserError) as caught:
        load(file)
    return list(caught.value.problems)


def bounds(file: Path) -> dict[str, Any]:
    return {rule.id: rule.clauses[0].high for rule in load(file).format.rules}
