"""Rules about other libraries and the standard library."""
