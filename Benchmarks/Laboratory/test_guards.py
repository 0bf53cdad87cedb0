"""Tests of the guards with synthetic signals and known results:  python3 test_guards.py"""

import contextlib
import io
import math
import os
import shutil
import sys
import tempfile
import unittest
import wave

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import artifacts  # noqa: E402
import encoders  # noqa: E402
import guards  # noqa: E402
from errors import LabError  # noqa: E402

RATE = 48000
LIMITS = artifacts.Limits(6500.0, 8300.0, 16000.0)
TIME = np.arange(3 * RATE) / RATE


def stereo(left, right=None):
    return np.stack([left, left if right is None else right], axis=1)


def noise(seed, scale=0.1):
    return np.random.default_rng(seed).normal(0, scale, len(TIME))


def tone(hertz, scale=0.1):
    return scale * np.sin(2 * np.pi * hertz * TIME)


def bursts(first=0.0):
    """Returns noise with four attacks and decays, and some energy 5 ms before each attack."""
    sound = np.zeros(len(TIME))
    for index, begin in enumerate((0.5, 1.0, 1.5, 2.0)):
        at = int(begin * RATE)
        part = np.random.default_rng(index).normal(0, 0.2, RATE // 4 + 240)
        sound[at:at + RATE // 4] += part[240:] * np.exp(-np.arange(RATE // 4) / 1000)
        sound[at - 240:at] += part[:240] * first
    return stereo(sound)


def beep(folder):
    """Writes a clip, and returns its path."""
    path = os.path.join(folder, "beep.wav")
    with wave.open(path, "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes((stereo(tone(9500)) * 32767).astype("<i2").tobytes())
    return path


def levels(x):
    return artifacts.band_levels(x, RATE, LIMITS)


class SameSound(unittest.TestCase):
    def test_has_no_errors(self):
        sound = bursts() + stereo(tone(9500, 0.01), tone(12000, 0.01))
        figures = artifacts.measure(sound, sound, RATE, LIMITS)
        self.assertLess(figures.pop("core"), -80)
        self.assertLess(figures.pop("before"), -20)
        for name, value in figures.items():
            self.assertAlmostEqual(value, 0.0, msg=name)


class Delays(unittest.TestCase):
    def test_delay_is_measured_at_low_frequencies(self):
        low = np.convolve(noise(1), np.hanning(100), "same")
        high = np.diff(noise(2, 2.0), 3, append=[0, 0, 0])
        ref, test = stereo(low + high), stereo(np.roll(low, 3010) + np.roll(high, 1000))
        self.assertEqual(artifacts.find_delay(ref, test, RATE), 3010)
        self.assertEqual(artifacts.find_delay(test, ref, RATE), -3010)

    def test_most_frequent_delay_is_used(self):
        self.assertEqual(guards.common_delay([5057, 12, 5057, 5084, 5057]), 5057)


class Levels(unittest.TestCase):
    def test_a_full_scale_sine_has_zero_decibels(self):
        peak = levels(stereo(tone(10125, 1.0))).max()
        self.assertTrue(-1.5 < peak <= 0.01, peak)

    def test_gain_is_an_error_of_its_size(self):
        sound = stereo(noise(1))
        self.assertAlmostEqual(artifacts.envelope(levels(sound), levels(sound / 2)),
                               20 * math.log10(2), places=5)

    def test_other_noise_has_documented_error(self):
        found = artifacts.envelope(levels(stereo(noise(1))), levels(stereo(noise(2))))
        self.assertTrue(2.0 < found < 3.5, found)

    def test_bands_below_crossover_are_ignored(self):
        sound = stereo(noise(1))
        found = artifacts.envelope(levels(sound), levels(sound + stereo(tone(3000, 0.5))))
        self.assertLess(found, 0.1)

    def test_masked_bands_are_ignored(self):
        loud = stereo(tone(10125))
        found = artifacts.envelope(levels(loud), levels(loud + stereo(noise(1, 2e-3))))
        self.assertLess(found or 0, 0.5)

    def test_lost_band_is_a_hole_but_other_noise_is_not(self):
        sound = noise(1)
        spectrum = np.fft.rfft(sound)
        # Of the 7700 Hz that the figure covers.
        spectrum[3 * 10000:3 * 12000] *= 0.01
        lossy = np.fft.irfft(spectrum, len(sound))
        found = artifacts.holes(levels(stereo(sound)), levels(stereo(lossy)))
        self.assertTrue(21 < found < 29, found)
        self.assertLess(artifacts.holes(levels(stereo(sound)), levels(stereo(noise(2)))), 0.1)

    def test_silence_has_no_figure(self):
        silence = levels(stereo(tone(1000)))
        self.assertIsNone(artifacts.envelope(silence, silence))
        self.assertIsNone(artifacts.holes(silence, silence))

    def test_noise_in_core_is_measured_in_decibels(self):
        sound, error = stereo(tone(1000)), stereo(noise(1, 1e-3))
        far, near = (artifacts.core_noise(sound, sound + part, RATE, 6500)
                     for part in (error, 10 * error))
        self.assertTrue(18 < near - far < 22, near - far)
        self.assertLess(artifacts.core_noise(sound, sound + stereo(tone(12000)), RATE, 6500),
                        far - 20)


class Tonality(unittest.TestCase):
    def test_noise_for_a_tone_is_less_tonal_and_reverse_is_more_tonal(self):
        tones = stereo(sum(tone(hertz, 0.05) for hertz in range(8500, 16000, 1000)))
        mean, size = artifacts.tonality(tones, stereo(noise(1, 0.05)), RATE, LIMITS)
        self.assertGreater(mean, 20)
        self.assertAlmostEqual(mean, size)
        back, size = artifacts.tonality(stereo(noise(1, 0.05)), tones, RATE, LIMITS)
        self.assertAlmostEqual(back, -mean)
        self.assertAlmostEqual(size, mean)

    def test_other_noise_is_equally_tonal(self):
        mean, size = artifacts.tonality(stereo(noise(1)), stereo(noise(2)), RATE, LIMITS)
        self.assertLess(abs(mean), 0.1)
        self.assertLess(size, 1.2)

    def test_gain_changes_nothing(self):
        sound = stereo(noise(1))
        self.assertLess(artifacts.tonality(sound, sound / 2, RATE, LIMITS)[1], 0.01)


class Stereo(unittest.TestCase):
    def errors(self, ref, test):
        return artifacts.stereo(ref, test, RATE, LIMITS.top)

    def test_weaker_channel_is_an_error_in_decibels(self):
        side, coherence = self.errors(stereo(noise(1)), stereo(noise(1), noise(1) / 2))
        self.assertAlmostEqual(side, 20 * math.log10(2), places=4)
        self.assertAlmostEqual(coherence, 0.0)

    def test_lost_channel_error_is_limited_to_audible_difference(self):
        side, _ = self.errors(stereo(noise(1)), stereo(noise(1), 0 * TIME))
        self.assertAlmostEqual(side, artifacts.SIDE_MOST)

    def test_equal_channels_for_different_ones_lose_coherence(self):
        _, coherence = self.errors(stereo(noise(1), noise(2)), stereo(noise(1)))
        self.assertTrue(0.8 < coherence < 1.1, coherence)

    def test_opposite_channels_that_become_equal_are_worst(self):
        side, coherence = self.errors(stereo(noise(1), -noise(1)), stereo(noise(1)))
        self.assertAlmostEqual(side, 0.0)
        self.assertAlmostEqual(coherence, 2.0)

    def test_mono_has_no_figure(self):
        mono = noise(1)[:, None]
        self.assertEqual(self.errors(mono, mono), (None, None))

    def test_bands_have_width_of_hearing_and_end_at_top(self):
        edges = artifacts._ear_edges(RATE / 1024, 100.0, 16000.0) * RATE / 1024
        self.assertTrue(100 <= edges[0] < 160 and 13000 < edges[-1] <= 16000, edges)
        self.assertTrue(np.all(np.diff(edges) > 90))
        near = np.argmin(np.abs(edges - 4000))
        self.assertTrue(380 < edges[near + 1] - edges[near] < 560)


class Attacks(unittest.TestCase):
    def test_each_attack_is_found_once_at_its_start(self):
        energy = bursts()[:, 0] ** 2
        energy = energy[:len(energy) // 24 * 24].reshape(-1, 24).mean(axis=1)
        self.assertEqual([round(at / 2000, 3) for at in artifacts.find_attacks(energy)],
                         [0.5, 1.0, 1.5, 2.0])

    def test_steady_noise_has_no_attack(self):
        sound = stereo(noise(1))
        self.assertEqual(artifacts.attacks(sound, sound, RATE, LIMITS), (None, None))

    def test_shift_is_measured_in_milliseconds(self):
        late, _ = artifacts.attacks(bursts(), np.roll(bursts(), 96, axis=0), RATE, LIMITS)
        self.assertTrue(1.7 < late < 2.1, late)

    def test_level_before_attack_is_level_of_echo(self):
        _, before = artifacts.attacks(bursts(), bursts(0.1), RATE, LIMITS)
        self.assertTrue(-21 < before < -17, before)


class Warble(unittest.TestCase):
    def test_warble_is_deviation_of_modulation(self):
        steady = tone(10125)
        # 20 log10(1 + 0.3 sin) has a standard deviation of about 1.9 dB.
        uneven = steady * (1 + 0.3 * np.sin(2 * np.pi * 10 * TIME))
        found = artifacts.warble(levels(stereo(steady)), levels(stereo(uneven)))
        self.assertTrue(1.6 < found < 2.1, found)

    def test_decay_is_not_warble(self):
        steady = tone(10125)
        found = artifacts.warble(levels(stereo(steady)),
                                 levels(stereo(steady * np.exp(-TIME))))
        self.assertLess(abs(found), 0.1)

    def test_noise_has_no_figure(self):
        self.assertIsNone(artifacts.warble(*[levels(stereo(noise(1)))] * 2))


class CommandLine(unittest.TestCase):
    def test_limits_that_do_not_rise_are_rejected(self):
        for limits in ((9000, 8000, 16000), (0, 8000, 16000), (6000, 8000, 8100),
                       (math.nan, 8000, 16000)):
            with self.assertRaisesRegex(LabError, "must rise"):
                artifacts.Limits(*limits).check(RATE)
        with self.assertRaisesRegex(LabError, "ends at 12000 Hz"):
            LIMITS.check(24000)

    def test_invalid_encoders_are_rejected(self):
        for pairs, message in (
                ([("a", "cp {in} {out}")] * 2, "two encoders named a"),
                ([("a", "cp {in}")], "needs {in} and {out}"),
                ([("a|b", "cp {in} {out}")], "cannot be the name"),
                ([("original", "cp {in} {out}")], "cannot be the name"),
                ([("a", "cp '{in} {out}")], "cannot be read"),
                ([("a", "no-such-program {in} {out}")], "not there: no-such-program")):
            with self.assertRaisesRegex(LabError, message):
                guards.chosen(pairs)

    def test_the_table_has_means_and_worst_clips(self):
        blank = {figure.name: None for figure in guards.FIGURES}
        rows = {"one": [blank | {"kbps": 47.0, "envelope": 3.0, "flatter": -4.0, "core": -20.0},
                        blank | {"kbps": 49.0, "envelope": 5.0, "flatter": 3.98, "core": -10.0}]}
        text = guards.table(rows, LIMITS)
        for line in ("| | one |", "| kb/s, without container | 48.0 |",
                     "| Noise to mask below 6.5 kHz, dB | −15.0 (−10.0) |",
                     "| Levels above 8.3 kHz, error in dB | 4.0 (5.0) |",
                     "| of that too noisy (+) or too tonal (−) | 0.0 (−4.0) |",
                     "| Correlation of the channels, error | – |"):
            self.assertIn(line, text.splitlines())

    def test_an_encoder_that_fails_is_named_with_its_clip(self):
        with tempfile.TemporaryDirectory() as folder:
            path = beep(folder)
            clip = guards.clips.Clip("beep", path, "", 2, RATE, 3.0)
            with self.assertRaisesRegex(LabError, "sour failed on beep with exit code 1"):
                guards.decode(encoders.Encoder("sour", "false {in} {out}"), folder, clip)

    @unittest.skipUnless(shutil.which("ffmpeg"), "needs ffmpeg")
    def test_an_encoder_that_copies_has_no_errors(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            beep(folder)
            rows = guards.run(folder, "", [encoders.Encoder("copy", "cp {in} {out}")], LIMITS, 1)
            guards.write(os.path.join(folder, "figures.csv"), rows)
            with open(os.path.join(folder, "figures.csv"), encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 3)
        self.assertEqual(list(rows), ["original", "copy"])
        (row,) = rows["copy"]
        self.assertEqual((row["clip"], row["delay"], row["envelope"]), ("beep", 0, 0.0))
        self.assertAlmostEqual(row["kbps"], 1536.0, delta=1)


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        unittest.main(verbosity=1)
