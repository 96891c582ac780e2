"""The tf.data program of a plan, in which each node is a line.

`write` gives the text, and `run` the dataset that the text makes. So the program that is written
for a porter is the one that `tfqueue.dataset` itself runs.
"""

from __future__ import annotations

import builtins
import keyword
import linecache
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Tensor
from tfqueue.dataset import literals, plan, readers, step_ops
from tfqueue.dataset.body import Body
from tfqueue.dataset.layout import indented, laid_out
from tfqueue.dataset.literals import Expression
from tfqueue.dataset.step_ops import StepOps
from tfqueue.dataset.steps import Given, OldStep

_tf = _tensorflow.compat_v1()


class Source(str):
    """The text of a program that defines `dataset(...)`.

    Attributes:
        arrays: Dict from the name of a parameter of `dataset` to what stood in the old graph: an
            array that is too large to be written out, or the Python function of a `py_func`.
    """

    arrays: dict[str, Any] = {}
    types: dict[str, type] = {}
    """The named tuples of the old function's result, by the names they have in the program."""


def write(node: plan.Node, name: str) -> Source:
    """The program of a plan.

    Args:
        name: What the old function was called.

    Returns:
        A `Source`.

    Raises:
        step_ops.CannotVectorise: A step cannot be run on batches.
    """
    name = name if len(name) <= 40 else f"{name[:37]}..."
    writer = _Writer()
    last = writer.node(node)
    text = [
        repr(f"The input pipeline of {name}, as a tf.data program."),
        *(["import collections"] if writer.types or writer.ordered else []),
        "import tensorflow as tf",
        *writer.named_tuples(),
        *writer.functions,
        "@tf.autograph.experimental.do_not_convert",  # it warns where it finds no source
        f"def dataset({', '.join(writer.parameters)}):",
        indented(repr(f"The elements that {name} took from its queues.")),
        *(indented(f"{each} = tf.constant({each})") for each in writer.tensors),
        *map(indented, writer.lines),
        indented(f"return {last}.prefetch(tf.data.AUTOTUNE)"),
    ]
    made = Source(laid_out("\n".join(text)))
    made.arrays = dict(writer.parameters)
    made.types = dict(writer.types)
    return made


def run(source: Source) -> Any:
    """The dataset that a program makes, in TensorFlow 2's mode."""
    place = f"<tfqueue.dataset {hash(source):x}>"
    # Tracebacks of the functions then show their lines.
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    defined: dict[str, Any] = {"__name__": "tfqueue_dataset"}
    exec(compile(source, place, "exec"), defined)
    defined.update(source.types)
    return defined["dataset"](**source.arrays)


class _Writer:
    def __init__(self) -> None:
        self.functions: list[str] = []
        self.lines: list[str] = []
        self.parameters: dict[str, Any] = {}
        self.tensors: list[str] = []
        """The parameters that are arrays."""
        self.types: dict[str, type[Any]] = {}
        self.ordered = False
        self.names = {"tf", "dataset", "collections", *dir(builtins), *keyword.kwlist}

    def node(self, node: plan.Node) -> str:
        """Writes a node and all before it; the name of its dataset."""
        return _ROWS[type(node)](self, node)

    def let(self, wanted: str, first: str, *calls: str) -> str:
        """Assigns a dataset to a name.

        Args:
            wanted: The name, if it is free.
            first: What makes the dataset.
            *calls: Methods to be called on it and on what they give, without the dot.

        Returns:
            The name.
        """
        name, text = self.name(wanted), ".".join([first, *calls])
        if len(text) < 80:
            first, calls = text, ()
        elif calls and first.isidentifier():
            first, calls = f"{first}.{calls[0]}", calls[1:]
        self.lines += [f"{name} = {first}", *(f"{name} = {name}.{call}" for call in calls)]
        return name

    def name(self, wanted: str) -> str:
        return literals.free(wanted, self.names)

    def array(self, wanted: str, array: Any) -> str:
        """An array as text, or as the name of a parameter."""
        if array.size <= literals.MOST:
            kind = _tf.as_dtype(array.dtype if array.dtype.kind not in "OSU" else "string")
            return literals.constant(array, kind)
        return self.parameter(wanted, array)

    def parameter(self, wanted: str, what: Any) -> str:
        """The name of a parameter of `dataset` for an array or a Python function."""
        for name, there in self.parameters.items():
            if there is what:
                return name
        name = self.name(literals.identifier(wanted, "values"))
        self.parameters[name] = what
        if not callable(what):
            self.tensors.append(name)
        return name

    def listed(self, wanted: str, array: Any) -> str:
        """An array as text, a long list under a name of its own."""
        text = self.array(wanted, array)
        if len(text) < 60 or not text.startswith("["):
            return text
        return self.let("names" if array.dtype.kind in "OSU" else "values", text)

    # -- functions --------------------------------------------------------------------------------

    def function(self, wanted: str, link: plan.Apply) -> readers.Call:
        """Writes the function of a `plan.Apply`.

        Returns:
            `(parameters, call, several)`: the names of what it is given, the text of the call up to
            the first argument, and whether it gives more than one component.
        """
        step = link.step
        traced = step_ops.many(step, link.size) if link.vector else step_ops.single(step)
        name = self.name(wanted)
        bound: dict[str, Any] = {}
        body = Body({}, set(self.names), bound, self.parameter, traced.origins)
        arguments = []
        for names in step.given:
            argument = body.name(_argument(names, len(step.given)))
            arguments.append(argument)
            if isinstance(names, tuple):
                inside = tuple(traced.given[each] for each in names)
                body.sparse[inside] = Expression(argument)
                for each, part in zip(inside, ("indices", "values", "dense_shape"), strict=True):
                    body.expressions[each] = Expression(f"{argument}.{part}")
            else:
                body.expressions[traced.given[names]] = Expression(argument)
        body.give(step, traced.given)
        body.write(traced.ops, traced.results, traced.waits)
        returned, several = _Returned(self, body, link, traced).text()
        more = {}
        for each, what in bound.items():
            if isinstance(what, Expression):
                more[each] = self.let(each, what)
            else:
                more[each] = self.parameter(each, what)
        heading = [*(arguments or ["_"]), *(["*"] if bound else []), *bound]
        self.functions.append(
            "\n".join(
                [
                    f"def {name}({', '.join(heading)}):",
                    *map(indented, [*body.lines, f"return {returned}"]),
                ]
            )
        )
        keywords = "".join(f", {each}={there}" for each, there in more.items())
        return arguments or ["_"], (name, keywords), several

    def named_tuples(self) -> list[str]:
        """The statements that define the named tuples of the result."""
        return [
            f"{name} = collections.namedtuple({name!r}, {list(made._fields)!r})"
            for name, made in self.types.items()
        ]

    def named_tuple(self, made: type[Any]) -> str:
        """The name of a named tuple's class in the program."""
        for name, there in self.types.items():
            if there is made:
                return name
        wanted = made.__name__ if made.__name__.isidentifier() else "Element"
        name = self.name(wanted)
        self.types[name] = made
        return name


def _argument(names: Given, count: int) -> str:
    name = names[0] if isinstance(names, tuple) else names
    if count == 1 and "ReaderRead" in name:
        return "record"
    return literals.identifier(name.split(":")[0], "x")


class _Returned:
    """What a step's function returns, as text."""

    def __init__(self, writer: _Writer, body: Body, link: plan.Apply, traced: StepOps) -> None:
        self._writer = writer
        self._body = body
        self._step = link.step
        self._lost = traced.lost
        self._leading = [link.size] if link.vector else []
        names = (t.name for t in link.step.flat)
        self._results = dict(zip(names, traced.results, strict=True))

    def text(self) -> tuple[str, bool]:
        """The text, and whether it is of more than one component."""
        step = self._step
        if step.structure is not None:
            value = step.structure
            several = type(value) is tuple and len(value) > 1
            return (", ".join(map(self._of, value)) if several else self._of(value)), several
        parts = [self._sparse(r) if isinstance(r, tuple) else self._dense(r) for r in step.results]
        return ", ".join(parts) or "()", len(parts) > 1

    def _of(self, value: Any) -> str:
        if isinstance(value, dict):
            items = ", ".join(f"{key!r}: {self._of(item)}" for key, item in value.items())
            if type(value) is dict:
                return f"{{{items}}}"
            self._writer.ordered = True
            return f"collections.OrderedDict({{{items}}})"
        if hasattr(value, "_fields"):
            name = self._writer.named_tuple(type(value))
            return f"{name}({', '.join(map(self._of, value))})"
        if isinstance(value, tuple):
            items = ", ".join(map(self._of, value))
            return f"({items},)" if len(value) == 1 else f"({items})"
        if value is None:
            return "None"
        if isinstance(value, _tf.SparseTensor):
            return self._sparse((value.indices, value.values, value.dense_shape))
        if not isinstance(value, _tf.Tensor):  # ragged
            splits = ", ".join(map(self._dense, value.nested_row_splits))
            made = "tf.RaggedTensor.from_nested_row_splits"
            return f"{made}({self._dense(value.flat_values)}, [{splits}], validate=False)"
        return self._dense(value)

    def _sparse(self, parts: tuple[Tensor, ...]) -> str:
        inside = tuple(self._results[t.name].name for t in parts)
        texts = ", ".join(self._dense(t) for t in parts)
        return self._body.sparse.get(inside) or f"tf.SparseTensor({texts})"

    def _dense(self, tensor: Tensor) -> str:
        made = self._results[tensor.name]
        found = self._body.of(made)
        if found.array is not None:
            text = found.partition("(")[0]
            if text in ("tf.constant", "tf.zeros") or found.array.size > literals.MOST:
                return found
            return f"tf.constant({found}, {literals.dtype(tensor.dtype)})"
        if made.name in self._lost and not self._body.settles(made):
            return f"tf.ensure_shape({found}, {[*self._leading, *tensor.shape.as_list()]})"
        return found


# -- the rows: a node to the name of its dataset --------------------------------------------------


def _rows(writer: _Writer, node: plan.Rows) -> str:
    if node.served:
        return _served_rows(writer, node)
    if node.drawn:
        return _drawn_rows(writer, node, node.drawn)
    rows = node.in_order or node.values
    calls: list[str] = []
    if node.in_order is None:
        count = len(node.values[0])
        if node.shard:
            calls.append(f"shard({node.shard[0]}, {node.shard[1]})")
            count = len(range(node.shard[1], count, node.shard[0]))
        if node.shuffled and count > 1 and node.steady:
            return _steady_rows(writer, node, calls, count)
        if node.shuffled and count > 1:
            calls.append(f"shuffle({count}{_seed(node)})")
        calls += _again(node.epochs)
    if plan.is_range(rows):
        return writer.let("numbers", _range(rows), *calls)
    name = literals.identifier(node.name, "rows")
    name = "rows" if name.startswith("input_producer") else name
    return writer.let(name, _slices(writer, node, rows), *calls)


def _drawn_rows(writer: _Writer, node: plan.Rows, seeds: tuple[int, int]) -> str:
    """Rows in the order of the op that shuffled them; it begins anew in each iteration."""
    all_rows = writer.listed(node.name, np.asarray(node.values[0]))
    draw = f"tf.raw_ops.RandomShuffle(value={all_rows}, seed={seeds[0]}, seed2={seeds[1]})"
    calls = [*_again(node.epochs), f"map(lambda _: {draw})", "unbatch()"]
    return writer.let("rows", "tf.data.Dataset.range(1)", *calls)


def _served_rows(writer: _Writer, node: plan.Rows) -> str:
    """Rows by number: a tf.data service gives out the numbers, and each worker knows the order.

    The numbers are counted through all epochs, without `repeat`, `shuffle` and `shard`. Behind these
    a sequential `interleave` would go on after its end, with rows of the next epoch.
    """
    number, first = node.shard or (1, 0)
    arrays = node.in_order or [array[first::number] for array in node.values]
    count, epochs = len(arrays[0]), 1 if node.in_order else node.epochs
    epochs = epochs if count else 1
    last = "tf.int64.max" if epochs is None else str(min(count * epochs, _tf.int64.max))
    numbers = writer.let("numbers", f"tf.data.Dataset.range({last})")
    place = f"i % {count}" if epochs != 1 else "i"
    if node.shuffled and not node.in_order and count > 1:
        seed = f"tf.stack([tf.constant({node.seed}, tf.int64), i // {count}])"
        place = f"tf.random.experimental.index_shuffle({place}, {seed}, {count - 1})"
    if place != "i":
        numbers = writer.let("numbers", numbers, f"map(lambda i: {place})")
    texts = [writer.listed(node.name, np.asarray(array)) for array in arrays]
    rows = ", ".join(f"tf.gather({text}, i)" for text in texts)
    return writer.let("rows", numbers, f"map(lambda i: {rows if len(texts) == 1 else f'({rows})'})")


def _range(rows: Sequence[Any]) -> str:
    kind = rows[0].dtype.name
    kind = "" if kind == "int64" else f", output_type=tf.{kind}"
    return f"tf.data.Dataset.range({len(rows[0])}{kind})"


def _slices(writer: _Writer, node: plan.Rows, rows: Sequence[Any]) -> str:
    texts = [writer.listed(node.name, np.asarray(array)) for array in rows]
    slices = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    return f"tf.data.Dataset.from_tensor_slices({slices})"


def _steady_rows(writer: _Writer, node: plan.Rows, calls: Sequence[str], count: int) -> str:
    """Rows in a new order in each epoch, the same in every iteration over the dataset."""
    made = _range(node.values) if plan.is_range(node.values) else _slices(writer, node, node.values)
    rows = writer.let("rows", made, *calls)
    mixed = ".".join([rows, f"shuffle({count}, seed={node.seed})", *_again(node.epochs)])
    # The inner dataset is made anew in each iteration, so its seed begins with the same order.
    return writer.let("rows", f"tf.data.Dataset.range(1).flat_map(lambda _: {mixed})")


def _seed(node: plan.Rows | plan.Shuffle) -> str:
    steady = ", reshuffle_each_iteration=False" if node.steady else ""
    return (f", seed={node.seed}" if node.seed is not None else "") + steady


def _again(epochs: int | None) -> list[str]:
    return [] if epochs == 1 else [f"repeat({epochs or ''})"]


def _apply(writer: _Writer, node: plan.Apply) -> str:
    chain: list[plan.Apply] = []
    source: plan.Node = node
    while isinstance(source, plan.Apply):
        chain.insert(0, source)
        source = source.source
    calls: list[readers.Call] = []
    if isinstance(source, plan.Read) and readers.by_element(source):
        calls.append(readers.element(source))
        source = source.names
    before = writer.node(source)
    for link in chain:
        if _hands_on(link.step):
            continue
        wanted = "examples" if link.vector else "example"
        wanted = "finish" if link.step.structure is not None else wanted
        calls.append(writer.function(wanted, link))
    if not calls:
        return before
    ahead = max((link.parallel or 0 for link in chain), default=0)
    parallel = f", num_parallel_calls={ahead or 'tf.data.AUTOTUNE'}"
    if any(link.parallel == 1 for link in chain):
        parallel = ""
    final = chain[-1].step.structure is not None
    batches = plan.of_batches(source)
    wanted = "elements" if final else "parsed" if batches else "examples"
    return writer.let(wanted, before, f"map({_composed(calls)}{parallel})")


def _composed(calls: Sequence[readers.Call]) -> str:
    """The text of a function that calls one function after the other."""
    arguments, (name, keywords), several = calls[0]
    if len(calls) == 1 and not keywords and name.isidentifier():
        return name
    given = ", ".join(arguments)
    text = f"{name}({given}{keywords})" if name.isidentifier() else name
    for _, (name, keywords), more in calls[1:]:
        text = f"{name}({'*' * several}{text}{keywords})"
        several = more
    return f"lambda {given}: {text}"


def _hands_on(step: OldStep) -> bool:
    """Whether the step returns its elements unchanged."""
    if step.waits or any(isinstance(name, tuple) for name in step.given):
        return False
    if isinstance(step.structure, _tf.Tensor):
        return [step.structure.name] == step.given
    if type(step.structure) is not tuple or len(step.structure) < 2:
        return step.plain
    return all(isinstance(t, _tf.Tensor) for t in step.structure) and step.given == [
        t.name for t in step.structure
    ]


def _count(writer: _Writer, node: plan.Count) -> str:
    return writer.let("steps", "tf.data.Dataset.range(1)", *_again(node.times))


def _filter(writer: _Writer, node: plan.Filter) -> str:
    drop = "lambda keep, *rest: rest if len(rest) > 1 else rest[0]"
    source = writer.let("kept", writer.node(node.source), "filter(lambda keep, *rest: keep)")
    return writer.let("kept", source, f"map({drop})")


def _unbatch(writer: _Writer, node: plan.Unbatch) -> str:
    return writer.let("rows", writer.node(node.source), "unbatch()")


def _shuffle(writer: _Writer, node: plan.Shuffle) -> str:
    return writer.let("mixed", writer.node(node.source), f"shuffle({node.buffer}{_seed(node)})")


def _batched(size: int | str, smaller: bool, padded: Sequence[Any] | None) -> str:
    rest = "" if smaller else ", drop_remainder=True"
    if padded is None:
        return f"batch({size}{rest})"
    shapes = repr(padded[0] if len(padded) == 1 else tuple(padded))
    return f"padded_batch({size}, {shapes}{rest})"


def _batch(writer: _Writer, node: plan.Batch) -> str:
    source = writer.node(node.source)
    return writer.let("batches", source, _batched(node.size, node.smaller, node.padded))


def _split(writer: _Writer, node: plan.Split) -> str:
    """Divides one batch into the elements that a step takes at several places."""
    names = [f"part_{k}" for k in range(node.components)]
    if node.components == 1:
        names = ["taken"]
    parts, begin = [], 0
    for size in node.sizes:
        place = f"{begin}" if size is None else f"{begin}:{begin + size}"
        parts += [f"{name}[{place}]" for name in names]
        begin += 1 if size is None else size
    given = writer.node(node.source)
    return writer.let("split", given, f"map(lambda {', '.join(names)}: ({', '.join(parts)}))")


def _sort(writer: _Writer, node: plan.Sort) -> str:
    """All elements in one window, which is sorted."""
    name = writer.name("by_priority")
    writer.functions.append(
        f"def {name}(priority, *values):\n"
        "    order = tf.argsort(priority, stable=True)\n"
        "    return tf.nest.map_structure(lambda value: tf.gather(value, order), (priority, *values))"
    )
    key = "key_func=lambda *parts: tf.constant(0, tf.int64)"
    reduce = "reduce_func=lambda _, window: window.batch(tf.int64.max)"
    how = f"group_by_window({key}, {reduce}, window_size=tf.int64.max)"
    whole = writer.let("whole", writer.node(node.source), how)
    return writer.let("sorted_rows", whole, f"map({name})", "unbatch()")


def _bucket(writer: _Writer, node: plan.Bucket) -> str:
    source = writer.node(node.source)
    count = len(node.sizes)
    within = f"filter(lambda bucket, *rest: (bucket >= 0) & (bucket < {count}))"
    key = "key_func=lambda bucket, *rest: tf.cast(bucket, tf.int64)"
    padded = None if node.padded is None else [[], *node.padded]
    size: int | str = node.sizes[0]
    if len(set(node.sizes)) == 1:
        window = f"window_size={size}"
    else:
        sizes = writer.let("sizes", f"tf.constant({node.sizes}, tf.int64)")
        size = f"{sizes}[bucket]"
        window = f"window_size_func=lambda bucket: {size}"
    reduce = f"reduce_func=lambda bucket, window: window.{_batched(size, node.smaller, padded)}"
    grouped = writer.let("buckets", source, within)
    grouped = writer.let("buckets", grouped, f"group_by_window({key}, {reduce}, {window})")
    return writer.let("batches", grouped, "map(lambda bucket, *rest: (bucket[0], *rest))")


def _share(writer: _Writer, node: plan.Share) -> str:
    source = writer.node(node.source)
    if node.weights is None:
        return writer.let("share", source, f"shard({node.of}, {node.number})")
    first, total = sum(node.weights[: node.number]), sum(node.weights)
    mine = f"(i % {total} >= {first}) & (i % {total} < {first + node.weights[node.number]})"
    name = writer.let("share", source, "enumerate()", f"filter(lambda i, *rest: {mine})")
    return writer.let("share", name, "map(lambda i, part: part)")


def _zip(writer: _Writer, node: plan.Zip) -> str:
    sources = [writer.node(source) for source in node.sources]
    made = f"tf.data.Dataset.zip(({', '.join(sources)}))"
    return writer.let("together", made, "map(lambda *parts: tuple(tf.nest.flatten(parts)))")


def _merge(writer: _Writer, node: plan.Merge) -> str:
    sources = [writer.node(source) for source in node.sources]
    turns = f"tf.data.Dataset.range({len(sources)}).repeat()"
    turns = writer.let("turns", turns)
    made = f"tf.data.Dataset.choose_from_datasets([{', '.join(sources)}], {turns}"
    return writer.let("merged", f"{made}, stop_on_empty_dataset=False)")


def _serve(writer: _Writer, node: plan.Serve) -> str:
    service = "tf.data.experimental.service"
    # Each row of a producer goes to one worker, so that each example comes once.
    how = f"{service}.ShardingPolicy.DYNAMIC, {node.address!r}"
    source = writer.node(node.source)
    return writer.let("served", source, f"apply({service}.distribute({how}))")


def _rebatch(writer: _Writer, node: plan.Rebatch) -> str:
    rest = "" if node.smaller else ", drop_remainder=True"
    return writer.let("batches", writer.node(node.source), f"rebatch({node.size}{rest})")


_ROWS: dict[type[plan.Node], Callable[[_Writer, Any], str]] = {
    plan.Rows: _rows,
    plan.Count: _count,
    plan.Read: readers.write,
    plan.Apply: _apply,
    plan.Filter: _filter,
    plan.Unbatch: _unbatch,
    plan.Shuffle: _shuffle,
    plan.Batch: _batch,
    plan.Split: _split,
    plan.Sort: _sort,
    plan.Bucket: _bucket,
    plan.Share: _share,
    plan.Zip: _zip,
    plan.Merge: _merge,
    plan.Serve: _serve,
    plan.Rebatch: _rebatch,
}
