"""Words for people, in both languages at once."""

from collections.abc import Mapping
from typing import NamedTuple


class Text(NamedTuple):
    """One sentence in Japanese and in English.

    Both are written side by side where the thing is known, so that neither
    language is a translation made later from a key.
    """

    ja: str
    en: str

    def in_(self, lang: str) -> str:
        """The sentence in `lang` ("ja" or "en"; anything else reads as English)."""
        return self.ja if lang == "ja" else self.en


def both(value: str | Mapping[str, str]) -> Text:
    """The text of a value that is one string for both languages, or one a language."""
    return Text(value, value) if isinstance(value, str) else Text(value["ja"], value["en"])
