"""The typical artifacts of replicated bands and of parametric stereo, one figure for each.

All functions compare two aligned signals in [-1, 1) of the shape (samples, channels). A figure is
None where it does not apply: no attacks, no steady tones, no stereo. Replicated bands never have
the waveform of the original, so the figures compare audible properties: levels, tonality,
differences between the channels, and times.
"""

import dataclasses
import math

import numpy as np

import peaq
from errors import LabError

FLOOR = 1e-8                # a full-scale sine is 1; at a normal volume, this is barely audible
FLOOR_DB = 10 * math.log10(FLOOR)
BANDS = 64                  # of equal width, as in band replication
BINS = 4                    # of a short spectrum in each of them
FLAT_BINS = 64              # of a long spectrum, for measuring tonality
SIDE_MOST = 30.0            # dB between channels, beyond which only one ear hears the sound
RANGE = 40.0                # dB below the loudest band, where the others are masked
HOLE = 15.0                 # dB by which a lost level is weaker; noise varies less
STEADY = 1.1                # dB by which a sustained tone varies at most; noise varies more
ATTACK = 10.0               # the factor by which energy rises in an attack
LOUDNESS = 0.3              # the exponent that converts energy to loudness
FEW = 10                    # too few values for a mean


@dataclasses.dataclass(frozen=True)
class Limits:
    """Frequencies in Hz: end of coded bands, start of replicated bands, and upper limit."""

    core: float
    crossover: float
    top: float

    def check(self, rate):
        width = rate / 2 / BANDS
        if not (0 < self.core <= self.crossover and self.crossover + 4 * width <= self.top):
            raise LabError("The limits must rise: core at most crossover, and top at least "
                           f"{4 * width:.0f} Hz above it.")
        if self.top > rate / 2:
            raise LabError(f"--top is {self.top:g} Hz, but a clip of {rate} Hz ends at "
                           f"{rate / 2:g} Hz.")


def measure(ref, test, rate, limits):
    """Returns all figures by name."""
    levels = [band_levels(x, rate, limits) for x in (ref, test)]
    flatter, flatness = tonality(ref, test, rate, limits)
    side, coherence = stereo(ref, test, rate, limits.top)
    late, before = attacks(ref, test, rate, limits)
    return {"core": core_noise(ref, test, rate, limits.core), "envelope": envelope(*levels),
            "holes": holes(*levels), "tonality": flatness, "flatter": flatter, "side": side,
            "coherence": coherence, "late": late, "before": before, "warble": warble(*levels)}


def find_delay(ref, test, rate, most=12000):
    """Returns the delay of test in samples, from 100 to 3000 Hz, which no encoder replicates."""
    size = 1 << math.ceil(math.log2(max(len(ref), len(test)) + most + 1))
    cross = np.fft.rfft(test, size, axis=0) * np.conj(np.fft.rfft(ref, size, axis=0))
    hertz = np.fft.rfftfreq(size, 1 / rate)
    cross[(hertz < 100) | (hertz > 3000)] = 0
    lags = np.arange(-most, most + 1)
    return int(lags[np.argmax(np.fft.irfft(cross.sum(axis=1), size)[lags % size])])


def core_noise(ref, test, rate, high):
    """Returns the total noise-to-mask ratio of BS.1387 in dB, of the bands below a frequency."""
    tables = peaq._tables(92.0)
    data = peaq._Analysis(peaq.resample(ref, rate), peaq.resample(test, rate), tables)
    spread = tables.spread(data.ref + tables.noise)
    mask = np.maximum(peaq._smoothed(spread, tables.decay_excitation), spread) * tables.mask
    ratio = (data.error / mask)[..., tables.center < high].mean(axis=(1, 2))
    start, stop = peaq._active_frames(peaq.resample(ref, rate), data.frames)
    return float(10 * np.log10(ratio[start:stop].mean()))


def band_levels(x, rate, limits):
    """Levels in dB of the narrow bands above the crossover: (10 ms steps, channels, bands)."""
    width = rate / 2 / BANDS
    first, last = math.ceil(limits.crossover / width), int(limits.top / width)
    hop = BINS * BANDS // 2
    power = np.abs(_spectra(x, 2 * BINS * BANDS, hop)[..., BINS * first:BINS * last]) ** 2
    bands = power.reshape(*power.shape[:2], last - first, BINS).sum(axis=-1)
    return _decibels(_means(bands, round(0.01 * rate / hop)))


def envelope(ref, test):
    """Returns the RMS of the differences of band levels in dB where either level is audible.

    Noise replaced by other noise with the same envelope has about 3 dB, because levels of such
    short and narrow bands vary randomly.
    """
    least = _masked(ref)
    audible = np.maximum(ref, test) > least
    if audible.sum() < FEW:
        return None
    difference = np.maximum(test, least) - np.maximum(ref, least)
    return float(np.sqrt(np.mean(difference[audible] ** 2)))


def holes(ref, test):
    """Returns the percentage of audible band levels that are at least 15 dB weaker in the copy."""
    audible = ref > _masked(ref)
    if audible.sum() < FEW:
        return None
    return float(100 * np.mean((ref - test)[audible] >= HOLE))


def tonality(ref, test, rate, limits):
    """Returns the mean difference and the mean absolute difference of spectral flatness in dB.

    Above the crossover. Flatness is the geometric mean of a band's lines divided by the arithmetic
    mean: equal lines have 0 dB, noise -2.5 dB, a single tone -30 dB or less. Positive is noisier
    than the original.
    """
    size = 2048
    width = rate / size * FLAT_BINS
    first, count = math.ceil(limits.crossover * size / rate), \
        int((limits.top - limits.crossover) / width) or 1
    flat, level = [], []
    for x in (ref, test):
        lines = np.abs(_spectra(x, size, size // 2)[..., first:first + count * FLAT_BINS]) ** 2
        lines = lines[..., :lines.shape[-1] // count * count]
        lines = lines.reshape(*lines.shape[:2], count, -1) + FLOOR / 1e6
        level.append(lines.sum(axis=-1))
        flat.append(10 * np.log10(lines).mean(axis=-1) - 10 * np.log10(lines.mean(axis=-1)))
    # Missing bands count as errors of the envelope.
    audible = np.minimum(*level) > FLOOR
    if audible.sum() < FEW:
        return None, None
    difference = (flat[1] - flat[0])[audible]
    return float(difference.mean()), float(np.abs(difference).mean())


def stereo(ref, test, rate, top):
    """Returns the mean errors of the channels' level difference in dB, and of their correlation.

    In bands of equivalent rectangular bandwidth and steps of 50 ms, weighted by loudness. The
    correlation of channels with opposite sign is -1. It is skipped where a channel is silent.
    """
    if ref.shape[1] < 2:
        return None, None
    size, hop = 1024, 256
    edges = _ear_edges(rate / size, 100.0, top)
    found = []
    for x in (ref, test):
        left, right = np.moveaxis(_spectra(x, size, hop), 1, 0)
        found.append([_means(np.add.reduceat(part, edges[:-1], axis=-1), round(0.05 * rate / hop))
                      for part in (_squared(left, edges), _squared(right, edges),
                                   (left * np.conj(right)).real[..., :edges[-1]])])
    audible = found[0][0] + found[0][1] > FLOOR
    both = np.minimum(found[0][0], found[0][1]) > FLOOR
    weight = (found[0][0] + found[0][1]) ** LOUDNESS
    side, alike = [], []
    for left, right, cross in found:
        side.append(np.clip(_decibels(left) - _decibels(right), -SIDE_MOST, SIDE_MOST))
        alike.append(cross / np.sqrt(np.maximum(left, FLOOR) * np.maximum(right, FLOOR)))
    return (_weighted(np.abs(side[1] - side[0]), weight, audible),
            _weighted(np.abs(alike[1] - alike[0]), weight, both))


def attacks(ref, test, rate, limits):
    """Returns the shift of attacks above the crossover in ms, and the level before them.

    The shift is the mean absolute shift of the center of energy, from 10 ms before to 30 ms after
    the attack. The level is the level of the 5 ms before, in dB relative to the first 5 ms of the
    attack.
    """
    from scipy.signal import firwin, oaconvolve
    taps = firwin(129, [limits.crossover, min(limits.top, 0.49 * rate)], pass_zero=False, fs=rate)
    hop = round(rate / 2000)
    energies = []
    for x in (ref, test):
        high = oaconvolve(x, taps[:, None], mode="same", axes=0)
        steps = len(high) // hop
        energies.append((high[:steps * hop] ** 2).reshape(steps, -1).sum(axis=1) / hop)
    step = 1000 * hop / rate
    shifts, levels = [], []
    times = np.arange(-20, 60) * step
    for start in find_attacks(energies[0]):
        centers = []
        for energy in energies:
            near = energy[start - 20:start + 60] + FLOOR / 1e3
            centers.append(np.sum(times * near) / np.sum(near))
        shifts.append(abs(centers[1] - centers[0]))
        before, attack = energies[1][start - 11:start - 1], energies[1][start:start + 10]
        levels.append(max(-60.0, 10 * math.log10((before.mean() + 1e-12)
                                                 / (attack.mean() + FLOOR))))
    if not shifts:
        return None, None
    return float(np.mean(shifts)), float(np.mean(levels))


def find_attacks(energy):
    """Returns the 0.5 ms steps where attacks begin: tenfold energy, at least 50 ms apart."""
    total = np.concatenate([[0.0], np.cumsum(energy)])
    now = np.arange(20, len(energy) - 60)
    if len(now) == 0:
        return []
    before, after = (total[now] - total[now - 20]) / 20, (total[now + 10] - total[now]) / 10
    rise = np.where(after > 1e-6, after / (before + FLOOR), 0.0)
    found = []
    for index in np.flatnonzero(rise > ATTACK):
        if rise[index] < rise[max(0, index - 100):index + 101].max():
            continue
        place = now[index]
        loud = energy[place:place + 10] >= 0.1 * energy[place:place + 10].max()
        start = int(place + np.argmax(loud))
        if start + 60 <= len(energy) and (not found or start - found[-1] >= 100):
            found.append(start)
    return found


def warble(ref, test):
    """Returns the additional variation of sustained tones within 0.3 s, in dB.

    The variation is the standard deviation of band levels. A steady rise or decay does not count.
    """
    length = 30
    if len(ref) < length:
        return None
    pieces = [np.lib.stride_tricks.sliding_window_view(x, length, axis=0)[::length // 2]
              for x in (ref, test)]
    time = np.arange(length) - (length - 1) / 2
    spread = []
    for piece in pieces:
        centered = piece - piece.mean(axis=-1, keepdims=True)
        slope = (centered @ time / (time @ time))[..., None]
        spread.append(np.std(centered - slope * time, axis=-1))
    steady = (spread[0] < STEADY) & (pieces[0].min(axis=-1) > FLOOR_DB + 5)
    if steady.sum() < FEW:
        return None
    return float(np.mean((spread[1] - spread[0])[steady]))


def _spectra(x, size, hop):
    """Returns spectra of (frames, channels, lines), where a full-scale sine sums to 1."""
    x = np.pad(x, ((0, max(0, size - len(x))), (0, 0)))
    window = np.hanning(size + 1)[:size]
    frames = np.lib.stride_tricks.sliding_window_view(x, size, axis=0)[::hop]
    return np.fft.rfft(frames * window, axis=-1) * (2 / math.sqrt(size * np.sum(window ** 2)))


def _squared(lines, edges):
    return np.abs(lines[..., :edges[-1]]) ** 2


def _ear_edges(step, low, high):
    """Returns the edges of bands of one equivalent rectangular bandwidth, at least two lines."""
    def number(hertz):
        return 21.4 * math.log10(1 + 0.00437 * hertz)
    edges = [math.ceil(low / step)]
    while edges[-1] * step < high:
        wide = (10 ** ((number(edges[-1] * step) + 1) / 21.4) - 1) / 0.00437
        edges.append(max(edges[-1] + 2, round(wide / step)))
    # The last edge would exceed the limit.
    return np.array(edges[:-1])


def _means(values, count):
    """Returns the means of groups of `count` successive frames."""
    count = min(count, len(values))
    steps = len(values) // count
    return values[:steps * count].reshape(steps, count, *values.shape[1:]).mean(axis=1)


def _masked(levels):
    """Returns the levels below which the bands of each step are inaudible."""
    return np.maximum(levels.max(axis=-1, keepdims=True) - RANGE, FLOOR_DB)


def _decibels(power):
    return 10 * np.log10(np.maximum(power, FLOOR))


def _weighted(values, weight, used):
    if used.sum() < FEW:
        return None
    return float(np.sum(values[used] * weight[used]) / np.sum(weight[used]))
