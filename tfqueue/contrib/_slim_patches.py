"""Patches of tf_slim 1.1 for today's TensorFlow.

tf_slim uses modules of `tensorflow.python` that have lost functions since its last
release, and batch normalization. The names of these modules in tf_slim's own are replaced: a
function that is gone is found under its public name, the layers are those of
`tfqueue.v1.layers`, and the supervisor is `tfqueue.v1.train`'s. Only modules of tf_slim are changed.
"""

import functools
import inspect
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms, layers, train
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

_LOST = (
    "tensorflow.python.framework.ops",  # Tensor, IndexedSlices
    "tensorflow.python.ops.array_ops",  # stack, unstack
    "tensorflow.python.ops.control_flow_ops",  # cond, case, while_loop, Assert
)
"""TensorFlow's modules whose names moved to other modules."""

_LAYERS = tuple(
    f"tensorflow.python.layers.{name}"
    for name in ("convolutional", "core", "normalization", "pooling")
)
_OLD_NAMES = {
    "Convolution1D": "Conv1D",
    "Convolution2D": "Conv2D",
    "Convolution3D": "Conv3D",
    "Convolution2DTranspose": "Conv2DTranspose",
    "Convolution3DTranspose": "Conv3DTranspose",
    "SeparableConvolution2D": "SeparableConv2D",
}


class _Patched(types.ModuleType):
    """One of TensorFlow's modules, and behind it the public names."""

    def __init__(self, original: types.ModuleType, **moved: Any) -> None:
        super().__init__(original.__name__, original.__doc__)
        self.__dict__.update(moved)
        self.__dict__["_original"] = original

    def __getattr__(self, name: str) -> Any:
        original = self.__dict__["_original"]
        return getattr(original if hasattr(original, name) else _tf, name)


class _Layers(types.ModuleType):
    """Our layers under the names that `tensorflow.python.layers` has for them."""

    def __getattr__(self, name: str) -> Any:
        return getattr(layers, _OLD_NAMES.get(name, name))


def _instead(module: types.ModuleType) -> types.ModuleType | None:
    """What stands for one of TensorFlow's modules; None where it can stay."""
    if isinstance(module, (_Patched, _Layers)):
        return None
    name = module.__name__
    if name in _LOST:
        return _Patched(module)
    if name == "tensorflow.python.ops.variable_scope":
        return _Patched(module, variable=_tf.Variable)
    if name == "tensorflow.python.training.supervisor":
        return _Patched(module, Supervisor=train.Supervisor)
    if name in _LAYERS:
        return _Layers(name)
    return None


def _of_any_rank(convolution: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`conv2d` of up to 1.8, which is `convolution`: of one, two or three dimensions."""

    @functools.wraps(convolution)
    def wrapper(*args: Any, conv_dims: int | None = None, **kwargs: Any) -> Tensor:
        dims = None if conv_dims == 2 else conv_dims
        return convolution(*args, conv_dims=dims, **kwargs)

    vars(wrapper)["of_any_rank"] = True
    return wrapper


def _also_scoped(conv2d: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`conv2d` of up to 1.8, which was `convolution` and took the arguments of its scope."""
    slim: Any = sys.modules["tf_slim"]
    made: Any = sys.modules["tf_slim.layers.layers"]
    words = tuple(inspect.signature(inspect.unwrap(conv2d)).parameters)
    own = slim.arg_scope_func_key(conv2d)

    @functools.wraps(conv2d)
    def wrapper(*args: Any, **kwargs: Any) -> Tensor:
        scope = slim.current_arg_scope()
        key = slim.arg_scope_func_key(made.convolution)
        if not scope.get(key):
            return conv2d(*args, **kwargs)
        given = {**scope[key], **scope.get(own, {}), **kwargs}
        for word in words[: len(args)]:
            given.pop(word, None)
        with slim.arg_scope({**scope, key: {}, own: {}}):
            return conv2d(*args, **given)

    return wrapper


def _named_as_up_to_1_8(repeat: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`repeat` and `stack`, which name scopes by the layer: `conv2d` was `convolution` up to 1.8."""

    def named(layer: Any) -> Any:
        if getattr(layer, "__name__", "") != "convolution2d":
            return layer
        renamed = functools.partial(layer)
        functools.update_wrapper(renamed, layer)
        renamed.__name__ = "convolution"  # type: ignore[attr-defined]
        return renamed

    @functools.wraps(repeat)
    def wrapper(*args: Any, **kwargs: Any) -> Tensor:
        if _call_forms.reaches("1.8"):
            args = tuple(map(named, args))
            kwargs = {name: named(value) for name, value in kwargs.items()}
        return repeat(*args, **kwargs)

    return wrapper


def _unfused_up_to_1_3(batch_norm: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`batch_norm`, fused since 1.4 where nothing is said: the variances that it keeps differ."""
    slim: Any = sys.modules["tf_slim"]
    place = list(inspect.signature(inspect.unwrap(batch_norm)).parameters).index("fused")
    key = slim.arg_scope_func_key(batch_norm)

    @functools.wraps(batch_norm)
    def wrapper(*args: Any, **kwargs: Any) -> Tensor:
        told = len(args) > place or "fused" in {**slim.current_arg_scope().get(key, {}), **kwargs}
        if _call_forms.reaches("1.3") and not told:
            kwargs["fused"] = False
        return batch_norm(*args, **kwargs)

    return wrapper


_TOLD = "is_training of resnet_arg_scope"
_RESNETS = tuple(f"tf_slim.nets.resnet_{name}" for name in ("utils", "v1", "v2"))


def _with_is_training(make: Callable[..., Any]) -> Callable[..., Any]:
    """`resnet_arg_scope(is_training)` of up to 1.1; since then the networks take `is_training`."""
    slim: Any = sys.modules["tf_slim"]

    @functools.wraps(make)
    def resnet_arg_scope(*args: Any, is_training: Any = None, **kwargs: Any) -> Any:
        if args and isinstance(args[0], bool | _tf.Tensor):
            is_training, args = args[0], args[1:]
        scope = make(*args, **kwargs)
        if is_training is None:
            return scope
        convolution = scope[slim.arg_scope_func_key(slim.layers.conv2d)]
        given = {**convolution["normalizer_params"], "is_training": is_training}
        with slim.arg_scope({**scope, _TOLD: {"is_training": is_training}}):
            with slim.arg_scope([slim.layers.conv2d], normalizer_params=given):
                with slim.arg_scope([slim.layers.batch_norm], is_training=is_training) as told:
                    return told

    return resnet_arg_scope


def _told_by_scope(network: Callable[..., Any]) -> Callable[..., Any]:
    """A residual network, which under such a scope has the arguments of up to 1.1."""
    slim: Any = sys.modules["tf_slim"]
    place = list(inspect.signature(network).parameters).index("is_training")

    @functools.wraps(network)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        told = slim.current_arg_scope().get(_TOLD)
        if told is None or "is_training" in kwargs:
            return network(*args, **kwargs)
        with slim.arg_scope({**slim.current_arg_scope(), _TOLD: None}):  # for the one inside
            if len(args) > place:
                return network(*args[:place], told["is_training"], *args[place:], **kwargs)
            return network(*args, **told, **kwargs)

    return wrapper


def _of_tuples(stack: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`stack_blocks_dense`, also of blocks whose units are tuples, as they were up to 1.1."""
    words = ("depth", "depth_bottleneck", "stride")

    @functools.wraps(stack)
    def stack_blocks_dense(net: Tensor, blocks: Any, *args: Any, **kwargs: Any) -> Tensor:
        named = [
            block._replace(
                args=[
                    dict(zip(words, unit, strict=True)) if isinstance(unit, tuple) else unit
                    for unit in block.args
                ]
            )
            for block in blocks
        ]
        return stack(net, named, *args, **kwargs)

    return stack_blocks_dense


def _take_numpy_integers(made: Any, utils: Any) -> None:
    """Lets sizes be whole numbers of numpy's, as `tf.layers` does.

    Args:
        made: The module `tf_slim.layers.layers`.
        utils: The module `tf_slim.layers.utils`.
    """
    made.six = _Patched(made.six, integer_types=(int, np.integer))
    former = utils.two_element_tuple

    @functools.wraps(former)
    def two_element_tuple(size: Any) -> Any:
        return former(int(size) if isinstance(size, np.integer) else size)

    utils.two_element_tuple = two_element_tuple


def _patch_resnets() -> None:
    """Lets tf_slim's residual networks take the arguments of up to 1.1 as well."""
    utils, *networks = (sys.modules.get(name) for name in _RESNETS)
    if utils is None or hasattr(utils.resnet_arg_scope, "__wrapped__"):
        return
    utils_any: Any = utils
    utils_any.resnet_arg_scope = _with_is_training(utils_any.resnet_arg_scope)
    utils_any.stack_blocks_dense = _of_tuples(utils_any.stack_blocks_dense)
    for module in filter(None, networks):
        vars(module)["resnet_arg_scope"] = utils_any.resnet_arg_scope
        for name, value in list(vars(module).items()):
            if re.fullmatch(r"resnet_v[12](_\d+)?", name):
                setattr(module, name, _told_by_scope(value))


_AVERAGES = {"adjusted_mutual_info_score": "max", "normalized_mutual_info_score": "geometric"}
"""A score of scikit-learn that weighs two entropies -> how it did so up to 0.21."""


def _patch_cluster_scores() -> None:
    """Has `cluster_loss` score clusters as it did, with the scores of scikit-learn up to 0.21."""
    module: Any = sys.modules.get("tf_slim.losses.metric_learning")
    scores = getattr(module, "metrics", None)
    if scores is None or isinstance(scores, _Patched):
        return
    old = {
        name: functools.partial(getattr(scores, name), average_method=average)
        for name, average in _AVERAGES.items()
        if "average_method" in inspect.signature(getattr(scores, name)).parameters
    }
    module.metrics = _Patched(scores, **old)


def install() -> None:
    """Patches the modules of tf_slim that are loaded. It may be called again when more are."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "tf_slim" or module is None:
            continue
        for known_as, value in list(vars(module).items()):
            if isinstance(value, types.ModuleType) and (new := _instead(value)):
                setattr(module, known_as, new)
    made: Any = sys.modules.get("tf_slim.layers.layers")
    if made is not None and not hasattr(made.convolution, "of_any_rank"):
        made.convolution = _of_any_rank(made.convolution)
        _take_numpy_integers(made, sys.modules["tf_slim.layers.utils"])
        # the copy in tf_slim names this gradient, and does not register it
        _tf.RegisterGradient("GDNLowerBound")(made.GDN._lower_bound_grad)
        changed = {
            made.convolution2d: _also_scoped(made.convolution2d),
            made.batch_norm: _unfused_up_to_1_3(made.batch_norm),
            **{each: _named_as_up_to_1_8(each) for each in (made.repeat, made.stack)},
        }
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == "tf_slim" and module is not None:
                for known_as, value in list(vars(module).items()):
                    if isinstance(value, types.FunctionType) and value in changed:
                        setattr(module, known_as, changed[value])
    _patch_resnets()
    _patch_cluster_scores()
