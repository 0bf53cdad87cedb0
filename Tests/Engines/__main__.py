"""Runs every engine on short sounds, kills workers, fills disks, and compares with a single run.

Scripts/check-engines calls it, in separate namespaces: [--count N] [NAME]...
"""

import argparse
import os
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from engines import TRIALS, python_engines, shell_engines
from network import prepare_network
from slurm import Cluster
from sounds import Failure, Sounds
from stores import Store
from trials import Trial

NAMES = ["spark", "ray", "dask", "slurm", "parallel", "kubernetes", "s3"]
COLUMNS = [*TRIALS, "all killed", "slow store"]


class Table:
    """The durations of the trials in seconds."""

    def __init__(self):
        self.rows = {}

    def time(self, engine, trial, run):
        """Adds the duration of a run, and returns it."""
        begun = time.monotonic()
        run()
        seconds = self.rows.setdefault(engine, {})[trial] = time.monotonic() - begun
        print(f"{engine}, {trial}: {seconds:.1f} s", flush=True)
        return seconds

    def print(self, count, alone):
        print(f"\n{count} sounds and one invalid file; seconds, including the engine's start")
        line = "{:<24}" + "{:>15}" * len(COLUMNS) + "{:>9}"
        print(line.format("", *COLUMNS, "× alone"))
        for engine, row in self.rows.items():
            cells = [f"{row[name]:.1f}" if name in row else "–" for name in COLUMNS]
            print(line.format(engine, *cells, f"{row['normal'] / alone:.1f}" if "normal" in row else "–"))
        print(f"{sum(sum(row.values()) for row in self.rows.values()):.0f} s in all")


def run(arguments, folder, cleanup):
    aacorn = Path(os.environ["AACORN"]).resolve()
    count = arguments.count
    timeout = 300 + count // 2
    names, table = arguments.names or NAMES, Table()
    sounds = Sounds(folder / "material" / str(count), count, aacorn)
    work = folder / "trials"
    shutil.rmtree(work, ignore_errors=True)
    alone = table.time("aacorn batch", "normal", lambda: sounds.run_alone(work / "alone"))

    # The folder is empty and ours, and its name is short enough for sockets.
    home = Path(os.environ["HOME"])
    engines = {}
    for engine in [*python_engines(aacorn, home, count), *shell_engines(aacorn)]:
        engines.setdefault(engine.name.lower().removeprefix("gnu ").partition("'")[0], []).append(engine)
    if "slurm" in names:
        engines["slurm"] = [cleanup.enter_context(Cluster(home / "slurm")).engine(aacorn)]
    for name in names:
        for engine in engines.get(name, []):
            for trial in engine.trials:
                tried = Trial(engine, sounds, work, timeout)
                table.time(engine.title, trial, lambda: tried.run(trial))
    if "s3" in names:
        with Store(sounds, work / "s3", aacorn, timeout) as store:
            table.time("S3, worker in Python", "normal", store.normal)
            store.again()
            table.time("S3, worker in Python", "all killed", store.all_killed)
            table.time("S3, worker in Python", "slow store", store.slow_store)
            table.time("S3, a file of keys", "normal", store.listed)
            table.time("S3, a long sound", "slow store", store.long_sound)
            table.time("S3, scripts", "slow store", store.shells)
            table.time("S3, presigned", "full disk", store.full_disk)
            store.no_bucket()
    table.print(count, alone)
    # Logs of passed trials are not needed.
    shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/check-engines")
    parser.add_argument("--count", type=int, default=200, help="the number of sounds")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these, of {', '.join(NAMES)}")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown:
        parser.error(f"{unknown[0]} is not one of {', '.join(NAMES)}")
    prepare_network()
    try:
        with ExitStack() as cleanup:
            run(arguments, Path(".build/engines").resolve(), cleanup)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
