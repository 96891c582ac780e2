"""Sessions on a cluster: servers, replication between graphs, and whether the tasks answer."""
