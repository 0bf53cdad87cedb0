"""The CSV file of results: a row for each encoder, rate and clip."""

import csv
import fcntl
import os

from errors import LabError

TEXTS = ("encoder", "clip", "class", "half", "origin", "fingerprint")
NUMBERS = (
    "nominal_kbps", "channels", "rate", "seconds", "lead", "requested_kbps", "actual_kbps", "odg",
    "score_2f", "nmr_mean_db", "nmr_p95_db", "start_nmr_db", "bandwidth_hz", "zimtohrli", "visqol",
    "user_s", "wall_s", "delay")
FIELDS = ("encoder", "nominal_kbps", "clip") + tuple(
    name for name in ("class", "half") + NUMBERS[1:] + ("origin", "fingerprint"))
ELSEWHERE = "elsewhere"


def key(row):
    return row["encoder"], row["nominal_kbps"], row["clip"]


def read(path):
    """Returns rows by key; a figure that was not measured is missing in its row."""
    if not os.path.exists(path):
        return {}
    try:
        with open(path, newline="", encoding="utf-8") as handle:
            return {key(row): row for row in map(_typed, csv.DictReader(handle))}
    except (KeyError, ValueError) as error:
        raise LabError(f"{path} is damaged: {error}. Remove it to start again.") from None


def merge(path, rows):
    """Writes rows to the file, replaces rows with the same key, and returns all rows.

    The file is locked and read again, so that two laboratories may fill it at the same time.
    """
    with open(path + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = read(path)
        known.update({key(row): row for row in rows})
        with open(path + ".new", "w", newline="", encoding="utf-8") as handle:
            writer = csv.DictWriter(handle, FIELDS, extrasaction="ignore")
            writer.writeheader()
            for _, row in sorted(known.items()):
                writer.writerow({name: f"{value:.6g}" if isinstance(value, float) else value
                                 for name, value in row.items()})
        os.replace(path + ".new", path)
    return known


# Columns of compare.py that have another name here.
RENAMED = {"encode_user_s": "user_s", "encode_wall_s": "wall_s"}


def import_file(path, known):
    """Adds rows measured on another machine; never replaces rows of this machine.

    A file may hold some of the columns only: what another file said of the same encode stays.
    """
    changed = {}
    try:
        with open(path, newline="", encoding="utf-8") as handle:
            for line in csv.DictReader(handle):
                if line.get("error"):
                    continue
                row = _typed({RENAMED.get(name, name): value for name, value in line.items()})
                row["clip"] = os.path.splitext(row["clip"])[0]
                row["origin"] = ELSEWHERE
                there = changed.get(key(row)) or known.get(key(row), {})
                if there.get("origin", ELSEWHERE) == ELSEWHERE:
                    changed[key(row)] = there | row
    except (OSError, KeyError, ValueError) as error:
        raise LabError(f"{path} cannot be imported: {error}. It needs the columns encoder, "
                       "nominal_kbps and clip.") from None
    return changed


def usable(rows):
    """Returns the complete rows; an import may contain figures of unknown encodes."""
    return [row for row in rows if "channels" in row and "actual_kbps" in row]


def _typed(row):
    numbers = {name: float(row[name]) for name in NUMBERS if row.get(name) not in ("", None)}
    for name in ("channels", "rate", "delay"):
        if name in numbers:
            numbers[name] = int(numbers[name])
    return {name: row[name] for name in TEXTS if row.get(name) not in ("", None)} | numbers
