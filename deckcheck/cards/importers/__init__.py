"""Card data of others: one module a source, which may use the words of its game.

A source has `read(path, advance)`, which goes through a file and tells card by
card what stands there, and `card_of(found)`, which makes a card of it or says
what it is instead. The rest (staging, settling, fitting to the game's
vocabulary, writing) is the same for all.
"""
