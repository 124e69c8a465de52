"""What the flow knows about text: language, duplicates."""
