"""Text that comes from files, made harmless for each kind of output: whatever it holds is shown and not obeyed.

What a terminal obeys is written out by `support.safetext.safe`; here stands what comes on top of it.
"""

from __future__ import annotations

import json
import re

from deckcheck.support.safetext import UNSAFE, safe

# JSON allows them raw, but a terminal that shows the object obeys them.
_OBEYED_IN_JSON = re.compile(rf"(?!\n){UNSAFE.pattern}")
# XML has no way to write them; all others that it refuses are hidden ones.
_REFUSED_BY_XML = "[\ufffe\uffff]"
# What is no byte of a path that the system could not decode.
_HALVES = "[\ud800-\udc7f\udd00-\udfff]"
# What Markdown reads in a line, and what GitHub and GitLab make links, mentions, pictures and formulas of.
_READ_BY_MARKDOWN = re.compile(
    r"[\\`*_{}\[\]<>|~&@$#^]|[!%]\w|//|\w\.\w|:[\w+-]+:|\bGH-\d|\b[0-9a-f]{7}|\b(?:mailto|xmpp):"
    r"|^(?:[-+=]|\d+[.)])|^\s|\s$|\s\s"
)


def json_line(value: object) -> str:
    """A value as JSON in one line, without anything that a terminal obeys."""
    return _without_obeyed(json.dumps(value, ensure_ascii=False))


def json_page(value: object) -> str:
    """As `json_line`, laid out for people, with a line feed at its end."""
    return _without_obeyed(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def _without_obeyed(text: str) -> str:
    # Half a surrogate pair, from a path that is no text, has no place in UTF-8.
    return text if text.isprintable() else _OBEYED_IN_JSON.sub(_code, text)


def _code(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def xml(text: str) -> str:
    """`text` for an element or an attribute of XML."""
    from html import escape

    return escape(re.sub(_REFUSED_BY_XML, _code, safe(text)))


def markdown(text: str) -> str:
    """`text` for a line or a cell of a table: as it is, or as code where Markdown would read something in it."""
    shown = safe(text)
    return markdown_code(shown) if _READ_BY_MARKDOWN.search(shown) else shown


def markdown_code(text: str) -> str:
    """`text` as code, in which nothing is read."""
    # A table ends its cells at bars even in code, so they stand between the stretches of it.
    return r"\|".join(_code_span(part) for part in safe(text).split("|"))


def _code_span(text: str) -> str:
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    # One blank at each end is taken away when it is read, unless there is nothing else.
    room = " " if text.strip(" ") and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{room}{text}{room}{fence}"


def github_data(text: str) -> str:
    """`text` behind the colons of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """`text` as the value of a workflow command's property."""
    return github_data(text).replace(":", "%3A").replace(",", "%2C")


def github_line(line: str) -> str:
    """A line in which no command is found: the old form may stand anywhere, the new one at the beginning."""
    line = line.replace("##[", r"##\x5b")
    bare = line.lstrip()
    return r"\x3a" + bare[1:] if bare.startswith("::") else line


def sarif(text: str) -> str:
    """`text` as a message of SARIF: braces stand for arguments and brackets for links, unless they are written so."""
    shown = re.sub(r"([{}])", r"\1\1", "\n".join(map(safe, text.split("\n"))))
    return re.sub(r"([\\\[\]])", r"\\\1", shown) if "](" in shown else shown


def uri(path: str) -> str:
    """The URI of a path with forward slashes: percent-encoded, relative unless the path is absolute."""
    from urllib.parse import quote

    data = re.sub(_HALVES, "\ufffd", path).encode("utf-8", "surrogateescape")
    if path.startswith("/"):
        return "file://" + quote(data)
    if re.match("[A-Za-z]:/", path):
        return "file:///" + quote(data, safe="/:")
    return quote(data)
