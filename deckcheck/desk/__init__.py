"""The web pages: lists are pasted, checked and submitted in a browser."""
