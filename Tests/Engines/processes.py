"""Programs of a trial: started, watched, and killed with all that they have started."""

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
    """A program and what it starts, which carries a mark in its environment."""

    def __init__(self, words, folder, environment, log):
        self.mark, self.log = uuid.uuid4().hex, log
        self.words, self.begun = [str(word) for word in words], time.monotonic()
        with open(log, "ab") as output:
            output.write(f"$ {' '.join(self.words)}\n".encode())
            output.flush()
            self.process = subprocess.Popen(
                self.words, cwd=folder, env={**os.environ, **environment, MARK: self.mark},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )

    def wait(self, seconds):
        """How it ended; what it has left running is killed."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.words[0]} had not ended after {seconds} s.{tail(self.log)}") from None
        finally:
            self.kill_all()

    def living(self):
        """The processes that carry the mark, with their command lines."""
        wanted, found = f"{MARK}={self.mark}".encode(), {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    found[int(folder.name)] = words
            except OSError:
                pass
        return found

    def kill_worker(self, engine, progress, seconds):
        """Kills a worker when there is progress; what it was."""
        number, words = self.worker(engine, progress, seconds)
        kill(number)
        return words

    def kill_midway(self, engine, progress, seconds):
        """Kills all of it when there is progress."""
        self.worker(engine, progress, seconds)
        self.kill_all()
        self.process.wait()

    def worker(self, engine, progress, seconds):
        """The number and the command line of a worker, when there is progress and it has worked a while."""
        end, seen = time.monotonic() + seconds, None
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise Failure(f"{engine.title} ended before it could be killed.{tail(self.log)}")
            if progress():
                # The youngest, since the others may be what starts it.
                for number, words in sorted(self.living().items(), reverse=True):
                    if re.search(engine.worker, words):
                        seen = seen or time.monotonic()
                        if time.monotonic() >= seen + engine.delay:
                            return number, words
                        break
            time.sleep(0.02)
        raise Failure(f"{engine.title} had no worker to kill in {seconds} s.{tail(self.log)}")

    def kill_all(self):
        """Kills what is left, until nothing is."""
        for _ in range(100):
            living = self.living()
            if not living:
                return
            for number in living:
                kill(number)
            self.process.poll()
            time.sleep(0.05)
        raise Failure(f"These could not be killed: {living}")


def kill(number):
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        pass


def tail(log, count=2500):
    """What a program has said last."""
    return "\n" + Path(log).read_bytes()[-count:].decode(errors="replace")


class Daemon:
    """A server for as long as the block lasts; ended by its number."""

    def __init__(self, words, log, environment=None, says_port=False, folder=None):
        self.log, self.output = log, None
        with open(log, "ab") as errors:
            self.process = subprocess.Popen(
                [str(word) for word in words], cwd=folder, env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if says_port else errors, stderr=errors,
                text=True,
            )
        self.port = int(self.process.stdout.readline() or 0) if says_port else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.output = self.process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
