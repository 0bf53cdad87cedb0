"""Files per second and core, by length, interface and disk.

Checks that each interface makes the same M4A files at 128 kb/s. Each file is on disk before it gets
its name.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import wave
import zipfile

from errors import BindingsError
from running import ROOT, built
from timing import row, timed

BITRATE = 128_000
LENGTHS = (0.5, 2, 10, 60, 600)
#: Seconds of generated audio; longer files repeat it.
PERIOD = 60

WHEEL_WORKER = """
import sys, wave
from concurrent.futures import ThreadPoolExecutor
import aacorn
def make(pair):
    source, target = pair
    with wave.open(source) as sound:
        form, samples = sound.getparams(), sound.readframes(sound.getnframes())
    aacorn.write(target, samples, form.framerate, channels=form.nchannels, bitrate=%d)
pairs = [line.split() for line in sys.stdin]
with ThreadPoolExecutor(int(sys.argv[1])) as pool:
    list(pool.map(make, pairs))
""" % BITRATE


def add_options(parser):
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)),
                        help="of the sounds, in seconds; 3600 is worth adding where there is time")
    parser.add_argument("--jobs", default="1,2", help="the number of simultaneous files")
    parser.add_argument("--sound", type=float, default=3600, help="seconds of sound in a measurement")
    parser.add_argument("--most-files", type=int, default=500, help="files in a measurement, at most")
    parser.add_argument("--rounds", type=int, default=3, help="the number of rounds; the results are medians")
    parser.add_argument("--disk", help="a folder on a disk; the default is .build of this repository")
    parser.add_argument("--memory", default="/dev/shm", help="a folder in memory")
    parser.add_argument("--only", help=f"ways, by {', '.join(WAYS)}")


class Batch:
    """Audio files of one length in a folder, and the inputs of the interfaces."""

    def __init__(self, folder, sound, count, tools):
        self.folder, self.count = folder, count
        self.aacorn, self.package = tools
        self.names = [f"{index:05}" for index in range(count)]
        first = os.path.join(folder, "in", "00000.wav")
        os.mkdir(os.path.dirname(first))
        shutil.copy(sound, first)
        for name in self.names[1:]:
            os.link(first, os.path.join(folder, "in", f"{name}.wav"))
        self.write("all.txt", (f"in/{name}.wav" for name in self.names))
        self.write("lines.jsonl", (json.dumps({"input": f"in/{name}.wav", "output": f"out/{name}.m4a"})
                                   for name in self.names))
        self.write("pairs.txt", (f"in/{name}.wav out/{name}.m4a" for name in self.names))
        self.write("turned.txt", (f"out/{name}.m4a in/{name}.wav" for name in self.names))

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    def measure(self, way, jobs):
        """Runs one round, checks that all outputs exist with the same size, and removes them."""
        out = os.path.join(self.folder, "out")
        os.mkdir(out)
        words, stdin, environment = WAYS[way](self, jobs)
        stdin = stdin and os.path.join(self.folder, stdin)
        taken = timed(words, self.folder, stdin=stdin, environment=environment)
        made = {}
        for name in self.names:
            path = os.path.join(out, f"{name}.m4a")
            if not os.path.exists(path):
                raise BindingsError(f"{way} did not make {name}.m4a.")
            with open(path, "rb") as file:
                made[hash(file.read())] = name
        shutil.rmtree(out)
        for path in os.listdir(self.folder):
            if ".ledger" in path:
                os.remove(os.path.join(self.folder, path))
        if len(made) != 1:
            raise BindingsError(f"{way} made different files of the same sound.")
        return taken, made.popitem()[0]


def process_each(batch, jobs):
    words = ["xargs", "-P", str(jobs), "-n", "2", batch.aacorn, "encode", "-q", "-j", "1",
             "-b", str(BITRATE), "-o"]
    return words, "turned.txt", None


def manifest(batch, jobs):
    return [batch.aacorn, "batch", "-q", "-j", str(jobs), "-b", str(BITRATE), "lines.jsonl"], None, None


def standard_input(batch, jobs):
    return [batch.aacorn, "batch", "-q", "-j", str(jobs), "-b", str(BITRATE), "-"], "lines.jsonl", None


def wheel(batch, jobs):
    return [sys.executable, "-c", WHEEL_WORKER, str(jobs)], "pairs.txt", {"PYTHONPATH": batch.package}


WAYS = {"encode": process_each, "batch": manifest, "stdin": standard_input, "wheel": wheel}
TITLES = {
    "encode": "`aacorn encode`, a process each", "batch": "`aacorn batch`", "stdin": "`aacorn batch -`",
    "wheel": "Python, one process",
}


def write_sound(path, seconds):
    """Generates the signal of Benchmarks/bindings with any length."""
    import source  # Its dependencies may be missing.

    source.write(path, min(PERIOD, int(seconds) + 1))
    with wave.open(path) as file:
        form, samples = file.getparams(), file.readframes(file.getnframes())
    rest = int(seconds * form.framerate) * form.nchannels * form.sampwidth
    with wave.open(path, "wb") as file:
        file.setparams(form._replace(nframes=0))
        while rest > 0:
            file.writeframes(samples[:rest])
            rest -= len(samples[:rest])


def file_system(folder):
    result = subprocess.run(["stat", "-f", "-c", "%T", folder], stdout=subprocess.PIPE, text=True, check=True)
    return result.stdout.strip()


def table(places, numbers, arguments):
    yield f"Stereo of 44.1 kHz and 16 bits to M4A of {BITRATE // 1000} kb/s; medians of {arguments.rounds}" \
        " rounds. A core's files are those that a second of its time suffices for, with the kernel's part."
    for place in places:
        yield ""
        yield f"On {place} ({file_system(places[place])}):"
        yield ""
        yield row("sound", "way", "-j", "files", "files/s", "files/s a core", "wall ms each", "user ms each",
                  "system ms each", "× real time a core")
        yield "|---|---|" + "---:|" * 8
        for one in numbers:
            if one["place"] != place:
                continue
            each = {key: 1000 * one[key] / one["files"] for key in ("wall", "user", "system")}
            processor = one["user"] + one["system"]
            yield row(f"{one['length']:g} s", TITLES[one["way"]], one["jobs"], one["files"],
                      f"{one['files'] / one['wall']:.1f}", f"{one['files'] / max(processor, 0.01):.1f}",
                      f"{each['wall']:.2f}", f"{each['user']:.2f}", f"{each['system']:.2f}",
                      f"{one['files'] * one['length'] / max(processor, 0.01):.0f}")


def package(folder):
    """Installs the wheel in a folder, and returns the path for Python."""
    place = os.path.join(folder, "package")
    with zipfile.ZipFile(built("AACORN_WHEEL", "build-python-wheel")) as archive:
        archive.extractall(place)
    return place


def measure(place, folder, sound, length, arguments, tools):
    """Measures all interfaces with files of one length in one folder."""
    count = max(4, min(arguments.most_files, int(arguments.sound / length)))
    batch, numbers, made = Batch(folder, sound, count, tools), [], {}
    for jobs in arguments.jobs:
        for way in arguments.only:
            rounds = []
            for _ in range(arguments.rounds):
                taken, digest = batch.measure(way, jobs)
                rounds.append(taken)
                made[digest] = way
            medians = {key: statistics.median(getattr(one, key) for one in rounds)
                       for key in ("wall", "user", "system")}
            numbers.append({"place": place, "length": length, "way": way, "jobs": jobs, "files": count,
                            **medians})
            print(f"{place}, {length:g} s, {way} -j {jobs}: {medians['wall']:.2f} s", file=sys.stderr)
    if len(made) != 1:
        raise BindingsError(f"These interfaces wrote other bytes than another one: {', '.join(made.values())}.")
    return numbers


def run(arguments):
    """Measures, and prints the tables."""
    arguments.only = (arguments.only or ",".join(WAYS)).split(",")
    unknown = [way for way in arguments.only if way not in WAYS]
    if unknown:
        raise BindingsError(f"There is no way {unknown[0]}, but {', '.join(WAYS)}.")
    arguments.jobs = [int(word) for word in arguments.jobs.split(",")]
    disk = arguments.disk or os.path.join(ROOT, ".build")
    os.makedirs(disk, exist_ok=True)
    places = {"disk": disk, "memory": arguments.memory}
    if file_system(disk) == "tmpfs":
        raise BindingsError(f"{disk} is in memory. Name a folder on a disk with --disk.")
    if not os.path.isdir(arguments.memory) or file_system(arguments.memory) != "tmpfs":
        raise BindingsError(f"{arguments.memory} is not in memory. Name a folder with --memory.")
    numbers = []
    with tempfile.TemporaryDirectory(prefix="batch-") as folder:
        aacorn = os.path.realpath(built("AACORN", "build", "release"))
        tools = (aacorn, package(folder) if "wheel" in arguments.only else None)
        for length in map(float, arguments.lengths.split(",")):
            sound = os.path.join(folder, "sound.wav")
            write_sound(sound, length)
            for place, where in places.items():
                with tempfile.TemporaryDirectory(prefix="batch-", dir=where) as inside:
                    numbers += measure(place, inside, sound, length, arguments, tools)
    print("\n".join(table(places, numbers, arguments)))
