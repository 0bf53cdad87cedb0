"""The engines: how each is started, and which of its processes do the work."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sounds import BITRATE, OPTIONS, Failure, digests_of_folder, digests_of_table

TOP = Path(__file__).resolve().parents[2]
EXAMPLES = TOP / "Examples/batch"
PARTS = 4
TRIALS = ("normal", "worker killed", "all killed", "full disk")
# What a worker looks like that has called the program.
PROGRAM = r"^\S+ batch .*all\.txt"
# How an example ends when the job has failed and not a file.
FAULT = 70


@dataclass
class Engine:
    """An engine, and one of the two ways to use it."""

    name: str
    way: str
    words: list
    #: What the command line of a worker looks like.
    worker: str
    environment: dict = field(default_factory=dict)
    #: The trials that suffice, and those of `--all`.
    brief: tuple = TRIALS
    trials: tuple = TRIALS
    #: How it ends when one sound is poison and all others are done.
    success: int = 1
    #: How it ends when it has not got to its end.
    fault: int = FAULT
    #: Whether a worker starts the program as a process of its own.
    starts_program: bool = False
    #: How it ends when a worker is killed and it does not make by itself what that was about; otherwise none.
    killed: object = None
    #: How it ends when some outputs have no room, and too few for the program to give up.
    postponed: int = 1
    #: Called when all of a job has been killed.
    after_kill: object = None
    #: The inputs of each part, once it has run.
    parts: list = field(default_factory=list)

    @property
    def title(self):
        return f"{self.name}, {self.way}"

    def outputs(self, folder, out="out"):
        """The digests of what is there."""
        if self.way == "files":
            return digests_of_folder(folder / out / "sounds")
        made, errors = digests_of_table(folder / out)
        if len(errors) != 1:
            raise Failure(f"{self.title}: {len(errors)} errors are in the table instead of one.")
        return made


def job(engine, way, *options):
    """The command line of an example in Python."""
    program = EXAMPLES / engine / "job.py"
    if way == "bytes":
        return [program, "bytes", "sounds", "out", "--bitrate", str(BITRATE), *options]
    return [program, "files", "all.txt", str(PARTS), *OPTIONS, *options]


def python_engines(aacorn, folder, count):
    """Spark, Ray and Dask, both ways: one has a worker killed, the other a full disk."""
    common = {"AACORN": str(aacorn)}
    spark = [Path(sys.executable).with_name("spark-submit"), "--master", "local[2,4]"]
    spark += ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"]
    sparks = {**common, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    sparks["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    rays = {"RAY_TMPDIR": str(folder), "RAY_USAGE_STATS_ENABLED": "0", **common}
    part = str(max(2, count // 20))
    is_table = {"success": 0, "brief": ("normal", "full disk")}
    is_files = {"starts_program": True, "brief": ("normal", "worker killed")}
    return [
        Engine("Spark", "bytes", [*spark, *job("spark", "bytes")], r"pyspark[./]daemon", sparks, **is_table),
        Engine("Spark", "files", [*spark, *job("spark", "files")], r"pyspark[./]daemon", sparks, **is_files),
        Engine("Ray", "bytes", [sys.executable, *job("ray", "bytes")], r"^ray::.*encode", rays, **is_table),
        Engine("Ray", "files", [sys.executable, *job("ray", "files")], r"^ray::make_part", rays, **is_files),
        Engine("Dask", "bytes", [sys.executable, *job("dask", "bytes", "--files-per-part", part)],
               r"multiprocessing.*spawn_main", common, success=0, brief=("normal", "worker killed")),
        Engine("Dask", "files", [sys.executable, *job("dask", "files")], r"multiprocessing.*spawn_main",
               common, starts_program=True, brief=("normal", "full disk")),
    ]


def shell_engines(aacorn):
    """Those that start the command by themselves."""
    words = [EXAMPLES / "parallel/encode", "all.txt", str(PARTS), *OPTIONS]
    environment = {"AACORN": str(aacorn), "JOBS": "2"}
    pods = [sys.executable, Path(__file__).with_name("pods.py"), EXAMPLES / "kubernetes/job.yaml"]
    # The image has the program among the others.
    path = {"PATH": f"{Path(aacorn).parent}:{os.environ['PATH']}"}
    return [
        Engine("GNU parallel", "files", words, PROGRAM, environment, killed=FAULT,
               brief=("normal", "worker killed", "full disk")),
        # A pod takes 1 for done; one that ends with 4 is followed by others, until the job gives up.
        Engine("Kubernetes' pods", "files", pods, PROGRAM, path, success=0, fault=4, postponed=0,
               brief=("normal", "worker killed", "full disk")),
    ]
