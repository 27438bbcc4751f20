"""Standard output and standard error: language, colors, progress, and files that are whole or not there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, TextIO

from deckcheck.support.errors import Problem, UserError, user_error
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.safe_text import cells, safe

if TYPE_CHECKING:
    from deckcheck.checking.deck_files import DeckFile
    from deckcheck.report.writer import RenderOptions

Color = Literal["auto", "always", "never"]
Write = Callable[[str | bytes], object]
Line = Words | Problem | str

_PATIENCE = 1.0
_BAR = 24


def user_language(environ: Mapping[str, str] = os.environ) -> str:
    """ "ja" if $DECKCHECK_LANG or the locale is Japanese, else "en"."""
    names = ("DECKCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    value = next(filter(None, map(environ.get, names)), None)
    if value is None and os.name == "nt":
        import locale

        value = locale.getlocale()[0]
    return "ja" if value is not None and value.lower().startswith("ja") else "en"


def language_of_arguments(arguments: Sequence[str]) -> str | None:
    """The last `--lang`, for help texts and usage errors, which come before options are read."""
    lang, words = None, arguments[: arguments.index("--")] if "--" in arguments else arguments
    for word, following in zip(words, (*words[1:], ""), strict=False):
        value = following if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and value in ("ja", "en"):
            lang = value
    return lang


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; a closed one isn't."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def wants_color(color: Color, stream: TextIO | None, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to write colors: by the option, else by NO_COLOR and FORCE_COLOR, else on terminals."""
    if color != "auto":
        return color == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and environ.get("TERM") != "dumb"


def width_of(stream: TextIO | None) -> int:
    """The width of an excerpt in cells: the terminal's, else fixed, so that files don't differ."""
    if not is_terminal(stream):
        return 100
    import shutil

    return min(max(shutil.get_terminal_size().columns, 40), 160)


def render_options(
    lang: str, color: Color = "auto", *, file: str | None = None, plain: bool = False
) -> RenderOptions:
    """How results look on standard output, or in a file; `plain` ones are never colored."""
    from deckcheck.report.writer import RenderOptions

    stream = None if file is not None else sys.stdout
    return RenderOptions(lang, not plain and wants_color(color, stream), width_of(stream))


# Output


def write_stderr(text: str) -> None:
    """Write to standard error; never fails."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(_encodable(no_command(text), sys.stderr))
        sys.stderr.flush()


def write_messages(lang: str, *messages: Words) -> None:
    """Write a line for each message to standard error."""
    write_stderr("".join(message.in_(lang) + "\n" for message in messages))


def write_problems(problems: Iterable[Problem], lang: str) -> None:
    """Write the user's mistakes to standard error."""
    from deckcheck.report.text import render_problems

    color = wants_color("auto", sys.stderr)
    write_stderr(render_problems(problems, lang, color=color, width=width_of(sys.stderr)))


def write_paths(message: Message, paths: Sequence[str], lang: str) -> None:
    """Write a message about some paths, if there are any: the first of them, and how many more there are."""
    if paths:
        from deckcheck.support.safe_text import about

        write_messages(lang, about(message, paths))


def explain_first_run(lang: str) -> None:
    """On a terminal, explain the wait of a second if no card table was made yet."""
    from deckcheck.support.cache import cache_folder

    if is_terminal(sys.stderr) and not any(cache_folder().glob("*.sqlite")):
        write_messages(lang, _("preparing the card table (this happens only once)…"))


def no_command(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Lines for people without commands for GitHub's runner, as which names of files might be read in a log."""
    if environ.get("GITHUB_ACTIONS") != "true" or ("::" not in text and "##[" not in text):
        return text
    import re

    return re.sub(r"(?m)^([ \t]*):(?=:)", r"\1: ", text).replace("##[", "## [")


def _encodable(text: str, stream: TextIO) -> str:
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


@contextmanager
def output(path: str | None, *, exact: bool, private: bool = False) -> Iterator[Write]:
    """A function that writes results to standard output, or to a file that appears only when it is complete.

    `exact` always writes UTF-8. A `private` file is only for its owner; its folders are made. Raises UserError if
    the file can't be written.
    """
    if path is not None:
        from deckcheck.support.files import open_output, real_path

        if private:
            with suppress(OSError, ValueError):
                real_path(path).parent.mkdir(parents=True, exist_ok=True)
        with open_output(path, private=private) as file:
            yield lambda content: file.write(_utf8(content))
        return
    stream = sys.stdout
    if stream is None:
        raise user_error(_("standard output is closed"))

    def write(content: str | bytes) -> None:
        if exact or isinstance(content, bytes):
            stream.buffer.write(_utf8(content))
            stream.buffer.flush()
        else:
            stream.write(_encodable(no_command(content), stream))
            stream.flush()

    yield write
    stream.flush()


def _utf8(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")


def show(
    content: str | bytes, *, exact: bool = False, file: str | None = None, private: bool = False
) -> None:
    """Write a complete result, as `output` does."""
    with output(file, exact=exact, private=private) as write:
        write(content)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """A line for each row, safe to show, with its cells in columns."""
    padded = []
    for column in zip(*rows, strict=True):
        texts = [safe(text) for text in column]
        width = max(map(cells, texts))
        padded.append([text + " " * (width - cells(text)) for text in texts])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def show_lines(lines: Iterable[Line], lang: str) -> None:
    """Write a line for each message to standard output, as it comes, with hidden characters escaped."""
    from deckcheck.support.safe_text import safe

    with output(None, exact=False) as write:
        for line in lines:
            write(safe(line if isinstance(line, str) else line.in_(lang)) + "\n")


def show_answer(
    output_format: str,
    lang: str,
    template: str,
    shown: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write a result: a template filled with `shown`, or a JSON object with `values`, also records and words."""
    if output_format == "json":
        show_values(values, lang)
        return
    from deckcheck.support.templates import render

    show(render(template, lang, **shown))


def show_values(values: Mapping[str, object], lang: str) -> None:
    """Write a JSON object with `values`, which may be records and words."""
    from deckcheck.model.plain import plain
    from deckcheck.report.json import SCHEMA, TOOL, json_page

    show(json_page({"schema": SCHEMA, "tool": dict(TOOL), **plain(values, lang)}), exact=True)


# Runs over many lists


class Progress:
    """A bar on standard error, shown when a run takes longer than a moment, and the problems of the run."""

    def __init__(self, total: int, lang: str = "en", title: str = "") -> None:
        self.problems: dict[Problem, None] = {}
        self.lang, self._title, self._total = lang, title, total
        self._done = 0
        self._shown = False
        self._watched = is_terminal(sys.stderr)
        self._start = self._drawn = time.monotonic()

    def advance(self, count: int = 1) -> None:
        """Note that `count` more are done."""
        self._done += count
        now = time.monotonic()
        if self._watched and now - self._start > _PATIENCE and now - self._drawn > 0.1:
            self._drawn, self._shown = now, True
            filled = min(_BAR * self._done // max(self._total, 1), _BAR)
            bar = "#" * filled + "." * (_BAR - filled)
            counts = f"[{bar}] {self._done:,}/{self._total:,}" if self._total else f"{self._done:,}"
            write_stderr(f"\r{self._title}{counts}")

    def reach(self, done: int, total: int) -> None:
        """Note how many are done, and a total that wasn't known before (0: still unknown)."""
        self._total = total
        self.advance(done - self._done)

    def clear(self) -> None:
        """Remove the bar, so that other lines can be written."""
        if self._shown:
            write_stderr("\r\x1b[K")
            self._shown = False

    def write_messages(self, problems: Iterable[Problem], *, quiet: bool = False) -> None:
        """Show the problems that are new to the run; if `quiet`, only remember them."""
        new = [problem for problem in dict.fromkeys(problems) if problem not in self.problems]
        self.problems |= dict.fromkeys(new)
        if new and not quiet:
            self.clear()
            write_problems(new, self.lang)


def for_each(
    items: Sequence[DeckFile | UserError],
    progress: Progress,
    work: Callable[[DeckFile], None],
    *,
    fatal: type[UserError] | tuple[()] = (),
    quiet: bool = False,
) -> int:
    """Do `work` for each list; returns how many failed. Shows their errors unless `quiet`; raises `fatal` ones."""
    from deckcheck.checking.deck_files import NotADecklistError

    failed, skipped = 0, list[str]()
    for item in items:
        try:
            if isinstance(item, UserError):
                raise item
            work(item)
        except fatal:
            progress.clear()
            raise
        except NotADecklistError as error:
            skipped.append(error.path)
        except UserError as error:
            failed += 1
            progress.write_messages(error.problems, quiet=quiet)
        progress.advance()
    progress.clear()
    write_paths(_("Skipped (not a decklist)"), skipped, progress.lang)
    return failed
