"""Collections and query logs as analysed words, the same for all engines."""
