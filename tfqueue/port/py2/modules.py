"""Modules of Python 2's standard library, under their old names and with their old contents.

``import cPickle`` becomes ``from tfqueue.port.py2.modules import cPickle``. Each is made when it is
asked for: what changed is a row or a function here, all else is looked up in today's modules.
"""

from __future__ import annotations

import builtins
import bz2
import functools
import gzip
import importlib
import io
import itertools
import math
import operator
import random
import re
import string
import subprocess
import sys
import types
import zipfile
from collections.abc import Callable
from typing import Any

from tfqueue.port.program.python2_library import CHANGED as PYTHON2_CHANGED
from tfqueue.port.program.python2_library import MODULES as HOMES
from tfqueue.port.py2 import builtins as py2_builtins
from tfqueue.port.py2 import files, operators, regex
from tfqueue.port.py2.text import encoded, text, unicode
from tfqueue.port.py2.wrapping import wrapped


def _izip_fill(*values: Any, fillvalue: Any = None) -> Any:
    return itertools.zip_longest(*values, fillvalue=fillvalue)


def _imap(function: Callable[..., Any] | None, *values: Any) -> Any:
    return builtins.map(function, *values) if function else zip(*values, strict=False)


def _float(function: Callable[[Any], Any]) -> Callable[[Any], float]:
    @functools.wraps(function)
    def rounded(value: Any) -> float:
        number = float(value)
        return math.copysign(float(function(value)), number) if math.isfinite(number) else number

    return rounded


def _joined(words: Any, between: str = " ") -> str:
    return between.join(words)


def _split(value: str, between: str | None = None, most: int = -1) -> list[str]:
    return value.split(between, most)


def _maketrans(old: Any, new: Any) -> Any:
    return str.maketrans(old, new) if isinstance(old, str) else bytes.maketrans(old, new)


def _method(name: str) -> Callable[..., Any]:
    return lambda value, *args: getattr(value, name)(*args)


_STRING_METHODS = (
    *("capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower", "lstrip"),
    *("replace", "rfind", "rindex", "rjust", "rstrip", "strip", "swapcase", "upper"),
)


class Random(random.Random):
    """Python 2's choices from the same random numbers: a seed gives the order that it gave.

    >>> source = Random(1)
    >>> found = list(range(5)); source.shuffle(found); found, source.choice("abc")
    ([1, 4, 2, 3, 0], 'b')
    """

    def seed(self, a: Any = None, version: int = 1) -> None:
        """Text is hashed as Python 2 hashed it."""
        if a is None or isinstance(a, int):
            super().seed(a)
        else:
            super().seed(py2_builtins.hash(a) % 2**64)

    def gammavariate(self, alpha: float, beta: float) -> float:
        """The gamma distribution."""
        if alpha != 1.0 or beta <= 0.0:
            return super().gammavariate(alpha, beta)
        drawn = self.random()
        while drawn <= 1e-7:
            drawn = self.random()
        return -math.log(drawn) * beta

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A whole number below `stop`."""
        if int(start) != start or (stop is not None and int(stop) != stop):
            raise ValueError("non-integer arg 1 for randrange()")
        if stop is None:
            start, stop = 0, start
        found = range(int(start), int(stop), int(step))
        if not found:
            raise ValueError("empty range for randrange()")
        count = (found[-1] - found[0]) // found.step + 1
        if count >= 2**53:
            return int(start) + int(step) * self._large(count)
        return int(start) + int(step) * int(self.random() * count)

    def _large(self, count: int) -> int:
        """A whole number below one that a float cannot hold."""
        bits = int(1.00001 + math.log(count - 1, 2))
        while (drawn := self.getrandbits(bits)) >= count:
            pass
        return drawn

    def randint(self, a: int, b: int) -> int:
        """A whole number from `a` to `b`."""
        return self.randrange(a, b + 1)

    def choice(self, seq: Any) -> Any:
        """One element."""
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x: Any, random: Callable[[], float] | None = None) -> None:
        """Shuffles in place."""
        draw = random or self.random
        for i in reversed(range(1, len(x))):
            j = int(draw() * (i + 1))
            x[i], x[j] = x[j], x[i]

    def sample(self, population: Any, k: int) -> list[Any]:
        """`k` elements, each once."""
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("sample larger than population")
        k = int(k)
        found = [None] * k
        size = 21
        if k > 5:
            size += 4 ** math.ceil(math.log(k * 3, 4))
        if n <= size or hasattr(population, "keys"):
            pool = list(population)
            for i in range(k):
                j = int(self.random() * (n - i))
                found[i] = pool[j]
                pool[j] = pool[n - i - 1]
            return found
        if isinstance(population, set | frozenset):
            return self.sample(tuple(population), k)
        chosen: set[int] = set()
        for i in range(k):
            j = int(self.random() * n)
            while j in chosen:
                j = int(self.random() * n)
            chosen.add(j)
            found[i] = population[j]
        return found


class StringIO:
    """A file in memory that holds text or bytes, as it is given.

    >>> StringIO(b"x").read(), StringIO("x").read()
    (b'x', 'x')
    >>> held = StringIO(); _ = held.write(b"bytes"); held.getvalue()
    b'bytes'
    """

    def __init__(self, value: Any = "") -> None:
        self._file = io.StringIO(value, "\n") if isinstance(value, str) else io.BytesIO(value)

    def write(self, data: Any) -> int:
        """Writes text or bytes."""
        if isinstance(self._file, io.BytesIO):
            return self._file.write(encoded(data))
        if not isinstance(data, str) and not self._file.getvalue():
            self._file = io.BytesIO()
            return self._file.write(data)
        return self._file.write(text(data))

    def writelines(self, lines: Any) -> None:
        """Writes several."""
        for line in lines:
            self.write(line)

    def next(self) -> Any:
        """The next line."""
        return next(self._file)

    __next__ = next

    def __iter__(self) -> Any:
        return iter(self._file)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Hash:
    """A hash object that takes text."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def update(self, data: Any) -> None:
        self._held.update(encoded(data))

    def copy(self) -> _Hash:
        return _Hash(self._held.copy())

    def digest(self) -> bytes:
        return wrapped(self._held.digest())

    def hexdigest(self) -> str:
        return self._held.hexdigest()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)


def _hash(name: str) -> Callable[..., Any]:
    def made(data: Any = b"", **words: Any) -> _Hash:
        import hashlib

        return _Hash(hashlib.new(name, encoded(data), **words))

    return made


def _new_hash(name: str, data: Any = b"") -> _Hash:
    return _hash(name)(data)


def _of_text(function: Callable[..., Any]) -> Callable[..., Any]:
    """Text in, text out; bytes in, bytes out."""

    @functools.wraps(function)
    def called(data: Any, *args: Any, **words: Any) -> Any:
        found = function(encoded(data), *args, **words)
        if isinstance(data, str) and isinstance(found, bytes):
            return found.decode("utf-8", "surrogateescape")
        return found

    return called


def _taking_text(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def called(data: Any, *args: Any, **words: Any) -> Any:
        return function(encoded(data), *args, **words)

    return called


def _taking_bytes(home: str, name: str) -> Callable[..., Any]:
    return lambda data, *args: wrapped(getattr(_today(home), name)(encoded(data), *args))


def _text_file(held: Any) -> Any:
    """What the csv module reads: lines of text."""
    if isinstance(held, files.BytesFile) or not isinstance(held, io.RawIOBase | io.BufferedIOBase):
        return held  # takes text as it is
    return io.TextIOWrapper(held, "utf-8", "surrogateescape", newline="", write_through=True)


def _csv(name: str) -> Callable[..., Any]:
    def made(held: Any, *args: Any, **words: Any) -> Any:
        import csv

        return getattr(csv, name)(_text_file(held), *args, **words)

    return made


def _binary(held: Any) -> Any:
    """What pickle reads and writes: bytes, of a file opened as text too."""
    return held.buffer if isinstance(held, io.TextIOWrapper) else files.bytes_of(held)


def _unpickler(held: Any, **words: Any) -> Any:
    """Reads text of Python 2, and bytes that were equal to a text as such again."""
    import pickle

    from tfqueue.port.py2.strings import ByteString

    class Unpickler(pickle.Unpickler):
        def find_class(self, module_name: str, global_name: str) -> Any:
            if global_name == "bytes" and module_name in ("__builtin__", "builtins"):
                return ByteString
            return super().find_class(module_name, global_name)

    return Unpickler(_binary(held), **{"encoding": "latin1", **words})


def _load(held: Any, **words: Any) -> Any:
    return _unpickler(held, **words).load()


def _loads(data: Any, **words: Any) -> Any:
    data = data.encode("latin1") if isinstance(data, str) else data
    return _unpickler(io.BytesIO(data), **words).load()


def _dump(value: Any, held: Any, protocol: int = 0) -> None:
    import pickle

    if isinstance(held, io.TextIOWrapper):
        held.flush()
    pickle.dump(value, _binary(held), 2 if protocol < 0 else min(protocol, 2))


def _dumps(value: Any, protocol: int = 0) -> bytes:
    import pickle

    return wrapped(pickle.dumps(value, 2 if protocol < 0 else min(protocol, 2)))


def _pickler(held: Any, *args: Any) -> Any:
    import pickle

    return pickle.Pickler(_binary(held), *args)


def _status(command: str) -> tuple[int, str]:
    done = subprocess.run(f"{{ {command}; }} 2>&1", shell=True, stdout=subprocess.PIPE, check=False)
    said = text(done.stdout)
    status = done.returncode << 8 if done.returncode >= 0 else -done.returncode
    return status, said[:-1] if said.endswith("\n") else said


def _b64(name: str) -> Callable[..., Any]:
    return lambda data, *args, **words: _of_text(getattr(_today("base64"), name))(
        data, *args, **words
    )


def _json(name: str) -> Callable[..., Any]:
    """Python 2 left a blank behind the comma at the end of a line."""

    def called(*args: Any, **words: Any) -> Any:
        if words.get("indent") is not None and words.get("separators") is None:
            words["separators"] = (", ", ": ")
        words.pop("encoding", None)
        return getattr(_today("json"), name)(*args, **words)

    return called


def _today(name: str) -> types.ModuleType:
    return importlib.import_module(name)


class _Classic(type):
    """Classes that were written without a base, and what is made of them."""

    def __instancecheck__(cls, value: Any) -> bool:
        kind = value if cls.__name__ == "ClassType" else type(value)
        return isinstance(kind, type) and getattr(kind, "tfq_classic", False) is True


_PICKLE = {
    "load": _load,
    "loads": _loads,
    "dump": _dump,
    "dumps": _dumps,
    "Pickler": _pickler,
    "Unpickler": _unpickler,
    "HIGHEST_PROTOCOL": 2,
}
_TYPES = {
    "BooleanType": bool,
    "ClassType": _Classic("ClassType", (), {}),
    "ComplexType": complex,
    "DictType": dict,
    "DictionaryType": dict,
    "FileType": files.file,
    "FloatType": float,
    "InstanceType": _Classic("InstanceType", (), {}),
    "IntType": int,
    "ListType": list,
    "LongType": int,
    "NoneType": type(None),
    "ObjectType": object,
    "SliceType": slice,
    "StringType": str,
    "StringTypes": (str, bytes),
    "TupleType": tuple,
    "TypeType": type,
    "UnboundMethodType": types.MethodType,
    "UnicodeType": str,
    "XRangeType": range,
}


class _GzipFile(gzip.GzipFile):
    def write(self, data: Any) -> int:
        return super().write(encoded(data))

    def __next__(self) -> Any:
        return wrapped(super().__next__())


class _BZ2File(bz2.BZ2File):
    def write(self, data: Any) -> int:
        return super().write(encoded(data))

    def __next__(self) -> Any:
        return wrapped(super().__next__())


class _ZipFile(zipfile.ZipFile):
    def read(self, *args: Any, **words: Any) -> Any:
        return wrapped(super().read(*args, **words))


class _Pipe(io.BufferedReader):
    """What a process writes.

    A file gives plain bytes: libraries that read it take their elements for numbers.
    """

    def read(self, *args: Any) -> Any:
        return wrapped(super().read(*args))

    def readline(self, *args: Any) -> Any:
        return wrapped(super().readline(*args))

    def readlines(self, *args: Any) -> Any:
        return wrapped(super().readlines(*args))

    def __next__(self) -> Any:
        return wrapped(super().__next__())


class _Popen(subprocess.Popen[Any]):
    """A process, which is written to at once unless a larger buffer is asked for."""

    def __init__(self, args: Any, bufsize: int = 0, *more: Any, **words: Any) -> None:
        at_once = bufsize in (0, 1)
        super().__init__(args, -1 if at_once else bufsize, *more, **words)
        for name in ("stdout", "stderr"):
            held = getattr(self, name)
            if isinstance(held, io.BufferedReader):
                setattr(self, name, _Pipe(held.detach()))
        if isinstance(self.stdin, io.BufferedWriter):
            self.stdin = files.BytesFile(self.stdin.detach())
            self.stdin.unbuffered = at_once
        elif isinstance(self.stdin, io.TextIOWrapper) and at_once:
            self.stdin.reconfigure(line_buffering=True)

    def communicate(self, input: Any = None, *args: Any, **words: Any) -> Any:
        if not self.text_mode:
            input = encoded(input)
        return wrapped(super().communicate(input, *args, **words))


def _output(*args: Any, **words: Any) -> Any:
    return wrapped(_today("subprocess").check_output(*args, **words))


def _gzip_open(name: Any, mode: str = "rb", *args: Any) -> Any:
    return _GzipFile(name, mode.replace("U", ""), *args)


def _coder(name: str) -> Callable[[str], type]:
    """`codecs.getwriter` or `getreader`, for streams of text too."""

    def of_encoding(encoding: str) -> type:
        base: Any = getattr(_today("codecs"), name)(encoding)

        class Coder(base):
            def __init__(self, stream: Any, errors: str = "strict") -> None:
                super().__init__(files.bytes_within(stream), errors)

            def write(self, object: Any) -> None:
                super().write(object.decode("ascii") if isinstance(object, bytes) else object)

        return Coder

    return of_encoding


_reader, _writer = _coder("getreader"), _coder("getwriter")


def _codec(encoding: str) -> Any:
    found = _today("codecs").lookup(encoding)
    return type(found)(
        found.encode,
        found.decode,
        _reader(encoding),
        _writer(encoding),
        found.incrementalencoder,
        found.incrementaldecoder,
        found.name,
    )


def _encoded_file(file: Any, *args: Any, **words: Any) -> Any:
    recoder = _today("codecs").EncodedFile(files.bytes_within(file), *args, **words)
    write = recoder.write
    recoder.write = lambda data: write(encoded(data))
    return recoder


def _pack(form: Any, *values: Any) -> bytes:
    return wrapped(_today("struct").pack(form, *map(encoded, values)))


def _unpacked(name: str) -> Callable[..., Any]:
    def called(form: Any, data: Any, *args: Any) -> Any:
        return wrapped(getattr(_today("struct"), name)(form, encoded(data), *args))

    return called


_HASHES = {name: _hash(name) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}
# old module: its names that are not today's
CHANGED: dict[str, dict[str, Any]] = {
    "itertools": {
        "izip": zip,
        "imap": _imap,
        "ifilter": builtins.filter,
        "ifilterfalse": itertools.filterfalse,
        "izip_longest": _izip_fill,
    },
    "math": {"floor": _float(math.floor), "ceil": _float(math.ceil)},
    "operator": {
        "div": operators.div,
        "idiv": operators.idiv,
        "isCallable": callable,
        "sequenceIncludes": operator.contains,
        "isSequenceType": lambda value: hasattr(type(value), "__getitem__"),
        "isMappingType": lambda value: hasattr(type(value), "__getitem__"),
        "isNumberType": lambda value: hasattr(type(value), "__int__"),
    },
    "string": {
        "letters": string.ascii_letters,
        "lowercase": string.ascii_lowercase,
        "uppercase": string.ascii_uppercase,
        "maketrans": _maketrans,
        "join": _joined,
        "joinfields": _joined,
        "split": _split,
        "splitfields": _split,
        "atoi": lambda value, base=10: int(value, base),
        "atol": lambda value, base=10: int(value, base),
        "atof": float,
        "translate": lambda value, table, deleted="": "".join(
            char for char in value if char not in deleted
        ).translate(table),
        **{name: _method(name) for name in _STRING_METHODS},
        "zfill": lambda value, width: str(value).zfill(width),
    },
    "types": _TYPES,
    "random": {"Random": Random},
    "re": {name: getattr(regex, name) for name in regex.__all__},
    "hashlib": {**_HASHES, "new": _new_hash},
    "md5": {"new": _HASHES["md5"], "md5": _HASHES["md5"]},
    "base64": {
        **{name: _b64(name) for name in ("b64encode", "b64decode", "standard_b64encode")},
        **{name: _b64(name) for name in ("standard_b64decode", "urlsafe_b64encode")},
        "urlsafe_b64decode": _b64("urlsafe_b64decode"),
        **{name: _b64("encodebytes") for name in ("encodestring", "encodebytes")},
        **{name: _b64("decodebytes") for name in ("decodestring", "decodebytes")},
    },
    "binascii": {
        **{name: _taking_bytes("binascii", name) for name in ("a2b_base64", "a2b_hex", "a2b_uu")},
        **{name: _taking_bytes("binascii", name) for name in ("b2a_base64", "b2a_hex", "b2a_uu")},
        **{name: _taking_bytes("binascii", name) for name in ("a2b_qp", "b2a_qp", "crc_hqx")},
        **{name: _taking_bytes("binascii", name) for name in ("hexlify", "unhexlify")},
        "crc32": lambda data, *args: _signed(_taking_text(_today("zlib").crc32)(data, *args)),
    },
    "codecs": {
        "getwriter": _writer,
        "getreader": _reader,
        "lookup": _codec,
        "EncodedFile": _encoded_file,
    },
    "bz2": {"BZ2File": _BZ2File},
    "gzip": {"open": _gzip_open, "GzipFile": _GzipFile},
    "struct": {
        "pack": _pack,
        "unpack": _unpacked("unpack"),
        "unpack_from": _unpacked("unpack_from"),
    },
    "subprocess": {"Popen": _Popen, "check_output": _output},
    "zipfile": {"ZipFile": _ZipFile},
    "zlib": {
        "compress": _taking_bytes("zlib", "compress"),
        "decompress": _taking_bytes("zlib", "decompress"),
        "crc32": lambda data, *args: _signed(_taking_text(_today("zlib").crc32)(data, *args)),
        "adler32": lambda data, *args: _signed(_taking_text(_today("zlib").adler32)(data, *args)),
    },
    "ctypes": dict.fromkeys(PYTHON2_CHANGED["ctypes"]),
    "csv": {name: _csv(name) for name in ("reader", "writer", "DictReader", "DictWriter")},
    "pickle": _PICKLE,
    "cPickle": _PICKLE,
    "StringIO": {"StringIO": StringIO},
    "json": {"dump": _json("dump"), "dumps": _json("dumps")},
    "cStringIO": {"StringIO": StringIO, "InputType": StringIO, "OutputType": StringIO},
    "commands": {
        "getstatusoutput": _status,
        "getoutput": lambda command: _status(command)[1],
    },
    "sets": {"Set": set, "ImmutableSet": frozenset},
    "exceptions": {"StandardError": Exception},
    "__builtin__": {"unicode": unicode},
    "UserDict": {"IterableUserDict": None},
    "ConfigParser": dict.fromkeys(["ConfigParser", "RawConfigParser", "SafeConfigParser"]),
}


def _signed(value: int) -> int:
    return value - 2**32 if value >= 2**31 else value


_source = Random()
CHANGED["random"].update(
    {
        name: getattr(_source, name)
        for name in dir(_source)
        if not name.startswith("_") and hasattr(random, name)
    }
)


@functools.cache
def _interpolation() -> Any:
    """How `ConfigParser.ConfigParser` reads `%`: a value counts as a format where it holds `%(`."""
    config = _today("configparser")

    base: Any = config.Interpolation

    class Formats(base):
        def before_get(
            self, parser: Any, section: str, option: str, value: str, defaults: Any
        ) -> str:
            raw = value
            for _ in range(config.MAX_INTERPOLATION_DEPTH):
                if not value or "%(" not in value:
                    return value
                value = re.sub(
                    r"%\(([^)]*)\)s", lambda key: f"%({parser.optionxform(key[1])})s", value
                )
                try:
                    value = value % defaults
                except KeyError as error:
                    raise config.InterpolationMissingOptionError(
                        option, section, raw, error.args[0]
                    ) from None
            if "%(" in value:
                raise config.InterpolationDepthError(option, section, raw)
            return value

    return Formats()


@functools.cache
def _config_parser(name: str) -> type:
    """A parser for which a `;` behind a blank begins a comment."""
    config = _today("configparser")
    safe = name.startswith("Safe")
    base: Any = config.ConfigParser if safe else config.RawConfigParser
    usual = {"inline_comment_prefixes": (";",), "strict": False}
    if name == "ConfigParser":
        usual["interpolation"] = _interpolation()

    class Parser(base):
        def __init__(self, *args: Any, **words: Any) -> None:
            super().__init__(*args, **{**usual, **words})

        def get(
            self, section: str, option: str, raw: bool = False, vars: Any = None, **words: Any
        ) -> Any:
            return super().get(section, option, raw=raw, vars=vars, **words)

        def readfp(self, held: Any, filename: str | None = None) -> None:
            self.read_file(held, filename)

    Parser.__name__ = Parser.__qualname__ = name
    return Parser


def _late(old: str, name: str) -> Any:
    """Values of rows that are None: made when they are asked for."""
    if name.endswith("ConfigParser"):
        return _config_parser(name)
    if old == "ctypes":
        return getattr(_today("tfqueue.port.py2.foreign"), name)
    return _today("collections").UserDict


class _Module(types.ModuleType):
    """A module of Python 2."""

    def __getattr__(self, name: str) -> Any:
        old = self.__name__.rpartition(".")[2]
        changed = CHANGED.get(old, {})
        if name in changed:
            found = changed[name]
            return _late(old, name) if found is None else found
        if name == "__all__":
            public = set(changed)
            for home in HOMES[old]:
                public |= {each for each in dir(_today(home)) if not each.startswith("_")}
            return sorted(public)
        for home in HOMES[old]:
            held = _today(home)
            if hasattr(held, name):
                return getattr(held, name)
        raise AttributeError(f"module {old!r} has no attribute {name!r}")


for _name in HOMES:
    _module = _Module(f"{__name__}.{_name}")
    _module.__package__ = __name__
    sys.modules[_module.__name__] = _module
    globals()[_name] = _module
# `import tfqueue.port.py2.modules.urllib` looks for modules below this one
__path__: list[str] = []
