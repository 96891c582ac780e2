"""The rules, one file each, found by themselves.

A rule's docstring is one line, and the address of the note that announced the change. There are
two kinds.

* Python 2 (``py2_*.py``): ``FIXERS``, the fixers of lib2to3 that make up the rule, and
  ``MESSAGE``; or ``visit(tree)``, which changes a lib2to3 tree and yields findings.
* All others: ``WORDS``, of which a file must hold one for the rule to be asked at all, and
  ``find(module)``, which yields findings with the edits that repair them. It sees Python 3.
  ``PYTHON2 = True`` keeps a rule to programs that were written for Python 2.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import types


@functools.cache
def all_rules() -> tuple[types.ModuleType, ...]:
    """Imports every rule and gives it its name.

    >>> "tf-imports" in [rule.NAME for rule in all_rules()]
    True
    """
    rules = []
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        rule = importlib.import_module(f"{__name__}.{info.name}")
        rule.NAME = info.name.replace("_", "-")
        rules.append(rule)
    return tuple(rules)


@functools.cache
def python2_rules() -> tuple[types.ModuleType, ...]:
    """The rules that read Python 2."""
    return tuple(r for r in all_rules() if hasattr(r, "FIXERS") or hasattr(r, "visit"))


@functools.cache
def rules() -> tuple[types.ModuleType, ...]:
    """The rules that read Python 3."""
    return tuple(r for r in all_rules() if hasattr(r, "find"))
