"""Gates at which workers wait, so that they are killed midway on a machine of any speed."""

import fcntl
import json
import os
import resource
import signal
from pathlib import Path

from sounds import Failure


class CallGate:
    """Allows the Python package to encode half of the sounds."""

    options = ()

    def __init__(self, folder, count):
        self.folder = folder
        self.environment = {
            "PYTHONPATH": str(Path(__file__).resolve().with_name("gated")),
            "AACORN_GATE": str(folder), "AACORN_PASSES": str(count // 2),
        }

    def __enter__(self):
        self.folder.mkdir()
        return self

    def __exit__(self, *_):
        self.open()

    def open(self):
        (self.folder / "open").touch()

    def waiting(self, job):
        """Returns the IDs of the waiting processes."""
        waiting = {int(path.name.rpartition("-")[2]) for path in self.folder.glob("waiting-*")}
        return sorted(waiting & job.living().keys())


class SoundGate:
    """Blocks sounds in the later half of the parts of a manifest, by file leases.

    A part stops in its middle. `aacorn batch` does not wait in `open`, but retries as often as its options
    allow: for a minute, longer than a lease blocks a reader.
    """

    options = ("--retries", "6")
    environment = {}
    #: Open files of this program in addition to the leases.
    OTHER_FILES = 256

    def __init__(self, folder, parts, program):
        self.program = str(program)
        late = parts[len(parts) // 2 :]
        self.paths = [folder / name for part in late for name in part[len(part) // 2 :]]
        self.leases = []

    def __enter__(self):
        # The system reports each reader by a signal, which would end this program.
        signal.signal(signal.SIGIO, lambda *_: None)
        if not self.paths:
            raise Failure("There are too few sounds to kill a worker midway. Use --count 12 or more.")
        self.limits = self.make_room()
        for path in self.paths:
            self.leases.append(os.open(path, os.O_RDWR | os.O_CLOEXEC))
            try:
                fcntl.fcntl(self.leases[-1], fcntl.F_SETLEASE, fcntl.F_WRLCK)
            except OSError as error:
                self.open()
                raise Failure(
                    f"The disk of “{path}” does not support leases, which stop a worker midway: {error}."
                ) from error
        return self

    def __exit__(self, *_):
        self.open()

    def make_room(self):
        """Raises the limit of open files to the number of leases, if permitted; returns the previous limits.
        """
        soft, hard = limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        needed = len(self.paths) + self.OTHER_FILES
        if resource.RLIM_INFINITY != hard < needed:
            raise Failure(
                f"{needed} files must be open at the same time, but the hard limit is {hard}. Raise it with"
                " “ulimit -Hn” as root, or use fewer sounds with --count."
            )
        if resource.RLIM_INFINITY != soft < needed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
        return limits

    def open(self):
        while self.leases:
            os.close(self.leases.pop())
        resource.setrlimit(resource.RLIMIT_NOFILE, self.limits)

    def waiting(self, job):
        """Returns the IDs of the running programs, if all of them wait for a blocked sound."""
        asked = sum(fcntl.fcntl(lease, fcntl.F_GETLEASE) != fcntl.F_WRLCK for lease in self.leases)
        programs = [number for number in job.living() if self.is_program(number)]
        return programs if 0 < len(programs) <= asked else []

    def is_program(self, number):
        try:
            return os.readlink(f"/proc/{number}/exe") == self.program
        except OSError:
            return False


def parts_of(folder):
    """Returns the inputs of each part in the order of their encoding, from the ledgers of a run."""
    return [
        [json.loads(line)["input"] for line in ledger.read_text().splitlines()]
        for ledger in sorted(folder.glob("all.txt.ledger*"))
    ]


def postponed(folder):
    """Returns the number of lines without output that must be retried, by the last entries of the ledgers."""
    last = {}
    for ledger in sorted(folder.glob("all.txt.ledger*")):
        for line in ledger.read_text().splitlines():
            entry = json.loads(line)
            last[entry["output"]] = entry["status"]
    return sum(status == "postponed" for status in last.values())
