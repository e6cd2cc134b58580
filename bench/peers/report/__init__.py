"""What a run found, and how it is printed."""
