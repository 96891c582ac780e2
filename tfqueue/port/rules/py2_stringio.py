"""`StringIO.StringIO` held bytes or text; Python 3 has one class for each.

https://docs.python.org/3/library/io.html
"""

WORDS = ("StringIO",)
PYTHON2 = True


def find(module):
    """Finds `StringIO(data)`, where only the data tells which is meant."""
    for call, dotted in module.calls:
        if dotted == "io.StringIO" and len(call.args) == 1 and not call.keywords:
            yield module.finding(
                call,
                "StringIO of Python 2 held bytes too: left to run time",
                [module.replace(call.func, "tfq_runtime.string_io")],
                needs=("string_io",),
            )
