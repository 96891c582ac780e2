"""Importing this gives Pillow what it did and had in 5.x; programs import it for that."""

import contextlib

from tfqueue.port.libraries import pil_images

with contextlib.suppress(ImportError):
    pil_images.install()
