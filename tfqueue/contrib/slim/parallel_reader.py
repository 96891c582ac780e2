"""`tf.contrib.slim.parallel_reader`: tf_slim's, with queue runners of ours."""

from tfqueue.v1 import _lazy_names

_reader = _lazy_names.slim("tf_slim.data.parallel_reader", "tf.contrib.slim.parallel_reader")

globals().update(
    _lazy_names.mirror("tf_slim.data.parallel_reader", "tf.contrib.slim.parallel_reader")
)

parallel_read = _lazy_names.adopting(_reader.parallel_read)
single_pass_read = _lazy_names.adopting(_reader.single_pass_read)


class ParallelReader(_reader.ParallelReader):
    """Several readers that fill one queue (`tf.contrib.slim.parallel_reader.ParallelReader`)."""

    read = _lazy_names.adopting(_reader.ParallelReader.read)
    read_up_to = _lazy_names.adopting(_reader.ParallelReader.read_up_to)
