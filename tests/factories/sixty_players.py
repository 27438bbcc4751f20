"""An event of sixty players, whose lists come by a form, as files and by the page."""

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path

from deckcheck.registration.submissions import Player, store_submission
from factories.events import a_list, legal

PLAYERS = 60
ILLEGAL, UNDECIDED, WITHOUT_LIST, LATE, CORRECTED, AGAIN_LATE = 3, 4, 5, 6, 7, 8
"""Players of the form whose lists are so; the last two send two, one of them after the deadline."""
FIRST_FILE, LATE_FILE, FIRST_OF_PAGE = 26, 40, 41
HEADS = ("タイムスタンプ", "お名前", "会員番号", "デッキリスト")
EVENT = """\
event: sixty
name: {{ja: 六十人の大会, en: Sixty players}}
date: {day}
as_of: 2026-11-27
time_zone: UTC
format: duel-masters/duemagic
deadline: {deadline}
required: [name, id]
entries:
  - lists
  - file: form.csv
    columns: {{submitted: タイムスタンプ, name: お名前, id: 会員番号, deck: デッキリスト}}
"""


def name_of(player: int) -> str:
    return f"選手{player:02}"


def id_of(player: int) -> str:
    return f"{1000 + player}"


class SixtyPlayers:
    """The event's folder. The deadline is tomorrow; lists of the page came in a minute ago."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "event.yaml"
        self.lists = folder / "lists"
        self.lists.mkdir()
        now = datetime.now(UTC).replace(microsecond=0)
        self.deadline = now + timedelta(days=1)
        self.before, self.after = now - timedelta(hours=1), self.deadline + timedelta(hours=1)
        text = EVENT.format(day=f"{self.deadline:%Y-%m-%d}", deadline=f"{self.deadline:%Y-%m-%d %H:%M:%S}")
        self.file.write_text(text, "utf-8")
        self.rows = [self.row(player, legal(player)) for player in range(1, FIRST_FILE)]
        self.replace(ILLEGAL, legal().replace("4 x アクア・サーファー", "5 x アクア・サーファー"))
        self.replace(UNDECIDED, legal().replace("3 x アクア・ナイト", "3 x 誰も知らない新カード"))
        self.replace(WITHOUT_LIST, "あとで送ります")
        self.replace(LATE, legal(LATE), self.after)
        self.rows.append(self.row(CORRECTED, legal(CORRECTED + 1), self.before + timedelta(minutes=5)))
        self.rows.append(self.row(AGAIN_LATE, legal(AGAIN_LATE + 1), self.after))
        self.write_form()
        for player in range(FIRST_FILE, FIRST_OF_PAGE):
            when = self.after if player == LATE_FILE else self.before
            self.write_file(player, legal(player), when)
        for player in range(FIRST_OF_PAGE, PLAYERS + 1):
            self.submit(player, legal(player), now - timedelta(minutes=1))

    def row(self, player: int, text: str, when: datetime | None = None) -> list[str]:
        """A row of the form."""
        return [f"{when or self.before:%Y/%m/%d %H:%M:%S}", name_of(player), id_of(player), text]

    def replace(self, player: int, text: str, when: datetime | None = None) -> None:
        """Another list in the player's row of the form."""
        self.rows[player - 1] = self.row(player, text, when)

    def write_form(self) -> None:
        """Export the form."""
        with (self.folder / "form.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([HEADS, *self.rows])

    def write_file(self, player: int, text: str, when: datetime) -> None:
        """A list that came by mail."""
        listed = a_list(name_of(player), text, id=id_of(player), submitted=f"{when:%Y-%m-%d %H:%M:%S}")
        (self.lists / f"{player}.txt").write_text(listed, "utf-8")

    def submit(self, player: int, text: str, when: datetime) -> str:
        """Store a list as the page does; returns the id of the submission."""
        return store_submission(self.lists, Player(name_of(player), id=id_of(player)), text, when).id
