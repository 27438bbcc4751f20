"""What a settings file or an option says, for people to look at."""

from typing import NamedTuple


class Setting(NamedTuple):
    """A value of the settings: the way to its key, what it is, and which line, variable or option gives it."""

    keys: tuple[str | int, ...]
    value: object
    place: str
