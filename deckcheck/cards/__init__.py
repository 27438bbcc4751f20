"""The card table: from the text that people review to cards found by name.

`catalog` opens it, `userdata` adds a user's own cards; the other modules turn
the text form into a compiled table and are only loaded when that is needed.
"""
