"""Models behind one client."""
