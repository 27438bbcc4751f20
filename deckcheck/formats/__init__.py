"""Formats and their banlists: found, loaded, checked, and put into words."""
