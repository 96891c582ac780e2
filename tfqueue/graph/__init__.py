"""The model: what a graph's input pipeline is, and how its ops are copied and vectorised."""
