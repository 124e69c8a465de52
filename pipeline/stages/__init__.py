"""The arrows of the flow, one stage a file."""
