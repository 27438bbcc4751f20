"""A file with lists as YGOPro has them."""

from __future__ import annotations

from pathlib import Path

LFLIST = """\
#[2026.10.1 OCG]
!2026.10.1 OCG
# forbidden
100 0 --Paper Dragon
0000200 1 -- Fused Paper
300 2
500 3 --Paper Trap
!2026.11 TCG
101 0
999999 1 --Nobody knows
!Plain list
$whitelist
100 3
"""


def lflist(tmp_path: Path) -> Path:
    path = tmp_path / "lflist.conf"
    path.write_text(LFLIST, encoding="utf-8")
    return path
