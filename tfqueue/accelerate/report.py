"""How the runners of a pipeline are run, in words: `print(tfqueue.pipeline(graph))`."""

import weakref

from tfqueue.accelerate.region import examine

REPORTS = weakref.WeakKeyDictionary()
"""Graph -> runner's name -> op's name -> `(way, text)`: how runners were last run, and why so."""

WAYS = {
    "chunk": "vectorised",
    "unroll": "side by side",
    "examples": "one at a time",
}
"""What the ways are called."""


def note(graph, runner, op, way, text):
    """Notes how a runner's op is run.

    Args:
      graph: The graph.
      runner: The runner's name.
      op: Its operation.
      way: `chunk`, `unroll` or `examples`.
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


def way_of(pipeline, runner, op):
    """How one op of a runner is run, or could be.

    Args:
      pipeline: A `Pipeline`.
      runner: A `Runner` of it.
      op: One of the runner's operations.

    Returns:
      `(way, text, run)`: `chunk`, `unroll` or `examples`; how, or why so; and whether it has been run yet.
    """
    known = REPORTS.get(pipeline.graph, {}).get(runner.name, {})
    if op.name in known:
        return (*known[op.name], True)
    region = examine(pipeline, op, runner.threads)
    why_not = region.refusals.get("chunk")
    if why_not is None:
        return "chunk", "can be vectorised", False
    if "unroll" not in region.refusals:
        return "unroll", f"a few can be computed side by side, not vectorised ({why_not})", False
    return "examples", f"one at a time ({why_not})", False


def _ways_of(pipeline, runner):
    for op in runner.queue_runner.enqueue_ops:
        operation = getattr(op, "op", op)
        if getattr(operation, "name", None) is not None:
            way, text, run = way_of(pipeline, runner, operation)
            yield f"{WAYS[way]}: {text}" if run else f"not run yet: {text}"
