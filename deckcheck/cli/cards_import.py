"""`deckcheck cards import`: cards of a file become the user's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.userdata import ImportResult
from deckcheck.cli.options import game_id, game_ids
from deckcheck.cli.screen import is_terminal, output
from deckcheck.model.game import Game, load_game
from deckcheck.support.errors import UserError, wrong
from deckcheck.support.safetext import safe
from deckcheck.support.text import Text

if TYPE_CHECKING:
    from deckcheck.cards.importers.kinds import Kind
    from deckcheck.cards.importers.taking import Taken

Advance = Callable[[int], None]

DONE = 0
_OWN_ENDINGS = (".yaml", ".yml", ".jsonl")
_MOST_TOLD = 10
_REASONS = {
    "token": Text("トークン・紋章", "tokens and emblems"),
    "art": Text("アートカード", "art cards"),
    "beside": Text("デッキに入らないカード", "cards that are in no deck"),
    "remade": Text("オンライン専用の調整版", "versions of a card that only one program has"),
    "other": Text("別のゲームのカード", "cards of another game"),
    "unreleased": Text("正式に発売されていないカード", "cards that aren't out"),
    "flawed": Text("カードとして読めないもの", "entries of which no card could be made"),
}


def take_in(file: str, source: str | None, game: str | None, lang: str, *, quiet: bool = False) -> int:
    """Add the cards of a file to the user's own."""
    require_file(file)
    kind = _kind(file, source)
    if kind is None:
        from deckcheck.cards.userdata import import_cards

        id = _told_game(Path(file)) if game is None else game_id(game)
        done = import_cards(load_game(id), Path(file))
        with output(None, exact=False) as write:
            write(_result(done, lang))
        return DONE
    from deckcheck.cards.importers.taking import take_in as take

    played = _game(kind, game)
    with progress(file, lang, shown=not quiet) as advance:
        taken = take(played, kind, Path(file), advance)
    with output(None, exact=False) as write:
        if not quiet:
            write("".join(f"{line}\n" for line in _seen(kind, taken, lang)))
        write(_result(taken.result, lang))
        if not quiet:
            write("".join(f"{line}\n" for line in _left(taken, lang)))
    return DONE


def _kind(file: str, source: str | None) -> Kind | None:
    if source is None and file.lower().endswith(_OWN_ENDINGS):
        return None
    from deckcheck.cards.importers.kinds import kind_named, kind_of

    return kind_of(Path(file)) if source is None else kind_named(source)


def require_file(file: str) -> None:
    """Raises UserError for what can't be read a second time: standard input and pipes."""
    path = Path(file)
    if (file == "-" and not path.exists()) or path.is_fifo() or path.is_char_device():
        raise wrong(
            "標準入力やパイプからは取り込めません。ファイルを指定してください",
            "standard input and pipes can't be taken in; give a file",
            path=file,
        )


def _told_game(file: Path) -> str:
    """The id of the one game whose words a card file of deckcheck's own keeps to.

    Raises UserError where there are several or none.
    """
    from deckcheck.cards.check import vocabulary
    from deckcheck.cards.importers.kinds import KINDS
    from deckcheck.cards.source import MOST_BYTES, read_cards
    from deckcheck.support.files import read_bytes

    data = read_bytes(file, most=MOST_BYTES)
    meant, refused = [], []
    for id in game_ids(None):
        try:
            if read_cards(file, data, vocabulary(load_game(id))):
                meant.append(id)
        except UserError as error:
            refused.append(error)
    if len(meant) == 1:
        return meant[0]
    if not meant and not file.name.lower().endswith(_OWN_ENDINGS):
        raise wrong(
            "カードのデータとして読めません",
            "is no card data that is known",
            path=str(file),
            hint=Text(
                f"--from で指定できるのは {', '.join(KINDS)}、--game は自分で書いたファイルのゲームです",
                f"--from names whose data it is: {', '.join(KINDS)}; --game is for a file of your own",
            ),
        )
    if not meant and refused and all(error.problems == refused[0].problems for error in refused):
        raise refused[0]
    return game_id(None)


def _game(kind: Kind, game: str | None) -> Game:
    if game is not None and game != kind.game:
        raise wrong(
            f"--game: {kind.title}は{kind.game}のデータです",
            f"--game: {kind.title} is data of {kind.game}",
        )
    return load_game(kind.game)


@contextmanager
def progress(file: str, lang: str, *, shown: bool) -> Iterator[Advance]:
    """A bar on a terminal while a file is read; elsewhere nothing."""
    if not (shown and is_terminal(sys.stderr)):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    said = Text("読み込み中", "reading").in_(lang)
    columns = (TextColumn(said), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        place = Path(file)
        task = bar.add_task("", total=place.stat().st_size if place.is_file() else None)
        yield lambda count: bar.advance(task, count)


def _result(done: ImportResult, lang: str) -> str:
    place = safe(str(done.path))
    if lang == "ja":
        return f"追加{done.added}枚、変更{done.changed}枚、変わらないもの{done.unchanged}枚: {place}\n"
    return f"{done.added} added, {done.changed} changed, {done.unchanged} as before: {place}\n"


def _seen(kind: Kind, taken: Taken, lang: str) -> Iterator[str]:
    day = f" ({safe(taken.date[:20])})" if taken.date else ""
    yield f"{kind.title}{day}"
    if taken.resumed:
        ja = f"前回の続きから取り込みました（{taken.resumed:,}件は読み込み済み）"
        yield Text(ja, f"went on with an earlier import ({taken.resumed:,} entries had been read)").in_(lang)


def _left(taken: Taken, lang: str) -> Iterator[str]:
    told = taken.told
    counted = [
        f"{_REASONS[reason].in_(lang)} {number:,}"
        for reason, number in sorted(taken.left_out.items())
        if number and reason in _REASONS
    ]
    if counted:
        yield Text("入れなかったもの: ", "left out: ").in_(lang) + Text("、", ", ").in_(lang).join(counted)
    doubles = [
        Text(
            f"「{safe(one)}」（「{safe(other)}」と区別できません）", f"{safe(one)} (reads like {safe(other)})"
        ).in_(lang)
        for one, other in told.doubles
    ]
    yield from _some(
        doubles, Text("名前が重なるので入れなかったカード", "cards left out for their names"), lang
    )
    clashes = [
        Text(f"「{safe(alias)}」（{safe(name)}）", f"{safe(alias)} ({safe(name)})").in_(lang)
        for alias, name in told.clashes
    ]
    yield from _some(
        clashes, Text("ほかのカードと重なる別名", "other names that may mean another card, too"), lang
    )
    unknown = [f"{safe(word)} ({number:,})" for word, number in sorted(told.unknown.seen.items())]
    yield from _some(unknown, Text("ゲームの定義にない語", "words that the game doesn't know"), lang)


def _some(items: Sequence[str], title: Text, lang: str) -> Iterator[str]:
    if not items:
        return
    more = len(items) - _MOST_TOLD
    shown = list(items[:_MOST_TOLD])
    if more > 0:
        shown.append(Text(f"ほか{more:,}件", f"{more:,} more").in_(lang))
    yield f"{title.in_(lang)}: " + Text("、", ", ").in_(lang).join(shown)
