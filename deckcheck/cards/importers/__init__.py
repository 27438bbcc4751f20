"""Card data of other people: one module a source, which may use the words of its game.

A source has `read`, which goes through a file and tells card by card what
stands there, and `card_of`, which makes a card of it or says what it is
instead. The rest (staging, merging, fitting to the game's words, writing) is
the same for all.
"""
