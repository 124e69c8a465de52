"""The desktop platform: real programs on a private X server, read through the accessibility bus."""
