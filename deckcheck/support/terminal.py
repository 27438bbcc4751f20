"""Standard output and standard error: language, colors, and files that are whole or not there."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Literal, TextIO

from deckcheck.support.errors import user_error
from deckcheck.support.files import open_output, real_path
from deckcheck.support.messages import Message, Words, _
from deckcheck.support.safe_text import about, safe

Color = Literal["auto", "always", "never"]
Style = Literal["bold", "dim", "red", "yellow", "cyan", "green"]
Paint = Callable[[str, Style], str]
Write = Callable[[str | bytes], object]

_PATIENCE = 1.0
_BAR = 24

_CODES: Mapping[Style, str] = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "yellow": "1;33",
    "cyan": "1;36",
    "green": "1;32",
}


def user_language(environ: Mapping[str, str] = os.environ) -> str:
    """ "ja" if $DECKCHECK_LANG or the locale is Japanese, else "en"."""
    names = ("DECKCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    value = next(filter(None, map(environ.get, names)), None)
    if value is None and os.name == "nt":
        import locale

        value = locale.getlocale()[0]
    return "ja" if value is not None and value.lower().startswith("ja") else "en"


def asked_language(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> str | None:
    """The last `--lang` or $DECKCHECK_LANG, for help texts and usage errors, which come before options are read."""
    variable = environ.get("DECKCHECK_LANG")
    lang = variable if variable in ("ja", "en") else None
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
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


def painter(color: bool) -> Paint:
    """A function that gives text a style, or leaves it as it is without `color`."""
    if not color:
        return lambda text, _style: text
    return lambda text, style: f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text else text


def unpainted(text: str) -> str:
    """Painted text without its styles."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def width_of(stream: TextIO | None) -> int:
    """The width of an excerpt in cells: the terminal's, else fixed, so that files don't differ."""
    if not is_terminal(stream):
        return 100
    import shutil

    return min(max(shutil.get_terminal_size().columns, 40), 160)


# Output


def write_stderr(text: str) -> None:
    """Write to standard error; never fails."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(_encodable(no_command(text), sys.stderr))
        sys.stderr.flush()


def write_messages(lang: str, *messages: Words) -> None:
    """Write a line for each message to standard error."""
    write_stderr("".join(message.in_(lang) + "\n" for message in messages))


def write_paths(message: Message, paths: Sequence[str], lang: str) -> None:
    """Write a message about some paths, if there are any: the first of them, and how many more there are."""
    if paths:
        write_messages(lang, about(message, paths))


def no_command(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Lines for people without commands for GitHub's runner, as which names of files might be read in a log."""
    if environ.get("GITHUB_ACTIONS") != "true" or ("::" not in text and "##[" not in text):
        return text
    return re.sub(r"(?m)^([^\S\n]*):(?=:)", r"\1: ", text).replace("##[", "## [")


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


def show_lines(lines: Iterable[Words | str], lang: str) -> None:
    """Write a line for each message to standard output, as it comes, with hidden characters escaped."""
    with output(None, exact=False) as write:
        for line in lines:
            write(safe(line if isinstance(line, str) else line.in_(lang)) + "\n")


class Bar:
    """A bar on standard error with what is done, shown on terminals when it takes longer than a moment."""

    def __init__(self, total: int, title: str = "") -> None:
        self._title, self._total, self._done = title, total, 0
        self._shown, self._watched = False, is_terminal(sys.stderr)
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
