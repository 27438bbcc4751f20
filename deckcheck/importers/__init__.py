"""Card data and banlists from other sources, read and stored."""
