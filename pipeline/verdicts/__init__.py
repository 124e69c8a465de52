"""Judges, their matchers, and the vote."""
