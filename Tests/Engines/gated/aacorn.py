"""A gate in front of the Python package: a limited number of sounds are encoded, and further calls wait.

Only a worker that a trial kills midway imports this module, by PYTHONPATH. Each call needs a pass.
AACORN_PASSES is the number of passes, AACORN_GATE names the folder that counts the used ones, and a file
`open` in the folder ends the limit.
"""

import importlib.machinery
import importlib.util
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def load():
    """Returns the real package, in place of this module."""
    elsewhere = [folder for folder in sys.path if Path(folder or ".").resolve() != HERE]
    spec = importlib.machinery.PathFinder.find_spec("aacorn", elsewhere)
    package = importlib.util.module_from_spec(spec)
    sys.modules["aacorn"] = package
    spec.loader.exec_module(package)
    return package


def wait(gate, count):
    """Takes a pass, or waits until none is needed."""
    if (gate / "open").exists():
        return
    # The file size after appending a byte is the number of taken passes; the system serializes the writes.
    passes = os.open(gate / "passes", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        os.write(passes, b".")
        if os.lseek(passes, 0, os.SEEK_CUR) <= count:
            return
    finally:
        os.close(passes)
    (gate / f"waiting-{os.getpid()}").touch()
    while not (gate / "open").exists():
        time.sleep(0.02)


def guard(package):
    encode, gate, count = package.encode, Path(os.environ["AACORN_GATE"]), int(os.environ["AACORN_PASSES"])

    def guarded(*arguments, **options):
        wait(gate, count)
        return encode(*arguments, **options)

    package.encode = guarded


guard(load())
