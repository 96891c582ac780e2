"""The process that `children.py` starts: imports TensorFlow, then forks a child for each order.

    python fork_server.py DESCRIPTOR

The descriptor is a socket. An order is a line of JSON with the descriptors of the child's stdin,
stdout and stderr; the answers are a line with its process id and, later, one with its exit status.
A child leads a process group. It ends as an interpreter does: it waits for its threads, calls what
`atexit` has, and is killed by SIGINT for a KeyboardInterrupt that nobody caught. A child that runs
when the socket is closed is killed.

The line `null` with the descriptor of a socket makes a second server, which listens to that one.
"""

import contextlib
import gc
import json
import os
import random
import runpy
import select
import signal
import socket
import sys
import types
import warnings


def load():
    """Imports TensorFlow with the level of its log with which `tfqueue` imports it."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"  # in a child no longer, see `become`
    stderr = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:  # where its start-up lines go
            os.dup2(nowhere.fileno(), 2)
        import tensorflow.compat.v1  # noqa: F401
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
    gc.freeze()  # so that what the children share is not copied


def serve(connection):
    """Carries out one order after the other.

    Returns:
      In a child its order; in the server None, once the socket is closed.
    """
    while True:
        line, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if not line:
            return None
        while not line.endswith(b"\n"):
            line += connection.recv(1 << 20)
        order = json.loads(line)
        child = os.fork()
        if not child:
            connection.close()
            if order is None:
                if os.fork():
                    os._exit(0)  # so that nobody has to wait for the second server
                connection = socket.socket(fileno=descriptors[0])
                continue
            os.setpgid(0, 0)
            for number, descriptor in enumerate(descriptors):
                os.dup2(descriptor, number)
                os.close(descriptor)
            return order
        for descriptor in descriptors:
            os.close(descriptor)
        if order is None:
            os.waitpid(child, 0)
            continue
        with contextlib.suppress(ProcessLookupError):
            os.setpgid(child, child)  # whoever of the two comes first
        with contextlib.suppress(BrokenPipeError):
            connection.sendall(b"%d\n" % child)
        ended = os.pidfd_open(child)
        # Nothing is asked while a child runs: a socket that can be read has been closed.
        ready, _, _ = select.select([ended, connection], [], [])
        os.close(ended)
        if connection in ready:
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with contextlib.suppress(BrokenPipeError):
            connection.sendall(b"%d\n" % status)


def become(order):
    """Makes this process look as an interpreter does that was started with these arguments.

    Returns:
      The program's `__main__` module; its text, or with `-m` its name; the file of the text, if any.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    random.seed()
    sys.modules["numpy"].random.seed()
    first, *rest = order["arguments"]
    sys.orig_argv = [sys.executable, *order["arguments"]]
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:1] = ["", *(os.path.abspath(folder) for folder in folders if folder)]
    if os.environ.get("PYTHONWARNINGS"):
        sys.warnoptions = os.environ["PYTHONWARNINGS"].split(",")
        warnings._processoptions(sys.warnoptions)
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__builtins__ = sys.modules["builtins"]
    main.__annotations__ = {}
    file = None
    if first in ("-c", "-m"):
        text, *rest = rest
        file = "<string>" if first == "-c" else None
    else:
        file = main.__file__ = os.path.abspath(first)
        main.__cached__ = None
        sys.path[0] = os.path.dirname(file)
        with open(file, "rb") as program:
            text = program.read()
    if first == "-m":
        sys.path[0] = os.getcwd()
    sys.argv = [first, *rest]
    return main, text, file


def run(main, text, file):
    """Runs the program; what it raises is shown without the frames of this file."""
    try:
        if file is None:
            runpy._run_module_as_main(text)  # as the interpreter does
        else:
            exec(compile(text, file, "exec"), vars(main))
    except SystemExit:
        raise
    except BaseException as error:
        error.with_traceback(error.__traceback__.tb_next)
        sys.excepthook(type(error), error, error.__traceback__)
        sys.excepthook = lambda *_: None
        raise


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the tests have ended
    load()
    todo = serve(socket.socket(fileno=int(sys.argv[1])))
    if todo is not None:
        run(*become(todo))
