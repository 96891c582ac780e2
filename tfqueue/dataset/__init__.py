"""The way out: an old function's input pipeline as a real `tf.data.Dataset`.

The package is a function itself, `tfqueue.dataset(old_inputs, ...)`. What it does, in order:

* `old_inputs` calls the old function in a graph of its own, in TensorFlow 1's mode. The process
  keeps the mode it is in.
* `lift` reads off the graph's model what happens to the elements (`plan`): `known_values` their rows,
  `equivalence` which runners do the same, `buckets` and `steps` the ops between two queues. What
  cannot be lifted is refused there: by `lift` what concerns queues, by a row of `steps` an op;
  the sentence is that of `steps.refuse`.
* `rewrites` mixes records before they are parsed, parses a batch at a time, and divides the work
  between this process and the workers of a tf.data service.
* `program` writes the plan as a program, each node a line. `readers` writes the readers, `step_ops`
  and `body` the ops of a step, `op_calls`, `op_statements`, `image_calls` and `tables` each op, and
  `literals` and `layout` the text. `program` also runs what it writes, so that the dataset and the
  written program cannot differ.
* `service` waits for a tf.data service, so that one is told and can interrupt the wait.
* `session_feed` is for what cannot be lifted, and `element_comparison` shows that the lift gives what the
  queues give.
* `conversion` calls these parts, one after the other.
* `upper_layers` says what they need of the layers above: a session, a loader of old programs.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfqueue.dataset.element_comparison import Comparison
    from tfqueue.dataset.program import Source
    from tfqueue.dataset.upper_layers import UpperLayers

__all__: list[str] = []


class DatasetFunction(types.ModuleType):
    """A package that stands for its main function. `tfqueue/__init__.py` makes it one."""

    _upper: UpperLayers

    def __call__(
        self,
        old_inputs: Callable[..., Any] | str,
        *args: Any,
        engine: str = "lift",
        service: str | None = None,
        shard: tuple[int, int] | None = None,
        python: bool = False,
        **kwargs: Any,
    ) -> Any:
        """A `tf.data.Dataset` with the elements that an old input function's queues give.

        The function is called once, in a graph of its own; its producers, readers, queues and
        batches are then made again of `tf.data` ops. No session, thread or Python function is
        behind the dataset. The process stays in TensorFlow 2 mode, or is put back in it where
        `import tfqueue.v1` was all that took it away (see `tfqueue.eager`).

        Every example comes exactly once in each epoch. Epochs run into each other, as they did in
        the queues; no limit on epochs gives a dataset without end. What has an order keeps it, that
        of a seeded producer too. A shuffling queue becomes `Dataset.shuffle` over
        `min_after_dequeue` examples and a batch. What does not fill the last batch is dropped
        unless `allow_smaller_final_batch` says otherwise.

        Args:
            old_inputs: The function that builds the pipeline and returns what a step fetches:
                tensors, dense or sparse, in tuples, lists, dicts; an Estimator's `input_fn` is one.
                Or its place, `"old.py:inputs"`: the file may then be of any age, as for `tfqueue
                run`. Or a program, `"old.py"`: it is run up to its first step, and what that takes
                is lifted.
            *args: Its arguments.
            engine: `"lift"`, or `"session"` for a dataset that is fed by a session, slower, where
                something cannot be lifted.
            service: Address of a tf.data service's dispatcher, `"grpc://host:port"`: its workers
                share the producers' rows and run the pipeline. Where the data ends, what is done
                with a whole batch is done here, so that only the last batch of all is not full, or
                dropped. What relies on an order of the elements is refused. If the dispatcher does
                not answer, or no element comes, a `WaitingWarning` says so after some seconds, and
                Ctrl-C ends the wait.
            shard: `(n, i)`, with `0 <= i < n`: only each n-th row of each producer (file, number,
                slice), from the i-th.
            python: Whether a `py_func` is called by the dataset, one example after the other. Such
                a dataset runs in this process only: it takes no service, and cannot be exported.
            **kwargs: The function's keyword arguments.

        Returns:
            A `tf.data.Dataset` whose elements have the structure, dtypes and static shapes of what
            the function returned, with tuples for lists.

        Raises:
            tfqueue.errors.CannotLiftError: Something in the pipeline has no `tf.data` op.
            tfqueue.errors.GraphModeError: The process is in graph mode, and used it.
            TypeError: The function returned something that is not a tensor.
            ValueError: `shard`, `service` or `engine` is none.

        >>> import tfqueue, tensorflow as tf
        >>> def old_inputs(count):
        ...     import tfqueue.v1 as tf
        ...     numbers = tf.train.range_input_producer(count, num_epochs=2, shuffle=False)
        ...     number = numbers.dequeue()
        ...     return tf.train.batch([number, number * number], batch_size=4)
        >>> with tfqueue.eager():
        ...     for number, square in tfqueue.dataset(old_inputs, 6):
        ...         print(number.numpy(), square.numpy())
        [0 1 2 3] [0 1 4 9]
        [4 5 0 1] [16 25  0  1]
        [2 3 4 5] [ 4  9 16 25]
        """
        from tfqueue.dataset import conversion

        return conversion.dataset(
            old_inputs,
            args,
            kwargs,
            self._upper,
            engine=engine,
            service=service,
            shard=shard,
            python=python,
        )

    def source(
        self,
        old_inputs: Callable[..., Any] | str,
        *args: Any,
        shard: tuple[int, int] | None = None,
        python: bool = False,
        **kwargs: Any,
    ) -> Source:
        """The same lift written out: the tf.data program that a porter would write by hand.

        It needs TensorFlow alone and defines `dataset()`. It is what `tfqueue.dataset` itself runs,
        so its elements are the same, and come as fast. Arrays of more than 200 values in the old
        graph become parameters of `dataset`, and so do the Python functions of `py_func`s; both
        stand in the result's `arrays`.

        Args:
            old_inputs: As for `tfqueue.dataset`.
            *args: The function's arguments.
            shard: As for `tfqueue.dataset`.
            python: As for `tfqueue.dataset`.
            **kwargs: The function's keyword arguments.

        Returns:
            The program, a str with an attribute `arrays`: a dict from parameter to array.

        Raises:
            tfqueue.errors.CannotLiftError: As for `tfqueue.dataset`.

        >>> import tfqueue
        >>> def old_inputs():
        ...     import tfqueue.v1 as tf
        ...     names = tf.train.string_input_producer(["a.txt", "b.txt"], num_epochs=2)
        ...     _, line = tf.TextLineReader(skip_header_lines=1).read(names)
        ...     number = tf.string_to_number(line)
        ...     return tf.train.shuffle_batch([number], 4, capacity=20, min_after_dequeue=10)
        >>> with tfqueue.eager():
        ...     text = tfqueue.dataset.source(old_inputs)
        >>> print(text[text.index("def example"):].rstrip().replace("\\n\\n", "\\n"))
        def examples(record):
            return tf.strings.to_number(record, tf.float32)
        <BLANKLINE>
        @tf.autograph.experimental.do_not_convert
        def dataset():
            \"\"\"The elements that old_inputs took from its queues.\"\"\"
            files = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"]).shuffle(2)
            records = files.flat_map(lambda file: tf.data.TextLineDataset(file).skip(1)).repeat(2)
            mixed = records.shuffle(14)
            batches = mixed.batch(4, drop_remainder=True)
            elements = batches.map(examples, num_parallel_calls=tf.data.AUTOTUNE)
            return elements.prefetch(tf.data.AUTOTUNE)
        """
        from tfqueue.dataset import conversion

        return conversion.source(old_inputs, args, kwargs, self._upper, shard=shard, python=python)

    def check(
        self,
        old_inputs: Callable[..., Any] | str,
        *args: Any,
        steps: int = 100,
        python: bool = False,
        **kwargs: Any,
    ) -> Comparison:
        """Runs the queues and the lift side by side, and says whether they give the same elements.

        Values are compared in order where the queues have one. Where a queue shuffles or several
        threads put or read, examples are compared in any order if the data ends within `steps`; as
        many may differ as can be left over of the last batch, if that is dropped. Otherwise, and
        where values are drawn at random, dtypes and shapes are compared.

        Args:
            old_inputs: As for `tfqueue.dataset`.
            *args: The function's arguments.
            steps: How many elements are compared at the most.
            python: As for `tfqueue.dataset`.
            **kwargs: The function's keyword arguments.

        Returns:
            A `tfqueue.dataset.element_comparison.Comparison`: true if they give the same. Its text says how
            many elements were compared, how, and where they first differ.

        Raises:
            tfqueue.errors.CannotLiftError: As for `tfqueue.dataset`.
            tfqueue.errors.GraphModeError: As for `tfqueue.dataset`.

        >>> import tfqueue
        >>> def old_inputs():
        ...     import tfqueue.v1 as tf
        ...     number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
        ...     return tf.train.batch([number, number * number], batch_size=4)
        >>> with tfqueue.eager():
        ...     print(tfqueue.dataset.check(old_inputs))
        the same: 2 elements, compared in order
        """
        from tfqueue.dataset import conversion

        return conversion.check(old_inputs, args, kwargs, self._upper, steps=steps, python=python)
