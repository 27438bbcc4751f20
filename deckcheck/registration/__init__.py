"""Events, from the first list to the last deck check: entries, receipts and sheets."""
