"""What ends a cluster of `make stress` whose workers do not end by themselves."""

import multiprocessing

import pytest

from tests.stress import clusters
from tests.stress.sessions import Wrong


class Chatty:
    """A worker that says the same for ever; as the parameter server, that it is up."""

    def __init__(self, role, *given, **options):
        self.pipe, self.far = multiprocessing.Pipe(duplex=False)
        says = ["up"] if role == "parameter_server" else [["a:1"]] * 2 * clusters.RECORDS
        for message in says:
            self.far.send(message)
        self.told = None

    def kill(self):
        self.far.close()


def test_a_worker_that_sends_records_for_ever_is_wrong(monkeypatch):
    monkeypatch.setattr(clusters, "Process", Chatty)
    case = clusters.Case(0, "own files", "managed", workers=1, fault="none", victim=0, after=0)
    cluster = clusters.Cluster(case, [])
    try:
        with pytest.raises(Wrong, match=r"workers send without end, last \['a:1'"):
            cluster.run()
    finally:
        cluster.end()
