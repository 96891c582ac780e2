"""`tf.contrib.training.HParams`: hyperparameters with names, types and a text form."""

import json
import numbers
import re
from typing import Any

from tfqueue.names.sentence import GoneArgumentError

__all__ = ["HParams", "parse_values"]

_ASSIGNMENT = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
    r"(?:\[(?P<items>[^\]]*)\]|(?P<item>[^,\[]*))(?:$|,\s*)"
)
_TRUTH = {"true": True, "True": True, "false": False, "False": False}


def _parsed(name: str, kind: type, text: str, values: Any) -> Any:
    """One value from its text."""
    text = text.strip() if kind is not str else text
    try:
        if kind is bool:
            return _TRUTH[text] if text in _TRUTH else bool(int(text))
        return kind(text)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam {name!r} of type {kind.__name__!r} with value {text!r} "
            f"in {values}"
        ) from None


def parse_values(values: Any, type_map: Any, ignore_unknown: bool = False) -> Any:
    """Reads assignments such as `a=1,b=[0.5,0.7],c[1]=x` (`tf.contrib.training.parse_values`).

    Args:
        values: The text.
        type_map: Dict from name to `int`, `float`, `str` or `bool`.
        ignore_unknown: Whether names that are not in `type_map` are ignored.

    Returns:
        A dict from name to a value, a list, or a dict from index to value.

    Raises:
        ValueError: If the text makes no sense, or a name is given twice.

    >>> parse_values("a=1,b[0]=2.5,c=[x,y]", {"a": int, "b": float, "c": str})
    {'a': 1, 'b': {0: 2.5}, 'c': ['x', 'y']}
    """
    found: dict[str, Any] = {}
    position = 0
    while position < len(values):
        match = _ASSIGNMENT.match(values, position)
        if not match:
            raise ValueError(f"Malformed hyperparameter value: {values[position:]}")
        position = match.end()
        name, index, items = match["name"], match["index"], match["items"]
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError(f"Unknown hyperparameter type for {name}")
        kind = type_map[name]
        taken = found.get(name)
        if index is not None:
            if items is not None:
                raise ValueError(f"Assignment of a list to a list index in {values}")
            if name in found and (not isinstance(taken, dict) or int(index) in taken):
                raise ValueError(f"Multiple assignments to variable '{name}[{index}]' in {values}")
            found.setdefault(name, {})[int(index)] = _parsed(name, kind, match["item"], values)
            continue
        if name in found:
            raise ValueError(f"Multiple assignments to variable {name!r} in {values}")
        if items is not None:
            found[name] = [
                _parsed(name, kind, item, values) for item in re.split("[ ,]", items) if item
            ]
        else:
            found[name] = _parsed(name, kind, match["item"], values)
    return found


def _cast(name: str, kind: type, value: Any) -> Any:
    """`value` as the type of the parameter, where nothing is lost by that."""
    wrong = ValueError(f"Could not cast hparam {name!r} of type '{kind}' from value {value!r}")
    if value is None or kind is type(None):
        return value
    if (kind is bool) != isinstance(value, bool):
        raise wrong
    if issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral):
        raise wrong
    if issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number):
        raise wrong
    if issubclass(kind, (str, bytes)) and not isinstance(value, (str, bytes)):
        raise wrong
    return value if isinstance(value, kind) else kind(value)


class HParams:
    """Named hyperparameters (`tf.contrib.training.HParams`).

    Each is an attribute, keeps the type it was made with, and can be set from
    text. A list is a parameter with several values of one type.

    Args:
        hparam_def: Not brought back: the protocol buffer is gone. Use `to_json`.
        model_structure: Anything to keep with the parameters.
        **kwargs: Names and values.

    Raises:
        ValueError: If a name is taken, or a list is empty.

    >>> settings = HParams(rate=0.1, layers=[64, 32])
    >>> settings.parse("rate=0.5,layers=[16]")
    HParams([('layers', [16]), ('rate', 0.5)])
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        if hparam_def is not None:
            raise GoneArgumentError(
                "HParams(hparam_def=...)",
                "2.0",
                "make it of values, HParams(**values), and keep them with to_json()",
            )
        # subclasses of programs know it by TensorFlow's name
        self._hparam_types: dict[str, Any] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a parameter.

        Args:
            value: A value, or a list of values of one type.

        Raises:
            ValueError: If the name is taken, or the list is empty.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        several = isinstance(value, (list, tuple))
        if several and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0]) if several else type(value), several)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets a parameter, whose type stays.

        Args:
            value: The new value, or list.

        Raises:
            KeyError: If there is none of that name.
            ValueError: If the value is of another type.
        """
        kind, several = self._hparam_types[name]
        if isinstance(value, list) and not several:
            raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
        if several and not isinstance(value, list):
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        if several:
            setattr(self, name, [_cast(name, kind, item) for item in value])
        else:
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name: str) -> None:
        """Removes a parameter, if it is there."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: Any) -> Any:
        """Sets parameters from text such as `"rate=0.5,layers=[16]"`.

        Args:
            values: The text.

        Returns:
            This object.

        Raises:
            ValueError: If the text makes no sense, or names what is not there.
        """
        kinds = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, kinds))

    def override_from_dict(self, values_dict: Any) -> Any:
        """Sets parameters from a dict; gives this object."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Any) -> Any:
        """`override_from_dict` under its first name."""
        return self.override_from_dict(values_map)

    def parse_json(self, values_json: str) -> Any:
        """Sets parameters from the text of a JSON object; gives this object."""
        return self.override_from_dict(json.loads(values_json))

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """All parameters as the text of a JSON object; functions are left out.

        Args:
            indent: As for `json.dumps`.
            separators: As for `json.dumps`.
            sort_keys: As for `json.dumps`.
        """
        values = {name: value for name, value in self.values().items() if not callable(value)}
        return json.dumps(values, indent=indent, separators=separators, sort_keys=sort_keys)

    def set_model_structure(self, model_structure: Any) -> None:
        """Stores any object with the parameters."""
        self._model_structure = model_structure

    def get_model_structure(self) -> Any:
        """What `set_model_structure` was given."""
        return self._model_structure

    def values(self) -> Any:
        """A dict of all parameters."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a parameter, or a default of its type where it is not there.

        Args:
            key: Its name.
            default: The value otherwise.

        Raises:
            ValueError: If the parameter is there and the default is of another type.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, several = self._hparam_types[key]
            wrong = f"Hparam {key!r} of type '{kind}' is incompatible with default={default}"
            if several != isinstance(default, list):
                raise ValueError(wrong)
            try:
                for item in default if several else [default]:
                    _cast(key, kind, item)
            except ValueError as error:
                raise ValueError(f"{wrong}. {error}") from None
        return getattr(self, key)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in sorted(self.values().items()))

    def __repr__(self) -> str:
        return f"HParams({sorted(self.values().items())})"
