"""Finds, builds, runs and measures programs."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from errors import BindingsError

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def need(program, package):
    """Returns the path of a program. If it is missing, raises an error that names its package."""
    found = shutil.which(program)
    if found is None:
        raise BindingsError(f"{program} is missing; it is in the Debian package {package}.")
    return found


def built(variable, script, *words):
    """Returns the path in a variable, or the path that a build script prints last."""
    named = os.environ.get(variable)
    if named:
        return os.path.abspath(named)
    path = os.path.join(ROOT, "Scripts", script)
    if not os.path.exists(path):
        raise BindingsError(f"There is no Scripts/{script}, and {variable} names nothing.")
    built_by = subprocess.run(
        [path, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    lines = built_by.stdout.splitlines()
    if built_by.returncode != 0 or not lines:
        raise BindingsError(f"Scripts/{script} has failed, see above.")
    return os.path.join(ROOT, lines[-1])


def done(words):
    """Runs a preparing program with its output on the terminal."""
    result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if result.returncode != 0:
        raise BindingsError(f"{' '.join(words)} has failed ({result.returncode}), see above.")


def timed(words, environment=None):
    """Runs a program to its end; returns wall seconds and user seconds."""
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                 env={**os.environ, **(environment or {})})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
            raise BindingsError(f"{' '.join(words)} has failed ({child.returncode}): {text}")
    return wall, usage.ru_utime
