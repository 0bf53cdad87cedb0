"""The engines: how each is started, and which of its processes are workers."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sounds import BITRATE, OPTIONS, Failure, digests_of_folder, digests_of_table

TOP = Path(__file__).resolve().parents[2]
EXAMPLES = TOP / "Examples/batch"
PARTS = 4
TRIALS = ("normal", "worker killed", "full disk")
# The command line of a worker that calls the program.
PROGRAM = r"^\S+ batch .*all\.txt"
# The exit code of an example if the whole job has failed, not only a file.
FAULT = 70


@dataclass
class Engine:
    """An engine, with one of its two modes."""

    name: str
    way: str
    words: list
    #: The pattern of a worker's command line.
    worker: str
    environment: dict = field(default_factory=dict)
    trials: tuple = TRIALS
    #: The exit code when one sound is invalid and all others are done.
    success: int = 1
    #: The exit code when the job was not completed.
    fault: int = FAULT
    #: Whether a worker starts the program as a separate process.
    starts_program: bool = False
    #: The exit code when a worker is killed and the engine does not repeat its work; otherwise None.
    killed: object = None
    #: The exit code when some outputs have no space, too few for the program to give up.
    postponed: int = 1
    #: Called after a job on a full disk has ended.
    clean_up: object = None
    #: The inputs of each part, known after a run.
    parts: list = field(default_factory=list)

    @property
    def title(self):
        return f"{self.name}, {self.way}"

    def outputs(self, folder, out="out"):
        """Returns the digests of the outputs."""
        if self.way == "files":
            return digests_of_folder(folder / out / "sounds")
        made, errors = digests_of_table(folder / out)
        if len(errors) != 1:
            raise Failure(f"{self.title}: {len(errors)} errors are in the table instead of one.")
        return made


def job(engine, way, *options):
    """Returns the command line of an example in Python."""
    program = EXAMPLES / engine / "job.py"
    if way == "bytes":
        return [program, "bytes", "sounds", "out", "--bitrate", str(BITRATE), *options]
    return [program, "files", "all.txt", str(PARTS), *OPTIONS, *options]


def python_engines(aacorn, folder, count):
    """Returns Spark, Ray and Dask in both modes: one has a worker killed, the other a full disk."""
    common = {"AACORN": str(aacorn)}
    spark = [Path(sys.executable).with_name("spark-submit"), "--master", "local[2,4]"]
    spark += ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.bindAddress=127.0.0.1"]
    sparks = {**common, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    sparks["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    rays = {"RAY_TMPDIR": str(folder), "RAY_USAGE_STATS_ENABLED": "0", **common}
    part = str(max(2, count // 20))
    is_table = {"success": 0, "trials": ("normal", "full disk")}
    is_files = {"starts_program": True, "trials": ("normal", "worker killed")}
    return [
        Engine("Spark", "bytes", [*spark, *job("spark", "bytes")], r"pyspark[./]daemon", sparks, **is_table),
        Engine("Spark", "files", [*spark, *job("spark", "files")], r"pyspark[./]daemon", sparks, **is_files),
        Engine("Ray", "bytes", [sys.executable, *job("ray", "bytes")], r"^ray::.*encode", rays, **is_table),
        Engine("Ray", "files", [sys.executable, *job("ray", "files")], r"^ray::make_part", rays, **is_files),
        Engine("Dask", "bytes", [sys.executable, *job("dask", "bytes", "--files-per-part", part)],
               r"multiprocessing.*spawn_main", common, success=0, trials=("normal", "worker killed")),
        Engine("Dask", "files", [sys.executable, *job("dask", "files")], r"multiprocessing.*spawn_main",
               common, starts_program=True, trials=("normal", "full disk")),
    ]


def shell_engines(aacorn):
    """Returns the engines that start the command themselves."""
    words = [EXAMPLES / "parallel/encode", "all.txt", str(PARTS), *OPTIONS]
    environment = {"AACORN": str(aacorn), "JOBS": "2"}
    pods = [sys.executable, Path(__file__).with_name("pods.py"), EXAMPLES / "kubernetes/job.yaml"]
    # The image has the program in its search path.
    path = {"PATH": f"{Path(aacorn).parent}:{os.environ['PATH']}"}
    return [
        Engine("GNU parallel", "files", words, PROGRAM, environment, killed=FAULT),
        # A pod that ends with 1 counts as done; a pod that ends with 4 is restarted until the job gives up.
        Engine("Kubernetes' pods", "files", pods, PROGRAM, path, success=0, fault=4, postponed=0),
    ]
