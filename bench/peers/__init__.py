"""Gannet's CPU back end beside PISA, tantivy, bm25s and Lucene.

bench/peers.sh --help says what it does.

The main program runs on the system's Python and its standard library. What needs the peers'
packages runs in processes of their virtual environment (worker.py).
"""
