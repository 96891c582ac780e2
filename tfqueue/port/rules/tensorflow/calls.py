"""Calls whose arguments changed with TensorFlow 0.12 or 1.0 and are told by their shape.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.program.tensorflow_signs import takes_height_and_width
from tfqueue.port.source.finding import Finding

WORDS = ("resize_images", "reverse", "op_scope", "dense_keys", "random_crop")
_LISTS = ast.List | ast.Tuple
_INNER = "tensorflow.python."
_REVERSE = ("tensorflow.reverse", "tensorflow.reverse_v2", f"{_INNER}ops.array_ops.reverse")
_SCOPES = (
    *("tensorflow.op_scope", "tensorflow.variable_op_scope"),
    *(f"{_INNER}framework.ops.op_scope", f"{_INNER}ops.variable_scope.variable_op_scope"),
)


def find(module: Module) -> Iterator[Finding]:
    """Finds `resize_images(i, height, width)`, `reverse(x, [True])`, `op_scope`, `dense_keys=`..."""
    for call, dotted in module.calls:
        if any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        if dotted == "tensorflow.image.resize_images":
            yield from _resize(module, call)
        elif dotted in _REVERSE and len(call.args) == 2:
            yield from _reverse(module, call)
        elif dotted == "tensorflow.image.random_crop":
            yield from _crop(module, call)
        elif dotted in ("tensorflow.parse_single_example", "tensorflow.parse_example"):
            yield from _parse(module, call, dotted)
        elif dotted in _SCOPES:
            yield from _scope(module, call, dotted)


def _resize(module: Module, call: ast.Call) -> Iterator[Finding]:
    words = {keyword.arg: keyword for keyword in call.keywords}
    message = "tf.image.resize_images takes one size, [height, width], since TensorFlow 0.11"
    if len(call.args) >= 3 and takes_height_and_width(call) and not module.era.new:
        yield module.finding(call, message)
        size = ast.List(call.args[1:3], ast.Load())
        call.args[1:3] = [size]
        module.settle(size, call, size.elts[0])
    elif {"new_height", "new_width"} <= set(words):
        yield module.finding(call, message)
        height, width = words["new_height"], words["new_width"]
        both = ast.keyword("size", ast.List([height.value, width.value], ast.Load()))
        call.keywords[call.keywords.index(height)] = both
        call.keywords.remove(width)
        module.settle(both, call, height)


def _reverse(module: Module, call: ast.Call) -> Iterator[Finding]:
    flags = call.args[1]
    if not isinstance(flags, _LISTS) or not flags.elts:
        return
    values = [e.value for e in flags.elts if isinstance(e, ast.Constant)]
    if len(values) == len(flags.elts) and all(isinstance(value, bool) for value in values):
        axes = [axis for axis, value in enumerate(values) if value]
        yield module.finding(
            call, "tf.reverse takes the axes, not a flag for each, since TensorFlow 1.0"
        )
        module.replace(flags, str(axes))


def _crop(module: Module, call: ast.Call) -> Iterator[Finding]:
    """`tf.image.random_crop(image, [height, width])` of the first releases kept the channels."""
    if len(call.args) < 2 or not isinstance(call.args[0], ast.Name):
        return
    size = call.args[1]
    if isinstance(size, _LISTS) and len(size.elts) == 2:
        yield module.finding(call, "tf.image.random_crop takes the channels, too, since 0.7")
        image = ast.Name(call.args[0].id, ast.Load())
        new = module.expression("int(image.get_shape()[2])", image=image)
        size.elts.append(new)
        module.settle(new, size, size.elts[1])


def _parse(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    """`dense_keys=` and `dense_types=` of the first releases became `features=`."""
    words = {keyword.arg: keyword for keyword in call.keywords}
    alias = module.below(call.func, dotted)
    if alias is None or set(words) - {"dense_keys", "dense_types", "names", "serialized", "name"}:
        return
    if not {"dense_keys", "dense_types"} <= set(words):
        return
    keys, types = words["dense_keys"], words["dense_types"]
    if not isinstance(keys.value, _LISTS) or not isinstance(types.value, _LISTS):
        return
    if len(keys.value.elts) != len(types.value.elts):
        return
    yield module.finding(call, "dense_keys and dense_types are features since TensorFlow 0.8")
    tensorflow = ast.unparse(alias)
    values = [
        module.expression(f"{tensorflow}.FixedLenFeature([], kind)", kind=kind)
        for kind in types.value.elts
    ]
    features = ast.keyword("features", ast.Dict(list(keys.value.elts), values))
    call.keywords[call.keywords.index(keys)] = features
    call.keywords.remove(types)
    module.settle(features, call, keys)


def _scope(module: Module, call: ast.Call, dotted: str) -> Iterator[Finding]:
    # op_scope(values, name, default) became name_scope(name, default, values)
    inner = dotted.startswith(_INNER)
    alias = module.use("tfqueue", "v1") if inner else module.below(call.func, dotted)
    if alias is None or not 2 <= len(call.args) <= 3 or call.keywords:
        return
    new = "name_scope" if dotted.endswith(".op_scope") else "variable_scope"
    values, name, *default = call.args
    yield module.finding(
        call, f"tf.{dotted.rpartition('.')[2]} is tf.{new}, with the names first, since 1.0"
    )
    call.func = module.attribute(alias, new)
    call.args = [name, *(default or [ast.Constant(None)]), values]
    module.settle(call.func, call, call)
    module.settle(call.args[1], call, name)
