"""The query classes of the Search Benchmark Game."""
