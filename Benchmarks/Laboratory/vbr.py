"""Measures whether a level of variable bitrate has the same quality on all material."""

import dataclasses
import shlex
import statistics

import stats
from encoders import Encoder

LEVELS = (1, 2, 3, 4, 5)
DOCUMENTED = (64, 96, 128, 192, 256)    # kb/s of stereo music at 44.1 kHz, by level


def variable(aacorn, effort):
    """Returns an encoder for each level. The results contain the level instead of the rate."""
    return {level: Encoder(f"vbr-{level}", f"{shlex.quote(aacorn)} encode -q -f --vbr {level} "
                           f"--effort {effort} {{in}} -o {{out}}", exact=True)
            for level in LEVELS}


def constant(aacorn, effort, level, kbps):
    """Returns the encoder at a constant rate with the same size as a level."""
    return Encoder(f"cbr-{level}", f"{shlex.quote(aacorn)} encode -q -f -b {round(kbps * 1000)} "
                   f"--effort {effort} {{in}} -o {{out}}", exact=True)


@dataclasses.dataclass(frozen=True)
class Level:
    """The result of a level, and of a constant rate with the same mean."""

    level: int
    channels: int
    rates: tuple            # kb/s: mean, least, most
    nmr: tuple              # mean dB, variable and constant
    spread: tuple           # its standard deviation over the clips, variable and constant
    natural: tuple          # the same without synthetic clips
    odg: tuple              # mean, variable and constant
    worst: tuple            # ODG and clip, variable and constant


def levels(rows):
    """Returns the measured levels, stereo first."""
    found = []
    for channels in (2, 1):
        for level in LEVELS:
            pair = [stats.part(rows, f"{kind}-{level}", channels, float(level))
                    for kind in ("vbr", "cbr")]
            if any(len(part) < 2 for part in pair):
                continue
            common = sorted(set(pair[0]) & set(pair[1]))
            pair = [[part[clip] for clip in common] for part in pair]
            rates = [row["actual_kbps"] for row in pair[0]]
            natural = [[row for row in part if row.get("class") != "synthetic"] for part in pair]
            worst = [min(part, key=lambda row: row["odg"]) for part in pair]
            found.append(Level(
                level, channels, (statistics.mean(rates), min(rates), max(rates)),
                tuple(stats.mean(part, "nmr_mean_db") for part in pair),
                tuple(map(_spread, pair)), tuple(map(_spread, natural)),
                tuple(stats.mean(part, "odg") for part in pair),
                tuple((row["odg"], row["clip"]) for row in worst)))
    return found


def _spread(rows):
    values = [row["nmr_mean_db"] for row in rows]
    return statistics.stdev(values) if len(values) > 1 else 0.0


def text(rows):
    """Returns a table for a terminal; in each pair the constant rate is second."""
    lines = [f"{'':<10}{'kb/s':>8}{'least..most':>14}{'NMR dB':>18}{'spread dB':>14}"
             f"{'natural':>14}{'ODG':>16}   worst ODG"]
    for one in levels(rows):
        kind = "stereo" if one.channels == 2 else "mono"
        mean, least, most = one.rates
        lines.append(
            f"{kind} {one.level:<3}{mean:>8.1f}{f'{least:.0f}..{most:.0f}':>14}"
            f"{f'{one.nmr[0]:.2f} / {one.nmr[1]:.2f}':>18}"
            f"{f'{one.spread[0]:.2f} / {one.spread[1]:.2f}':>14}"
            f"{f'{one.natural[0]:.2f} / {one.natural[1]:.2f}':>14}"
            f"{f'{one.odg[0]:.2f} / {one.odg[1]:.2f}':>16}"
            f"   {' / '.join(f'{value:.2f} {clip}' for value, clip in one.worst)}")
    return "\n".join(lines)
