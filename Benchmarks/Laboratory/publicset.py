"""The public set: 200 clips that anybody can make, in two halves of the same kinds of sound."""

import csv
import hashlib
import os
import tempfile

import numpy as np

import clips
import packages
import synthesis
from errors import LabError

NUMBERS = 4             # clips of each kind that programs make; the last half of them is half b
LEAD_SECONDS = 1
# Of the samples of all clips made by program.
DIGEST = "49c34c667da3e15437f40eec32d6ebab06075d94bed46b587fd1e06572399688"


def make(folder, only_synthetic=False):
    """Writes the clips and their manifest.csv into a folder, and returns the number of clips."""
    os.makedirs(folder, exist_ok=True)
    lines, digest = [], hashlib.sha256()
    for kind in synthesis.KINDS:
        for number in range(NUMBERS):
            name = f"{kind}_{number + 1}"
            samples = synthesis.clip(kind, number)
            digest.update(samples.tobytes())
            clips.write(os.path.join(folder, name + ".wav"), samples, synthesis.RATE)
            lines.append((name, "synthetic", "a" if number < NUMBERS // 2 else "b", "Apache-2.0"))
    if digest.hexdigest() != DIGEST:
        raise LabError(f"numpy {np.__version__} on this processor makes other samples than those "
                       f"of the published figures. Do not compare figures of {folder} with them.")
    if not only_synthetic:
        with tempfile.TemporaryDirectory(prefix="laboratory-") as work:
            lines += [(row["name"], row["class"], row["half"], row["license"])
                      for row in packages.build_clips(folder, work)]
    with open(os.path.join(folder, "manifest.csv"), "w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow(("file", "class", "half", "lead", "license"))
        writer.writerows((name + ".wav", kind, half, LEAD_SECONDS, license_name)
                         for name, kind, half, license_name in lines)
    return len(lines)
