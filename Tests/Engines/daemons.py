"""Servers of a trial."""

import os
import select
import subprocess
import sys
from pathlib import Path

from processes import tail
from sounds import Failure


class Daemon:
    """A server for as long as the block lasts; ended by its number."""

    def __init__(self, words, log, environment=None, says_port=False):
        program = words[1] if words[0] == sys.executable else words[0]
        self.name, self.log, self.output, self.port = Path(program).name, log, "", None
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                [str(word) for word in words], env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if says_port else errors, stderr=errors,
            )
        if says_port:
            try:
                self.port = self.told_port()
            except BaseException:
                self.__exit__()
                raise

    def told_port(self, seconds=60):
        """The port that it has chosen, which is its first line."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline().strip() if ready else b""
        if not line.isdigit() or line == b"0":
            raise Failure(f"{self.name} did not say on which port it listens.{tail(self.log)}")
        return int(line)

    def __enter__(self):
        return self

    def check(self):
        """Whether it still runs."""
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
