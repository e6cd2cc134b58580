"""Measurements of retrieval on a GPU and its host; bench/retrieval.sh runs them."""
