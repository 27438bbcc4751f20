"""Events: entries, receipts, sheets, seals."""
