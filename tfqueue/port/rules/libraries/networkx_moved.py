"""networkx: functions that are gone, and matrices that are arrays since 3.0.

https://networkx.org/documentation/stable/release/migration_guide_from_2.x_to_3.0.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("networkx",)
_HOME = "tfqueue.port.libraries.networkx_graphs"
_INSTALLS = "tfqueue.port.libraries.networkx_methods"
_HELPED = (
    "connected_component_subgraphs from_numpy_matrix graph_clique_number graph_number_of_cliques hits_numpy "
    "hits_scipy info pagerank_numpy pagerank_scipy read_gpickle "
    "strongly_connected_component_subgraphs to_numpy_matrix to_scipy_sparse_matrix "
    "weakly_connected_component_subgraphs write_gpickle"
)
_MATRICES = "adjacency_matrix incidence_matrix laplacian_matrix normalized_laplacian_matrix"
_ROWS = {
    **{f"networkx.{name}": f"{_HOME}.{name}" for name in _HELPED.split()},
    "networkx.adj_matrix": f"{_HOME}.adjacency_matrix",
    "networkx.from_scipy_sparse_matrix": "networkx.from_scipy_sparse_array",
    "networkx.from_pandas_dataframe": "networkx.from_pandas_edgelist",
}
_GRAPHS = "barabasi_albert_graph karate_club_graph"
_GIVES_OTHER = {f"networkx.{name}": f"{_HOME}.{name}" for name in f"{_MATRICES} {_GRAPHS}".split()}
"""Functions that are there, whose matrices multiply in another way, or whose graphs are others."""
_WHY = "{old} is gone or gives something else since networkx 3.0"
_METHODS = (
    "add_cycle add_path add_star degree_iter edge edges_iter neighbors_iter node nodes_iter "
    "nodes_with_selfloops number_of_selfloops predecessors_iter selfloop_edges successors_iter"
)

_LISTS = frozenset(
    "degree edges in_degree neighbors nodes out_degree predecessors successors".split()
)
"""What gave lists and dictionaries up to networkx 1.11."""


def find(module: Module) -> Iterator[Finding]:
    """Finds old functions, and methods of graphs that run time gives back."""
    # In a program that may be from any day they mean what they mean today.
    yield from moved_names.find(module, _ROWS | (_GIVES_OTHER if module.is_old else {}), _WHY)
    if "networkx" not in module.packages or module.imports(_INSTALLS):
        return
    methods = frozenset(_METHODS.split())
    for node in module.nodes[ast.Attribute]:
        if node.attr in methods and not module.dotted(node):
            yield module.finding(node, f"graphs have no {node.attr} since networkx 2.4")
            module.use_module(_INSTALLS)
            return
    for call in module.nodes[ast.Call] if module.is_old else ():
        if getattr(call.func, "attr", "") in _LISTS:
            yield module.finding(call, "networkx gave lists up to 1.11: left to run time")
            module.use_module(_INSTALLS)
            return
