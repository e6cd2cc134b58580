"""Tests of bench/report.sh."""
