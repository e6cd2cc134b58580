"""Tests of the comparison's parts, without the peers: ctest -R bench.peers runs them."""
