"""What each command does. ``pipeline.cli`` says what it is called and what it takes."""
