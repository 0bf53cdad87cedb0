"""The commands of the laboratory."""

import os
import shutil
import subprocess
import sys
import tempfile

import ablation
import artifacts
import board
import clips
import encoders
import guards
import judging
import listening
import measuring
import metrics
import publicset
import report
import results
import speed
import surroundings
import vbr
from errors import LabError

BENCHMARKS = os.path.dirname(encoders.HERE)
ROOT = os.path.dirname(BENCHMARKS)


def measure(options):
    metrics.check(options.metrics)
    found = encoders.known(options.encoders)
    if not options.only or any(name not in found for name in options.only):
        aacorn = _aacorn(options.aacorn)
        found = {one.name: one for one in encoders.ours(aacorn, options.label)} | found
    wanted = _chosen(found, options.only, options.label)
    with _References(options) as references:
        groups = measuring.groups(wanted, references.clips, options.rates, options.mono_rates)
        rows = references.run(groups, "measurements.csv")
        names = {one.name for one in wanted} | {options.against}
        surroundings.note(options.out, wanted)
        print(board.text(rows, options.against, names.__contains__,
                         {one.name for one in references.clips}))
        return references.status()


def show(options):
    rows = list(results.read(_path(options.results, "measurements.csv")).values())
    if not rows:
        raise LabError(f"{options.results} has no measurements.csv; begin with “lab measure”.")
    names = options.only or {row["encoder"] for row in rows}
    print(board.text(rows, options.against, lambda name: any(
        name == one or name.startswith(one + "-") for one in names)))
    return 0


def take(options):
    os.makedirs(options.out, exist_ok=True)
    path = _path(options.out, "measurements.csv")
    for file in options.files:
        rows = results.import_file(file, results.read(path))
        results.merge(path, rows.values())
        print(f"{file}: {len(rows)} rows", file=sys.stderr)
    return 0


def measure_speed(options):
    os.makedirs(options.out, exist_ok=True)
    others = encoders.known(options.encoders)
    aacorn = _aacorn(options.aacorn)
    ours = encoders.ours(aacorn, options.label)
    found = speed.with_threads(ours) | others
    wanted = _chosen(found, options.only, options.label)
    with tempfile.TemporaryDirectory(prefix="laboratory-") as folder:
        wav, source = _path(folder, "music.wav"), "synthetic music"
        if options.wav:
            source = os.path.basename(options.wav)
            _run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", options.wav, "-c:a",
                  "pcm_s16le", "-ac", "2", "-bitexact", wav])
        else:
            _run([_bench(options.bench), "music", wav, "--minutes", str(options.minutes)])
        rows = speed.measure(wanted, wav, options.rounds, source)
    speed.write(_path(options.out, "speed.csv"), rows)
    surroundings.note(options.out, wanted)
    print(speed.text(rows))
    return 0


def ablate(options):
    metrics.check(options.metrics)
    found = ablation.encoders(_bench(options.bench), options.effort)
    with _References(options) as references:
        groups = measuring.groups(found, references.clips, options.rates, options.mono_rates)
        print(ablation.text(references.run(groups, "ablation.csv")))
        surroundings.note(options.out)
        return references.status()


def measure_vbr(options):
    if "peaq" not in options.metrics:
        raise LabError("vbr compares noise-to-mask ratios, so --metrics needs peaq.")
    metrics.check(options.metrics)
    aacorn = _aacorn(options.aacorn)
    with _References(options) as references:
        kinds = [part for part in (references.having(2), references.having(1)) if part]
        groups = [measuring.Group(encoder, float(level), part)
                  for level, encoder in vbr.variable(aacorn, options.effort).items()
                  for part in kinds]
        rows = references.run(groups, "vbr.csv")
        names = {one.name for one in references.clips}
        for group in list(groups):
            channels = group.clips[0].channels
            same = [row for row in rows if row["clip"] in names
                    and (row["encoder"], row["channels"]) == (group.encoder.name, channels)]
            mean = sum(row["actual_kbps"] for row in same) / len(same)
            encoder = vbr.constant(aacorn, options.effort, int(group.nominal), mean)
            groups.append(measuring.Group(encoder, group.nominal, group.clips))
        rows = references.run(groups[len(groups) // 2:], "vbr.csv")
        print(vbr.text(rows))
        surroundings.note(options.out)
        return references.status()


def guard(options):
    if options.csv and not os.path.isdir(os.path.dirname(os.path.abspath(options.csv))):
        raise LabError(f"The folder of {options.csv} does not exist.")
    limits = artifacts.Limits(options.core, options.crossover, options.top)
    rows = guards.run(options.folder, options.clips, guards.chosen(options.encoder), limits,
                      options.jobs)
    if options.csv:
        guards.write(options.csv, rows)
    print(guards.table(rows, limits))
    return 0


def make_clips(options):
    count = publicset.make(options.folder, options.synthetic)
    print(f"{options.folder} contains {count} clips, and manifest.csv with their classes, halves "
          "and licenses.")
    return 0


def listen(options):
    found = encoders.known(options.encoders)
    aacorn = _aacorn(options.aacorn)
    ours = {one.name: one for one in encoders.ours(aacorn, options.label)}
    wanted = _chosen(ours | found, options.only, options.label)
    high = ours[f"{options.label}-best"] if options.mode != "abx" else None
    with _References(options) as references:
        key = listening.make(options.out, references.clips, wanted, options.rate, options.mode,
                             options.samples, options.seed, references.pool, high)
    print(f"{options.out}/page is the page for listeners, with {len(key['samples'])} samples of "
          f"{len(key['encoders'])} encoders. Put it on a web server, and what listeners send into "
          f"{options.out}/results. Keep {options.out}/{listening.KEY} private.")
    return 0


def write_report(options):
    if os.path.exists(_path(options.results, listening.KEY)):
        if options.to:
            raise LabError("The report of a listening test stays in its folder; omit --to.")
        print(judging.write(options.results))
        return 0
    report.write(options.results, options.to or os.path.join(ROOT, "Documentation"),
                 options.label)
    return 0


class _References:
    """Temporary WAV files of the clips, and a pool of measuring processes; ends both."""

    def __init__(self, options):
        self.options, self.problems = options, []

    def __enter__(self):
        os.makedirs(self.options.out, exist_ok=True)
        self._store = tempfile.TemporaryDirectory(prefix="laboratory-")
        try:
            self.clips = clips.load(self.options.folder, self._store.name, self.options.clips)
            # A listening test has no metrics.
            tools = getattr(self.options, "metrics", ())
            self.pool = measuring.workers(self.options.jobs, tools)
        except BaseException:
            self._store.cleanup()
            raise
        return self

    def __exit__(self, *_):
        self.pool.terminate()
        self.pool.join()
        self._store.cleanup()

    def having(self, channels):
        return tuple(clip for clip in self.clips if clip.channels == channels)

    def run(self, groups, file):
        """Measures the missing rows of the file, and returns all its rows."""
        rows, problems = measuring.run(groups, _path(self.options.out, file),
                                       self.options.metrics, self.pool, self.options.again)
        self.problems += problems
        return list(rows.values())

    def status(self):
        for problem in self.problems:
            print(f"lab: {problem}", file=sys.stderr)
        return 1 if self.problems else 0


_path = os.path.join


def _aacorn(path):
    """Returns the aacorn to measure: the given program, or a release build of these sources."""
    return _program(path, ["--package-path", ROOT, "--product", "aacorn"],
                    _path(ROOT, ".build", "release", "aacorn"))


def _bench(path):
    """Returns the benchmark program, which can disable coding tools."""
    return _program(path, ["--package-path", BENCHMARKS, "-Xswiftc", "-enable-testing",
                           "-Xlinker", "-S"], _path(BENCHMARKS, ".build", "release", "bench"))


def _program(path, build, product):
    if path:
        if not (os.path.isfile(path) and os.access(path, os.X_OK)):
            raise LabError(f"{path} is not a program. Without that option one is built.")
        return os.path.abspath(path)
    if not shutil.which("swift"):
        raise LabError("swift is not installed, so nothing can be built; name a binary instead.")
    _run(["swift", "build", "-c", "release"] + build)
    return product


def _run(command):
    code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if code.returncode != 0:
        raise LabError(f"{' '.join(command)} failed with exit code {code.returncode}.")


def _chosen(found, only, label):
    """Returns the encoders in --only."""
    if not only:
        return list(found.values())
    for name in only:
        if name not in found and name != label:
            raise LabError(f"There is no encoder {name}, or its program is not on PATH; there are "
                           f"{', '.join(found)}.")
    return [encoder for wanted in only for name, encoder in found.items()
            if name == wanted or (wanted == label and name.startswith(label + "-"))]
