"""Changes of tfqueue drawn at random, each of which a test must notice. `make mutants`.

mutmut rewrites every function of the package behind a trampoline, which changes the frames that
tfqueue reads, and draws no sample; cosmic-ray has one command of tests for all changes. Hence these
modules.
"""
