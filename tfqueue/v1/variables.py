"""`tf.Variable`: TensorFlow's own, under the class that old programs test for."""

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

__all__ = ["Variable"]


class _AnyVariable(type(_tf.Variable)):
    """Makes calls build TensorFlow's variable, and `isinstance` see every kind of it.

    The mode of `tfqueue.v1` makes resource variables, which in TensorFlow 2.21
    are no instances of `tf.compat.v1.Variable`; in TensorFlow 1 they were.
    """

    def __call__(cls, *args, **kwargs):
        return _tf.Variable(*args, **kwargs)

    def __instancecheck__(cls, instance):
        return isinstance(instance, _tensorflow.any_variable())

    def __subclasscheck__(cls, subclass):
        # By the bases alone: TensorFlow's class is an abstract one, and would ask its
        # subclasses, this one among them, and so on for ever.
        return _tensorflow.any_variable() in subclass.__mro__


class Variable(_tf.Variable, metaclass=_AnyVariable):
    """A variable of the graph (`tf.Variable`), a resource variable (see `tfqueue.v1`).

    Arguments are those of `tf.compat.v1.Variable`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Graph().as_default():
    ...     weight = tf.Variable([1.0, 2.0], name="weight")
    ...     print(weight.name, isinstance(weight, tf.Variable))
    weight:0 True
    """
