"""Faults in bulk: random pipelines and random damage, from seeds.

`make stress` runs the long form (`python -m tests.stress`); `tests/stress/test_stress.py` a short one.
"""
