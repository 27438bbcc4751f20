"""The roster of an event as a table: one module an output, none knows another."""
