"""How much processor time encoders take for ten minutes of stereo at 128 kb/s."""

import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile

import encoders
import peaq
from errors import LabError

KBPS = 128
FIELDS = ("encoder", "threads", "seconds", "kbps", "user_min_s", "user_median_s", "wall_min_s",
          "wall_median_s", "rounds", "source")


def with_threads(found, aacorn):
    """Our encoders once more with as many threads as there are cores, if the command has that."""
    text = subprocess.run([aacorn, "encode", "--help"], capture_output=True, text=True,
                          check=False).stdout
    if not re.search(r"--threads\b", text):
        return {}
    count = os.cpu_count()
    return {f"{one.name}, {count} threads": encoders.Encoder(
        f"{one.name}, {count} threads",
        one.command.replace("encode ", f"encode --threads {count} ", 1), one.extension)
        for one in found}


def measure(found, wav, rounds, source):
    """Rows of user and wall time; the encoders take turns, so that all meet the same machine."""
    samples, rate = peaq.read_audio(wav)
    seconds = len(samples) / rate
    del samples
    times = {one: [] for one in found}
    sizes = {}
    with tempfile.TemporaryDirectory(prefix="laboratory-") as folder:
        for number in range(rounds):
            print(f"round {number + 1}/{rounds}", file=sys.stderr)
            for one in found:
                target = os.path.join(folder, "out." + one.extension)
                code, user, wall, text = encoders.run_timed(one.arguments(wav, target, KBPS))
                if code != 0:
                    raise LabError(f"{one.name} failed with exit code {code}: {text}")
                times[one].append((user, wall))
                sizes[one] = sizes.get(one) or encoders.payload_bytes(target)
                os.unlink(target)
    rows = []
    for one, pairs in times.items():
        users, walls = zip(*pairs)
        rows.append({
            "encoder": one.name, "threads": _threads(one), "seconds": seconds,
            "kbps": sizes[one] * 8 / seconds / 1000, "user_min_s": min(users),
            "user_median_s": statistics.median(users), "wall_min_s": min(walls),
            "wall_median_s": statistics.median(walls), "rounds": rounds, "source": source})
    return rows


def _threads(encoder):
    found = re.search(r"--threads (\d+)", encoder.command)
    return int(found.group(1)) if found else 1


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as handle:
        writer = csv.DictWriter(handle, FIELDS)
        writer.writeheader()
        for row in rows:
            writer.writerow({name: f"{value:.6g}" if isinstance(value, float) else value
                             for name, value in row.items()})


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as handle:
        return [{name: value if name in ("encoder", "source") else float(value)
                 for name, value in row.items()} for row in csv.DictReader(handle)]


def reference(rows):
    """The row that others are compared with: FFmpeg's two-loop search."""
    for name in ("ffmpeg", "ffmpeg51"):
        for row in rows:
            if row["encoder"] == name:
                return row
    return None


def text(rows):
    """A table for a terminal."""
    base = reference(rows)
    lines = [f"{'':<30}{'kb/s':>8}{'user s':>9}{'least':>9}{'x real':>9}{'wall s':>9}"
             f"{'x ffmpeg':>10}"]
    for row in sorted(rows, key=lambda row: row["user_median_s"]):
        median = row["user_median_s"]
        ratio = f"{base['user_median_s'] / median:.2f}" if base else "-"
        lines.append(f"{row['encoder']:<30}{row['kbps']:>8.1f}{median:>9.3f}"
                     f"{row['user_min_s']:>9.3f}{row['seconds'] / median:>9.0f}"
                     f"{row['wall_median_s']:>9.3f}{ratio:>10}")
    return "\n".join(lines)
