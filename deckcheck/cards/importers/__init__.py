"""Card data and banlists of other people: a module a source, which may use the words of its game."""
