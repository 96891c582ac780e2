"""networkx as it was up to 2.x: what only run time can tell. Translated programs call and import these.

Its matrices are scipy's: `*` of two multiplies them, as it did. An array of scipy's multiplies place by
place, which networkx gives since 3.0.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np


def _matrix(name: str) -> Any:
    def function(*args: Any, **words: Any) -> Any:
        import networkx
        import scipy.sparse

        return scipy.sparse.csr_matrix(getattr(networkx, name)(*args, **words))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``networkx.{name}``, whose result is a matrix."
    return function


adjacency_matrix, laplacian_matrix, normalized_laplacian_matrix, incidence_matrix = map(
    _matrix,
    ("adjacency_matrix", "laplacian_matrix", "normalized_laplacian_matrix", "incidence_matrix"),
)


def to_scipy_sparse_matrix(
    G: Any,
    nodelist: Any = None,
    dtype: Any = None,
    weight: str | None = "weight",
    format: str = "csr",
) -> Any:
    """Stands for ``networkx.to_scipy_sparse_matrix``.

    >>> import networkx
    >>> square = to_scipy_sparse_matrix(networkx.path_graph(3))
    >>> (square * square).toarray().tolist()
    [[1, 0, 1], [0, 2, 0], [1, 0, 1]]
    """
    import networkx
    import scipy.sparse

    array = networkx.to_scipy_sparse_array(G, nodelist, dtype, weight, format)
    return getattr(scipy.sparse, f"{format}_matrix")(array)


def to_numpy_matrix(G: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``networkx.to_numpy_matrix``.

    >>> import networkx
    >>> found = to_numpy_matrix(networkx.path_graph(2))
    >>> type(found).__name__, found.tolist()
    ('matrix', [[0.0, 1.0], [1.0, 0.0]])
    """
    import networkx

    return networkx.to_numpy_array(G, *args, **words).view(np.matrix)


def from_numpy_matrix(A: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``networkx.from_numpy_matrix``.

    >>> import numpy as np
    >>> from_numpy_matrix(np.array([[0, 1], [1, 0]]).view(np.matrix)).number_of_edges()
    1
    """
    import networkx

    return networkx.from_numpy_array(np.asarray(A), *args, **words)


def _subgraphs(name: str) -> Any:
    def function(G: Any, copy: bool = True) -> Iterator[Any]:
        import networkx

        for nodes in getattr(networkx, name)(G):
            part = G.subgraph(nodes)
            yield part.copy() if copy else part

    function.__name__ = function.__qualname__ = f"{name[:-1]}_subgraphs"
    function.__doc__ = f"Stands for ``networkx.{name[:-1]}_subgraphs``."
    return function


connected_component_subgraphs = _subgraphs("connected_components")
strongly_connected_component_subgraphs = _subgraphs("strongly_connected_components")
weakly_connected_component_subgraphs = _subgraphs("weakly_connected_components")


def read_gpickle(path: Any) -> Any:
    """Stands for ``networkx.read_gpickle``; graphs that networkx 1 wrote are read, too.

    Args:
        path: A file's name, which may end in `.gz` or `.bz2`, or an open file.
    """
    import networkx

    return networkx.utils.open_file(0, mode="rb")(_read)(path)


def _read(file: BinaryIO) -> Any:
    graph = pickle.load(file, encoding="latin1")
    held = getattr(graph, "__dict__", {})
    for old, new in (("node", "_node"), ("adj", "_adj"), ("succ", "_succ"), ("pred", "_pred")):
        if old in held and new not in held:
            held[new] = held.pop(old)
    return graph


def write_gpickle(G: Any, path: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> None:
    """Stands for ``networkx.write_gpickle``.

    Args:
        path: A file's name, or an open file. What ends in `.gz` or `.bz2` is compressed.

    >>> import networkx, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_gpickle(networkx.path_graph(3), folder + "/graph")
    ...     sorted(read_gpickle(folder + "/graph").edges())
    [(0, 1), (1, 2)]
    """
    import networkx

    networkx.utils.open_file(0, mode="wb")(_write)(path, G, protocol)


def _write(file: BinaryIO, G: Any, protocol: int) -> None:
    pickle.dump(G, file, protocol)


def install() -> None:
    """Gives networkx's graphs the methods and attributes of before 2.4 that they lack.

    >>> import networkx
    >>> install()
    >>> graph = networkx.path_graph(3)
    >>> graph.node[1]["color"] = "red"
    >>> list(graph.nodes_iter(data=True))[1], list(graph.neighbors_iter(0))
    ((1, {'color': 'red'}), [1])
    """
    import networkx as nx

    methods = {
        "nodes_iter": lambda self, data=False: iter(self.nodes(data=data)),
        "edges_iter": lambda self, *args, **words: iter(self.edges(*args, **words)),
        "degree_iter": lambda self, *args, **words: iter(self.degree(*args, **words)),
        "neighbors_iter": lambda self, n: iter(self.neighbors(n)),
        "successors_iter": lambda self, n: iter(self.successors(n)),
        "predecessors_iter": lambda self, n: iter(self.predecessors(n)),
        "add_path": nx.add_path,
        "add_cycle": nx.add_cycle,
        "add_star": nx.add_star,
        "selfloop_edges": nx.selfloop_edges,
        "number_of_selfloops": nx.number_of_selfloops,
        "nodes_with_selfloops": nx.nodes_with_selfloops,
        "node": property(lambda self: self.nodes),
        "edge": property(lambda self: self.adj),
    }
    for name, method in methods.items():
        if not hasattr(nx.Graph, name):
            setattr(nx.Graph, name, method)


def karate_club_graph() -> Any:
    """Stands for ``networkx.karate_club_graph``, whose edges had no weights up to 2.6.

    >>> next(iter(karate_club_graph().edges(data=True)))
    (0, 1, {})
    """
    import networkx

    graph = networkx.karate_club_graph()
    for _, _, values in graph.edges(data=True):
        values.pop("weight", None)
    return graph


def barabasi_albert_graph(n: int, m: int, seed: int | None = None) -> Any:
    """Stands for ``networkx.barabasi_albert_graph``, which began with `m` nodes and no edge up to 2.6.

    It seeds and draws from Python's `random`.

    >>> sorted(barabasi_albert_graph(5, 2, seed=1).edges())
    [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    """
    import networkx

    if not 1 <= m < n:
        raise networkx.NetworkXError(
            f"Barabasi-Albert network must have m >= 1 and m < n, m = {m}, n = {n}"
        )
    if seed is not None:
        random.seed(seed)
    graph = networkx.empty_graph(m)
    targets: Any = list(range(m))
    ends: list[int] = []
    for source in range(m, n):
        graph.add_edges_from((source, target) for target in targets)
        ends += [*targets, *[source] * m]
        targets = set()
        while len(targets) < m:
            targets.add(random.choice(ends))
    return graph


def info(G: Any, n: Any = None) -> str:
    """Stands for ``networkx.info``: what a graph is, or one of its nodes, in lines.

    >>> import networkx
    >>> print(info(networkx.path_graph(3)).splitlines()[1])
    Type: Graph
    """
    if n is not None:
        near = " ".join(map(str, G.neighbors(n)))
        return f"Node {n} has the following properties:\nDegree: {G.degree(n)}\nNeighbors: {near}"
    count = G.number_of_nodes()
    lines = [f"Name: {G.name}", f"Type: {type(G).__name__}", f"Number of nodes: {count}"]
    lines.append(f"Number of edges: {G.number_of_edges()}")
    if count and G.is_directed():
        for way in ("in", "out"):
            degrees = getattr(G, f"{way}_degree")()
            lines.append(f"Average {way} degree: {sum(d for _, d in degrees) / count:8.4f}")
    elif count:
        lines.append(f"Average degree: {sum(d for _, d in G.degree()) / count:8.4f}")
    return "\n".join(lines)


def graph_clique_number(G: Any, cliques: Any = None) -> int:
    """Stands for ``networkx.graph_clique_number``: the size of the largest clique."""
    import networkx

    return max(map(len, networkx.find_cliques(G) if cliques is None else cliques), default=0)


def graph_number_of_cliques(G: Any, cliques: Any = None) -> int:
    """Stands for ``networkx.graph_number_of_cliques``: how many cliques none holds the whole of."""
    import networkx

    return sum(1 for _ in (networkx.find_cliques(G) if cliques is None else cliques))


def pagerank_scipy(G: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``networkx.pagerank_scipy``."""
    import networkx

    return networkx.pagerank(G, *args, **words)


def pagerank_numpy(
    G: Any,
    alpha: float = 0.85,
    personalization: Any = None,
    weight: str | None = "weight",
    dangling: Any = None,
) -> Any:
    """Stands for ``networkx.pagerank_numpy``: by the first eigenvector, and not step by step."""
    import networkx

    if not len(G):
        return {}
    matrix = networkx.google_matrix(
        G, alpha, personalization=personalization, weight=weight, dangling=dangling
    )
    values, vectors = np.linalg.eig(np.asarray(matrix).T)
    largest = np.array(vectors[:, np.argmax(values)]).flatten().real
    return dict(zip(G, map(float, largest / largest.sum()), strict=True))


def hits_scipy(G: Any, max_iter: int = 100, tol: float = 1e-06, normalized: bool = True) -> Any:
    """Stands for ``networkx.hits_scipy``."""
    import networkx

    return networkx.hits(G, max_iter, tol, normalized=normalized)


def hits_numpy(G: Any, normalized: bool = True) -> Any:
    """Stands for ``networkx.hits_numpy``: by first eigenvectors."""
    import networkx

    if not len(G):
        return {}, {}
    links = np.asarray(networkx.to_numpy_array(G))
    found = []
    for matrix in (links @ links.T, links.T @ links):
        values, vectors = np.linalg.eig(matrix)
        largest = vectors[:, np.argmax(values)]
        largest = largest / (largest.sum() if normalized else largest.max())
        found.append(dict(zip(G, map(float, largest.real), strict=True)))
    return found[0], found[1]
