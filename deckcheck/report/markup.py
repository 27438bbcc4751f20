"""Text that comes from files, for programs that read Markdown: whatever it holds is shown and not obeyed."""

from __future__ import annotations

import re

from deckcheck.support.safetext import safe

# What Markdown reads in a line, and what GitHub and GitLab make links, mentions, pictures and formulas of.
_READ = re.compile(
    r"[\\`*_{}\[\]<>|~&@$#^]|[!%]\w|//|\w\.\w|:[\w+-]+:|\bGH-\d|\b[0-9a-f]{7}|\b(?:mailto|xmpp):"
    r"|^(?:[-+=]|\d+[.)])|^\s|\s$|\s\s"
)


def inline(text: str) -> str:
    """`text` for a line or a cell of a table: as it is, or as code where Markdown would read something in it."""
    shown = safe(text)
    return code(shown) if _READ.search(shown) else shown


def code(text: str) -> str:
    """`text` as code, in which nothing is read."""
    # A table ends its cells at bars even in code, so they stand between the stretches of it.
    return r"\|".join(_stretch(part) for part in safe(text).split("|"))


def _stretch(text: str) -> str:
    if not text:
        return ""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    # One blank at each end is taken away when it is read, unless there is nothing else.
    room = " " if text.strip(" ") and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{room}{text}{room}{fence}"
