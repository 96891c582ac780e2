"""Importing this gives gym's environments what they were before 0.26; programs import it for that."""

from tfqueue.port.libraries import gym_environments, installed

installed.change("gym", gym_environments.install)
