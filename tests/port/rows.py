"""One row per thing that a rule must change, and per thing that it must leave alone."""

TF = "import tensorflow as tf\n"
NP = "import numpy as np\n"

# (rule, before, after): with this rule alone, `before` becomes `after` and nothing else.
CHANGED = [
    ("tf-imports", "import tensorflow as tf\n", "import tfqueue.v1 as tf\n"),
    ("tf-imports", "import os, tensorflow as tf  # why\n", "import os, tfqueue.v1 as tf  # why\n"),
    ("tf-imports", "import tensorflow\n", "import tfqueue.v1 as tensorflow\n"),
    ("tf-imports", "import tensorflow.compat.v1 as tf\n", "import tfqueue.v1 as tf\n"),
    ("tf-imports", "from tensorflow.compat import v1 as tf\n", "from tfqueue import v1 as tf\n"),
    ("tf-imports", "from tensorflow import flags\n", "from tfqueue.v1 import flags\n"),
    ("std-moved", "import exceptions\n", "import builtins as exceptions\n"),
    (
        "std-moved",
        "from exceptions import (KeyError,\n    IOError as E)\n",
        "from builtins import (KeyError,\n    IOError as E)\n",
    ),
    (
        "py2-builtins",
        "import exceptions\nraise exceptions.StandardError(1)\n",
        "import exceptions\nraise exceptions.Exception(1)\n",
    ),
    ("py2-builtins", "class E(StandardError): x = 1\n", "class E(Exception): x = 1\n"),
    (
        "bytes-files",
        TF + "f = open(p, 'w+')\nf.write(x.eval(session=s))\nf.close()\n",
        TF + 'f = open(p, "w+b")\nf.write(x.eval(session=s))\nf.close()\n',
    ),
    (
        "bytes-files",
        TF + "s = tf.Session()\nx = s.run(y)\nwith open(p, 'wt') as f:\n    f.write(x)\n",
        TF + 's = tf.Session()\nx = s.run(y)\nwith open(p, "wb") as f:\n    f.write(x)\n',
    ),
    ("bytes-files", "open(p, 'a').write(m.tobytes())\n", 'open(p, "ab").write(m.tobytes())\n'),
    (
        "bytes-files",
        TF + "x = open(p).read()\ny = tf.image.decode_png(x)\n",
        TF + 'x = open(p, "rb").read()\ny = tf.image.decode_png(x)\n',
    ),
    (
        "bytes-files",
        TF + "with tf.gfile.FastGFile(p, 'r') as f:\n    g.ParseFromString(f.read())\n",
        TF + 'with tf.gfile.FastGFile(p, "rb") as f:\n    g.ParseFromString(f.read())\n',
    ),
    (
        "tf-version",
        TF + "if int(tf.__version__.split('.')[0]) != 1: x = tf.VERSION.startswith('1')\n",
        TF + "if int(\"1.15\".split('.')[0]) != 1: x = \"1.15\".startswith('1')\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.rnn_cell import _linear\n",
        "from tfqueue.v1.rnn_cell import _linear\n",
    ),
    (
        "tf-imports",
        "from tensorflow.contrib import slim\n",
        "from tfqueue.v1.contrib import slim\n",
    ),
    (
        "tf-imports",
        "import tensorflow.contrib.slim as slim\n",
        "import tfqueue.v1.contrib.slim as slim\n",
    ),
    (
        "tf-imports",
        "import tensorflow.contrib.slim\nx = tensorflow.contrib.slim\n",
        "import tfqueue.v1.contrib.slim, tfqueue.v1 as tensorflow\nx = tensorflow.contrib.slim\n",
    ),
    (
        "tf-imports",
        "from tensorflow.examples.tutorials.mnist import input_data\n",
        "from tfqueue.v1.examples.tutorials.mnist import input_data\n",
    ),
    (
        "tf-imports",
        "import tensorflow.g3doc.tutorials.mnist.input_data as input_data\n",
        "import tfqueue.v1.examples.tutorials.mnist.input_data as input_data\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn.ptb import reader\n",
        "from tfqueue.v1.models.rnn.ptb import reader\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn import rnn_cell, seq2seq as s\n",
        "from tfqueue.v1 import nn as rnn_cell; rnn_cell = rnn_cell.rnn_cell; "
        "from tfqueue.v1.contrib import legacy_seq2seq as s\n",
    ),
    (
        "tf-imports",
        "from tensorflow.python_io import TFRecordWriter\n",
        "from tfqueue.v1.python_io import TFRecordWriter\n",
    ),
    (
        "tf-imports",
        "def f():\n    import tensorflow as tf\n    return tf\n",
        "def f():\n    import tfqueue.v1 as tf\n    return tf\n",
    ),
    (
        "tf-compat-v1",
        TF + "x = tf.compat.v1.train.batch([y], 2)\n",
        TF + "x = tf.train.batch([y], 2)\n",
    ),
    ("tf-moved", TF + "x = tf.pack([y])\n", TF + "x = tf.stack([y])\n"),
    (
        "tf-moved",
        TF + "w = tf.train.SummaryWriter(d, g)\n",
        TF + "w = tf.summary.FileWriter(d, g)\n",
    ),
    (
        "tf-moved",
        TF + "x = tf.select(c, t=a, e=b)\n",
        TF + "x = tf.where(c, x=a, y=b)\n",
    ),
    ("tf-moved", TF + "c = tf.Coordinator()\n", TF + "c = tf.train.Coordinator()\n"),
    (
        "tf-concat-split",
        TF + "x = tf.concat(1, [a, (b)])\n",
        TF + "x = tf.concat(axis=1, values=[a, (b)])\n",
    ),
    (
        "tf-concat-split",
        TF + "x = tf.concat(concat_dim=0, values=v)\n",
        TF + "x = tf.concat(axis=0, values=v)\n",
    ),
    (
        "tf-concat-split",
        TF + "x = tf.concat(-1,\n              tf.concat(0, [a]))\n",
        TF + "x = tf.concat(axis=-1,\n              values=tf.concat(axis=0, values=[a]))\n",
    ),
    (
        "tf-concat-split",
        TF + "x = tf.split(1, n, (a + b))\n",
        TF + "x = tf.split(axis=1, num_or_size_splits=n, value=(a + b))\n",
    ),
    (
        # nothing but the other names tells
        "tf-concat-split",
        TF + "x = tf.concat(d, v)\ny = tf.mul(x, x)\n",
        TF + "x = tf.concat(axis=d, values=v)\ny = tf.mul(x, x)\n",
    ),
    (
        "tf-losses",
        TF + "l = tf.nn.sparse_softmax_cross_entropy_with_logits(f(x), y, name='n')\n",
        TF + "l = tf.nn.sparse_softmax_cross_entropy_with_logits("
        "logits=f(x), labels=y, name='n')\n",
    ),
    (
        "tf-losses",
        TF + "l = tf.nn.sigmoid_cross_entropy_with_logits(x, targets=y)\n",
        TF + "l = tf.nn.sigmoid_cross_entropy_with_logits(logits=x, labels=y)\n",
    ),
    (
        "tf-losses",
        TF + "l = tf.nn.nce_loss(w, b, i, t, 4, 5)\nm = tf.neg(l)\n",
        TF + "l = tf.nn.nce_loss(weights=w, biases=b, inputs=i, labels=t, "
        "num_sampled=4, num_classes=5)\nm = tf.neg(l)\n",
    ),
    (
        "tf-initializer",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.initialize_all_variables())\n",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.group(tf.initialize_all_variables(), tf.local_variables_initializer()))\n",
    ),
    (
        "tf-initializer",
        TF + "q = tf.train.range_input_producer(9, 2)\ni = tf.initialize_all_variables()\n",
        TF + "q = tf.train.range_input_producer(9, 2)\n"
        "i = tf.group(tf.initialize_all_variables(), tf.local_variables_initializer())\n",
    ),
    (
        "tf-aborted",
        TF + "try:\n    s.run(q.enqueue(1))\nexcept tf.errors.AbortedError:\n    pass\n",
        TF + "try:\n    s.run(q.enqueue(1))\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    pass\n",
    ),
    (
        "tf-bool",
        TF + "grads = opt.compute_gradients(loss)\nfor g, v in grads:\n    if g:\n        f(g)\n",
        TF + "grads = opt.compute_gradients(loss)\nfor g, v in grads:\n"
        "    if g is not None:\n        f(g)\n",
    ),
    (
        "tf-calls",
        TF + "x = tf.image.resize_images(i, 28, w, method=0)\n",
        TF + "x = tf.image.resize_images(i, [28, w], method=0)\n",
    ),
    (
        "tf-calls",
        TF + "x = tf.reverse(i, [False, True])\n",
        TF + "x = tf.reverse(i, [1])\n",
    ),
    (
        "tf-calls",
        TF + "with tf.op_scope([a, b], name, 'f'):\n    pass\n",
        TF + "with tf.name_scope(name, 'f', [a, b]):\n    pass\n",
    ),
    (
        "tf-gfile",
        TF + "with tf.gfile.GFile(p, 'r') as f:\n    x = f.read().decode('utf-8')\n",
        TF + "with tf.gfile.GFile(p, \"rb\") as f:\n    x = f.read().decode('utf-8')\n",
    ),
    (
        "tf-calls",
        TF + "f = tf.parse_single_example(\n    s,\n    dense_keys=['a', 'b'],\n"
        "    dense_types=[tf.string, tf.int64])\n",
        TF + "f = tf.parse_single_example(\n    s,\n    features={'a': tf.FixedLenFeature([], "
        "tf.string), 'b': tf.FixedLenFeature([], tf.int64)}\n)\n",
    ),
    (
        "tf-calls",
        TF + "x = tf.image.random_crop(i, [h, 24])\n",
        TF + "x = tf.image.random_crop(i, [h, 24, int(i.get_shape()[2])])\n",
    ),
    (
        "tf-internals",
        TF
        + "from tensorflow.python.ops import control_flow_ops\nx = control_flow_ops.cond(a, b, c)\n",
        TF + "from tensorflow.python.ops import control_flow_ops\nx = tf.cond(a, b, c)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.control_flow_ops import cond, group\n",
        "from tensorflow.python.ops.control_flow_ops import group; from tfqueue.v1 import cond\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import seq2seq\n",
        "from tfqueue.v1.contrib import legacy_seq2seq as seq2seq\n",
    ),
    ("np-aliases", NP + "x = np.zeros(3, np.float)\n", NP + "x = np.zeros(3, float)\n"),
    ("np-aliases", NP + "x = np.NaN + np.Inf\n", NP + "x = np.nan + np.inf\n"),
    (
        "np-aliases",
        NP + "object = 1\nx = np.array(y, dtype=np.object)\n",
        NP + "object = 1\nx = np.array(y, dtype=np.object_)\n",
    ),
    (
        "np-aliases",
        NP + "x = np.random.random_integers(0, 9, 3)\n",
        NP + "x = np.random.randint(0, 9 + 1, 3)\n",
    ),
    ("np-bytes", NP + "b = np.array(y).tostring()\n", NP + "b = np.array(y).tobytes()\n"),
    (
        "np-bytes",
        NP + "i = np.load(p)\nb = i.tostring()\n",
        NP + "i = np.load(p)\nb = i.tobytes()\n",
    ),
    ("np-bytes", "b = img.tostring()\n", "b = tfq_runtime.tobytes(img)\n"),
    ("np-bytes", "b = (a + c).tostring('C')\n", "b = tfq_runtime.tobytes((a + c), 'C')\n"),
    (
        "np-bytes",
        NP + "a = np.fromstring(s, dtype=np.uint8).reshape(2)\n",
        NP + "a = np.frombuffer(s, dtype=np.uint8).copy().reshape(2)\n",
    ),
    (
        "np-load",
        NP + "d = np.load(path, encoding='latin1').item()\n",
        NP + "d = np.load(path, encoding='latin1', allow_pickle=True).item()\n",
    ),
    (
        "scipy-misc",
        "import scipy.misc\ni = scipy.misc.imread(p)\n",
        "import scipy\ni = tfq_runtime.imread(p)\n",
    ),
    (
        "scipy-misc",
        "from scipy.misc import imread, imresize\n",
        "from tfqueue.port.images import imread, imresize\n",
    ),
    (
        "scipy-misc",
        "from scipy import misc\ni = misc.imread(p)\n",
        "from tfqueue.port import images as misc\ni = misc.imread(p)\n",
    ),
    (
        "scipy-misc",
        "import scipy.misc as m\nm.imsave(p, i)\n",
        "import tfqueue.port.images as m\nm.imsave(p, i)\n",
    ),
    (
        "pil-moved",
        "from PIL import Image\ni.resize((1, 2), Image.ANTIALIAS)\n",
        "from PIL import Image\ni.resize((1, 2), Image.LANCZOS)\n",
    ),
    ("pil-moved", "import Image\n", "from PIL import Image\n"),
    (
        "skimage-moved",
        "import skimage.io\ni = skimage.io.imread(p, as_grey=True)\n",
        "import skimage.io\ni = skimage.io.imread(p, as_gray=True)\n",
    ),
    (
        "skimage-moved",
        "from skimage.measure import compare_ssim as ssim\n",
        "from skimage.metrics import structural_similarity as ssim\n",
    ),
    (
        "others-moved",
        "from sklearn.cross_validation import train_test_split\n",
        "from sklearn.model_selection import train_test_split\n",
    ),
    ("others-moved", "x = frame.as_matrix()\n", "x = frame.to_numpy()\n"),
    (
        "std-moved",
        "import collections\nx = isinstance(y, collections.Mapping)\n",
        "import collections\nx = isinstance(y, __import__('collections.abc', "
        "fromlist=['Mapping']).Mapping)\n",
    ),
    (
        "std-moved",
        "from collections import (Iterable,\n    deque)\n",
        "from collections import deque; from collections.abc import (\nIterable)\n",
    ),
    ("std-moved", "import time\nt = time.clock()\n", "import time\nt = time.perf_counter()\n"),
    (
        "std-moved",
        "import inspect\na = inspect.getargspec(f)\n",
        "import inspect\na = tfq_runtime.argspec(f)\n",
    ),
    ("std-moved", "while t.isAlive():\n    pass\n", "while t.is_alive():\n    pass\n"),
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
    (
        "std-moved",
        "from distutils.version import LooseVersion as V\n",
        "from tfqueue.port.runtime import LooseVersion as V\n",
    ),
    (
        "std-moved",
        "import imp\nm = imp.load_source(n, p)\n",
        "import importlib as imp\nm = tfq_runtime.load_source(n, p)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import rnn, seq2seq as s\ny = rnn.rnn(c, x)\n",
        TF + "from tfqueue.v1.contrib import legacy_seq2seq as s; "
        "from tensorflow.python.ops import rnn\ny = tf.nn.static_rnn(c, x)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.platform import flags\n",
        "from tfqueue.v1 import flags\n",
    ),
]

# (rule, text): with this rule alone nothing is changed and nothing is said.
LEFT = [
    ("py2-sort", "u = xrange\nx.sort(0)\ny = sorted(z, key=f)\n"),
    ("py2-decode", "u = xrange\nx = h.decode('hex'), b'x'.decode(), image.decode(3)\n"),
    ("tf-imports", "import tensorflow_datasets as tfds\nfrom tensorflow.python.ops import nn\n"),
    ("tf-imports", "# import tensorflow as tf\nx = 'import tensorflow as tf'\n"),
    ("tf-imports", "import tfqueue.v1 as tf\nfrom tfqueue.v1.contrib import slim\n"),
    ("tf-imports", TF + "@tf.function\ndef f(x):\n    return x\n"),
    ("tf-compat-v1", TF + "x = tf.compat.as_bytes(y)\nz = other.compat.v1.x\n"),
    ("tf-moved", TF + "x = tf.stack([y])\nz = other.pack([y])\nw = np.mul(1, 2)\n"),
    ("tf-moved", "import struct as tf\nx = tf.pack('i', 1)\n"),
    ("tf-concat-split", TF + "x = tf.concat([a, b], 1)\ny = tf.split(v, 2, 1)\n"),
    ("tf-concat-split", TF + "x = np.concat(1, [a])\ny = 'a b'.split(' ', 1)\n"),
    ("tf-losses", TF + "l = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x)\n"),
    (
        "tf-losses",
        "import tensorflow.compat.v1 as tf\nl = tf.nn.softmax_cross_entropy_with_logits(y, x)\n",
    ),
    (
        "tf-initializer",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.initialize_all_variables())\ns.run(tf.initialize_local_variables())\n",
    ),
    ("tf-initializer", TF + "s.run(tf.initialize_all_variables())\n"),
    (
        "tf-initializer",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\nx = tf.data.Dataset\n"
        "s.run(tf.global_variables_initializer())\n",
    ),
    (
        "tf-aborted",
        TF + "x = tf.layers.dense\ntry:\n    f()\nexcept tf.errors.AbortedError:\n    g()\n",
    ),
    ("tf-calls", TF + "x = tf.image.resize_images(i, [28, 28], 0)\ny = tf.reverse(i, [1])\n"),
    (
        "tf-internals",
        "from tensorflow.python.framework import ops\nx = ops.get_default_graph()\n",
    ),
    ("tf-gfile", TF + "with tf.gfile.GFile(p, 'r') as f:\n    x = f.read()\n"),
    (
        "tf-bool",
        TF + "x = opt.compute_gradients(l)\nfor g, v in names:\n    if g:\n        f(v)\n",
    ),
    ("tf-gone", TF + "x = tf.contrib.slim.conv2d\ny = tf.train.batch\n"),
    ("np-aliases", NP + "x = np.int32(1) + np.float64(2)\ny = other.int(3)\n"),
    ("np-bytes", "import xml.etree.ElementTree as ET\nx = ET.tostring(tree)\n"),
    ("np-bytes", NP + "x = np.fromstring('1 2', sep=' ')\n"),
    ("np-load", NP + "x = np.load(path)\n"),
    ("scipy-misc", "import scipy.ndimage\nx = scipy.ndimage.zoom(y, 2)\n"),
    ("pil-moved", "from PIL import Image\ni.resize((1, 2), Image.BICUBIC)\n"),
    ("skimage-moved", "import skimage.io\ni = skimage.io.imread(p)\n"),
    ("others-moved", "from sklearn.model_selection import KFold\n"),
    (
        "std-moved",
        "try:\n    from collections import Mapping\nexcept ImportError:\n"
        "    from collections.abc import Mapping\n",
    ),
    ("std-moved", "import time\nt = time.time()\nx = self.clock()\n"),
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
    ("bytes-files", TF + "open(p, 'w').write(m.eval())\nopen(q, 'w').write(job.run(m))\n"),
    ("bytes-files", TF + "f = open(p, 'w')\nf.write(m.tobytes())\nf.write('text')\n"),
    ("bytes-files", "f = open(p, 'w')\nf.write(m.tobytes())\nshow(f)\n"),
    ("bytes-files", TF + "f = open(p, 'rb')\nx = tf.image.decode_png(f.read())\n"),
    ("bytes-files", TF + "x = open(p).read()\ny = tf.constant(x)\n"),
    ("bytes-files", TF + "tf.gfile.GFile(p, 'w').write(m.tobytes())\n"),
    ("bytes-files", "f = open(p, encoding='utf-8')\nm.ParseFromString(f.read())\n"),
    (
        "tf-version",
        TF + "x = tf.__version__ < '1.2'\nprint(tf.VERSION)\nimport os\nos.VERSION[0]\n",
    ),
]

# (text, sentence): what can't be helped is said, and nothing is changed.
HELPLESS = [
    (TF + "x = tf.contrib.timeseries.ARRegressor\n", "tf.contrib.timeseries is gone since"),
    (TF + "x = tf.estimator.Estimator(f)\n", "tf.estimator is gone since TensorFlow 2.16"),
    ("from tensorflow.contrib import tfprof\n", "tf.contrib.tfprof is gone since TensorFlow 2.0"),
    (TF + "r = tf.LMDBReader()\n", "tf.LMDBReader is gone since TensorFlow 2.4"),
    ("from google.protobuf.pyext import _message\n", "gone since protobuf 4; instead: protoc"),
    ("from tensorflow.models.image.cifar10 import nowhere\n", "put its module beside this file"),
]
