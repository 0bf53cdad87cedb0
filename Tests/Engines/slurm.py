"""A Slurm cluster on this machine: a controller, and two nodes with one processor each."""

import os
import secrets
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from engines import EXAMPLES, PARTS, PROGRAM, Engine
from daemons import Daemon
from processes import tail
from sounds import OPTIONS, Failure

SETTINGS = """\
ClusterName=aacorn
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmdPidFile={folder}/%n.pid
SlurmctldPidFile={folder}/controller.pid
SlurmctldPort=6817
KillWait=5
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port=6818 CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port=6819 CPUs=1 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES State=UP
"""


class Cluster(ExitStack):
    """The daemons, in a separate folder; the system's configuration is not used.

    The ports are Slurm's default ports, which no other program uses here.
    """

    def __init__(self, folder):
        super().__init__()
        self.folder, self.daemons = Path(folder), []
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        self.folder.mkdir(mode=0o755)
        (self.folder / "state").mkdir()
        settings = SETTINGS.format(host=socket.gethostname(), folder=self.folder)
        (self.folder / "slurm.conf").write_text(settings)
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        munge = ["munged", "--foreground", "--force", "--num-threads", "2"]
        munge += [f"--key-file={key}", f"--socket={self.folder}/munge.socket"]
        munge += [f"--pid-file={self.folder}/munge.pid", f"--log-file={self.folder}/munge.log"]
        munge += [f"--seed-file={self.folder}/munge.seed"]
        try:
            self.start_daemons(munge)
        except BaseException:
            self.close()
            raise
        return self

    def start_daemons(self, munge):
        self.start("munge", munge)
        for _ in range(300):
            if (self.folder / "munge.socket").exists():
                break
            self.check()
            time.sleep(0.1)
        else:
            raise Failure(f"munged did not start.{tail(self.folder / 'munge.out')}")
        self.start("controller", ["slurmctld", "-D", "-c"])
        for node in ("n1", "n2"):
            self.start(node, ["slurmd", "-D", "-N", node])
        for _ in range(300):
            output = self.run("sinfo", "--noheader", "--Node", "--format=%T")
            if output.split() == ["idle", "idle"]:
                return
            self.check()
            time.sleep(0.2)
        raise Failure(f"The nodes of Slurm did not start: {output}{tail(self.folder / 'controller.out')}")

    def start(self, name, words):
        self.daemons.append(self.enter_context(Daemon(words, self.folder / f"{name}.out", self.environment)))

    def check(self):
        for daemon in self.daemons:
            daemon.check()

    def run(self, *words):
        ended = subprocess.run(words, env={**os.environ, **self.environment}, capture_output=True, text=True)
        return ended.stdout

    def empty(self):
        """Cancels all jobs, and waits until the queue is empty."""
        self.run("scancel", "--name=aacorn")
        for _ in range(150):
            if not self.run("squeue", "--noheader"):
                return
            time.sleep(0.2)
        raise Failure("Slurm does not remove a canceled job.")

    def engine(self, aacorn):
        """Runs a job array, two tasks at a time."""
        words = ["sbatch", "--wait", f"--array=1-{PARTS}", EXAMPLES / "slurm/encode.sbatch"]
        words += [str(PARTS), "all.txt"]
        environment = {**self.environment, "AACORN": str(aacorn)}
        return Engine(
            "Slurm", "files", [*words, *OPTIONS], PROGRAM, environment, clean_up=self.empty,
            # Its exit code is the highest code of a task, or 1 if a task was killed.
            fault=4, killed=1,
        )
