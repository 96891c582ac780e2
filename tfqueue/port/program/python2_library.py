"""What Python 2 had under a name that means another thing in Python 3, or none: names only.

`tfqueue.port.py2` gives these names their old meaning when a program runs; the rules read here which
names that are.
"""

from __future__ import annotations

_BUILTINS = (
    "StandardError apply basestring buffer chr cmp coerce compile eval exec execfile file filter "
    "format hash hex input intern isinstance long map max min oct open ord range raw_input "
    "reduce reload repr round sorted str unichr unicode xrange zip"
)
BUILTINS = frozenset(_BUILTINS.split())
"""The builtins that `tfqueue.port.py2` replaces."""

MODULES: dict[str, tuple[str, ...]] = {
    "BaseHTTPServer": ("http.server",),
    "CGIHTTPServer": ("http.server",),
    "ConfigParser": ("configparser",),
    "Cookie": ("http.cookies",),
    "HTMLParser": ("html.parser",),
    "Queue": ("queue",),
    "SimpleHTTPServer": ("http.server",),
    "SimpleXMLRPCServer": ("xmlrpc.server",),
    "SocketServer": ("socketserver",),
    "StringIO": (),
    "Tkinter": ("tkinter",),
    "UserDict": ("collections",),
    "UserList": ("collections",),
    "UserString": ("collections",),
    "__builtin__": ("tfqueue.port.py2.builtins", "tfqueue.port.py2.files", "builtins"),
    "anydbm": ("dbm",),
    "base64": ("base64",),
    "binascii": ("binascii",),
    "bz2": ("bz2",),
    "cPickle": ("pickle",),
    "cStringIO": (),
    "codecs": ("codecs",),
    "commands": (),
    "cookielib": ("http.cookiejar",),
    "copy_reg": ("copyreg",),
    "csv": ("csv",),
    "ctypes": ("ctypes",),
    "dummy_thread": ("_thread",),
    "exceptions": ("builtins",),
    "hashlib": ("hashlib",),
    "htmlentitydefs": ("html.entities",),
    "gzip": ("gzip",),
    "httplib": ("http.client",),
    "json": ("json",),
    "itertools": ("itertools",),
    "math": ("math",),
    "md5": ("hashlib",),
    "operator": ("operator",),
    "pickle": ("pickle",),
    "random": ("random",),
    "re": ("re",),
    "robotparser": ("urllib.robotparser",),
    "sets": (),
    "string": ("string",),
    "struct": ("struct",),
    "subprocess": ("subprocess",),
    "thread": ("_thread",),
    "tkFileDialog": ("tkinter.filedialog",),
    "tkMessageBox": ("tkinter.messagebox",),
    "types": ("types",),
    "urllib": ("urllib.request", "urllib.parse", "urllib.error", "urllib"),
    "urllib2": ("urllib.request", "urllib.error", "urllib.parse"),
    "urlparse": ("urllib.parse",),
    "whichdb": ("dbm",),
    "xmlrpclib": ("xmlrpc.client",),
    "zipfile": ("zipfile",),
    "zlib": ("zlib",),
}
"""Each module of Python 2 with the modules of today that have its contents, asked in this order."""

_CHANGED = {
    "base64": (
        "b64decode b64encode decodebytes decodestring encodebytes encodestring "
        "standard_b64decode standard_b64encode urlsafe_b64decode urlsafe_b64encode"
    ),
    "binascii": (
        "a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 crc_hqx hexlify unhexlify"
    ),
    "bz2": "BZ2File",
    "codecs": "EncodedFile getreader getwriter lookup",
    "csv": "DictReader DictWriter reader writer",
    "ctypes": "CDLL PyDLL c_buffer cast cdll create_string_buffer memmove pydll string_at",
    "gzip": "GzipFile open",
    "hashlib": "md5 new sha1 sha224 sha256 sha384 sha512",
    "itertools": "ifilter ifilterfalse imap izip izip_longest",
    "json": "dump dumps",
    "math": "ceil floor",
    "operator": ("div idiv isCallable isMappingType isNumberType isSequenceType sequenceIncludes"),
    "pickle": "HIGHEST_PROTOCOL Pickler Unpickler dump dumps load loads",
    "random": (
        "Random betavariate binomialvariate choice choices expovariate gammavariate gauss "
        "getrandbits getstate lognormvariate normalvariate paretovariate randbytes randint "
        "random randrange sample seed setstate shuffle triangular uniform vonmisesvariate "
        "weibullvariate"
    ),
    "re": "compile findall finditer match search split sub subn",
    "string": (
        "atof atoi atol capitalize center count expandtabs find index join joinfields "
        "letters ljust lower lowercase lstrip maketrans replace rfind rindex rjust rstrip "
        "split splitfields strip swapcase translate upper uppercase zfill"
    ),
    "struct": "pack unpack unpack_from",
    "subprocess": "Popen check_output",
    "types": (
        "BooleanType ClassType ComplexType DictType DictionaryType FileType FloatType "
        "InstanceType IntType ListType LongType NoneType ObjectType SliceType StringType "
        "StringTypes TupleType TypeType UnboundMethodType UnicodeType XRangeType"
    ),
    "urllib": (
        "FancyURLopener URLopener pathname2url quote quote_plus unquote unquote_plus "
        "url2pathname urlcleanup urlencode urlopen urlretrieve"
    ),
    "zipfile": "ZipFile",
    "zlib": "adler32 compress crc32 decompress",
}
CHANGED = {name: frozenset(names.split()) for name, names in _CHANGED.items()}
"""Modules that Python 3 has, too, each with the names in it that mean another thing."""
