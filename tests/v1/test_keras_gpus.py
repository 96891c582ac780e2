"""`tf.keras.utils.multi_gpu_model`, which programs import for where there are several GPUs."""

import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


@pytest.mark.parametrize(
    ("gpus", "said"),
    [
        (1, "`gpus >= 2`"),
        ([0], "`gpus >= 2`"),
        (2, "Try reducing `gpus`"),
        ([0, 3], "Try reducing `gpus`"),
    ],
)
def test_too_few_gpus(gpus, said):
    """1.15.5 raised a ValueError with these words."""
    with pytest.raises(ValueError, match=said):
        tf.keras.utils.multi_gpu_model(None, gpus)


def test_enough_gpus(monkeypatch):
    monkeypatch.setattr(
        tf.compat.v1.config, "list_physical_devices", lambda kind: ["a", "b"], raising=False
    )
    with pytest.raises(GoneError, match="multi_gpu_model is gone"):
        tf.keras.utils.multi_gpu_model(None, 2)
