"""What the rules for numpy, images and other libraries must change, and must leave alone."""

TF = "import tensorflow as tf\n"
NP = "import numpy as np\n"
PLT = "import matplotlib.pyplot as plt\n"
RAGGED = "from tfqueue.port.runtime import {}\n"

# (rule, before, after): with this rule alone, `before` becomes `after` and nothing else.
CHANGED = [
    (
        "keras-crossentropy",
        f"{TF}from keras import backend as K\ndef f(y_true, y_pred):\n"
        "    return K.binary_crossentropy(y_pred, y_true) + K.categorical_crossentropy(y_true, y_pred)\n",
        f"from tfqueue.port.libraries.keras_1 import output_first\n{TF}from keras import backend as K\n"
        "def f(y_true, y_pred):\n    return output_first('binary_crossentropy', 'program.py:4')(y_pred, y_true) "
        "+ K.categorical_crossentropy(y_true, y_pred)\n",
    ),
    (
        "keras-crossentropy",  # a program of Keras 1
        f"{TF}from keras import backend as K\nm.fit(x, y, nb_epoch=3)\n"
        "z = K.binary_crossentropy(a, b), K.binary_crossentropy(y_true, a), K.categorical_crossentropy(x, y_pred)\n",
        f"from tfqueue.port.libraries.keras_1 import output_first\n{TF}from keras import backend as K\n"
        "m.fit(x, y, nb_epoch=3)\nz = output_first('binary_crossentropy', 'program.py:4')(a, b), "
        "K.binary_crossentropy(y_true, a), K.categorical_crossentropy(x, y_pred)\n",
    ),
    (
        "keras-iterators",
        f"{TF}from keras.preprocessing import image\nclass A(image.Iterator):\n    pass\n"
        "class B(A):\n    def next(self):\n        with self.lock:\n"
        "            i, start, n = next(self.index_generator)\n        return i, self.index_generator.next()[1]\n",
        f"from tfqueue.port.libraries.keras_iterators import stepping, three, three_for_a_part\n{TF}from keras.preprocessing import image\n"
        "class A(image.Iterator):\n    pass\n@stepping\nclass B(A):\n    def next(self):\n        with self.lock:\n"
        "            i, start, n = three(self, next(self.index_generator))\n"
        "        return i, three_for_a_part(self, self.index_generator.next())[1]\n",
    ),
    (
        "std-moved",
        "import random, datetime, pipes\nfrom html.parser import HTMLParser\nfrom cgi import parse_qs\n"
        "random.shuffle(x, lambda: 0.3)\nrandom.seed(datetime.datetime.now())\n"
        "print(HTMLParser().unescape(t), pipes.quote(p))\nparser = HTMLParser()\nx = parser.unescape(t)\n",
        "from html import unescape\nfrom shlex import quote\nfrom tfqueue.port.runtime import seed, shuffle\n"
        "import random, datetime, pipes\nfrom html.parser import HTMLParser\nfrom urllib.parse import parse_qs\n"
        "shuffle(x, lambda: 0.3)\nseed(datetime.datetime.now())\nprint(unescape(t), quote(p))\n"
        "parser = HTMLParser()\nx = unescape(t)\n",
    ),
    (
        "np-changed",
        NP + "x = np.unravel_index(i, dims=(2, 3))\n",
        NP + "x = np.unravel_index(i, shape=(2, 3))\n",
    ),
    (
        "std-moved",
        "x = open(p, 'rU'), open(p, mode='U')\n",
        "x = open(p, 'r'), open(p, mode='r')\n",
    ),
    ("std-moved", "x = open(p, 'rbU')\n", "x = open(p, 'rb')\n"),
    *(
        (
            "std-moved",
            f"{TF}import re\n{text}",
            f"import tfqueue.port.libraries.re_flags\n{TF}import re\n{text}",
        )
        for text in ("x = re.compile('a|(?i)b')\n", "x = re.compile('|'.join([b'(?is)a', b'b']))\n")
    ),
    (
        "keras-moved",
        "from keras.models import Sequential\nfrom keras.layers import Dense\n",
        "import tfqueue.port.libraries.keras_methods\n"
        "from tfqueue.v1.keras.models import Sequential\nfrom tfqueue.v1.keras.layers import Dense\n",
    ),
    (
        "keras-moved",
        f"{TF}from keras import layers, optimizers\nfrom keras.optimizers import SGD\n"
        "x = layers.pooling._GlobalPooling1D, layers.pooling.MaxPooling1D\n"
        "class A(SGD):\n    x = layers.LSTM(2, consume_less='mem'), SGD\nclass B(A, optimizers.Adam):\n    x = 1\n",
        "from tfqueue.port.libraries.keras_layers import layer\nimport tfqueue.port.libraries.keras_methods\n"
        "from tfqueue.port.libraries.keras_optimizers import Adam, SGD as tfq_SGD\n"
        "from tfqueue.port.libraries.keras_parts import _GlobalPooling1D\nfrom tfqueue.v1.keras import layers as tfq_layers\n"
        f"{TF}from tfqueue.v1.keras import layers; from tfqueue.v1.contrib.keras import optimizers\n"
        "from tfqueue.v1.contrib.keras.optimizers import SGD\n"
        "x = _GlobalPooling1D, tfq_layers.MaxPooling1D\n"
        "@layer\nclass A(tfq_SGD):\n    x = layers.LSTM(2), SGD\nclass B(A, Adam):\n    x = 1\n",
    ),
    (
        # a `try` around what a program does asks for no name
        "sklearn-moved",
        TF + "from sklearn.svm import SVC\ntry:\n    z = SVC(2)\nexcept Exception:\n    z = None\n",
        TF
        + "from sklearn.svm import SVC\ntry:\n    z = SVC(C=2, gamma='auto')\nexcept Exception:\n    z = None\n",
    ),
    (
        "np-aliases",
        NP + "try:\n    x = np.float(f())\nexcept Exception:\n    pass\n",
        NP + "try:\n    x = float(f())\nexcept Exception:\n    pass\n",
    ),
    (
        "keras-moved",
        "from keras.layers.core import Dense\nfrom keras.models import Sequential\n",
        "import tfqueue.port.libraries.keras_methods\nfrom tfqueue.v1.keras.layers import Dense\nfrom tfqueue.v1.keras.models import Sequential\n",
    ),
    (
        "np-small-integers",
        f"{TF}{NP}from PIL import Image\nimg = np.array(Image.open(p).convert('RGB'))\n"
        "m = np.zeros([2, 2], np.uint8)\nx = img[0, 1] - 128, 2 * m[0][1], m[i] * m[j], img[:, :] - 1\n"
        "for v in img.ravel():\n    s += v\ny = n + m[0, 0]\n",
        f"from tfqueue.port.runtime import np_add, np_iadd, np_mul, np_sub\n{TF}{NP}"
        "from PIL import Image\nimg = np.array(Image.open(p).convert('RGB'))\n"
        "m = np.zeros([2, 2], np.uint8)\nx = np_sub(img[0, 1], 128), np_mul(2, m[0][1]), m[i] * m[j], "
        "img[:, :] - 1\nfor v in img.ravel():\n    s = np_iadd(s, v)\ny = np_add(n, m[0, 0])\n",
    ),
    (
        "np-small-integers",
        f"{TF}{NP}m = np.zeros([2, 2], np.uint8)\np = m[0, 0]\nx = p - 1, -p + 2, p + m[0, 1] + 3, p * p\n"
        "r, g = m[0]\ny = r * 256 + g, m[0].max() + 4, np.min(m) - 5\n"
        "for row in m:\n    for v in row:\n        t = t + v\n",
        f"from tfqueue.port.runtime import np_add, np_mul, np_sub\n{TF}{NP}"
        "m = np.zeros([2, 2], np.uint8)\np = m[0, 0]\n"
        "x = np_sub(p, 1), np_add(-p, 2), np_add(p + m[0, 1], 3), p * p\nr, g = m[0]\n"
        "y = np_add(np_mul(r, 256), g), np_add(m[0].max(), 4), np_sub(np.min(m), 5)\n"
        "for row in m:\n    for v in row:\n        t = np_add(t, v)\n",
    ),
    (
        "np-small-integers",
        f"{TF}import cv2\na = cv2.imread(p).reshape(-1, 3)\nb = x.astype('uint8')\n"
        "y = a[0] ** 2, b[0] + 1\n",
        f"from tfqueue.port.runtime import np_add, np_pow\n{TF}import cv2\n"
        "a = cv2.imread(p).reshape(-1, 3)\nb = x.astype('uint8')\n"
        "y = np_pow(a[0], 2), np_add(b[0], 1)\n",
    ),
    *(
        (
            "np-small-integers",
            f"{head}{NP}m = np.array(n, {kind})\nx = {old}\n",
            f"{RAGGED.format(helpers)}{head}{NP}m = np.array(n, {kind})\nx = {new}\n",
        )
        for head, kind, helpers, old, new in [
            (TF, "np.uint8", "np_lshift", "m[0] << 8", "np_lshift(m[0], 8)"),
            (TF, "'u1'", "np_and", "(m[0] & 127) << 7", "(np_and(m[0], 127)) << 7"),
            (TF, "'<u2'", "np_or", "m[0] | a", "np_or(m[0], a)"),
            (TF, "np.int8", "np_xor", "a ^ m[0]", "np_xor(a, m[0])"),
            (TF, "np.int16", "np_rshift", "m[0] >> 1", "np_rshift(m[0], 1)"),
            (TF, "np.uint16", "np_mod", "m[0] % 300", "np_mod(m[0], 300)"),
            (TF, "np.uint32", "np_floordiv", "m[0] // 2", "np_floordiv(m[0], 2)"),
            (TF, "np.dtype('i4').newbyteorder()", "np_mul", "m[0] * 3", "np_mul(m[0], 3)"),
            (TF, "int", "np_mul", "np.int32(n) * 2", "np_mul(np.int32(n), 2)"),
            (TF, "int", "np_add", "np.uint8(n)[0] + 1", "np_add(np.uint8(n)[0], 1)"),
            (TF, "np.uint8", "np_sum", "sum(m)", "np_sum(m)"),
            (TF, "np.uint8", "np_sum", "sum(list(m * 2))", "np_sum(list(m * 2))"),
            (TF, "np.uint8", "np_sum", "sum([m[0], m[1]])", "np_sum([m[0], m[1]])"),
            (TF, "np.uint8", "np_sum", "sum(v for v in m)", "np_sum((v for v in m))"),
            (TF, "np.uint8", "np_mul", "sum(v * 2 for v in m)", "sum(np_mul(v, 2) for v in m)"),
            (
                "import tensorflow.compat.v1 as tf\n",
                "np.uint8",
                "np_add",
                "m[0] + 100",
                "np_add(m[0], 100)",
            ),
        ]
    ),
    (
        "np-small-integers",
        f"{TF}{NP}m = np.frombuffer(n, np.uint8)\nm += 1\nv = m[0]\nv <<= 8\nv |= m[1]\n"
        "for i, w in enumerate(m):\n    c ^= w\nfor a, b in zip(n, m):\n    x = a << 8, b << 8\n",
        f"from tfqueue.port.runtime import np_ilshift, np_ior, np_ixor, np_lshift\n{TF}{NP}"
        "m = np.frombuffer(n, np.uint8)\nm += 1\nv = m[0]\nv = np_ilshift(v, 8)\n"
        "v = np_ior(v, m[1])\nfor i, w in enumerate(m):\n    c = np_ixor(c, w)\n"
        "for a, b in zip(n, m):\n    x = a << 8, np_lshift(b, 8)\n",
    ),
    (
        "scipy-moved",
        f"{TF}from scipy.ndimage.interpolation import map_coordinates\nx = map_coordinates(y, z, order=1, mode='reflect')\n",
        f"{TF}from tfqueue.port.libraries.scipy_functions import map_coordinates\n"
        "x = map_coordinates(y, z, order=1, mode='reflect')\n",
    ),
    (
        "scipy-moved",
        f"{TF}from scipy import stats, linalg, sparse\nx = stats.mode(y), stats.mode(y, 1)\n"
        "z = linalg.eigh(a, eigvals=(0, 1), turbo=False), linalg.pinv(a, rcond=r), b.A\n",
        f"import tfqueue.port.libraries.scipy_methods\n{TF}from scipy import stats, linalg, sparse\n"
        "x = stats.mode(y, keepdims=True), stats.mode(y, 1, keepdims=True)\n"
        "z = linalg.eigh(a, subset_by_index=(0, 1)), linalg.pinv(a, rtol=r), b.A\n",
    ),
    (
        "scipy-moved",
        f"{TF}from scipy.spatial import Delaunay\nfrom scipy.interpolate.interpnd import _ndim_coords_from_arrays\n"
        "x = Delaunay(p).vertices\n",
        f"import tfqueue.port.libraries.scipy_methods\n{TF}from scipy.spatial import Delaunay\n"
        "from scipy.interpolate._interpnd import _ndim_coords_from_arrays\nx = Delaunay(p).vertices\n",
    ),
    (
        "h5py-changed",
        f"{TF}import h5py\nf = h5py.File(p)\n",
        f"import tfqueue.port.libraries.h5py_methods\n{TF}import h5py\nf = h5py.File(p)\n",
    ),
    (
        "np-changed",
        f"{TF}{NP}from numpy import math\nx = np.math.sqrt(2), math.pi, np.loads(b), np.warnings.warn(b)\n"
        "y = np.genfromtxt(p), np.loadtxt(p, converters=c)\n",
        f"from math import pi, sqrt\nfrom pickle import loads\nfrom warnings import warn\n{TF}{NP}import math\n"
        "x = sqrt(2), pi, loads(b), warn(b)\n"
        "y = np.genfromtxt(p, encoding='bytes'), np.loadtxt(p, converters=c, encoding='bytes')\n",
    ),
    (
        "np-aliases",
        "from numpy import product, Inf, float_, bool as b, asscalar, msort\nx = product(y)\n",
        "from numpy import prod as product, inf as Inf, float64 as float_; "
        "from builtins import bool as b; from tfqueue.port.runtime import asscalar, msort\n"
        "x = product(y)\n",
    ),
    (
        "scipy-moved",
        f"{TF}from scipy import signal\nfrom scipy.spatial import distance\nfrom scipy.linalg import toeplitz\n"
        "x = signal.medfilt(y, 3), distance.pdist(y, 'jaccard'), toeplitz(y)\n",
        "from tfqueue.port.libraries.scipy_functions import medfilt, pdist\n"
        f"{TF}from scipy import signal\nfrom scipy.spatial import distance\n"
        "from tfqueue.port.libraries.scipy_functions import toeplitz\n"
        "x = medfilt(y, 3), pdist(y, 'jaccard'), toeplitz(y)\n",
    ),
    (
        "scipy-moved",
        "import scipy\nfrom scipy import signal, integrate\n"
        "x = signal.hamming(8), integrate.trapz(y), scipy.sqrt(y), scipy.zeros(3), scipy.randn(2)\n",
        "from numpy import zeros\nfrom numpy.lib.scimath import sqrt\nfrom numpy.random import randn\n"
        "from scipy.signal.windows import hamming\nimport scipy\nfrom scipy import signal, integrate\n"
        "x = hamming(8), integrate.trapezoid(y), sqrt(y), zeros(3), randn(2)\n",
    ),
    (
        "scipy-moved",
        TF
        + "from scipy import stats, signal, special\nfrom scipy.interpolate import interp2d\nimport scipy.linalg as la\n"
        "x = stats.mannwhitneyu(a, b), signal.tukey(8), special.btdtri(1, 2, p), stats.norm.interval(alpha=0.9)\n"
        "y = la.solve(a, b, sym_pos=True), la.eigvalsh(a, eigvals=(0, 1)), stats.norm.moment(n=2)\n",
        "from scipy.signal.windows import tukey\nfrom tfqueue.port.libraries.scipy_values import mannwhitneyu\n"
        + TF
        + "from scipy import stats, signal, special\nfrom tfqueue.port.libraries.scipy_values import interp2d\nimport scipy.linalg as la\n"
        "x = mannwhitneyu(a, b), tukey(8), special.betaincinv(1, 2, p), stats.norm.interval(confidence=0.9)\n"
        "y = la.solve(a, b, assume_a='pos'), la.eigvalsh(a, subset_by_index=(0, 1)), stats.norm.moment(order=2)\n",
    ),
    (
        "pandas-columns",
        TF + "import pandas as pd\ndf['a'][0] = x\ndf[c][df[c] > 1] += 2\n",
        "from tfqueue.port.libraries.pandas_frames import column\n"
        + TF
        + "import pandas as pd\ncolumn(df, 'a')[0] = x\ncolumn(df, c)[df[c] > 1] += 2\n",
    ),
    (
        "pandas-changed",
        f"{TF}{NP}import pandas as pd\nx = np.mean(y)\n",
        f"import tfqueue.port.libraries.pandas_methods\n{TF}{NP}import pandas as pd\nx = np.mean(y)\n",
    ),
    (
        "pandas-changed",
        TF + "import pandas as pd\nx = df.ix[0]\ny = df.iteritems()\n",
        "import tfqueue.port.libraries.pandas_methods\n"
        + TF
        + "import pandas as pd\nx = df.ix[0]\ny = df.iteritems()\n",
    ),
    (
        "pandas-changed",
        TF + "from pandas import get_dummies\nimport pandas\nx = df.drop('a', 1)\n",
        "import tfqueue.port.libraries.pandas_methods\n"
        + TF
        + "from pandas import get_dummies\nimport pandas\n"
        "x = df.drop('a', 1)\n",
    ),
    *(
        (
            "pandas-changed",
            f"{TF}import pandas as pd\nx = {old}\n",
            f"import tfqueue.port.libraries.pandas_methods\n{TF}import pandas as pd\nx = {old}\n",
        )
        for old in (
            *("df.iloc[0][1]", "f(df.iterrows())", "df.to_hdf(p, 'a')", "s.dropna(0)"),
            *(
                "df.a.str.replace('[ab]', '')",
                "pd.read_csv(p)",
                "pd.DataFrame(rows)",
                "s.pct_change()",
            ),
            *(
                "pd.concat(parts)",
                "pd.to_datetime(t)",
                "df.max(axis=1)",
                "pd.date_range(a, b).values",
            ),
            *("pd.Timestamp(0) + (t.astype(int))", "df.corr()", "t.dt.weekday_name", "pd.np.nan"),
            *("a.index & b.index", "y | pd.Index(z)", "g.nth(0)", "df.sum(level=0)"),
            "pd.DataFrame.from_csv(p)",
        )
    ),
    (
        "pandas-columns",
        TF + "import pandas as pd\ndf['a'].fillna(0, inplace=True)\ndf.a[0] = 3\n"
        "train.age.replace(1, 2, inplace=True)\n",
        "from tfqueue.port.libraries.pandas_frames import attribute, column\n"
        + TF
        + "import pandas as pd\ncolumn(df, 'a').fillna(0, inplace=True)\nattribute(df, 'a')[0] = 3\n"
        "attribute(train, 'age').replace(1, 2, inplace=True)\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.read_csv(p, ',', None, 0), pd.concat([x, y], 1), pd.pivot(x, 'a', 'b')\n",
        "import pandas as pd\nx = pd.read_csv(p, sep=',', header=0), pd.concat([x, y], axis=1), "
        "pd.pivot(x, index='a', columns='b')\n",
    ),
    (
        "librosa-moved",
        "import librosa as lb\nx = lb.core.spectrum._spectrogram(y=y)\n",
        "import librosa.core.spectrum\nimport librosa as lb\nx = lb.core.spectrum._spectrogram(y=y)\n",
    ),
    (
        "librosa-moved",
        TF + "import librosa\nx = librosa.core.spectrum._spectrogram(y, n_fft=8)\n",
        "import librosa.core.spectrum\n"
        + TF
        + "import librosa\nx = librosa.core.spectrum._spectrogram(n_fft=8, y=y, pad_mode='reflect')\n",
    ),
    (
        "unused-imports",
        "import skimage.viewer as v\nfrom skimage.viewer import ImageViewer\nfrom pandas.tools import a, plotting\nprint(a)\n",
        "pass\npass\nfrom pandas.tools import a\nprint(a)\n",
    ),
    (
        "pandas-changed",
        TF + "import pandas\nx = df.groupby('a', as_index=False).size()\n",
        "import tfqueue.port.libraries.pandas_methods\n"
        + TF
        + "import pandas\nx = df.groupby('a', as_index=False).size()\n",
    ),
    (
        "pandas-changed",
        TF + "import pandas\ndf = df.append(row)\n",
        "import tfqueue.port.libraries.pandas_methods\n"
        + TF
        + "import pandas\ndf = df.append(row)\n",
    ),
    (
        "networkx-moved",
        TF + "import networkx as nx\nA = nx.adjacency_matrix(g) * nx.to_numpy_matrix(g)\n"
        "g = nx.from_scipy_sparse_matrix(A)\n",
        "from tfqueue.port.libraries.networkx_graphs import adjacency_matrix, to_numpy_matrix\n"
        + TF
        + "import networkx as nx\nA = adjacency_matrix(g) * to_numpy_matrix(g)\n"
        "g = nx.from_scipy_sparse_array(A)\n",
    ),
    (
        "networkx-moved",
        TF
        + "import networkx as nx\ng = nx.karate_club_graph()\nprint(nx.info(g), nx.graph_clique_number(g))\n",
        "from tfqueue.port.libraries.networkx_graphs import graph_clique_number, info, karate_club_graph\n"
        + TF
        + "import networkx as nx\ng = karate_club_graph()\nprint(info(g), graph_clique_number(g))\n",
    ),
    (
        "networkx-moved",
        '"""Doc."""\nimport networkx as nx\nx = 1\nfor n in g.nodes_iter():\n    g.node[n]["a"] = 1\n',
        '"""Doc."""\nimport tfqueue.port.libraries.networkx_methods\nimport networkx as nx\nx = 1\nfor n in g.nodes_iter():\n    g.node[n]["a"] = 1\n',
    ),
    (
        "gym-changed",
        TF + "from gym import wrappers\nimport gym\nenv = gym.make('CartPole-v0')\n",
        "import tfqueue.port.libraries.gym_methods\n"
        + TF
        + "from gym import wrappers\nimport gym\nenv = gym.make('CartPole-v0')\n",
    ),
    (
        "cv2-moved",
        TF
        + "import cv2\nh = cv2.calcHist([x], [0], None, [9], [0, 256])\nfor l in cv2.HoughLinesP(x, 1, t, 9):\n    pass\n",
        "from tfqueue.port.libraries.cv2_shapes import HoughLinesP, calcHist\n"
        + TF
        + "import cv2\nh = calcHist([x], [0], None, [9], [0, 256])\nfor l in HoughLinesP(x, 1, t, 9):\n    pass\n",
    ),
    (
        "sklearn-moved",
        TF
        + "from sklearn.decomposition import PCA\nfrom sklearn import svm, metrics, model_selection as ms\n"
        "z = PCA(2), svm.OneClassSVM('rbf', 3), metrics.normalized_mutual_info_score(a, b)\n"
        "k = ms.KFold(5, random_state=1), ms.ShuffleSplit(2, train_size=0.5), ms.GroupKFold(4)\n"
        "s = metrics.make_scorer(f, needs_proba=True), metrics.make_scorer(f, needs_threshold=False)\n",
        "import tfqueue.port.libraries.sklearn_methods\n"
        "from tfqueue.port.libraries.sklearn_values import OneClassSVM\n"
        + TF
        + "from tfqueue.port.libraries.sklearn_values import PCA\nfrom sklearn import svm, metrics, model_selection as ms\n"
        "z = PCA(2), OneClassSVM(kernel='rbf', degree=3, gamma='auto'), metrics.normalized_mutual_info_score(a, b, average_method='geometric')\n"
        "k = ms.KFold(5), ms.ShuffleSplit(2, train_size=0.5, test_size=0.1), ms.GroupKFold(4)\n"
        "s = metrics.make_scorer(f, response_method='predict_proba'), metrics.make_scorer(f)\n",
    ),
    (
        "sklearn-moved",
        TF
        + "from sklearn.linear_model import LassoCV\nfrom sklearn.decomposition import LatentDirichletAllocation as L\n"
        "z = LassoCV(), LassoCV(cv=9), L(n_topics=3), L(3, learning_method='batch')\n",
        TF
        + "from sklearn.linear_model import LassoCV\nfrom sklearn.decomposition import LatentDirichletAllocation as L\n"
        "z = LassoCV(cv=3), LassoCV(cv=9), L(n_components=3, learning_method='online'), L(3, learning_method='batch')\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.neighbors.lof import LocalOutlierFactor\n",
        "from sklearn.neighbors import LocalOutlierFactor\n",
    ),
    (
        "sklearn-moved",  # their order, their names, their values, their defaults
        TF + "from sklearn import svm, cluster\nfrom sklearn.linear_model import SGDClassifier\n"
        "from sklearn.ensemble.forest import RandomForestRegressor as F\nfrom sklearn.manifold import TSNE\n"
        "a = svm.SVC(10, 'rbf'), svm.SVR(gamma='scale'), cluster.KMeans(2, n_jobs=3, algorithm='full', **k)\n"
        "b = SGDClassifier(n_iter=3), SGDClassifier(tol=0.1, loss='log'), F(criterion='mse', max_features='auto')\n"
        "c = TSNE(2, 5, n_iter=9), F(20, 'mae')\n",
        TF + "from sklearn import svm, cluster\nfrom sklearn.linear_model import SGDClassifier\n"
        "from sklearn.ensemble import RandomForestRegressor as F\nfrom sklearn.manifold import TSNE\n"
        "a = svm.SVC(C=10, kernel='rbf', gamma='auto'), svm.SVR(gamma='scale'), "
        "cluster.KMeans(2, algorithm='lloyd', **{'n_init': 10, **k})\n"
        "b = SGDClassifier(max_iter=3, tol=None), SGDClassifier(tol=0.1, loss='log_loss'), "
        "F(criterion='squared_error', max_features=1.0, n_estimators=10)\n"
        "c = TSNE(2, max_iter=9, perplexity=5, init='random', learning_rate=200.0), F(20, criterion='absolute_error')\n",
    ),
    (
        "sklearn-moved",
        TF
        + "from sklearn.linear_model import LogisticRegression\nfrom sklearn.linear_model import Ridge\nfrom sklearn import metrics, model_selection\n"
        "a = LogisticRegression('l1', C=2), Ridge(normalize=False), Ridge(normalize=True)\n"
        "b = metrics.f1_score(y, z, [0, 1]), metrics.log_loss(y, z, 1e-9), metrics.f1_score(*y, z)\n"
        "c = model_selection.GridSearchCV(m, p, 'f1', iid=False), model_selection.KFold(4, True, 1), "
        "model_selection.KFold(shuffle=s)\n",
        "from tfqueue.port.libraries.sklearn_learners import log_loss\nimport tfqueue.port.libraries.sklearn_methods\n"
        "from tfqueue.port.libraries.sklearn_searches import GridSearchCV\n"
        + TF
        + "from tfqueue.port.libraries.sklearn_learners import LogisticRegression\nfrom sklearn.linear_model import Ridge\n"
        "from sklearn import metrics, model_selection\n"
        "a = LogisticRegression('l1', C=2), Ridge(), Ridge(normalize=True)\n"
        "b = metrics.f1_score(y, z, labels=[0, 1]), log_loss(y, z, 1e-9), metrics.f1_score(*y, z)\n"
        "c = GridSearchCV(m, p, 'f1', iid=False), "
        "model_selection.KFold(4, shuffle=True, random_state=1), model_selection.KFold(shuffle=s, n_splits=3)\n",
    ),
    (
        "sklearn-moved",  # an argument that goes may be all there is to change
        TF + "from sklearn import linear_model\nx = linear_model.Ridge(normalize=False)\n",
        TF + "from sklearn import linear_model\nx = linear_model.Ridge()\n",
    ),
    (
        "sklearn-moved",
        TF + "from sklearn import metrics\nx = metrics.auc(y, z, reorder=True)\n",
        TF + "from sklearn import metrics\nx = metrics.auc(y, z)\n",
    ),
    (
        "sklearn-moved",
        TF + "from sklearn.metrics import mean_squared_error\n"
        "x = mean_squared_error(a, b, c), mean_squared_error(a, b, sample_weight=c), mean_squared_error(a, b)\n",
        "from tfqueue.port.libraries.sklearn_values import mean_squared_error as tfq_mean_squared_error\n"
        + TF
        + "from sklearn.metrics import mean_squared_error\n"
        "x = tfq_mean_squared_error(a, b, sample_weight=c), tfq_mean_squared_error(a, b, sample_weight=c), mean_squared_error(a, b)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.preprocessing import OneHotEncoder, Imputer\nfrom sklearn.metrics import mean_squared_error\n"
        "x = OneHotEncoder(n_values=3, sparse=False), OneHotEncoder(sparse=False), Imputer(axis=1)\n"
        "y = mean_squared_error(a, b, squared=False), mean_squared_error(a, b, squared=True)\n",
        "from sklearn.metrics import root_mean_squared_error\n"
        "from tfqueue.port.libraries.sklearn_learners import OneHotEncoder as tfq_OneHotEncoder\n"
        "from sklearn.preprocessing import OneHotEncoder; from tfqueue.port.libraries.sklearn_learners import Imputer\n"
        "from sklearn.metrics import mean_squared_error\n"
        "x = tfq_OneHotEncoder(n_values=3, sparse=False), OneHotEncoder(sparse_output=False), Imputer(axis=1)\n"
        "y = root_mean_squared_error(a, b), mean_squared_error(a, b)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.datasets.base import Bunch, load_boston\nfrom sklearn.utils import linear_assignment_\n"
        "from sklearn.neighbors import LSHForest, DistanceMetric, BallTree\n"
        "from sklearn.manifold.t_sne import _joint_probabilities, TSNE\n",
        "from sklearn.utils import Bunch; from tfqueue.port.libraries.sklearn_learners import load_boston\n"
        "from tfqueue.port.libraries import sklearn_assignment as linear_assignment_\n"
        "from sklearn.neighbors import BallTree; from tfqueue.port.libraries.sklearn_learners import LSHForest; "
        "from sklearn.metrics import DistanceMetric\n"
        "from sklearn.manifold._t_sne import _joint_probabilities; from sklearn.manifold import TSNE\n",
    ),
    (
        "skimage-moved",
        "from skimage.feature import hog\nx = hog(y, visualise=True)\n",
        "from skimage.feature import hog\nx = hog(y, visualize=True)\n",
    ),
    (
        "nibabel-changed",
        TF + "import nibabel as nib\nx = nib.load(y)\n",
        f"import tfqueue.port.libraries.nibabel_methods\n{TF}import nibabel as nib\nx = nib.load(y)\n",
    ),
    (
        "nibabel-changed",
        "import nibabel\nx = nibabel.load(y).get_data()\n",
        "import tfqueue.port.libraries.nibabel_methods\nimport nibabel\nx = nibabel.load(y).get_data()\n",
    ),
    (
        "imblearn-moved",
        TF
        + "from imblearn.over_sampling import SMOTE\nx, y = SMOTE(ratio={0: 3}, n_jobs=2).fit_sample(x, y)\n",
        f"import tfqueue.port.libraries.imblearn_methods\n{TF}from imblearn.over_sampling import SMOTE\n"
        "x, y = SMOTE(sampling_strategy={0: 3}).fit_sample(x, y)\n",
    ),
    (
        "imblearn-moved",
        TF + "import imblearn.pipeline as p\nx, y = p.make_pipeline(a, b).fit_sample(x, y)\n",
        f"import tfqueue.port.libraries.imblearn_methods\n{TF}import imblearn.pipeline as p\n"
        "x, y = p.make_pipeline(a, b).fit_sample(x, y)\n",
    ),
    (
        "imblearn-moved",
        TF
        + "from imblearn.over_sampling import SMOTE\nx = SMOTE('minority', 3, kind='regular', m_neighbors=4)\n",
        TF
        + "from imblearn.over_sampling import SMOTE\nx = SMOTE(sampling_strategy='minority', random_state=3)\n",
    ),
    (
        "imblearn-moved",
        TF
        + "import imblearn.over_sampling as o\nx = o.SMOTE(kind='borderline1', m=4, out_step=0.4), o.SMOTE(m_neighbors=3)\n",
        f"from imblearn.over_sampling._smote import BorderlineSMOTE\n{TF}import imblearn.over_sampling as o\n"
        "x = BorderlineSMOTE(kind='borderline-1', m_neighbors=4), o.SMOTE()\n",
    ),
    (
        "imblearn-moved",
        TF
        + "import imblearn.over_sampling as o\nx = o.SMOTE(kind='svm', m_neighbors=4, out_step=0.4)\n",
        f"from imblearn.over_sampling._smote import SVMSMOTE\n{TF}import imblearn.over_sampling as o\n"
        "x = SVMSMOTE(m_neighbors=4, out_step=0.4)\n",
    ),
    (
        "imblearn-moved",
        TF + "from imblearn.over_sampling.random_over_sampler import RandomOverSampler\n"
        "from imblearn.under_sampling import TomekLinks\n"
        "x = RandomOverSampler(ratio='minority', return_indices=False), TomekLinks(random_state=3)\n",
        TF
        + "from imblearn.over_sampling import RandomOverSampler\nfrom imblearn.under_sampling import TomekLinks\n"
        "x = RandomOverSampler(sampling_strategy='minority'), TomekLinks()\n",
    ),
    (
        "gensim-changed",
        TF + "from gensim.models import Word2Vec\nx = Word2Vec(y, size=3)\n",
        f"import tfqueue.port.libraries.gensim_methods\n{TF}from gensim.models import Word2Vec\nx = Word2Vec(y, size=3)\n",
    ),
    *(  # gensim 4 refuses it, whatever the program is for
        (
            "gensim-changed",
            f"import gensim.models as g\n{old}\n",
            f"import tfqueue.port.libraries.gensim_methods\nimport gensim.models as g\n{old}\n",
        )
        for old in ("x = g.Word2Vec(y, size=3)", "x = g.Word2Vec(y, iter=3)", "x = y.wv.index2word")
    ),
    (  # an argument that Keras 2.0 took, too
        "keras-moved",
        TF + "from keras.callbacks import EarlyStopping, ReduceLROnPlateau\n"
        "x = EarlyStopping(), ReduceLROnPlateau(epsilon=1)\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.callbacks import EarlyStopping, ReduceLROnPlateau\n"
        "x = EarlyStopping(), ReduceLROnPlateau(min_delta=1)\n",
    ),
    (  # a row of an embedding is dropped, and what `gpu` meant is known at run time
        "keras-moved",
        TF
        + "from keras_applications.imagenet_utils import _obtain_input_shape\nimport keras_preprocessing.image\n"
        "from keras_preprocessing import text as t\nimport keras_applications.vgg16 as v, keras_applications\nimport keras\n"
        "x = v.VGG16(weights=None, backend=keras.backend, layers=keras.layers), keras_applications.vgg19\n"
        "y = keras_preprocessing.image.Iterator\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.port.libraries.keras_parts import _obtain_input_shape\nimport tfqueue.v1.keras.preprocessing as keras_preprocessing\nfrom tfqueue.v1.keras.preprocessing import text as t\n"
        "import tfqueue.v1.keras.applications.vgg16 as v, tfqueue.v1.keras.applications as keras_applications\n"
        "import tfqueue.v1.keras as keras\nx = v.VGG16(weights=None), keras_applications.vgg19\n"
        "y = keras_preprocessing.image.Iterator\n",
    ),
    (
        "keras-moved",
        TF + "from keras.layers import *\nfrom keras.engine.topology import *\n"
        "x = merge([a, b], mode='sum'), core.Dense, interfaces, conv_utils, Container, ours\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + 2
        * (
            "from tfqueue.v1.keras.layers import *; from tfqueue.v1.keras.models import Model as Container; "
            "from tfqueue.v1.keras import layers as core; from tfqueue.port.libraries.keras_1 import merge; "
            "from tfqueue.port.libraries.keras_parts import conv_utils; "
            "from tfqueue.port.libraries.keras_parts import interfaces\n"
        )
        + "x = merge([a, b], mode='sum'), core.Dense, interfaces, conv_utils, Container, ours\n",
    ),
    (
        "keras-moved",
        TF + "import keras\nx = keras.__name__ == 'keras', keras.layers.__name__\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "import tfqueue.v1.keras as keras\nx = 'keras' == 'keras', keras.layers.__name__\n",
    ),
    (
        "keras-moved",
        TF + "from keras.layers import Embedding, GRU\n"
        "x = Embedding(3, 4, dropout=0.2), Embedding(3, 4), GRU(2, consume_less='cpu'), GRU(2, consume_less='gpu')\n",
        "from tfqueue.port.libraries.keras_gone import Embedding as tfq_Embedding\n"
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.layers import Embedding, GRU\n"
        "x = tfq_Embedding(3, 4, dropout=0.2), Embedding(3, 4), GRU(2), GRU(2, consume_less='gpu')\n",
    ),
    (  # methods of the program's own keep their arguments
        "keras-moved",
        TF
        + "from keras.layers import Dense\nclass A:\n    def fit(self, nb_epoch):\n        m.train(nb_epoch=2)\n"
        "A().fit(nb_epoch=3)\n",
        "import tfqueue.port.libraries.keras_1_methods\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.layers import Dense\nclass A:\n    def fit(self, nb_epoch):\n        m.train(nb_epoch=2)\n"
        "A().fit(nb_epoch=3)\n",
    ),
    (
        "keras-moved",
        TF + "from keras.layers.recurrent import LSTM\nfrom keras.layers import GRU as G\n"
        "class A(LSTM):\n    def step(self, x, states):\n        return x, states\n"
        "class B(G):\n    def step(self, x):\n        return x\nclass C(LSTM):\n    x = self.inner_init\n",
        "import tfqueue.port.libraries.keras_1_methods\nfrom tfqueue.port.libraries.keras_layers import layer\n"
        "import tfqueue.port.libraries.keras_methods\nfrom tfqueue.port.libraries.keras_recurrent import LSTM as tfq_LSTM\n"
        + TF
        + "from tfqueue.v1.keras.layers import LSTM\nfrom tfqueue.v1.keras.layers import GRU as G\n"
        "@layer\nclass A(tfq_LSTM):\n    def step(self, x, states):\n        return x, states\n"
        "@layer\nclass B(G):\n    def step(self, x):\n        return x\n@layer\nclass C(LSTM):\n    x = self.inner_init\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.callbacks import EarlyStopping\nfrom keras.layers import Convolution2D\nfrom keras.engine import merge\n"
        "x = Convolution2D(8, 3, 3), EarlyStopping(), merge(y)\nm.predict_generator(g, 9)\nm.fit(x, y, 2, 3)\n",
        "from tfqueue.port.libraries.keras_1 import counting\nimport tfqueue.port.libraries.keras_1_methods\n"
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.port.libraries.keras_1_callbacks import EarlyStopping\nfrom tfqueue.v1.keras.layers import Convolution2D\n"
        "from tfqueue.port.libraries.keras_1 import merge\n"
        "x = Convolution2D(8, (3, 3)), EarlyStopping(), merge(y)\n"
        "counting(m, 'predict_generator')(g, 9)\nm.fit(x, y, 2, 3)\n",
    ),
    *(
        (
            "keras-moved",
            f"{TF}{shown}\nfrom keras.callbacks import EarlyStopping\nm.fit(x, nb_epoch=3)\nm.predict_generator(g, 9)\n{call}\n",
            f"import tfqueue.port.libraries.keras_methods\n{TF}{found}\n"
            "from tfqueue.v1.keras.callbacks import EarlyStopping\nm.fit(x, epochs=3)\nm.predict_generator(g, 9)\n"
            f"{call}\n",
        )
        for shown, found, call in (  # which shows Keras 2
            (
                "from keras.layers import concatenate",
                "from tfqueue.v1.keras.layers import concatenate",
                "y",
            ),
            ("from keras import initializers", "from tfqueue.v1.keras import initializers", "y"),
            (
                "from keras import layers",
                "from tfqueue.v1.keras import layers",
                "layers.Dense(units=3)",
            ),
            (
                "from keras import layers",
                "from tfqueue.v1.keras import layers",
                "layers.Conv2D(8, (3, 3))",
            ),
            (
                "from keras import layers",
                "from tfqueue.v1.keras import layers",
                "layers.add([y, z])",
            ),
            (
                "from keras import layers",
                "from tfqueue.v1.keras import layers",
                "m.fit(x, epochs=2)",
            ),
        )
    ),
    (
        "keras-moved",
        TF + "from keras.engine.topology import Layer, K\nfrom keras import losses\n"
        "x = K.sum(losses.K.abs(y))\n",
        "import tfqueue.port.libraries.keras_methods\nfrom tfqueue.v1.keras import backend\n"
        + TF
        + "from tfqueue.v1.keras.layers import Layer; "
        "from tfqueue.v1.keras import backend as K\nfrom tfqueue.v1.keras import losses\n"
        "x = K.sum(backend.abs(y))\n",
    ),
    (
        "keras-moved",
        TF + "import keras\nimport keras.backend as K\nfrom keras.layers.core import Dropout\n"
        "from keras.utils import np_utils\nfrom keras.objectives import mse\nfrom keras.engine import Model, Layer\n"
        "x = keras.layers.Dense(output_dim=3, W_regularizer=r)(Dropout(p=0.5)(y))\n"
        "model.fit(x, nb_epoch=2)\nz = model.predict_classes(x), K.image_dim_ordering(), np_utils.normalize(x)\n",
        "from tfqueue.port.libraries.keras_1 import image_dim_ordering\nimport tfqueue.port.libraries.keras_1_methods\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "import tfqueue.v1.keras as keras\nimport tfqueue.v1.keras.backend as K\n"
        "from tfqueue.v1.keras.layers import Dropout\n"
        "from tfqueue.v1.keras import utils as np_utils\nfrom tfqueue.v1.keras.losses import mse\n"
        "from tfqueue.v1.keras.models import Model; from tfqueue.v1.keras.layers import Layer\n"
        "x = keras.layers.Dense(units=3, kernel_regularizer=r)(Dropout(rate=0.5)(y))\n"
        "model.fit(x, epochs=2)\n"
        "z = model.predict_classes(x), image_dim_ordering(), np_utils.normalize(x)\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.layers import merge, Conv2D, BatchNormalization\nfrom keras.optimizers import Adadelta, Adagrad\n"
        "x = merge([Conv2D(8, 3, 3, dim_ordering='th')(y), Conv2D(8, n, m)(y), Conv2D(8, (3, 3), 2)(y)])\n"
        "model.compile('adagrad')\nmodel.compile(optimizer='adam')\nz = Adadelta(rho=0.9), Adadelta(lr=2), Adagrad(lr=1), BatchNormalization()\n",
        "from tfqueue.port.libraries.keras_1 import kernel, method\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.layers import Conv2D, BatchNormalization; from tfqueue.port.libraries.keras_1 import merge\n"
        "from tfqueue.v1.contrib.keras.optimizers import Adadelta, Adagrad\n"
        "x = merge([Conv2D(8, (3, 3), data_format='channels_first')(y), "
        "Conv2D(8, *kernel(n, m))(y), Conv2D(8, (3, 3), 2)(y)])\n"
        "method(model, 'compile')('adagrad')\nmethod(model, 'compile')(optimizer='adam')\n"
        "z = Adadelta(rho=0.9), Adadelta(lr=2), Adagrad(lr=1), "
        "BatchNormalization()\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.preprocessing.image import img_to_array\nfrom keras.engine.training import GeneratorEnqueuer\n"
        "x = img_to_array(y, 'th'), img_to_array(y, z.order), img_to_array(y, 'channels_last'), img_to_array(y)\n",
        "from tfqueue.port.libraries.keras_1 import data_format\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.preprocessing.image import img_to_array\nfrom tfqueue.v1.keras.utils import GeneratorEnqueuer\n"
        "x = img_to_array(y, 'channels_first'), img_to_array(y, data_format(z.order)), img_to_array(y, 'channels_last'), img_to_array(y)\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras import layers as l\nfrom keras.callbacks import K\nfrom keras.regularizers import activity_l2, l2\n"
        "x = l.AtrousConvolution2D(nb_filter=2, nb_row=3, nb_col=n, dim_ordering=y), l.Deconvolution2D(2, 3, 3, z, output_shape=w)\n"
        "x = l.Convolution3D(2, 3, 4, 5), l.BatchNormalization(mode=0), l.LSTM(2, forget_bias_init='one'), l.Conv2D(2, 3, dim_ordering='default')\n"
        "x = l.Highway(), K.conv2d(y, z, image_shape=w, filter_shape=w), l.BatchNormalization(mode=2), l.Conv3D(2, 3, 4)\n",
        "from tfqueue.port.libraries.keras_1 import batch_normalization, data_format\nimport tfqueue.port.libraries.keras_1_methods\nimport tfqueue.port.libraries.keras_methods\n"
        "from tfqueue.port.libraries.keras_parts import Highway\nfrom tfqueue.v1.keras.layers import Conv2DTranspose, Convolution2D\n"
        + TF
        + "from tfqueue.v1.keras import layers as l\nfrom tfqueue.v1.keras import backend as K\n"
        "from tfqueue.v1.keras.regularizers import l2 as activity_l2, l2\n"
        "x = Convolution2D(filters=2, kernel_size=(3, n), data_format=data_format(y)), Conv2DTranspose(2, (3, 3))\n"
        "x = l.Convolution3D(2, (3, 4, 5)), batch_normalization(), l.LSTM(2), l.Conv2D(2, 3, data_format=None)\n"
        "x = Highway(), K.conv2d(y, z), batch_normalization(mode=2), l.Conv3D(2, 3, 4)\n",
    ),
    (
        "keras-moved",
        TF + "try:\n    from keras.engine.base_layer import Layer\nexcept ImportError:\n"
        "    from keras.engine.topology import Layer\n"
        "from keras.layers import Conv2DTranspose as C, MaxPool2D, SeparableConv2D\n"
        "x = C(3, (2, 2), output_shape=y, W_regularizer=z, border_mode='same')\n"
        "x = MaxPool2D(border_mode='same', dim_ordering='tf'), SeparableConv2D(2, 3, b_constraint=y)\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "try:\n    from tfqueue.v1.keras.layers import Layer\nexcept ImportError:\n"
        "    from tfqueue.v1.keras.layers import Layer\n"
        "from tfqueue.v1.keras.layers import Conv2DTranspose as C, MaxPool2D, SeparableConv2D\n"
        "x = C(3, (2, 2), kernel_regularizer=z, padding='same')\n"
        "x = MaxPool2D(padding='same', data_format='channels_last'), SeparableConv2D(2, 3, bias_constraint=y)\n",
    ),
    *(
        (
            "keras-moved",
            f"{TF}{old}\nx = {found}\n",
            f"import tfqueue.port.libraries.keras_methods\n{TF}{new}\nx = {found}\n",
        )
        for old, new, found in (
            (
                "from keras.layers import *",
                "from tfqueue.v1.keras.layers import *; from tfqueue.v1.keras.layers import GRU",
                "GRU(1)",
            ),
            (
                "from keras import layers as l",
                "from tfqueue.v1.keras import layers as l",
                "l.RNN(y)",
            ),
            (
                "from keras import backend as K",
                "from tfqueue.v1.keras import backend as K",
                "K.rnn(y, z, [w], mask=m)",
            ),
        )
    ),
    (
        "keras-moved",
        TF + "from keras import backend as K\ntf.Session()\n"
        "x = getattr(y, '_keras_shape'), hasattr(y, '_keras_shape'), getattr(y, '_keras_shape', None), getattr(y, 'a')\n",
        "from tfqueue.port.libraries.keras_1 import has_keras_shape, keras_shape\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras import backend as K\ntf.Session()\n"
        "x = keras_shape(y), has_keras_shape(y), keras_shape(y, None), getattr(y, 'a')\n",
    ),
    (
        "asyncio-moved",
        "import asyncio\nfrom asyncio import Queue\n@asyncio.coroutine\ndef f():\n    yield from asyncio.sleep(1, loop=w)\n"
        "async def g(s):\n    with await s.lock as t, open(p):\n        return Queue(3, loop=w)\n"
        "x = asyncio.Task.all_tasks()\n",
        "from asyncio import all_tasks\nfrom tfqueue.port.runtime import held\nfrom types import coroutine\nimport asyncio\nfrom asyncio import Queue\n"
        "@coroutine\ndef f():\n    yield from asyncio.sleep(1)\n"
        "async def g(s):\n    with await held(s.lock) as t, open(p):\n        return Queue(3)\n"
        "x = all_tasks()\n",
    ),
    (
        "keras-moved",
        TF + "from keras import layers as l\nfrom keras.engine.topology import Layer\n"
        "class A(Layer):\n    x = 1\nclass B(l.Dense):\n    x = y._keras_shape\n"
        "class C(A):\n    x = 1\nclass D(tf.keras.layers.Layer):\n    x = tf.Session()\n",
        "from tfqueue.port.libraries.keras_1 import keras_shape\nfrom tfqueue.port.libraries.keras_layers import layer\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras import layers as l\nfrom tfqueue.v1.keras.layers import Layer\n"
        "@layer\nclass A(Layer):\n    x = 1\n@layer\nclass B(l.Dense):\n    x = keras_shape(y)\n"
        "class C(A):\n    x = 1\nclass D(tf.keras.layers.Layer):\n    x = tf.Session()\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.layers import *\nclass A(Layer):\n    x = Dense(3, activity_regularizer='l1')\n"
        "class B(A):\n    x = keras.optimizers.SGD(clipnorm=1), losses.cosine_proximity\n"
        "import keras\nfrom keras import losses\n",
        "from tfqueue.port.libraries.keras_1 import activity as tfq_activity\n"
        "from tfqueue.port.libraries.keras_layers import layer as tfq_layer\nimport tfqueue.port.libraries.keras_methods\n"
        "from tfqueue.v1.contrib.keras import optimizers as tfq_optimizers\n"
        + TF
        + "from tfqueue.v1.keras.layers import *; from tfqueue.v1.keras.layers import Dense, Layer\n@tfq_layer\nclass A(Layer):\n    x = Dense(3, activity_regularizer=tfq_activity('l1'))\n"
        "class B(A):\n    x = tfq_optimizers.SGD(clipnorm=1), losses.cosine_proximity\n"
        "import tfqueue.v1.keras as keras\nfrom tfqueue.v1.keras import losses\n",
    ),
    (
        "keras-moved",
        TF + "from keras.layers.core import *\nfrom keras.callbacks import *\n"
        "x = K.sum(np.ones(3)), deque(), K.dot, regularizers.l2(1)\ndef f(os):\n    return os, time\n",
        "import tfqueue.port.libraries.keras_methods\n"
        + TF
        + "".join(
            f"from tfqueue.v1.keras.{home} import *; from tfqueue.v1.keras import backend as K; "
            "from collections import deque; import numpy as np; from tfqueue.v1.keras import regularizers; import time\n"
            for home in ("layers", "callbacks")
        )
        + "x = K.sum(np.ones(3)), deque(), K.dot, regularizers.l2(1)\ndef f(os):\n    return os, time\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.layers import Input\nx = Input((3,)), Input(shape=(3,), batch_shape=(2, 3))\n",
        "from tfqueue.port.libraries.keras_1 import input_of\nimport tfqueue.port.libraries.keras_methods\n"
        + TF
        + "from tfqueue.v1.keras.layers import Input\nx = Input((3,)), input_of(shape=(3,), batch_shape=(2, 3))\n",
    ),
    (
        "keras-moved",
        TF
        + "from keras.constraints import maxnorm\nfrom keras.utils import conv_utils\nfrom keras.legacy import interfaces\n"
        "from keras.engine.topology import get_source_inputs\nfrom keras.utils.generic_utils import has_arg\n"
        "import keras.backend as K\nx = K.slice(y, 1, 2), K.dot(y, y)\n"
        "from keras.layers import UpSampling2D\nz = UpSampling2D(2), UpSampling2D(interpolation='bilinear')\n"
        "m.fit_generator(g, samples_per_epoch=9, nb_epoch=2)\nm.evaluate_generator(g, 3)\n"
        "m.fit(x, callbacks=c, validation_split=0.1)\nm.fit(x, callbacks=c)\n"
        "m.fit(x, y, 2, 3, 0, c, 0.1)\nm.fit(x, y, 2, 3, 0, c)\nm.fit(x, y, 2, 3, 0, c, validation_split=0.1)\n",
        "from tfqueue.port.libraries.keras_1 import counting, method\nimport tfqueue.port.libraries.keras_1_methods\nimport tfqueue.port.libraries.keras_methods\nfrom tfqueue.port.libraries.keras_parts import slice\n"
        + TF
        + "from tfqueue.v1.keras.constraints import MaxNorm as maxnorm\nfrom tfqueue.port.libraries.keras_parts import conv_utils\n"
        "from tfqueue.port.libraries.keras_parts import interfaces\nfrom tfqueue.v1.keras.utils import get_source_inputs\n"
        "from tfqueue.port.libraries.keras_parts import has_arg\nimport tfqueue.v1.keras.backend as K\n"
        "x = slice(y, 1, 2), K.dot(y, y)\n"
        "from tfqueue.v1.keras.layers import UpSampling2D\n"
        "z = UpSampling2D(2), UpSampling2D(interpolation='bilinear')\n"
        "method(m, 'fit_generator')(g, samples_per_epoch=9, nb_epoch=2)\ncounting(m, 'evaluate_generator')(g, 3)\n"
        "counting(m, 'fit')(x, callbacks=c, validation_split=0.1)\ncounting(m, 'fit')(x, callbacks=c)\n"
        "method(m, 'fit')(x, y, 2, 3, 0, c, 0.1)\nm.fit(x, y, 2, 3, 0, c)\n"
        "method(m, 'fit')(x, y, 2, 3, 0, c, validation_split=0.1)\n",
    ),
    (
        "keras-moved",
        TF
        + "import keras\nfrom keras import optimizers as o\nx = o.SGD(0.01, 0.9, 1e-6, True), keras.optimizers.Adam()\n",
        "import tfqueue.port.libraries.keras_methods\nfrom tfqueue.v1.contrib.keras import optimizers\n"
        f"{TF}import tfqueue.v1.keras as keras\nfrom tfqueue.v1.contrib.keras import optimizers as o\n"
        "x = o.SGD(0.01, 0.9, 1e-6, True), optimizers.Adam()\n",
    ),
    (
        "librosa-moved",
        TF
        + "import librosa\nx, _ = librosa.load(p, 16000)\nD = librosa.core.stft(x, 512, win_length=64)\n"
        "y = librosa.feature.rmse(x, None, 9), librosa.filters.mel(sr, 512, 40, norm=1)\n"
        "t, _ = librosa.effects.trim(y, 20)\nlibrosa.output.write_wav(p, t, sr)\n",
        "from tfqueue.port.libraries.librosa_functions import trim, write_wav\n"
        + TF
        + "import librosa\nx, _ = librosa.load(p, sr=16000)\n"
        "D = librosa.core.stft(x, win_length=64, n_fft=512, pad_mode='reflect')\n"
        "y = librosa.feature.rms(y=x, S=None, frame_length=9, pad_mode='reflect'), "
        "librosa.filters.mel(norm='slaney', sr=sr, n_fft=512, n_mels=40)\n"
        "t, _ = trim(y, top_db=20)\nwrite_wav(p, t, sr)\n",
    ),
    (
        "librosa-moved",
        TF + "from librosa import util, onset\nx = util.frame(y=y, frame_length=2, hop_length=1)\n"
        "z = onset.onset_strength(x, sr)\n",
        TF + "from librosa import util, onset\nx = util.frame(x=y, frame_length=2, hop_length=1)\n"
        "z = onset.onset_strength(y=x, sr=sr, pad_mode='reflect')\n",
    ),
    (
        "librosa-moved",
        TF + "from librosa import stft\nx = stft(*y), stft(y, **w), stft(y, center=True)\n",
        TF + "from librosa import stft\nx = stft(*y, pad_mode='reflect'), "
        "stft(y, **{'pad_mode': 'reflect', **w}), stft(y, center=True, pad_mode='reflect')\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.datasets.samples_generator import make_blobs\nfrom sklearn.externals import six\n"
        "from sklearn.manifold import TSNE\nfrom sklearn.utils.linear_assignment_ import linear_assignment\n"
        "x = TSNE(n_iter=300), v.get_feature_names()\nclass V:\n"
        "    def get_feature_names(self):\n        return self.v.get_feature_names()\n",
        "from sklearn.datasets import make_blobs\nimport six\n"
        "from sklearn.manifold import TSNE\nfrom tfqueue.port.libraries.sklearn_assignment import linear_assignment\n"
        "x = TSNE(max_iter=300), v.get_feature_names_out().tolist()\nclass V:\n"
        "    def get_feature_names(self):\n        return self.v.get_feature_names_out().tolist()\n",
    ),
    (
        "matplotlib-moved",
        PLT + "x = plt.cm.get_cmap('jet', 3), plt.cm.spectral, plt.imshow(y, cmap='Vega10')\n",
        "from matplotlib.pyplot import get_cmap\n"
        + PLT
        + "x = get_cmap('jet', 3), plt.cm.nipy_spectral, plt.imshow(y, cmap='tab10')\n",
    ),
    (
        "matplotlib-moved",
        "from matplotlib import cm, mlab\nfrom mpl_toolkits.axes_grid import Grid\n"
        "x = cm.get_cmap('jet'), mlab.normpdf(y, 0, 1)\n",
        "from matplotlib.pyplot import get_cmap\nfrom tfqueue.port.libraries.matplotlib_functions import normpdf\n"
        "from matplotlib import cm, mlab\nfrom mpl_toolkits.axes_grid1 import Grid\n"
        "x = get_cmap('jet'), normpdf(y, 0, 1)\n",
    ),
    (
        "matplotlib-moved",
        PLT + "x = {'pgf.preamble': [a, b], 'y': [a]}\nplt.rcParams['text.latex.preamble'] = [a]\n",
        PLT + "x = {'pgf.preamble': '\\n'.join([a, b]), 'y': [a]}\n"
        "plt.rcParams['text.latex.preamble'] = '\\n'.join([a])\n",
    ),
    (
        "matplotlib-moved",
        TF + PLT + "from matplotlib.patches import RegularPolygon\nx = RegularPolygon(y, 4, r)\n"
        "ax.imshow(x, None, None, 'auto')\nself.axes[0].hist(x, 5, y)\nplt.subplots(1, 2, True)\n",
        TF
        + PLT
        + "from matplotlib.patches import RegularPolygon\nx = RegularPolygon(y, 4, radius=r)\n"
        "ax.imshow(x, None, None, aspect='auto')\nself.axes[0].hist(x, 5, range=y)\n"
        "plt.subplots(1, 2, sharex=True)\n",
    ),
    (
        "matplotlib-moved",
        TF
        + PLT
        + "from matplotlib.colors import DivergingNorm\nplt.register_cmap(name='a', data=b)\n"
        "ax.axis('equal')\n",
        "from tfqueue.port.libraries.matplotlib_functions import equal_axes, register_cmap\n"
        + TF
        + PLT
        + "from matplotlib.colors import TwoSlopeNorm as DivergingNorm\nregister_cmap(name='a', data=b)\n"
        "equal_axes(ax)\n",
    ),
    (
        "matplotlib-moved",
        "import matplotlib.animation as animation\nx = animation.writers['avconv']\n",
        "from tfqueue.port.libraries.matplotlib_functions import writers\n"
        "import matplotlib.animation as animation\nx = writers['avconv']\n",
    ),
    (
        "matplotlib-moved",
        PLT + "c = ax.contour(x, y, z)\nfor one in c.collections:\n    one.remove()\n",
        "from tfqueue.port.libraries.matplotlib_functions import collections\n"
        + PLT
        + "c = ax.contour(x, y, z)\nfor one in collections(c):\n    one.remove()\n",
    ),
    (
        "matplotlib-moved",
        PLT + "a = f.gca(projection='3d')\nb = f.canvas.tostring_rgb()\n",
        "from tfqueue.port.libraries.matplotlib_functions import canvas_rgb, gca\n"
        + PLT
        + "a = gca(f, projection='3d')\nb = canvas_rgb(f.canvas)\n",
    ),
    (
        "matplotlib-moved",
        PLT + "a = plt.subplot(where)\nb = f.add_subplot('12' + n)\nc = plt.subplot(grid[0])\n"
        "d = plt.subplot(121)\n",
        "from tfqueue.port.libraries.matplotlib_functions import place\n"
        + PLT
        + "a = plt.subplot(place(where))\nb = f.add_subplot(place('12' + n))\n"
        "c = plt.subplot(grid[0])\nd = plt.subplot(121)\n",
    ),
    (
        "matplotlib-moved",
        PLT
        + "a = plt.subplot(111, axisbg='k')\na.set_axis_bgcolor('r')\na.hold(True)\na.grid(b=True)\n"
        "a.set_color_cycle(['r'])\na.w_xaxis.set_ticks([])\nf.canvas.set_window_title('t')\n",
        PLT
        + "a = plt.subplot(111, facecolor='k')\na.set_facecolor('r')\npass\na.grid(visible=True)\n"
        "a.set_prop_cycle(color=['r'])\na.xaxis.set_ticks([])\n"
        "f.canvas.manager.set_window_title('t')\n",
    ),
    (
        "matplotlib-moved",
        PLT + "plt.title(s='a')\nplt.style.use(['seaborn-whitegrid', 'ggplot'])\n"
        "plt.tick_params(axis='x', bottom='off')\nplt.savefig('a.png', frameon=False, dvi=3, dpi=4)\n"
        "fig.savefig('b', tight=1)\nboard.savefig('b', tight=1)\n",
        PLT + "plt.title(label='a')\nplt.style.use(['seaborn-v0_8-whitegrid', 'ggplot'])\n"
        "plt.tick_params(axis='x', bottom=False)\nplt.savefig('a.png', dpi=4)\n"
        "fig.savefig('b')\nboard.savefig('b', tight=1)\n",
    ),
    (
        "matplotlib-moved",
        "import matplotlib as mpl\nmpl.use('Agg', warn=False)\nmpl.use('TkAgg')\n",
        "from tfqueue.port.libraries.matplotlib_functions import use\n"
        "import matplotlib as mpl\nmpl.use('Agg')\nuse('TkAgg')\n",
    ),
    (
        "empty-matches",
        TF + "import re\nx = re.split(r'(\\W+)?', y), re.compile('a*', re.I), re.split(' +', y)\n",
        "from tfqueue.port.libraries.re_matches import re_compile, re_split\n"
        + TF
        + "import re\nx = re_split(r'(\\W+)?', y), re_compile('a*', re.I), re.split(' +', y)\n",
    ),
    (
        "old-pb2",
        "from google.protobuf import descriptor as d\nimport a_pb2\n"
        "DESCRIPTOR = d.FileDescriptor(name='b', serialized_pb=b'\\n')\nPET = d.Descriptor(1)\n"
        "try:\n    import grpc\nexcept ImportError:\n    pass\n",
        "from tfqueue.port.libraries.protobuf_messages import messages_of\n"
        "from google.protobuf import descriptor as d\nimport a_pb2\n"
        "DESCRIPTOR = messages_of(b'\\n', globals())\n\n"
        "try:\n    import grpc\nexcept ImportError:\n    pass\n",
    ),
    (
        "old-pb2",
        "from google.protobuf import descriptor as d, symbol_database as s, descriptor_pb2 as g\nLOW = 1\n"
        "_db = s.Default()\nDESCRIPTOR = d.FileDescriptor(name='b', serialized_pb=b'\\n')\n"
        "_db.RegisterFileDescriptor(DESCRIPTOR)\n_PET = d.Descriptor(1)\nDOG = 0\n"
        "_PET.fields_by_name['a'].message_type = _PET\n_PET.oneofs_by_name['a'].fields.append(_PET)\n"
        "DESCRIPTOR._options = None\ng.FieldOptions.RegisterExtension(wide)\nwords_pb2.Pet.RegisterExtension(wide)\n"
        "PORT = 8500\nregister(_PET)\nby_name = {'pet': _PET}\nother.width = 2\nprint('read')\nfields = _PET.fields()\n",
        "from tfqueue.port.libraries.protobuf_messages import messages_of\n"
        "from google.protobuf import descriptor as d, symbol_database as s, descriptor_pb2 as g\nLOW = 1\n"
        "_db = s.Default()\nDESCRIPTOR = messages_of(b'\\n', globals())\n\n\nDOG = 0\n\n\n\n\n\n"
        "PORT = 8500\nregister(_PET)\nby_name = {'pet': _PET}\nother.width = 2\nprint('read')\nfields = _PET.fields()\n",
    ),
    (
        "np-aliases",
        NP + "x = sorted(np.sctypes)\n",
        "from tfqueue.port.runtime import sctypes\n" + NP + "x = sorted(sctypes())\n",
    ),
    (
        "np-aliases",
        NP + "x = np.lib.stride_tricks, np.lib.median(y)\n",
        NP + "x = np.lib.stride_tricks, np.median(y)\n",
    ),
    (
        "np-aliases",
        NP + "x = np.AxisError, np.longfloat, np.typeDict\n",
        NP + "x = np.exceptions.AxisError, np.longdouble, np.sctypeDict\n",
    ),
    (
        "opened-as-text",
        TF + "f = open(p, 'w+')\nf.write(x.eval(session=s))\nf.close()\n",
        TF + "f = open(p, 'w+b')\nf.write(x.eval(session=s))\nf.close()\n",
    ),
    (
        "opened-as-text",
        TF + "s = tf.Session()\nx = s.run(y)\nwith open(p, 'wt') as f:\n    f.write(x)\n",
        TF + "s = tf.Session()\nx = s.run(y)\nwith open(p, 'wb') as f:\n    f.write(x)\n",
    ),
    ("opened-as-text", "open(p, 'a').write(m.tobytes())\n", "open(p, 'ab').write(m.tobytes())\n"),
    (
        "opened-as-text",
        TF + "x = open(p).read()\ny = tf.image.decode_png(x)\n",
        TF + "x = open(p, 'rb').read()\ny = tf.image.decode_png(x)\n",
    ),
    (
        "opened-as-text",
        TF + "with tf.gfile.FastGFile(p, 'r') as f:\n    g.ParseFromString(f.read())\n",
        TF + "with tf.gfile.FastGFile(p, 'rb') as f:\n    g.ParseFromString(f.read())\n",
    ),
    (
        # one name for two files, one after the other
        "opened-as-text",
        "f = open(p, 'w')\nf.write(m.tobytes())\nf = open(q, 'w')\nf.write('text')\n",
        "f = open(p, 'wb')\nf.write(m.tobytes())\nf = open(q, 'w')\nf.write('text')\n",
    ),
    (
        "opened-as-text",
        "for p in ps:\n    f = open(p, 'w')\n    f.write(m.tobytes())\n",
        "for p in ps:\n    f = open(p, 'wb')\n    f.write(m.tobytes())\n",
    ),
    (
        # behind files that are opened in each way that is right, or can't be told
        "opened-as-text",
        "open(n)\nopen()\na.b(n)\nopen(n, 'rb').read()\nopen(n, m)\nopen(n, encoding='utf-8')\n"
        "open(n, 'w').write('text')\nopen(p, 'w').write(m.tobytes())\n",
        "open(n)\nopen()\na.b(n)\nopen(n, 'rb').read()\nopen(n, m)\nopen(n, encoding='utf-8')\n"
        "open(n, 'w').write('text')\nopen(p, 'wb').write(m.tobytes())\n",
    ),
    (
        "opened-as-text",
        "import struct\nopen(p, 'w').write(struct.pack('i', 1))\n",
        "import struct\nopen(p, 'wb').write(struct.pack('i', 1))\n",
    ),
    (
        "opened-as-text",
        TF + "with tf.Session() as s:\n    open(p, 'w').write(s.run(y))\n",
        TF + "with tf.Session() as s:\n    open(p, 'wb').write(s.run(y))\n",
    ),
    (
        "opened-as-text",
        TF + "x = open(p).read()\nn = len(x)\ny = tf.image.decode_png(x)\n",
        TF + "x = open(p, 'rb').read()\nn = len(x)\ny = tf.image.decode_png(x)\n",
    ),
    *(
        (
            "np-promotion",
            f"{TF}{NP}{before}y = {old}\n",
            f"{RAGGED.format(helper)}{TF}{NP}{before}y = {new}\n",
        )
        for helper, before, old, new in [
            ("np_mul", "", "np.sqrt(2.0 / n) * x", "np_mul(np.sqrt(2.0 / n), x)"),
            ("np_div", "", "x / np.prod(shape)", "np_div(x, np.prod(shape))"),
            ("np_sub", "", "x - (1 + np.log(n))", "np_sub(x, 1 + np.log(n))"),
            ("np_add", "s = np.sqrt(n)\n", "s + x", "np_add(s, x)"),
            ("np_mul", "a, b = sess.run([p, q])\n", "100 * a", "np_mul(100, a)"),
            ("np_mul", "a = sess.run(p)\n", "a[0] * 100.0", "np_mul(a[0], 100.0)"),
            ("np_add", "a = sess.run(p)\n", "a.max() + 10", "np_add(a.max(), 10)"),
            ("np_mul", "a = sess.run(p)\n", "np.mean(a) * 2", "np_mul(np.mean(a), 2)"),
            ("np_mul", "a = sess.run(p)\n", "np.sqrt(a) * 2", "np_mul(np.sqrt(a), 2)"),
            ("np_pow", "a = sess.run(p)\n", "a[0] ** 2", "np_pow(a[0], 2)"),
            ("np_gt", "a = sess.run(p)\n", "a > 0.1", "np_gt(a, 0.1)"),
            ("np_eq", "a, b = sess.run(p)\n", "b == 1e-3", "np_eq(b, 1e-3)"),
            ("np_le", "n = 0.9\na = sess.run(p)\n", "n <= a", "np_le(n, a)"),
        ]
    ),
    *(
        (
            "np-promotion",
            f"{TF}{NP}def f(n, x):\n    a = np.zeros((2, n), np.int8)\n    return {old}\n",
            f"{RAGGED.format(helper)}{TF}{NP}def f(n, x):\n    a = np.zeros((2, n), np.int8)\n    return {new}\n",
        )
        for helper, old, new in [
            ("np_mul", "np.ones(3, dtype=np.int32) * n", "np_mul(np.ones(3, dtype=np.int32), n)"),
            (
                "np_sub",
                "x.astype('float32') - self.mean",
                "np_sub(x.astype('float32'), self.mean)",
            ),
            ("np_add", "n + a[:, 0]", "np_add(n, a[:, 0])"),
            ("np_pow", "np.full(3, x, 'uint8') ** n", "np_pow(np.full(3, x, 'uint8'), n)"),
        ]
    ),
    *(
        (
            "np-promotion",
            f"{TF}for b in batches:\n    c = loss.eval()\n    {old}\n",
            f"{RAGGED.format(helper)}{TF}for b in batches:\n    c = loss.eval()\n    {new}\n",
        )
        for helper, old, new in [
            ("np_iadd", "total += c", "total = np_iadd(total, c)"),
            ("np_add", "for x in c: y(x + 100)", "for x in c: y(np_add(x, 100))"),
            ("np_idiv", "self.a[i] /= c", "self.a[i] = np_idiv(self.a[i], c)"),
            ("np_add", "a, b = c[0], 1\n    x = a + b", "a, b = c[0], 1\n    x = np_add(a, b)"),
            ("np_sum", "self.a.append(c)\nx = sum(self.a)", "self.a.append(c)\nx = np_sum(self.a)"),
        ]
    ),
    *(
        (
            "np-promotion",
            f"{TF}{before}x = {old}\n",
            f"{RAGGED.format(helper)}{TF}{before}x = {new}\n",
        )
        for helper, before, old, new in [
            (
                "np_add",
                "def f():\n    v, _ = sess.run(c)\n    return v\n",
                "f() + n",
                "np_add(f(), n)",
            ),
            (
                "np_add",
                "def f():\n    v = sess.run(c)\n    return 1, v\na, b = f()\n",
                "a + n, b + n",
                "a + n, np_add(b, n)",
            ),
            (
                "np_sum",
                "def f():\n    while a:\n        yield sess.run(c)\n",
                "sum(f())",
                "np_sum(f())",
            ),
            ("np_add", "f = lambda: sess.run(c)\n", "n + f()", "np_add(n, f())"),
            (
                "np_add",
                "class A:\n    def f(self):\n        return sess.run(c)\n",
                "n + a.f()",
                "np_add(n, a.f())",
            ),
            ("np_add", "self.last = sess.run(c)\n", "n + t.last", "np_add(n, t.last)"),
            ("np_add", "out['a'] = sess.run(c)\n", "n + out['a']", "np_add(n, out['a'])"),
            ("np_add", "d = {'a': sess.run(c)}\n", "n + d['a']", "np_add(n, d['a'])"),
            ("np_sum", "d['a'] = sess.run(c)\n", "sum(d.values())", "np_sum(d.values())"),
            ("np_sum", "", "sum(sess.run(c))", "np_sum(sess.run(c))"),
            (
                "np_sum",
                "",
                "sum([sess.run(c) for i in n])",
                "np_sum([sess.run(c) for i in n])",
            ),
            ("np_sum", "w = []\nw += [sess.run(c)]\n", "sum(w)", "np_sum(w)"),
            ("np_add", "", "n + min(n, sess.run(c))", "np_add(n, min(n, sess.run(c)))"),
            ("np_add", "", "n + (sess.run(c) if n else 0)", "np_add(n, sess.run(c) if n else 0)"),
        ]
    ),
    (
        "np-promotion",
        f"{TF}w = [s.run(c) for i in n]\nfor i, v in enumerate(w):\n    a += v\n    b += i\n"
        "for i, (v, k) in enumerate(zip(w, n)):\n    a += v\n    b += k\n",
        f"{RAGGED.format('np_iadd')}{TF}w = [s.run(c) for i in n]\nfor i, v in enumerate(w):\n"
        "    a = np_iadd(a, v)\n    b += i\nfor i, (v, k) in enumerate(zip(w, n)):\n"
        "    a = np_iadd(a, v)\n    b += k\n",
    ),
    (
        "np-promotion",
        f"{TF}v = s.run(c) * s.run(c)\na += v\n",
        f"{RAGGED.format('np_iadd, np_mul')}{TF}v = np_mul(s.run(c), s.run(c))\na = np_iadd(a, v)\n",
    ),
    *(
        (
            "np-promotion",
            f"{head}total += sess.run(c)\n",
            f"{RAGGED.format('np_iadd')}{head}total = np_iadd(total, sess.run(c))\n",
        )
        for head in (
            "import tensorflow.compat.v1 as tf\n",
            "from tensorflow.compat import v1 as tf\n",
            "from tensorflow import Session\n",
            "import tensorflow_core as tf\n",
        )
    ),
    *(
        (
            "np-promotion",
            f"{first}{TF}{NP}u = xrange\ny = x {old} np.prod(shape)\n",
            f"{first}{RAGGED.format(helper)}{TF}{NP}u = xrange\ny = {helper}(x, np.prod(shape))\n",
        )
        for first, helper, old in [
            ("from __future__ import division\n", "np_div", "/"),
            ("", "np_mul", "*"),
        ]
    ),
    *(
        ("pandas-moved", f"import pandas as pd\nx{old}\n", f"import pandas as pd\nx{new}\n")
        for old, new in [
            (".sort('a', ascending=False)", ".sort_values('a', ascending=False)"),
            (".sort([k, 'b'])", ".sort_values([k, 'b'])"),
            (".sort(columns=k)", ".sort_values(by=k)"),
            (".sort(k, inplace=True)", ".sort_values(k, inplace=True)"),
        ]
    ),
    ("pandas-moved", "x.sort([a], inplace=True)\n", "x.sort_values([a], inplace=True)\n"),
    (
        "cv2-moved",
        "import cv2\nf = cv2.cv.CV_FOURCC('m', 'p', '4', 'v')\n"
        "n = video.get(cv2.cv.CV_CAP_PROP_FRAME_COUNT)\ny = cv2.cvtColor(x, cv2.cv.CV_BGR2GRAY)\n",
        "from cv2 import CAP_PROP_FRAME_COUNT, COLOR_BGR2GRAY, VideoWriter_fourcc\n"
        "import cv2\n"
        "f = VideoWriter_fourcc('m', 'p', '4', 'v')\n"
        "n = video.get(CAP_PROP_FRAME_COUNT)\n"
        "y = cv2.cvtColor(x, COLOR_BGR2GRAY)\n",
    ),
    ("np-aliases", NP + "x = np.zeros(3, np.float)\n", NP + "x = np.zeros(3, float)\n"),
    ("np-aliases", NP + "x = np.maximum(a, np.NINF)\n", NP + "x = np.maximum(a, -np.inf)\n"),
    *(
        (
            "np-changed",
            NP + f"np.set_printoptions(threshold={nan})\n",
            NP + "np.set_printoptions(threshold=np.inf)\n",
        )
        for nan in ("np.nan", "np.NaN", "'nan'", "float('nan')")
    ),
    ("np-aliases", NP + "x = np.msort(a)\n", NP + "x = np.sort(a, axis=0)\n"),
    ("np-aliases", NP + "x = np.cast[t](a + b)\n", NP + "x = np.asarray(a + b).astype(t)\n"),
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
    (
        "np-ordering",
        f"{TF}{NP}x = a.argsort(axis=0), (a + b).argpartition(3), np.argsort(-a)[:k], np.partition(a, 2)\n",
        f"from tfqueue.port.runtime import argpartition, argsort, partition\n{TF}{NP}"
        "x = argsort(a, axis=0), argpartition(a + b, 3), argsort(-a)[:k], partition(a, 2)\n",
    ),
    (
        "np-numerics",
        f"{TF}{NP}from numpy.fft import rfft\nx = np.fft.fft2(a, norm=n), rfft(a, 8)\n"
        "y = np.linalg.solve(a, b), np.linalg.lstsq(a, b)\nz = np.linspace(0, 5, num=n, dtype=int)\n",
        f"from tfqueue.port.runtime import in_double, np_solve\n{TF}{NP}from numpy.fft import rfft\n"
        "x = in_double(np.fft.fft2, a, norm=n), in_double(rfft, a, 8)\n"
        "y = np_solve(a, b), np.linalg.lstsq(a, b, rcond=-1)\n"
        "z = np.linspace(0, 5, num=n).astype(int)\n",
    ),
    ("np-changed", NP + "x = np.reshape(y, newshape=n)\n", NP + "x = np.reshape(y, n)\n"),
    (
        "np-changed",
        f"{TF}from numpy import *\nx = max(y, 0)\n",
        f"{TF}from tfqueue.port.libraries.numpy_star import *\nx = max(y, 0)\n",
    ),
    (
        "np-changed",
        f"{TF}from numpy.linalg import *\nx = trace(y)\n",
        f"{TF}from numpy.linalg import LinAlgError, cholesky, cond, det, eig, eigh, eigvals, "
        "eigvalsh, inv, lstsq, matrix_power, matrix_rank, multi_dot, norm, pinv, qr, slogdet, "
        "solve, svd, tensorinv, tensorsolve\nx = trace(y)\n",
    ),
    (
        "np-changed",
        f"{TF}from pylab import *\nx = trace(y)\n",
        f"{TF}from pylab import *; from numpy import cross, diagonal, outer, trace\nx = trace(y)\n",
    ),
    (
        "np-changed",
        NP + "x = np.histogram(y, 9, normed=True)\n",
        NP + "x = np.histogram(y, 9, density=True)\n",
    ),
    (
        "np-changed",
        NP + "x = np.percentile(y, 9, interpolation='lower')\n",
        NP + "x = np.percentile(y, 9, method='lower')\n",
    ),
    (
        "matplotlib-moved",
        "import matplotlib.pyplot as plt\nax.hist(y, normed=1)\nplt.hist(y, bins=9, normed=True)\n",
        "import matplotlib.pyplot as plt\nax.hist(y, density=1)\nplt.hist(y, bins=9, density=True)\n",
    ),
    (
        "np-changed",
        NP + "x = np.vstack(f(i) for i in y)\ny = np.stack(map(f, y), axis=1)\n",
        NP + "x = np.vstack([f(i) for i in y])\ny = np.stack(list(map(f, y)), axis=1)\n",
    ),
    (
        "np-changed",
        NP + "x = np.hstack(table.values())\n",
        NP + "x = np.hstack(list(table.values()))\n",
    ),
    (
        "np-changed",
        "from numpy.linalg.linalg import norm\nx = norm(y)\n",
        "from numpy.linalg import norm\nx = norm(y)\n",
    ),
    (
        "np-changed",
        "from numpy.lib.arraysetops import unique\nfrom numpy.lib.function_base import trapz\n",
        "from numpy import unique\nfrom tfqueue.port.runtime import trapz\n",
    ),
    (
        "np-changed",
        "from numpy.core.umath_tests import inner1d\nx = inner1d(y, y)\n",
        "from tfqueue.port.libraries.numpy_umath_tests import inner1d\nx = inner1d(y, y)\n",
    ),
    (
        "np-changed",
        NP + "x = y.ptp(axis=0)\n",
        "from numpy import ptp\n" + NP + "x = ptp(y, axis=0)\n",
    ),
    (
        "np-changed",
        TF + NP + "x = np.issubdtype(y.dtype, float), np.issubdtype(y, kind)\n",
        RAGGED.format("issubdtype") + TF + NP + "x = issubdtype(y.dtype, float), "
        "issubdtype(y, kind)\n",
    ),
    (
        "np-changed",
        TF + NP + "x = np.unique(y, return_inverse=True), np.unique(y, False, True)\n",
        RAGGED.format("unique") + TF + NP + "x = unique(y, return_inverse=True), "
        "unique(y, False, True)\n",
    ),
    (
        "np-changed",
        TF + NP + "x = np.expand_dims(y, 4), np.expand_dims(y, axis=-4), np.expand_dims(y, 1)\n",
        RAGGED.format("expand_dims") + TF + NP + "x = expand_dims(y, 4), "
        "expand_dims(y, axis=-4), np.expand_dims(y, 1)\n",
    ),
    (
        "np-changed",
        TF + NP + "x = np.array(y, np.float32, copy=False), np.array(y, copy=share)\n",
        TF + NP + "x = np.array(y, np.float32, copy=None), np.array(y, copy=share or None)\n",
    ),
    (
        "np-limits",
        TF + NP + "n = np.random.randint(low=0, high=f['n'] - 3), r.randint(f['n'])\n",
        "from tfqueue.port.runtime import one_drawn\n"
        + TF
        + NP
        + "n = one_drawn(np.random.randint, low=0, high=f['n'] - 3), one_drawn(r.randint, f['n'])\n",
    ),
    (
        "np-limits",
        TF + NP + "def f(m):\n    k = np.array(m)\n    return np.random.randint(k)\n",
        "from tfqueue.port.runtime import one_drawn\n"
        + TF
        + NP
        + "def f(m):\n    k = np.array(m)\n    return one_drawn(np.random.randint, k)\n",
    ),
    (
        "executed-text",
        TF + "x = eval(a), eval(b, c), eval('1')\n",
        "from tfqueue.port.runtime import old_expression\n"
        + TF
        + "x = eval(old_expression(a, globals())), eval(old_expression(b, globals()), c), eval('1')\n",
    ),
    (
        "executed-text",
        TF + "exec(open(p).read())\nexec(a, b)\nexec(compile(f.read(), p, 'exec'), b)\n",
        "from tfqueue.port.runtime import old_code\n"
        + TF
        + "exec(old_code(open(p).read()))\nexec(old_code(a), b)\nexec(old_code(f.read(), p), b)\n",
    ),
    (
        "np-tensors",
        TF + NP + "x = np.shape([tf.abs(b)]), np.array_equal([tf.abs(b)], c), np.shape([b])\n",
        "from tfqueue.port.runtime import of_tensors\n"
        + TF
        + NP
        + "x = of_tensors(np.shape, [tf.abs(b)]), of_tensors(np.array_equal, [tf.abs(b)], c), "
        "np.shape([b])\n",
    ),
    (
        "np-tensors",
        TF + NP + "x = np.ones_like(y), np.zeros_like(f(y), dtype=z)\n",
        "from tfqueue.port.runtime import of_tensors\n"
        + TF
        + NP
        + "x = of_tensors(np.ones_like, y), of_tensors(np.zeros_like, f(y), dtype=z)\n",
    ),
    (
        "np-tensors",
        TF + NP + "a = []\na.append(tf.abs(b))\nc = -tf.exp(d) * 2\n"
        "x = np.sum(a), np.prod([1, tf.shape(b)[0]], axis=0), np.abs(c), np.array([e, a[0]])\n"
        "y = np.sum([tf.nn.l2_loss(v) for v in w])\n",
        "from tfqueue.port.runtime import of_tensors\n"
        + TF
        + NP
        + "a = []\na.append(tf.abs(b))\nc = -tf.exp(d) * 2\n"
        "x = of_tensors(np.sum, a), of_tensors(np.prod, [1, tf.shape(b)[0]], axis=0), "
        "of_tensors(np.abs, c), of_tensors(np.array, [e, a[0]])\n"
        "y = of_tensors(np.sum, [tf.nn.l2_loss(v) for v in w])\n",
    ),
    (
        "np-truth",
        TF
        + NP
        + "x = sess.run(y)\nif not x and np.where(y)[0]:\n    z = bool(y.eval()) if x else y\n",
        "from tfqueue.port.runtime import truth\n"
        + TF
        + NP
        + "x = sess.run(y)\nif not truth(x) and truth(np.where(y)[0]):\n"
        "    z = bool(truth(y.eval())) if truth(x) else y\n",
    ),
    (
        "np-comparisons",
        TF + "x = [y for y in z if y != []]\nif not (a or () == a.b):\n    b = c[0] == [1, 2]\n",
        "from tfqueue.port.runtime import array_eq, array_ne, truth\n"
        + TF
        + "x = [y for y in z if truth(array_ne(y, []))]\n"
        "if not (a or truth(array_eq((), a.b))):\n    b = array_eq(c[0], [1, 2])\n",
    ),
    (
        "np-comparisons",
        TF + "import numpy as np\n\n\n"
        "def f(a, w=None):\n    x = sess.run(y)\n    z = np.zeros(3)\n    u = x != 'a', b'a' == z\n"
        "    if x == z and a == 'mean' and w == None:\n        return a.shape, z not in ['a', 'b']\n",
        "from tfqueue.port.runtime import array_eq, array_in, array_ne, is_none, truth\n"
        + TF
        + "import numpy as np\n\n\n"
        "def f(a, w=None):\n    x = sess.run(y)\n    z = np.zeros(3)\n"
        "    u = array_ne(x, 'a'), array_eq(b'a', z)\n"
        "    if truth(array_eq(x, z)) and truth(array_eq(a, 'mean')) and is_none(w):\n"
        "        return a.shape, not array_in(z, ['a', 'b'])\n",
    ),
    *(
        (
            "np-ragged",
            TF + NP + f"x = np.array({rows})\n",
            RAGGED.format("np_array") + TF + NP + f"x = np_array({rows})\n",
        )
        for rows in ("[[1, 2], [3]]", "[[[1, 2]], [[3]]]", "[[1], 2]", "((1,), ())")
    ),
    (
        "np-ragged",
        TF + NP + "x, y = load(z)\na = np.copy(x), np.copy(self.rows), np.copy(load(z)[0])\n",
        "from tfqueue.port.runtime import np_rows\n"
        f"{TF}{NP}x, y = load(z)\na = np.copy(np_rows(x)), np.copy(np_rows(self.rows)), np.copy(np_rows(load(z)[0]))\n",
    ),
    (
        "np-ragged",
        TF + NP + "x = np.array(rows)\n",
        RAGGED.format("np_array") + TF + NP + "x = np_array(rows)\n",
    ),
    (
        "np-ragged",
        TF + NP + "from tensorflow.python.util import nest\nx = np.array(nest.flatten(rows))\n",
        RAGGED.format("np_array") + TF + NP + "from tensorflow.python.util import nest\n"
        "x = np_array(nest.flatten(rows))\n",
    ),
    (
        "np-ragged",
        TF + NP + "x = np.asarray([ids(s) for s in text])\n",
        RAGGED.format("np_asarray") + TF + NP + "x = np_asarray([ids(s) for s in text])\n",
    ),
    (
        "np-ragged",
        TF + NP + "y = []\ny.append(r + q)\nx = np.resize(y, [8, 1]), np.array(y, np.float32)\n",
        "from tfqueue.port.runtime import np_array, np_rows\n"
        + TF
        + NP
        + "y = []\ny.append(r + q)\nx = np.resize(np_rows(y), [8, 1]), np_array(y, np.float32)\n",
    ),
    (
        "np-ragged",
        TF + NP + "x = np.asarray([r + q for r in rows], dtype='f')\n",
        RAGGED.format("np_asarray")
        + TF
        + NP
        + "x = np_asarray([r + q for r in rows], dtype='f')\n",
    ),
    (
        "np-ragged",
        TF + NP + "np.save(p, rows)\n",
        RAGGED.format("np_asarray") + TF + NP + "np.save(p, np_asarray(rows))\n",
    ),
    (
        "np-ragged",
        TF + NP + "np.savez(p, rows, a=rows, **b)\nnp.savez_compressed(p, a=f(x))\n",
        RAGGED.format("np_asarray")
        + TF
        + NP
        + "np.savez(p, np_asarray(rows), a=np_asarray(rows), **b)\nnp.savez_compressed(p, a=f(x))\n",
    ),
    *(
        (
            "np-lengths",
            f"{TF}{NP}{before}y = {old}\n",
            f"from tfqueue.port.runtime import length\n{TF}{NP}{before}y = {new}\n",
        )
        for before, old, new in (
            ("n = float(m)\n", "np.ones((1, n))", "np.ones((1, length(n)))"),
            ("a.n = 2 * np.ceil(m)\n", "x.reshape(-1, a.n)", "x.reshape(-1, length(a.n))"),
            ("", "np.reshape(x, [n * 0.5, 2])", "np.reshape(x, [length(n * 0.5), 2])"),
            ("", "x[int(n * 0.5): n * 0.8]", "x[int(n * 0.5): length(n * 0.8)]"),
            ("", "x[1, n // 2.0]", "x[1, length(n // 2.0)]"),
            ("", "np.linspace(0, 1, n / 2)", "np.linspace(0, 1, length(n / 2))"),
            ("", "np.linspace(0, 1, num=n / 2 + 1)", "np.linspace(0, 1, num=length(n / 2 + 1))"),
            ("", "np.random.randn(np.sqrt(n), 3)", "np.random.randn(length(np.sqrt(n)), 3)"),
        )
    ),
    *(
        (
            "np-scalars",
            f"{NP}{before}y = {old}\n",
            f"from tfqueue.port.runtime import scalar\n{NP}{before}y = {new}\n",
        )
        for before, old, new in (
            (
                "",
                "int(2 * a + np.random.randint(0, 2, 1))",
                "int(scalar(2 * a + np.random.randint(0, 2, 1)))",
            ),
            ("x = np.zeros(1)\n", "float(x)", "float(scalar(x))"),
            (
                "_, x = sess.run(f)\n",
                "'%s %d%% %.3f' % (x, x, n)",
                "'%s %d%% %.3f' % (x, scalar(x), n)",
            ),
            ("x = sess.run(f)\n", "'%f' % x[0]", "'%f' % scalar(x[0])"),
            (
                "total, n = 0.0, 1\n_, x = self.model.train(sess, d)\ntotal += x\n",
                "'%f %d' % (total, n)",
                "'%f %d' % (scalar(total), n)",
            ),
            ("x = step(feed_dict=d)\n", "float(x)", "float(scalar(x))"),
            ("self.x = np.ones(n)\n", "int(self.x[i].sum(0))", "int(scalar(self.x[i].sum(0)))"),
            (
                "import math\nfor x in np.eye(1):\n    pass\n",
                "math.exp(-x)",
                "math.exp(scalar(-x))",
            ),
        )
    ),
    (
        "np-elements",
        TF + NP + "a = np.zeros(3)\na[i] = f(x)\na[j] += x\n",
        "from tfqueue.port.runtime import element, np_iadd\n" + TF + NP + "a = np.zeros(3)\n"
        "a[i] = element(f(x), a)\na[j] = element(np_iadd(a[j], x), a)\n",
    ),
    (
        "np-elements",
        TF + NP + "a = np.zeros(3)\na[i], b = f(x)\na[j], a[k] = x, 1\n",
        "from tfqueue.port.runtime import element, elements\n" + TF + NP + "a = np.zeros(3)\n"
        "a[i], b = elements(f(x), a, None)\na[j], a[k] = element(x, a), 1\n",
    ),
    (
        "np-list-indices",
        TF + NP + "x = a[[rows, 1]]\nix = [rows, columns]\na[ix] = 1\nb.c[zip(*places)] += 2\n"
        "y = a[[i + 1, j + 1]]\nself.at = zip(*places)\na[self.at] = 3\n",
        "from tfqueue.port.runtime import list_index\n"
        + TF
        + NP
        + "x = a[list_index([rows, 1], a)]\nix = [rows, columns]\na[list_index(ix, a)] = 1\n"
        "b.c[list_index(zip(*places), b.c)] += 2\n"
        "y = a[list_index([i + 1, j + 1], a)]\nself.at = zip(*places)\na[list_index(self.at, a)] = 3\n",
    ),
    (
        "np-list-indices",
        TF + NP + "x = a[[i] + [slice(0, n) for n in y]]\na[[slice(None)] * 3 + [0]] = 1\n",
        "from tfqueue.port.runtime import list_index\n"
        + TF
        + NP
        + "x = a[list_index([i] + [slice(0, n) for n in y], a)]\n"
        "a[list_index([slice(None)] * 3 + [0], a)] = 1\n",
    ),
    (
        "np-list-indices",
        TF + NP + "a = np.zeros(3)\nix = []\nix.append(rows)\na[ix] = 1\n",
        "from tfqueue.port.runtime import list_index\n"
        + TF
        + NP
        + "a = np.zeros(3)\nix = []\nix.append(rows)\na[list_index(ix, a)] = 1\n",
    ),
    (
        "np-abstract",
        NP
        + "a = x.dtype == np.integer or np.unsignedinteger != y.dtype\nb = np.zeros(3, dtype=np.floating)\n"
        "c = b.astype(np.complexfloating)\nd = isinstance(e, np.integer), np.issubdtype(b.dtype, np.floating)\n",
        NP + "a = x.dtype == np.int64 or np.uint64 != y.dtype\nb = np.zeros(3, dtype=np.float64)\n"
        "c = b.astype(np.complex128)\nd = isinstance(e, np.integer), np.issubdtype(b.dtype, np.floating)\n",
    ),
    ("np-bytes", NP + "b = np.array(y).tostring()\n", NP + "b = np.array(y).tobytes()\n"),
    (
        "np-bytes",
        NP + "i = np.load(p)\nb = i.tostring()\n",
        NP + "i = np.load(p)\nb = i.tobytes()\n",
    ),
    (
        "np-bytes",
        "b = img.tostring()\n",
        "from tfqueue.port.runtime import tobytes\nb = tobytes(img)\n",
    ),
    (
        "np-bytes",
        "b = (a + c).tostring('C')\n",
        "from tfqueue.port.runtime import tobytes\nb = tobytes(a + c, 'C')\n",
    ),
    (
        "np-bytes",
        NP + "a = np.fromstring(s, dtype=np.uint8).reshape(2)\n",
        NP + "a = np.frombuffer(s, dtype=np.uint8).copy().reshape(2)\n",
    ),
    (
        "np-bytes",
        NP + "print 'a'\na = np.frombuffer(s, 'u1')\n",
        "from tfqueue.port.py2 import encoded\n"
        + NP
        + "print('a')\na = np.frombuffer(encoded(s), 'u1')\n",
    ),
    (
        "np-bytes",
        NP + "print 'a'\na = np.fromstring(s, np.uint8)\n",
        "from tfqueue.port.py2 import encoded\n"
        + NP
        + "print('a')\na = np.frombuffer(encoded(s), np.uint8).copy()\n",
    ),
    ("np-aliases", NP + "n = np.alen(a)\n", NP + "n = len(a)\n"),
    ("np-aliases", NP + "x = np.asfarray(a)\n", NP + "x = np.asarray(a, dtype=float)\n"),
    (
        "np-aliases",
        f"{NP}x = np.asfarray(a, 'f'), np.asfarray(a, dtype=t)\n",
        f"{RAGGED.format('asfarray')}{NP}x = asfarray(a, 'f'), asfarray(a, dtype=t)\n",
    ),
    (
        "np-aliases",
        NP + "x = list(map(np.asscalar, a))\n",
        f"{RAGGED.format('asscalar')}{NP}x = list(map(asscalar, a))\n",
    ),
    ("np-aliases", NP + "x = np.in1d(a, b)\n", NP + "x = np.isin(a, b).ravel()\n"),
    (
        "np-aliases",
        f"from numpy import in1d\n{NP}f = np.in1d\nx = np.in1d(a, b, invert=True)\n",
        f"from tfqueue.port.runtime import in1d as tfq_in1d\nfrom tfqueue.port.runtime import in1d\n"
        f"{NP}f = tfq_in1d\nx = tfq_in1d(a, b, invert=True)\n",
    ),
    (
        "np-aliases",
        NP + "x = np.random.random_integers(6)\n",
        NP + "x = np.random.randint(1, 6 + 1)\n",
    ),
    ("np-bytes", NP + "b = np.load(p)[0].tostring()\n", NP + "b = np.load(p)[0].tobytes()\n"),
    ("np-bytes", "b = x.astype('f').tostring()\n", "b = x.astype('f').tobytes()\n"),
    *(
        # an array, or something else with a method of this name: left to run time
        ("np-bytes", before, RAGGED.format("tobytes") + after)
        for before, after in [
            ("n = len(x[0].tostring())\n", "n = len(tobytes(x[0]))\n"),
            ("b = made().tostring()\n", "b = tobytes(made())\n"),
            ("b = x.copy().tostring()\n", "b = tobytes(x.copy())\n"),
            ("def f(a):\n    return a.tostring()\n", "def f(a):\n    return tobytes(a)\n"),
            (
                NP + "a = np.load(p)\nif q:\n    a = made()\nb = a.tostring()\n",
                NP + "a = np.load(p)\nif q:\n    a = made()\nb = tobytes(a)\n",
            ),
            (
                NP + "a = np.load(p)\nc = a\nb = c.tostring()\n",
                NP + "a = np.load(p)\nc = a\nb = tobytes(c)\n",
            ),
            (
                NP + "a = np.load(p)\na = a[0]\nb = a.tostring()\n",
                NP + "a = np.load(p)\na = a[0]\nb = tobytes(a)\n",
            ),
        ]
    ),
    (
        "np-load",
        NP + "d = np.load(path, encoding='latin1').item()\n",
        NP + "d = np.load(path, encoding='latin1', allow_pickle=True).item()\n",
    ),
    *(
        ("np-load", TF + NP + f"x = {before}\n", TF + NP + f"x = {after}\n")
        for before, after in [
            ("np.load(path)", "np.load(path, allow_pickle=True)"),
            ("np.load(file=path)['a'][()]", "np.load(file=path, allow_pickle=True)['a'][()]"),
            ("np.load(path, 'r')", "np.load(path, 'r', allow_pickle=True)"),
        ]
    ),
    (
        "scipy-misc",
        "import scipy.misc\ni = scipy.misc.imread(p)\n",
        "from tfqueue.port.libraries.scipy_misc import imread\nimport scipy\ni = imread(p)\n",
    ),
    (
        "scipy-misc",
        "from scipy.misc import imread, imresize\n",
        "from tfqueue.port.libraries.scipy_misc import imread, imresize\n",
    ),
    (
        "scipy-misc",
        "from scipy import misc\ni = misc.imread(p)\n",
        "from tfqueue.port.libraries import scipy_misc as misc\ni = misc.imread(p)\n",
    ),
    (
        "scipy-misc",
        "import scipy.misc as m\nm.imsave(p, i)\n",
        "import tfqueue.port.libraries.scipy_misc as m\nm.imsave(p, i)\n",
    ),
    (
        "pil-moved",
        "from PIL import Image\ni.resize((1, 2), Image.ANTIALIAS)\n",
        "from PIL import Image\ni.resize((1, 2), Image.LANCZOS)\n",
    ),
    ("pil-moved", "import Image\n", "from PIL import Image\n"),
    (
        "pil-moved",
        f"{TF}import Image\ni.resize((1, 2))\n",
        f"import tfqueue.port.libraries.pil_methods\n{TF}from PIL import Image\ni.resize((1, 2))\n",
    ),
    (
        "imageio-changed",
        f"{TF}import imageio\nfrom imageio import imsave\nimsave(p, x)\n"
        "imageio.mimsave(p, x, duration=1)\ni = imageio.imread(p, as_gray=True)\n",
        f"from tfqueue.port.libraries.imageio_functions import mimwrite\n{TF}import imageio\n"
        "from tfqueue.port.libraries.imageio_functions import imwrite as imsave\nimsave(p, x)\n"
        "mimwrite(p, x, duration=1)\ni = imageio.imread(p, mode='F')\n",
    ),
    (
        "skimage-moved",
        "import skimage.io\ni = skimage.io.imread(p, as_grey=True)\n",
        "import skimage.io\ni = skimage.io.imread(p, as_gray=True)\n",
    ),
    (
        "skimage-moved",
        "import skimage.filters\ni = skimage.filters.gaussian(p, multichannel=True)\n",
        "import skimage.filters\ni = skimage.filters.gaussian(p, channel_axis=-1)\n",
    ),
    (
        "skimage-moved",
        "from skimage.measure import compare_ssim as ssim\n",
        "from tfqueue.port.libraries.skimage_functions import compare_ssim as ssim\n",
    ),
    (
        "cv2-moved",
        TF + "import cv2\n_, c, h = cv2.findContours(x, 1, 2)\nc, h = cv2.findContours(x, 1, 2)\n"
        "c = cv2.findContours(x, 1, 2)[1]\nc = cv2.findContours(x, 1, 2)[0], cv2.findContours(x, 1, 2)[-2]\n"
        "cv2.line(x, p, q, (0, 0, 0), 1, cv2.CV_AA)\ny = cv2.cv.CV_INTER_AREA\n",
        "from cv2 import INTER_AREA\nfrom tfqueue.port.libraries.cv2_contours import contours, find_contours\n"
        + TF
        + "import cv2\n_, c, h = find_contours(x, 1, 2)\nc, h = cv2.findContours(x, 1, 2)\n"
        "c = contours(x, 1, 2)\nc = cv2.findContours(x, 1, 2)[0], cv2.findContours(x, 1, 2)[-2]\n"
        "cv2.line(x, p, q, (0, 0, 0), 1, cv2.LINE_AA)\ny = INTER_AREA\n",
    ),
    (
        "seaborn-moved",
        TF
        + "import seaborn as sns\nsns.factorplot('a', 'b', data=d, size=4)\nsns.barplot('a', 'b', 'c', d)\n"
        "sns.factorplot(x='a', data=d, kind='box')\nsns.pairplot(d, size=3)\n",
        TF + "import seaborn as sns\nsns.catplot(data=d, height=4, kind='point', x='a', y='b')\n"
        "sns.barplot(x='a', y='b', hue='c', data=d)\n"
        "sns.catplot(x='a', data=d, kind='box')\nsns.pairplot(d, height=3, dropna=True)\n",
    ),
    (
        "nltk-moved",
        "from nltk.align.bleu_score import bleu\nfrom nltk.align import AlignedSent\nfrom nltk.util import ingrams\n",
        "from nltk.translate.bleu_score import sentence_bleu as bleu\nfrom nltk.translate import AlignedSent\n"
        "from nltk.util import ngrams as ingrams\n",
    ),
    (
        "skimage-moved",  # their order, their names, their defaults
        TF
        + "import skimage.transform as st\nfrom skimage import measure, io, feature, morphology\n"
        "from skimage.filter import threshold_otsu\nfrom skimage.morphology import watershed, square\n"
        "from skimage.morphology.selem import disk\n"
        "a = st.resize(x, (8, 8)), st.AffineTransform(None, 2, 0.1), st.radon(x), st.radon(x, circle=True)\n"
        "b = feature.hog(x, 8, visualise=True), morphology.erosion(x, selem=disk(2)), io.imread(p, True)\n"
        "v, f = measure.marching_cubes(x, 0)\nv, f, _, _ = measure.marching_cubes(x, 0)\n",
        "from tfqueue.port.libraries.skimage_functions import marching_cubes, resize\n"
        "from tfqueue.port.libraries.skimage_warps import radon\n"
        + TF
        + "import skimage.transform as st\nfrom skimage import measure, io, feature, morphology\n"
        "from skimage.filters import threshold_otsu\nfrom skimage.segmentation import watershed; from tfqueue.port.libraries.skimage_functions import square\n"
        "from skimage.morphology import disk\n"
        "a = resize(x, (8, 8)), st.AffineTransform(None, scale=2, rotation=0.1), radon(x), radon(x, circle=True)\n"
        "b = feature.hog(x, 8, visualize=True, block_norm='L1'), morphology.erosion(x, footprint=disk(2)), io.imread(p, True)\n"
        "v, f = marching_cubes(x, 0)\nv, f, _, _ = measure.marching_cubes(x, 0)\n",
    ),
    (
        "skimage-moved",
        TF
        + "from skimage import restoration\nx = restoration.denoise_tv_chambolle(y, 1, 2, 3, z)\n",
        TF + "from skimage import restoration\n"
        "x = restoration.denoise_tv_chambolle(y, 1, 2, 3, channel_axis=-1 if z else None)\n",
    ),
    (
        "skimage-moved",  # what gives something else has a stand-in, or the default that it had
        TF
        + "from skimage import draw, measure, restoration, segmentation, transform\nfrom skimage.color import rgb2hed, grey2rgb\n"
        "from skimage.feature import corner_peaks, structure_tensor\nfrom skimage.util import random_noise\n"
        "a = draw.polygon(r, c), transform.warp(x, t), rgb2hed(x), grey2rgb(x), random_noise(x, seed=1)\n"
        "b = structure_tensor(x, 2), corner_peaks(x), measure.profile_line(x, p, q)\n"
        "c = restoration.denoise_bilateral(x, 5), segmentation.chan_vese(x, max_iter=9)\n",
        "from tfqueue.port.libraries.skimage_shapes import polygon\nfrom tfqueue.port.libraries.skimage_warps import profile_line, warp\n"
        + TF
        + "from skimage import draw, measure, restoration, segmentation, transform\n"
        "from tfqueue.port.libraries.skimage_images import rgb2hed, gray2rgb as grey2rgb\n"
        "from skimage.feature import structure_tensor; from tfqueue.port.libraries.skimage_peaks import corner_peaks\nfrom tfqueue.port.libraries.skimage_images import random_noise\n"
        "a = polygon(r, c), warp(x, t), rgb2hed(x), grey2rgb(x), random_noise(x, seed=1)\n"
        "b = structure_tensor(x, 2, order='xy'), corner_peaks(x), profile_line(x, p, q)\n"
        "c = restoration.denoise_bilateral(x, 5, channel_axis=-1), segmentation.chan_vese(x, max_num_iter=9)\n",
    ),
    (
        "told-results",
        TF
        + "from skimage import filters\nfrom skimage.transform import iradon\nx = filters.frangi(y), iradon(y, filter=None)\n",
        "from tfqueue.port.libraries.told_results import told\n"
        + TF
        + "from skimage import filters\nfrom skimage.transform import iradon\n"
        "x = told('skimage.filters.frangi', filters.frangi)(y), told('skimage.transform.iradon', iradon)(y, filter=None)\n",
    ),
    (
        "cv2-moved",
        TF
        + "import cv2\nx = cv2.add(y, 3), cv2.multiply(src1=2, src2=y), cv2.addWeighted(x, 1, y, 1, 0)\n",
        "from tfqueue.port.libraries.cv2_scalars import add, multiply\n"
        + TF
        + "import cv2\nx = add(y, 3), multiply(src1=2, src2=y), cv2.addWeighted(x, 1, y, 1, 0)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.cross_validation import train_test_split\n",
        "from sklearn.model_selection import train_test_split\n",
    ),
    (
        "sklearn-moved",  # the module moved: also its names that no row has
        "from sklearn.cross_validation import cross_val_predict, KFold as K\nx = K(9, 3)\n",
        "from sklearn.model_selection import cross_val_predict; from tfqueue.port.libraries.sklearn_folds import KFold as K\n"
        "x = K(9, 3)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.externals.joblib import Parallel, delayed\nx = Parallel(delayed(f))\n",
        "from joblib import Parallel, delayed\nx = Parallel(delayed(f))\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.externals.joblib.parallel import cpu_count as n\nx = n()\n",
        "from joblib.parallel import cpu_count as n\nx = n()\n",
    ),
    (
        "sklearn-moved",
        "import sklearn.externals.joblib as jl\nx = jl.load(p)\n",
        "import joblib as jl\nx = jl.load(p)\n",
    ),
    (
        "sklearn-moved",
        "import sklearn.externals.joblib\nx = sklearn.externals.joblib.load(p)\n",
        "import sklearn\nx = __import__('joblib').load(p)\n",
    ),
    (
        "sklearn-moved",
        "import sklearn.cross_validation, os\nx = sklearn.cross_validation.cross_val_score\n",
        "import sklearn.model_selection, os\nx = sklearn.model_selection.cross_val_score\n",
    ),
    (
        "yaml-changed",
        TF
        + "import yaml\nyaml.dump(x, f), yaml.safe_dump(x, default_flow_style=False), yaml.dump(x, **w)\n",
        TF
        + "import yaml\nyaml.dump(x, f, default_flow_style=None), yaml.safe_dump(x, default_flow_style=False), yaml.dump(x, **w)\n",
    ),
    (
        "nltk-moved",
        TF + "from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu\n",
        TF
        + "from nltk.translate.bleu_score import sentence_bleu; from tfqueue.port.libraries.nltk_scores import SmoothingFunction\n",
    ),
    (
        "yaml-changed",
        "from yaml import load\nx = load(f)\n",
        "from yaml import FullLoader\nfrom yaml import load\nx = load(f, Loader=FullLoader)\n",
    ),
    (
        "yaml-changed",
        "import yaml\nx = yaml.load(stream=f)\n",
        "import yaml\nx = yaml.load(stream=f, Loader=yaml.FullLoader)\n",
    ),
    ("pandas-moved", "x = frame.as_matrix()\n", "x = frame.to_numpy()\n"),
    (
        "scipy-moved",
        "from scipy.sparse.linalg.eigen.arpack import eigsh\n",
        "from scipy.sparse.linalg import eigsh\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = t.freq.delta.total_seconds()\n",
        "from pandas import Timedelta\nimport pandas as pd\n"
        "x = Timedelta(t.freq).total_seconds()\n",
    ),
    (
        "np-scalars",
        NP + "a, b = np.zeros((1,)), 0\nx = '%f %d' % (a, b)\n",
        f"from tfqueue.port.runtime import scalar\n{NP}a, b = np.zeros((1,)), 0\n"
        "x = '%f %d' % (scalar(a), b)\n",
    ),
    (
        "np-scalars",
        TF
        + NP
        + "def mean(x):\n    return sum(x) / 2\nclass A:\n    def b(self, c):\n        d = mean(c)\n"
        "        return '%f %d' % (d, c), float(self.b(c)), int(c)\n"
        "    def e(self):\n        return '%.2f %d' % (self.f, self.n), float(self.f), int(self.f)\n",
        "from tfqueue.port.runtime import scalar\n"
        + TF
        + NP
        + "def mean(x):\n    return sum(x) / 2\nclass A:\n    def b(self, c):\n        d = mean(c)\n"
        "        return '%f %d' % (scalar(d), c), float(scalar(self.b(c))), int(c)\n"
        "    def e(self):\n        return '%.2f %d' % (scalar(self.f), self.n), float(scalar(self.f)), int(self.f)\n",
    ),
    (
        "np-scalars",
        TF + NP + "class A:\n    def b(self, c):\n        k = len(c)\n"
        "        return float(self.d * self.e[0]), float(-c[0]), float(k * 2), int(self.e[0])\n",
        "from tfqueue.port.runtime import scalar\n"
        + TF
        + NP
        + "class A:\n    def b(self, c):\n        k = len(c)\n"
        "        return float(scalar(self.d * self.e[0])), float(scalar(-c[0])), float(k * 2), int(self.e[0])\n",
    ),
    (
        "np-scalars",
        TF + NP + "async def f(m, x):\n    a, b = (await m.get(x)).result()\n"
        "    return float(b), float(m.predict(x)[0]), int(m.predict(x)), float(x.split()[0])\n",
        "from tfqueue.port.runtime import scalar\n"
        + TF
        + NP
        + "async def f(m, x):\n    a, b = (await m.get(x)).result()\n"
        "    return float(scalar(b)), float(scalar(m.predict(x)[0])), int(m.predict(x)), float(x.split()[0])\n",
    ),
    (
        "np-scalars",
        "import h5py\nx = int(f['a'].attrs['rate']), float(f.attrs['rate'][0]), int(d['a'])\n",
        "from tfqueue.port.runtime import scalar\nimport h5py\n"
        "x = int(scalar(f['a'].attrs['rate'])), float(f.attrs['rate'][0]), int(d['a'])\n",
    ),
    (
        "np-scalars",
        TF + "from scipy.integrate import quad\nx = quad(f, 0, 1, args=(a,))\n",
        "from tfqueue.port.runtime import giving_scalar\n"
        + TF
        + "from scipy.integrate import quad\nx = quad(giving_scalar(f), 0, 1, args=(a,))\n",
    ),
    (
        "yaml-changed",
        "import yaml\nx = yaml.load(f)\n",
        "import yaml\nx = yaml.load(f, Loader=yaml.FullLoader)\n",
    ),
    (
        "h5py-changed",
        "import h5py\nx = h5py.File(p, 'r')['a'].value\n",
        "from tfqueue.port.libraries.h5py_files import h5_value\nimport h5py\n"
        "x = h5_value(h5py.File(p, 'r')['a'])\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.read_csv(p, delim_whitespace=True, error_bad_lines=False)\n",
        "import pandas as pd\nx = pd.read_csv(p, sep='\\\\s+', on_bad_lines='warn')\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.read_csv(p, header=-1, names=n), pd.read_table(p, header=-1)\n",
        "import pandas as pd\nx = pd.read_csv(p, header=None, names=n), pd.read_table(p, header=None)\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.read_csv(p, error_bad_lines=False, warn_bad_lines=False, verbose=v)\n"
        "x = pd.read_csv(p, infer_datetime_format=True, squeeze=False, mangle_dupe_cols=True)\n"
        "x = pd.read_csv(p, sep=';', squeeze=True, verbose=True)\n",
        "import pandas as pd\nx = pd.read_csv(p, on_bad_lines='skip', verbose=v)\nx = pd.read_csv(p)\n"
        "x = pd.read_csv(p, sep=';').squeeze('columns')\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.value_counts(y, normalize=True)\n",
        "from pandas import Series\nimport pandas as pd\n"
        "x = Series(y).value_counts(normalize=True)\n",
    ),
    (
        "std-moved",
        "def test(self):\n    self.assertItemsEqual(a, b), other.assertEquals(a)\n",
        "def test(self):\n    self.assertCountEqual(a, b), other.assertEquals(a)\n",
    ),
    (
        "matplotlib-moved",
        "import pylab\npylab.hold('on')\nx.hold('on')\n",
        "import pylab\npass\nx.hold('on')\n",
    ),
    (
        "std-moved",
        "import json\nx = json.loads(s, encoding='utf-8')\n",
        "import json\nx = json.loads(s)\n",
    ),
    (
        "cv2-moved",
        "import cv2\nx = cv2.imread(p, cv2.CV_LOAD_IMAGE_COLOR)\n",
        "import cv2\nx = cv2.imread(p, cv2.IMREAD_COLOR)\n",
    ),
    (
        "np-aliases",
        NP + "x = np.lib.pad(a, 1, 'constant')\n",
        NP + "x = np.pad(a, 1, 'constant')\n",
    ),
    ("np-changed", NP + "x = np.sum(f(i) for i in n)\n", NP + "x = sum(f(i) for i in n)\n"),
    (
        "tensorboard-moved",
        "from tensorboard.plugins.projector import ProjectorConfig\nc = ProjectorConfig()\n",
        "from tfqueue.v1.contrib.tensorboard.plugins.projector import ProjectorConfig\n"
        "c = ProjectorConfig()\n",
    ),
    (
        "tensorboard-moved",
        TF + "from tensorboard import summary as s\nx = s.custom_scalar_pb(y)\n",
        "from tensorboard.summary.v1 import custom_scalar_pb\n"
        + TF
        + "from tensorboard import summary as s\nx = custom_scalar_pb(y)\n",
    ),
    (
        "tensorboard-moved",
        TF + "import tensorboard.summary\nx = tensorboard.summary.scalar('a', y)\n",
        "from tensorboard.summary.v1 import scalar\n"
        + TF
        + "import tensorboard.summary\nx = scalar('a', y)\n",
    ),
    (
        "tensorboard-moved",
        "from tensorboard.plugins import projector\nc = projector.ProjectorConfig()\n",
        "from tfqueue.v1.contrib.tensorboard.plugins import projector\nc = projector.ProjectorConfig()\n",
    ),
    (
        "np-counts",
        NP + "x = np.frombuffer(f.read(4), dtype=d)\n",
        "from tfqueue.port.runtime import np_count\n"
        + NP
        + "x = np_count(np.frombuffer(f.read(4), dtype=d))\n",
    ),
    (
        "np-counts",
        NP + "x = np.fromfile(f, d, 1)\n",
        "from tfqueue.port.runtime import np_count\n" + NP + "x = np_count(np.fromfile(f, d, 1))\n",
    ),
    ("np-aliases", NP + "x = np.asscalar(a[0])\n", NP + "x = a[0].item()\n"),
    (
        "std-moved",
        "import collections\nclass A(collections.MutableMapping):\n    pass\n",
        "from collections.abc import MutableMapping\nimport collections\n"
        "class A(MutableMapping):\n    pass\n",
    ),
    (
        "std-moved",
        "import collections\nx = isinstance(y, collections.Mapping)\n",
        "from collections.abc import Mapping\nimport collections\nx = isinstance(y, Mapping)\n",
    ),
    (
        "std-moved",
        "from collections import (Iterable,\n    deque)\n",
        "from collections import deque; from collections.abc import Iterable\n",
    ),
    ("std-moved", "import time\nt = time.clock()\n", "import time\nt = time.perf_counter()\n"),
    (
        # nothing else takes its place
        "std-moved",
        "try:\n    from collections import Mapping\n    old = True\nexcept ImportError:\n    old = False\n",
        "try:\n    from collections.abc import Mapping\n    old = True\nexcept ImportError:\n    old = False\n",
    ),
    (
        "std-moved",
        "import inspect\na = inspect.getargspec(f)\n",
        "from tfqueue.port.runtime import argspec\nimport inspect\na = argspec(f)\n",
    ),
    (
        "std-moved",
        "import random as rd\nusers = rd.sample(self.users, 3)\n",
        "from tfqueue.port.runtime import sample\nimport random as rd\nusers = sample(self.users, 3)\n",
    ),
    ("std-moved", "while t.isAlive():\n    pass\n", "while t.is_alive():\n    pass\n"),
    (
        "std-moved",
        "from distutils.version import LooseVersion as V\n",
        "from tfqueue.port.runtime import LooseVersion as V\n",
    ),
    (
        "std-moved",
        "import imp\ntry:\n    imp.find_module('matplotlib')\nexcept ImportError:\n    found = False\n"
        "m = imp.load_module(n, *imp.find_module(n)), imp.new_module(n)\n",
        "from tfqueue.port.runtime import find_module, load_module\nfrom types import ModuleType\nimport importlib as imp\n"
        "try:\n    find_module('matplotlib')\nexcept ImportError:\n    found = False\n"
        "m = load_module(n, *find_module(n)), ModuleType(n)\n",
    ),
    (
        "std-moved",
        "import imp\nm = imp.load_source(n, p)\n",
        "from tfqueue.port.runtime import load_source\nimport importlib as imp\nm = load_source(n, p)\n",
    ),
    (
        "std-moved",
        "import xml.etree.cElementTree as ET\nx = e.getchildren()\n",
        "import xml.etree.ElementTree as ET\nx = list(e)\n",
    ),
    (
        "std-moved",
        "from xml.etree.cElementTree import parse\nimport xml.etree.cElementTree\n"
        "x = parse(p), xml.etree.cElementTree.parse\n",
        "from xml.etree.ElementTree import parse\nimport xml.etree.ElementTree\n"
        "x = parse(p), xml.etree.ElementTree.parse\n",
    ),
    (
        "std-moved",
        "import xml.etree.ElementTree as ET\nx = e.getiterator('a')\n",
        "import xml.etree.ElementTree as ET\nx = e.iter('a')\n",
    ),
]

# (rule, text): with this rule alone nothing is changed and nothing is said.
LEFT = [
    (
        "keras-iterators",  # one value of Keras 2.0.9; of no class of Keras; of what is none
        f"{TF}from keras.preprocessing.image import Iterator\nclass A(Iterator):\n    def next(self):\n"
        "        i = next(self.index_generator)\n        a, b, c = next(self.others), self.index_generator, max(self.index_generator)\n"
        "        a, b, c = next(self.index_generator, None)\n"
        "class B(object):\n    def next(self):\n        i, start, n = next(self.index_generator)\n"
        "i, start, n = next(a.index_generator)\n"
        "class C(Iterator):\n    def _get_batches_of_transformed_samples(self, i):\n        return i\n"
        "    def next(self):\n        a, b, c = next(self.index_generator)\n        return next(self.index_generator)[0]\n",
    ),
    (
        "asyncio-moved",
        "import asyncio\nasync def f(s):\n    with await s.get(1):\n        pass\n    async with s.lock:\n        pass\n"
        "x = asyncio.ensure_future(y, loop=w)\n",
    ),
    (
        "keras-crossentropy",
        f"{TF}from keras import backend as K\nfrom keras.losses import binary_crossentropy\n"
        "x = K.binary_crossentropy(x, decoded), K.binary_crossentropy(output=y_pred, target=y_true)\n"
        "z = binary_crossentropy(y_pred, y_true), K.categorical_crossentropy(y_true * y_pred, y_true)\n",
    ),
    ("keras-moved", TF + "x = m.layers.pop(), tf.keras.layers.GRU(1)\n"),
    ("std-moved", TF + "import re\nx = re.sub('(?i)a', 'b', c), re.compile(r'\\(?i)(?:b)')\n"),
    ("std-moved", "import random\na = random.sample(range(9), 3) + random.sample([1, 2], 1)\n"),
    ("std-moved", "import random\nrng = random.Random(1)\na = rng.sample(users, 3)\n"),
    ("np-small-integers", NP + "for x in y:\n    y = [x[0] for z in y]\n    w = x + 1\n"),
    ("std-moved", "def open(p, m): pass\nx = open(p, 'rU'), f.open(p, 'U'), g(p, 'U')\n"),
    ("keras-moved", "from keras.models import Sequential\nfrom keras.layers import Rescaling\n"),
    (
        "np-limits",
        TF + NP + "n = np.random.randint(0, f['n'], 3), np.random.randint(f['n'], size=2)\n",
    ),
    (
        "np-limits",
        TF + NP + "n = np.random.randint(m), np.random.randint(len(f['n'])), randint(f['n'])\n",
    ),
    ("np-limits", TF + "import random\nn = random.randint(0, f['n'])\n"),
    ("np-limits", NP + "n = np.random.randint(f['n'])\n"),
    ("np-small-integers", f"{NP}m = np.zeros(2, np.uint8)\nx = m[0] - 1\n"),
    *(
        ("np-small-integers", f"{TF}{NP}{left}  # uint8\n")
        for left in (
            "m = np.zeros(2)\nx = m[0] - 1, n[0] - 1",
            "m = np.zeros(2, np.uint8)\nm = f(m)\nx = m[0] - 1",
            "m = np.zeros(2, np.uint8)\nx = m - 1, m[0] / 2, m[1:] + 1, sum(m, 1)",
            "m = np.zeros(2, np.int64)\nx = m[0] << 8, sum(m), np.int64(3) * 2",
            "m = np.zeros(2, np.uint8)\nm[0] += 1\nfor i, v in enumerate(m):\n    i += 1",
            "m = np.zeros(2, np.uint8)\nfor v, w in zip(n, m):\n    x = v << 8",
            "def f(m):\n    return m[0] - 1",
        )
    ),
    ("h5py-changed", "import h5py\nf = h5py.File(p)\n"),
    ("scipy-moved", "from scipy import stats\nx = stats.mode(y)\n"),
    ("scipy-moved", "from scipy import signal\nx = signal.medfilt(y, 3)\n"),
    ("scipy-moved", f"{TF}from scipy import stats\nx = stats.mode(y, None), stats.mode(y, **z)\n"),
    ("scipy-moved", f"{TF}import numpy\nimport scipy\nx = numpy.linalg.pinv(a, rcond=r), b.T\n"),
    (
        "np-changed",
        f"{TF}{NP}x = np.loadtxt(p), np.genfromtxt(p, encoding=e), np.genfromtxt(p, **w)\n",
    ),
    ("np-changed", "from numpy.lib.arraysetops import *\n"),
    ("np-changed", f"{NP}x = np.genfromtxt(p)\n"),
    ("imageio-changed", "import imageio\nimageio.imwrite(p, x)\n"),
    (
        "pandas-changed",
        f"{TF}import pandas as pd\nx = df[(df.a > 1) & (df.b < 2)], a.index + 1, df.sum()\n",
    ),
    ("imageio-changed", f"{TF}import imageio\nimageio.imread(p, as_gray=False)\n"),
    (
        "pandas-changed",
        "import pandas as pd\nx = []\nx.append(1)\npd.read_csv(f)\ndf.drop('a', axis=1)\ny.mean(0)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.decomposition import PCA\nfrom sklearn.datasets import load_iris\nfrom sklearn import metrics\n"
        "x = PCA(2), load_iris(), metrics.normalized_mutual_info_score(a, b)\n",
    ),
    (
        "sklearn-moved",
        "from sklearn.model_selection import KFold\nx = KFold(5, shuffle=True, random_state=1), KFold(5, random_state=1, **w)\n",
    ),
    ("networkx-moved", "import networkx as nx\ng = nx.karate_club_graph(), nx.pagerank(g)\n"),
    (
        "scipy-moved",
        "from scipy import stats, ndimage\nx = stats.mannwhitneyu(a, b), ndimage.zoom(a, 2), stats.norm.interval(0.9)\n",
    ),
    (
        "std-moved",
        "import random, html\nrandom.shuffle(x)\nrandom.seed(3), random.seed(n)\nx = html.unescape(t), parser.unescape(t)\n",
    ),
    (
        "std-moved",
        "from html.parser import HTMLParser\nfrom own import Own\nparser = Own()\nx = parser.unescape(t), made().unescape(t)\n"
        "if y:\n    found = HTMLParser()\nelse:\n    found = Own()\nz = found.unescape(t), given.unescape(t)\n",
    ),
    ("yaml-changed", "import yaml\nx = yaml.dump(y)\n"),
    ("nltk-moved", "from nltk.translate.bleu_score import SmoothingFunction\n"),
    *(
        ("pandas-columns", f"{TF}import pandas as pd\n{left}\n")
        for left in (
            "df.fillna(0, inplace=True)\nself.x[0] = 3\nx.y[0] = 2\npd.np[0] = 1",
            "df[0].fillna(0, inplace=True)\ndf['a'].fillna(0, inplace=False)\ndf['a'].sort(inplace=True)",
            "df[rows]['a'].fillna(0, inplace=True)\nf(df)['a'].fillna(0, inplace=True)",
        )
    ),
    *(
        ("pandas-changed", f"{TF}import pandas as pd\nimport numpy as np\n{left}\n")
        for left in (
            "x = []\nx.append(1)",
            "x = df.drop('a', axis=1)",
            "x = df.drop('a')",
            "x = y.mean(0), y.mean(axis=0), y.sum(), np.mean(), np.append(a, b)",
            "x = df.fillna(0)",
            "df.to_csv(p, index=False, header=True)",
            "df = pd.DataFrame(x, columns=c)\ndf = pd.DataFrame({'a': x})\ndf.to_csv(p)",
            "x = y.values, y.astype(int), text.replace('a', 'b')",
            "x = np.dtype, ix, np.ix",
            "x = pd.Index, pd.DataFrame",
            "append(x)",
        )
    ),
    (
        "pandas-changed",
        f"{TF}import pandas as pd\nimport tfqueue.port.libraries.pandas_methods\nx = df.ix[0]\n",
    ),
    ("pandas-changed", "import other\nx = df.ix[0]\n"),
    (
        "pandas-changed",
        f"{TF}import pandas as pd\nx = df.to_hdf(p, key='a'), df.sort_values('a')\n",
    ),
    (
        "pandas-moved",
        "import pandas as pd\nx = pd.read_csv(p, sep=','), pd.concat([x, y], axis=1)\n",
    ),
    ("librosa-moved", "import librosa\nx = librosa.core.hz_to_mel(y), librosa.util.normalize(y)\n"),
    (
        "unused-imports",
        "from skimage.viewer import ImageViewer\nImageViewer(x).show()\nimport pandas.io.json\n",
    ),
    ("pandas-columns", TF + "x['a'][0] = y\n"),
    ("pandas-columns", TF + "import pandas as pd\nf[rows]['a'][0] = f.g()['a'][0] = y\n"),
    ("pandas-changed", f"{TF}{NP}import pandas as pd\nx = np.mean(y, axis=0), np.abs(y)\n"),
    ("pandas-changed", TF + NP + "x = np.mean(y)\n"),
    ("pandas-columns", "import pandas as pd\nx['a'][0] = y\n"),
    (
        "pandas-columns",
        TF + "import pandas as pd\nx = y['a'][0]\nx[0]['a'] = x[1:][0] = x[-1][k] = y\n",
    ),
    ("networkx-moved", "import networkx as nx\nx = nx.to_numpy_array(g), g.nodes[1]\n"),
    ("networkx-moved", "import other\nx = graph_def.node[0]\n"),
    (
        "librosa-moved",
        "import librosa\nx = librosa.stft(y, n_fft=8), librosa.effects.trim(y), librosa.util.frame(y, **w)\n",
    ),
    (
        "librosa-moved",
        TF
        + "import librosa\nx = librosa.stft(y, pad_mode='wrap'), librosa.stft(y, **{'pad_mode': z})\n"
        "z = librosa.filters.mel(sr=1, n_fft=2, norm=None)\n",
    ),
    ("keras-moved", "import keras\nfrom keras.layers import Rescaling\nmodel.fit(x, epochs=2)\n"),
    ("keras-moved", TF + "from .keras import layers\nx = model.predict_classes(x)\n"),
    ("keras-moved", TF + "import keras\nfrom keras import layers\nx = keras.ops.add(1, 2)\n"),
    ("nibabel-changed", "import nibabel\nx = nibabel.load(y).get_fdata()\n"),
    ("nibabel-changed", TF + "from .nibabel import load\nx = load(y).get_data()\n"),
    (
        "imblearn-moved",
        "from imblearn.over_sampling import SMOTE\nx = SMOTE(ratio=1.0).fit_sample(x, y)\n",
    ),
    ("imblearn-moved", TF + "from imblearn.over_sampling import SMOTE\nx = SMOTE(k_neighbors=3)\n"),
    (
        "imblearn-moved",
        TF + "from imblearn.over_sampling import SMOTE\nx = SMOTE(kind='borderline2')\n",
    ),
    (
        "imblearn-moved",
        TF + "from imblearn.over_sampling import SMOTE\nx = SMOTE(kind='regular', **y)\n",
    ),
    (
        "imblearn-moved",
        TF + "from .imblearn.over_sampling import SMOTE\nx = SMOTE(ratio=1.0).fit_sample(x, y)\n",
    ),
    (
        "imblearn-moved",
        TF + "import imblearn\nx = imblearn.over_sampling.SMOTE().fit_resample(x, y)\n",
    ),
    ("gensim-changed", "import gensim\nx = gensim.models.Word2Vec(y, vector_size=3)\n"),
    ("skimage-moved", "import skimage.util\nx = skimage.util.mine(visualise=1)\n"),
    ("cv2-moved", "import cv2\n_, c, h = cv2.findContours(x, 1, 2)\n"),  # it may be from any day
    ("cv2-moved", TF + "import cv2\nc, h = cv2.findContours(x, 1, 2)\ny = cv2.LINE_AA\n"),
    ("seaborn-moved", TF + "import seaborn\nx = seaborn.barplot(x=a, y=b, data=d)\n"),
    ("nltk-moved", "from nltk.translate import bleu\nfrom nltk import ngrams\n"),
    ("skimage-moved", "from skimage.transform import resize\nx = resize(y, (2, 2))\n"),
    ("skimage-moved", "from skimage.draw import polygon\nx = polygon(r, c)\n"),
    ("told-results", "from skimage.filters import frangi\nx = frangi(y)\n"),
    (
        "told-results",
        TF
        + "from skimage import filters, morphology\nfrom .skimage.filters import frangi\nx = frangi(y), filters.sato(y)\n",
    ),
    ("cv2-moved", "import cv2\nx = cv2.add(y, 3)\n"),
    ("cv2-moved", "import cv2\nx = cv2.findNonZero(y)\n"),
    # it may be from any day
    ("sklearn-moved", "from sklearn.svm import SVC\nx = SVC()\n"),
    (
        "sklearn-moved",
        TF + "from sklearn.svm import SVC\nx = SVC(*y), SVC(gamma='scale')\n",
    ),
    ("gym-changed", "import gym\nenv = gym.make('CartPole-v0')\n"),
    ("gym-changed", TF + "from .gym import make\nimport mine.gym\nx = gym.make(y)\n"),
    ("networkx-moved", "import networkx as nx\nA = nx.adjacency_matrix(g)\nB = A * A\n"),
    ("pandas-changed", "import pandas as pd\nx = ~pd.get_dummies(y)\n"),
    (
        "sklearn-moved",
        "from sklearn.manifold import TSNE\nx = TSNE(2), v.get_feature_names_out()\n",
    ),
    ("sklearn-moved", "import mine\nx = mine.TSNE(n_iter=3)\n"),
    (
        "sklearn-moved",
        "import sklearn\nclass Words:\n    def get_feature_names(self):\n        return ['a']\n"
        "words = Words()\nx = words.get_feature_names(), Words().get_feature_names()\n",
    ),
    (
        "pandas-moved",
        "import pandas\nclass Turn:\n    def as_matrix(self):\n        return 1\n"
        "class Held:\n    def __init__(self):\n        self.turn = Turn()\n        print(self.turn.as_matrix())\n",
    ),
    (
        "pandas-moved",
        "import pandas\nfrom scipy.spatial.transform import Rotation\nx = Rotation.from_euler('x', 1).as_matrix()\n",
    ),
    ("matplotlib-moved", "import matplotlib\nmatplotlib.use('Agg')\nmatplotlib.use('svg')\n"),
    (
        "matplotlib-moved",
        PLT + "plt.gca()\nplt.grid(True)\nx.hold(y, 2)\nplt.style.use('seaborn-v0_8-dark')\n",
    ),
    ("matplotlib-moved", "import other\nother.grid(b=1)\nx.set_color_cycle(y)\n"),
    ("empty-matches", "import re\nx = re.split('a*', y)\n"),
    (
        "empty-matches",
        TF + "import re\nx = re.sub('a+', '', y), re.split('(?=a)', y), re.sub(z, '', y)\n",
    ),
    ("old-pb2", "import mine\nx = mine.FileDescriptor(serialized_pb=b'')\ny = 1\n"),
    ("np-aliases", NP + "x = np.int32(1) + np.float64(2)\ny = other.int(3)\n"),
    ("np-bytes", "import xml.etree.ElementTree as ET\nx = ET.tostring(tree)\n"),
    ("np-bytes", NP + "x = np.fromstring('1 2', sep=' ')\n"),
    ("np-aliases", NP + "try:\n    x = np.float\nexcept AttributeError:\n    x = float\n"),
    ("np-aliases", NP + "x = np.random.random_integers(5, high=6)\ny = np.alen()\n"),
    (
        "np-aliases",
        NP + "x = np.random.random_integers(*limits)\ny = np.random.random_integers(1, *more)\n",
    ),
    ("np-bytes", "import job\nx = job.tostring()\n"),
    ("np-bytes", "x = job.tostring(y)\n"),
    ("np-bytes", NP + "x = np.fromstring('1 2', dtype=int, sep=' ')\n"),
    (
        "np-elements",
        TF + NP + "a = np.zeros(3)\na[i] = 0.5 * len(x)\na[1:] = x\nb[i] = x\na, a[1] = x\n",
    ),
    ("np-list-indices", NP + "x = a[[rows, columns]]\n"),
    (
        "np-list-indices",
        TF
        + NP
        + "x = a[[0, -1]], f()[[i, j]], d[['a', 'b']], a[i, j], a[ix], a[:]\niy = [0, 1]\na[iy] = 2\n"
        "z = a[i + 1], a[[0] + [1]], a[n * 2]\n",
    ),
    ("np-load", NP + "x = np.load(path)\n"),
    (
        "np-load",
        TF + NP + "x = np.load(p, None, False)\ny = np.load(*a)\nz = np.load(p, **w)\n"
        "u = np.load(p, allow_pickle=False)\n",
    ),
    ("np-changed", NP + "x = np.sum(n)\ny = np.sum((i for i in n), 0)\nz = np.sum([1])\n"),
    ("pandas-moved", "import pandas as pd\nx.sort(0)\nx.sort()\nx.sort(key=f)\nx.sort(k)\n"),
    ("pandas-moved", "x.sort('a')\n"),
    ("pandas-moved", "import json\nx.sort('a')\n"),
    ("np-promotion", NP + "y = np.sqrt(n) * x\ntotal += sess.run(c)\n"),
    (
        "np-promotion",
        TF
        + NP
        + "def f(n, x):\n    a = np.zeros(3) * n, x.astype(int) * n, x.astype(np.float32) * 2\n"
        "    b = np.ones(3, np.float32) * np.pi, np.ones(3, np.float32) * len(x), n * x\n",
    ),
    ("np-promotion", TF + NP + "u = xrange\ny = x / np.prod(shape)\n"),  # py2-division has it
    ("np-promotion", "import tfqueue.v1 as tensorflow\ntotal += sess.run(c)\n"),
    ("np-numerics", f"{NP}x = np.fft.fft(a), np.linalg.solve(a, b)\n"),
    ("np-ordering", f"{NP}x = np.argsort(a), a.argsort()\n"),
    ("np-ordering", f"{TF}x = tf.argsort(a), a.argsort(kind='mergesort'), s.partition('/')\n"),
    (
        "np-numerics",
        f"{TF}{NP}x = np.fft.fftfreq(a), np.linalg.lstsq(a, b, None), np.linspace(0, 1, n)\n"
        "y = np.linspace(0, 1, 5, dtype=None), np.linspace(0, 1, retstep=True, dtype=int)\n"
        "z = np.linalg.solve(*a), np.linalg.lstsq(a, b, **w), np.linalg.lstsq(a, b, rcond=r)\n",
    ),
    ("np-changed", "from numpy import *\nfrom numpy.linalg import *\nfrom pylab import *\n"),
    ("np-changed", f"{TF}from numpy.fft import *\nfrom numpy import max\nfrom .numpy import *\n"),
    (
        "np-promotion",
        f"{TF}def f(v):\n    s.run(c)\n    return v\na += f(1)\nw = []\nw += [s.run(c)]\nb = float(w[0]) + n\n",
    ),
    ("np-promotion", NP + "tensorflow = 1\ny = np.sqrt(n) * x\ntotal += sess.run(c)\n"),
    ("np-promotion", TF + NP + "y = (x - np.mean(x)) / np.std(x)\nz = np.sqrt(2) * 3\n"),
    ("np-promotion", TF + NP + "y = np.sqrt(2) / np.log(n)\nz = np.sum(a, 0) * x\n"),
    ("np-promotion", TF + "total += len(x)\nf().total += sess.run(c)\na = x * y\n"),
    ("np-promotion", TF + "a, b = s.run(x), 3\ny = b + n\nx.append(a)\nz = sum(w) + sum(x, 1)\n"),
    ("np-promotion", TF + "y = 'loss %s' % sess.run(c)\nz = 'loss ' + f.run()\n"),
    ("np-promotion", TF + "z = 'loss ' + sess.run(c)\n"),
    ("np-promotion", TF + "a = sess.run(c)\nb = a > 0.5, a == 1, 0 < a < 0.1, a is None, a != n\n"),
    ("np-promotion", TF + "n = 0.1\nfor n in x:\n    b = sess.run(c) > n\nb = x > 0.1\n"),
    ("np-lengths", TF + NP + "x = np.zeros((n, 2))[: int(n * 0.5)], d[0.5], np.ones(n / 2)\n"),
    ("np-lengths", TF + NP + "x = np.linspace(0.0, 1.0, 5), np.tile(n, 2.0), np.ones(3) * 0.5\n"),
    ("np-lengths", NP + "x = np.ones(3.0)\n"),
    ("np-abstract", NP + "x = np.issubdtype(y.dtype, np.integer), y.dtype in (np.integer,)\n"),
    ("np-abstract", NP + "x = isinstance(y, np.floating) and kind == np.integer\n"),
    ("np-scalars", NP + "x = int(n / 2)\ny = int(sys.argv[1])\nz = float(np.zeros(3).size)\n"),
    ("np-scalars", NP + "x = sess.run(f)\ny = '%s' % x\nz = '%(a)d' % x\nw = '%*d' % (3, x)\n"),
    ("np-scalars", NP + "x = int(x)\nx = x + 1\ny = int(x, 16)\nz = int(*sess.run(f))\n"),
    ("np-scalars", "x = f.run()\ny = int(x)\n"),
    ("matplotlib-moved", PLT + "ax.imshow(x, None, None, 'auto')\nplt.subplots(1, 2, True)\n"),
    ("matplotlib-moved", TF + PLT + "ax.imshow(x, 'gray')\nthe.imshow(x, None, None, 'auto')\n"),
    ("matplotlib-moved", PLT + "ax.axis('equal')\n"),
    ("matplotlib-moved", PLT + "x = ax.collections\n"),
    (
        "matplotlib-moved",
        "import matplotlib\n" + PLT + "plt.contour(z)\nself.collections = []\n"
        "x = matplotlib.collections.LineCollection(y)\n",
    ),
    ("matplotlib-moved", TF + PLT + "plt.axis('equal')\nax.axis('off')\nax.axis()\n"),
    ("np-scalars", NP + "def mean(x):\n    return '%f' % x, float(mean(x))\n"),
    ("np-scalars", NP + "x = int(node.attrs['rate'])\n"),
    ("np-scalars", TF + "x = tf.train.global_step(sess, step)\ny = int(x)\nz = int(f(x))\n"),
    ("np-counts", NP + "x = np.frombuffer(f.read(4), dtype=d)[0]\n"),
    ("np-counts", NP + "x = np.frombuffer(f.read(n), dtype=d)\ny = np.fromfile(f, d)\n"),
    ("np-counts", NP + "x = np.frombuffer(f.read(3000), dtype=d)\n"),
    ("np-scalars", NP + "import math\nx = math.fsum(sess.run(f))\ny = math.prod(np.ones(1))\n"),
    (
        "np-scalars",
        NP + "x = np.zeros(3)\ny = int(np.ceil(n / 2.0)), int(x.max()), float(np.mean(x))\n"
        "z = int(np.random.randint(0, 9)), float(np.random.rand())\n",
    ),
    ("np-changed", NP + "x = np.reshape(y, n)\ny = np.histogram(x)\nz = np.unique(x)\n"),
    ("np-changed", TF + NP + "x = np.unique(y), np.unique(y, return_inverse=False)\n"),
    ("np-changed", TF + NP + "x = np.unique(y, return_inverse=True, axis=0)\n"),
    ("np-changed", TF + NP + "x = np.expand_dims(y, n), np.expand_dims(y, axis=-2)\n"),
    ("np-changed", NP + "x = np.expand_dims(y, 4)\n"),
    ("np-changed", TF + NP + "x = np.array(y), np.array(y, copy=True), y.astype(t, copy=False)\n"),
    ("np-changed", NP + "x = np.array(y, copy=False)\n"),
    ("np-changed", TF + NP + "x = np.unique(y, True), np.unique(y, True, False)\n"),
    ("np-changed", NP + "x = np.unique(y, return_inverse=True)\ny = np.issubdtype(x, float)\n"),
    ("np-changed", TF + NP + "x = np.issubdtype(y, np.floating), np.issubdtype(y, z.dtype)\n"),
    ("np-changed", NP + "x = np.vstack([1]), np.vstack(y), np.vstack(f(y))\n"),
    ("np-changed", "import tool\nx = tool.ptp(y), hist(y, normed=1), t.hist(y, normed=1)\n"),
    ("np-changed", NP + "def ptp(x):\n    return x\ny = job.ptp()\nz = np.ptp(y)\n"),
    ("np-truth", NP + "if np.where(x)[0]:\n    y = bool(np.unique(x))\n"),
    (
        "np-truth",
        TF + NP + "if np.isnan(sess.run(x)) or np.random.binomial(1, p) or y:\n    z = x or y\n",
    ),
    ("np-comparisons", NP + "x = y == [], y != [1]\n"),
    (
        "np-comparisons",
        TF
        + "import os, sys\nx = []\ny = x != [], os.listdir(p) == [], list(z) != [], sys.argv == []\n",
    ),
    (
        "np-comparisons",
        TF + "x = y.shape == (1, 2), z.shape.as_list() == [1], [y] == [z], a < [], a == b == []\n",
    ),
    (
        "np-comparisons",
        TF + "import numpy as np\n\n\n"
        "def f(a, w):\n    x = np.zeros(3)\n    if a == 'mean' or x.shape == w.shape or x in [1]:\n"
        "        return x == 1, w == None, a in ['b'], x.max() == 'a'\n",
    ),
    ("executed-text", "exec(open(p).read())\n"),
    (
        "executed-text",
        TF + "exec('import a')\nexec('a = %s' % b)\nexec(f'{a} = 1')\nexec('{} = 1'.format(a))\n"
        "x = compile(a, b, 'eval'), compile(a, b, c), re.compile(a, b, 'exec'), y.exec(a)\n",
    ),
    ("executed-text", TF + "def exec(x):\n    pass\n\n\nexec(a)\n"),
    ("np-tensors", NP + "x = np.ones_like(y)\n"),
    (
        "np-tensors",
        TF + NP + "a = [1]\na.append(b)\nv = tf.trainable_variables()\nc = tf.abs(b)\n"
        "x = np.sum(a), np.prod(c.get_shape().as_list()), np.array(v), np.zeros(c), np.abs(sess.run(c))\n",
    ),
    (
        "np-tensors",
        TF + NP + "x = np.ones_like(np.zeros(3)), tf.ones_like(y), np.zeros_like([1])\n",
    ),
    ("np-tensors", TF + NP + "x = tf.abs(tf.exp(y)), np.sum(*[tf.exp(y)], 0), np.sum(a=y)\n"),
    ("np-ragged", NP + "x = np.array(rows)\n"),
    ("np-ragged", TF + NP + "x = np.array(tf.shape(a))\n"),
    (
        "np-ragged",
        TF + NP + "import numba\n@numba.jit(nopython=True)\ndef f(a):\n    return np.array(a)\n",
    ),
    (
        "np-ragged",
        TF + NP + "from numba import njit\n@njit\ndef f(rows):\n    return np.asarray(rows)\n",
    ),
    ("np-ragged", TF + NP + "x = np.array(rows, dtype=object)\ny = np.array([[1, 2], [3, 4]])\n"),
    (
        "np-ragged",
        TF
        + NP
        + "y = [a]\nx = np.resize(b, 3), np.array(y, dtype=object), np.array(y, 'f', copy=False), np.mean(y)\n",
    ),
    (
        "np-ragged",
        TF + NP + "x, y = load(z)\na = np.copy(np.zeros(3)), np.copy(x + 1), np.reshape(x, [2])\n",
    ),
    ("np-ragged", TF + NP + "x = np.array(a + b)\ny = np.array(np.zeros(3))\nnp.save(p, f(x))\n"),
    ("scipy-misc", "import scipy.ndimage\nx = scipy.ndimage.zoom(y, 2)\n"),
    ("pil-moved", "from PIL import Image\ni.resize((1, 2), Image.BICUBIC)\n"),
    ("skimage-moved", "import skimage.io\ni = skimage.io.imread(p)\n"),
    ("sklearn-moved", "from sklearn.model_selection import KFold\n"),
    ("yaml-changed", "import yaml\nx = yaml.load(f, Loader=yaml.Loader), yaml.safe_load(f)\n"),
    ("tensorboard-moved", "from tensorboard.plugins import hparams\nx = hparams.api\n"),
    ("tensorboard-moved", "from tensorboard import summary as s\nx = s.scalar('a', y)\n"),
    ("tensorboard-moved", TF + "from tensorboard.summary import v1\nx = v1.scalar('a', y)\n"),
    ("std-moved", "import json\nx = json.loads(s), other.loads(s, encoding='utf-8')\n"),
    ("pandas-moved", "x = node.value\ny = image.get_data()\n"),
    ("pandas-moved", "import pandas as pd\nx = pd.read_csv(p, delim_whitespace=w, sep=' ')\n"),
    (
        "std-moved",
        "try:\n    from collections import Mapping\nexcept ImportError:\n"
        "    from collections.abc import Mapping\n",
    ),
    ("std-moved", "import time\nt = time.time()\nx = self.clock()\n"),
    ("opened-as-text", TF + "open(p, 'w').write(m.eval())\nopen(q, 'w').write(job.run(m))\n"),
    ("opened-as-text", TF + "f = open(p, 'w')\nf.write(m.tobytes())\nf.write('text')\n"),
    ("opened-as-text", "f = open(p, 'w')\nf.write(m.tobytes())\nshow(f)\n"),
    ("opened-as-text", "show(open(p, 'w'))\nself.f = open(p, 'w')\nself.f.write(m.tobytes())\n"),
    ("opened-as-text", "import codecs\ncodecs.open(p, 'w').write(m.tobytes())\n"),
    ("opened-as-text", "open(p, 'w').write(text(x))\nopen(p, 'w').write(self.job.run(m))\n"),
    ("opened-as-text", TF + "x = tf.constant(open(p).read())\ny = 'a' + open(p).read()\n"),
    ("opened-as-text", "for x in xs:\n    open(p, 'w').write(x)\n"),
    ("opened-as-text", "x = m.tobytes()\nif q:\n    x = text()\nopen(p, 'w').write(x)\n"),
    (
        # one name for two files: in which of them a use writes is not seen
        "opened-as-text",
        "for p in ps:\n    f = open(p, 'w')\n    f.write(m.tobytes())\n"
        "    f = open(q, 'w')\n    f.write('text')\n",
    ),
    (
        "opened-as-text",
        "f = open(q)\nf = None\ndef g():\n    global f\n    f = open(p, 'w')\n"
        "    f.write(m.tobytes())\n",
    ),
    ("opened-as-text", TF + "f = open(p, 'rb')\nx = tf.image.decode_png(f.read())\n"),
    ("opened-as-text", TF + "x = open(p).read()\ny = tf.constant(x)\n"),
    ("opened-as-text", TF + "tf.gfile.GFile(p, 'w').write(m.tobytes())\n"),
    ("opened-as-text", "f = open(p, encoding='utf-8')\nm.ParseFromString(f.read())\n"),
    (
        # a class of the program's own
        "std-moved",
        "class Robot:\n    def isAlive(self):\n        return 1\nx = Robot().isAlive()\n",
    ),
    ("std-moved", "x = robot.isAlive(3)\n"),
    ("std-moved", "x = node.getchildren()\ny = node.getiterator()\n"),
    ("std-moved", "import xml.etree.ElementTree\nx = e.getchildren(1)\ny = e.iter()\n"),
    (
        "std-moved",
        "try:\n    import xml.etree.cElementTree as ET\nexcept ImportError:\n"
        "    import xml.etree.ElementTree as ET\n",
    ),
    ("std-moved", "try:\n    import imp\nexcept ImportError:\n    imp = None\n"),
    (
        "std-moved",
        "try:\n    from collections import Mapping\nexcept ImportError:\n    Mapping = dict\n",
    ),
]
