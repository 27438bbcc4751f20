"""What every package needs: messages, files, safe text, YAML with places, schemas, caches, workers."""
