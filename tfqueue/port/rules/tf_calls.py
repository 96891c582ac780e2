"""Calls whose arguments changed with TensorFlow 0.12 or 1.0 and are told by their shape.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

import ast

from tfqueue.port.edits import Edit

WORDS = ("resize_images", "reverse", "op_scope", "dense_keys", "random_crop")


def find(module):
    """Finds `resize_images(images, height, width)`, `reverse(x, [True, False])`, `op_scope`, `dense_keys=`..."""
    for call, dotted in module.calls:
        if any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        if dotted == "tensorflow.image.resize_images":
            yield from _resize(module, call)
        elif dotted in ("tensorflow.reverse", "tensorflow.reverse_v2") and len(call.args) == 2:
            yield from _reverse(module, call)
        elif dotted == "tensorflow.image.random_crop":
            yield from _crop(module, call)
        elif dotted in ("tensorflow.parse_single_example", "tensorflow.parse_example"):
            yield from _parse(module, call, dotted)
        elif dotted in ("tensorflow.op_scope", "tensorflow.variable_op_scope"):
            yield from _scope(module, call, dotted)


def _resize(module, call):
    words = {keyword.arg: keyword for keyword in call.keywords}
    message = "tf.image.resize_images takes one size, [height, width], since TensorFlow 0.11"
    by_word = {"new_height", "new_width"} <= set(words)
    if len(call.args) >= 3 and not _is_method(module, call.args[2]):
        height, width = call.args[1], call.args[2]
        if isinstance(height, ast.List | ast.Tuple):
            return
        edits = [
            _put(module, call, height, "["),
            Edit(module.end(width), module.end(width), "]"),
        ]
        yield module.finding(call, message, edits)
    elif by_word and module.start(words["new_width"]) > module.start(words["new_height"]):
        height, width = words["new_height"], words["new_width"]
        start, mid = module.start(height), module.start(width)
        edits = [
            Edit(start, start + len("new_height="), "size=["),
            Edit(mid, mid + len("new_width="), ""),
            Edit(module.end(width), module.end(width), "]"),
        ]
        yield module.finding(call, message, edits)


def _put(module, call, node, text):
    start = module.argument_start(call, node)
    return Edit(start, start, text)


def _is_method(module, node):
    """Whether the third argument is a resize method: `images, size, method`."""
    if isinstance(node, ast.Attribute):
        return "ResizeMethod" in module.source(node)
    return isinstance(node, ast.Constant) and node.value in (0, 1, 2, 3) and node.value is not True


def _reverse(module, call):
    flags = call.args[1]
    if not isinstance(flags, ast.List | ast.Tuple) or not flags.elts:
        return
    values = [e.value for e in flags.elts if isinstance(e, ast.Constant)]
    if len(values) == len(flags.elts) and all(isinstance(value, bool) for value in values):
        axes = [axis for axis, value in enumerate(values) if value]
        message = "tf.reverse takes the axes, not a flag for each, since TensorFlow 1.0"
        yield module.finding(call, message, [module.replace(flags, str(axes))])


def _crop(module, call):
    """`tf.image.random_crop(image, [height, width])` of the first releases kept the channels."""
    if len(call.args) < 2 or not isinstance(call.args[0], ast.Name):
        return
    size = call.args[1]
    if isinstance(size, ast.List | ast.Tuple) and len(size.elts) == 2:
        end = module.end(size.elts[1])
        new = f", int({call.args[0].id}.get_shape()[2])"
        message = "tf.image.random_crop takes the channels, too, since TensorFlow 0.7"
        yield module.finding(call, message, [Edit(end, end, new)])


def _parse(module, call, dotted):
    """`dense_keys=` and `dense_types=` of the first releases became `features=`."""
    words = {keyword.arg: keyword for keyword in call.keywords}
    alias = module.below(call.func, dotted)
    if alias is None or set(words) - {"dense_keys", "dense_types", "names", "serialized", "name"}:
        return
    if not {"dense_keys", "dense_types"} <= set(words):
        return
    keys, types = words["dense_keys"], words["dense_types"]
    lists = ast.List | ast.Tuple
    if not isinstance(keys.value, lists) or not isinstance(types.value, lists):
        return
    if len(keys.value.elts) != len(types.value.elts):
        return
    first, second = sorted((keys, types), key=module.start)
    features = ", ".join(
        f"{module.source(key)}: {alias}.FixedLenFeature([], {module.source(kind)})"
        for key, kind in zip(keys.value.elts, types.value.elts, strict=True)
    )
    start, end = module.start(first), module.end(first)
    breaks = "\n" * module.text[start:end].count("\n")
    # the second keyword goes, with the comma in front of it; the lines stay as many
    comma = module.text.rindex(",", end, module.start(second))
    rest = "\n" * module.text[comma : module.end(second)].count("\n")
    edits = [
        Edit(start, end, f"features={{{features}{breaks}}}"),
        Edit(comma, module.end(second), rest),
    ]
    message = "dense_keys and dense_types are features since TensorFlow 0.8"
    yield module.finding(call, message, edits)


def _scope(module, call, dotted):
    # op_scope(values, name, default) became name_scope(name, default, values)
    alias = module.below(call.func, dotted)
    if alias is None or not 2 <= len(call.args) <= 3 or call.keywords:
        return
    new = "name_scope" if dotted.endswith(".op_scope") else "variable_scope"
    values, name, *default = (module.source(arg) for arg in call.args)
    default = default[0] if default else "None"
    if "\n" in module.source(call):
        return
    text = f"{alias}.{new}({name}, {default}, {values})"
    message = f"tf.{dotted.rpartition('.')[2]} is tf.{new}, with the names first, since 1.0"
    yield module.finding(call, message, [module.replace(call, text)])
