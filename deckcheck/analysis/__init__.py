"""Analyses beyond a check: the impact of banlist changes, formats that fit a deck, pages about rules, repairs."""
