"""The work folder, the processes that run in it, and the peers' environment."""
