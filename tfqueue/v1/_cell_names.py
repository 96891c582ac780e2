"""What variables of cells, and the scopes that they are in, were called up to 0.12, and in 1.0 and 1.1.

Checkpoints of then have these names, and programs look for them: `"Bias" in variable.name`.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tfqueue import _tensorflow, release

_tf = _tensorflow.compat_v1()

_NAMES_OF_1_0 = {"kernel": "weights", "bias": "biases", "recurrent_kernel": "recurrent_weights"}
_NAMES_OF_0_12 = {"kernel": "Matrix", "bias": "Bias"}


def last_name(name: str) -> str:
    """What `kernel` and `bias` of a cell are called in the program's release, in their scope."""
    if not release.before("1.2"):
        return name
    return (_NAMES_OF_0_12 if release.before("1.0") else _NAMES_OF_1_0).get(name, name)


def variable_name(name: str, of_0_12: Mapping[str, str] | None = None) -> str:
    """What a variable of a cell is called in the program's release.

    Args:
        name: Its name since 1.2, such as `"gates/kernel"`.
        of_0_12: The names of up to 0.12 that are no `Linear/Matrix` or `Linear/Bias`, by today's.

    >>> variable_name("gates/kernel")
    'gates/kernel'
    >>> former = release.assume("0.12")
    >>> variable_name("gates/kernel"), variable_name("bias", {"bias": "B"})
    ('Gates/Linear/Matrix', 'B')
    >>> _ = release.assume(former)
    """
    scope, slash, last = name.rpartition("/")
    if not release.before("1.0"):
        return f"{scope}{slash}{last_name(last)}"
    if of_0_12 and name in of_0_12:
        return of_0_12[name]
    linear = "Linear/" if last in _NAMES_OF_0_12 else ""
    return f"{cased(scope)}{slash}{linear}{last_name(last)}"


def cased(name: str) -> str:
    """The name of a scope or variable of 1.0, as up to 0.12 where the program is from then.

    >>> cased("attn_output_projection")
    'attn_output_projection'
    >>> former = release.assume("0.12")
    >>> cased("attn_output_projection")
    'AttnOutputProjection'
    >>> _ = release.assume(former)
    """
    if not release.before("1.0"):
        return name
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


@contextlib.contextmanager
def renamed_below(scopes: str, new: Callable[[str], str]) -> Iterator[Any]:
    """Gives the variables of scopes below the current one the names that these scopes had.

    Args:
        scopes: A regular expression for the last part of the scopes' names today.
        new: Gives the name for that part.

    Yields:
        The current variable scope, to be entered.
    """
    here = _tf.get_variable_scope()
    above = f"{here.name}/" if here.name else ""
    below = re.compile(f"{re.escape(above)}({scopes})/")

    def renamed(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        found = below.match(name)
        if found:
            name = f"{above}{new(found[1])}{name[found.end(1) :]}"
        return getter(name, *args, **kwargs)

    with _tf.variable_scope(here, custom_getter=renamed, auxiliary_name_scope=False) as within:
        yield within
