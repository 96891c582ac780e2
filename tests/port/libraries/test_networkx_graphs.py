"""What translated programs call of networkx as it was."""

import bz2
import gzip
import pickle

import numpy as np
import pytest
import scipy.sparse

from tfqueue.port.libraries import networkx_graphs

nx = pytest.importorskip("networkx")
pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")


@pytest.fixture
def weighted():
    """Two directed edges of weight 2 and 3, and a node without any."""
    graph = nx.DiGraph()
    graph.add_nodes_from("abc")
    graph.add_edge("a", "b", weight=2, other=7)
    graph.add_edge("b", "a", weight=3, other=8)
    return graph


@pytest.mark.parametrize(
    "name",
    ["adjacency_matrix", "laplacian_matrix", "normalized_laplacian_matrix", "incidence_matrix"],
)
def test_matrices_multiply_as_matrices(name):
    path = nx.path_graph(3)
    function = getattr(networkx_graphs, name)
    found = function(path)
    assert (function.__name__, function.__qualname__) == (name, name)
    assert function.__doc__ == f"Stands for ``networkx.{name}``, whose result is a matrix."
    assert type(found) is scipy.sparse.csr_matrix
    expected = getattr(nx, name)(path).toarray()
    assert found.toarray().tolist() == expected.tolist()
    assert (found * found.T).toarray() == pytest.approx(expected @ expected.T)
    some = function(path, [2, 1, 0], weight=None)
    assert some.toarray().tolist() == getattr(nx, name)(path, [2, 1, 0]).toarray().tolist()


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({}, [[0, 2, 0], [3, 0, 0], [0, 0, 0]]),
        ({"nodelist": ["b", "a"]}, [[0, 3], [2, 0]]),
        ({"weight": None}, [[0, 1, 0], [1, 0, 0], [0, 0, 0]]),
        ({"weight": "other"}, [[0, 7, 0], [8, 0, 0], [0, 0, 0]]),
    ],
)
def test_a_matrix_of_edges(weighted, given, values):
    for format in ("csr", "coo", "lil"):
        found = networkx_graphs.to_scipy_sparse_matrix(
            weighted, dtype=float, format=format, **given
        )
        assert type(found) is getattr(scipy.sparse, f"{format}_matrix")
        assert (found.dtype, found.toarray().tolist()) == (float, values)
    assert networkx_graphs.to_scipy_sparse_matrix(weighted, **given).format == "csr"
    dense = networkx_graphs.to_numpy_matrix(weighted, dtype=int, **given)
    assert (type(dense), dense.dtype, dense.tolist()) == (np.matrix, int, values)
    assert (dense * dense).tolist() == (np.array(values) @ values).tolist()


def test_a_graph_of_a_matrix():
    found = networkx_graphs.from_numpy_matrix(np.matrix([[0, 2], [5, 0]]), create_using=nx.DiGraph)
    assert [*found.edges(data="weight")] == [(0, 1, 2), (1, 0, 5)]


@pytest.mark.parametrize(
    ("kind", "name", "parts"),
    [
        (nx.Graph, "connected_component_subgraphs", [[1, 2, 3], [4]]),
        (nx.DiGraph, "weakly_connected_component_subgraphs", [[1, 2, 3], [4]]),
        (nx.DiGraph, "strongly_connected_component_subgraphs", [[1, 2], [3], [4]]),
    ],
)
def test_the_parts_of_a_graph(kind, name, parts):
    graph = kind([(1, 2), (2, 1), (2, 3)])
    graph.add_node(4)
    function = getattr(networkx_graphs, name)
    assert (function.__name__, function.__qualname__) == (name, name)
    assert function.__doc__ == f"Stands for ``networkx.{name}``."
    for copied in ([*function(graph)], [*function(graph, copy=True)]):
        assert sorted(sorted(part.nodes) for part in copied) == parts
        copied[0].add_node("new")
    seen = [*function(graph, False)]
    assert sorted(sorted(part.nodes) for part in seen) == parts
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        seen[0].add_node("new")


class Old:
    """A graph with the attributes that networkx 1 wrote."""


def test_a_graph_in_a_file(tmp_path):
    path = tmp_path / "graph"
    graph = nx.path_graph(3)
    for place in (path, str(path)):
        networkx_graphs.write_gpickle(graph, place)
        assert [*networkx_graphs.read_gpickle(place).edges] == [(0, 1), (1, 2)]
    with path.open("wb") as file:
        networkx_graphs.write_gpickle(graph, file, 2)
    assert path.read_bytes()[:2] == b"\x80\x02", "the protocol"
    with path.open("rb") as file:
        assert [*networkx_graphs.read_gpickle(file).edges] == [(0, 1), (1, 2)]
    networkx_graphs.write_gpickle(graph, path, protocol=1)
    assert path.read_bytes() == pickle.dumps(graph, 1)
    networkx_graphs.write_gpickle(graph, path)
    assert path.read_bytes() == pickle.dumps(graph, pickle.HIGHEST_PROTOCOL)


def test_what_is_packed_by_its_name(tmp_path):
    for name, opened in (("graph.gz", gzip.open), ("graph.bz2", bz2.open)):
        path = tmp_path / name
        networkx_graphs.write_gpickle(nx.path_graph(3), path, 2)
        with opened(path) as file:
            assert file.read() == pickle.dumps(nx.path_graph(3), 2)
        assert [*networkx_graphs.read_gpickle(path).edges] == [(0, 1), (1, 2)]


def test_a_graph_of_networkx_1(tmp_path):
    old = Old()
    vars(old).update(node=1, adj=2, succ=3, pred=4, edge=5)
    networkx_graphs.write_gpickle(old, tmp_path / "old")
    found = vars(networkx_graphs.read_gpickle(tmp_path / "old"))
    with (tmp_path / "old").open("rb") as file:
        assert vars(networkx_graphs.read_gpickle(file)) == found
    assert found == {"_node": 1, "_adj": 2, "_succ": 3, "_pred": 4, "edge": 5}
    vars(old).update(_node=6)
    networkx_graphs.write_gpickle(old, tmp_path / "old")
    assert vars(networkx_graphs.read_gpickle(tmp_path / "old"))["_node"] == 6


def test_bytes_of_python_2_in_a_file(tmp_path):
    text = b"U\x01\xe9."  # the str '\xe9' of Python 2
    (tmp_path / "text").write_bytes(text)
    with (tmp_path / "text").open("rb") as file:
        assert networkx_graphs.read_gpickle(file) == "\xe9"


def test_the_methods_of_before(monkeypatch):
    bare = type("Graph", (nx.DiGraph,), {})
    names = "node edge nodes_iter edges_iter degree_iter neighbors_iter successors_iter".split()
    names += "predecessors_iter add_path add_cycle add_star selfloop_edges".split()
    names += ["number_of_selfloops", "nodes_with_selfloops"]
    for name in names:
        monkeypatch.delattr(nx.Graph, name, raising=False)
    own = object()
    monkeypatch.setattr(nx.Graph, "edges_iter", own, raising=False)
    networkx_graphs.install()
    assert nx.Graph.edges_iter is own
    monkeypatch.delattr(nx.Graph, "edges_iter")
    networkx_graphs.install()
    graph = bare()
    graph.add_path([1, 2, 3])
    graph.add_cycle([4, 5])
    graph.add_star([6, 7, 8])
    graph.add_edge(9, 9, weight=2)
    graph.node[1]["c"] = "red"
    graph.edge[1][2]["d"] = 3
    assert [*graph.nodes_iter()] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert next(graph.nodes_iter(data=True)) == (1, {"c": "red"})
    edges = [(1, 2), (2, 3), (4, 5), (5, 4), (6, 7), (6, 8), (9, 9)]
    assert [*graph.edges_iter()] == edges
    assert next(graph.edges_iter(data="d")) == (1, 2, 3)
    assert [*graph.edges_iter([6])] == [(6, 7), (6, 8)]
    assert next(graph.degree_iter()) == (1, 1)
    assert [*graph.degree_iter([9], weight="weight")] == [(9, 4)]
    assert ([*graph.neighbors_iter(6)], [*graph.successors_iter(1)]) == ([7, 8], [2])
    assert [*graph.predecessors_iter(3)] == [2]
    assert ([*graph.selfloop_edges()], graph.number_of_selfloops()) == ([(9, 9)], 1)
    assert [*graph.nodes_with_selfloops()] == [9]
    iterators = [
        graph.nodes_iter(),
        graph.edges_iter(),
        graph.degree_iter(),
        graph.neighbors_iter(1),
    ]
    assert all(iter(each) is each for each in iterators)


def test_graphs_are_those_of_2_1():
    club = networkx_graphs.karate_club_graph()
    assert networkx_graphs.to_numpy_matrix(club).sum() == 156
    assert networkx_graphs.graph_clique_number(club) == 5
    assert networkx_graphs.graph_number_of_cliques(club) == 36
    grown = networkx_graphs.barabasi_albert_graph(8, 2, seed=1)
    assert list(grown.edges())[:8] == [
        (0, 2),
        (0, 3),
        (0, 4),
        (0, 7),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 6),
    ]
    with pytest.raises(nx.NetworkXError, match="m < n"):
        networkx_graphs.barabasi_albert_graph(2, 2)


def test_ranks_and_words_are_those_of_2_1():
    ring = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3)])
    expected = pytest.approx({0: 0.213762, 1: 0.264622, 2: 0.307853, 3: 0.213762}, abs=1e-5)
    assert networkx_graphs.pagerank_numpy(ring) == expected
    assert networkx_graphs.pagerank_scipy(ring) == expected
    assert networkx_graphs.pagerank_numpy(nx.DiGraph()) == {}
    hubs, authorities = networkx_graphs.hits_numpy(ring)
    assert hubs == {0: 0.0, 1: 0.0, 2: 1.0, 3: 0.0}
    assert authorities == pytest.approx({0: 0.5, 1: 0.0, 2: 0.0, 3: 0.5})
    assert networkx_graphs.hits_numpy(nx.Graph()) == ({}, {})
    assert sum(networkx_graphs.hits_scipy(nx.path_graph(3))[0].values()) == pytest.approx(1)
    assert networkx_graphs.info(nx.path_graph(5)) == (
        "Name: \nType: Graph\nNumber of nodes: 5\nNumber of edges: 4\nAverage degree:   1.6000"
    )
    assert networkx_graphs.info(nx.path_graph(5), 1).endswith("Degree: 2\nNeighbors: 0 2")
    assert "Average out degree:   1.0000" in networkx_graphs.info(ring)
