"""The names that the rules read are those that `tfqueue.port.py2` gives their old meaning."""

import pytest

from tfqueue.port.program import patterns, python2_library
from tfqueue.port.py2 import builtins, files, modules, regex, text

# Python 3.12 has it; where Python lacks it, no program can ask for it.
LATER = {"binomialvariate"}


def test_builtins_are_those_of_the_stand_ins():
    named = {*builtins.__all__, "file", "format", "open", "repr", "str"}
    assert named == python2_library.BUILTINS
    for name in named:
        assert any(name in vars(home) for home in (builtins, files, text)), name


@pytest.mark.parametrize("name", sorted(set(python2_library.CHANGED) - {"urllib"}))
def test_what_changed_in_a_module_is_what_its_stand_in_replaces(name):
    replaced = set(modules.CHANGED[name])
    assert replaced <= python2_library.CHANGED[name]
    assert python2_library.CHANGED[name] - replaced <= LATER


def test_patterns_are_those_of_the_stand_in():
    assert {*patterns.PATTERNS} < {*regex.__all__}
