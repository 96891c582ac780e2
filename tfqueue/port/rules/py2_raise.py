"""`raise Error, message` becomes a call, and so does `generator.throw`.

https://docs.python.org/3/whatsnew/3.0.html#changed-syntax
"""

FIXERS = ("raise", "throw")
MESSAGE = "an exception is raised by calling its class"
