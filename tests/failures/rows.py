"""All rows: gathered from the modules beside this one, and those that are not tested here."""

from __future__ import annotations

from . import building, hidden, silent, starting, stopping
from .kit import Row
from .processes import PROCESSES

OPEN = {
    "raw_bytes_misread": "an int64 read as int32 is as good as any other bytes: no layer knows what was written",
    "poor_shuffle": "how well a queue of a given size should mix is the program's own decision; its meaning "
    "is kept, and tfqueue does not measure the data",
    "upgrade_script_silent": "tf_upgrade_v2 is another program's report; `tfqueue check` says what it does not",
}
"""Rows that stay open, each with the reason why no layer can know it."""

ELSEWHERE = {
    "numpy_names": "tests/port/rules (np-bytes, np-aliases): numpy's own names, mended by the rules",
    "slow_input": "tests/benchmarks: the accelerator",
    "lost_task": "tests/session/test_cluster.py: "
    "test_a_killed_parameter_server_is_named_by_all_workers",
    "reader_on_other_task": "tests/session/test_cluster.py: "
    "test_a_reader_away_from_its_queue_is_told_where_to_stand",
    "shared_queue_closed": "tests/session/test_cluster.py: "
    "test_a_producer_whose_shared_queue_another_process_closed",
    "stopped_runner": "tests/explain/test_diagnosis.py: "
    "test_a_wait_for_a_runner_that_was_stopped_is_told",
    "nothing_enqueues": "tests/session/test_starvation.py: test_a_queue_that_no_op_fills",
}


def rows() -> list[Row]:
    """Every row that runs in this process."""
    return [
        found
        for module in (hidden, starting, stopping, building, silent)
        for program in vars(module).values()
        if getattr(program, "__module__", None) == module.__name__
        for found in getattr(program, "rows", [])
    ]


def closed() -> set[str]:
    """The names of the rows that have a test here."""
    return {row.name for row in rows()} | {process.name for process in PROCESSES}
