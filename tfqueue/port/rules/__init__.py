"""The rules: one file each, in a folder for what they are about.

`all_rules` imports every module of these folders, so a new rule is a new file. Its name is that of
its file, with what its folder stands for in front: `py2-division` is `python2/division.py`.

A rule's docstring is one line, and the address of the note that announced the change. Its
``find(module)`` changes the module's tree, and yields a finding for each place; ``WORDS`` are words
of which a file must hold one for the rule to be asked at all (none: it is always asked), and
``PYTHON2 = True`` keeps a rule to programs that were written for Python 2.

A rule that reads a name looks at its scope and at every use; where uses disagree it leaves the
program alone.

The folders are `tensorflow`, `numpy`, `python2` and `libraries`. Beside them: `engine` takes a tree through
the rules, `writer` makes text of it; `moved_names` and `call_forms` apply the rows of rules; `siblings`,
`arrays`, `session_values` and `opened_files` say what rules ask of a module; `session_boilerplate` is
`tfqueue port --managed`.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

_PREFIXES = {"libraries": "", "numpy": "np-", "python2": "py2-", "tensorflow": "tf-"}
"""For each folder of rules what the names of its rules begin with."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule.

    Attributes:
        name: Its name, as findings show it.
        find: Changes a module's tree, and yields a finding for each place.
        words: Words of which a file must hold one for the rule to be asked; none: it always is.
        python2: Whether it is for programs that were written for Python 2 only.
    """

    name: str
    find: Callable[[Module], Iterator[Finding]]
    words: tuple[str, ...]
    python2: bool


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Imports every rule.

    >>> "tf-imports" in [rule.name for rule in all_rules()]
    True
    """
    rules = []
    for folder, prefix in _PREFIXES.items():
        package = importlib.import_module(f"{__name__}.{folder}")
        for info in pkgutil.iter_modules(package.__path__):
            file = importlib.import_module(f"{package.__name__}.{info.name}")
            name = prefix + info.name.replace("_", "-")
            rules.append(Rule(name, file.find, file.WORDS, getattr(file, "PYTHON2", False)))
    # what Python 2 meant comes last: it looks at what the others have left
    return tuple(sorted(rules, key=lambda rule: (rule.name.startswith("py2-"), rule.name)))
