"""What the rules for Python 2 must change, and must leave alone."""

TF = "import tensorflow as tf\n"
PRINT = "from tfqueue.port.py2 import print_statement as print\n"


def py2(*names):
    """The import that a ported program begins with."""
    return f"from tfqueue.port.py2 import {', '.join(names)}\n"


# (before, after): Python 2's syntax, with no rule at all.
SYNTAX = [
    ("print 'a', b\n", "print('a', b)\n"),
    ("print >>f, 'a',\n", "print('a', end=' ', file=f)\n"),
    ("print\nprint ('%d') % 3\n", "print()\nprint(('%d') % 3)\n"),
    ("print ()\nprint (a, b)\n", "print((()))\nprint((a, b))\n"),
    (
        "try:\n    f()\nexcept (A, B), e:\n    pass\n",
        "try:\n    f()\nexcept (A, B) as e:\n    pass\n",
    ),
    (
        "try: f()\nexcept A, (b, c): g(b)\nexcept B, [d]: g(d); h()\nexcept C, (e): g(e)\n"
        "except D, e.f: h()\n",
        "try: f()\nexcept A as tfq_caught_1: (b, c) = tfq_caught_1.args; g(b)\n"
        "except B as tfq_caught_2: [d] = tfq_caught_2.args; g(d); h()\n"
        "except C as tfq_caught_3: (e) = tfq_caught_3; g(e)\n"
        "except D as tfq_caught_4: e.f = tfq_caught_4; h()\n",
    ),
    (
        "try: f()\nexcept A, e: g(e)\nexcept B, (b, c): g(b)\n",
        "try: f()\nexcept A as e: g(e)\n"
        "except B as tfq_caught_1: (b, c) = tfq_caught_1.args; g(b)\n",
    ),
    (
        "try:\n    f()\nexcept A as (b, c):\n    print b\n",
        "try:\n    f()\nexcept A as xxx_todo_changeme:\n    (b, c) = xxx_todo_changeme.args\n"
        "    print(b)\n",
    ),
    ("raise ValueError, 'no'\n", "raise ValueError('no')\n"),
    ("exec code in names\n", "exec(code, names)\n"),
    ("x = a <> `b`\n", "x = a != repr(b)\n"),
    ("x = 0777 + 10L\n", "x = 0o777 + 10\n"),
    (
        "def f(a, (b, c)):\n    return b\n",
        "def f(a, xxx_todo_changeme):\n    (b, c) = xxx_todo_changeme\n    return b\n",
    ),
    ("x = lambda (a, b), c: a <> c\n", "x = lambda tfq_1, c: (lambda a, b: a != c)(*tfq_1)\n"),
    ("x = lambda (a, (b, c))=d: b\n", None),
    ("x = ur'a\\d' + 'C:\\users'; print x\n", "x = r'a\\d' + 'C:\\\\users'; print(x)\n"),
    ("class A:\n    __metaclass__ = M\n    x = 1L\n", "class A(metaclass=M):\n    x = 1\n"),
    ("x = [y for y in 1, 2]\n", "x = [y for y in (1, 2)]\n"),
]

# (rule, before, after): with this rule alone, `before` becomes `after` and nothing else.
CHANGED = [
    (
        "py2-named-tuples",
        "from collections import namedtuple, deque\nu = xrange\nA = namedtuple('A', 'a b')\n",
        "from collections import deque; from tfqueue.port.py2 import namedtuple\n"
        "u = xrange\nA = namedtuple('A', 'a b')\n",
    ),
    (
        "py2-named-tuples",
        "import collections\nu = xrange\nB = collections.namedtuple('B', 'c')\n",
        py2("namedtuple") + "import collections\nu = xrange\nB = namedtuple('B', 'c')\n",
    ),
    (
        "py2-names",
        "u = xrange\nx = max(3, 'a')\n",
        py2("max", "xrange") + "u = xrange\nx = max(3, 'a')\n",
    ),
    (
        "py2-names",
        "u = xrange\nx = max(3, 0.5, True), min('a', 'b')\n",
        py2("xrange") + "u = xrange\nx = max(3, 0.5, True), min('a', 'b')\n",
    ),
    (
        "np-load",
        "import numpy as np\nu = xrange\nx = np.load(p, allow_pickle=True), np.load(p, None, True)\n"
        "y = np.load(p, allow_pickle=False), np.load(p, None, True, True, 'bytes')\n",
        "import numpy as np\nu = xrange\nx = np.load(p, allow_pickle=True, encoding='latin1'), "
        "np.load(p, None, True, encoding='latin1')\n"
        "y = np.load(p, allow_pickle=False), np.load(p, None, True, True, 'bytes')\n",
    ),
    (
        "py2-file-arguments",
        "import numpy as np\nx = np.load(xs[0L])\ny = np.load(open(p, 'r'))\n",
        py2("bytes_of") + "import numpy as np\nx = np.load(bytes_of(xs[0]))\n"
        "y = np.load(open(p, 'rb'))\n",
    ),
    (
        "py2-file-arguments",
        "from PIL import Image\nimport zipfile\nx = Image.open(f), zipfile.ZipFile('a.zip'), 1L\n",
        py2("bytes_of") + "from PIL import Image\nimport zipfile\n"
        "x = Image.open(bytes_of(f)), zipfile.ZipFile('a.zip'), 1\n",
    ),
    (
        "py2-names",
        "x = map(f, xrange(3))[0]\n",
        py2("map", "xrange") + "x = map(f, xrange(3))[0]\n",
    ),
    (
        "py2-names",
        "u = xrange\nx = round(2.5)\n",
        py2("round", "xrange") + "u = xrange\nx = round(2.5)\n",
    ),
    (
        "py2-names",
        "print 'a', str(b)\n",
        py2("print_statement as print", "str") + "print('a', str(b))\n",
    ),
    (
        "py2-names",
        "from __future__ import print_function\nu = xrange\nprint(u)\n",
        "from __future__ import print_function\n"
        + py2("print_function as print", "xrange")
        + "u = xrange\nprint(u)\n",
    ),
    (
        "py2-names",
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n'''Doc.'''\nimport os\nu = unicode(1)\n",
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n'''Doc.'''\n"
        + py2("unicode")
        + "import os\nu = unicode(1)\n",
    ),
    ("py2-division", "u = xrange\nx = len(a) / 2\n", "u = xrange\nx = len(a) // 2\n"),
    (
        "py2-division",
        "from ratios import division\nu = xrange\nx = len(a) / 2\n",
        "from ratios import division\nu = xrange\nx = len(a) // 2\n",
    ),
    (
        "py2-division",
        "u = xrange\nx = (a + 1) / b / c  # why\n",
        py2("div") + "u = xrange\nx = div(div(a + 1, b), c)  # why\n",
    ),
    ("py2-division", "u = xrange\nx = len(a) / -2\n", "u = xrange\nx = len(a) // -2\n"),
    ("py2-division", "u = xrange\na.b /= n\n", py2("idiv") + "u = xrange\na.b = idiv(a.b, n)\n"),
    (
        "py2-division",
        "u = xrange\na[f()] /= n\n",
        py2("idiv", "in_place")
        + "u = xrange\nin_place(a, f(), lambda tfq_old: idiv(tfq_old, n))\n",
    ),
    (
        "py2-division",
        "div = xrange\nx = (a  # one\n     / b)  # two\n",
        py2("div as tfq_div") + "div = xrange\nx = (tfq_div(a,  # one\n     b))  # two\n",
    ),
    (
        "py2-methods",
        "for k, v in d.iteritems():\n    x = d.has_key(k)\n",
        py2("has_key", "iteritems") + "for k, v in iteritems(d):\n    x = has_key(d, k)\n",
    ),
    ("py2-methods", "u = xrange\nx = d.keys()[0]\n", py2("keys") + "u = xrange\nx = keys(d)[0]\n"),
    (
        "py2-methods",
        "u = xrange\nx = it.next()\n",
        py2("advance") + "u = xrange\nx = advance(it)\n",
    ),
    (
        "py2-methods",
        "u = xrange\ny.sort(lambda a, b: b - a)\n",
        py2("sort") + "u = xrange\nsort(y, lambda a, b: b - a)\n",
    ),
    (
        "py2-methods",
        "try:\n    f()\nexcept E, e:\n    x = e.message\n",
        py2("message") + "try:\n    f()\nexcept E as e:\n    x = message(e)\n",
    ),
    (
        "py2-imports",
        "import cPickle\nx = cPickle.load(f)\n",
        "from tfqueue.port.py2.modules import cPickle\nx = cPickle.load(f)\n",
    ),
    (
        "py2-counted-text",
        "u = xrange\nx = sorted(set(open(p).read()))\n",
        "from tfqueue.port.py2 import counted_text\n"
        "u = xrange\nx = sorted(set(counted_text(open(p).read())))\n",
    ),
    (
        "py2-counted-text",
        "u = xrange\nwith open(p, 'r') as f:\n    x = f.read().lower()\ny = [k[c] for c in x]\n",
        "from tfqueue.port.py2 import counted_text\n"
        "u = xrange\nwith open(p, 'r') as f:\n    x = counted_text(f.read()).lower()\ny = [k[c] for c in x]\n",
    ),
    (
        "py2-counted-text",
        "u = xrange\nx = open(p).read()\ny = x[:9]\n",
        "from tfqueue.port.py2 import counted_text\n"
        "u = xrange\nx = counted_text(open(p).read())\ny = x[:9]\n",
    ),
    (
        "py2-counted-text",
        "from collections import Counter\nu = xrange\nx = Counter(open(p).read())\n",
        "from tfqueue.port.py2 import counted_text\n"
        "from collections import Counter\nu = xrange\nx = Counter(counted_text(open(p).read()))\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.match(r'\\w', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.match(r'\\w', y)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.split('[,]', y, flags=re.I)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.split('[,]', y, flags=re.I)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.sub('a', r'\\d', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.sub('a', r'\\d', y)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.search('(?i)a', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.search('(?i)a', y)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.sub(r'[\\u4e00]', '', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.sub(r'[\\u4e00]', '', y)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.split(r'\\W*', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.split(r'\\W*', y)\n",
    ),
    (
        "py2-imports",
        "from re import sub\nu = xrange\nx = sub(pattern, '-', y)\n",
        "from tfqueue.port.py2.modules.re import sub\nu = xrange\nx = sub(pattern, '-', y)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = map(re.compile, y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = map(re.compile, y)\n",
    ),
    (
        "py2-names",
        "import numpy as np\nx = isinstance(y, int) or v is xrange\n",
        py2("isinstance", "xrange") + "import numpy as np\nx = isinstance(y, int) or v is xrange\n",
    ),
    (
        "py2-division",
        "import numpy as np\nu = xrange\nx = np.divide(a, b)\n",
        py2("divide") + "import numpy as np\nu = xrange\nx = divide(a, b)\n",
    ),
    (
        "py2-imports",
        "import os, urllib2 as u  # why\n",
        "import os; from tfqueue.port.py2.modules import urllib2 as u  # why\n",
    ),
    (
        "py2-imports",
        "from itertools import izip\n",
        "from tfqueue.port.py2.modules.itertools import izip\n",
    ),
    (
        "py2-imports",
        "import math\nu = xrange\nx = math.floor(y)\n",
        "from tfqueue.port.py2.modules import math\nu = xrange\nx = math.floor(y)\n",
    ),
    (
        "py2-classes",
        "u = xrange\n\nclass A(object):\n    def __nonzero__(self):\n        return u\n",
        py2("old_class")
        + "u = xrange\n\n@old_class\nclass A(object):\n    def __nonzero__(self):\n        return u\n",
    ),
    (
        "py2-text",
        "u = xrange\nx = '%s: %d' % (a, b)\n",
        py2("percent") + "u = xrange\nx = percent('%s: %d', (a, b))\n",
    ),
    (
        "py2-text",
        "u = xrange\nx = ('%d' + ' %s' + '.') % (a, b)\ny = (s + ' %s') % (a, b)\n",
        py2("percent")
        + "u = xrange\nx = percent('%d' + ' %s' + '.', (a, b))\ny = percent(s + ' %s', (a, b))\n",
    ),
    (
        "py2-text",
        "u = xrange\nx = '{}'.format(a)\ny = f.read().decode('utf-8')\n",
        py2("decode", "formatted")
        + "u = xrange\nx = formatted('{}', a)\ny = decode(f.read(), 'utf-8')\n",
    ),
    (
        "py2-compare",
        "u = xrange\nbest = None\nif loss > best:\n    best = loss\n",
        py2("gt") + "u = xrange\nbest = None\nif gt(loss, best):\n    best = loss\n",
    ),
    (
        "py2-bytes",
        "u = xrange\nx = d.get(b'a'), y == b'b', b'c' + y\n",
        py2("byte_strings")
        + "u = xrange\nx = d.get(byte_strings(b'a')), y == byte_strings(b'b'), byte_strings(b'c') + y\n",
    ),
    (
        "py2-compare",
        "u = xrange\ny = x.get_shape().dims > 2, a.shape > 1, 0 < x.get_shape(), b.split() > 3\n",
        py2("gt", "lt")
        + "u = xrange\ny = gt(x.get_shape().dims, 2), gt(a.shape, 1), lt(0, x.get_shape()), gt(b.split(), 3)\n",
    ),
    ("py2-methods", "u = xrange\nx.sort()\n", py2("sort") + "u = xrange\nsort(x)\n"),
    (
        "py2-compare",
        "import os\nu = xrange\nassert os.listdir(p) > 0\nx = sorted(y) < z\n",
        py2("gt", "lt")
        + "import os\nu = xrange\nassert gt(os.listdir(p), 0)\nx = lt(sorted(y), z)\n",
    ),
    (
        "py2-names",  # where `str` is the type, too, only what makes text of a value is another
        "u = xrange\nadd('-n', type=str)\nx = str(1 / y) + str('a') + str()\nz = map(str, y)\n"
        "w = str(0.1), str(*y), str(y, 'utf-8')\n",
        "from tfqueue.port.py2 import map, xrange\nfrom tfqueue.port.py2.text import text\n"
        "u = xrange\nadd('-n', type=str)\nx = text(1 / y) + str('a') + str()\nz = map(text, y)\n"
        "w = text(0.1), str(*y), str(y, 'utf-8')\n",
    ),
    (
        "py2-scopes",
        "u = xrange\nx = [y for y in z]\nw = y\n",
        "u = xrange\nx = [y for tfq_y in z if [(y := tfq_y)]]\nw = y\n",
    ),
    (
        "py2-scopes",
        "u = xrange\nx = [y for y in z]\ndef f():\n    return y\n",
        "u = xrange\nx = [y for tfq_y in z if [(y := tfq_y)]]\ndef f():\n    return y\n",
    ),
    *(
        (
            "py2-scopes",
            f"u = xrange\n{before}x = [y for y in z]\n{behind}",
            f"u = xrange\n{before}x = [y for tfq_y in z if [(y := tfq_y)]]\n{behind}",
        )
        for before, behind in [
            ("", "if not x:\n    y = 1\nprint(y)\n"),
            ("y = 0\n", "y += 1\n"),
            ("y = 0\n", "y = y + 1\n"),
            ("y = 0\n", "for y in y:\n    pass\n"),
            ("y = 0\n", "for y in v:\n    f(y)\ng(y)\n"),
            ("y = 0\n", "try:\n    y = f()\nexcept IOError:\n    pass\ng(y)\n"),
            ("", "del y\n"),
        ]
    ),
    (
        "py2-scopes",
        "u = xrange\ny = 0\nwhile y < 5:\n    x = [y for y in z]\n",
        "u = xrange\ny = 0\nwhile y < 5:\n    x = [y for tfq_y in z if [(y := tfq_y)]]\n",
    ),
    (
        "py2-scopes",
        "u = xrange\ndef f(z):\n    x = [y for y in z]\n    return lambda: y\n",
        "u = xrange\ndef f(z):\n    x = [y for tfq_y in z if [(y := tfq_y)]]\n    return lambda: y\n",
    ),
    (
        "py2-scopes",
        "try:\n    f()\nexcept E, e:\n    pass\nif x:\n    e = None\nprint(e)\n",
        "try:\n    f()\nexcept E as tfq_e:\n    e = tfq_e\n    pass\nif x:\n    e = None\nprint(e)\n",
    ),
    (
        "py2-scopes",
        "try:\n    f()\nexcept E, e:\n    pass\nx = e\n",
        "try:\n    f()\nexcept E as tfq_e:\n    e = tfq_e\n    pass\nx = e\n",
    ),
    (
        "py2-sys",
        "import sys\nx = sys.maxint\n",
        py2("maxint") + "import sys\nx = maxint\n",
    ),
    (
        "py2-sys",
        "import sys\nsys = reload(sys)\nx = sys.maxint\n",
        py2("maxint") + "import sys\nsys = reload(sys)\nx = maxint\n",
    ),
    (
        "py2-bytes",
        TF + "u = xrange\nb = tf.train.BytesList(value=[name])\n",
        py2("bytes_list") + TF + "u = xrange\nb = tf.train.BytesList(value=bytes_list([name]))\n",
    ),
    (
        "py2-bytes",
        "import six\nu = xrange\nx = bytes(n), six.binary_type(n), map(bytes, y)\n",
        py2("byte_string")
        + "import six\nu = xrange\nx = byte_string(n), byte_string(n), map(byte_string, y)\n",
    ),
    (
        "py2-bytes",
        "import numpy as np\nu = xrange\nx = np.asarray(maze, dtype='c'), np.array(maze, 'c')\n",
        py2("letters") + "import numpy as np\nu = xrange\nx = letters(maze), letters(maze)\n",
    ),
    (
        "py2-threads",
        "class A(threading.Thread):\n    def f(self):\n        self._stop = x\n        self._args = y\n"
        "u = xrange\nA()._stop.set()\nz = u._args\n",
        "class A(threading.Thread):\n    def f(self):\n        self._stop_ = x\n        self._args_ = y\n"
        "u = xrange\nA()._stop_.set()\nz = u._args\n",
    ),
    (
        "py2-threads",
        "if x:\n    class A(Thread):\n        def f(self):\n            self._stop = x\n"
        "else:\n    class A(Thread):\n        def f(self):\n            self._args = x\nu = xrange\n",
        "if x:\n    class A(Thread):\n        def f(self):\n            self._stop_ = x\n"
        "else:\n    class A(Thread):\n        def f(self):\n            self._args_ = x\nu = xrange\n",
    ),
    (
        "py2-threads",
        "class A(pack.StopThread):\n    def f(self):\n        return self._stop\nu = xrange\n",
        "class A(pack.StopThread):\n    def f(self):\n        return self._stop_\nu = xrange\n",
    ),
    (
        "py2-threads",
        "class A(Thread):\n    def f(self):\n        self._stop = x\n"
        "class B(A):\n    def f(self):\n        return self._stop, self._args\n"
        "u = xrange\n",
        "class A(Thread):\n    def f(self):\n        self._stop_ = x\n"
        "class B(A):\n    def f(self):\n        return self._stop_, self._args\n"
        "u = xrange\n",
    ),
    (
        "py2-read-bytes",
        "import tensorflow as tf\nprint 1\nwith tf.gfile.GFile(p) as f:\n    for l in f: g(l)\n"
        "with tf.gfile.Open(p, 'r') as f:\n    x = [l for i, l in enumerate(f)]\n",
        "from tfqueue.port.py2 import text_lines\nimport tensorflow as tf\nprint(1)\n"
        "with tf.gfile.GFile(p) as f:\n    for l in text_lines(f): g(l)\n"
        "with tf.gfile.Open(p, 'r') as f:\n    x = [l for i, l in enumerate(text_lines(f))]\n",
    ),
    (
        "py2-read-bytes",
        "print 1\nwith open(p, 'rb') as f:\n    while f.read(1) != ' ': pass\n    for l in f: g(l)\n",
        "from tfqueue.port.py2 import byte_lines, byte_strings\nprint(1)\n"
        "with open(p, 'rb') as f:\n    while byte_strings(f.read(1)) != ' ': pass\n"
        "    for l in byte_lines(f): g(l)\n",
    ),
    (
        "py2-read-bytes",
        "print 1\nx = e.features.feature[key].bytes_list.value[0]\n",
        "from tfqueue.port.py2 import byte_strings\nprint(1)\n"
        "x = byte_strings(e.features.feature[key].bytes_list.value[0])\n",
    ),
    (
        "py2-read-bytes",
        "from tensorflow.python.platform import gfile\nprint 1\n"
        "with gfile.GFile(p, mode='rb') as f:\n    for l in f: g(l)\n",
        "from tfqueue.port.py2 import byte_lines\nfrom tensorflow.python.platform import gfile\nprint(1)\n"
        "with gfile.GFile(p, mode='rb') as f:\n    for l in byte_lines(f): g(l)\n",
    ),
    (
        "py2-read-bytes",
        "from tensorflow.python.platform import gfile\nprint 1\n"
        "with gfile.FastGFile(p, 'r') as f:\n    x, y = f.read(), f.readline()\n"
        "x = gfile.GFile(p).read(4)\n",
        "from tfqueue.port.py2 import file_texts, read_gfile\n"
        "from tensorflow.python.platform import gfile\nprint(1)\n"
        "with gfile.FastGFile(p, 'r') as f:\n    x, y = read_gfile(f), file_texts(f.readline())\n"
        "x = read_gfile(gfile.GFile(p), 4)\n",
    ),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.compile(br'\\d').sub(b'0', y)\n",
        "from tfqueue.port.py2.modules import re\nu = xrange\nx = re.compile(br'\\d').sub(b'0', y)\n",
    ),
    (
        "py2-imports",
        "import re\nprint 1\nx = re.sub('a', 'b', y.encode('utf8'))\n",
        "from tfqueue.port.py2.modules import re\nprint(1)\nx = re.sub('a', 'b', y.encode('utf8'))\n",
    ),
    (
        "py2-imports",
        "import re\nprint 1\nx = re.sub('a', 'b', open(p, 'rb').name)\n",
        "from tfqueue.port.py2.modules import re\nprint(1)\nx = re.sub('a', 'b', open(p, 'rb').name)\n",
    ),
    (
        "py2-read-bytes",
        "print 1\nx = ''.join([y.read(1)]) in ' a'\nfor i, l in enumerate(open(p, 'rb')): pass\n",
        "from tfqueue.port.py2 import byte_lines, byte_strings, characters, joined\nprint(1)\n"
        "x = joined('', [byte_strings(y.read(1))]) in characters(' a')\n"
        "for i, l in enumerate(byte_lines(open(p, 'rb'))): pass\n",
    ),
    (
        "py2-fetches",
        TF
        + "u = xrange\nx = tf.py_func(f, [a], tf.string), tf.py_func(inp=[a], func=lambda k: k)\n",
        py2("fed")
        + TF
        + "u = xrange\nx = tf.py_func(fed(f), [a], tf.string), tf.py_func(inp=[a], func=fed(lambda k: k))\n",
    ),
    (
        "py2-method-types",
        "import types\nu = xrange\nA.f = types.MethodType(f, None, A)\ng = types.MethodType(f, a)\n",
        py2("instance_method")
        + "import types\nu = xrange\nA.f = instance_method(f, None, A)\ng = types.MethodType(f, a)\n",
    ),
    (
        "py2-fetches",
        TF + "u = xrange\nx = tf.py_func(f, [a, 'pred', b, u'x', 'ä'], tf.float32)\n",
        py2("fed")
        + TF
        + "u = xrange\nx = tf.py_func(fed(f, 1, 3), [a, 'pred', b, u'x', 'ä'], tf.float32)\n",
    ),
    (
        "py2-kinds",
        "u = xrange\nx = type(y) == str, str is not type(y), type(y) in (str, unicode)\n",
        py2("kind")
        + "u = xrange\nx = kind(y) == str, str is not kind(y), kind(y) in (str, unicode)\n",
    ),
    (
        "py2-method-types",
        "import types\nu = xrange\nA.f = types.UnboundMethodType(f, None, A)\n",
        py2("instance_method") + "import types\nu = xrange\nA.f = instance_method(f, None, A)\n",
    ),
    (
        "py2-method-types",
        "from types import MethodType as M\nu = xrange\nA.f = M(f, None, A)\n",
        py2("instance_method")
        + "from types import MethodType as M\nu = xrange\nA.f = instance_method(f, None, A)\n",
    ),
    (
        "py2-latin1",
        "import sys\nu = xrange\n_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))\n",
        py2("encoded") + "import sys\nu = xrange\n_b=encoded\n",
    ),
    (
        "py2-fetches",
        TF + "u = xrange\nx = sess.run(loss)\n",
        py2("fetched") + TF + "u = xrange\nx = fetched(sess.run(loss))\n",
    ),
    (
        "py2-fetches",
        TF + "u = xrange\nr = tf.TextLineReader()\nx = sess.run([key])[0]\nf(key.eval())\n",
        py2("fetched")
        + TF
        + "u = xrange\nr = tf.TextLineReader()\n"
        + "x = fetched(sess.run([key]))[0]\nf(fetched(key.eval()))\n",
    ),
    (
        "py2-methods",
        "u = xrange\nfor line in open('a').xreadlines():\n    print(line)\n",
        "u = xrange\nfor line in open('a'):\n    print(line)\n",
    ),
    (
        "py2-division",
        "u = xrange\nf()[:n] /= m\nf()[1:n:2] /= m\n",
        py2("idiv", "in_place")
        + "u = xrange\nin_place(f(), slice(None, n, None), lambda tfq_old: idiv(tfq_old, m))\n"
        "in_place(f(), slice(1, n, 2), lambda tfq_old: idiv(tfq_old, m))\n",
    ),
]

# (rule, text): with this rule alone nothing is changed and nothing is said.
LEFT = [
    ("py2-named-tuples", "from collections import namedtuple\nA = namedtuple('A', 'a b')\n"),
    ("py2-named-tuples", "from other import namedtuple\nu = xrange\nA = namedtuple('A', 'a b')\n"),
    ("py2-compare", "x = None\nif y:\n    x = 3\nprint(x < 4)\n"),
    (
        "py2-file-arguments",
        "import numpy as np\nu = xrange\nx = np.load('a.npy'), np.load(open(p, 'rb'))\n",
    ),
    ("py2-names", "x = map(f, y)\nz = round(2.5)\nprint(1)\n"),
    ("py2-names", "def raw_input(x):\n    return x\ny = raw_input('?')\n"),
    ("py2-names", "try:\n    xrange\nexcept NameError:\n    xrange = range\nz = map(f, y)\n"),
    ("py2-division", "x = a / b\n"),
    ("py2-division", "from __future__ import division\nu = xrange\nx = a / b\n"),
    ("py2-division", "u = xrange\nx = a / 2.\ny = float(a) / b\nz = -2. / a\n"),
    ("py2-methods", "import six\nfor k, v in six.iteritems(d):\n    x = k in d\ny = data.next()\n"),
    ("py2-methods", "u = xrange\nx.sort(0)\ny = sorted(d.keys())\nz = [k for k in d.items()]\n"),
    ("py2-imports", "try:\n    import cPickle\nexcept ImportError:\n    import pickle\n"),
    ("py2-imports", "import urllib.request\nx = urllib.request.urlopen(u)\n"),
    ("py2-imports", "import math\nu = xrange\nx = math.sqrt(y)\n"),
    ("py2-imports", "import re, tool\nu = xrange\nx = re.sub('a', 'b', tool.encode(y))\n"),
    ("py2-counted-text", "u = xrange\nx = open(p).read()\ny = set(x.split()), x.decode('utf-8')\n"),
    ("py2-counted-text", "u = xrange\nx = set(open(p, 'rb').read()), set(f.read())\n"),
    ("py2-counted-text", "u = xrange\ntext.set(open(p).read())\n"),
    ("py2-counted-text", "u = xrange\nx = unicode(open(p).read(), 'utf-8')\ny = set(x)\n"),
    ("py2-imports", "import re\nu = xrange\nx = re.split(r'[^a-z]+', y), re.escape(y)\n"),
    ("py2-imports", "import re\nu = xrange\nx = re.sub(r'\\\\u|[^a-z]+\\t', r'\\1\\n', y)\n"),
    (
        "py2-imports",
        "import re\nu = xrange\nx = re.compile('[a-z]').findall(y), re.match('a*', y), re.escape(b'a')\n",
    ),
    ("py2-division", "import numpy as np\nu = xrange\nx = np.divide(a, b, out=c)\n"),
    ("py2-classes", "class A:\n    def __bool__(self):\n        return True\n"),
    ("py2-text", "x = '%s' % y\n"),
    ("py2-text", "u = xrange\nx = a % b\nx = a.b % c\n"),
    ("py2-text", "u = xrange\nx = ('%d' + ' %d' + ' %f') % (a, b, c)\ny = ('%s' + ' a') % 'b'\n"),
    ("py2-text", "u = xrange\nx = '%d %.2f' % (a, b), b'x'.decode(), image.decode(3)\n"),
    ("py2-compare", "u = xrange\nbest = 0\nx = loss > best\n"),
    (
        "py2-compare",
        "u = xrange\ndef sorted(x): return x\ny = sorted(x) > 0, listdir(x) > 0, x.sorted() > 0\n",
    ),
    ("py2-scopes", "u = xrange\nx = [y for y in z]\nfor y in x:\n    print(y)\n"),
    *(
        ("py2-scopes", f"u = xrange\nx = [y for y in z]\n{behind}")
        for behind in [
            "if x:\n    y = 1\n    f(y)\nfor y in x:\n    f(y)\n",
            "y = 1\nif x:\n    f(y)\ny += 1\n",
            "with f() as y:\n    g(y)\ng(y)\n",
            "try:\n    f()\nexcept IOError as y:\n    f(y)\n",
        ]
    ),
    ("py2-scopes", "u = xrange\nfor y in z:\n    f(y)\n    x = [y for y in z]\n"),
    (
        "py2-scopes",
        "u = xrange\ntry:\n    f()\nexcept E as e:\n    g(e)\ntry:\n    f()\nexcept E as e:\n    g(e)\n",
    ),
    (
        "py2-scopes",
        "u = xrange\nx = [y for y in z]\ndef f(y):\n    return y\ng = lambda: [y for y in x]\n",
    ),
    ("py2-sys", "import sys\nx = sys.maxsize\n"),
    ("py2-bytes", TF + "b = tf.train.BytesList(value=[name])\nx = bytes(5)\n"),
    (
        "py2-bytes",
        "import numpy as np\nu = xrange\nx = np.array(y, 'S1'), np.array(y, dtype='c', ndmin=2), np.array('c'), np.zeros(3, 'c')\n",
    ),
    ("py2-bytes", "import numpy as np\nx = np.array(y, 'c')\n"),
    (
        "py2-bytes",
        "u = xrange\nx = bytes(y, 'utf-8'), bytes(), bytes(b'a'), isinstance(y, bytes), y.bytes(5)\n",
    ),
    ("py2-bytes", TF + "u = xrange\nb = tf.train.BytesList(value=[x.tobytes(), b'y'])\n"),
    (
        "py2-bytes",
        "import struct\nu = xrange\nx = struct.pack(b'<I', 3), f.write(b'a'), b'x'.decode()\n",
    ),
    ("py2-read-bytes", "u = xrange\nwith open(p) as f:\n    x = f.read()\n    for l in f: g(l)\n"),
    (
        "py2-read-bytes",
        "u = xrange\ng.ParseFromString(f.read())\nx = f.read().decode('a')\nf.read()\n",
    ),
    (
        "py2-read-bytes",
        "u = xrange\nf.bytes_list.value[0] = x\ny = f.bytes_list.value[:], f.int64_list.value[0]\n"
        "z = np.fromstring(f.bytes_list.value[0]), f.bytes_list.value[0].decode('utf-8')\n",
    ),
    ("py2-read-bytes", "u = xrange\nimport os\nx = os.read(1, 2), ','.join(y), 'a' in 'abc'\n"),
    (
        "py2-kinds",
        "u = xrange\nx = type(y) == int, type(y) == bytes, type(y) in (str, bytes), type('') == str\n",
    ),
    ("py2-kinds", "def type(x): return str\nu = xrange\nx = type(y) == str, type(y) < str < z\n"),
    ("py2-fetches", TF + "u = xrange\nr = tf.Reader()\nsess.run(a)\nx = tf.app.run()\n"),
    (
        "py2-threads",
        "class A(Thread):\n    def f(self):\n        return self._stop, self._ours\n"
        "class B(Task):\n    def f(self):\n        self._stop = 1\nu = xrange\n",
    ),
    ("py2-threads", "class A(Thread):\n    def f(self):\n        self._stop = 1\n"),
    ("py2-fetches", TF + "r = tf.TextLineReader()\nx = sess.run(key)\n"),
    ("py2-fetches", "import subprocess\nu = xrange\nx = subprocess.run(key)\n"),
    (
        "py2-threads",
        "class A(Thread):\n    _target = None\n    def _stop(self):\n        self._target = 1\n"
        "        self._stop()\nu = xrange\n",
    ),
    ("py2-relative", "import os\nfrom json import loads\n"),
    ("py2-method-types", "import types\na.f = types.MethodType(f, a)\n"),
    (
        "py2-latin1",
        "import sys\nf = sys.version_info[0] < 3 and g or (lambda x: x.encode('latin1'))\n",
    ),
]
