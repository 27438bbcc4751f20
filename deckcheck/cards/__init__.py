"""The card database: from the files that people review to cards found by name.

`catalog` opens it and `imported_cards` adds a user's own cards; the others compile it and are loaded only for that.
"""
