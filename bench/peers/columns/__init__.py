"""Fields of documents beside tantivy's fast fields: filters, counts and orders by columns."""
