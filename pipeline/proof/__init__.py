"""The gates that a Task must pass, one a file."""
