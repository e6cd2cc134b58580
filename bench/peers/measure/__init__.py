"""Indexes, checks and times of all engines."""
