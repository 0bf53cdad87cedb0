"""Means, paired differences at equal rate, and their confidence intervals."""

import dataclasses
import math

import numpy as np

SLACK = 0.01        # a mean rate this near to the nominal one counts as equal
REACH = 0.10        # how far beyond its measured rates an encoder is extrapolated


def bootstrap(values, rounds=10000, seed=1):
    """Returns the mean and its 95 % interval; the same values always give the same interval."""
    values = np.asarray(values, float)
    if len(values) < 3:
        return float(values.mean()), math.nan, math.nan
    pick = np.random.default_rng(seed).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[pick].mean(axis=1), [2.5, 97.5])
    return float(values.mean()), float(low), float(high)


def part(rows, encoder, channels, nominal):
    """Returns the rows of one encoder at one rate by clip."""
    return {row["clip"]: row for row in rows
            if (row["encoder"], row.get("channels"), row["nominal_kbps"])
            == (encoder, channels, nominal)}


def mean(rows, column):
    """Returns the mean of a column over the rows that have it, or None."""
    values = [row[column] for row in rows if column in row]
    return sum(values) / len(values) if values else None


def at_rate(rows, encoder, channels, nominal, column):
    """Returns the figures of an encoder by clip, for a mean real rate equal to the nominal rate.

    If the encoder was not measured at this rate, interpolates each clip linearly between the two
    nearest mean rates (logarithmic), and extrapolates slightly beyond the ends.
    """
    sets = []
    for rate in sorted({row["nominal_kbps"] for row in rows if row["encoder"] == encoder}):
        found = part(rows, encoder, channels, rate)
        found = {clip: row for clip, row in found.items() if column in row}
        if found:
            sets.append((mean(found.values(), "actual_kbps"), found))
            if rate == nominal and abs(sets[-1][0] / nominal - 1) <= SLACK:
                return {clip: row[column] for clip, row in found.items()}
    sets.sort(key=lambda item: item[0])
    if len(sets) < 2 or not sets[0][0] / (1 + REACH) <= nominal <= sets[-1][0] * (1 + REACH):
        return {}
    above = next((index for index, item in enumerate(sets) if item[0] >= nominal), len(sets) - 1)
    (low, first), (high, second) = sets[max(above, 1) - 1], sets[max(above, 1)]
    share = math.log(nominal / low) / math.log(high / low)
    return {clip: first[clip][column] * (1 - share) + second[clip][column] * share
            for clip in first if clip in second}


@dataclasses.dataclass(frozen=True)
class Difference:
    """The difference of two encoders over the same clips."""

    mean: float
    low: float
    high: float
    clips: tuple        # (difference, clip), the worst for the first encoder first

    @property
    def is_sure(self):
        return self.low > 1e-9 or self.high < -1e-9


def difference(rows, one, two, channels, nominal, metric, clips=None):
    """Returns the paired difference one − two at equal real rate, or None without common clips."""
    first = at_rate(rows, one, channels, nominal, metric.column)
    second = at_rate(rows, two, channels, nominal, metric.column)
    pairs = [(first[clip] - second[clip], clip) for clip in first
             if clip in second and (not clips or clip in clips)]
    if not pairs:
        return None
    pairs.sort(key=lambda pair: (pair[0] * metric.better, pair[1]))
    return Difference(*bootstrap([value for value, _ in pairs]), tuple(pairs))


def difference_text(found, metric):
    """Formats a difference and its interval, such as +0.12 [+0.03, +0.20]."""
    if found is None:
        return "-"
    if found.low != found.low:
        return metric.text(found.mean, "+")
    return (f"{metric.text(found.mean, '+')} "
            f"[{metric.text(found.low, '+')}, {metric.text(found.high, '+')}]")
