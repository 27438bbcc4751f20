"""`event init --form`: the columns of exports of Google Forms and Microsoft Forms, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from factories.event_lists import legal
from factories.event_runs import run
from factories.form_events import entries

WANTED = {
    "google-ja": (
        "タイムスタンプ,メールアドレス,お名前（本名）,ふりがな,会員番号（10桁）,使用デッキ名,デッキリスト,意気込み",
        "{submitted: タイムスタンプ, email: メールアドレス, name: お名前（本名）, reading: ふりがな, "
        "id: 会員番号（10桁）, deck_name: 使用デッキ名, deck: デッキリスト}",
    ),
    "google-en": (
        "Timestamp,Email Address,What is your full name?,Player ID,Deck name,Decklist",
        "{submitted: Timestamp, email: Email Address, name: 'What is your full name?', id: Player ID, "
        "deck_name: Deck name, deck: Decklist}",
    ),
    "microsoft-ja": (
        "ID,開始時刻,完了時刻,メール,名前,最終変更時刻,お名前,プレイヤーID,メインデッキ,サイドボード",
        "{submitted: 完了時刻, name: お名前, id: プレイヤーID, zones: {main: メインデッキ, side: サイドボード}}",
    ),
    "microsoft-en": (
        "ID,Start time,Completion time,Email,Name,First name,Last name,Your decklist",
        "{submitted: Completion time, name: [First name, Last name], deck: Your decklist}",
    ),
}
"""The heads of exports, and what their columns mean in the event's file."""

VALUES = {"メール": "anonymous", "Email": "anonymous", "ID": "1"}


def export(folder: Path, heads: list[str], file: str, encoding: str = "utf-8-sig") -> None:
    values = [
        VALUES.get(head, "2026/11/26 10:00:00" if "時刻" in head or "ime" in head else "x") for head in heads
    ]
    if file.endswith(".xlsx"):
        from openpyxl import Workbook

        book = Workbook()
        assert book.active is not None
        book.active.append(heads)
        book.active.append(values)
        book.save(folder / file)
    else:
        text = ",".join(f'"{head}"' for head in heads) + "\r\n" + ",".join(values) + "\r\n"
        (folder / file).write_bytes(text.encode(encoding))


def columns(folder: Path, file: str) -> dict[str, object]:
    done = run(folder, "event", "init", "--form", file, "--format", "duel-masters/duemagic")
    assert done.status == 0, done.err
    data = yaml.safe_load((folder / "event.yaml").read_text("utf-8"))
    forms = [entry for entry in data["entries"] if not isinstance(entry, str)]
    assert [entry["file"] for entry in forms] == [file]
    found: dict[str, object] = forms[0]["columns"]
    return found


@pytest.mark.parametrize("kind", WANTED)
@pytest.mark.parametrize(
    ("file", "encoding"), [("export.csv", "utf-8-sig"), ("export.csv", "cp932"), ("export.xlsx", "")]
)
def test_the_columns_of_an_export_are_read(tmp_path: Path, kind: str, file: str, encoding: str) -> None:
    heads, wanted = WANTED[kind]
    export(tmp_path, heads.split(","), file, encoding)
    assert columns(tmp_path, file) == yaml.safe_load(wanted)


def test_the_event_that_is_written_reads_the_export(tmp_path: Path) -> None:
    text = "タイムスタンプ,氏名,デッキレシピ\n" + f'2026/11/26 10:00:00,水野,"{legal()}"\n'
    (tmp_path / "form.csv").write_bytes(text.encode("cp932"))
    done = run(
        tmp_path, "event", "init", "--form", "form.csv", "-f", "duel-masters/duemagic", "--date", "2026-11-28"
    )
    assert done.status == 0 and "  deck: デッキレシピ\n" in done.out
    [found] = entries(tmp_path)
    assert (found["player"]["name"], found["state"], found["late"]) == ("水野", "legal", False)


def test_a_form_without_names_or_lists_is_refused_with_its_columns(tmp_path: Path) -> None:
    export(tmp_path, ["Timestamp", "Colour"], "export.csv")
    done = run(tmp_path, "event", "init", "--form", "export.csv")
    assert done.status == 2 and not (tmp_path / "event.yaml").exists()
    assert "no column looks like name, deck" in done.err and "“Timestamp”, “Colour”" in done.err
    (tmp_path / "empty.csv").write_text("", encoding="utf-8")
    for file in ("empty.csv", "none.csv"):
        assert run(tmp_path, "event", "init", "--form", file).status == 2
