"""Importing this gives nibabel's images the methods that they had before 3.0 to 5.0; programs import it for that."""

import contextlib

from tfqueue.port.libraries import nibabel_images

with contextlib.suppress(ImportError):
    nibabel_images.install()
