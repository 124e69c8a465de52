"""Graph mining: from what was observed of an App to what a user can get done in it."""
