"""Importing this gives nibabel's images the methods that they had up to 2.x; programs import it for that."""

import contextlib

from tfqueue.port.libraries import nibabel_images

with contextlib.suppress(ImportError):
    nibabel_images.install()
