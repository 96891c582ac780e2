"""A plan as a program: each node a line that makes a dataset of a dataset."""

import builtins
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.dataset import plan
from tfqueue.dataset.written import known, literals
from tfqueue.dataset.written.body import Body
from tfqueue.dataset.written.expression import Expression
from tfqueue.dataset.written.layout import filled, indented, pieces, wrapped

_tf = _tensorflow.compat_v1()


class Source(str):
    """The text of a program that defines `dataset(...)`.

    Attributes:
      arrays: Dict from the name of a parameter of `dataset` to the array that stood in the old
        graph, for arrays too large to be written out.
    """

    arrays: dict[str, Any] = {}


def write(node, name):
    """The program of a plan.

    Args:
      node: A `plan.Node`.
      name: What the old function was called.

    Returns:
      A `Source`.
    """
    writer = _Writer()
    last = writer.node(node)
    head = f'"""The input pipeline of {name}, for tf.data. Written by tfqueue.dataset.source."""'
    parameters = ", ".join(writer.parameters)
    body = [*writer.lines, f"return {last}.prefetch(tf.data.AUTOTUNE)"]
    text = [f"{head}\n\nimport tensorflow as tf"]
    text += writer.functions
    doc = f'"""The elements that {name} took from its queues."""'
    text.append("\n".join([f"def dataset({parameters}):", *map(indented, [doc, *body])]))
    made = Source("\n\n\n".join(text) + "\n")
    made.arrays = dict(writer.parameters)
    return made


class _Writer:
    def __init__(self):
        self.functions = []
        self.lines = []
        self.parameters = {}
        self.names = {"tf", "dataset", *dir(builtins)}

    def node(self, node):
        """Writes a node and all before it; the name of its dataset."""
        return _ROWS[type(node)](self, node)

    def let(self, wanted, text):
        name = self.name(wanted)
        self.lines.append(f"{name} = {text}")
        return name

    def name(self, wanted):
        return literals.free(wanted, self.names)

    def array(self, wanted, array):
        """An array as text, or as the name of a parameter."""
        if array.size <= literals.MOST:
            kind = _tf.as_dtype(array.dtype if array.dtype.kind not in "OSU" else "string")
            return literals.constant(array, kind)
        name = self.name(literals.identifier(wanted, "values"))
        self.parameters[name] = array
        return name

    def listed(self, wanted, array):
        """The same, a long list in lines of its own."""
        text = self.array(wanted, array)
        if len(text) < 60 or not text.startswith("["):
            return text
        lines = indented(filled(pieces(text[1:-1])))
        return self.let("names" if array.dtype.kind in "OSU" else "values", f"[\n{lines}\n]")

    # -- functions --------------------------------------------------------------------------------

    def function(self, wanted, given, write):
        """Writes a function for `map`.

        Args:
          wanted: Its name.
          given: `steps.Step.given`.
          write: Called with the body; gives what to return.

        Returns:
          The name of the function.
        """
        name, taken = self.name(wanted), set(self.names)
        arguments, expressions = [], {}
        body = Body({}, taken, {}, {})
        for names in given:
            argument = body.name(_argument(names, len(given)))
            arguments.append(argument)
            if isinstance(names, tuple):
                body.sparse[names] = Expression(argument)
                for each, part in zip(names, ("indices", "values", "dense_shape"), strict=True):
                    expressions[each] = Expression(f"{argument}.{part}")
            else:
                expressions[names] = Expression(argument)
        body.expressions |= expressions
        returned = write(body)
        for parameter, array in body.parameters.items():
            self.names.add(parameter)
            self.parameters[parameter] = array
        for table, text in body.tables.items():
            self.names.add(table)
            self.lines.append(wrapped(f"{table} = {text}"))
        bound = [*body.parameters, *body.tables]
        arguments += [f"*, {', '.join(bound)}"] if bound else []
        head = f"def {name}({', '.join(arguments) or '_'}):"
        self.functions.append(
            "\n".join([head, *map(indented, map(wrapped, [*body.lines, f"return {returned}"]))])
        )
        if bound:
            return f"lambda *parts: {name}(*parts, {', '.join(f'{b}={b}' for b in bound)})"
        return name


def _argument(names, count):
    name = names[0] if isinstance(names, tuple) else names
    return (
        "record"
        if count == 1 and "ReaderRead" in name
        else literals.identifier(name.split(":")[0], "x")
    )


def _returned(body, step, lost):
    """What a step's function returns, as text."""

    def of(value):
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {of(item)}" for key, item in value.items()) + "}"
        if isinstance(value, tuple):
            items = ", ".join(map(of, value))
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, _tf.SparseTensor):
            return _sparse(body, (value.indices, value.values, value.dense_shape))
        return _shaped(body, value, lost)

    if step.structure is not None:
        text = of(step.structure)
        bare = isinstance(step.structure, tuple) and len(step.structure) > 1
        return text[1:-1] if bare else text
    return ", ".join(
        _sparse(body, r) if isinstance(r, tuple) else _shaped(body, r, lost) for r in step.results
    )


def _sparse(body, parts):
    known = body.sparse.get(tuple(t.name for t in parts))
    return known or f"tf.SparseTensor({', '.join(body.of(t) for t in parts)})"


def _shaped(body, tensor, lost):
    found = body.of(tensor)
    if tensor.name in lost and not body.settles(tensor):
        return f"tf.ensure_shape({found}, {tensor.shape.as_list()})"
    if found.array is not None:
        return f"tf.constant({literals.value(found.array)}, {literals.dtype(tensor.dtype)})"
    return found


# -- the rows: a node to the name of its dataset --------------------------------------------------


def _rows(writer, node):
    rows = node.in_order or node.values
    if plan.is_range(rows):
        kind = rows[0].dtype.name
        kind = "" if kind == "int64" else f", output_type=tf.{kind}"
        made = f"tf.data.Dataset.range({len(rows[0])}{kind})"
        return writer.let("numbers", made + _sharded_and_mixed(node) + _again(node))
    texts = [writer.listed(node.name, np.asarray(array)) for array in rows]
    slices = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
    made = f"tf.data.Dataset.from_tensor_slices({slices})"
    if node.in_order is None:
        made += _sharded_and_mixed(node)
        made += _again(node)
    else:
        writer.lines.append(
            f"# The rows of all {node.epochs} epochs, in the order that the seed gave them."
        )
    name = literals.identifier(node.name, "rows")
    return writer.let("rows" if name.startswith("input_producer") else name, made)


def _again(node):
    return "" if node.epochs == 1 else f".repeat({node.epochs or ''})"


def _sharded_and_mixed(node):
    count, text = len(node.values[0]), ""
    if node.shard:
        text += f".shard({node.shard[0]}, {node.shard[1]})"
        count = len(range(node.shard[1], count, node.shard[0]))
    if node.shuffled and count > 1:
        seed = f", seed={node.seed}" if node.seed is not None else ""
        text += f".shuffle({count}{seed})"
    return text


def _apply(writer, node):
    source = writer.node(node.source)
    step = node.step
    if _hands_on(step):
        return source

    def body(body):
        flat = [t for r in step.results for t in (r if isinstance(r, tuple) else [r])]
        body.write(step.ops, flat)
        return _returned(body, step, known.lost_shapes(step))

    final = step.structure is not None
    name = writer.function("finish" if final else "example", step.given, body)
    parallel = "" if node.parallel == 1 else ", num_parallel_calls=tf.data.AUTOTUNE"
    made = f"{source}.map({name}{parallel})"
    return writer.let("elements" if final else "examples", made)


def _hands_on(step):
    """Whether the elements are what the step gives, as they are."""
    if any(isinstance(name, tuple) for name in step.given):
        return False
    if isinstance(step.structure, _tf.Tensor):
        return [step.structure.name] == step.given
    if type(step.structure) is not tuple or len(step.structure) < 2:
        return False
    return all(isinstance(t, _tf.Tensor) for t in step.structure) and step.given == [
        t.name for t in step.structure
    ]


def _count(writer, node):
    times = "" if node.times == 1 else f".repeat({node.times or ''})"
    return writer.let("steps", f"tf.data.Dataset.range(1){times}")


def _filter(writer, node):
    source = writer.node(node.source)
    kept = f"{source}.filter(lambda keep, *rest: keep)"
    drop = "lambda keep, *rest: rest if len(rest) > 1 else rest[0]"
    return writer.let("kept", f"{kept}.map({drop})")


def _unbatch(writer, node):
    return writer.let("rows", f"{writer.node(node.source)}.unbatch()")


def _shuffle(writer, node):
    seed = f", seed={node.seed}" if node.seed is not None else ""
    return writer.let("mixed", f"{writer.node(node.source)}.shuffle({node.buffer}{seed})")


def _batch(writer, node):
    source = writer.node(node.source)
    rest = "" if node.smaller else ", drop_remainder=True"
    if node.padded is None:
        return writer.let("batches", f"{source}.batch({node.size}{rest})")
    shapes = repr(node.padded[0] if len(node.padded) == 1 else tuple(node.padded))
    return writer.let("batches", f"{source}.padded_batch({node.size}, {shapes}{rest})")


def _share(writer, node):
    return writer.let("share", f"{writer.node(node.source)}.shard({node.of}, {node.number})")


def _zip(writer, node):
    sources = [writer.node(source) for source in node.sources]
    made = f"tf.data.Dataset.zip(({', '.join(sources)}))"
    return writer.let("together", made + ".map(lambda *parts: tuple(tf.nest.flatten(parts)))")


def _merge(writer, node):
    sources = [writer.node(source) for source in node.sources]
    turns = f"tf.data.Dataset.range({len(sources)}).repeat()"
    made = f"tf.data.Dataset.choose_from_datasets([{', '.join(sources)}], {turns}"
    return writer.let("merged", f"{made}, stop_on_empty_dataset=False)")


def _read(writer, node):
    from tfqueue.dataset.written import readers

    return readers.write(writer, node)


_ROWS = {
    plan.Rows: _rows,
    plan.Count: _count,
    plan.Read: _read,
    plan.Apply: _apply,
    plan.Filter: _filter,
    plan.Unbatch: _unbatch,
    plan.Shuffle: _shuffle,
    plan.Batch: _batch,
    plan.Share: _share,
    plan.Zip: _zip,
    plan.Merge: _merge,
}
