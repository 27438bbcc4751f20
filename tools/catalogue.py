"""The catalogue of messages: `python tools/catalogue.py` brings the .po file up to date with the code and compiles it."""

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
KEYWORDS = {"_": None, "N_": None, "n_": (1, 2), "p_": ((1, "c"), 2)}
# Nothing in it that changes by itself.
HEADER = r"""msgid ""
msgstr ""
"Language: ja\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=1; plural=0;\n"

"""


def po_file(root: Path = ROOT) -> Path:
    return root / "deckcheck" / "locale" / "ja" / "LC_MESSAGES" / "deckcheck.po"


def compile_catalogue(root: Path = ROOT) -> Path:
    """Write the .mo file beside the .po file, in one step; what is there already stays where it is newer."""
    source = po_file(root)
    target = source.with_suffix(".mo")
    if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
        return target
    with source.open("rb") as file:
        catalogue = read_po(file, locale="ja")
    catalogue.creation_date = catalogue.revision_date = datetime(2000, 1, 1, tzinfo=UTC)
    with NamedTemporaryFile(dir=target.parent, suffix=".tmp", delete=False) as file:
        write_mo(file, catalogue)
    written = Path(file.name)
    written.chmod(0o644)
    return written.replace(target)


def update_catalogue(root: Path = ROOT) -> list[str]:
    """Take in the messages of the code and drop what it no longer says.

    Returns the English of what has no translation yet.
    """
    with po_file(root).open("rb") as file:
        before = read_po(file, locale="ja")
    after = Catalog(locale="ja")
    sources = [("**.py", "python"), ("templates/**.html", "jinja2"), ("templates/**.txt", "jinja2")]
    found = extract_from_dir(root / "deckcheck", sources, keywords=KEYWORDS)
    for _file, _line, key, _comments, context in found:
        known = before.get(key, context)
        after.add(key, known.string if known is not None else "", context=context)
    text = BytesIO()
    write_po(text, after, no_location=True, omit_header=True, sort_output=True, width=None)
    po_file(root).write_bytes(HEADER.encode() + text.getvalue().strip() + b"\n")
    return [str(message.id) for message in after if message.id and not any(message.string)]


def main() -> int:
    missing = update_catalogue()
    compile_catalogue()
    for key in missing:
        sys.stdout.write(f"no translation: {key!r}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
