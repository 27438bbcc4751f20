"""Analyses beyond a check: the impact of banlist changes, formats that fit a deck, cases of formats, pages about rules, repairs."""
