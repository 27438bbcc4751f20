"""Reading what came in for an event: folders of lists, and exports of forms."""
