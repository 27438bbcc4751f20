"""What is known of a format before it is loaded: what it is called and where it stands."""

from pathlib import Path
from typing import Any, NamedTuple


class Named(NamedTuple):
    """A format by its id, its names, whether it is only to be extended, the ids of its own rules, and its file."""

    id: str
    ja: str
    en: str
    aliases: tuple[str, ...]
    abstract: bool
    rules: tuple[str, ...]
    file: Path


def entry_of(data: Any, id: str, file: Path, folder: Path) -> list[Any]:
    """The Named of the plain values of a file, itself as plain values; none of them need be as it must."""
    name = data.get("name")
    ja, en = (name.get("ja"), name.get("en")) if isinstance(name, dict) else (name, name)
    aliases = data.get("aliases")
    sections = [data.get(key) for key in ("rules", "beside")]
    listed = [one for section in sections if isinstance(section, list) for one in section]
    return [
        id,
        str(ja or ""),
        str(en or ""),
        [str(one) for one in aliases] if isinstance(aliases, list) else [],
        data.get("abstract") is True,
        [one["id"] for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str)],
        file.relative_to(folder).as_posix(),
    ]


def named_from(entry: Any, folder: Path) -> Named:
    """The Named that `entry_of` made plain."""
    id, ja, en, aliases, abstract, rules, file = entry
    return Named(id, ja, en, tuple(aliases), abstract, tuple(rules), folder / file)
