"""Servers of a trial."""

import os
import select
import subprocess
import sys
from pathlib import Path

from processes import tail
from sounds import Failure


class Daemon:
    """A server that runs while its context is open; ended by its process ID."""

    def __init__(self, words, log, environment=None, prints_port=False):
        program = words[1] if words[0] == sys.executable else words[0]
        self.name, self.log, self.output, self.port = Path(program).name, log, "", None
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                [str(word) for word in words], env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if prints_port else errors, stderr=errors,
            )
        if prints_port:
            try:
                self.port = self.reported_port()
            except BaseException:
                self.__exit__()
                raise

    def reported_port(self, seconds=60):
        """Returns the port that the server has chosen and printed as its first line."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline().strip() if ready else b""
        if not line.isdigit() or line == b"0":
            raise Failure(f"{self.name} did not print its port.{tail(self.log)}")
        return int(line)

    def __enter__(self):
        return self

    def check(self):
        """Fails if the server no longer runs."""
        if self.process.poll() is not None:
            raise Failure(f"{self.name} ended with {self.process.returncode}.{tail(self.log)}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            output = self.process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            output = self.process.communicate()[0]
        self.output = (output or b"").decode(errors="replace").strip()
