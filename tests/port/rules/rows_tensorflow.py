"""What the rules for TensorFlow's names and calls must change, and must leave alone."""

TF = "import tensorflow as tf\n"

# (rule, before, after): with this rule alone, `before` becomes `after` and nothing else.
CHANGED = [
    (
        "tf-losses",
        TF + "x = tf.pack([tf.nn.weighted_cross_entropy_with_logits(a, b, 3.0)])\n",
        TF
        + "x = tf.pack([tf.nn.weighted_cross_entropy_with_logits(logits=a, labels=b, pos_weight=3.0)])\n",
    ),
    (
        "tf-initializer-shape",
        TF + "x = tf.get_variable('x', [n], initializer=tf.zeros_initializer([n]))\n"
        "y = tf.get_variable('y', [2], tf.int32, tf.ones_initializer((3,)))\n"
        "z = tf.layers.dense(x, 3, bias_initializer=tf.zeros_initializer([3]))\n",
        TF + "x = tf.get_variable('x', [n], initializer=tf.zeros_initializer())\n"
        "y = tf.get_variable('y', [2], tf.int32, tf.ones_initializer())\n"
        "z = tf.layers.dense(x, 3, bias_initializer=tf.zeros_initializer())\n",
    ),
    (
        "tf-dataset-map",
        "x = data.map(f, num_threads=8, output_buffer_size=2 * n).batch(n)\nx.map(f, num_threads=8)\n",
        "x = data.map(f, num_parallel_calls=8).prefetch(2 * n).batch(n)\n"
        "x.map(f, num_parallel_calls=8)\n",
    ),
    (
        "tf-dataset-map",
        "x = data.map(f, output_buffer_size=2)\n",
        "x = data.map(f).prefetch(2)\n",
    ),
    (
        "tf-dataset-map",
        TF
        + "import ours\nclass Data(tf.contrib.data.Dataset):\n    def map(self, f, num_threads=1):\n        pass\n"
        "x, y = ours.data(), Data()\ny = Data()\nx = x.map(f, num_threads=2)\nz = ours.made().map(f, 4, output_buffer_size=2)\n"
        "y.map(f, num_threads=2)\n",
        TF
        + "import ours\nclass Data(tf.contrib.data.Dataset):\n    def map(self, f, num_threads=1):\n        pass\n"
        "x, y = ours.data(), Data()\ny = Data()\nx = x.map(f, num_parallel_calls=2)\nz = ours.made().map(f, 4).prefetch(2)\n"
        "y.map(f, num_parallel_calls=2)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.rnn_cell_impl import _concat, RNNCell as R\n",
        "from tfqueue.v1.rnn_cell import _concat; from tfqueue.v1.rnn_cell import RNNCell as R\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.layers.core import Dense, dropout\n"
        "from tensorflow.python.layers import normalization\n"
        "y = normalization.batch_normalization(dropout(x, 0.5))\n",
        TF + "from tensorflow.python.layers.core import Dense; "
        "from tfqueue.v1 import layers as dropout; dropout = dropout.dropout\n"
        "from tensorflow.python.layers import normalization\n"
        "y = tf.layers.batch_normalization(dropout(x, 0.5))\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.rnn_cell import *\n",
        "from tensorflow.python.ops.rnn_cell import *; from tfqueue.v1.rnn_cell import *\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import summary_op_util\n"
        "from tensorflow.python.framework import ops\n"
        "from tensorflow.python.framework.ops import default_session as session, Graph\n"
        "x = summary_op_util.skip_summary(), ops.convert_n_to_tensor_or_indexed_slices(y), ops.Graph\n",
        "from tensorflow.python.distribute.summary_op_util import skip_summary\n"
        "from tensorflow.python.framework.indexed_slices import convert_n_to_tensor_or_indexed_slices\n"
        + TF
        + "from tensorflow.python.ops import summary_op_util\n"
        "from tensorflow.python.framework import ops\n"
        "from tensorflow.python.framework.ops import Graph; "
        "from tensorflow.python.framework.stack import default_session as session\n"
        "x = skip_summary(), convert_n_to_tensor_or_indexed_slices(y), ops.Graph\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import gradients_impl, variable_scope as vs\n"
        "x = gradients_impl.AggregationMethod.ADD_N, gradients_impl.gradients, vs.enable_resource_variables()\n",
        TF + "from tensorflow.python.ops import gradients_impl, variable_scope as vs\n"
        "x = tf.AggregationMethod.ADD_N, gradients_impl.gradients, tf.enable_resource_variables()\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import variable_scope\nx = variable_scope.variable(0.9)\n",
        TF + "from tensorflow.python.ops import variable_scope\nx = tf.Variable(0.9)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python import control_flow_ops\nx = control_flow_ops.group(y)\n",
        TF + "from tensorflow.python.ops import control_flow_ops\nx = control_flow_ops.group(y)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python import shape\nx = shape(y)\n",
        TF + "from tfqueue.v1 import shape\nx = shape(y)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import array_ops\nx = array_ops.concat(1, y)\n"
        "z = array_ops.reshape(array_ops.split(0, 2, x)[0], n)\n",
        TF + "from tensorflow.python.ops import array_ops\nx = tf.concat(1, y)\n"
        "z = array_ops.reshape(tf.split(0, 2, x)[0], n)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops.nn import rnn_cell\nx = rnn_cell.GRUCell(3)\n",
        TF + "from tfqueue.v1 import nn as rnn_cell; rnn_cell = rnn_cell.rnn_cell\n"
        "x = rnn_cell.GRUCell(3)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import array_ops\nx = array_ops.reverse(y, axis)\n",
        TF + "from tensorflow.python.ops import array_ops\nx = tf.reverse(y, axis)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import math_ops, nn, nn_impl, linalg_ops as l\n"
        "x = math_ops.batch_matmul(y, z, adj_y=True), nn.log_poisson_loss(y, z), nn_impl.moments(y, 0)\n"
        "s = l.svd(y), l.norm(y), nn.relu(y)\n",
        TF + "from tensorflow.python.ops import math_ops, nn, nn_impl, linalg_ops as l\n"
        "x = tf.batch_matmul(y, z, adj_y=True), tf.nn.log_poisson_loss(y, z), tf.nn.moments(y, 0)\n"
        "s = tf.svd(y), l.norm(y), nn.relu(y)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import clip_ops, functional_ops, image_ops_impl as i\n"
        "x, _ = clip_ops.clip_by_global_norm(functional_ops.map_fn(f, i.central_crop(y, 0.5)), 1)\n"
        "z = clip_ops.clip_by_value(x, 0, 1), functional_ops.scan(f, x), i.transpose_image(y)\n",
        TF + "from tensorflow.python.ops import clip_ops, functional_ops, image_ops_impl as i\n"
        "x, _ = tf.clip_by_global_norm(tf.map_fn(f, tf.image.central_crop(y, 0.5)), 1)\n"
        "z = clip_ops.clip_by_value(x, 0, 1), functional_ops.scan(f, x), tf.image.transpose_image(y)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python import debug, gradients, shape as s\nx = gradients(s(y), z)\n",
        "from tensorflow.python import debug; from tfqueue.v1 import gradients; "
        "from tfqueue.v1 import shape as s\nx = gradients(s(y), z)\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python import math_ops, array_ops as a\n",
        TF
        + "from tensorflow.python.ops import math_ops; from tensorflow.python.ops import array_ops as a\n",
    ),
    (
        "tf-imports",
        "from tensorflow.contrib.slim.nets.inception_v3 \\\n  import inception_v3_base\n",
        "from tfqueue.v1.contrib.slim.nets.inception_v3 \\\n  import inception_v3_base\n",
    ),
    (
        "tf-imports",
        "from \\\n  tensorflow.contrib \\\n  import slim\n",
        "from \\\n  tfqueue.v1.contrib \\\n  import slim\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn.rnn_cell import RNNCell, linear\n",
        "from tfqueue.v1.rnn_cell import RNNCell, linear\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn.rnn import rnn as loop\n",
        "from tfqueue.v1.models.rnn.rnn import rnn as loop\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn.seq2seq import sequence_loss\n",
        "from tfqueue.v1.contrib.legacy_seq2seq import sequence_loss\n",
    ),
    ("tf-imports", "import tensorflow as tf\n", "import tfqueue.v1 as tf\n"),
    ("tf-imports", "import os, tensorflow as tf  # why\n", "import os, tfqueue.v1 as tf  # why\n"),
    ("tf-imports", "import tensorflow\n", "import tfqueue.v1 as tensorflow\n"),
    ("tf-imports", "import tensorflow.compat.v1 as tf\n", "import tfqueue.v1 as tf\n"),
    ("tf-imports", "from tensorflow.compat import v1 as tf\n", "from tfqueue import v1 as tf\n"),
    ("tf-imports", "from tensorflow import flags\n", "from tfqueue.v1 import flags\n"),
    (
        "tf-imports",
        TF + "from tensorflow.keras import backend as K\nx = K.dot(tf.placeholder('float'), y)\n",
        TF.replace("tensorflow", "tfqueue.v1")
        + "from tfqueue.v1.keras import backend as K\nx = K.dot(tf.placeholder('float'), y)\n",
    ),
    (
        "tf-imports",
        '"""Doc."""\nfrom tensorflow.python.ops import array_ops  # why\n',
        '"""Doc."""\nimport tfqueue.v1\nfrom tensorflow.python.ops import array_ops  # why\n',
    ),
    (
        "tf-imports",
        "try:\n    from tensorflow.python.client import session, timeline\nexcept: x\n",
        "import tfqueue.v1\n"
        "try:\n    from tensorflow.python.client import session, timeline\nexcept: x\n",
    ),
    (
        "tf-version",
        TF
        + "if tf.__version__.split('.')[0] == '0': x = tf.__version__.split('.')[1]\ny = tf.mul(x, x)\n",
        TF + "if '0.12.0'.split('.')[0] == '0': x = '0.12.0'.split('.')[1]\ny = tf.mul(x, x)\n",
    ),
    (
        "tf-version",
        TF + "if tf.__version__ != '1.15': raise ImportError\nassert '1.12.0' == tf.VERSION\n"
        "if not tf.__version__ == '1.4.0': sys.exit(1)\nx = tf.__version__ >= '2.0', tf.__version__ == '2', tf.__version__ < '1.13', tf.__version__ == x\n",
        TF + "if '1.15' != '1.15': raise ImportError\nassert '1.12.0' == '1.12.0'\n"
        "if not '1.4.0' == '1.4.0': sys.exit(1)\nx = '1.15.0' >= '2.0', '1.15.0' == '2', tf.__version__ < '1.13', tf.__version__ == x\n",
    ),
    (
        "tf-version",
        TF
        + "import keras\nfrom keras import __version__ as K\nassert keras.__version__ == '2.0.4'\nif K != '1.2.2': exit()\n"
        "if not tf.keras.__version__ == '2.2.4-tf': raise ImportError\nx = keras.__version__, tf.Session\n",
        TF
        + "import keras\nfrom keras import __version__ as K\nassert '2.0.4' == '2.0.4'\nif '1.2.2' != '1.2.2': exit()\n"
        "if not '2.2.4-tf' == '2.2.4-tf': raise ImportError\nx = keras.__version__, tf.Session\n",
    ),
    (
        "tf-version",
        TF + "if int(tf.__version__.split('.')[0]) != 1: x = tf.VERSION.startswith('1')\n",
        TF + "if int('1.15.0'.split('.')[0]) != 1: x = '1.15.0'.startswith('1')\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.util import nest\nx = nest.is_sequence(y) or nest.flatten(y)\n",
        "from tfqueue import v1\nfrom tensorflow.python.util import nest\n"
        "x = v1.contrib.framework.nest.is_sequence(y) or nest.flatten(y)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.training import training_ops\n",
        "from tensorflow.python.ops import gen_training_ops as training_ops\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.training.training_ops import apply_adam\n",
        "from tensorflow.python.ops.gen_training_ops import apply_adam\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.util import fn_args\n",
        "from tensorflow.python.util.function_utils import fn_args\n",
    ),
    (
        "tf-internals",
        "from tensorflow_estimator.python.estimator import util\na = util.fn_args(f)\n",
        "from tensorflow.python.util import function_utils as util\na = util.fn_args(f)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.seq2seq import model_with_buckets, rnn_decoder as decoder\n",
        "from tfqueue.v1.contrib.legacy_seq2seq import model_with_buckets; "
        "from tfqueue.v1.contrib.legacy_seq2seq import rnn_decoder as decoder\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.platform.flags import FLAGS\n",
        "from tfqueue.v1 import flags as FLAGS; FLAGS = FLAGS.FLAGS\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.nn import dynamic_rnn, softmax\n",
        "from tensorflow.python.ops.nn import softmax; "
        "from tfqueue.v1 import nn as dynamic_rnn; dynamic_rnn = dynamic_rnn.dynamic_rnn\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import variables\nx = variables.Variable(0, collections=[])\n",
        "from tfqueue import v1\nfrom tensorflow.python.ops import variables\n"
        "x = v1.Variable(0, collections=[])\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.rnn_cell import _get_concat_variable\n",
        "from tfqueue.v1.rnn_cell import _get_concat_variable\n",
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
        "from tensorflow.models.rnn.translate import data_utils\n",
        "pass\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn.translate import data_utils, seq2seq_model\nseq2seq_model.f()\n",
        "from tensorflow.models.rnn.translate import seq2seq_model\nseq2seq_model.f()\n",
    ),
    (
        "tf-imports",
        "from tensorflow.models.rnn import rnn_cell, seq2seq as s\n",
        "from tfqueue.v1 import rnn_cell; from tfqueue.v1.contrib import legacy_seq2seq as s\n",
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
        TF + "x = tf.split(axis=1, num_or_size_splits=n, value=a + b)\n",
    ),
    (
        "tf-concat-split",
        TF + "x = tf.concat(d, [a, b])\n",
        TF + "x = tf.concat(axis=d, values=[a, b])\n",
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
        "tf-local-variables",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.initialize_all_variables())\n",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.group(tf.initialize_all_variables(), tf.local_variables_initializer()))\n",
    ),
    (
        "tf-local-variables",
        TF + "q = tf.train.range_input_producer(9, 2)\ni = tf.initialize_all_variables()\n",
        TF + "q = tf.train.range_input_producer(9, 2)\n"
        "i = tf.group(tf.initialize_all_variables(), tf.local_variables_initializer())\n",
    ),
    (
        "tf-local-variables",
        "from tensorflow import initialize_all_variables as initial\nq = f(num_epochs=2)\n"
        "s.run(initial())\n",
        "from tfqueue.v1 import group, local_variables_initializer\n"
        "from tensorflow import initialize_all_variables as initial\nq = f(num_epochs=2)\n"
        "s.run(group(initial(), local_variables_initializer()))\n",
    ),
    (
        "tf-aborted",
        TF + "try:\n    s.run(q.enqueue(1))\nexcept ValueError:\n    pass\n"
        "except tf.errors.AbortedError:\n    pass\n",
        TF + "try:\n    s.run(q.enqueue(1))\nexcept ValueError:\n    pass\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    pass\n",
    ),
    (
        "tf-aborted",
        TF + "try:\n    s.run(q.enqueue(1))\nexcept tf.errors.AbortedError:\n    pass\n",
        TF + "try:\n    s.run(q.enqueue(1))\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    pass\n",
    ),
    (
        "tf-aborted",
        "from tensorflow.errors import AbortedError\n" + TF + "try:\n    s.run(q.enqueue(1))\n"
        "except AbortedError:\n    pass\nexcept tf.errors.AbortedError:\n    pass\n",
        "from tensorflow.errors import AbortedError\n" + TF + "try:\n    s.run(q.enqueue(1))\n"
        "except AbortedError:\n    pass\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    pass\n",
    ),
    (
        "tf-moved",
        TF + "x = f(f'{ a }', tf.mul(a, b))\n",
        TF + "x = f(f'{ a }', tf.multiply(a, b))\n",
    ),
    (
        "tf-moved",
        TF + "x = f(f'{ a }', f'{ tf.mul(a, b) }')\n",
        TF + "x = f(f'{ a }', f'{tf.multiply(a, b)}')\n",
    ),
    (
        "tf-release",
        TF + "x = tf.mul(a, b)\ntf.flags.DEFINE_boolean('train', True, '')\n",
        "from tfqueue.release import assume\n" + TF + "assume('0.12')\n"
        "x = tf.mul(a, b)\ntf.flags.DEFINE_boolean('train', True, '')\n",
    ),
    (
        "tf-release",
        TF + "x = tf.mul(a, b)\ncells = [tf.nn.rnn_cell.GRUCell(3)] * 2\n",
        "from tfqueue.release import assume\n" + TF + "assume('0.12')\n"
        "x = tf.mul(a, b)\ncells = [tf.nn.rnn_cell.GRUCell(3)] * 2\n",
    ),
    (
        "tf-release",
        TF + "FLAGS = tf.flags.FLAGS\nFLAGS._parse_flags()\n",
        "from tfqueue.release import assume\n" + TF + "assume('1.4')\n"
        "FLAGS = tf.flags.FLAGS\nFLAGS._parse_flags()\n",
    ),
    (
        "tf-release",
        TF + "FLAGS = tf.flags.FLAGS\nd = FLAGS.__flags.items()\n",
        "from tfqueue.release import assume\n" + TF + "assume('1.4')\n"
        "FLAGS = tf.flags.FLAGS\nd = FLAGS.__flags.items()\n",
    ),
    (
        "tf-release",
        "import tensorflow as tf  # 0.12\n\n# two\nx = tf.mul(a, b)\n",
        "from tfqueue.release import assume\nimport tensorflow as tf  # 0.12\nassume('0.12')\n\n"
        "# two\nx = tf.mul(a, b)\n",
    ),
    (
        "tf-release",
        "import tensorflow as tf; x = tf.mul(a, b)\n",
        "from tfqueue.release import assume\nimport tensorflow as tf; assume('0.12'); x = tf.mul(a, b)\n",
    ),
    (
        "tf-release",
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\nx = tf.mul(a, b)\n",
        "from tfqueue.release import assume\nassume('0.12')\ntry:\n    import tensorflow as tf\n"
        "except ImportError:\n    tf = None\nx = tf.mul(a, b)\n",
    ),
    (
        "tf-types",
        TF + "if type(v) is tf.Variable or v.__class__ == tf.Variable:\n    f(v)\n",
        "from tfqueue.port.runtime import class_of\n"
        + TF
        + "if class_of(v) is tf.Variable or class_of(v) == tf.Variable:\n    f(v)\n",
    ),
    (
        "tf-types",
        TF + "x = type(f(v)) not in (tf.Tensor, tf.Variable)\n",
        "from tfqueue.port.runtime import class_of\n"
        + TF
        + "x = class_of(f(v)) not in (tf.Tensor, tf.Variable)\n",
    ),
    (
        "tf-types",
        TF + "x = 'Tensor' == type(v).__name__\ny = v.__class__.__name__ in ['list', 'Variable']\n",
        "from tfqueue.port.runtime import class_name\n"
        + TF
        + "x = 'Tensor' == class_name(v)\ny = class_name(v) in ['list', 'Variable']\n",
    ),
    (
        "tf-bool",
        TF + "grads = opt.compute_gradients(loss)\nfor g, v in grads:\n    if g:\n        f(g)\n",
        TF + "grads = opt.compute_gradients(loss)\nfor g, v in grads:\n"
        "    if g is not None:\n        f(g)\n",
    ),
    (
        "tf-gone",
        "import tfqueue.v1.contrib.ffmpeg as ffmpeg\nimport tensorflow.contrib.lite\n"
        "from tensorflow.contrib import gan, rnn\n\n\ndef f():\n    from tensorflow.contrib import kfac\n",
        "pass\nimport tensorflow\nfrom tensorflow.contrib import rnn\n\n\ndef f():\n    pass\n",
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
        "from tensorflow.python.framework import ops\nwith ops.op_scope([a], name, 'f'):\n    pass\n",
        "from tfqueue import v1\nfrom tensorflow.python.framework import ops\n"
        "with v1.name_scope(name, 'f', [a]):\n    pass\n",
    ),
    (
        "tf-calls",
        TF + "with tf.op_scope([a, b], name, 'f'):\n    pass\n",
        TF + "with tf.name_scope(name, 'f', [a, b]):\n    pass\n",
    ),
    (
        "tf-gfile",
        TF + "with tf.gfile.GFile(p, 'r') as f:\n    x = f.read().decode('utf-8')\n",
        TF + "with tf.gfile.GFile(p, 'rb') as f:\n    x = f.read().decode('utf-8')\n",
    ),
    (
        "tf-calls",
        TF + "f = tf.parse_single_example(\n    s,\n    dense_keys=['a', 'b'],\n"
        "    dense_types=[tf.string, tf.int64])\n",
        TF
        + "f = tf.parse_single_example(\n    s,\n    features={'a': tf.FixedLenFeature([],\n    tf.string), "
        "'b': tf.FixedLenFeature([], tf.int64)})\n",
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
        TF + "from tensorflow.python.ops import logging_ops\nx = logging_ops.Assert(a, [b])\n",
        TF + "from tensorflow.python.ops import logging_ops\nx = tf.Assert(a, [b])\n",
    ),
    (
        "tf-internals",
        "import tensorflow.python.platform\n"
        + TF
        + "from tensorflow.python.ops import control_flow_ops\nx = control_flow_ops.cond(a, b, c)\n",
        "import tensorflow.python.platform\n"
        + TF
        + "from tensorflow.python.ops import control_flow_ops\nx = tf.cond(a, b, c)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import control_flow_ops\ndef f():\n    import tensorflow as tf\n"
        "def g(a, b, c):\n    return control_flow_ops.cond(a, b, c)\n",
        "from tfqueue import v1\nfrom tensorflow.python.ops import control_flow_ops\n"
        "def f():\n    import tensorflow as tf\n"
        "def g(a, b, c):\n    return v1.cond(a, b, c)\n",
    ),
    *(
        (
            "tf-imports",
            f"{before}\nimport tensorflow.{inner}\nx = tensorflow.cond(a, b, c)\n",
            f"{after}\nimport tensorflow.{inner}, tfqueue.v1 as tensorflow\n"
            "x = tensorflow.cond(a, b, c)\n",
        )
        for before, after in (
            ("import tensorflow as tf", "import tfqueue.v1 as tf"),
            ("import tensorflow", "import tfqueue.v1 as tensorflow"),
        )
        for inner in ("python.platform", "core.framework.graph_pb2")
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.control_flow_ops import cond, group\n",
        "from tensorflow.python.ops.control_flow_ops import group; from tfqueue.v1 import cond\n",
    ),
    (
        "tf-internals",
        TF
        + "from tensorflow.python.ops import nn_ops, standard_ops as s\n"
        + "from tensorflow.python.platform import test\n"
        + "x = s.reduce_sum(y, 1, keep_dims=True) + nn_ops.softmax_cross_entropy_with_logits(None, l, y)\n"
        + "z = s.array_ops.shape(x), nn_ops.conv1d(x, f, 1, 'SAME'), test.is_built_with_cuda()\n",
        TF
        + "from tensorflow.python.ops import nn_ops, standard_ops as s\n"
        + "from tensorflow.python.platform import test\n"
        + "x = tf.reduce_sum(y, 1, keep_dims=True) + tf.nn.softmax_cross_entropy_with_logits(None, l, y)\n"
        + "z = s.array_ops.shape(x), nn_ops.conv1d(x, f, 1, 'SAME'), tf.test.is_built_with_cuda()\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops.standard_ops import reduce_max, gen_math_ops\n",
        "from tensorflow.python.ops.standard_ops import gen_math_ops; from tfqueue.v1 import reduce_max\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import seq2seq\n",
        "from tfqueue.v1.contrib import legacy_seq2seq as seq2seq\n",
    ),
    (
        "tf-internals",
        TF + "from tensorflow.python.ops import rnn, seq2seq as s\ny = rnn.rnn(c, x)\n",
        TF
        + "from tensorflow.python.ops import rnn; from tfqueue.v1.contrib import legacy_seq2seq as s\ny = tf.nn.static_rnn(c, x)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import constant_op\n",
        "from tensorflow.python.framework import constant_op\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import (array_ops,  # arrays\n    constant_op)\n",
        "# arrays\nfrom tensorflow.python.ops import array_ops; "
        "from tensorflow.python.framework import constant_op\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.ops import gen_logging_ops\nx = gen_logging_ops._scalar_summary('a', y)\n",
        "from tensorflow.python.ops import gen_logging_ops\nx = gen_logging_ops.scalar_summary('a', y)\n",
    ),
    (
        "tf-internals",
        TF
        + "from tensorflow.python import pywrap_tensorflow\n"
        + "r = pywrap_tensorflow.NewCheckpointReader(p)\n",
        TF
        + "from tensorflow.python import pywrap_tensorflow\nr = tf.train.NewCheckpointReader(p)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.pywrap_tensorflow import NewCheckpointReader\n",
        "from tfqueue.v1.train import NewCheckpointReader\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.platform import tf_logging as log\nlog._logger.setLevel(10)\n",
        "from tensorflow.python.platform import tf_logging as log\nlog.get_logger().setLevel(10)\n",
    ),
    (
        "tf-internals",
        TF
        + "from tensorflow.python.framework import graph_util\n"
        + "g = graph_util.convert_variables_to_constants(s, d, n)\n",
        TF
        + "from tensorflow.python.framework import graph_util\n"
        + "g = tf.graph_util.convert_variables_to_constants(s, d, n)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.framework.graph_util import convert_variables_to_constants\n",
        "from tfqueue.v1 import graph_util as convert_variables_to_constants; "
        "convert_variables_to_constants = "
        "convert_variables_to_constants.convert_variables_to_constants\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.platform import flags\n",
        "from tfqueue.v1 import flags\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.model_fn import ModeKeys as Modes\n",
        "from tfqueue.v1.estimator import ModeKeys as Modes\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator import model_fn as model_fn_lib\nm = model_fn_lib.ModeKeys.TRAIN\n",
        "from tfqueue.v1 import estimator as model_fn_lib\nm = model_fn_lib.ModeKeys.TRAIN\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.inputs.numpy_io import numpy_input_fn\n",
        "from tfqueue.v1 import estimator as numpy_input_fn; "
        "numpy_input_fn = numpy_input_fn.inputs.numpy_input_fn\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.inputs import inputs\nf = inputs.pandas_input_fn(x)\n",
        "from tfqueue.v1.estimator import inputs\nf = inputs.pandas_input_fn(x)\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.canned.dnn import DNNClassifier, dnn_logit_fn_builder\n",
        "from tfqueue.v1.estimator import DNNClassifier; "
        "from tfqueue.v1.contrib.estimator.canned import dnn_logit_fn_builder\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.canned import head as head_lib\nh = head_lib._Head\n",
        "from tfqueue.v1.contrib.estimator import canned as head_lib\nh = head_lib._Head\n",
    ),
    (
        "tf-internals",
        "import tensorflow.python.estimator.canned.head as h, os\n"
        "from tensorflow_estimator.python.estimator.canned import dnn\n"
        "from tensorflow_estimator.python.estimator.estimator import Estimator\n"
        "import tensorflow.python.ops.constant_op as constant_op\n",
        "from tfqueue.v1.contrib.estimator import canned as h; import os\n"
        "from tfqueue.v1.contrib.estimator import canned as dnn\n"
        "from tfqueue.v1.estimator import Estimator\n"
        "from tensorflow.python.framework import constant_op\n",
    ),
    (
        "tf-imports",
        "import tensorflow.models.rnn.rnn_cell as r\n"
        "from tensorflow.models.rnn import rnn, linear\nfrom tensorflow.contrib.ctc import ctc_ops as c\n",
        "import tfqueue.v1.rnn_cell as r\n"
        "from tfqueue.v1.models.rnn import rnn; from tfqueue.v1 import rnn_cell as linear\n"
        "from tensorflow.python.ops import ctc_ops as c\n",
    ),
    (
        "tf-losses",
        TF + "from tensorflow.python.ops import ctc_ops as c, nn_ops\nx = tf.pack([1])\n"
        "y = c.ctc_loss(x, y, z), nn_ops.softmax_cross_entropy_with_logits(x, y)\n",
        TF + "from tensorflow.python.ops import ctc_ops as c, nn_ops\nx = tf.pack([1])\n"
        "y = c.ctc_loss(inputs=x, labels=y, sequence_length=z), "
        "nn_ops.softmax_cross_entropy_with_logits(logits=x, labels=y)\n",
    ),
    (
        "tf-imports",
        "import tensorflow.contrib.skflow as skflow\nfrom tensorflow.contrib.skflow import Estimator\n",
        "import tfqueue.v1.contrib.learn as skflow\nfrom tfqueue.v1.contrib.learn import Estimator\n",
    ),
    (
        "tf-losses",
        TF + "y = tf.contrib.ctc.ctc_loss(x, y, z), tf.nn.ctc_loss(y, x, z)\n",
        TF
        + "y = tf.contrib.ctc.ctc_loss(inputs=x, labels=y, sequence_length=z), tf.nn.ctc_loss(y, x, z)\n",
    ),
    (
        "tf-internals",
        TF + "c = tf.python.ops.rnn_cell.GRUCell(3), tf.python.platform.flags.FLAGS\n",
        TF + "c = tf.nn.rnn_cell.GRUCell(3), tf.flags.FLAGS\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.canned.head import _Head\n",
        "from tfqueue.v1.contrib.estimator.canned import _Head\n",
    ),
    (
        "tf-internals",
        "from tensorflow.python.estimator.export import export\nr = export.ServingInputReceiver\n",
        "from tfqueue.v1.estimator import export\nr = export.ServingInputReceiver\n",
    ),
    *(
        (
            "tf-imports",
            f"from tensorflow.{name} import {what}\n",
            f"from tfqueue.v1.{name} import {what}\n",
        )
        for name, what in (
            ("data", "Dataset"),
            ("estimator", "ModeKeys"),
            ("estimator.export", "ServingInputReceiver"),
            ("estimator.inputs", "numpy_input_fn"),
            ("feature_column", "input_layer"),
            ("saved_model", "builder"),
            ("saved_model.builder", "SavedModelBuilder"),
            ("saved_model.signature_def_utils", "predict_signature_def"),
            # TensorFlow 2 has these, with other functions
            ("io", "parse_single_example"),
            ("math", "reduce_max"),
            ("strings", "split"),
        )
    ),
    (
        "tf-texts",
        "import importlib\nname = re.sub('^tf.', 'tensorflow.', name)\n"
        "x = importlib.import_module(name)\n",
        "from tfqueue.port.runtime import import_module\nimport importlib\n"
        "name = re.sub('^tf.', 'tensorflow.', name)\nx = import_module(name)\n",
    ),
    (
        "tf-texts",
        TF + "from unittest import mock\n"
        "with mock.patch('tensorflow.zeros', f), tf.test.mock.patch.multiple('tensorflow.nn', relu=g):\n"
        "    monkeypatch.setattr('tensorflow.get_variable', h)\n",
        TF + "from unittest import mock\n"
        "with mock.patch('tfqueue.v1.zeros', f), "
        "tf.test.mock.patch.multiple('tfqueue.v1.nn', relu=g):\n"
        "    monkeypatch.setattr('tfqueue.v1.get_variable', h)\n",
    ),
    (
        "tf-texts",
        TF + "from pydoc import locate\nx = locate(path)(locate('tensorflow.nn.relu'))\n",
        "from tfqueue.port.runtime import locate as tfq_locate\n"
        + TF
        + "from pydoc import locate\n"
        "x = tfq_locate(path)(locate('tfqueue.v1.nn.relu'))\n",
    ),
    (
        "tf-python-keras",
        "from tensorflow.python.keras import regularizers as r\n"
        "from tensorflow.python.keras.layers.core import K\nx = r.K.sum(K.abs(y))\n",
        "from tfqueue.v1.keras import backend\nfrom tfqueue.v1.keras import regularizers as r\n"
        "from tfqueue.v1.keras import backend as K\nx = backend.sum(K.abs(y))\n",
    ),
    (
        "tf-python-keras",
        "from tensorflow.python.keras import backend as K, Model, layers\n"
        "from tensorflow.python.keras.layers.core import Dense\n"
        "from tensorflow.python.keras.engine.training import Model as M\n"
        "from tensorflow.python.keras.utils import GeneratorEnqueuer, no_such\n"
        "from tensorflow.python import keras, debug\n"
        "import tensorflow.python.keras.callbacks as calls\n"
        "x = layers.Dense(3), keras.Input(2)\n",
        "from tfqueue.v1.keras import backend as K, Model, layers\n"
        "from tfqueue.v1.keras.layers import Dense\n"
        "from tfqueue.v1.keras import Model as M\n"
        "from tensorflow.python.keras.utils import no_such; "
        "from tfqueue.v1.keras.utils import GeneratorEnqueuer\n"
        "from tensorflow.python import debug; from tfqueue.v1 import keras\n"
        "import tfqueue.v1.keras.callbacks as calls\n"
        "x = layers.Dense(3), keras.Input(2)\n",
    ),
    (
        "tf-core-package",
        "import tensorflow_core as tf\nfrom tensorflow_core.python.ops import math_ops\n"
        "from tensorflow._api.v1 import nn\nimport tensorflow_core.contrib.slim\n"
        "x = tensorflow_core.contrib.slim.conv2d(tensorflow_core._api.v1.ones(2))\n",
        "import tensorflow as tf\nfrom tensorflow.python.ops import math_ops\n"
        "from tensorflow import nn\nimport tensorflow.contrib.slim\n"
        "x = tensorflow.contrib.slim.conv2d(tensorflow.ones(2))\n",
    ),
    (
        "tf-texts",
        "import importlib\ntf = importlib.import_module('tensorflow')\n",
        "import importlib\ntf = importlib.import_module('tfqueue.v1')\n",
    ),
    (
        "tf-texts",
        TF
        + "import importlib\na = importlib.import_module('keras.layers.core'), __import__('keras.models')\n"
        "b = importlib.import_module('keras.datasets.' + name), importlib.import_module('%s.py' % name)\n"
        "c = importlib.import_module('keras.optimizers'), __import__('keras.utils', fromlist=['x'])\n",
        "import tfqueue.port.libraries.keras_methods\nfrom tfqueue.port.runtime import import_module\n"
        + TF
        + "import importlib\na = importlib.import_module('tfqueue.v1.keras.layers'), "
        "__import__('tfqueue.v1.keras', fromlist=['Session'])\n"
        "b = import_module('keras.datasets.' + name), importlib.import_module('%s.py' % name)\n"
        "c = importlib.import_module('tfqueue.v1.contrib.keras.optimizers'), "
        "__import__('tfqueue.v1.keras.utils', fromlist=['x'])\n",
    ),
    (
        "tf-texts",
        TF + "import keras\nx = tf.__name__, tf.keras.__name__, tf.nn.relu.__name__\n",
        TF + "import keras\nx = 'tensorflow', 'tensorflow.keras', tf.nn.relu.__name__\n",
    ),
    (
        "tf-texts",
        "from importlib import import_module as load\nlayers = load('tensorflow.contrib.layers')\n",
        "from importlib import import_module as load\nlayers = load('tfqueue.v1.contrib.layers')\n",
    ),
    (
        "tf-texts",
        "tf = __import__('tensorflow')  # why\n",
        "tf = __import__('tfqueue.v1', fromlist=['Session'])  # why\n",
    ),
    (
        "tf-texts",
        "layers = __import__('tensorflow.layers', fromlist=['dense'])\n",
        "layers = __import__('tfqueue.v1.layers', fromlist=['dense'])\n",
    ),
    (
        "tf-imports",
        "from tensorflow.compat.v1.train import Coordinator\n",
        "from tfqueue.v1.train import Coordinator\n",
    ),
    (
        "tf-imports",
        "import tensorflow.compat.v1.nn as nn\n",
        "import tfqueue.v1.nn as nn\n",
    ),
    (
        "tf-losses",
        TF + "x = tf.contrib.losses.log_loss(a, b, weight=2.0)\n",
        TF + "x = tf.contrib.losses.log_loss(a, b, weights=2.0)\n",
    ),
    (
        "tf-losses",
        "from tensorflow.contrib import slim\nslim.losses.softmax_cross_entropy(a, b, weight=w)\n",
        "from tensorflow.contrib import slim\nslim.losses.softmax_cross_entropy(a, b, weights=w)\n",
    ),
    (
        "tf-release",
        "import tensorflow as tf\nx = tf.mul(a, b) % 3\n",
        "from tfqueue.release import assume\nimport tensorflow as tf\nassume('0.12')\n"
        "x = tf.mul(a, b) % 3\n",
    ),
    ("tf-concat-split", TF + "x = tf.concat(1, v)\n", TF + "x = tf.concat(axis=1, values=v)\n"),
    ("tf-concat-split", TF + "x = tf.concat(-1, v)\n", TF + "x = tf.concat(axis=-1, values=v)\n"),
    (
        # a number is no value to split, whatever else there is
        "tf-concat-split",
        TF + "x = tf.split(1, n, v)\ny = tf.layers.dense\n",
        TF + "x = tf.split(axis=1, num_or_size_splits=n, value=v)\ny = tf.layers.dense\n",
    ),
    (
        "tf-concat-split",
        TF + "x = tf.split(1, 2, value=v)\ny = tf.mul(x, x)\n",
        TF + "x = tf.split(axis=1, num_or_size_splits=2, value=v)\ny = tf.mul(x, x)\n",
    ),
    (
        "tf-aborted",
        TF + "x = tf.mul(a, b)\ntry:\n    f()\nexcept tf.errors.AbortedError:\n    g()\n",
        TF + "x = tf.mul(a, b)\ntry:\n    f()\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    g()\n",
    ),
    (
        "tf-aborted",
        TF
        + "try:\n    s.run(q.enqueue(1))\nexcept (tf.errors.AbortedError, ValueError):\n    pass\n",
        TF + "try:\n    s.run(q.enqueue(1))\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError, ValueError):\n    pass\n",
    ),
    (
        "tf-bool",
        TF + "x = [f(g) for g, v in opt.compute_gradients(loss) if g]\n",
        TF + "x = [f(g) for g, v in opt.compute_gradients(loss) if g is not None]\n",
    ),
    (
        "tf-gfile",
        TF + "f = tf.gfile.GFile(p)\nx = f.read().decode('utf-8')\nf.close()\n",
        TF + "f = tf.gfile.GFile(p, 'rb')\nx = f.read().decode('utf-8')\nf.close()\n",
    ),
]

# (rule, text): with this rule alone nothing is changed and nothing is said.
LEFT = [
    ("tf-losses", TF + "x = tf.nn.weighted_cross_entropy_with_logits(a, b, 3.0)\n"),
    (
        "tf-initializer-shape",
        TF + "x = tf.get_variable('x', initializer=tf.zeros_initializer([n]))\n"
        "y = tf.get_variable('y', None, initializer=tf.zeros_initializer([n]))\n"
        "z = tf.get_variable('z', [2], initializer=tf.zeros_initializer(tf.int32))\n"
        "u = tf.Variable(tf.zeros_initializer([n]))\n",
    ),
    ("tf-dataset-map", "x = data.map(f)\ny = f(num_threads=2)\n"),
    (
        "tf-dataset-map",
        "class Pool(object):\n    def map(self, f, xs, num_threads=1, output_buffer_size=2):\n"
        "        return [f(x) for x in xs]\n    def twice(self, f, x):\n        return self.map(f, xs=x, num_threads=2)\n"
        "p = Pool()\nprint(p.map(abs, [-1], num_threads=4), Pool().map(abs, xs=[-1], output_buffer_size=4))\n"
        "def use(pool):\n    return pool.map(abs, xs=[-1], num_threads=4)\n",
    ),
    (
        "tf-dataset-map",
        "import tensorflow as tf\nfrom ours import Pool\nimport others\nclass Held(object):\n"
        "    def __init__(self):\n        self.pool = others.Threads(2)\n        self.pool.map(abs, num_threads=4)\n"
        "p = Pool()\nx = p.map(abs, num_threads=4), data.map(abs, [-1], num_threads=4), tf.data.Dataset\n",
    ),
    (
        "tf-internals",
        "import tensorflow.python.ops.math_ops as m, tensorflow_estimator.other as o\n",
    ),
    ("tf-cell-variables", TF + "x = 'Bias' in tf.get_variable('Bias', [3]).name\n"),
    ("tf-shared-cells", TF + "x = [tf.nn.rnn_cell.GRUCell(3) for _ in range(2)]\ny = [0] * 3\n"),
    # another estimator's, and names that nobody has
    ("tf-internals", "from tensorflow.python.keras.estimator import model_to_estimator\n"),
    ("tf-internals", "from tensorflow.python.estimator.model_fn import _verify\n"),
    ("tf-internals", "from estimator.model_fn import ModeKeys\n"),
    ("tf-release", TF + "d = {k: v.value for k, v in tf.flags.FLAGS.__flags.items()}\n"),
    ("tf-imports", "import tensorflow_datasets as tfds\nfrom tensorflow.python.ops import nn\n"),
    (
        "tf-imports",
        "from tensorflow.keras import layers\nfrom tensorflow.python.ops import nn\nlayers.Dense(1)\n",
    ),
    ("tf-texts", "from tensorflow.python.client import device_lib\n"),
    ("tf-texts", "x = load('tensorflow'), __import__(name), __import__('tensorflow.layers')\n"),
    ("tf-core-package", TF + "x = tensorflow_core_settings, 'tensorflow_core', tf._api\n"),
    ("tf-texts", "import importlib\nx = importlib.import_module('tensorflow_probability')\n"),
    (
        "tf-texts",
        TF
        + "import importlib, keras\nfrom keras import ops\nx = importlib.import_module('keras.layers')\n",
    ),
    ("tf-texts", TF + "x = __import__('keras_contrib.layers'), mock.patch('keras.layers.Dense')\n"),
    ("tf-python-keras", "from tensorflow.python.keras.engine import training_utils\n"),
    (
        "tf-texts",
        TF + "mock.patch('tensorflow.python.ops.array_ops.zeros'); find('tensorflow.zeros')\n",
    ),
    ("tf-texts", "import importlib\nx = importlib.import_module(name)\nprint('tensorflow!')\n"),
    ("tf-imports", "from tensorflow.python.platform import gfile, flags\n"),
    ("tf-imports", "import tfqueue\nfrom tensorflow.python.ops import nn\n"),
    ("tf-imports", "# import tensorflow as tf\nx = 'import tensorflow as tf'\n"),
    ("tf-imports", "import tfqueue.v1 as tf\nfrom tfqueue.v1.contrib import slim\n"),
    ("tf-losses", TF + "x = tf.losses.log_loss(a, b, weights=2.0)\ny = f(weight=1)\n"),
    ("tf-release", TF + "x = tf.multiply(a, b) % 3\n"),
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
        "tf-local-variables",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\n"
        "s.run(tf.initialize_all_variables())\ns.run(tf.initialize_local_variables())\n",
    ),
    ("tf-local-variables", TF + "s.run(tf.initialize_all_variables())\n"),
    (
        "tf-local-variables",
        TF + "q = tf.train.string_input_producer(f, num_epochs=2)\nx = tf.data.Dataset\n"
        "s.run(tf.global_variables_initializer())\n",
    ),
    ("tf-release", TF + "tf.flags.DEFINE_boolean('train', True, '')\n"),
    ("tf-release", "import keras\nx = tfqueue\n"),
    (
        "tf-aborted",
        TF + "x = tf.layers.dense\ntry:\n    f()\nexcept tf.errors.AbortedError:\n    g()\n",
    ),
    (
        "tf-calls",
        TF + "def f(i, size, method, corners):\n"
        "    return tf.image.resize_images(i, size, method, corners)\n",
    ),
    ("tf-calls", TF + "x = tf.image.resize_images(i, (4, 4), 0, False)\n"),
    ("tf-calls", TF + "x = tf.image.resize_images(i, s, tf.image.ResizeMethod.AREA, False)\n"),
    (
        # `f` of one function is decoded, `f` of another one is not
        "tf-gfile",
        TF
        + "def labels(p):\n    with open(p, 'rb') as f:\n        return f.read().decode('utf-8')\n\n"
        "def words(p):\n    with tf.gfile.GFile(p) as f:\n        return f.read().split()\n",
    ),
    (
        # its uses disagree: the program sees to both Pythons
        "tf-gfile",
        TF
        + "with tf.gfile.GFile(p, 'r') as f:\n    if py3:\n        x = f.read().replace('a', 'b')\n"
        "    else:\n        x = f.read().decode('utf-8').replace('a', 'b')\n",
    ),
    (
        "tf-gfile",
        TF + "f = tf.gfile.GFile(p)\nx = f.read().decode('utf-8')\nfor line in f:\n    g(line)\n",
    ),
    ("tf-gfile", TF + "f = tf.gfile.GFile(p)\nx = ''.join(list(f)).decode('utf-8')\n"),
    ("tf-moved", TF + "def f(tf):\n    return tf.pack(1)\n"),
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
    (
        "tf-bool",
        TF + "x = opt.compute_gradients(l)\nfor g, v in zip(a, b):\n    if g:\n        f(v)\n",
    ),
    ("tf-gone", TF + "x = tf.contrib.slim.conv2d\ny = tf.train.batch\n"),
    (
        "tf-types",
        TF + "x = type(v) is tf.Tensor\ny = isinstance(v, tf.Variable)\n"
        "z = type(v).__name__ == 'list'\nprint(type(v), type(v).__name__)\n"
        "x = type('A', (), {}) is tf.Variable\nx = 1 < type(v) < tf.Variable\n",
    ),
    ("tf-types", "x = type(v).__name__ == 'Tensor'\n"),
    (
        "tf-version",
        TF + "x = tf.__version__ < '1.2'\nif tf.__version__ == '0.12.0': x = 1\n"
        "if tf.__version__ != '1.0.0': x = 2\nassert tf.__version__ != '1.13.1'\nprint(tf.VERSION)\nimport os\nos.VERSION[0]\n",
    ),
    (
        "tf-version",
        TF
        + "import keras, h5py\nif keras.__version__ == '2.0.4': x = 1\nif keras.__version__ != '2.1.6': x = 2\n"
        "assert keras.__version__ > '2.0.4'\nassert keras.__version__ != '2.0.4'\nassert h5py.__version__ == '2.0.4'\n"
        "assert keras.__version__ == '3.0.0'\n",
    ),
    ("tf-version", TF + "import keras\nx = keras.ops.add\nassert keras.__version__ == '2.0.4'\n"),
    ("tf-concat-split", TF + "x = tf.concat(*parts)\ny = tf.concat(1, *parts)\n"),
    ("tf-concat-split", TF + "x = tf.split(1, 2, *parts)\n"),
    ("tf-concat-split", TF + "x = tf.concat(**words)\ny = tf.concat(v, name='y')\n"),
    ("tf-concat-split", TF + "x = tf.concat(1, [a], 'n', b)\n"),
    # in a program from before 1.0, too, what has its number behind the value is in the new order
    ("tf-concat-split", TF + "x = tf.concat(v, axis=1)\ny = tf.mul(x, x)\n"),
    ("tf-concat-split", TF + "x = tf.concat(v, 1)\ny = tf.mul(x, x)\n"),
    ("tf-concat-split", TF + "x = tf.concat([a, b], d)\ny = tf.mul(x, x)\n"),
    ("tf-concat-split", TF + "x = tf.split(v, 2, 1)\ny = tf.mul(x, x)\n"),
    ("tf-concat-split", TF + "x = tf.split(v, 2)\ny = tf.mul(x, x)\n"),
    ("tf-concat-split", TF + "x = tf.concat(d, v)\ny = tf.layers.dense\n"),
    ("tf-losses", TF + "l = tf.nn.softmax_cross_entropy_with_logits(*pair)\n"),
    (
        "tf-losses",
        TF + "import other\nl = other.nn.softmax_cross_entropy_with_logits(x, y)\n",
    ),
    (
        "tf-losses",
        "import tfqueue.v1 as tf\nl = tf.nn.softmax_cross_entropy_with_logits(x, y)\n",
    ),
    ("tf-losses", TF + "l = tf.nn.ctc_loss_of_mine(x, targets=y)\n"),
    ("tf-losses", TF + "l = tf.nn.nce_loss(w, b, i, t, 4, 5)\n"),
    (
        "tf-aborted",
        "import tfqueue.v1 as tf\n"
        "try:\n    s.run(q.enqueue(1))\nexcept tf.errors.AbortedError:\n    pass\n",
    ),
    ("tf-aborted", TF + "try:\n    f()\nexcept tf.errors.AbortedError:\n    g()\n"),
    (
        "tf-aborted",
        TF + "x = tf.layers.dense\n"
        "try:\n    s.run(q.enqueue(1))\nexcept tf.errors.AbortedError:\n    pass\n",
    ),
    (
        "tf-aborted",
        TF + "try:\n    s.run(q.enqueue(1))\n"
        "except (tf.errors.AbortedError, tf.errors.CancelledError):\n    pass\n"
        "try:\n    f()\nexcept ValueError:\n    pass\nexcept:\n    pass\n",
    ),
    (
        # its name for the other error is not known
        "tf-aborted",
        TF + "from tensorflow.errors import AbortedError\n"
        "try:\n    s.run(q.enqueue(1))\nexcept AbortedError:\n    pass\n",
    ),
    (
        "tf-bool",
        TF + "x = opt.compute_gradients(l)\nfor pair in x:\n    if pair:\n        f(pair)\n"
        "for g, v in x:\n    if ready:\n        f(g)\n"
        "for (g, h), v in x:\n    if g:\n        f(v)\n",
    ),
    (
        "tf-bool",
        TF + "x = [opt.compute_gradients(l) for l in losses]\n"
        "for grads in x:\n    for g, v in grads:\n        if g:\n            f(v)\n",
    ),
    ("tf-gfile", TF + "f = tf.gfile.GFile(p, mode='rb')\nx = f.read().decode('utf-8')\n"),
    ("tf-gfile", TF + "f = tf.gfile.GFile(p)\nf.close()\n"),
    ("tf-gfile", "import other.gfile\nx = other.gfile.GFile(p).read().decode('utf-8')\n"),
]

# (text, sentence): what can't be helped is said, and nothing is changed.
HELPLESS = [
    ("import tensorflow.contrib.lite; tensorflow.contrib.lite.f()\n", "tf.contrib.lite is gone"),
    ("from tensorflow.contrib import lite\n__all__ = ['lite']\n", "tf.contrib.lite is gone"),
    (
        "def f():\n    from tensorflow.contrib import lite; lite.f()\n",
        "tf.contrib.lite is gone",
    ),
    (TF + "x = tf.contrib.timeseries.ARRegressor\n", "tf.contrib.timeseries is gone since"),
    (
        TF + "x = tf.estimator.BoostedTreesClassifier(f)\n",
        "tf.estimator.BoostedTreesClassifier is gone since TensorFlow 2.16",
    ),
    (
        "from tensorflow.contrib import lite; lite.f()\n",
        "tf.contrib.lite is gone since TensorFlow 2.0",
    ),
    (TF + "r = tf.LMDBReader()\n", "tf.LMDBReader is gone since TensorFlow 2.4"),
    ("from google.protobuf.pyext import _message; _message.f()\n", "gone since protobuf 4: protoc"),
    (
        "from tensorflow.models.image.cifar10 import nowhere; nowhere.f()\n",
        "put its module beside this file",
    ),
]
