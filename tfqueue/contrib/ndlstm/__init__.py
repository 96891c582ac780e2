"""`tf.contrib.ndlstm`, up to TensorFlow 1.4: LSTMs over sequences, and over rows and columns of images.

A sequence is `[length, batch, depth]`, images are `[batch, height, width, depth]`; all sizes are known.
"""

import functools
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names, rnn_cell
from tfqueue.v1._types import Name, Scope, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "get_blocks",
    "horizontal_lstm",
    "images_to_sequence",
    "ndlstm_base",
    "ndlstm_base_dynamic",
    "ndlstm_base_unrolled",
    "one_hot_mask",
    "one_hot_planes",
    "pixels_as_vector",
    "pool_as_vector",
    "reduce_to_final",
    "reduce_to_sequence",
    "separable_lstm",
    "sequence_softmax",
    "sequence_to_final",
    "sequence_to_images",
]

# its modules, whose names are the package's
_ROWS = dict.fromkeys(["lstm1d", "lstm2d", "misc"], __name__)
__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)


def _unrolled(inputs: Tensor, noutput: int, reverse: bool) -> list[Any]:
    cell = rnn_cell.BasicLSTMCell(noutput, state_is_tuple=False)
    state = _tf.zeros([inputs.shape.as_list()[1], cell.state_size])
    outputs: list[Any] = []
    steps = _tf.unstack(inputs)
    for step in reversed(steps) if reverse else steps:
        if outputs:
            _tf.get_variable_scope().reuse_variables()
        output, state = cell(step, state)
        outputs.append(output)
    return outputs


def ndlstm_base_unrolled(
    inputs: Tensor, noutput: int, scope: Scope | None = None, reverse: bool = False
) -> Any:
    """An LSTM with ops of its own for each step (`tf.contrib.ndlstm.ndlstm_base_unrolled`).

    Args:
        inputs: A sequence.
        noutput: int, the depth of the outputs.
        scope: The variables' scope.
        reverse: Whether it goes from the end to the beginning.

    Returns:
        The outputs, `[length, batch, noutput]`.
    """
    with _tf.variable_scope(scope, "SeqLstmUnrolled", [inputs]):
        outputs = _unrolled(inputs, noutput, reverse)
        return _tf.stack(outputs[::-1] if reverse else outputs)


def ndlstm_base_dynamic(
    inputs: Tensor, noutput: int, scope: Scope | None = None, reverse: bool = False
) -> Any:
    """An LSTM with a loop (`tf.contrib.ndlstm.ndlstm_base_dynamic`).

    Args:
        inputs: A sequence.
        noutput: int, the depth of the outputs.
        scope: The variables' scope.
        reverse: Whether it goes from the end to the beginning.

    Returns:
        The outputs, `[length, batch, noutput]`.
    """
    with _tf.variable_scope(scope, "SeqLstm", [inputs]):
        length, batch, _ = inputs.shape.as_list()
        cell = rnn_cell.BasicLSTMCell(noutput, state_is_tuple=False)
        state = _tf.zeros([batch, cell.state_size])
        lengths = _tf.cast(_tf.fill([batch], length), _tf.int64)
        if reverse:
            inputs = _tf.reverse(inputs, [0])
        outputs, _ = _tf.nn.dynamic_rnn(cell, inputs, lengths, state, time_major=True)
        return _tf.reverse(outputs, [0]) if reverse else outputs


def ndlstm_base(
    inputs: Tensor,
    noutput: int,
    scope: Scope | None = None,
    reverse: bool = False,
    dynamic: bool = True,
) -> Any:
    """An LSTM over a sequence (`tf.contrib.ndlstm.ndlstm_base`).

    Args:
        inputs: A sequence.
        noutput: int, the depth of the outputs.
        scope: The variables' scope.
        reverse: Whether it goes from the end to the beginning.
        dynamic: Whether as a loop, `ndlstm_base_dynamic`, or else `ndlstm_base_unrolled`.

    Returns:
        The outputs, `[length, batch, noutput]`.
    """
    kind = ndlstm_base_dynamic if dynamic else ndlstm_base_unrolled
    return kind(inputs, noutput, scope, reverse)


def sequence_to_final(
    inputs: Tensor,
    noutput: int,
    scope: Scope | None = None,
    name: Name = None,
    reverse: bool = False,
) -> Any:
    """The last output of an LSTM over a sequence (`tf.contrib.ndlstm.sequence_to_final`).

    Args:
        inputs: A sequence.
        noutput: int, the depth of the output.
        scope: The variables' scope.
        reverse: Whether it goes from the end to the beginning.

    Returns:
        `[batch, noutput]`.
    """
    with _tf.variable_scope(scope, "SequenceToFinal", [inputs]):
        output = _unrolled(inputs, noutput, reverse)[-1]
        return _tf.reshape(output, [inputs.shape.as_list()[1], noutput], name=name)


def sequence_softmax(
    inputs: Tensor,
    noutput: int,
    scope: Scope | None = None,
    name: Name = None,
    linear_name: Name = None,
) -> Any:
    """A softmax layer over each step of a sequence (`tf.contrib.ndlstm.sequence_softmax`).

    Args:
        inputs: A sequence.
        noutput: int, the depth of the outputs.
        scope: The variables' scope.
        linear_name: Name of the op in front of the softmax.

    Returns:
        The outputs, `[length, batch, noutput]`.
    """
    steps = _tf.unstack(inputs)
    with _tf.variable_scope(scope, "SequenceSoftmax", [inputs]):
        start = _tf.truncated_normal([inputs.shape.as_list()[2], noutput], stddev=0.1)
        kinds = _tf.GraphKeys.GLOBAL_VARIABLES, _tf.GraphKeys.MODEL_VARIABLES
        make = functools.partial(_tf.get_variable, collections=list(kinds))
        begin = _tf.constant(0.1, shape=[noutput])
        weights, biases = (
            make("weights", initializer=start),
            make("biases", initializer=begin),
        )
        outputs = []
        for step in steps:
            with _tf.variable_scope(scope, "SequenceSoftmaxStep", [step]):
                linear = _tf.nn.xw_plus_b(step, weights, biases, name=linear_name)
                outputs.append(_tf.nn.softmax(linear))
        return _tf.stack(outputs, name=name)


def images_to_sequence(tensor: Tensor) -> Any:
    """The rows of images as a batch of sequences (`tf.contrib.ndlstm.images_to_sequence`).

    Returns:
        `[width, batch * height, depth]`.
    """
    batch, height, width, depth = tensor.shape.as_list()
    return _tf.reshape(_tf.transpose(tensor, [2, 0, 1, 3]), [width, batch * height, depth])


def sequence_to_images(tensor: Tensor, num_image_batches: int) -> Any:
    """Turns `images_to_sequence` around (`tf.contrib.ndlstm.sequence_to_images`).

    Args:
        tensor: `[width, batch * height, depth]`.
        num_image_batches: int, the batch.

    Returns:
        `[batch, height, width, depth]`.
    """
    width, rows, depth = tensor.shape.as_list()
    shape = [width, num_image_batches, rows // num_image_batches, depth]
    return _tf.transpose(_tf.reshape(tensor, shape), [1, 2, 0, 3])


def horizontal_lstm(images: Tensor, num_filters_out: int, scope: Scope | None = None) -> Any:
    """An LSTM in both directions over the rows of images (`tf.contrib.ndlstm.horizontal_lstm`).

    Args:
        images: Images.
        num_filters_out: int, the depth of the outputs, half of it for each direction.
        scope: The variables' scope.

    Returns:
        `[batch, height, width, num_filters_out]`.
    """
    with _tf.variable_scope(scope, "HorizontalLstm", [images]):
        sequence = images_to_sequence(images)
        half = num_filters_out // 2
        with _tf.variable_scope("lr"):
            forwards = ndlstm_base(sequence, half)
        with _tf.variable_scope("rl"):
            backwards = ndlstm_base(sequence, num_filters_out - half, reverse=True)
        both = _tf.concat([forwards, backwards], 2)
        return sequence_to_images(both, images.shape.as_list()[0])


def get_blocks(images: Tensor, kernel_size: list[int]) -> Any:
    """Parts images into blocks, filled up with zeros (`tf.contrib.ndlstm.get_blocks`).

    Args:
        images: Images.
        kernel_size: The height and the width of a block.

    Returns:
        The numbers of each block: `[batch, rows of blocks, columns of blocks, n]`, by column, channel
        and row.
    """
    with _tf.variable_scope("image_blocks"):
        high, wide = kernel_size
        batch, height, width, depth = images.shape.as_list()
        down, right = -height % high, -width % wide
        if down:
            images = _tf.concat([images, _tf.zeros([batch, down, width, depth])], 1)
        if right:
            images = _tf.concat([images, _tf.zeros([batch, height + down, right, depth])], 2)
        shape = [batch, (width + right) // wide, wide * high * depth]
        lines = _tf.split(images, (height + down) // high, axis=1)
        return _tf.stack(
            [_tf.reshape(_tf.transpose(line, [0, 2, 3, 1]), shape) for line in lines], axis=1
        )


def separable_lstm(
    images: Tensor,
    num_filters_out: int,
    kernel_size: list[int] | None = None,
    nhidden: int | None = None,
    scope: Scope | None = None,
) -> Any:
    """LSTMs over the rows, then over the columns (`tf.contrib.ndlstm.separable_lstm`).

    Args:
        images: Images.
        num_filters_out: int, the depth of the outputs.
        kernel_size: The height and the width of blocks to part the images into first, or None.
        nhidden: int, the depth between the two, that of the outputs if None.
        scope: The variables' scope.

    Returns:
        `[batch, height, width, num_filters_out]`, of blocks if there are.
    """
    with _tf.variable_scope(scope, "SeparableLstm", [images]):
        if kernel_size is not None:
            images = get_blocks(images, kernel_size)
        hidden = horizontal_lstm(images, num_filters_out if nhidden is None else nhidden)
        with _tf.variable_scope("vertical"):
            turned = _tf.transpose(hidden, [0, 2, 1, 3])
            outputs = horizontal_lstm(turned, num_filters_out)
        return _tf.transpose(outputs, [0, 2, 1, 3])


def _columns(images: Tensor) -> Any:
    """The columns of images, a sequence `[height, batch * width, depth]`."""
    batch, height, width, depth = images.shape.as_list()
    return _tf.reshape(_tf.transpose(images, [1, 0, 2, 3]), [height, batch * width, depth])


def reduce_to_sequence(images: Tensor, num_filters_out: int, scope: Scope | None = None) -> Any:
    """The last outputs of an LSTM over the columns (`tf.contrib.ndlstm.reduce_to_sequence`).

    Args:
        images: Images.
        num_filters_out: int, the depth of the outputs.
        scope: The variables' scope.

    Returns:
        `[batch, width, num_filters_out]`.
    """
    with _tf.variable_scope(scope, "ReduceToSequence", [images]):
        batch, _, width, _ = images.shape.as_list()
        reduced = sequence_to_final(_columns(images), num_filters_out)
        return _tf.reshape(reduced, [batch, width, num_filters_out])


def reduce_to_final(
    images: Tensor, num_filters_out: int, nhidden: int | None = None, scope: Scope | None = None
) -> Any:
    """LSTMs over the columns, then over their last outputs (`tf.contrib.ndlstm.reduce_to_final`).

    Args:
        images: Images.
        num_filters_out: int, the depth of the output.
        nhidden: int, the depth between the two, that of the output if None.
        scope: The variables' scope.

    Returns:
        `[batch, num_filters_out]`.
    """
    with _tf.variable_scope(scope, "ReduceToFinal", [images]):
        nhidden = nhidden or num_filters_out
        batch, _, width, _ = images.shape.as_list()
        columns = _columns(images)
        with _tf.variable_scope("reduce1"):
            reduced = _tf.reshape(sequence_to_final(columns, nhidden), [batch, width, nhidden])
            hidden = _tf.transpose(reduced, [1, 0, 2])
        with _tf.variable_scope("reduce2"):
            return sequence_to_final(hidden, num_filters_out)


def pixels_as_vector(images: Tensor, scope: Name = None) -> Any:
    """All numbers of each image (`tf.contrib.ndlstm.pixels_as_vector`).

    Returns:
        `[batch, height * width * depth]`.
    """
    with _tf.name_scope(scope, "PixelsAsVector", [images]):
        batch, height, width, depth = images.shape.as_list()
        return _tf.reshape(images, [batch, height * width * depth])


def pool_as_vector(images: Tensor, scope: Name = None) -> Any:
    """The mean of the pixels of each image (`tf.contrib.ndlstm.pool_as_vector`).

    Returns:
        `[batch, depth]`.
    """
    with _tf.name_scope(scope, "PoolAsVector", [images]):
        return _tf.reduce_mean(images, [1, 2])


def one_hot_planes(labels: Tensor, num_classes: int, scope: Name = None) -> Any:
    """A one where a class is that of the example (`tf.contrib.ndlstm.one_hot_planes`).

    Args:
        labels: Int tensor `[batch]`.
        num_classes: int, how many classes there are.

    Returns:
        float32 `[batch, 1, 1, num_classes]`.
    """
    with _tf.name_scope(scope, "OneHotPlanes", [labels]):
        found = _tf.one_hot(labels, num_classes, on_value=1.0, off_value=0.0)
        return _tf.reshape(found, [labels.shape.as_list()[0], 1, 1, num_classes])


def one_hot_mask(labels: Tensor, num_classes: int, scope: Name = None) -> Any:
    """A one where a class is that of the pixel (`tf.contrib.ndlstm.one_hot_mask`).

    Args:
        labels: Tensor `[height, width, 1]`.
        num_classes: int, how many classes there are.

    Returns:
        float32 `[height, width, num_classes]`.

    Raises:
        AssertionError: If the last dimension is not 1.
        tf.errors.InvalidArgumentError: In the session: if a label is no class.
    """
    with _tf.name_scope(scope, "OneHotMask", [labels]):
        height, width, depth = labels.shape.as_list()
        assert depth == 1
        flat = _tf.cast(_tf.reshape(labels, [-1, 1]), _tf.int32)
        places = _tf.concat([_tf.reshape(_tf.range(height * width), [-1, 1]), flat], 1)
        found = _tf.sparse_to_dense(places, [height * width, num_classes], 1.0, 0.0)
        return _tf.reshape(found, [height, width, num_classes])
