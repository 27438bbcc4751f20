"""The card database: from the files that people review to cards found by name.

`catalog` opens it and `database` reads it; the others compile it and are loaded only for that.
"""
