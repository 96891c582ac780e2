"""Flags in the middle of a pattern. What is found was printed by Python 3.6."""

import re
import sys

import pytest

from tests.suite import children
from tfqueue.port.libraries import re_flags

PROGRAM = r"""
import re
import tensorflow as tf
TITLES = [r'(?i)mr\.?', r'(?i)dr\.?']
p = re.compile('|'.join(TITLES) + '|q')
print(p.pattern, p.flags, p.findall('MR. DrQ q'))
print(re.findall(r'x\(?i\)(?i)y', 'x(i)Y xi)y'), re.sub(b'a(?i)b', b'_', b'AB ab'), re.findall('a b(?x) # c', 'ab'))
for wrong in ('a(?L)b', 'a(?i'):
    try:
        re.compile(wrong)
    except re.error as error:
        print(str(error).split(' at ')[0])
"""
SHOWN = r"""(?i)mr\.?|(?i)dr\.?|q 34 ['MR.', 'Dr', 'Q', 'q']
['x(i)Y', 'xi)y'] b'_ _' ['ab']
bad inline flags: cannot use 'L' flag with a str pattern
missing -, : or )
"""


def test_they_hold_for_the_whole_pattern(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.stdout == SHOWN, done.stderr


def test_where_none_stand():
    with pytest.raises(ValueError, match="no flags stand at 1"):
        re_flags.in_front("ab", 1)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="up to Python 3.10 they may stand anywhere")
def test_other_programs_are_refused_as_before():
    done = children.run(["-c", "import re; re.compile('a(?i)b')"])
    assert "global flags not at the start" in done.stderr
    assert re.compile("(?i)b").match("B")
