"""`tf.contrib.slim.parallel_reader`: tf_slim's, with queue runners of ours."""

from tfqueue.v1 import _rows

_reader = _rows.slim("tf_slim.data.parallel_reader", "tf.contrib.slim.parallel_reader")

globals().update(_rows.mirror("tf_slim.data.parallel_reader", "tf.contrib.slim.parallel_reader"))

parallel_read = _rows.adopting(_reader.parallel_read)
single_pass_read = _rows.adopting(_reader.single_pass_read)


class ParallelReader(_reader.ParallelReader):
    """Several readers that fill one queue (`tf.contrib.slim.parallel_reader.ParallelReader`)."""

    read = _rows.adopting(_reader.ParallelReader.read)
    read_up_to = _rows.adopting(_reader.ParallelReader.read_up_to)
