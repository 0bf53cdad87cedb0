"""Programs of a trial: started, monitored, and killed with all their descendants."""

import os
import re
import signal
import subprocess
import time
import uuid
from pathlib import Path

from sounds import Failure

MARK = "AACORN_TRIAL"


class Job:
    """A program and its descendants, which carry a mark in their environment."""

    def __init__(self, words, folder, environment, log):
        self.mark, self.log = uuid.uuid4().hex, log
        self.words = [str(word) for word in words]
        with open(log, "ab") as output:
            output.write(f"$ {' '.join(self.words)}\n".encode())
            output.flush()
            self.process = subprocess.Popen(
                self.words, cwd=folder, env={**os.environ, **environment, MARK: self.mark},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )

    def wait(self, seconds):
        """Waits for the exit code; kills the remaining descendants."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.words[0]} had not ended after {seconds} s.{tail(self.log)}") from None
        finally:
            self.kill_all()

    def living(self):
        """Returns the processes with the mark, and their command lines."""
        wanted, found = f"{MARK}={self.mark}".encode(), {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    found[int(folder.name)] = words.strip()
            except OSError:
                pass
        return found

    def wait_at(self, gate, title, seconds):
        """Waits until a process waits at a gate, and returns its ID."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Failure(f"{title} ended before it reached a gate.{tail(self.log)}")
            waiting = gate.waiting(self)
            if waiting:
                return waiting[0]
            time.sleep(0.02)
        self.kill_all()
        raise Failure(f"{title} did not reach a gate within {seconds} s.{tail(self.log)}")

    def kill_worker(self, engine, gate, seconds):
        """Kills a waiting worker, and checks that its program ends with it; returns a description of it."""
        number = self.wait_at(gate, engine.title, seconds)
        worker = parent(number) if engine.starts_program else number
        words = self.living().get(worker, "")
        if not re.search(engine.worker, words):
            self.kill_all()
            raise Failure(f"{engine.title} runs “{words}”, which is not a worker.")
        kill(worker)
        end = time.monotonic() + seconds
        while number in self.living():
            if time.monotonic() > end:
                self.kill_all()
                raise Failure(f"{engine.title}: the program continued after its worker was killed.")
            time.sleep(0.02)
        return f"process {worker}, {words[:100]}"

    def kill_midway(self, gate, title, seconds):
        """Kills the whole job when it waits at a gate."""
        self.wait_at(gate, title, seconds)
        self.kill_all()
        self.process.wait()

    def kill_all(self):
        """Kills all remaining processes, until there are none."""
        for _ in range(100):
            living = self.living()
            if not living:
                return
            for number in living:
                kill(number)
            self.process.poll()
            time.sleep(0.05)
        raise Failure(f"These processes could not be killed: {living}")


def parent(number):
    """Returns the ID of a process's parent."""
    for line in Path(f"/proc/{number}/status").read_text().splitlines():
        if line.startswith("PPid:"):
            return int(line.split()[1])


def kill(number):
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def tail(log, count=2500):
    """Returns the end of a program's output."""
    return "\n" + Path(log).read_bytes()[-count:].decode(errors="replace")
