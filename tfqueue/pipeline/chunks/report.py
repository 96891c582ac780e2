"""How the runners of a pipeline are run, in words: `print(tfqueue.pipeline(graph))`."""

import weakref

from tfqueue.pipeline.chunks.region import examine

REPORTS = weakref.WeakKeyDictionary()
"""Graph -> runner's name -> op's name -> `(way, text)`: how runners were last run, and why so."""

WAYS = {"vector": "chunked", "loop": "looped", "examples": "one at a time"}
"""What the ways are called."""


def note(graph, runner, op, way, text):
    """Notes how a runner's op is run.

    Args:
      graph: The graph.
      runner: The runner's name.
      op: Its operation.
      way: `vector`, `loop` or `examples`.
      text: By how much, or why so.
    """
    REPORTS.setdefault(graph, {}).setdefault(runner, {})[op.name] = (way, text)


def describe(pipeline):
    """A line for each queue, and below it one for each way in which its runners' ops are run.

    Args:
      pipeline: A `Pipeline`.

    Returns:
      str. What has not been run yet is described by what could be done.
    """
    lines = []
    for queue in pipeline.queues.values():
        most = "no limit" if queue.capacity < 0 else f"capacity {queue.capacity}"
        lines.append(f"{queue.kind} '{queue.name}', {most}")
        runners = pipeline.runners_of(queue)
        for runner in runners:
            threads = f"{runner.threads} thread{'s' if runner.threads != 1 else ''}"
            told = dict.fromkeys(_ways_of(pipeline, runner))
            lines += [f"  filled by a runner with {threads}, {text}" for text in told]
        if not runners:
            lines.append("  filled by hand")
    return "\n".join(lines) or "no queues"


def _ways_of(pipeline, runner):
    known = REPORTS.get(pipeline.graph, {}).get(runner.name, {})
    for op in runner.queue_runner.enqueue_ops:
        operation = getattr(op, "op", op)
        name = getattr(operation, "name", None)
        if name in known:
            way, text = known[name]
            yield f"{WAYS[way]}: {text}"
        elif name is not None:
            yield _could(pipeline, operation, runner.threads)


def _could(pipeline, op, threads):
    region = examine(pipeline, op, threads)
    why_not = region.refusals.get("vector")
    if why_not is None:
        return "not run yet: can be chunked"
    if "loop" not in region.refusals:
        return f"not run yet: can be looped, not chunked ({why_not})"
    return f"not run yet: one at a time ({region.refusals['loop']})"
