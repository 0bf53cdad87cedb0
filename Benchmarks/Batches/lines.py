"""Time and memory of a run that has nothing more to do, by the number of lines.

A few short sounds are encoded by the command itself. What its ledger says of them is written down for every
line, and each output is a hard link to one of theirs, so that the command finds all of it done.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from errors import BindingsError
from rates import write_sound
from running import ROOT, built
from timing import row, timed

PARTS = 100
#: Outputs of a folder, as an archive has them; a file has no more links than this on any usual disk.
IN_FOLDER, LINKS = 1000, 30_000
OPTIONS = ["-q", "-j", "1", "-b", "96k"]
MASK = (1 << 64) - 1


def add_options(parser):
    parser.add_argument("counts", nargs="+", type=float, metavar="N", help="how many lines, such as 1e6")
    parser.add_argument("--sounds", type=int, default=16, help="how many inputs the lines name")
    parser.add_argument("--seconds", type=float, default=0.1, help="how long these are")
    parser.add_argument("--quick", action="store_true", help="without the run that reads every output")
    parser.add_argument("--folder", help="on a disk with room for 2 kB a line; the default is .build")


def number(path, start=0xCBF29CE484222325):
    """What decides which part has an output, before its last step; goes on from a beginning of a path."""
    for byte in path.encode():
        start = (start ^ byte) * 0x100000001B3 & MASK
    return start


def part(value):
    """The part of a hundred, from 0, as the command tells them apart."""
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & MASK
    return (value ^ value >> 33) % PARTS


class Archive:
    """A manifest of so many lines, with ledgers by which all is done."""

    def __init__(self, folder, count, arguments, aacorn):
        self.folder, self.count, self.aacorn = folder, count, aacorn
        self.manifest = os.path.join(folder, "all.txt")
        self.whole, self.shard = self.manifest + ".ledger", self.manifest + ".ledger.00001-of-00100"
        self.in_shard = 0
        self.is_quick = arguments.quick
        self.write(self.made(arguments))

    def made(self, arguments):
        """What the command says of the sounds, in two halves around the number and the output of a line."""
        os.mkdir(os.path.join(self.folder, "in"))
        os.mkdir(os.path.join(self.folder, "made"))
        first = os.path.join(self.folder, "first.jsonl")
        with open(first, "w", encoding="utf-8") as file:
            for index in range(arguments.sounds):
                # A little longer each, so that no two are the same.
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
            # As it stands there, with JSON that has no spaces, or with them.
            if text.count(line) != 1 or text.count(output) != 1:
                raise BindingsError(f"The ledger's lines are not as they were: {text}")
            before, behind = text.split(output)
            entries.append((entry["input"], entry["output"], before.split(line)[1], behind))
        return entries

    def write(self, entries):
        """The manifest, both ledgers and the outputs."""
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
        """What each kind of run takes, after making sure that none of them made anything."""
        options = [*OPTIONS, "all.txt"]
        runs = {
            "a part of 100": ["batch", "--shard", f"1/{PARTS}", *options],
            "the same, `--trust-times`": ["batch", "--shard", f"1/{PARTS}", "--trust-times", *options],
            "all": ["batch", *options],
            "all, `--trust-times`": ["batch", "--trust-times", *options],
            "`--merge`": ["batch", "--merge", "all.txt.ledger"],
        }
        if self.is_quick:
            del runs["all"]
        sizes = [os.path.getsize(path) for path in (self.whole, self.shard)]
        for title, words in runs.items():
            taken = timed([self.aacorn, *words], self.folder)
            if sizes != [os.path.getsize(path) for path in (self.whole, self.shard)]:
                raise BindingsError(f"With {self.count} lines, {title}, something was still to be done.")
            print(f"{self.count} lines, {title}: {taken.wall:.2f} s", file=sys.stderr)
            yield title, taken
        told = subprocess.run([self.aacorn, "batch", "--merge", "--json", "all.txt.ledger"], cwd=self.folder,
                              stdout=subprocess.PIPE, check=True)
        if json.loads(told.stdout)["done"] != self.count:
            raise BindingsError(f"Of {self.count} lines {json.loads(told.stdout)['done']} are done.")


def run(arguments):
    """Measures, and prints the table."""
    place = arguments.folder or os.path.join(ROOT, ".build")
    os.makedirs(place, exist_ok=True)
    aacorn = os.path.realpath(built("AACORN", "build", "release"))
    rows = []
    for count in map(int, arguments.counts):
        with tempfile.TemporaryDirectory(prefix="batch-", dir=place) as folder:
            archive = Archive(folder, count, arguments, aacorn)
            mine = {"a part of 100": archive.in_shard, "the same, `--trust-times`": archive.in_shard}
            for title, taken in archive.measure():
                rows.append(row(f"{count:,}", title, f"{mine.get(title, count):,}", f"{taken.wall:.2f}",
                                f"{taken.user:.2f}", f"{taken.system:.2f}", f"{taken.memory / 1024:.0f} MB"))
    print(f"Lines that are done, naming {arguments.sounds} sounds of {arguments.seconds:g} s, -j 1; memory at"
          " its most.")
    print()
    print(row("lines", "run", "passed over", "wall s", "user s", "system s", "memory"))
    print("|---:|---|" + "---:|" * 5)
    print("\n".join(rows))
