"""Package metadata of tfqueue: everything `pip` needs to know stands here."""

import pathlib
import re

from setuptools import find_packages, setup

HERE = pathlib.Path(__file__).parent
VERSION = re.search(
    r'^__version__ = "(.+)"$', (HERE / "tfqueue" / "__init__.py").read_text("utf-8"), re.MULTILINE
).group(1)


def long_description():
    """The README for a package index, which has no other file of the project.

    A picture beside it is left out, a link to a file beside it becomes plain text.
    """
    here = r"(?!https?:|mailto:|#)[^()\s]+"
    text = (HERE / "README.md").read_text("utf-8")
    text = re.sub(r"<picture>.*?</picture>\n*", "", text, flags=re.DOTALL)
    text = re.sub(rf"<img[^>]*src=[\"']{here}[^>]*>\n*", "", text)
    text = re.sub(rf"^!\[[^\]]*\]\({here}\)\n*", "", text, flags=re.MULTILINE)
    text = re.sub(rf"!\[([^\]]*)\]\({here}\)", r"\1", text)
    text = re.sub(rf"<a href=[\"']{here}>(.*?)</a>", r"\1", text, flags=re.DOTALL)
    return re.sub(rf"\[([^\]]*)\]\({here}\)", r"\1", text)


IMAGES = ["scikit-image>=0.22", "pillow>=10.1", "resvg-py>=0.5"]
PORT = ['fissix>=24.4; python_version >= "3.13"']  # reads Python 2; lib2to3 did up to 3.12
SLIM = ["tf_slim>=1.1"]  # tf.contrib.slim and what of tf.contrib.layers it still carries
KERAS = ["tf_keras>=2.16"]  # Keras 2, which trains in sessions; one release for each TensorFlow
COMPLETION = ["shtab>=1.13"]
DOCS = ["mkdocs-material>=9.5", "mkdocstrings[python]>=0.26"]
TEST = [
    *IMAGES,
    *PORT,
    *SLIM,
    *KERAS,
    *COMPLETION,
    "build>=1.2",
    "coverage>=7.10",
    "hypothesis>=6.100",
    "import-linter>=2.1",
    "ipykernel>=6",
    "matplotlib>=3.8",
    "mypy>=1.13",
    "nbclient>=0.8",
    "nbformat>=5.7",
    "pytest>=9.2",
    "pytest-timeout>=2.3",
    "pytest-xdist>=3.5",
    "ruff==0.17.5",
    "twine>=5",
]

setup(
    name="tfqueue",
    version=VERSION,
    description="TensorFlow-1 queue-runner programs on today's TensorFlow",
    long_description=long_description(),
    long_description_content_type="text/markdown",
    author="The tfqueue developers",
    license_expression="Apache-2.0",
    license_files=["LICENSE"],
    keywords="tensorflow queue-runner tfrecord tf.data migration",
    python_requires=">=3.10",
    packages=find_packages(include=["tfqueue", "tfqueue.*"]),
    package_data={"tfqueue": ["py.typed"], "tfqueue.names": ["*.txt", "*.xz"]},
    install_requires=[
        "tensorflow>=2.16",
        "numpy",
        "protobuf>=4.22",
        "google-crc32c>=1.5",
        "rich>=13",
    ],
    extras_require={
        "images": IMAGES,
        "port": PORT,
        "slim": SLIM,
        "keras": KERAS,
        "completion": COMPLETION,
        "docs": DOCS,
        "test": [*TEST, *DOCS],
    },
    entry_points={
        "console_scripts": ["tfqueue = tfqueue.cli:main"],
        "pytest11": ["tfqueue = tfqueue.explain.pytest_plugin"],
    },
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Developers",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Typing :: Typed",
    ],
)
