"""From a failure or a stall to its cause and its fix, in words."""
