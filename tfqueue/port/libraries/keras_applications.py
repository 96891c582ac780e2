"""Functions of the modules below `keras.applications` that `tf_keras` has not. Translated programs import them from here."""

from __future__ import annotations

from typing import Any

from tfqueue.port.libraries import keras_1


def relu6(x: Any) -> Any:
    """Stands for ``keras.applications.mobilenet.relu6``."""
    import tfqueue.v1

    return tfqueue.v1.keras.backend.relu(x, max_value=6)


def identity_block(
    input_tensor: Any, kernel_size: Any, filters: tuple[int, int, int], stage: Any, block: str
) -> Any:
    """Stands for ``keras.applications.resnet50.identity_block``: three convolutions, and what they were given."""
    return _block(input_tensor, kernel_size, filters, f"{stage}{block}", 1, False)


def conv_block(
    input_tensor: Any,
    kernel_size: Any,
    filters: tuple[int, int, int],
    stage: Any,
    block: str,
    strides: Any = (2, 2),
) -> Any:
    """Stands for ``keras.applications.resnet50.conv_block``: a block of another size than what it is given."""
    return _block(input_tensor, kernel_size, filters, f"{stage}{block}", strides, True)


def _block(
    given: Any,
    kernel_size: Any,
    filters: tuple[int, int, int],
    name: str,
    strides: Any,
    is_resized: bool,
) -> Any:
    import tfqueue.v1

    layers = tfqueue.v1.keras.layers
    axis = 1 if tfqueue.v1.keras.backend.image_data_format() == "channels_first" else 3

    def branch(x: Any, place: str, channels: int, kernel: Any, steps: Any = 1) -> Any:
        part = f"{name}_branch{place}"
        conv = layers.Conv2D(channels, kernel, strides=steps, padding="same", name=f"res{part}")
        return keras_1.batch_normalization(axis=axis, name=f"bn{part}")(conv(x))

    x = layers.Activation("relu")(branch(given, "2a", filters[0], 1, strides))
    x = layers.Activation("relu")(branch(x, "2b", filters[1], kernel_size))
    x = branch(x, "2c", filters[2], 1)
    shortcut = branch(given, "1", filters[2], 1, strides) if is_resized else given
    return layers.Activation("relu")(layers.add([x, shortcut]))
