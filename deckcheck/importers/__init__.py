"""Card data and banlists of other people, read and stored."""
