"""What each notation of another tool is, in a few words: for help texts, so nothing heavy is imported here."""

from deckcheck.support.text import Text

WHAT = {
    "mtgo": Text(
        "Magic Onlineのテキスト、空行の後がサイドボード",
        "Magic Online's text, the sideboard below an empty line",
    ),
    "dek": Text("Magic Onlineの.dek", "Magic Online's .dek"),
    "arena": Text("Magic Arenaのテキスト", "Magic Arena's text"),
    "moxfield": Text("Moxfieldのテキスト", "Moxfield's text"),
    "cockatrice": Text("Cockatriceの.cod", "Cockatrice's .cod"),
    "forge": Text("Forgeの.dck", "Forge's .dck"),
    "xmage": Text("XMageの.dck", "XMage's .dck"),
    "ydk": Text("YGOProとEDOProの.ydk", "YGOPro's and EDOPro's .ydk"),
}


def all_of_them() -> Text:
    """Every notation of another tool with what it is, in one sentence."""
    return Text(
        "、".join(f"{name}（{what.ja}）" for name, what in WHAT.items()),
        ", ".join(f"{name} ({what.en})" for name, what in WHAT.items()),
    )
