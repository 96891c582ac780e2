"""The sentence about a name that is gone, and the errors that say it.

For a name below `tf.contrib` `tfqueue.v1._lazy_names` raises it: `attributes` where a row of `gone_contrib` has the
name, `missing` where only the ledger has it, and the `__getattr__` of a namespace of `tf` otherwise
(`tfqueue.v1`, `v1._namespace`, `v1.keras`). Of an `import` of one `v1._gone_imports` decides, for an argument mostly `v1._call_forms`.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Gone(NamedTuple):
    """One name that is not brought back."""

    old: str
    """Its dotted name, as the table that the row stands in says."""
    removed: str
    """The TensorFlow release that no longer had it; or another package with its release."""
    use: str
    """What to use."""


class GoneError(Exception):
    """A program asked for a name that is not brought back. Only here is the sentence made.

    Args:
        name: The name as the program writes it, such as `"tf.contrib.lite"`.
        removed: The release without it, as in `Gone`.
        use: What to use.

    Attributes:
        gone: A `Gone` row of the three.

    >>> print(GoneError("tf.contrib.lite", "2.0", "tf.lite"))
    tf.contrib.lite is gone since TensorFlow 2.0: tf.lite
    """

    def __init__(self, name: str, removed: str, use: str) -> None:
        self.gone = Gone(name, removed, use)
        since = f"TensorFlow {removed}" if removed[:1].isdigit() else removed
        super().__init__(f"{name} is gone since {since}: {use}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self.gone)


class GoneAttributeError(GoneError, AttributeError):
    """The program read the name as an attribute."""


class GoneImportError(GoneError, ModuleNotFoundError):
    """The program imported the name.

    `from package import name` turns an AttributeError into a text of Python's own; an ImportError
    keeps the sentence.
    """


class GoneUseError(GoneError, NotImplementedError):
    """The program used what it had imported by the name."""


class GoneArgumentError(GoneError, TypeError, NotImplementedError):
    """The program gave an argument that is not brought back."""
