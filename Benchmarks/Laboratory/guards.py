"""Typical artifacts of HE-AAC, by encoder, for the clips of a folder."""

import csv
import dataclasses
import functools
import multiprocessing
import os
import shlex
import statistics
import sys
import tempfile

import artifacts
import clips
import encoders
import peaq
from errors import LabError

ORIGINAL = "original"


@dataclasses.dataclass(frozen=True)
class Figure:
    """A row of the table."""

    name: str
    title: str
    digits: int = 1


FIGURES = (
    Figure("kbps", "kb/s, without container"),
    Figure("core", "Noise to mask below {core}, dB"),
    Figure("envelope", "Levels above {crossover}, error in dB"),
    Figure("holes", "of these lost by 15 dB and more, %"),
    Figure("tonality", "Tonality above {crossover}, error in dB"),
    Figure("flatter", "of that too noisy (+) or too tonal (−)"),
    Figure("warble", "Sustained tones, more unsteady by dB", 2),
    Figure("late", "Attacks, shifted by ms", 2),
    Figure("before", "Before attacks, dB of the attack"),
    Figure("side", "Balance of the channels, error in dB", 2),
    Figure("coherence", "Correlation of the channels, error", 3),
)


@dataclasses.dataclass(frozen=True)
class Decoded:
    """The decoded WAV file of a clip, and its delay in samples at the clip's rate."""

    clip: clips.Clip
    path: str
    kbps: float
    delay: int


def read(path, like, rate):
    """Reads audio, and converts it to the rate and the channels of its original."""
    samples, own = peaq.read_audio(path)
    return peaq.match_channels(like, peaq.resample(samples, own, rate))


def decode(encoder, folder, clip):
    """Encodes and decodes a clip. Runs in a separate process."""
    stem = os.path.join(folder, f"{encoder.name}-{clip.name}".replace("/", "-"))
    target, wav = f"{stem}.{encoder.extension}", stem + ".wav"
    code, _, _, text = encoders.run_timed(encoder.arguments(clip.path, target, 0))
    if code != 0 or not os.path.exists(target) or os.path.getsize(target) == 0:
        raise LabError(f"{encoder.name} failed on {clip.name} with exit code {code}: "
                       f"{text or 'it wrote nothing'}")
    code, _, _, text = encoders.run_timed(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", target, "-c:a", "pcm_f32le", wav])
    if code != 0:
        raise LabError(f"ffmpeg cannot decode {clip.name} of {encoder.name}: {text}")
    ref, rate = peaq.read_audio(clip.path)
    delay = artifacts.find_delay(ref, read(wav, ref, rate), rate)
    return Decoded(clip, wav, encoders.payload_bytes(target) * 8 / clip.seconds / 1000, delay)


def measure(limits, job):
    """Returns the figures of one clip."""
    decoded, delay = job
    ref, rate = peaq.read_audio(decoded.clip.path)
    ref, test = peaq._overlap(ref, read(decoded.path, ref, rate), delay)
    return {"clip": decoded.clip.name, "kbps": decoded.kbps, "delay": delay} \
        | artifacts.measure(ref, test, rate, limits)


def common_delay(delays):
    """Returns the most frequent delay: an encoder has one, but repetitive clips may mislead."""
    return statistics.mode(delays)


def run(folder, pattern, wanted, limits, jobs):
    """Returns rows of figures of all encoders and of the originals, by encoder."""
    with tempfile.TemporaryDirectory(prefix="guards-") as store:
        found = clips.load(folder, store, pattern)
        for clip in found:
            limits.check(clip.rate)
        with multiprocessing.Pool(jobs) as pool:
            figures = functools.partial(measure, limits)
            originals = [(Decoded(clip, clip.path, 0.0, 0), 0) for clip in found]
            rows = {ORIGINAL: [row | {"kbps": None, "core": None}
                               for row in pool.map(figures, originals, 1)]}
            for encoder in wanted:
                print(encoder.name, file=sys.stderr)
                made = pool.map(functools.partial(decode, encoder, store), found, 1)
                delay = common_delay([one.delay for one in made])
                rows[encoder.name] = pool.map(figures, [(one, delay) for one in made], 1)
                for one in made:
                    os.unlink(one.path)
    return rows


def table(rows, limits):
    """Returns a Markdown table: a line for each figure, a column for each encoder."""
    lines = ["| | " + " | ".join(rows) + " |", "|---|" + "---|" * len(rows)]
    for figure in FIGURES:
        title = figure.title.format(core=_kilohertz(limits.core),
                                    crossover=_kilohertz(limits.crossover))
        cells = [_cell([row[figure.name] for row in part], figure) for part in rows.values()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(values, figure):
    values = [value for value in values if value is not None]
    if not values:
        return "–"
    mean, worst = statistics.fmean(values), max(values, key=_badness(figure))
    text = f"{mean:.{figure.digits}f}"
    if figure.name != "kbps":
        text += f" ({worst:.{figure.digits}f})"
    # Remove the sign of a value that is rounded to zero.
    zero = f"{0:.{figure.digits}f}"
    return text.replace("-" + zero, zero).replace("-", "−")


def _badness(figure):
    """Returns the sort key of the worst clip: the level or ratio, or the size of a difference."""
    return abs if figure.name == "flatter" else float


def _kilohertz(hertz):
    return f"{hertz / 1000:g} kHz"


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as handle:
        names = ["encoder", "clip", "delay"] + [figure.name for figure in FIGURES]
        writer = csv.DictWriter(handle, names, extrasaction="ignore")
        writer.writeheader()
        for name, part in rows.items():
            for row in part:
                writer.writerow({"encoder": name} | {
                    key: f"{value:.6g}" if isinstance(value, float) else value
                    for key, value in row.items()})


def chosen(pairs):
    """Returns the encoders of the command line."""
    found = []
    for name, command in pairs:
        if not name.strip() or "|" in name or name == ORIGINAL:
            raise LabError(f"“{name}” cannot be the name of an encoder.")
        if name in (one.name for one in found):
            raise LabError(f"There are two encoders named {name}.")
        if "{in}" not in command or "{out}" not in command:
            raise LabError(f"The command of {name} needs {{in}} and {{out}}.")
        try:
            encoder = encoders.Encoder(name, command)
            program = encoder.program
        except ValueError as error:
            raise LabError(f"The command of {name} cannot be read: {error}.") from None
        if not program:
            raise LabError(f"{name} names a program that is not there: "
                           f"{shlex.split(command)[0]}.")
        found.append(encoder)
    return found
