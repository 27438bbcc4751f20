"""Records as values that JSON can hold."""

from collections.abc import Iterable, Mapping
from typing import Any

from deckcheck.support.messages import Localized, Message, Series, Words


def plain(value: Any, lang: str) -> Any:
    """A value that JSON can hold: words in `lang`, records as objects under the names of their fields."""
    if isinstance(value, Message | Localized | Series):
        return value.in_(lang)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
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
