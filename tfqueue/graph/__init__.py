"""The model: what a graph's input pipeline is, and how its ops are copied and vectorised."""

from __future__ import annotations
