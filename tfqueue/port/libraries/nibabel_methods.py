"""Importing this gives nibabel's images the methods that they had up to 2.x; programs import it for that."""

from tfqueue.port.libraries import installed, nibabel_images

installed.change("nibabel", nibabel_images.install)
