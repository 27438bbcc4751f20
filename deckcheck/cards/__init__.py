"""The card database: from the files that people review to cards found by name.

`catalog` opens it, `userdata` adds a user's own cards; the other modules turn
card files into a compiled table and are only loaded when that is needed.
"""
