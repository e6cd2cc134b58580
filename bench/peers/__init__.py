"""Gannet's CPU back end beside PISA, tantivy and bm25s; bench/peers.sh --help says what it does.

The main program runs on the system's Python and its standard library. What needs the peers'
packages runs in processes of their virtual environment (worker.py).
"""
