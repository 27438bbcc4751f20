"""The help of a command, and how its use is written."""

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from deckcheck.cli.options import REQUIRED, Parameter
from deckcheck.support.messages import Message, _
from deckcheck.support.safe_text import cells

_WIDEST, _NARROWEST = 80, 50
_WIDEST_NAME = 30
_FILLER = "\0"
_PARTS = re.compile(
    # Japanese may be broken anywhere, except after an opening bracket and before closing punctuation or small kana.
    rf"(?:[（「『]{_FILLER})*(?:.{_FILLER}|(?:[^{_FILLER}](?!{_FILLER}))+)(?:[、。，．・：；？！）」』ーぁぃぅぇぉっゃゅょァィゥェォッャュョ]{_FILLER})*"
)


class _Wrapper(textwrap.TextWrapper):
    """Wraps texts with a filler after each wide character, so that every character is one cell."""

    def _split(self, text: str) -> list[str]:
        return [part for chunk in super()._split(text) for part in _PARTS.findall(chunk)]


def _wrapped(text: str, width: int, first: str = "", indent: str = "") -> str:
    filled = "".join(char + _FILLER * (cells(char) == 2) for char in text)
    wrapper = _Wrapper(
        width,
        initial_indent=first,
        subsequent_indent=indent,
        replace_whitespace=False,
        break_long_words=False,
    )
    return wrapper.fill(filled).replace(_FILLER, "")


def _paragraphs(text: str, width: int, indent: str = "") -> str:
    """The text wrapped, with its paragraphs and their indents."""
    blocks = []
    for block in text.split("\n\n"):
        deeper = indent + " " * (len(block) - len(block.lstrip()))
        blocks.append(_wrapped(" ".join(block.split("\n")).strip(), width, deeper, deeper))
    return "\n\n".join(blocks)


def _width() -> int:
    return max(min(shutil.get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)


def usage(path: str, parameters: Iterable[Parameter], lang: str, *, group: bool) -> str:
    """The line that shows how to use a command."""
    arguments = (_argument_in_usage(parameter) for parameter in parameters if not parameter.names)
    words = ["[OPTIONS]", *(("COMMAND", "[ARGS]...") if group else arguments)]
    before = _("Usage: {usage}", usage=path).in_(lang) + " "
    return _wrapped(" ".join(words), _width(), before, " " * cells(before))


def help_page(
    path: str,
    text: Message,
    parameters: Sequence[Parameter],
    lang: str,
    *,
    commands: Mapping[str, Message],
    epilog: Message | None,
) -> str:
    """The complete help of a command, or of a group with its commands."""
    width = _width()
    arguments, options = (
        [(_names(each), _explained(each, lang)) for each in parameters if bool(each.names) is named]
        for named in (False, True)
    )
    below = [(name, first_sentence(text.in_(lang))) for name, text in commands.items()]
    sections = ((_("Arguments"), arguments), (_("Options"), options), (_("Commands"), below))
    parts = [
        usage(path, parameters, lang, group=bool(commands)),
        _paragraphs(text.in_(lang), width, "  "),
        *(_section(title, rows, width, lang) for title, rows in sections if rows),
    ]
    if epilog is not None:
        parts.append(_paragraphs(epilog.in_(lang), width, "  "))
    return "\n\n".join(parts) + "\n"


def first_sentence(text: str) -> str:
    """The first sentence of a help text, for lists of commands."""
    return re.split(r"(?<=。)|(?<=[.])\s", text, maxsplit=1)[0]


def _section(title: Message, rows: Sequence[tuple[str, str]], width: int, lang: str) -> str:
    column = min(max(len(name) for name, _text in rows), _WIDEST_NAME) + 2
    lines = [f"{title.in_(lang)}:"]
    for name, text in rows:
        more = _paragraphs(text, max(width - column - 2, 10)).split("\n")
        if len(name) > column - 2:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {name:{column}}{more.pop(0)}")
        lines += (f"  {'':{column}}{line}" for line in more)
    return "\n".join(lines)


def _metavar(parameter: Parameter) -> str:
    if parameter.metavar is not None:
        return parameter.metavar
    if parameter.choices:
        return f"<{'|'.join(parameter.choices)}>"
    return "TEXT"


def _argument_in_usage(parameter: Parameter) -> str:
    name = _metavar(parameter)
    if name.startswith(("[", "<")):
        return name
    return f"{{{name}}}" if parameter.default is REQUIRED else f"[{name}]"


def _names(parameter: Parameter) -> str:
    if not parameter.names:
        return _metavar(parameter)
    names = ", ".join(sorted(parameter.names, key=lambda name: name.startswith("--")))
    if parameter.kind is not bool:
        return f"{names} {_metavar(parameter)}"
    return names if parameter.off is None else f"{names} / {parameter.off}"


def _explained(parameter: Parameter, lang: str) -> str:
    """The help of a parameter, with its variable, its default, its range, and whether it is required."""
    text, more = parameter.help.in_(lang), []
    if parameter.env is not None:
        more.append(_("env var: {var}", var=parameter.env).in_(lang))
    default = parameter.default
    if parameter.off is not None:
        default = (parameter.names[0] if default else parameter.off).removeprefix("--")
    if parameter.names and default is not False and default not in (None, REQUIRED):
        more.append(_("default: {default}", default=default).in_(lang))
    if parameter.min is not None:
        more.append(
            f"{parameter.min}<=x<={parameter.max}" if parameter.max is not None else f"x>={parameter.min}"
        )
    if default is REQUIRED:
        more.append(_("required").in_(lang))
    return f"{text}  [{'; '.join(more)}]" if more else text
