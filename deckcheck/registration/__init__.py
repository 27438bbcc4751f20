"""An event from the first list to the last deck check: entries, receipts, sheets, seals."""
