"""What happens to each engine: nothing, a worker that is killed, all of it killed, a disk that is full."""

import time

from processes import Job, tail
from small_disk import SmallDisk
from sounds import Failure


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

    def start(self, words=None):
        return Job(words or self.engine.words, self.folder, self.engine.environment, self.log)

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

    def worker_killed(self):
        job = self.start()
        self.killed = job.kill_worker(self.engine, self.progress(), self.patience)
        # Whether the engine copes, or the next run has to.
        if job.wait(self.patience) != self.engine.success:
            self.killed += " (run again)"
        self.complete()
        self.compare()

    def all_killed(self):
        self.start().kill_midway(self.engine, self.progress(), self.patience)
        if self.engine.after_kill:
            self.engine.after_kill()
        self.complete()
        self.compare()

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
            self.start(words).wait(self.patience)
            try:
                made = len(self.engine.outputs(self.folder, out))
            except (Failure, OSError, ValueError):
                made = 0
            if made >= self.sounds.count:
                raise Failure(f"{self.engine.title} wrote all to a disk that has no room for it.")
            disk.grow()
            if self.engine.after_kill:
                self.engine.after_kill()
            self.complete(words)
            self.compare(out)

    def progress(self):
        return self.engine.progress(self.folder, self.sounds.count)
