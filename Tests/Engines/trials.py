"""What happens to each engine: nothing, a worker that is killed, all of it killed, a disk that is full."""

import time

from gates import CallGate, SoundGate, parts_of, postponed
from processes import Job, tail
from small_disk import SmallDisk
from sounds import Failure

# After so many outputs in a row that cannot be written, a run of the command ends with 4.
OUTPUTS_IN_A_ROW = 16


class Trial:
    """An engine in a folder of its own."""

    def __init__(self, engine, sounds, folder, patience):
        self.engine, self.sounds, self.base, self.patience = engine, sounds, folder, patience

    def run(self, name):
        """Goes through one of the trials; the seconds of it."""
        title = f"{self.engine.title}, {name}".replace(" ", "-").replace(",", "").replace("'", "").lower()
        self.folder = self.sounds.work_folder(self.base / title)
        self.log = self.folder / "log"
        begun = time.monotonic()
        {
            "normal": self.normal, "worker killed": self.worker_killed, "all killed": self.all_killed,
            "full disk": self.full_disk,
        }[name]()
        return time.monotonic() - begun

    def start(self, words=None, environment=None):
        environment = {**self.engine.environment, **(environment or {})}
        return Job(words or self.engine.words, self.folder, environment, self.log)

    def compare(self, out="out"):
        self.sounds.compare(self.engine.outputs(self.folder, out), self.engine.title)

    def complete(self, words=None):
        """Runs it to its end, which has to be a good one."""
        code = self.start(words).wait(self.patience)
        if code != self.engine.success:
            raise Failure(f"{self.engine.title} ended with {code}.{tail(self.log)}")

    def normal(self):
        self.complete()
        self.compare()
        if self.engine.way == "files":
            # Which parts there are, for gates in later trials.
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
            killed = job.kill_worker(self.engine, gate, self.patience)
            gate.open()
            code = job.wait(self.patience)
        print(f"{self.engine.title}: killed {killed}; it ended with {code}", flush=True)
        wanted = self.engine.success if self.engine.killed is None else self.engine.killed
        if code != wanted:
            raise Failure(
                f"{self.engine.title} ended with {code}, not {wanted}, when a worker was killed."
                f"{tail(self.log)}"
            )
        if self.engine.killed is None:
            # What the engine has made of it by itself.
            self.compare()
        elif self.made("out") == self.sounds.count:
            raise Failure(f"{self.engine.title} lacks nothing, although a worker was killed.")
        self.complete()
        self.compare()

    def all_killed(self):
        with self.gate() as gate:
            self.start_gated(gate).kill_midway(gate, self.engine.title, self.patience)
        self.clean_up()
        self.complete()
        self.compare()

    def clean_up(self):
        if self.engine.after_kill:
            self.engine.after_kill()

    def full_disk(self):
        # A file takes whole pages of memory there.
        size = 40 * 1024 + self.sounds.count * 4096
        # A table is made anew with its folder, which a disk cannot be; files cannot be elsewhere.
        is_table = self.engine.way == "bytes"
        place, out = ("small", "small/out") if is_table else ("out", "out")
        words = [out if word == "out" else word for word in self.engine.words]
        if not is_table:
            # What cannot be written is tried again seconds later otherwise.
            words += ["--retries", "0"]
        with SmallDisk(self.folder / place, size) as disk:
            code = self.start(words).wait(self.patience)
            self.check_failure(code, is_table)
            if self.made(out) >= self.sounds.count:
                raise Failure(f"{self.engine.title} wrote all to a disk that has no room for it.")
            disk.grow()
            self.clean_up()
            self.complete(words)
            self.compare(out)

    def check_failure(self, code, is_table):
        """Whether a job on a full disk has said so."""
        wanted = {self.engine.fault}
        if not is_table:
            if not postponed(self.folder):
                raise Failure(f"{self.engine.title}: no ledger says what a full disk has postponed.")
            if max(map(len, self.engine.parts)) < 3 * OUTPUTS_IN_A_ROW:
                # So few outputs are in vain that each is told in the ledger, and the run goes to its end.
                wanted.add(self.engine.postponed)
        if code not in wanted:
            raise Failure(
                f"{self.engine.title} ended with {code} on a full disk, instead of {self.engine.fault}."
                f"{tail(self.log)}"
            )

    def made(self, out):
        """How many outputs are there that can be read."""
        try:
            return len(self.engine.outputs(self.folder, out))
        except (Failure, OSError, ValueError):
            return 0
