"""The engines: how each is started, and which of its processes do the work."""

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sounds import BITRATE, OPTIONS, Failure, digests_of_folder, digests_of_table

TOP = Path(__file__).resolve().parents[2]
EXAMPLES = TOP / "Examples/batch"
PARTS = 4
TRIALS = ("normal", "worker killed", "all killed", "full disk")
# What a worker looks like that has called the program.
PROGRAM = r"^\S*aacorn batch .*all\.txt"


@dataclass
class Engine:
    """An engine, and one of the two ways to use it."""

    name: str
    way: str
    words: list
    #: What the command line of a worker looks like.
    worker: str
    environment: dict = field(default_factory=dict)
    #: How it ends when one sound is poison and all others are done.
    success: int = 1
    #: Files that it takes before a worker or all of it is killed, by the number of sounds.
    midway: float = 0.25
    #: Seconds that a worker has been seen before it is killed, where files do not tell.
    delay: float = 0
    trials: tuple = TRIALS
    #: Called when all of a job has been killed.
    after_kill: object = None

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

    def progress(self, folder, count):
        """Whether so much is done that it may be killed."""
        if self.way == "files":
            return lambda: sum(1 for _ in (folder / "out").rglob("*.m4a")) >= self.midway * count
        return lambda: sum(1 for _ in (folder / "out").rglob("*.parquet*")) >= self.midway


def job(engine, way, *options):
    """The command line of an example in Python."""
    program = EXAMPLES / engine / "job.py"
    if way == "bytes":
        return [program, "bytes", "sounds", "out", "--bitrate", str(BITRATE), *options]
    return [program, "files", "all.txt", str(PARTS), *OPTIONS, *options]


def python_engines(aacorn, ray_folder, count):
    """Spark, Ray and Dask, both ways."""
    common = {"AACORN": str(aacorn)}
    spark = [Path(sys.executable).with_name("spark-submit"), "--master", "local[2,4]"]
    spark += ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"]
    sparks = {**common, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    sparks["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    # It keeps sockets, whose names may not be long, and a token in the home folder.
    rays = {"RAY_TMPDIR": str(ray_folder), "HOME": str(ray_folder), "RAY_USAGE_STATS_ENABLED": "0", **common}
    part = str(max(10, count // 100))
    return [
        Engine("Spark", "bytes", [*spark, *job("spark", "bytes")], r"pyspark[./]daemon", sparks,
               success=0, midway=2),
        Engine("Spark", "files", [*spark, *job("spark", "files")], r"pyspark[./]daemon", sparks),
        Engine("Ray", "bytes", [sys.executable, *job("ray", "bytes")], r"^ray::.*encode", rays,
               success=0, midway=0, delay=0.4),
        Engine("Ray", "files", [sys.executable, *job("ray", "files")], r"^ray::make_part", rays),
        Engine("Dask", "bytes", [sys.executable, *job("dask", "bytes", "--files-per-part", part)],
               r"multiprocessing.*spawn_main", common, success=0, midway=3),
        Engine("Dask", "files", [sys.executable, *job("dask", "files")], r"multiprocessing.*spawn_main",
               common),
    ]


def shell_engines(aacorn):
    """Those that start the command by themselves."""
    found = shutil.which("parallel")
    if not found:
        raise Failure("There is no parallel. Scripts/setup --engines installs it.")
    words = [EXAMPLES / "parallel/encode", "all.txt", str(PARTS), *OPTIONS]
    environment = {"AACORN": str(aacorn), "JOBS": "2"}
    pods = [sys.executable, Path(__file__).with_name("pods.py"), EXAMPLES / "kubernetes/job.yaml"]
    # The image has the program among the others.
    path = {"PATH": f"{Path(aacorn).parent}:{os.environ['PATH']}"}
    return [
        Engine("GNU parallel", "files", words, PROGRAM, environment),
        # Their command line is that of the manifest, by which they would try for minutes on a full disk.
        Engine("Kubernetes' pods", "files", pods, PROGRAM, path, success=0, trials=TRIALS[:3]),
    ]
