"""Which arguments have another default value today than in TensorFlow 1.15, or the last release that had them."""

from __future__ import annotations

import inspect

from tests.ledger import measure
from tfqueue.names import ledger

NOTED = frozenset(
    {
        # The original's is a mark for "not given", which the ledger writes as a number.
        ("contrib.learn.RunConfig", "save_checkpoints_secs"),
        ("contrib.tfprof.model_analyzer.print_model_analysis", "tfprof_options"),
        # Another way to write the same.
        ("contrib.tpu.TPUConfig", "per_host_input_for_training"),
        ("estimator.tpu.TPUConfig", "per_host_input_for_training"),
        # TensorFlow's own, today.
        ("contrib.cluster_resolver.SlurmClusterResolver", "gpus_per_node"),
        ("contrib.cluster_resolver.SlurmClusterResolver", "gpus_per_task"),
        ("distribute.cluster_resolver.SlurmClusterResolver", "gpus_per_node"),
        ("distribute.cluster_resolver.SlurmClusterResolver", "gpus_per_task"),
        ("contrib.eager.function", "experimental_relax_shapes"),
        ("function", "experimental_relax_shapes"),
    }
)


def differing(below: str, but: tuple[str, ...] = ()) -> list[str]:
    """Arguments whose default value is another one: the name, what it was, what it is.

    Args:
        below: What the names below `tf` begin with.
        but: What those begin with that are left out, beside the ops' and Keras's own.
    """
    found = []
    for name in ledger.public():
        if not name.startswith(below) or name.startswith(
            ("raw_ops.", "keras.", "contrib.keras.", *but)
        ):
            continue
        entry = ledger.entry(name, "1.15")
        if entry is None or entry.signature is None or entry.kind not in ("function", "class"):
            continue
        today = measure.look_up(name)
        if isinstance(today, Exception):
            continue
        known = measure.forms_of(today)
        signature = known.today.signature if known else measure.today_of(name, today)
        if signature is not None:
            found += _of_one(name, ledger.parsed(entry.signature), signature)
    return found


def _of_one(name: str, old: inspect.Signature, today: inspect.Signature) -> list[str]:
    found = []
    for argument in old.parameters.values():
        was, new = argument.default, today.parameters.get(argument.name)
        if new is None or was in (argument.empty, ...) or (name, argument.name) in NOTED:
            continue
        # A value in place of None may say what None meant; a number hardly does.
        if was is not None and new.default != was:
            found.append(f"{name}({argument.name}={was!r}) is {new.default!r}")
        elif was is None and isinstance(new.default, bool | int | float):
            found.append(f"{name}({argument.name}=None) is {new.default!r}")
    return found
