"""Rules about what Python 2 meant by what Python 3 can parse, too: findings `py2-...`.

What Python 3 cannot parse (`print x`, `except A, e`, `<>`) is no rule here: the findings `py2-print`,
`py2-except`, `py2-raise`, `py2-exec`, `py2-operators`, `py2-numbers`, `py2-parameters` and `py2-tabs`
come from `tfqueue.port.source.python2_syntax`, and so do those findings `py2-text`, `py2-classes` and
`py2-names` that are about prefixes and escapes of strings, `__metaclass__`, and names such as `True`.

Each module is a rule (`*`).
"""
