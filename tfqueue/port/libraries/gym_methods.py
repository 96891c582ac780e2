"""Importing this gives gym's environments what they were before 0.26; programs import it for that."""

import contextlib

from tfqueue.port.libraries import gym_environments

with contextlib.suppress(ImportError):
    gym_environments.install()
