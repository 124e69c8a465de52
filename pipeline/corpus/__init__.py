"""What is published: shards, quality, queries, the gallery."""
