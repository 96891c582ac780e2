"""Calls the old function in a graph of its own, in TensorFlow 1's mode. Nothing else changes."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tfqueue import _tensorflow, errors
from tfqueue._tensorflow import mode
from tfqueue._tensorflow.types import Graph, Op, Tensor
from tfqueue.dataset.upper_layers import FirstStep, Programs
from tfqueue.graph import op_types
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import StepRequest

_tf = _tensorflow.compat_v1()

PLACES = frozenset(["Placeholder", "PlaceholderV2"])


@dataclasses.dataclass
class InputGraph:
    """What an old function built.

    Attributes:
        graph: The graph.
        structure: What it returned, with tuples for lists, as a dataset's elements have them.
        flat: The tensors of it, those of a sparse tensor one by one.
        name: What it is called.
    """

    graph: Graph
    structure: Any
    flat: list[Tensor]
    name: str

    @classmethod
    def of(cls, graph: Graph, returned: Any, name: str) -> InputGraph:
        """The graph and what `name` returned; raises TypeError for what is no tensor."""
        structure = _tupled(returned, name)
        flat = _tf.nest.flatten(structure, expand_composites=True)
        return cls(graph, structure, [t for t in flat if t is not None], name)


def build(
    inputs: Callable[..., Any] | str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    programs: Programs,
) -> InputGraph:
    """The graph of old inputs, however they are named.

    Args:
        inputs: The function, `"path/of/old.py:name"`, or the program itself: `"path/of/old.py"`.
        programs: Loads old programs.
    """
    if callable(inputs):
        return call(inputs, args, kwargs)
    if _is_program(inputs):
        if args or kwargs:
            raise ValueError(f"{inputs} is run as it is, without arguments; or name its function")
        return of_program(str(inputs), programs.first_step)
    with building() as graph, _found(inputs, programs) as function:
        return InputGraph.of(graph, function(*args, **kwargs), name_of(inputs))


def call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> InputGraph:
    """Calls the old function in a graph of its own."""
    with building() as graph:
        try:
            returned = function(*args, **kwargs)
        except AttributeError as error:
            _tell_of_names(error, function)
            raise
        return InputGraph.of(graph, returned, name_of(function))


def of_program(path: str, first_step: Callable[[str], FirstStep]) -> InputGraph:
    """What the first step of a program takes from its pipeline.

    Args:
        first_step: Runs it so far.

    Returns:
        An `InputGraph`.

    Raises:
        ValueError: The program has no such step.
        errors.CannotLiftError: The pipeline reads a variable that the program has assigned.
    """
    with mode.kept():
        importlib.import_module("tfqueue.v1")
        mode.put(mode.TO_LIFT)
        reached = first_step(path)
        if reached.error is not None:
            raise reached.error
        if reached.step is None:
            raise ValueError(
                f"{path}: no step takes from a queue; name the function: '{path}:name'"
            )
        with reached.graph.as_default():
            structure = taken_by(reached.graph, reached.step)
        built = InputGraph.of(reached.graph, structure, os.path.basename(path))
        _require_first_values(built, reached.assigned)
        return built


def _require_first_values(built: InputGraph, assigned: frozenset[Op]) -> None:
    """Raises `errors.CannotLiftError` where the pipeline reads a variable that was assigned.

    Its value is known in the program's session only; all that is made here begins anew.
    """
    pipeline = Pipeline(built.graph)
    demand = pipeline.demand([tensor.op for tensor in built.flat])
    puts = [op for queue in pipeline.upstream(demand) for op in queue.enqueues]
    for op in demand.ops | pipeline.demand(puts).ops if assigned else ():
        if op not in assigned:
            continue
        where = _tensorflow.creation_line(op)
        built_at = f" (built at {where[0]}:{where[1]}: {where[2]})" if where else ""
        raise errors.CannotLiftError(
            f"variable {op.name!r}{built_at} is assigned before the program's first step, and the "
            "elements are made of it: a dataset, and a session of its own, would have its first "
            "value. Make it a constant of the value that is loaded"
        )


def _is_program(inputs: object) -> bool:
    """Whether old inputs are named by a program's path alone."""
    return str(inputs).endswith((".py", ".ipynb")) and os.path.isfile(str(inputs))


def taken_by(graph: Graph, step: StepRequest) -> Any:
    """What a program's first step takes from the pipeline: tensors, nested.

    Args:
        graph: The program's graph.
        step: The `tfqueue.graph.op_types.StepRequest`.

    Returns:
        What it fetches, if that is made of what is read and nothing else; otherwise the elements
        that it takes from the queues.
    """
    pipeline = Pipeline(graph)
    ops = [getattr(leaf, "op", leaf) for leaf in step.leaves]
    demand = pipeline.demand(ops)
    tensors = all(isinstance(leaf, _tf.Tensor) for leaf in step.leaves)
    if tensors and not any(op.type in op_types.VARIABLES or op.type in PLACES for op in demand.ops):
        return step.fetches
    return tuple(t for take in demand.takes for t in take.op.outputs)


@contextlib.contextmanager
def building() -> Iterator[Graph]:
    """Within the block a new graph is current, and built in TensorFlow 1's mode."""
    _tensorflow.compat_v1()
    with mode.lock, mode.kept():
        now = mode.now()
        as_now = {name: getattr(now, name) for name in ("eager", "eager_here", "outermost")}
        mode.put(mode.TO_LIFT._replace(**as_now))
        _tensorflow.silence_deprecations()
        with _tf.Graph().as_default() as graph:
            yield graph


@contextlib.contextmanager
def _found(inputs: str, programs: Programs) -> Iterator[Callable[..., Any]]:
    path, _, name = str(inputs).rpartition(":")
    if not path or not name.isidentifier():
        raise ValueError(f"the old function is a callable or 'path.py:name', not {inputs!r}")
    with programs.program(path) as module:
        if not hasattr(module, name):
            functions = [key for key, value in vars(module).items() if inspect.isfunction(value)]
            raise ValueError(f"{path} has no {name!r}; its functions are {', '.join(functions)}")
        yield getattr(module, name)


def name_of(inputs: Callable[..., Any] | str) -> str:
    """What the old function is called."""
    if not callable(inputs):
        return os.path.basename(str(inputs))
    return getattr(inputs, "__name__", None) or type(inputs).__name__


def _tupled(value: Any, name: str, place: str = "") -> Any:
    """What was returned, with tuples for lists; raises if something in it is no tensor."""
    if isinstance(value, dict):
        items = [(key, _tupled(item, name, f"{place}[{key!r}]")) for key, item in value.items()]
        return type(value)(items) if type(value) is not dict else dict(items)
    fields = getattr(value, "_fields", None)
    if isinstance(value, tuple) and fields is not None:
        parts = zip(fields, value, strict=True)
        return type(value)(*(_tupled(item, name, f"{place}.{field}") for field, item in parts))
    if isinstance(value, (list, tuple)) and value:
        return tuple(_tupled(item, name, f"{place}[{k}]") for k, item in enumerate(value))
    if value is None and place:  # as an Estimator's input function without labels
        return value
    if isinstance(value, (_tf.Tensor, _tf.SparseTensor)) or _is_ragged(value):
        return value
    what = f"{type(value).__name__} {str(value)[:60]}"
    raise TypeError(
        f"{name}() returned {what} at its result{place}, not a tensor: hand over a function "
        "that returns what a step fetches, such as lambda: old_inputs()[:2]"
    )


def _is_ragged(value: object) -> bool:
    import tensorflow

    return isinstance(value, tensorflow.RaggedTensor)


def _tell_of_names(error: AttributeError, function: Callable[..., Any]) -> None:
    """Notes how a function gets TensorFlow 1's names, if one of them was missing."""
    if "tensorflow" in str(error):
        file = getattr(getattr(function, "__code__", None), "co_filename", "old.py")
        _tensorflow.add_note(
            error,
            "tfqueue: the function's module has another TensorFlow than it was written for. Name "
            f"it by path: tfqueue.dataset({file + ':' + name_of(function)!r}, ...), or let the module "
            "import tfqueue.v1 as tf",
        )


def require_eager() -> None:
    """Raises `errors.GraphModeError` unless the process is, or can be put back, in TF 2 mode."""
    if not mode.give_back():
        raise errors.GraphModeError(
            "this process is in TensorFlow 1's graph mode and has used it, or was put in it by "
            "tf.disable_v2_behavior(). Import the old function inside `with tfqueue.eager():`, "
            "which takes the switch back at its end, or name it by path: "
            "tfqueue.dataset('old.py:inputs', ...); or use the dataset inside that block"
        )
