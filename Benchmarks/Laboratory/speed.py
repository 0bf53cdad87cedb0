"""The processor time of encoders for ten minutes of stereo at 128 kb/s."""

import csv
import os
import re
import statistics
import sys
import tempfile

import encoders
import peaq
from errors import LabError

KBPS = 128
FIELDS = ("encoder", "threads", "seconds", "kbps", "user_min_s", "user_median_s", "wall_min_s",
          "wall_median_s", "rounds", "source")


def with_threads(ours):
    """Returns our encoders with one thread, like the others, and also with all cores."""
    count = os.cpu_count()
    found = [_with_jobs(one, 1, one.name) for one in ours]
    if count > 1:
        found += [_with_jobs(one, count, f"{one.name}, {count} threads") for one in ours]
    return {one.name: one for one in found}


def _with_jobs(one, count, name):
    return encoders.Encoder(
        name, one.command.replace("encode ", f"encode --jobs {count} ", 1), one.extension)


def measure(found, wav, rounds, source):
    """Returns rows of user and wall time; the encoders alternate, to share disturbances."""
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
    found = re.search(r"--jobs (\d+)", encoder.command)
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
    """Returns the row for comparison: FFmpeg's two-loop search."""
    for name in ("ffmpeg", "ffmpeg51"):
        for row in rows:
            if row["encoder"] == name:
                return row
    return None


def text(rows):
    """Returns a table for a terminal."""
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
