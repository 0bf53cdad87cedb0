"""Gates at which workers wait, so that they are killed midway however fast the machine is."""

import fcntl
import json
import os
import resource
import signal
from pathlib import Path

from sounds import Failure


class CallGate:
    """Lets half of the sounds be encoded by the package for Python."""

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
        """The numbers of the processes that wait, if there are any."""
        waiting = {int(path.name.rpartition("-")[2]) for path in self.folder.glob("waiting-*")}
        return sorted(waiting & job.living().keys())


class SoundGate:
    """Holds back sounds in the later half of the parts of a manifest, by leases of the system.

    A part gets to its middle and no further. `aacorn batch` does not wait in `open`, but tries again as often
    as the options say: for a minute, which is longer than a lease holds somebody back.
    """

    options = ("--retries", "6")
    environment = {}
    #: Files that this program has open besides leases.
    OTHER_FILES = 256

    def __init__(self, folder, parts, program):
        self.program = str(program)
        late = parts[len(parts) // 2 :]
        self.paths = [folder / name for part in late for name in part[len(part) // 2 :]]
        self.leases = []

    def __enter__(self):
        # The system tells of each reader by a signal, that would end this program.
        signal.signal(signal.SIGIO, lambda *_: None)
        if not self.paths:
            raise Failure("There are too few sounds to kill anything midway. Try --count 12 or more.")
        self.limits = self.make_room()
        for path in self.paths:
            self.leases.append(os.open(path, os.O_RDWR | os.O_CLOEXEC))
            try:
                fcntl.fcntl(self.leases[-1], fcntl.F_SETLEASE, fcntl.F_WRLCK)
            except OSError as error:
                self.open()
                raise Failure(
                    f"The disk of “{path}” has no leases, by which a worker is stopped midway: {error}."
                ) from error
        return self

    def __exit__(self, *_):
        self.open()

    def make_room(self):
        """Allows as many open files as there are leases, if the system lets us; what was allowed before."""
        soft, hard = limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        needed = len(self.paths) + self.OTHER_FILES
        if resource.RLIM_INFINITY != hard < needed:
            raise Failure(
                f"{needed} files have to be open at a time, and {hard} may be. Raise the hard limit with"
                " “ulimit -Hn” as root, or take fewer sounds with --count."
            )
        if resource.RLIM_INFINITY != soft < needed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
        return limits

    def open(self):
        while self.leases:
            os.close(self.leases.pop())
        resource.setrlimit(resource.RLIMIT_NOFILE, self.limits)

    def waiting(self, job):
        """The numbers of the programs at work, if all of them have come to a sound that is held back."""
        asked = sum(fcntl.fcntl(lease, fcntl.F_GETLEASE) != fcntl.F_WRLCK for lease in self.leases)
        programs = [number for number in job.living() if self.is_program(number)]
        return programs if 0 < len(programs) <= asked else []

    def is_program(self, number):
        try:
            return os.readlink(f"/proc/{number}/exe") == self.program
        except OSError:
            return False


def parts_of(folder):
    """The inputs of each part, in the order in which they were made, by the ledgers of a run."""
    return [
        [json.loads(line)["input"] for line in ledger.read_text().splitlines()]
        for ledger in sorted(folder.glob("all.txt.ledger*"))
    ]


def postponed(folder):
    """How many lines have no output and are to be tried again, by the last word of the ledgers."""
    last = {}
    for ledger in sorted(folder.glob("all.txt.ledger*")):
        for line in ledger.read_text().splitlines():
            entry = json.loads(line)
            last[entry["output"]] = entry["status"]
    return sum(status == "postponed" for status in last.values())
