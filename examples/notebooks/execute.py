"""Runs the notebooks in this folder from start to end, each in a kernel of its own.

    python examples/notebooks/execute.py            # all of them, their outputs written anew
    python examples/notebooks/execute.py 003 004    # some
    python examples/notebooks/execute.py --into DIR # the results go elsewhere

What is written is stable: no times, no places in memory, no folders of this machine. A cell that is
to fail has the tag `raises-exception`; the error of any other cell ends it all.
"""

import argparse
import copy
import pathlib
import re
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parent
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
SECONDS = 120


def execute(notebook):
    """Runs all cells of a notebook, which gets the new outputs.

    Raises:
      nbclient.exceptions.CellExecutionError: A cell fails that is not marked to.
    """
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        )
        client.execute()


def settle(notebook):
    """Takes out what would differ from run to run, and joins what was printed piece by piece."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        outputs = []
        for output in cell.outputs:
            last = outputs[-1] if outputs else {}
            if output.output_type == "stream" and last.get("name") == output.name:
                last["text"] += output.text
            else:
                outputs.append(output)
        for output in outputs:
            if output.output_type == "error":
                output["traceback"] = [COLOURS.sub("", line) for line in output.traceback]
                output["evalue"] = ""  # it stands in the lines already
            elif "image/png" in output.get("data", {}):
                output.data.pop("image/jpeg", None)  # Pillow gives every image twice
        # What was printed comes before what was warned of, whatever the order of their arrival.
        order = {"stdout": 0, "stderr": 1}
        cell["outputs"] = sorted(outputs, key=lambda one: order.get(one.get("name"), 2))
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}


def main(argv=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="the numbers of notebooks, such as 003")
    parser.add_argument("--into", type=pathlib.Path, default=FOLDER, metavar="DIR")
    chosen = parser.parse_args(argv)
    for path in sorted(FOLDER.glob("*.ipynb")):
        if chosen.names and not path.name.startswith(tuple(chosen.names)):
            continue
        print(path.name, flush=True)
        notebook = copy.deepcopy(nbformat.read(path, as_version=4))
        execute(notebook)
        settle(notebook)
        nbformat.write(notebook, chosen.into / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
