"""Texts in both languages: messages from the catalogue, words from data files, lists of names; also as JSON values."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

if TYPE_CHECKING:
    from datetime import date
    from gettext import NullTranslations
    from pathlib import PurePath

LOCALE = Path(__file__).parents[1] / "locale"
"""The folder of the catalogues, which the build compiles; without them, everything is English."""

Value: TypeAlias = "str | int | float | date | PurePath | Words | None"


class Localized(Struct, frozen=True):
    """Words in both languages from a data file, such as the name of a format."""

    ja: str
    en: str

    @property
    def both(self) -> tuple[str, str]:
        """The words in Japanese and in English."""
        return self.ja, self.en

    def in_(self, lang: str) -> str:
        """The words in `lang`: "ja", or English for anything else."""
        return self.ja if lang == "ja" else self.en


class Message(Struct, frozen=True):
    """A message: a template and its fields.

    `key` is the English template and the key in the catalogue, unless a format file gives the `japanese` text.
    `plural` is the English template for `n` other than 1; `context` distinguishes messages with the same English.
    """

    key: str
    fields: tuple[tuple[str, Value], ...] = ()
    plural: str | None = None
    context: str | None = None
    japanese: str | None = None

    def in_(self, lang: str) -> str:
        """The text in `lang`, with its fields; the bare template if they don't fit."""
        values = {name: _rendered(value, lang) for name, value in self.fields}
        template = self.template(lang)
        try:
            return template.format_map(values)
        except (LookupError, ValueError, TypeError, AttributeError):
            return template

    def template(self, lang: str) -> str:
        """The template in `lang`, or in English without a translation."""
        if self.plural is not None:
            number = dict(self.fields).get("n")
            n = number if isinstance(number, int) else 0
            if lang == "ja":
                return _japanese().ngettext(self.key, self.plural, n)
            return self.key if n == 1 else self.plural
        if lang != "ja":
            return self.key
        if self.japanese is not None:
            return self.japanese
        if self.context is not None:
            return _japanese().pgettext(self.context, self.key)
        return _japanese().gettext(self.key)

    def filled(self, **fields: Value) -> "Message":
        """The message with these fields instead, for templates in a table."""
        return replace(self, fields=tuple(fields.items()))

    # For tests.
    @property
    def ja(self) -> str:
        return self.in_("ja")

    @property
    def en(self) -> str:
        return self.in_("en")


class Series(Struct, frozen=True):
    """Several values, joined by a separator that depends on the language."""

    items: tuple[Value, ...]
    separator: Message

    def in_(self, lang: str) -> str:
        """The items in `lang`, joined by the separator; in English in quotes if the name of a card has a comma."""
        texts = [str(_rendered(item, lang)) for item in self.items]
        if lang == "en" and self.separator.key == COMMA.key and len(texts) > 1:
            names = [isinstance(item, Message) and item.context == _CARD for item in self.items]
            if any("," in text for text, is_name in zip(texts, names, strict=True) if is_name):
                texts = [f"“{text}”" for text in texts]
        return self.separator.in_(lang).join(texts)


Words: TypeAlias = Message | Localized | Series
# A union of types would be built anew for each field.
_WORDS = (Message, Localized, Series)


def _(key: str, /, **fields: Value) -> Message:
    """A message with an English template, which must be a literal, and its fields."""
    return Message(key, tuple(fields.items()))


def N_(key: str, /) -> str:  # noqa: N802 - gettext's own name for it
    """An English text that is only marked for the catalogue, and translated where it is shown."""
    return key


def n_(singular: str, plural: str, n: int, /, **fields: Value) -> Message:
    """A message with a singular and a plural template; `n` is also a field."""
    return Message(singular, (("n", n), *fields.items()), plural)


def p_(context: str, key: str, /, **fields: Value) -> Message:
    """`_` for an English text that is translated differently in other contexts."""
    return Message(key, tuple(fields.items()), context=context)


_CARD = "card"
COMMA = _(", ")
SEMICOLON = _("; ")
AND = _(" and ")
OR = _(" or ")


def series(items: Iterable[Value], separator: Message = COMMA) -> Series:
    """The items as one value, joined with commas or another separator."""
    return Series(tuple(items), separator)


def shortened(items: Sequence[Value], most: int = 4, separator: Message = COMMA) -> Words:
    """At most `most` cards as one value, with the number of the others."""
    named, more = series(items[:most], separator), len(items) - most
    return _("{cards} and {more:,} more", cards=named, more=more) if more > 0 else named


def card_series(names: Iterable[Value], separator: Message = COMMA) -> Series:
    """The names of cards as one value."""
    return series([card_name(name) for name in names], separator)


def card_name(name: Value) -> Message:
    """The name of a card, as it is written in sentences."""
    return p_("card", "{card}", card=name)


def localized(value: str | Mapping[str, str]) -> Localized:
    """The words of a value that is one string for both languages, or a mapping by language."""
    return Localized(value, value) if isinstance(value, str) else Localized(value["ja"], value["en"])


def _rendered(value: Value, lang: str) -> object:
    return value.in_(lang) if isinstance(value, _WORDS) else value


@cache
def _japanese() -> "NullTranslations":
    from gettext import translation

    return translation("deckcheck", LOCALE, ["ja"], fallback=True)


# Values that JSON can hold


def plain(value: Any, lang: str) -> Any:
    """A value that JSON can hold: words in `lang`, records as what `to_dict` gives, else under the names of their fields."""
    if isinstance(value, Message | Localized | Series):
        return value.in_(lang)
    if hasattr(type(value), "to_dict"):
        return plain(value.to_dict(lang), lang)
    if isinstance(value, Struct):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {key: plain(inner, lang) for key, inner in value.items()}
    return [plain(inner, lang) for inner in value] if isinstance(value, list | tuple) else value


def fields_of(record: object, keys: Iterable[str], lang: str) -> dict[str, Any]:
    """Some fields of a record as plain values."""
    return {key: plain(getattr(record, key), lang) for key in keys}


def message_object(message: Words, lang: str) -> dict[str, Any]:
    """A message as plain values: in words, and as the template and the fields that it is made of."""
    text, fields = message.in_(lang), {}
    if isinstance(message, Message):
        template = message.template("en")
        for name, value in message.fields:
            fields[name] = value if isinstance(value, int | float | None) else str(plain(value, lang))
    else:
        template = message.in_("en").replace("{", "{{").replace("}", "}}")
    return {"message": text, "message_id": template, "fields": fields}
