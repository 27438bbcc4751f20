"""The card database: from the files that people review to cards found by name.

`catalog` opens it and `userdata` adds a user's own cards; the others compile it and are loaded only for that.
"""
