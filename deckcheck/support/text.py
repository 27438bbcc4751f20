"""The former names of `deckcheck.support.messages`, for modules that aren't converted yet."""

from deckcheck.support.messages import Localized as Text
from deckcheck.support.messages import localized as both

__all__ = ["Text", "both"]
