"""Tables and plots of bench/RESULTS.md, made from the JSON files in bench/results."""
