"""Rules about what numpy changed or removed: findings `np-...`.

Each module, `*`, is a rule.
"""
