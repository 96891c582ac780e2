"""Programs of Python 2, and the lines that stand for them where they are read again."""

import ast

ROWS = [
    (
        (
            "if a: x = 7 / 2\n"
            "elif b: x = 9 / 2\n"
            "elif c:\n"
            "    x = 5 / 2\n"
            "else:\n"
            "    # none\n"
            "    x = 3 / 2\n"
        ),
        (
            "if a: x = 7 // 2\n"
            "elif b: x = 9 // 2\n"
            "elif c:\n"
            "    x = 5 // 2\n"
            "\n"
            "else:\n"
            "    x = 3 // 2\n"
        ),
    ),
    (
        ("if a:\n    x = 7 / 2\nelse:\n    if b:\n        x = 9 / 2\n    y = 1\n"),
        ("if a:\n    x = 7 // 2\nelse:\n    if b:\n        x = 9 // 2\n    y = 1\n"),
    ),
    (
        ("if a:\n    x = 7 / 2\nelse:\n    for i in b:\n        x = 9 / 2\n"),
        ("if a:\n    x = 7 // 2\nelse:\n    for i in b:\n        x = 9 // 2\n"),
    ),
    (
        ("if a: x = 7 / 2\nelse: x = 9 / 2\n"),
        ("if a: x = 7 // 2\nelse: x = 9 // 2\n"),
    ),
    (
        ("if a:\n    x = 1\nelif 7 / 2:\n    y = 2\n"),
        ("if a:\n    x = 1\nelif 7 // 2:\n    y = 2\n"),
    ),
    (
        ("for i in x / 2:\n\ty = 7 / 2\nelse:\n\tz = 9 / 2\n"),
        (
            "for i in div(x, 2):\n"
            "\ty = 7 // 2\n"
            "else:\n"
            "\tz = 9 // 2\n"
            "from tfqueue.port.py2 import div\n"
        ),
    ),
    (
        ("while 7 / 2: x = 1; y = 9 / 2\n"),
        ("while 7 // 2: x = 1; y = 9 // 2\n"),
    ),
    (
        (
            "try:\n"
            "    x = 7 / 2\n"
            "except E, e: y = 9 / 2\n"
            "else: z = 5 / 2\n"
            "finally:\n"
            "\n"
            "    w = 3 / 2\n"
        ),
        (
            "try:\n"
            "    x = 7 // 2\n"
            "except E as e: y = 9 // 2\n"
            "else: z = 5 // 2\n"
            "\n"
            "finally:\n"
            "    w = 3 // 2\n"
        ),
    ),
    (
        ("with a as b:\n   x = 7 / 2\n   def f(y): return y * (9 / 2)\n"),
        ("with a as b:\n   x = 7 // 2\n   def f(y): return y * (9 // 2)\n"),
    ),
    (
        ("class A:\n  '''Doc.'''\n  x = 7 / 2\n\n  @p\n  def f(self):\n    print 1\n"),
        (
            "class A:\n"
            "  '''Doc.'''\n"
            "  x = 7 // 2\n"
            "\n"
            "  @p\n"
            "  def f(self):\n"
            "    print(1)\n"
            "from tfqueue.port.py2 import print_statement as print\n"
        ),
    ),
    (
        ("import b\nx = 7 / 2; y = 9 / 2\nprint x; z = (\n    5 / 2)\n"),
        (
            "from tfqueue.port.py2 import print_statement as print; import b\n"
            "x = 7 // 2; y = 9 // 2\n"
            "print(x); z = 5 // 2\n"
            "\n"
        ),
    ),
    (
        ("from b import c\nx = c / 2\nprint x\n"),
        (
            "from tfqueue.port.py2 import div, print_statement as print; from b import c\n"
            "x = div(c, 2)\n"
            "print(x)\n"
        ),
    ),
    (
        ("'''Doc.'''\nfrom __future__ import print_function\nx = 7 / 2\n"),
        ("'''Doc.'''\nfrom __future__ import print_function\nx = 7 // 2\n"),
    ),
    (
        ("def f():\n    return 7 / 2\n"),
        ("def f():\n    return 7 // 2\n"),
    ),
    (
        ("def f(a, (b, c)): return 7 / 2\n"),
        (
            "def f(a, xxx_todo_changeme): "
            + ast.unparse(ast.parse("b, c = xxx_todo_changeme"))  # Python 3.10 has parentheses
            + "; return 7 // 2\n"
        ),
    ),
    (
        ("x = lambda (a, b): a / 2, (lambda c:\n    7 / 2)\n"),
        (
            "from tfqueue.port.py2 import div; x = (lambda tfq_1: (lambda a, b: div(a, 2))(*tfq_1), lambda c: 7 // 2)\n"
            "\n"
        ),
    ),
    (
        ("x = f(lambda a: a,\n      lambda b: 7 / 2)\n"),
        ("x = f((lambda a: a), \\\n(lambda b: 7 // 2))\n"),
    ),
    (
        ("# one\n\n  \nx = 7 / 2\n# two\n\n"),
        ("# one\n\n  \nx = 7 // 2\n# two\n\n"),
    ),
    (
        ("print '''a\nb''', 7 / 2\ny = 9 / 2\n"),
        (
            "from tfqueue.port.py2 import print_statement as print; print('a\\nb', 7 // 2)\n"
            "\n"
            "y = 9 // 2\n"
        ),
    ),
    (
        ("def f(): print 1; print 2\ndef g():\n    print 3; print 4\n"),
        (
            "def f(): print(1); print(2)\n"
            "def g():\n"
            "    print(3); print(4)\n"
            "from tfqueue.port.py2 import print_statement as print\n"
        ),
    ),
    (
        ("@p\n@q(7 / 2)\ndef f():\n\n    print 1\n"),
        (
            "@p\n"
            "@q(7 // 2)\n"
            "def f():\n"
            "\n"
            "    print(1)\n"
            "from tfqueue.port.py2 import print_statement as print\n"
        ),
    ),
    (
        ("if a:\n    pass\nx = 7 / 2\nif b: print 1\n"),
        (
            "if a:\n"
            "    pass\n"
            "x = 7 // 2\n"
            "if b: print(1)\n"
            "from tfqueue.port.py2 import print_statement as print\n"
        ),
    ),
]
