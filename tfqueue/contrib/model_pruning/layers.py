"""`tf.contrib.model_pruning.python.layers.layers`: layers whose weights have a mask."""

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.model_pruning import pruning
from tfqueue.v1 import _lazy_names
from tfqueue.v1._signatures import takes
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_add_arg_scope = _lazy_names.slim("tf_slim.ops.arg_scope", "tf.contrib.model_pruning").add_arg_scope
_utils = _lazy_names.slim("tf_slim.layers.utils")
_xavier = _lazy_names.slim("tf_slim.layers.initializers").xavier_initializer()

__all__ = ["masked_conv2d", "masked_convolution", "masked_fully_connected"]
_REST = (
    "activation_fn=None normalizer_fn=None normalizer_params=None weights_initializer=None "
    "weights_regularizer=None biases_initializer=None biases_regularizer=None reuse=None "
    "variables_collections=None outputs_collections=None trainable=True scope=None"
)
_OBJECTS = {
    "activation_fn": _tf.nn.relu,
    "weights_initializer": _xavier,
    "biases_initializer": _tf.zeros_initializer(),
}


def _layer(
    given: dict[str, Any],
    name: str,
    order: str,
    shape: Callable[[Tensor], list[int]],
    apply: Callable[[Tensor, Tensor], Tensor],
) -> Tensor:
    """A layer of one kind or the other.

    Args:
        given: The arguments of the layer.
        name: Of its scope.
        order: The names of its variables in the order in which they are made.
        shape: Gives the shape of the weights for inputs.
        apply: Gives the outputs for inputs and masked weights.
    """
    make = _lazy_names.slim("tf_slim.ops.variables").model_variable
    biased = not given["normalizer_fn"] and given["biases_initializer"]
    with _tf.variable_scope(given["scope"], name, [given["inputs"]], reuse=given["reuse"]) as scope:
        inputs = _tf.convert_to_tensor(given["inputs"])
        size, dtype = shape(inputs), inputs.dtype.base_dtype
        ones, zeros = _tf.ones_initializer(), _tf.zeros_initializer()
        wanted: dict[str, tuple[Any, ...]] = {
            "mask": (size, dtype, ones, None, False),
            "threshold": ([], dtype, zeros, None, False),
        }
        for each in ("weights", "biases") if biased else ("weights",):
            its = size if each == "weights" else size[-1:]
            start, weight = given[f"{each}_initializer"], given[f"{each}_regularizer"]
            wanted[each] = (its, dtype, start, weight, given["trainable"])
        made = {each: make(each, *wanted[each]) for each in order.split() if each in wanted}
        kernel = pruning.masked(made["weights"], made["mask"], made["threshold"])
        outputs = apply(inputs, kernel)
        if biased:
            made["biases"] = make("biases", *wanted["biases"])
            form = "NCHW" if given.get("data_format") == "NCHW" else None
            outputs = _tf.nn.bias_add(outputs, made["biases"], data_format=form)
        for each in ("weights", "biases"):
            if each in made:
                for key in (
                    _utils.get_variable_collections(given["variables_collections"], each) or ()
                ):
                    _tf.add_to_collection(key, made[each])
        if given["normalizer_fn"] is not None:
            outputs = given["normalizer_fn"](outputs, **(given["normalizer_params"] or {}))
        if given["activation_fn"] is not None:
            outputs = given["activation_fn"](outputs)
        return _utils.collect_named_outputs(
            given["outputs_collections"], scope.original_name_scope, outputs
        )


def _pair(size: Any) -> list[int]:
    return [size, size] if isinstance(size, int) else list(size)


@_add_arg_scope
@takes(
    "inputs num_outputs kernel_size stride=1 padding='SAME' data_format=None rate=1 " + _REST,
    **_OBJECTS,
)
def masked_convolution(given: dict[str, Any]) -> Tensor:
    """A convolution of images whose weights have a mask (`tf.contrib.model_pruning.masked_convolution`).

    The arguments are those of `tf.contrib.layers.conv2d`.

    Raises:
        ValueError: If the inputs have not four axes, or `data_format` is another one than `NHWC` and `NCHW`.
    """
    form = given["data_format"] or "NHWC"
    if form not in ("NHWC", "NCHW"):
        raise ValueError(f"Unsupported data format {form}")

    def shape(inputs: Tensor) -> list[int]:
        if inputs.shape.rank != 4:
            raise ValueError(
                f"Sparse Convolution not supported for input with rank {inputs.shape.rank}"
            )
        channels = inputs.shape.as_list()[form.index("C")]
        return [*_pair(given["kernel_size"]), channels, given["num_outputs"]]

    def apply(inputs: Tensor, kernel: Tensor) -> Tensor:
        return _tf.nn.convolution(
            inputs,
            kernel,
            given["padding"].upper(),
            _pair(given["stride"]),
            _pair(given["rate"]),
            data_format=form,
        )

    return _layer(given, "Conv", "mask weights threshold", shape, apply)


masked_conv2d = masked_convolution


@_add_arg_scope
@takes("inputs num_outputs " + _REST, **_OBJECTS)
def masked_fully_connected(given: dict[str, Any]) -> Tensor:
    """A dense layer whose weights have a mask (`tf.contrib.model_pruning.masked_fully_connected`).

    The arguments are those of `tf.contrib.layers.fully_connected`.

    Raises:
        ValueError: If `num_outputs` is no int.
    """
    if not isinstance(given["num_outputs"], int):
        raise ValueError(f"num_outputs should be int or long, got {given['num_outputs']}.")

    def apply(inputs: Tensor, kernel: Tensor) -> Tensor:
        rank = inputs.shape.rank
        return (
            _tf.matmul(inputs, kernel)
            if rank == 2
            else _tf.tensordot(inputs, kernel, [[rank - 1], [0]])
        )

    return _layer(
        given,
        "fully_connected",
        "weights mask threshold",
        lambda inputs: [inputs.shape.as_list()[-1], given["num_outputs"]],
        apply,
    )
