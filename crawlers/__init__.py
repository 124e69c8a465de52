"""The outside world: hosts that start real apps, drivers that work them, and the one crawl loop."""
