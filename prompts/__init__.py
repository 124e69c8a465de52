"""Jinja2 prompts with one typed context per template."""
