"""From a failure or a stall to its cause and its fix, in words."""

from __future__ import annotations
