"""Which input pipelines a program holds, read off its calls."""

from __future__ import annotations

import dataclasses
import re

from tfqueue.port.program.module import Module

_PARTS = re.compile(
    r"^tensorflow\.(?:"
    r"(?P<source>train\.(?:string|slice|range|limit|input)\w*(?:producer|epochs)"
    r"|train\.match_filenames_once|train\.input_producer)"
    r"|(?P<reader>(?:io\.)?(?:TFRecord|TextLine|WholeFile|FixedLengthRecord|Identity|LMDB)Reader)"
    r"|(?P<parse>(?:io\.)?(?:parse_(?:single_)?(?:sequence_)?example|decode_(?:raw|csv|jpeg|png))"
    r"|image\.decode_\w+|image\.convert_image_dtype)"
    r"|(?P<queue>(?:queue\.)?(?:FIFO|RandomShuffle|PaddingFIFO|Priority)Queue|train\.QueueRunner)"
    r"|(?P<batch>train\.(?:maybe_)?(?:shuffle_)?batch(?:_join)?"
    r"|contrib\.training\.\w*(?:bucket|batch|sample)\w*)"
    r"|(?P<start>train\.(?:start_queue_runners|Supervisor|MonitoredTrainingSession"
    r"|MonitoredSession|SingularMonitoredSession)|contrib\.slim\.learning\.train"
    r"|contrib\.slim\.queues\.QueueRunners))$"
)


@dataclasses.dataclass(frozen=True)
class Found:
    """The pipeline calls of one function.

    Attributes:
        function: The function that holds them, or ``<module>``.
        calls: (kind, name, line) in the order in which they are called; kinds are source, reader, parse,
            queue, batch and start.
    """

    function: str
    calls: tuple[tuple[str, str, int], ...]

    def __str__(self) -> str:
        chain = " -> ".join(f"{name} ({line})" for _, name, line in self.calls)
        return f"{self.function}: {chain}"


def find(module: Module, lines: list[int]) -> list[Found]:
    """Returns a module's pipelines, one per function that holds pipeline calls.

    Args:
        lines: The user's line for each line of the module.

    >>> text = "import tensorflow as tf\\nq = tf.train.string_input_producer(f)\\n"
    >>> print(*find(Module(text), [1, 2, 3]))
    <module>: string_input_producer (2)
    >>> text = "import tensorflow as tf\\ntf.train.batch([tf.decode_raw(x, tf.uint8)], 2)\\n"
    >>> print(*find(Module(text), [1, 2, 3]))
    <module>: decode_raw (2) -> batch (2)
    """
    held: dict[str, list[tuple[str, str, int]]] = {}
    # What a call is given is called before it: in the order of their ends.
    for call, dotted in sorted(module.calls, key=lambda found: module.end(found[0])):
        match = _PARTS.match(dotted)
        if match:
            name = dotted.rpartition(".")[2]
            where = held.setdefault(module.enclosing(call), [])
            where.append((match.lastgroup or "", name, lines[min(call.lineno, len(lines)) - 1]))
    return [Found(function, tuple(calls)) for function, calls in held.items()]
