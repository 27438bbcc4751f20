"""The output formats by name; each is loaded only when it is asked for."""

from importlib import import_module
from typing import Literal, get_args

from deckcheck.report.writer import Look, Writer

OutputFormat = Literal[
    "text",
    "json",
    "json-lines",
    "concise",
    "github",
    "gitlab",
    "junit",
    "sarif",
    "rdjson",
    "markdown",
]

OUTPUT_FORMATS: tuple[str, ...] = get_args(OutputFormat)


def make_writer(name: str, look: Look) -> Writer:
    """The writer of an output format, or of "statistics".

    `name` is one of OUTPUT_FORMATS or "statistics"; its module bears it without
    hyphens.
    """
    module = {"json": "jsonfile"}.get(name, name.replace("-", ""))
    writer: Writer = import_module(f"deckcheck.report.{module}").make_writer(look)
    return writer
