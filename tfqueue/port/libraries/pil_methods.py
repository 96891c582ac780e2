"""Importing this gives Pillow what it did and had in 5.x; programs import it for that."""

from tfqueue.port.libraries import installed, pil_images

installed.change("PIL", pil_images.install)
