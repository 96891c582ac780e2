"""Old programs that take networkx's results for lists. The expected values were printed by networkx 1.11."""

import pytest

from tfqueue.port.differences import telling
from tfqueue.port.libraries import networkx_lists
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine

networkx = pytest.importorskip("networkx")

PROGRAM = """
import random
import tensorflow as tf
import networkx as nx
G = nx.Graph()
for pair in ("ab", "bc", "cd"):
    G.add_edge(*pair)
print(len(G.edges()[0]), sorted(G.neighbors("b") + ["x"]), len(G.neighbors("b")), len(G.nodes()[:2]))
print(sorted(G.neighbors("b"))[0], G.nodes()[1] in "abcd", random.choice(G.nodes()) in "abcd")
print(sorted(G.degree().values()), G.degree()["b"], sorted(G.degree().items())[0], max(nx.degree(G).values()))
print(len(G.edges(data=True)[0]), len(G.edges("b")[0]), G.nodes().index("a"), len(G.nodes() + [1]))
D = nx.DiGraph([("a", "b"), ("a", "c")])
print(sorted(D.successors("a") + D.predecessors("b")), len(D.in_edges()[-1]), D.in_degree()["b"])
near = G.neighbors("b")
print(sorted(near) == sorted(near), [len(edge) for edge in G.edges()[1:]], G.degree().get("x", 7))
"""
PRINTED = """\
2 ['a', 'c', 'x'] 2 2
a True True
[1, 1, 2, 2] 2 ('a', 1) 2
3 2 0 5
['a', 'b', 'c'] 2 1
True [2, 2] 7
"""


@pytest.fixture
def graph(monkeypatch):
    """A path of three nodes that are called by whole numbers, in a program that takes lists."""
    names = {}
    text = "import tensorflow as tf, networkx as nx\nG = nx.path_graph(3)\nG.edges()\n"
    exec(engine.translate(text, "program.py", written_for=WrittenFor()).text, names)
    telling.forget()
    monkeypatch.setattr(networkx_lists.program, "takes_lists", False)
    return names["G"]


def test_lists_and_dictionaries(capsys):
    exec(
        engine.translate(PROGRAM, "program.py", written_for=WrittenFor()).text,
        {"__name__": "program"},
    )
    assert capsys.readouterr().out == PRINTED


def test_a_node_that_is_called_by_a_place_is_told(graph, capsys):
    graph.nodes[1]["x"] = 5
    assert [graph.nodes()[1], graph.nodes()[2]] == [{"x": 5}, {}], "as today"
    told = capsys.readouterr().err
    assert told.count("G.nodes()[1] gives the attributes of node 1") == 1
    assert told.endswith("up to 1.11 it gave the node at place 1, which is list(G.nodes())[1]\n")


@pytest.mark.parametrize(
    "use",
    [
        "G.edges()[0]",
        "G.edges(data=True)[0]",
        "G.neighbors(0)[0]",
        "G.neighbors(0) + [0]",
        "G.nodes()[:1]",
        "G.nodes() + [0]",
        "G.nodes()[-1]",
        "G.degree().values()",
        "G.degree().items()",
    ],
)
def test_a_program_that_takes_lists_gets_nodes_by_their_place(graph, capsys, use):
    graph.remove_node(0)
    graph.add_edge(1, 0)  # comes last
    assert graph.nodes()[0] == {}
    assert capsys.readouterr().err.count("tfqueue: ") == 1
    assert sorted(dict(graph.degree())) == sorted(graph)
    assert len(list(graph.neighbors(1))) == 2
    assert graph.nodes()[0] == {}, "that shows nothing"
    eval(use, {"G": graph})
    assert [graph.nodes()[place] for place in range(3)] == [1, 2, 0]
    assert graph.nodes[1] == {}
    assert capsys.readouterr().err == ""


def test_what_works_today_stays(graph):
    assert graph.nodes(data=True)[1] == {}
    assert graph.edges[0, 1] == {} == graph.edges()[1, 2]
    near = graph.neighbors(1)
    assert (next(near), list(near), iter(near) is near.__iter__()) == (0, [2], True)
    assert dict(graph.degree()) == {0: 1, 1: 2, 2: 1} == dict(list(graph.degree()))
    assert list(networkx.bfs_edges(graph, 0)) == [(0, 1), (1, 2)]
    assert graph.nodes() & {1, 9} == {1}
    with pytest.raises(KeyError):
        graph.nodes[7]
    with pytest.raises(TypeError, match="has places, which are whole numbers: 'a'"):
        graph.edges(data=True)["a"]
    with pytest.raises(IndexError):
        graph.edges()[2]


def test_a_program_of_any_day_is_left_alone():
    text = "import networkx as nx\nx = G.edges()[0]\n"
    assert engine.translate(text, "program.py", written_for=WrittenFor()).text == text
