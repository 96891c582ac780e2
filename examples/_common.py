"""What the examples share: the options every one of them takes, and where pictures go.

Nothing here is about TensorFlow. Each example can be read without this file.
"""

import argparse
import pathlib


def options(doc, argv=None, **extra):
    """Reads the command line of an example and makes its output folder.

    Args:
      doc: The example's module docstring; it is what `--help` prints.
      argv: Arguments, a list of str; those of the process if None.
      **extra: Further options by name, each with its default value, e.g. `steps=600`; the type of
        the option is the type of the default.

    Returns:
      The options as a namespace: `out` (a `pathlib.Path`, the folder exists), `show` (bool) and one
      entry per extra option.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("out/examples"),
        metavar="DIR",
        help="folder for the files and pictures it makes (default: %(default)s)",
    )
    parser.add_argument("--show", action="store_true", help="also open a window with the pictures")
    for name, default in extra.items():
        parser.add_argument(
            f"--{name}", type=type(default), default=default, help="(default: %(default)s)"
        )
    chosen = parser.parse_args(argv)
    chosen.out.mkdir(parents=True, exist_ok=True)
    return chosen


def pyplot(show=False):
    """Returns `matplotlib.pyplot`, drawing without a window unless `show` is true."""
    import matplotlib

    if not show:
        matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def save(figure, path, show=False):
    """Writes a matplotlib figure to `path`, says so, and shows it in a window if asked to."""
    figure.savefig(path, dpi=100)
    print(f"picture: {path}")
    plt = pyplot(show)
    if show:
        plt.show()
    plt.close(figure)


def rgb(image):
    """Returns a grey picture [height, width] as [height, width, 3]; a colour picture as it is."""
    import numpy as np

    return np.dstack([image] * 3) if image.ndim == 2 else image


def coin_regions():
    """Numbers the coins in the photograph `skimage.data.coins()`.

    Returns:
      int array [303, 384]: 0 beside the coins, 1 to 24 on them, the largest coin first.
    """
    import numpy as np
    from skimage import data, morphology, segmentation

    parts = segmentation.felzenszwalb(data.coins(), scale=400, sigma=1.2, min_size=800)
    by_size = np.argsort(-np.bincount(parts.ravel()))
    number = np.empty(len(by_size), int)
    number[by_size] = np.arange(len(by_size))
    regions = number[parts]
    # Opening takes away the fringe that one coin shares with the edge of the picture.
    solid = morphology.opening(np.pad(regions > 0, 4), morphology.disk(4))
    return regions * solid[4:-4, 4:-4]
