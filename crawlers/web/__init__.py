"""Web sites and web apps, through Playwright and a real Chromium."""
