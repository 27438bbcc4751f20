"""What each notation of another tool is, in a few words: for help texts, so nothing heavy is imported here."""

from deckcheck.support.messages import Words, _, series

WHAT = {
    "mtgo": _("Magic Online's text, the sideboard below an empty line"),
    "dek": _("Magic Online's .dek"),
    "arena": _("Magic Arena's text"),
    "moxfield": _("Moxfield's text"),
    "cockatrice": _("Cockatrice's .cod"),
    "forge": _("Forge's .dck"),
    "xmage": _("XMage's .dck"),
    "ydk": _("YGOPro's and EDOPro's .ydk"),
}


def all_of_them() -> Words:
    """Every notation of another tool with what it is, in one sentence."""
    return series(_("{name} ({what})", name=name, what=what) for name, what in WHAT.items())
