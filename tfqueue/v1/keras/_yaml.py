"""Models as YAML, which the package keras wrote up to 2.3 and `tf.keras` up to TensorFlow 2.5. It needs PyYAML."""

from __future__ import annotations

import importlib
import json
from typing import Any


def install(keras: Any) -> None:
    """Gives models `to_yaml`, and `keras.models` what reads it.

    Args:
        keras: The module of Keras 2.
    """
    importlib.import_module("tf_keras.src.engine.training").Model.to_yaml = _to_yaml
    keras.models.model_from_yaml = _model_from_yaml


def _yaml() -> Any:
    try:
        return importlib.import_module("yaml")
    except ModuleNotFoundError as error:
        if error.name != "yaml":
            raise
        raise ImportError(
            "models are written to YAML by PyYAML, which is not installed: pip install pyyaml"
        ) from None


def _to_yaml(self: Any, **kwargs: Any) -> Any:
    """The configuration of a model as YAML, without its weights (`tf.keras.Model.to_yaml`).

    Args:
        **kwargs: Arguments of `yaml.dump`.
    """
    return _yaml().dump(json.loads(self.to_json()), **kwargs)


def _model_from_yaml(yaml_string: Any, custom_objects: Any = None) -> Any:
    """A model of the configuration that `to_yaml` wrote, also up to 1.15 (`tf.keras.models.model_from_yaml`).

    Nothing in it is executed.

    Args:
        yaml_string: The text, or an open file.
        custom_objects: Dict from a name to a class or function of the program's own.
    """
    yaml = _yaml()

    class Loader(yaml.SafeLoader):
        """Reads tuples and texts of Python 2, too."""

    for tag, read in (("tuple", "sequence"), ("unicode", "scalar"), ("str", "scalar")):
        construct = getattr(Loader, f"construct_{read}")
        Loader.add_constructor(f"tag:yaml.org,2002:python/{tag}", construct)
    config = yaml.load(yaml_string, Loader=Loader)
    deserialize = importlib.import_module("tf_keras.src.layers.serialization").deserialize
    return deserialize(config, custom_objects=custom_objects)
