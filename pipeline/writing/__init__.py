"""Putting a TaskPlan into words: what it offers to say, where words came from, what is wrong with them."""
