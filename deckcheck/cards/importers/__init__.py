"""Card data and banlists of other people: a module a source, which may use the words of its game.

Staging, merging, fitting to the game's words and writing are the same for all.
"""
