"""Small databases and lists of YGOPro, whose cards are made up; and how files of data come packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import zipfile
from pathlib import Path

from factories.files import put

CDB_CARDS: list[tuple[int, int, int, int, str | None]] = [
    # passcode, scope, alias, type, name
    (100, 3, 0, 0x11, "Paper Dragon"),
    (101, 3, 100, 0x11, "Paper Dragon"),
    (200, 3, 0, 0x61, "Fused Paper"),
    (300, 3, 0, 0x1000021, "Swinging Paper"),
    (301, 3, 0, 0x1802021, "Swinging Tuned Paper"),
    (400, 1, 0, 0x82, "Paper Rite"),
    (500, 2, 0, 0x4, "Paper Trap"),
    (600, 3, 0, 0x4011, "Paper Token"),
    (700, 4, 0, 0x21, "Paper of the Show"),
    (800, 0x200, 0, 0x21, "Rush Paper"),
    (900, 3, 0, 0x21, None),
    (1000, 3, 0, 0x21, "Lady Paper"),
    (1001, 3, 1000, 0x11, "Lady Paper 1"),
    (1100, 3, 0, 0x4000021, "Linked Paper"),
]


def cdb(path: Path, cards: list[tuple[int, int, int, int, str | None]] | None = None) -> Path:
    """A database of YGOPro."""
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE datas(id integer primary key,ot integer,alias integer,setcode integer,type integer,"
            "atk integer,def integer,level integer,race integer,attribute integer,category integer)"
        )
        database.execute("CREATE TABLE texts(id integer primary key,name text,desc text,str1 text)")
        for code, scope, alias, type, name in CDB_CARDS if cards is None else cards:
            database.execute("INSERT INTO datas VALUES (?,?,?,0,?,0,0,0,0,0,0)", (code, scope, alias, type))
            if name is not None:
                database.execute("INSERT INTO texts VALUES (?,?,'','')", (code, name))
    database.close()
    return path


def packed(data: bytes, how: str) -> bytes:
    """The data in a .gz, .xz, .bz2 or .zip."""
    if how == "zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("cards.json", data)
        return buffer.getvalue()
    return {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}[how](data)


PACKINGS = ("gz", "xz", "bz2", "zip")

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


def lflist(folder: Path) -> Path:
    return put(folder / "lflist.conf", LFLIST)
