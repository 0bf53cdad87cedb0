"""Time and memory of a run in which all lines are done, by the number of lines.

The command encodes a few short files. This program copies their ledger lines for every line, and
makes each output a hard link to one of their outputs, so that the command finds all lines done.
"""

import json
import os
import shutil
import sys
import tempfile

from errors import BindingsError
from rates import write_sound
from running import ROOT, built
from timing import row, timed

PARTS = 100
#: Outputs in each folder, as in an archive; maximum hard links of a file on common file systems.
IN_FOLDER, LINKS = 1000, 30_000
OPTIONS = ["-q", "-j", "1", "-b", "96k"]
MASK = (1 << 64) - 1


def add_options(parser):
    parser.add_argument("counts", nargs="+", type=float, metavar="N", help="how many lines, such as 1e6")
    parser.add_argument("--sounds", type=int, default=16, help="the number of inputs that the lines name")
    parser.add_argument("--seconds", type=float, default=0.1, help="their duration")
    parser.add_argument("--folder", help="on a disk with room for 2 kB a line; the default is .build")


def number(path, start=0xCBF29CE484222325):
    """Returns the FNV-1a hash of an output path; `start` is the hash of a prefix of it."""
    for byte in path.encode():
        start = (start ^ byte) * 0x100000001B3 & MASK
    return start


def part(value):
    """Returns the part, from 0, to which the command assigns an output path with this hash."""
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & MASK
    return (value ^ value >> 33) % PARTS


class Archive:
    """A manifest of `count` lines, with ledgers that mark all lines as done."""

    def __init__(self, folder, count, arguments, aacorn):
        self.folder, self.count, self.aacorn = folder, count, aacorn
        self.manifest = os.path.join(folder, "all.txt")
        self.whole, self.shard = self.manifest + ".ledger", self.manifest + ".ledger.00001-of-00100"
        self.in_shard = 0
        self.write(self.made(arguments))

    def made(self, arguments):
        """Encodes the files, and returns ledger lines split at line number and output."""
        os.mkdir(os.path.join(self.folder, "in"))
        os.mkdir(os.path.join(self.folder, "made"))
        first = os.path.join(self.folder, "first.jsonl")
        with open(first, "w", encoding="utf-8") as file:
            for index in range(arguments.sounds):
                # Each is a little longer, so that all differ.
                path = f"in/{index:02}.wav"
                write_sound(os.path.join(self.folder, path), arguments.seconds + index / 1000)
                file.write(json.dumps({"input": path, "output": f"made/{index:02}.m4a"}) + "\n")
        timed([self.aacorn, "batch", *OPTIONS, "first.jsonl"], self.folder)
        with open(first + ".ledger", encoding="utf-8") as file:
            texts = sorted(file, key=lambda text: json.loads(text)["input"])
        entries = []
        for text in texts:
            entry = json.loads(text)
            output = f'"output":{json.dumps(entry["output"])}'
            line = f'"line":{entry["line"]},'
            # The ledger may be JSON with or without spaces.
            if text.count(line) != 1 or text.count(output) != 1:
                raise BindingsError(f"The ledger's lines are not as they were: {text}")
            before, behind = text.split(output)
            entries.append((entry["input"], entry["output"], before.split(line)[1], behind))
        return entries

    def write(self, entries):
        """Writes the manifest, both ledgers and the outputs."""
        with open(self.manifest, "w", encoding="utf-8") as manifest, \
                open(self.whole, "w", encoding="utf-8") as whole, \
                open(self.shard, "w", encoding="utf-8") as shard:
            sources, beginning, sum_of_folder = {}, "", 0
            for index in range(self.count):
                if index % IN_FOLDER == 0:
                    beginning = f"out/{index // IN_FOLDER:05}/"
                    os.makedirs(os.path.join(self.folder, beginning))
                    sum_of_folder = number(beginning)
                name = f"{index % IN_FOLDER:03}.m4a"
                which = index % len(entries)
                source, target, before, behind = entries[which]
                manifest.write(f'{{"input":"{source}","output":"{beginning}{name}"}}\n')
                text = f'{{"line":{index + 1},{before}"output":"{beginning}{name}"{behind}'
                whole.write(text)
                if part(number(name, sum_of_folder)) == 0:
                    shard.write(text)
                    self.in_shard += 1
                group = index // len(entries) // LINKS
                if group != sources.get(which, (0, None))[0] or which not in sources:
                    copy = os.path.join(self.folder, "made", f"{which:02}-{group}.m4a")
                    shutil.copy(os.path.join(self.folder, target), copy)
                    sources[which] = (group, copy)
                os.link(sources[which][1], os.path.join(self.folder, beginning, name))

    def measure(self):
        """Measures each kind of run, and checks that no run has written an output."""
        options = [*OPTIONS, "all.txt"]
        runs = {
            "a part of 100": ["batch", "--shard", f"1/{PARTS}", *options],
            "all": ["batch", *options],
        }
        sizes = [os.path.getsize(path) for path in (self.whole, self.shard)]
        for title, words in runs.items():
            taken = timed([self.aacorn, *words], self.folder)
            if sizes != [os.path.getsize(path) for path in (self.whole, self.shard)]:
                raise BindingsError(f"With {self.count} lines, {title}, something was still to be done.")
            print(f"{self.count} lines, {title}: {taken.wall:.2f} s", file=sys.stderr)
            yield title, taken


def run(arguments):
    """Measures, and prints the table."""
    place = arguments.folder or os.path.join(ROOT, ".build")
    os.makedirs(place, exist_ok=True)
    aacorn = os.path.realpath(built("AACORN", "build", "release"))
    rows = []
    for count in map(int, arguments.counts):
        with tempfile.TemporaryDirectory(prefix="batch-", dir=place) as folder:
            archive = Archive(folder, count, arguments, aacorn)
            mine = {"a part of 100": archive.in_shard}
            for title, taken in archive.measure():
                rows.append(row(f"{count:,}", title, f"{mine.get(title, count):,}", f"{taken.wall:.2f}",
                                f"{taken.user:.2f}", f"{taken.system:.2f}", f"{taken.memory / 1024:.0f} MB"))
    print(f"Lines that are done, naming {arguments.sounds} sounds of {arguments.seconds:g} s, -j 1; memory at"
          " its most.")
    print()
    print(row("lines", "run", "passed over", "wall s", "user s", "system s", "memory"))
    print("|---:|---|" + "---:|" * 5)
    print("\n".join(rows))
