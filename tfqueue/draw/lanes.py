"""The part of a scene that hangs together, placed across the flow of elements."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from tfqueue._tensorflow.types import Graph
from tfqueue.draw import card_sizes, order, page
from tfqueue.draw.card_sizes import MeasuredCard
from tfqueue.draw.cards import Edge, Scene
from tfqueue.draw.metrics import Metrics


class Lane:
    """One part of the scene that hangs together, placed across the flow."""

    def __init__(
        self,
        number: int,
        graph: Graph,
        scene: Scene,
        nodes: Mapping[str, MeasuredCard],
        metrics: Metrics,
    ) -> None:
        self.number = number
        self.m = metrics
        self.scene = scene
        self.edges = graph.edges
        pairs = [self.pair(number) for number in graph.edges]
        self.place, back = order.columns(graph.keys, pairs)
        self.back = [n for n in graph.edges if self.pair(n) in back]
        self.nodes = {key: nodes[key] for key in graph.keys}
        self.chains = {}
        links, keys = [], list(graph.keys)
        for number in graph.edges:
            if number in self.back:
                continue
            source, target = self.pair(number)
            chain = [source]
            for column in range(self.place[source] + 1, self.place[target]):
                dummy = f"passes {number} {column}"
                self.nodes[dummy] = card_sizes.MeasuredCard(None, metrics, False)
                self.place[dummy] = column
                keys.append(dummy)
                chain.append(dummy)
            chain.append(target)
            self.chains[number] = chain
            links += list(itertools.pairwise(chain))
        self.links = links
        self.rows = order.arrange(keys, self.place, links)
        # An arrow that leads back goes around: its ends are at the outside, with no card in the way.
        ends = {key for number in self.back for key in self.pair(number)}
        for row in self.rows:
            row.sort(key=ends.__contains__)
        self._ports()
        self._across()

    def pair(self, number: int) -> tuple[str, str]:
        edge = self.scene.edges[number]
        return edge.source, edge.target

    def _ports(self) -> None:
        """Makes room at a card for all the arrows that come and go."""
        for key, node in self.nodes.items():
            if node.card is None:
                continue
            labelled = sum(
                1 for n in self.chains if self.pair(n)[0] == key and self.scene.edges[n].label
            )
            ends = max(
                sum(1 for n in self.chains if self.pair(n)[1] == key),
                sum(1 for n in self.chains if self.pair(n)[0] == key),
            )
            need = (ends + 1) * self.m.port if ends > 1 else 0
            if labelled > 1:
                need = max(need, (labelled + 1) * 2 * self.m.port)
            node.room = max(node.across, need)
            for number in self.chains:
                edge = self.scene.edges[number]
                if self.m.down and edge.source == key and edge.label:
                    # A label stands beside the arrow, under the card.
                    half = self.m.width(label(edge), "label") + self.m.label_room
                    node.room = max(node.room, 2 * half)

    def _distance(self, first: str, second: str) -> float:
        a, b = self.nodes[first], self.nodes[second]
        room = [node.room / 2 for node in (a, b)]
        both_pass = a.card is None and b.card is None
        return sum(room) + (self.m.port if both_pass else self.m.lane)

    def _across(self) -> None:
        before: dict[str, list[str]] = {}
        after: dict[str, list[str]] = {}
        for source, target in self.links:
            before.setdefault(target, []).append(source)
            after.setdefault(source, []).append(target)
        for row in self.rows:
            at = 0.0
            for first, second in zip([None, *row], row, strict=False):
                at += self._distance(first, second) if first is not None else 0
                self.nodes[second].centre = at
        for sweep in range(8):
            near = before if sweep % 2 == 0 else after
            for row in self.rows if sweep % 2 == 0 else reversed(self.rows):
                if not row:
                    continue
                wanted = []
                for key in row:
                    others = [self.nodes[other].centre for other in near.get(key, [])]
                    middle = (min(others) + max(others)) / 2 if others else self.nodes[key].centre
                    wanted.append(middle)
                room = [self._distance(a, b) for a, b in itertools.pairwise(row)]
                for key, centre in zip(row, order.settle(wanted, room), strict=True):
                    self.nodes[key].centre = centre
        halves = [
            (node.centre, max(node.across, node.room if self.m.down else 0) / 2)
            for node in self.nodes.values()
        ]
        self.low = min(centre - half for centre, half in halves)
        self.high = max(centre + half for centre, half in halves)


def label(edge: Edge) -> str:
    """What stands beside an arrow in a terminal, where the mark of a runner is a character."""
    text = ", ".join(filter(None, [edge.label, edge.strategy]))
    return f"{page.LOOP} {text}" if edge.threads else text
