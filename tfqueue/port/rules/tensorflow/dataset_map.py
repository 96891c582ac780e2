"""`Dataset.map` of 1.2 and 1.3 had `num_threads` and `output_buffer_size`.

https://github.com/tensorflow/tensorflow/blob/v1.4.0/RELEASE.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
