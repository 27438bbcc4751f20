"""Sheets of paper for players and judges: from a report to pages in HTML or PDF."""
