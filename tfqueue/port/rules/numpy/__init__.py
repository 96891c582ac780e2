"""Rules about what numpy changed or removed: findings `np-...`."""
