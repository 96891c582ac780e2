"""What the rules for Python 2 must change, and must leave alone."""

TF = "import tensorflow as tf\n"

# (rule, before, after): with this rule alone, `before` becomes `after` and nothing else.
CHANGED = [
    (
        "py2-builtins",
        "import exceptions\nraise exceptions.StandardError(1)\n",
        "import exceptions\nraise exceptions.Exception(1)\n",
    ),
    ("py2-builtins", "class E(StandardError): x = 1\n", "class E(Exception): x = 1\n"),
    ("py2-print", "print 'a', b\n", "print('a', b)\n"),
    ("py2-print", "print >>f, 'a',\n", "print('a', end=' ', file=f)\n"),
    (
        "py2-except",
        "try:\n    f()\nexcept (A, B), e:\n    pass\n",
        "try:\n    f()\nexcept (A, B) as e:\n    pass\n",
    ),
    ("py2-print", "print\nprint ('%d') % 3\n", "print()\nprint(('%d') % 3)\n"),
    ("py2-raise", "raise ValueError, 'no'\n", "raise ValueError('no')\n"),
    ("py2-exec", "exec code in names\n", "exec(code, names)\n"),
    ("py2-operators", "x = a <> `b`\n", "x = a != repr(b)\n"),
    ("py2-numbers", "x = 0777 + 10L\n", "x = 0o777 + 10\n"),
    (
        "py2-dict",
        "for k, v in d.iteritems():\n    x = d.has_key(k)\n",
        "for k, v in d.items():\n    x = k in d\n",
    ),
    (
        "py2-lists",
        "x = map(f, y)[0]\nfor i in xrange(3):\n    pass\n",
        "x = list(map(f, y))[0]\nfor i in range(3):\n    pass\n",
    ),
    ("py2-next", "x = xrange\ny = it.next()\n", "x = xrange\ny = next(it)\n"),
    ("py2-imports", "import cPickle\nx = cPickle.load(f)\n", "import pickle\nx = pickle.load(f)\n"),
    (
        "py2-urllib",
        "import urllib2\nx = urllib2.urlopen(u)\n",
        "import urllib.request, urllib.error, urllib.parse\nx = urllib.request.urlopen(u)\n",
    ),
    ("py2-builtins", "x = isinstance(y, basestring)\n", "x = isinstance(y, str)\n"),
    (
        "py2-classes",
        "class A:\n    def __nonzero__(self):\n        return xrange\n",
        "class A:\n    def __bool__(self):\n        return xrange\n",
    ),
    (
        "py2-parameters",
        "def f(a, (b, c)):\n    return b\n",
        "def f(a, xxx_todo_changeme):\n    (b, c) = xxx_todo_changeme\n    return b\n",
    ),
    ("py2-text", "x = unicode(y) + ur'a\\d'\n", "x = str(y) + r'a\\d'\n"),
    ("py2-xrange", "r = xrange\nx = r(3)\n", "r = range\nx = r(3)\n"),
    ("py2-raw-input", "x = raw_input('? ')\n", "x = input('? ')\n"),
    (
        "py2-reload",
        "import sys\nreload(sys)\nsys.setdefaultencoding('utf8')\n",
        "import sys\npass\npass\n",
    ),
    (
        "py2-string",
        "import string\nx = string.letters + string.join(a, '')\n",
        "import string\nx = string.ascii_letters + ('').join(a)\n",
    ),
    ("py2-division", "u = xrange\nx = len(a) / 2\n", "u = xrange\nx = len(a) // 2\n"),
    (
        "py2-division",
        "u = xrange\nx = (a + 1) / b / c  # why\n",
        "u = xrange\nx = tfq_runtime.div(tfq_runtime.div((a + 1), b), c)  # why\n",
    ),
    ("py2-division", "u = xrange\na.b /= n\n", "u = xrange\na.b = tfq_runtime.div(a.b, n)\n"),
    (
        "py2-bytes",
        TF + "u = xrange\nb = tf.train.BytesList(value=[name])\n",
        TF + "u = xrange\nb = tf.train.BytesList(value=tfq_runtime.bytes_list([name]))\n",
    ),
    (
        "py2-pickle",
        "import pickle\nu = xrange\nd = pickle.load(f)\n",
        "import pickle\nu = xrange\nd = pickle.load(f, encoding='latin1')\n",
    ),
    (
        "py2-stringio",
        "from io import StringIO\nu = xrange\nd = StringIO(data)\n",
        "from io import StringIO\nu = xrange\nd = tfq_runtime.string_io(data)\n",
    ),
    (
        "py2-open",
        "import csv\nu = xrange\nr = csv.reader(open(p, 'rb'))\n",
        "import csv\nu = xrange\nr = csv.reader(open(p, 'r', newline=''))\n",
    ),
    (
        "py2-open",
        "import pickle\nu = xrange\nd = pickle.load(open(p))\nf = open(q, 'w')\npickle.dump(d, f)\n",
        "import pickle\nu = xrange\nd = pickle.load(open(p, 'rb'))\nf = open(q, 'wb')\n"
        "pickle.dump(d, f)\n",
    ),
    (
        "py2-sort",
        "u = xrange\nx = sorted(y, cmp=f, reverse=True)\n",
        "u = xrange\nx = sorted(y, key=tfq_runtime.by_comparing(f), reverse=True)\n",
    ),
    (
        "py2-sort",
        "u = xrange\ny.sort(lambda a, b: cmp(a, b))\n",
        "u = xrange\n"
        "y.sort(key=tfq_runtime.by_comparing(lambda a, b: tfq_runtime.compare(a, b)))\n",
    ),
    (
        "py2-decode",
        "u = xrange\nx = f.read().decode('utf-8')\n",
        "u = xrange\nx = tfq_runtime.decoded(f.read(), 'utf-8')\n",
    ),
]

# (rule, text): with this rule alone nothing is changed and nothing is said.
LEFT = [
    ("py2-sort", "u = xrange\nx.sort(0)\ny = sorted(z, key=f)\n"),
    ("py2-decode", "u = xrange\nx = h.decode('hex'), b'x'.decode(), image.decode(3)\n"),
    ("py2-print", "print('a', b)\n"),
    ("py2-except", "try:\n    f()\nexcept A as e:\n    pass\n"),
    ("py2-raise", "raise ValueError('no')\n"),
    ("py2-exec", "exec(code, names)\n"),
    ("py2-operators", "x = a != repr(b)\n"),
    ("py2-numbers", "x = 0o777 + 10\n"),
    ("py2-dict", "for k, v in six.iteritems(d):\n    x = k in d\n"),
    ("py2-lists", "x = map(f, y)\nz = range(3)\n"),
    ("py2-lists", "try:\n    xrange\nexcept NameError:\n    xrange = range\nz = map(f, y)\n"),
    ("py2-next", "x = data.next()\n"),
    ("py2-imports", "try:\n    import cPickle\nexcept ImportError:\n    import pickle\n"),
    ("py2-urllib", "import urllib.request\nx = urllib.request.urlopen(u)\n"),
    ("py2-builtins", "x = input('? ')\n"),
    ("py2-classes", "class A:\n    def __bool__(self):\n        return True\n"),
    ("py2-parameters", "def f(a, b):\n    return b\n"),
    ("py2-text", "x = u'a'\nz = x.unicode\n"),
    ("py2-xrange", "xrange = range\nr = xrange\n"),
    ("py2-raw-input", "def raw_input(x):\n    return x\ny = raw_input('?')\n"),
    ("py2-reload", "from importlib import reload\nreload(module)\n"),
    ("py2-string", "import string\nx = string.ascii_letters\n"),
    ("py2-division", "x = a / b\n"),
    ("py2-division", "from __future__ import division\nu = xrange\nx = a / b\n"),
    ("py2-division", "u = xrange\nx = a / 2.\ny = float(a) / b\n"),
    ("py2-bytes", TF + "b = tf.train.BytesList(value=[name])\n"),
    ("py2-bytes", TF + "u = xrange\nb = tf.train.BytesList(value=[x.tobytes(), b'y'])\n"),
    ("py2-pickle", "import pickle\nd = pickle.load(f)\n"),
    ("py2-stringio", "import io\nd = io.StringIO(x)\n"),
    ("py2-open", "import csv\nr = csv.reader(open(p, 'rb'))\n"),
    ("py2-open", "import csv\nu = xrange\nr = open(p, 'rb').read()\nw = csv.writer(x)\n"),
    ("py2-relative", "import os\nfrom json import loads\n"),
]
