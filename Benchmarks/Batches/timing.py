"""Measures time and memory of a program with the program `time`."""

import os
import subprocess
import tempfile
from dataclasses import dataclass

from errors import BindingsError
from running import need


@dataclass
class Taken:
    """Wall time and processor time in seconds, and peak memory in kB."""

    wall: float
    user: float
    system: float
    memory: int

    @property
    def processor(self):
        return self.user + self.system


def timed(words, folder, codes=(0,), stdin=None, environment=None):
    """Runs a program in a folder to its end, and includes the child processes that it waits for."""
    # Use the program `time`: the peak memory that the system reports for a direct child includes this process
    # before `exec`.
    clock = need("time", "time")
    with tempfile.NamedTemporaryFile("r") as report, tempfile.TemporaryFile() as said, \
            open(stdin or os.devnull, "rb") as given:
        ended = subprocess.run(
            [clock, "--quiet", "-f", "%e %U %S %M", "-o", report.name, *words], cwd=folder, stdin=given,
            stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **(environment or {})},
            check=False)
        if ended.returncode not in codes:
            said.seek(0)
            text = said.read()[-2000:].decode(errors="replace").strip()
            raise BindingsError(
                f"{' '.join(map(str, words[:8]))} has failed ({ended.returncode}): {text}")
        wall, user, system, memory = report.read().split()[-4:]
    return Taken(float(wall), float(user), float(system), int(memory))


def row(*cells):
    """Returns a row of a Markdown table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
