# ruff: noqa: UP003, UP010, UP020, UP031
"""Runs every scenario of an era under the original release and writes what it saw.

Shared by make_115.py and make_012.py, so it runs on Python 2.7 and 3.7 too.
"""

from __future__ import print_function, unicode_literals

import io
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def rendered(results):
    """The text of one golden file: sorted, one line per top-level fact so that a change shows."""
    scenarios = []
    for name in sorted(results):
        facts = results[name]
        lines = [
            "  %s: %s" % (json.dumps(key), json.dumps(facts[key], sort_keys=True))
            for key in sorted(facts)
        ]
        scenarios.append("%s: {\n%s\n}" % (json.dumps(name), ",\n".join(lines)))
    return "{\n%s\n}\n" % ",\n".join(scenarios)


def watch(name, seconds=60):
    """Ends the process with a line and the stacks if a scenario hangs (Python 3 only)."""
    try:
        import faulthandler
    except ImportError:  # Python 2.7: make.py's own time-out has to do
        return
    print("    " + name, file=sys.stderr)  # make.py shows this if it fails
    faulthandler.dump_traceback_later(seconds, exit=True)


def main(era, release):
    """Writes `files_<era>/` and `<era>/<subject>.json`.

    Args:
        era: "115" or "012".
        release: The version of TensorFlow that must be running.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import kit
    import numpy as np
    import tensorflow as tf
    import writers

    if tf.__version__ != release:
        sys.exit("record.py: this is TensorFlow %s, not %s" % (tf.__version__, release))
    if hasattr(tf, "logging"):
        tf.logging.set_verbosity(tf.logging.FATAL)
    folders = {}
    for kind in ("files_" + era, era):
        folders[kind] = os.path.join(HERE, kind)
        shutil.rmtree(folders[kind], ignore_errors=True)
        os.mkdir(folders[kind])
    files = folders["files_" + era]
    print("  writing the files of", release)
    writers.write_all(tf, files)
    writers.write_inputs(files)
    count = 0
    for subject, scenarios in sorted(kit.discover("scenarios_" + era).items()):
        print("  %-12s %d scenarios" % (subject, len(scenarios)))
        sys.stdout.flush()
        results = {}
        for name, scenario in scenarios:
            watch(name)
            with tf.Graph().as_default():
                results[name] = scenario(tf, kit.Kit(tf, np, files))
        count += len(scenarios)
        with io.open(os.path.join(folders[era], subject + ".json"), "w", encoding="ascii") as out:
            text = rendered(results)
            out.write(text if isinstance(text, type("")) else text.decode("ascii"))
    print("  %d scenarios of TensorFlow %s recorded" % (count, release))
