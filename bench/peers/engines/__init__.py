"""The peers, each behind the interface of base.py; these run in their environment."""
