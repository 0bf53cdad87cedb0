"""The trials of an engine: undisturbed, with a killed worker, and with a full disk."""

from gates import CallGate, SoundGate, parts_of, postponed
from processes import Job, tail
from small_disk import SmallDisk
from sounds import Failure

# After this number of consecutive outputs that cannot be written, a run of the command ends with 4.
OUTPUTS_IN_A_ROW = 16


class Trial:
    """An engine in a separate folder."""

    def __init__(self, engine, sounds, folder, timeout):
        self.engine, self.sounds, self.base, self.timeout = engine, sounds, folder, timeout

    def run(self, name):
        """Runs one of the trials."""
        title = f"{self.engine.title}, {name}".replace(" ", "-").replace(",", "").replace("'", "").lower()
        self.folder = self.sounds.work_folder(self.base / title)
        self.log = self.folder / "log"
        {"normal": self.normal, "worker killed": self.worker_killed, "full disk": self.full_disk}[name]()

    def start(self, words=None, environment=None):
        environment = {**self.engine.environment, **(environment or {})}
        return Job(words or self.engine.words, self.folder, environment, self.log)

    def compare(self, out="out"):
        self.sounds.compare(self.engine.outputs(self.folder, out), self.engine.title)

    def complete(self, words=None):
        """Runs the engine to its end, which must be a success."""
        code = self.start(words).wait(self.timeout)
        if code != self.engine.success:
            raise Failure(f"{self.engine.title} ended with {code}.{tail(self.log)}")

    def normal(self):
        self.complete()
        self.compare()
        if self.engine.way == "files":
            # Stores the parts, for gates in later trials.
            self.engine.parts = parts_of(self.folder)

    def gate(self):
        if self.engine.way == "bytes":
            return CallGate(self.folder / "gate", self.sounds.count)
        return SoundGate(self.sounds.folder, self.engine.parts, self.sounds.program)

    def start_gated(self, gate):
        return self.start([*self.engine.words, *gate.options], gate.environment)

    def worker_killed(self):
        with self.gate() as gate:
            job = self.start_gated(gate)
            killed = job.kill_worker(self.engine, gate, self.timeout)
            gate.open()
            code = job.wait(self.timeout)
        print(f"{self.engine.title}: killed {killed}; it ended with {code}", flush=True)
        wanted = self.engine.success if self.engine.killed is None else self.engine.killed
        if code != wanted:
            raise Failure(
                f"{self.engine.title} ended with {code}, not {wanted}, when a worker was killed."
                f"{tail(self.log)}"
            )
        if self.engine.killed is None:
            # Check the outputs after the engine's own recovery.
            self.compare()
        elif self.made("out") == self.sounds.count:
            raise Failure(f"{self.engine.title} is complete, although a worker was killed.")
        self.complete()
        self.compare()

    def full_disk(self):
        # On a disk in memory, a file occupies whole pages.
        size = 40 * 1024 + self.sounds.count * 4096
        # An engine replaces the folder of a table, so that folder cannot be the mount point itself. Files are
        # always written to `out`.
        is_table = self.engine.way == "bytes"
        place, out = ("small", "small/out") if is_table else ("out", "out")
        words = [out if word == "out" else word for word in self.engine.words]
        if not is_table:
            # Without this option, the program retries an output that cannot be written, seconds later.
            words += ["--retries", "0"]
        with SmallDisk(self.folder / place, size) as disk:
            code = self.start(words).wait(self.timeout)
            self.check_failure(code, is_table)
            if self.made(out) >= self.sounds.count:
                raise Failure(f"{self.engine.title} wrote all outputs to a disk without space for them.")
            disk.grow()
            if self.engine.clean_up:
                self.engine.clean_up()
            self.complete(words)
            self.compare(out)

    def check_failure(self, code, is_table):
        """Checks that a job on a full disk has reported it."""
        wanted = {self.engine.fault}
        if not is_table:
            if not postponed(self.folder):
                raise Failure(f"{self.engine.title}: no ledger records outputs postponed by a full disk.")
            if max(map(len, self.engine.parts)) < 3 * OUTPUTS_IN_A_ROW:
                # The few failed outputs are all recorded in the ledger, and the run completes.
                wanted.add(self.engine.postponed)
        if code not in wanted:
            raise Failure(
                f"{self.engine.title} ended with {code} on a full disk, instead of {self.engine.fault}."
                f"{tail(self.log)}"
            )

    def made(self, out):
        """Returns the number of readable outputs."""
        try:
            return len(self.engine.outputs(self.folder, out))
        except (Failure, OSError, ValueError):
            return 0
