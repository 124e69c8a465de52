"""The flow from apps to shards: stages, proof, verdicts, models, corpus, and the command line."""
