# ruff: noqa: UP004, UP010, UP020, UP025, UP031
"""Writes down the names of the TensorFlow that is installed, as JSON on a file.

Run by `make.py` on the Python of each release (2.7, 3.6 and 3.7), so it uses only what these have.

    python record_names.py OUT.json

The JSON is `{"names": {dotted name below tf: [kind, signature]}, "exports": {module: [names]}}`. A
kind is one of `module`, `function`, `class`, `message`, `method`, `property` and `constant`. A
signature is `"x, name=None, *args, **kwargs"` in one string, without `self`; None where Python
cannot tell it. A default that is no plain value is written `...`.
"""

from __future__ import absolute_import, division, print_function

import functools
import importlib
import inspect
import io
import json
import os
import pkgutil
import sys
import types
import warnings

SKIPPED = {
    "compat.v1", "compat.v2", "contrib.keras.api",  # the same once more
    "compiler", "core", "platform", "python", "resources", "tensorboard", "tools",  # the implementation
}  # fmt: skip
"""Names below `tf` that are not its interface."""
CLOSED = {"pywrap_tensorflow", "sdca", "user_ops"}
"""Modules below `tf` whose inner names are the implementation's."""
NESTED = {"nn.rnn_cell", "nn.seq2seq"}
"""The modules in `tf.nn`, which up to 0.12 showed what it had imported for itself, too."""
ASIDE = {"cmake", "examples", "kernel_tests", "main", "setup", "testdata", "tools"}
"""Parts of the names of modules that are programs, or belong to tests."""
HOMES = {"tensorflow", "tensorflow_estimator", "absl", "google", "numpy", "functools",
         "keras_applications", "keras_preprocessing"}  # fmt: skip
"""Packages whose functions and classes are the interface's."""
LEAKED = {"partial", "reduce", "wraps", "tf_decorator", "tf_stack", "tf_export"}
WRAPPERS = {"absolute_import", "division", "print_function", "unicode_literals"}
PLAIN = (type(None), bool, int, float, str, type(u""))
INFINITE = float("inf")
MODULES = ("TFModuleWrapper", "DeprecationWrapper", "LazyLoader", "_LazyLoader")


def is_module(value):
    """Whether a value is a module, or one of TensorFlow's wrappers of one."""
    return isinstance(value, types.ModuleType) or type(value).__name__ in MODULES


def is_foreign(value):
    """Whether a function or class is one of another library, imported by the way (`xrange`)."""
    home = getattr(value, "__module__", None) if callable(value) else None
    return bool(home) and home.split(".")[0] not in HOMES and not isinstance(value, PLAIN)


def unwrapped(function):
    """The function that decorators stand before, as far as it can be found.

    Python 2 keeps no `__wrapped__`; there the decorated function is the one in the wrapper's closure
    that has its name.
    """
    for _ in range(20):
        inner = getattr(function, "__wrapped__", None)
        decorator = getattr(function, "_tf_decorator", None)
        if decorator is not None:
            inner = decorator.decorated_target
        if inner is None:
            inner = in_closure(function)
        if inner is None or inner is function:
            return function
        function = inner
    return function


def in_closure(function):
    """The function of the same name that a wrapper with `*args, **kwargs` alone closes over."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount or not (code.co_flags & 0x04 and code.co_flags & 0x08):
        return None
    for cell in getattr(function, "__closure__", None) or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        if inspect.isfunction(value) and value.__name__ == function.__name__:
            return value
    return None


def default_text(value):
    """A default as it is written in a signature."""
    if type(value) in PLAIN and value == value and value not in (INFINITE, -INFINITE):
        text = repr(value)
        text = text[1:] if text[0] == "u" else text
        return text if len(text) < 40 and not set(text) & set(",=()*\n\t") else "..."
    return "..."


def signature(function, bound=False):
    """The arguments of a function as one string, or None.

    Args:
        function: A function or method.
        bound: Whether the first argument is `self` or `cls`, to be left out.
    """
    function = unwrapped(getattr(function, "__func__", function))
    if isinstance(function, functools.partial):
        inner = signature(function.func)
        return inner and ", ".join(inner.split(", ")[len(function.args) :])
    if not inspect.isfunction(function):
        return None
    if hasattr(inspect, "getfullargspec"):
        spec = inspect.getfullargspec(function)
        rest, only, only_defaults = spec.varkw, spec.kwonlyargs, spec.kwonlydefaults or {}
    else:
        spec = inspect.getargspec(function)
        rest, only, only_defaults = spec.keywords, [], {}
    given = list(spec.defaults or ())
    words = [
        name if place < 0 else "%s=%s" % (name, default_text(given[place]))
        for place, name in enumerate(spec.args, len(given) - len(spec.args))
    ][1 if bound else 0 :]
    if spec.varargs:
        words.append("*" + spec.varargs)
    elif only:
        words.append("*")
    for name in only:
        text = "=" + default_text(only_defaults[name]) if name in only_defaults else ""
        words.append(name + text)
    if rest:
        words.append("**" + rest)
    return ", ".join(words)


def construction(cls):
    """The arguments that an object of a class is made with, or None."""
    for name in ("__init__", "__new__"):
        found = getattr(cls, name, None)
        text = None if found is None else signature(found, bound=True)
        if text is not None:
            return text
    return None


def record_class(cls, name, names):
    """Adds a class and its public methods and properties to `names`."""
    message = hasattr(cls, "DESCRIPTOR") and hasattr(cls, "SerializeToString")
    names[name] = ["message", None] if message else ["class", construction(cls)]
    if message:
        return
    raw = {}
    for base in reversed(inspect.getmro(cls)):
        if base.__module__.startswith("tensorflow"):
            raw.update(vars(base))
    for member in sorted(raw):
        if member.startswith("_"):
            continue
        value = raw[member]
        inner = name + "." + member
        if isinstance(value, property):
            names[inner] = ["property", None]
        elif isinstance(value, staticmethod):
            names[inner] = ["method", signature(value.__func__)]
        elif isinstance(value, classmethod) or callable(value):
            names[inner] = ["method", signature(value, bound=True)]
        else:
            names[inner] = ["constant", None]


def is_inner(module, path, parent):
    """Whether a module below `tf` is a namespace of the interface, whose names are public, too.

    Up to 1.0, and in contrib later, modules show others that they only imported for themselves.
    These are found under their own names.

    Args:
        module: The module.
        path: The parts of the name that it is found under, below `tf`.
        parent: The `__name__` of the module that it is an attribute of.
    """
    name = getattr(module, "__name__", "") or ""
    if len(path) > 6 or path[0] in CLOSED:
        return False
    if path[0] == "contrib" and len(path) > 3:
        return name.startswith(parent + ".")
    if path[0] == "contrib" and len(path) > 2:
        return name.startswith("tensorflow.contrib." + path[1]) or path[-1] == "nest"
    return path[0] != "nn" or len(path) == 1 or ".".join(path) in NESTED


def record_public(module, path, stack, names):
    """Adds the public names of a module, and of the modules in it, to `names`."""
    for name in sorted(set(dir(module))):
        inner = path + [name]
        dotted = ".".join(inner)
        hidden = name.startswith("_") or name in WRAPPERS or name.endswith("_pb2") or name in LEAKED
        if hidden or dotted in SKIPPED or (path[:1] == ["contrib"] and name == "python"):
            continue
        try:
            value = getattr(module, name)
        except Exception as error:  # noqa: BLE001  (a lazy module that misses a library)
            print("left out:", dotted, repr(error)[:100], file=sys.stderr)
            continue
        if is_module(value):
            real = getattr(value, "__name__", None) or ""
            if real.startswith("tensorflow") and real not in stack:
                goes_into = is_inner(value, inner, stack[-1] if stack else "tensorflow")
                if goes_into or inner[0] in CLOSED or inner[0] == "contrib":
                    names[dotted] = ["module", None]
                if goes_into:
                    record_public(value, inner, stack + [real], names)
        elif is_foreign(value):
            continue
        elif inspect.isclass(value):
            record_class(value, dotted, names)
        elif callable(value) and (hasattr(value, "__name__") or hasattr(value, "func")):
            text = signature(value)
            keywords_only = text and dotted.startswith("raw_ops.")
            names[dotted] = ["function", "*, " + text if keywords_only else text]
        else:
            names[dotted] = ["constant", None]


def record_exports(root):
    """The modules below `tensorflow.python` and `tensorflow.contrib`, with the names in them."""
    exports = {}
    for package in ("tensorflow.python", "tensorflow.contrib"):
        found = importlib.import_module(package)
        exports[package] = exported(found)
        for _, name, _ in pkgutil.walk_packages(
            found.__path__, package + ".", onerror=lambda name: None
        ):
            parts = name.split(".")
            if parts[-1].startswith("_") or parts[-1].endswith(("_test", "_pb2")):
                continue
            if set(parts) & ASIDE:
                continue
            try:
                exports[name] = exported(importlib.import_module(name))
            except BaseException as error:  # noqa: BLE001  (a module that needs what is missing)
                print("left out:", name, repr(error)[:100], file=sys.stderr)
    return exports


def exported(module):
    """The names of a module: public ones, and functions and classes of its own with an underscore."""
    found = []
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        private = name.startswith("_") and (name.startswith("__") or not own or not callable(value))
        if not private and name not in WRAPPERS:
            found.append(name)
    return sorted(found)


def main():
    """Records the installed TensorFlow in the file that the command line names."""
    warnings.simplefilter("ignore")
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    tf = importlib.import_module("tensorflow")
    importlib.import_module("tensorflow.contrib")
    names = {}
    record_public(tf, [], [], names)
    told = {"names": names, "exports": record_exports(tf)}
    with io.open(sys.argv[1], "w", encoding="utf-8") as out:
        text = json.dumps(told, sort_keys=True, indent=0)
        out.write(text if isinstance(text, type(u"")) else text.decode("utf-8"))
    print(tf.__version__, len(names), "names,", len(told["exports"]), "modules")


if __name__ == "__main__":
    main()
