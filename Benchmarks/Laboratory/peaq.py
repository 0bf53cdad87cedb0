#!/usr/bin/env python3
"""Objective audio quality of a test signal against its reference.

The main figure is the Objective Difference Grade (ODG) of the Basic version
of PEAQ, written from Recommendation ITU-R BS.1387-1: 0 = imperceptible,
-1 = perceptible but not annoying, -2 = slightly annoying, -3 = annoying,
-4 = very annoying.  Printed next to it: the mean score (0 to 100, as in a MUSHRA
test) that the published 2f-model derives from two of the same variables, the
noise-to-mask ratio per frame, the segmental SNR and the effective bandwidth.

The Recommendation leaves some choices open.  Taken here: the model output
variables are not clipped to the range the network was trained on; the pattern
correction factors start from zero; the detection maximum does not decay; a
frame of digital silence has no bandwidth.  The error harmonic structure (EHS)
can be read in two ways, and the choice moves the ODG by about 0.15:

* plain (default): the mean of the correlation is removed, its window rises
  from zero lag, and any rising value of its spectrum is a candidate peak;
* valley: the window is centered on lag zero, its spectrum loses the zero line,
  and only peaks that follow a first valley count.

Usage:  peaq.py reference.wav test.wav [--json] [--ehs valley]
"""

import argparse
import json
import shutil
import struct
import subprocess
import sys

import numpy as np

FS = 48000              # the only rate the model is defined for
NFFT = 2048             # frame length
HOP = 1024              # frame advance
FRAME_RATE = FS / HOP   # 46.875 frames a second
DZ = 0.25               # band width in Bark
F_LOW, F_HIGH = 80.0, 18000.0
MAX_LAG = 8192          # search range of the delay estimate, samples
TINY = 1e-12

MOV_NAMES = (
    "BandwidthRefB", "BandwidthTestB", "Total NMRB", "WinModDiff1B", "ADBB",
    "EHSB", "AvgModDiff1B", "AvgModDiff2B", "RmsNoiseLoudB", "MFPDB",
    "RelDistFramesB",
)


# --------------------------------------------------------------------------
# Reading audio
# --------------------------------------------------------------------------

def _read_wav(raw):
    """Parse a RIFF/WAVE byte string into (samples, rate); None if it is not one."""
    if len(raw) < 12 or raw[:4] not in (b"RIFF", b"RF64") or raw[8:12] != b"WAVE":
        return None
    pos, fmt, body = 12, None, None
    while pos + 8 <= len(raw):
        name, size = raw[pos:pos + 4], struct.unpack_from("<I", raw, pos + 4)[0]
        if name == b"fmt ":
            fmt = struct.unpack_from("<HHIIHH", raw, pos + 8)
            if fmt[0] == 0xFFFE and size >= 26:          # extensible: real tag
                fmt = struct.unpack_from("<H", raw, pos + 8 + 24) + fmt[1:]
        elif name == b"data":
            body = raw[pos + 8:min(pos + 8 + size, len(raw))]
            break
        pos += 8 + size + (size & 1)
    if fmt is None or body is None:
        return None
    tag, channels, rate, _, align, bits = fmt
    if channels == 0 or align == 0:
        return None
    body = body[:len(body) - len(body) % align]
    if tag == 3 and bits == 32:
        data = np.frombuffer(body, "<f4").astype(np.float64)
    elif tag == 3 and bits == 64:
        data = np.frombuffer(body, "<f8").astype(np.float64)
    elif tag == 1 and bits == 8:
        data = (np.frombuffer(body, np.uint8).astype(np.float64) - 128.0) / 128.0
    elif tag == 1 and bits == 16:
        data = np.frombuffer(body, "<i2").astype(np.float64) / 32768.0
    elif tag == 1 and bits == 24:
        part = np.frombuffer(body, np.uint8).reshape(-1, 3).astype(np.int32)
        word = part[:, 0] << 8 | part[:, 1] << 16 | part[:, 2] << 24
        data = word.astype(np.float64) / 2147483648.0
    elif tag == 1 and bits == 32:
        data = np.frombuffer(body, "<i4").astype(np.float64) / 2147483648.0
    else:
        return None
    return data.reshape(-1, channels), rate


def read_audio(path):
    """Return samples as float64 in [-1, 1), shape (n, channels), and the sampling rate.

    WAV is read directly; anything else goes through the ffmpeg program.
    """
    with open(path, "rb") as handle:
        raw = handle.read()
    parsed = _read_wav(raw)
    if parsed is None:
        if not shutil.which("ffmpeg"):
            raise ValueError(f"{path}: not a plain WAV file, and ffmpeg is not installed")
        done = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-f", "wav", "-c:a", "pcm_s16le",
             "-bitexact", "-"], capture_output=True, check=False)
        if done.returncode == 0:
            parsed = _read_wav(done.stdout)
        if parsed is None:
            raise ValueError(f"{path}: cannot be read: {done.stderr.decode(errors='replace')}")
    samples, rate = parsed
    if samples.shape[1] > 2:
        raise ValueError(f"{path}: {samples.shape[1]} channels; one or two are supported")
    return samples, rate


def match_channels(ref, test):
    """Bring the test signal to the channel count of the reference."""
    if ref.shape[1] == test.shape[1]:
        return test
    if test.shape[1] == 1:
        return np.repeat(test, ref.shape[1], axis=1)
    return test.mean(axis=1, keepdims=True)


_RESAMPLERS = {}


def resample(x, rate, target=FS):
    """Polyphase resampling with a long Kaiser-windowed filter (about 100 dB)."""
    if rate == target:
        return x
    from scipy.signal import firwin, resample_poly
    common = int(np.gcd(rate, target))
    up, down = target // common, rate // common
    if (up, down) not in _RESAMPLERS:
        widest = max(up, down)
        taps = firwin(2 * 48 * widest + 1, 0.955 / widest, window=("kaiser", 10.0))
        _RESAMPLERS[up, down] = taps
    return resample_poly(x, up, down, axis=0, window=_RESAMPLERS[up, down])


def to_16_bits(x):
    """Round to the grid of 16-bit samples.

    The bandwidth variables compare the spectrum with its top end, which after a
    change of rate would be empty; the model expects 16-bit material at 48 kHz.
    """
    return np.clip(np.round(x * 32768.0), -32768, 32767) / 32768.0


# --------------------------------------------------------------------------
# Time alignment
# --------------------------------------------------------------------------

def _overlap(ref, test, lag):
    """Return the overlapping parts of both signals if test is lag samples late."""
    start_ref, start_test = max(0, -lag), max(0, lag)
    count = min(len(ref) - start_ref, len(test) - start_test)
    if count <= 0:
        return ref[:0], test[:0]
    return ref[start_ref:start_ref + count], test[start_test:start_test + count]


def find_delay(ref, test, max_lag=MAX_LAG, candidates=12):
    """Return the integer delay of test relative to ref, in samples.

    A partly whitened cross-correlation, summed over the channels, proposes
    candidates. The candidate with the minimum difference energy after alignment
    wins, so that onsets determine the delay of a periodic signal.
    """
    size = 1 << int(np.ceil(np.log2(max(len(ref), len(test)) + max_lag + 1)))
    spec_r = np.fft.rfft(ref, size, axis=0)
    spec_t = np.fft.rfft(test, size, axis=0)
    cross = spec_t * np.conj(spec_r)
    weight = np.sqrt(np.abs(spec_r) * np.abs(spec_t)) + 1e-9
    corr = np.fft.irfft(np.sum(cross / weight, axis=1), size)
    lags = np.arange(-max_lag, max_lag + 1)
    values = corr[lags % size]
    if not np.any(values > 0):
        return 0
    picks = [0]                                # zero delay is always considered
    order = values.copy()
    for _ in range(candidates):
        best = int(np.argmax(order))
        if order[best] <= 0:
            break
        picks.append(int(lags[best]))
        order[max(0, best - 1):best + 2] = -np.inf
    least, winner = None, 0
    for lag in picks:
        a, b = _overlap(ref, test, lag)
        if len(a) < len(ref) // 2:
            continue
        # samples outside the overlap count as errors, too
        lost = np.sum(ref ** 2) - np.sum(a ** 2)
        error = np.sum((a - b) ** 2) + max(lost, 0.0)
        if least is None or error < least * (1 - 1e-9):
            least, winner = error, lag
    return winner


# --------------------------------------------------------------------------
# Constant tables of the ear model
# --------------------------------------------------------------------------

class _Tables:
    """Constant tables, independent of both signals."""

    def __init__(self, level_db=92.0):
        bark = lambda f: 7.0 * np.arcsinh(np.asarray(f) / 650.0)
        hertz = lambda z: 650.0 * np.sinh(np.asarray(z) / 7.0)

        # bands
        z_low, z_high = bark(F_LOW), bark(F_HIGH)
        self.bands = count = int(np.ceil((z_high - z_low) / DZ))
        z_edge_l = z_low + DZ * np.arange(count)
        z_edge_u = np.minimum(z_edge_l + DZ, z_high)
        low, high = hertz(z_edge_l), hertz(z_edge_u)
        self.center = center = hertz(0.5 * (z_edge_l + z_edge_u))

        # share of each FFT bin in each band
        step = FS / NFFT
        k = np.arange(NFFT // 2 + 1)
        bin_low, bin_high = (k - 0.5) * step, (k + 0.5) * step
        share = (np.minimum(high[None, :], bin_high[:, None])
                 - np.maximum(low[None, :], bin_low[:, None])) / step
        self.grouping = np.maximum(share, 0.0)

        # window, scaled so that a full-scale 1019.5 Hz sine reads level_db
        n = np.arange(NFFT)
        hann = 0.5 * (1.0 - np.cos(2.0 * np.pi * n / (NFFT - 1)))
        t = np.arange(10)[:, None] * HOP + n[None, :]
        tone = np.sin(2.0 * np.pi * 1019.5 / FS * t)
        peak = np.max(np.abs(np.fft.rfft(tone * hann, axis=1)))
        self.window = hann * (10.0 ** (level_db / 20.0) / peak)

        # outer and middle ear, as a power weight for each bin
        khz = np.maximum(k * step, 1e-3) / 1000.0
        ear_db = (-0.6 * 3.64 * khz ** -0.8
                  + 6.5 * np.exp(-0.6 * (khz - 3.3) ** 2)
                  - 1e-3 * khz ** 3.6)
        self.ear = 10.0 ** (ear_db / 10.0)
        self.ear[0] = 0.0

        kc = center / 1000.0
        self.noise = 10.0 ** (0.4 * 0.364 * kc ** -0.8)        # internal noise
        self.mask_db = np.where(DZ * np.arange(count) <= 12.0, 3.0,
                                0.25 * DZ * np.arange(count))
        self.mask = 10.0 ** (-self.mask_db / 10.0)

        def decay(tau_min, tau_100):
            tau = tau_min + (100.0 / center) * (tau_100 - tau_min)
            return np.exp(-1.0 / (FRAME_RATE * tau))

        self.decay_excitation = decay(0.008, 0.030)
        self.decay_pattern = decay(0.008, 0.050)

        # loudness
        threshold = 10.0 ** (0.364 * kc ** -0.8)
        s = 10.0 ** ((-2.0 - 2.05 * np.arctan(kc / 4.0)
                      - 0.75 * np.arctan((kc / 1.6) ** 2)) / 10.0)
        self.loud_index = s
        self.loud_scale = 1.07664 * (threshold / (s * 1e4)) ** 0.23
        self.loud_threshold = threshold

        # spreading
        self.slope_down = 10.0 ** (-2.7 * DZ)
        self.slope_up = 10.0 ** ((-24.0 - 230.0 / center) / 10.0 * DZ)
        below = np.arange(count)
        q = self.slope_down
        self.sum_down = q * (1.0 - q ** below) / (1.0 - q)
        self.above = count - below
        self.spread_norm = 1.0
        self.spread_norm = self.spread(np.ones((1, count)))[0]

        # error harmonic structure
        scale = np.sqrt(8.0 / 3.0) * 0.5 / 256.0
        lag = 2.0 * np.pi * np.arange(256)
        self.ehs_window = {"plain": scale * (1.0 - np.cos(lag / 255.0)),
                           "valley": scale * (1.0 + np.cos(lag / 511.0))}

        # pattern smoothing across bands: 3 below to 4 above, cut at the edges
        smooth = np.zeros((count, count))
        for i in range(count):
            a, b = max(0, i - 3), min(count, i + 5)
            smooth[a:b, i] = 1.0 / (b - a)
        self.smooth = smooth

    def spread(self, energy):
        """Level-dependent spreading over the bands (last axis), power law 0.4."""
        count = self.bands
        ratio = self.slope_up * energy ** (0.2 * DZ)
        total = self.sum_down + (1.0 - ratio ** self.above) / (1.0 - ratio)
        part = (energy / total) ** 0.4
        ratio = ratio ** 0.4
        out = np.empty_like(part)
        q = self.slope_down ** 0.4
        run = np.zeros(energy.shape[:-1])
        for i in range(count - 1, -1, -1):                 # downwards
            run = run * q + part[..., i]
            out[..., i] = run
        # upwards: keep the band axis first so that slices are contiguous
        part_t = np.ascontiguousarray(np.moveaxis(part, -1, 0))
        ratio_t = np.ascontiguousarray(np.moveaxis(ratio, -1, 0))
        tail = np.zeros_like(part_t)
        for i in range(1, count):
            tail[i - 1] = part_t[i - 1]
            tail[:i] *= ratio_t[:i]
            out[..., i] += tail[:i].sum(axis=0)
        return out ** 2.5 / self.spread_norm


_TABLES = {}


def _tables(level_db):
    if level_db not in _TABLES:
        _TABLES[level_db] = _Tables(level_db)
    return _TABLES[level_db]


# --------------------------------------------------------------------------
# Frame analysis
# --------------------------------------------------------------------------

def _bandwidths(power_r, power_t):
    """Bandwidth of reference and test in bins for each frame; -1 where unused."""
    floor = np.maximum(power_t[..., 921:1024].max(axis=-1), TINY)
    above = power_r[..., :921] >= 10.0 * floor[..., None]
    any_r = above.any(axis=-1)
    wide_r = np.where(any_r, 921 - np.argmax(above[..., ::-1], axis=-1), 0)
    bins = np.arange(921)
    above_t = (power_t[..., :921] >= 10.0 ** 0.5 * floor[..., None]) & (bins < wide_r[..., None])
    any_t = above_t.any(axis=-1)
    wide_t = np.where(any_t, 921 - np.argmax(above_t[..., ::-1], axis=-1), 0)
    used = wide_r > 346
    return np.where(used, wide_r, -1), np.where(used, wide_t, -1)


def _error_harmonics(power_r, power_t, window, valley=False):
    """Strength of harmonic structure in the log-spectrum difference, per frame."""
    floor = 1e-30
    d = np.log(np.maximum(power_t[..., :511], floor) / np.maximum(power_r[..., :511], floor))
    head = np.fft.rfft(d[..., :256], 768, axis=-1)
    full = np.fft.rfft(d, 768, axis=-1)
    corr = np.fft.irfft(np.conj(head) * full, 768, axis=-1)[..., :256]
    square = np.concatenate([np.zeros(d.shape[:-1] + (1,)), np.cumsum(d * d, axis=-1)], axis=-1)
    energy = square[..., 256:512] - square[..., 0:256]
    norm = np.sqrt(energy[..., :1] * np.maximum(energy, 0.0))
    corr = corr / np.maximum(norm, 1e-30)
    if not valley:
        corr = corr - corr.mean(axis=-1, keepdims=True)
    power = np.abs(np.fft.rfft(corr * window, axis=-1)) ** 2
    if valley:
        power[..., 0] = 0.0
    slope = np.diff(power, axis=-1)
    peak = slope > 0
    if valley:
        peak &= np.cumsum(slope < 0, axis=-1) > 0
    return np.max(np.where(peak, power[..., 1:], 0.0), axis=-1)


class _Analysis:
    """Band energies and frame figures of both signals, all channels."""

    def __init__(self, ref, test, tables, ehs="plain", block=256):
        count = max(1, (len(ref) - NFFT + HOP) // HOP + 1) if len(ref) else 1
        need = (count - 1) * HOP + NFFT
        pad = ((0, max(0, need - len(ref))), (0, 0))
        ref, test = np.pad(ref, pad), np.pad(test, pad)
        channels = ref.shape[1]
        view = lambda x: np.lib.stride_tricks.sliding_window_view(x, NFFT, axis=0)[::HOP]
        frames_r, frames_t = view(ref), view(test)          # (frame, channel, sample)
        count = len(frames_r)
        shape = (count, channels)
        self.frames, self.channels = count, channels
        self.ref = np.empty(shape + (tables.bands,))
        self.test = np.empty_like(self.ref)
        self.error = np.empty_like(self.ref)
        self.width_r, self.width_t = np.empty(shape), np.empty(shape)
        self.harmonics = np.empty(shape)
        # energy of the second half of each frame, on the scale of 16-bit samples
        half = lambda f: np.sum(f[..., HOP:] ** 2, axis=-1) * 32768.0 ** 2
        for a in range(0, count, block):
            b = min(a + block, count)
            spec_r = np.fft.rfft(frames_r[a:b] * tables.window, axis=-1)
            spec_t = np.fft.rfft(frames_t[a:b] * tables.window, axis=-1)
            power_r = spec_r.real ** 2 + spec_r.imag ** 2
            power_t = spec_t.real ** 2 + spec_t.imag ** 2
            self.width_r[a:b], self.width_t[a:b] = _bandwidths(power_r, power_t)
            energetic = np.maximum(half(frames_r[a:b]), half(frames_t[a:b])) >= 8000.0
            value = _error_harmonics(power_r, power_t, tables.ehs_window[ehs], ehs == "valley")
            self.harmonics[a:b] = np.where(energetic, value, -1.0)
            weighted_r, weighted_t = power_r * tables.ear, power_t * tables.ear
            gap = (np.sqrt(weighted_r) - np.sqrt(weighted_t)) ** 2
            self.ref[a:b] = weighted_r @ tables.grouping
            self.test[a:b] = weighted_t @ tables.grouping
            self.error[a:b] = gap @ tables.grouping
        np.maximum(self.ref, TINY, out=self.ref)
        np.maximum(self.test, TINY, out=self.test)
        np.maximum(self.error, TINY, out=self.error)


def _active_frames(ref, frames):
    """First and one-past-last frame of the signal proper.

    The signal starts and ends where five successive samples of a channel sum
    to more than 200 in magnitude (16-bit scale).
    """
    size = np.abs(ref) * 32768.0
    total = np.cumsum(np.vstack([np.zeros((1, ref.shape[1])), size]), axis=0)
    five = total[5:] - total[:-5]
    loud = np.flatnonzero((five > 200.0).any(axis=1))
    if len(loud) == 0:
        return 0, frames
    first, last = int(loud[0]), int(loud[-1]) + 4
    start = min(first // HOP, frames - 1)
    stop = max(start, (last + 1 - NFFT // 2) // HOP) + 1
    return start, min(stop, frames)


def _smoothed(values, decay):
    """First-order recursive mean along the frame axis, starting from zero."""
    out = np.empty_like(values)
    state = np.zeros(values.shape[1:])
    gain = 1.0 - decay
    for i in range(len(values)):
        state = decay * state + gain * values[i]
        out[i] = state
    return out


def _adapted(exc_r, exc_t, tables):
    """Level and pattern adaptation of both excitations to each other."""
    decay = tables.decay_pattern
    gain = 1.0 - decay
    count = len(exc_r)
    shape = exc_r.shape[1:]
    mean_r, mean_t = np.zeros(shape), np.zeros(shape)
    cross, auto = np.zeros(shape), np.zeros(shape)
    fix_r, fix_t = np.zeros(shape), np.zeros(shape)
    out_r, out_t = np.empty_like(exc_r), np.empty_like(exc_t)
    smooth = tables.smooth
    for i in range(count):
        mean_r = decay * mean_r + gain * exc_r[i]
        mean_t = decay * mean_t + gain * exc_t[i]
        level = (np.sum(np.sqrt(mean_r * mean_t), axis=-1, keepdims=True)
                 / np.sum(mean_t, axis=-1, keepdims=True)) ** 2
        level_r = exc_r[i] / np.maximum(level, 1.0)
        level_t = exc_t[i] * np.minimum(level, 1.0)
        cross = decay * cross + level_t * level_r
        auto = decay * auto + level_r * level_r
        ratio = cross / auto
        pull_t = np.minimum(1.0, 1.0 / ratio)
        pull_r = np.minimum(1.0, ratio)
        fix_r = decay * fix_r + gain * (pull_r @ smooth)
        fix_t = decay * fix_t + gain * (pull_t @ smooth)
        out_r[i] = level_r * fix_r
        out_t[i] = level_t * fix_t
    return out_r, out_t


def _modulation(spread, decay):
    """Modulation of the loudness-like envelope, and its running mean."""
    loud = spread ** 0.3
    change = np.abs(np.diff(loud, axis=0, prepend=np.zeros_like(loud[:1]))) * FRAME_RATE
    mean = _smoothed(loud, decay)
    return _smoothed(change, decay) / (1.0 + mean / 0.3), mean


def _detection_step(level_db):
    """Just noticeable level difference for an excitation level in dB."""
    x = np.maximum(level_db, 1e-3)
    step = (5.95072 * (6.39468 / x) ** 1.71332 + 9.01033e-11 * x ** 4
            + 5.05622e-6 * x ** 3 - 0.00102438 * x ** 2 + 0.0550197 * x - 0.198719)
    return np.where(level_db > 0, step, 1e30)


def _network(movs):
    """Distortion index from the eleven model output variables."""
    low = np.array([393.916656, 361.965332, -24.045116, 1.110661, -0.206623, 0.074318,
                    1.113683, 0.950345, 0.029985, 0.000101, 0.0])
    high = np.array([921.0, 881.131226, 16.212030, 107.137772, 2.886017, 13.933351,
                     63.257874, 1145.018555, 14.819740, 1.0, 1.0])
    hidden = np.array([
        [-0.502657, 4.307481, 4.984241, 0.051056, 2.321580, -5.303901, 2.730991,
         0.624950, 3.102889, -1.051468, -1.804679],
        [0.436333, 3.246017, -2.211189, -1.762424, 1.789971, -3.452257, -6.111805,
         -1.331523, 0.871260, -0.939882, -0.503610],
        [1.219602, 1.123743, -0.192096, 4.331315, -0.754560, -10.814982, 1.519223,
         -5.955151, -5.922878, -0.142913, -0.620456]])
    hidden_bias = np.array([-2.518254, 0.654841, -2.207228])
    output = np.array([-3.817048, 4.107138, 4.629582])
    output_bias = -0.307594
    scaled = (np.asarray(movs) - low) / (high - low)
    node = 1.0 / (1.0 + np.exp(-(hidden @ scaled + hidden_bias)))
    return float(output @ node + output_bias)


def grade(index):
    """Objective Difference Grade from the distortion index."""
    return float(-3.98 + 4.20 / (1.0 + np.exp(-index)))


def two_feature_score(mod_diff, block_distortion):
    """Mean MUSHRA-like score of the 2f-model, from AvgModDiff1B and ADBB."""
    score = (56.1345 / (1.0 + (-0.0282 * mod_diff - 0.8628) ** 2)
             - 27.1451 * block_distortion + 86.3515)
    return float(min(100.0, max(0.0, score)))


def _mean_of_used(values):
    """Mean over frames of the non-negative entries, then over channels."""
    means = []
    for c in range(values.shape[1]):
        used = values[values[:, c] >= 0, c]
        means.append(used.mean() if len(used) else 0.0)
    return float(np.mean(means))


def peaq_basic(ref, test, level_db=92.0, ehs="plain"):
    """PEAQ Basic of two aligned 48 kHz signals, shape (n, channels), in [-1, 1).

    Returns a dict with "odg", "di", "score_2f", "movs" and "nmr_db", the latter for
    each frame in which either signal is audible (so noise spread into silence counts).
    """
    tables = _tables(level_db)
    data = _Analysis(ref, test, tables, ehs)
    start, stop = _active_frames(ref, data.frames)

    # excitations: channel axis carries [reference channels, test channels]
    channels = data.channels
    both = np.concatenate([data.ref, data.test], axis=1) + tables.noise
    spread = tables.spread(both)
    excitation = np.maximum(_smoothed(spread, tables.decay_excitation), spread)
    exc_r, exc_t = excitation[:, :channels], excitation[:, channels:]
    adapt_r, adapt_t = _adapted(exc_r, exc_t, tables)
    modulation, envelope = _modulation(spread, tables.decay_pattern)
    mod_r, mod_t = modulation[:, :channels], modulation[:, channels:]
    envelope_r = envelope[:, :channels]

    use = slice(start, stop)
    count = stop - start
    late = slice(start + min(max(0, 24 - start), count - 1), stop)   # half a second in

    # bandwidth
    width_r = _mean_of_used(data.width_r[use])
    width_t = _mean_of_used(data.width_t[use])

    # noise-to-mask ratio
    ratio = data.error[use] / (exc_r[use] * tables.mask)
    frame_nmr = ratio.mean(axis=-1)                          # (frame, channel)
    total_nmr = float(np.mean(10.0 * np.log10(frame_nmr.mean(axis=0))))
    disturbed = float(np.mean(ratio.max(axis=-1) >= 10.0 ** 0.15))

    # modulation differences
    gap = np.abs(mod_t - mod_r)
    diff1 = 100.0 * np.mean(gap / (1.0 + mod_r), axis=-1)
    side = np.where(mod_t > mod_r, 1.0, 0.1)
    diff2 = 100.0 * np.mean(side * gap / (0.01 + mod_r), axis=-1)
    weight = np.sum(envelope_r / (envelope_r + 100.0 * tables.noise ** 0.3), axis=-1)

    def weighted(diff):
        return float(np.mean(np.sum(weight[late] * diff[late], axis=0)
                             / np.sum(weight[late], axis=0)))

    root = np.sqrt(diff1[late])
    if len(root) >= 4:
        runs = (root[3:] + root[2:-1] + root[1:-2] + root[:-3]) / 4.0
        windowed = float(np.mean(np.sqrt(np.mean(runs ** 4, axis=0))))
    else:
        windowed = float(np.mean(diff1[late]))

    # noise loudness
    def sones(exc):
        s, base = tables.loud_index, tables.loud_scale
        part = base * ((1.0 - s + s * exc / tables.loud_threshold) ** 0.23 - 1.0)
        return 24.0 / tables.bands * np.sum(np.maximum(part, 0.0), axis=-1)

    heard_r, heard_t = sones(exc_r[use]) > 0.1, sones(exc_t[use]) > 0.1
    heard = (heard_r & heard_t).any(axis=1)
    onset = int(np.argmax(heard)) + 3 if heard.any() else count
    skip = max(max(0, 24 - start), onset)
    sens_r, sens_t = 0.15 * mod_r + 0.5, 0.15 * mod_t + 0.5
    beta = np.exp(-1.5 * (adapt_t - adapt_r) / adapt_r)
    excess = np.maximum(sens_t * adapt_t - sens_r * adapt_r, 0.0)
    noise_loud = 24.0 / tables.bands * np.sum(
        (tables.noise / sens_t) ** 0.23
        * ((1.0 + excess / (tables.noise + sens_r * adapt_r * beta)) ** 0.23 - 1.0), axis=-1)
    noise_loud = np.maximum(noise_loud[use], 0.0)[skip:]
    rms_loud = float(np.mean(np.sqrt(np.mean(noise_loud ** 2, axis=0)))) if len(noise_loud) else 0.0

    # detection probability, the better ear of the two in each band
    db_r, db_t = 10.0 * np.log10(exc_r[use]), 10.0 * np.log10(exc_t[use])
    delta = db_r - db_t
    step = _detection_step(0.3 * np.maximum(db_r, db_t) + 0.7 * db_t)
    power = np.where(delta > 0, 4.0, 6.0)
    detect = 1.0 - 0.5 ** (np.abs(delta) / step) ** power
    above = np.abs(np.trunc(delta)) / step
    frame_p = 1.0 - np.prod(1.0 - detect.max(axis=1), axis=-1)
    frame_q = above.max(axis=1).sum(axis=-1)
    filtered = _smoothed(frame_p[:, None], 0.9)[:, 0]
    max_filtered = float(filtered.max()) if count else 0.0
    seen = frame_p > 0.5
    if seen.any():
        steps = float(frame_q[seen].sum()) / int(seen.sum())
        block_distortion = float(np.log10(steps)) if steps > 0 else -0.5
    else:
        block_distortion = 0.0

    movs = [width_r, width_t, total_nmr, windowed, block_distortion,
            1000.0 * _mean_of_used(data.harmonics[use]),
            weighted(diff1), weighted(diff2), rms_loud, max_filtered, disturbed]
    index = _network(movs)
    audible = (heard_r | heard_t).any(axis=1)
    if not audible.any():
        audible[:] = True
    return {
        "odg": grade(index), "di": index, "score_2f": two_feature_score(movs[6], movs[4]),
        "movs": dict(zip(MOV_NAMES, (float(m) for m in movs))),
        "nmr_db": 10.0 * np.log10(frame_nmr[audible].mean(axis=1)),
    }


# --------------------------------------------------------------------------
# Further diagnostics
# --------------------------------------------------------------------------

def segmental_snr(ref, test, length=1024, floor_db=-60.0, limits=(-10.0, 80.0)):
    """Mean over audible segments of the clamped SNR in dB."""
    count = len(ref) // length
    if count == 0:
        return float("nan")
    a = ref[:count * length].reshape(count, -1)
    b = test[:count * length].reshape(count, -1)
    signal = np.mean(a ** 2, axis=1)
    error = np.mean((a - b) ** 2, axis=1)
    used = signal > 10.0 ** (floor_db / 10.0)
    if not used.any():
        return float("nan")
    value = 10.0 * np.log10(signal[used] / np.maximum(error[used], 1e-20))
    return float(np.mean(np.clip(value, *limits)))


def effective_bandwidth(ref, test, rate=FS):
    """Bandwidths (reference, test) in Hz from long-term spectra.

    The reference reaches up to where its spectrum, in 250 Hz steps, is above
    the noise of 16-bit quantization by 10 dB; the test up to where it keeps at
    least a tenth of the reference's power there.
    """
    size = 2048
    if len(ref) < size:
        return float("nan"), float("nan")
    window = np.hanning(size)
    total = []
    for x in (ref, test):
        frames = np.lib.stride_tricks.sliding_window_view(x, size, axis=0)[::size]
        total.append(np.mean(np.abs(np.fft.rfft(frames * window, axis=-1)) ** 2, axis=(0, 1)))
    per_step = max(1, int(round(250.0 * size / rate)))
    steps = (len(total[0]) - 1) // per_step
    power_r, power_t = (p[:steps * per_step].reshape(steps, -1).mean(axis=1) for p in total)
    quantization = np.sum(window ** 2) * (1.0 / 32768.0) ** 2 / 12.0
    there = power_r > 10.0 * quantization
    kept = there & (power_t >= 0.1 * power_r)

    def top(mask):
        return float((np.flatnonzero(mask)[-1] + 1) * per_step * rate / size) if mask.any() else 0.0

    return top(there), top(kept)


def measure(ref, ref_rate, test, test_rate, level_db=92.0, delay=None, max_lag=MAX_LAG,
            align=True, match_level=False, ehs="plain"):
    """All figures for two signals as read from file; a flat dict."""
    test = match_channels(ref, test)
    same = ref_rate == test_rate
    if not same:
        ref, test = resample(ref, ref_rate), resample(test, test_rate)
        ref_rate = test_rate = FS
    missing = 0
    if align or delay is not None:
        if delay is None:
            delay = find_delay(ref, test, max_lag)
        missing = len(ref)
        ref, test = _overlap(ref, test, delay)
        missing -= len(ref)
    else:
        delay = 0
        count = min(len(ref), len(test))
        ref, test = ref[:count], test[:count]
    if len(ref) == 0:
        raise ValueError("the two signals do not overlap")
    energy_r, energy_t = float(np.sum(ref ** 2)), float(np.sum(test ** 2))
    level_gap = 10.0 * np.log10((energy_t + 1e-20) / (energy_r + 1e-20))
    if match_level and energy_t > 0:
        test = test * np.sqrt(energy_r / energy_t)
    snr = segmental_snr(ref, test)
    band_r, band_t = effective_bandwidth(ref, test, ref_rate)
    if ref_rate != FS:
        ref, test = resample(ref, ref_rate), resample(test, ref_rate)
    if not same or ref_rate != FS:
        ref, test = to_16_bits(ref), to_16_bits(test)
    result = peaq_basic(ref, test, level_db, ehs)
    nmr = result.pop("nmr_db")
    result.update(
        nmr_mean_db=float(np.mean(nmr)), nmr_p95_db=float(np.percentile(nmr, 95)),
        seg_snr_db=snr, bandwidth_ref_hz=band_r, bandwidth_test_hz=band_t,
        delay=int(delay), missing=int(missing), level_db=float(level_gap),
        seconds=len(ref) / FS, channels=ref.shape[1])
    return result


def measure_files(ref_path, test_path, **options):
    """measure() for two files."""
    return measure(*read_audio(ref_path), *read_audio(test_path), **options)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reference")
    parser.add_argument("test")
    parser.add_argument("--level", type=float, default=92.0, metavar="DB",
                        help="listening level of a full-scale sine, dB SPL (default 92)")
    parser.add_argument("--delay", type=int, metavar="N",
                        help="the test signal is N samples late (default: found)")
    parser.add_argument("--max-lag", type=int, default=MAX_LAG, metavar="N",
                        help="search range of the delay, samples (default %(default)s)")
    parser.add_argument("--no-align", action="store_true", help="take the files as aligned")
    parser.add_argument("--match-level", action="store_true",
                        help="scale the test signal to the energy of the reference first")
    parser.add_argument("--ehs", choices=("plain", "valley"), default="plain",
                        help="reading of the error harmonic structure (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(argv)
    try:
        r = measure_files(args.reference, args.test, level_db=args.level, delay=args.delay,
                          max_lag=args.max_lag, align=not args.no_align,
                          match_level=args.match_level, ehs=args.ehs)
    except (OSError, ValueError) as error:
        print(f"peaq.py: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(r, indent=1))
        return 0
    print(f"ODG               {r['odg']:9.3f}")
    print(f"DI                {r['di']:9.3f}")
    for name, value in r["movs"].items():
        print(f"  {name:15s} {value:9.4f}")
    print(f"2f-model score    {r['score_2f']:9.1f}")
    print(f"NMR mean          {r['nmr_mean_db']:9.2f} dB")
    print(f"NMR 95th pct      {r['nmr_p95_db']:9.2f} dB")
    print(f"Segmental SNR     {r['seg_snr_db']:9.2f} dB")
    print(f"Bandwidth         {r['bandwidth_test_hz']:9.0f} Hz "
          f"(reference {r['bandwidth_ref_hz']:.0f} Hz)")
    print(f"Delay             {r['delay']:9d} samples")
    print(f"Missing at ends   {r['missing']:9d} samples")
    print(f"Level difference  {r['level_db']:9.2f} dB")
    print(f"Compared          {r['seconds']:9.2f} s, {r['channels']} channel(s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
