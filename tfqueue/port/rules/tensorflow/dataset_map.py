"""`Dataset.map` of 1.2 and 1.3 had `num_threads` and `output_buffer_size`.

https://github.com/tensorflow/tensorflow/blob/v1.4.0/RELEASE.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import objects
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("num_threads", "output_buffer_size")


def find(module: Module) -> Iterator[Finding]:
    """Finds maps of datasets with the arguments of `tf.contrib.data.Dataset.map`."""
    for call in module.nodes[ast.Call]:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "map":
            continue
        words = {keyword.arg: keyword for keyword in call.keywords}
        threads, size = words.get("num_threads"), words.get("output_buffer_size")
        if not (threads or size) or module.dotted(call.func):
            continue
        if len(call.args) > (1 if threads else 2) or _is_of_another(module, call.func):
            continue
        yield module.finding(
            call, "map has num_parallel_calls, and prefetch behind it, since TensorFlow 1.4"
        )
        if threads:
            module.rename(threads, "num_parallel_calls")
        if size:
            call.keywords.remove(size)
            again = ast.Call(call.func, call.args, call.keywords)
            ahead = ast.Attribute(again, "prefetch", ast.Load())
            module.replace(call, ast.Call(ahead, [size.value], []))


def _is_of_another(module: Module, func: ast.Attribute) -> bool:
    """Whether the file shows that an object is no dataset: another class made it, or has such a method."""
    made = objects.values(module, func.value)
    if made:
        calls = [one.func for one in made if isinstance(one, ast.Call)]
        return len(calls) == len(made) and all(_is_another(module, one) for one in calls)
    own = [one for one in module.nodes[ast.FunctionDef] if one.name == "map"]
    taken = {arg.arg for one in own for arg in (*one.args.args, *one.args.kwonlyargs)}
    return not taken.isdisjoint(WORDS) and not any("Dataset" in word for word in module.words)


def _is_another(module: Module, func: ast.expr) -> bool:
    """Whether a function is a class that TensorFlow has not, nor one made of its classes."""
    dotted = module.dotted(func)
    if dotted:
        return dotted.rpartition(".")[2][:1].isupper() and not dotted.startswith("tensorflow.")
    own = [one for one in module.nodes[ast.ClassDef] if one.name == getattr(func, "id", None)]
    bases = [module.dotted(base) or "" for one in own for base in one.bases]
    return bool(own) and not any(base.startswith("tensorflow.") for base in bases)
