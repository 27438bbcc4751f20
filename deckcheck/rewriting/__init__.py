"""Rewriting lists: formatting, fixing certain mistakes, and converting between notations."""
