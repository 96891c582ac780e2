"""`tf.contrib.slim.dataset_data_provider`: tf_slim's, with queue runners of ours."""

from tfqueue.v1 import _lazy_names

_provider = _lazy_names.slim("tf_slim.data.dataset_data_provider", "tf.contrib.slim")


class DatasetDataProvider(_provider.DatasetDataProvider):
    """Examples of a `Dataset`, one at a time (`tf.contrib.slim.dataset_data_provider`).

    Arguments and methods are those of tf_slim's class.
    """

    __init__ = _lazy_names.adopting(_provider.DatasetDataProvider.__init__)


__all__ = ["DatasetDataProvider"]
