"""Jobs: work that is queued in a transaction and done later, once, by whichever process has a worker."""
