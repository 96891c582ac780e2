"""Takes each guard of `list` out in turn: a test must fail without it. `python -m tests.mutants`."""
