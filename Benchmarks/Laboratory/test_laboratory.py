"""Tests of the laboratory itself with made-up results:  python3 test_laboratory.py"""

import contextlib
import io
import math
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import ablation  # noqa: E402
import board  # noqa: E402
import clips  # noqa: E402
import encoders  # noqa: E402
import listening  # noqa: E402
import measuring  # noqa: E402
import metrics  # noqa: E402
import packages  # noqa: E402
import plot  # noqa: E402
import publicset  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
import speed  # noqa: E402
import stats  # noqa: E402
import vbr  # noqa: E402
from errors import LabError  # noqa: E402

ODG = metrics.BY_COLUMN["odg"]


def row(encoder, nominal, clip, odg, actual=None, **others):
    return {"encoder": encoder, "nominal_kbps": float(nominal), "clip": clip, "channels": 2,
            "rate": 44100, "seconds": 8.0, "requested_kbps": float(nominal),
            "actual_kbps": float(actual or nominal), "odg": odg, "nmr_mean_db": -10.0 + odg,
            "user_s": 0.016, "origin": measuring.HERE, "fingerprint": "one"} | others


def corpus():
    """Returns three efforts and two peers at two rates; the second peer has too few bytes."""
    clips = ["bell", "choir", "drums", "voice"]
    rows = []
    for index, clip in enumerate(clips):
        for nominal in (64, 128):
            base = -2.0 + nominal / 100 - 0.1 * index
            for gain, effort in enumerate(("fast", "balanced", "best")):
                rows.append(row(f"aacorn-{effort}", nominal, clip, base + 0.1 * gain))
            rows.append(row("fdkopen", nominal, clip, base - 0.2 + 0.4 * (clip == "voice")))
            rows.append(row("far", nominal, clip, base, 0.9 * nominal, origin=results.ELSEWHERE))
    return rows


class Lead(unittest.TestCase):
    def test_noise_in_the_lead_counts_only_for_the_start(self):
        lot = np.random.default_rng(1)
        sound = lot.normal(0, 0.1, (3 * 48_000, 2))
        noisy = sound + np.where(np.arange(3 * 48_000) < 24_000, 0.03, 0.001)[:, None] * lot.normal(
            size=sound.shape)
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("reference.wav", "noisy.wav")]
            for path, samples in zip(paths, (sound, noisy)):
                listening.write_sound(path, samples, 48_000)
            whole = metrics.measure(*paths, ["peaq"])
            later = metrics.measure(*paths, ["peaq"], 1.0)
        self.assertGreater(whole["nmr_mean_db"], later["nmr_mean_db"] + 3)
        self.assertGreater(later["start_nmr_db"], later["nmr_mean_db"] + 10)
        self.assertNotIn("start_nmr_db", whole)

    def test_a_lead_must_leave_something(self):
        for text in ("x", "-1", "5"):
            self.assertRaises(LabError, clips._lead, {"lead": text}, "a.wav", 5.0)
        self.assertEqual(clips._lead({}, "a.wav", 5.0), 0)


class PublicSet(unittest.TestCase):
    def test_the_halves_are_alike_and_share_no_source(self):
        rows = packages.rows()
        self.assertEqual((len(rows), len({one["name"] for one in rows})), (100, 100))
        halves = {half: [one for one in rows if one["half"] == half] for half in "ab"}
        kinds = {half: sorted(one["class"] for one in part) for half, part in halves.items()}
        self.assertEqual(kinds["a"], kinds["b"])
        sources = {half: {(one["package"], path) for one in part
                          for path in packages.source_paths(one)} for half, part in halves.items()}
        self.assertEqual(sources["a"] & sources["b"], set())
        self.assertTrue(all(one["license"] and len(one["sha256_of_deb"]) == 64 for one in rows))

    def test_programs_make_the_same_clips_everywhere(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as store:
            self.assertEqual(publicset.make(folder, only_synthetic=True), 100)
            found = clips.load(folder, store, "^bells")
        self.assertEqual([(clip.half, clip.lead, clip.kind) for clip in found],
                         [(half, 1.0, "synthetic") for half in "aabb"])


class Statistics(unittest.TestCase):
    def test_interval_is_reproducible_and_contains_mean(self):
        values = [0.3, 0.1, -0.2, 0.5, 0.4]
        mean, low, high = stats.bootstrap(values)
        self.assertAlmostEqual(mean, 0.22)
        self.assertTrue(low < mean < high)
        self.assertEqual((mean, low, high), stats.bootstrap(values))

    def test_two_clips_give_no_interval(self):
        self.assertTrue(math.isnan(stats.bootstrap([1.0, 2.0])[1]))

    def test_a_difference_pairs_clips_and_names_the_worst(self):
        found = stats.difference(corpus(), "aacorn-balanced", "fdkopen", 2, 64.0, ODG)
        self.assertAlmostEqual(found.mean, (3 * 0.3 - 0.1) / 4)
        self.assertEqual(found.clips[0][1], "voice")
        self.assertAlmostEqual(found.clips[0][0], -0.1)

    def test_for_noise_the_worst_is_the_highest(self):
        found = stats.difference(corpus(), "fdkopen", "aacorn-balanced", 2, 64.0,
                                 metrics.BY_COLUMN["nmr_mean_db"])
        self.assertEqual(found.clips[0][1], "voice")

    def test_other_rates_are_converted_to_nominal_rate(self):
        rows = [row("far", 64, "bell", -2.0, 60), row("far", 128, "bell", -1.0, 120)]
        middle = 60 * math.sqrt(2)
        self.assertAlmostEqual(stats.at_rate(rows, "far", 2, middle, "odg")["bell"], -1.5)
        slightly_beyond = stats.at_rate(rows, "far", 2, 128.0, "odg")["bell"]
        self.assertAlmostEqual(slightly_beyond, -1 + math.log2(128 / 120))
        self.assertEqual(stats.at_rate(rows, "far", 2, 192.0, "odg"), {})

    def test_rate_that_is_met_is_not_converted(self):
        rows = [row("near", 64, "bell", -2.0, 64.3), row("near", 128, "bell", -1.0)]
        self.assertEqual(stats.at_rate(rows, "near", 2, 64.0, "odg"), {"bell": -2.0})


class Matching(unittest.TestCase):
    def converge(self, real):
        tried, ask = [], 96.0
        for step in range(measuring.ATTEMPTS):
            tried.append((ask, real(ask)))
            if abs(tried[-1][1] / 96.0 - 1) <= measuring.TOLERANCE:
                return step
            ask = measuring.next_request(96.0, tried)
        self.fail(f"96 kb/s not met: {tried}")

    def test_requests_converge_to_rate(self):
        self.assertLessEqual(self.converge(lambda ask: ask * 1.07), 1)
        self.assertLessEqual(self.converge(lambda ask: 3.0 + 0.8 * ask), 3)
        self.assertLessEqual(self.converge(lambda ask: 20.0 * ask ** 0.4), 4)

    def test_requests_to_encoder_that_ignores_rate_are_limited(self):
        self.assertEqual(measuring.next_request(96.0, [(96.0, 5.0), (288.0, 5.0)]), 288.0)

    def test_a_lowpass_follows_the_rate(self):
        encoder = encoders.Encoder("one", "true -w {lowpass} {bps}", lowpass=((64.0, 14500),
                                                                              (96.0, 18500)))
        words = [encoder.arguments("", "", kbps)[2:] for kbps in (48, 80, 128)]
        self.assertEqual(words, [["14500", "48000"], ["16500", "80000"], ["18500", "128000"]])

    def test_payload_excludes_headers(self):
        frame = bytes([0xFF, 0xF1, 0x50, 0x80, 0x01, 0x7F, 0xFC]) + bytes(4)
        self.assertEqual(encoders.adts_payload(frame * 3), 12)
        self.assertIsNone(encoders.adts_payload(b"ftypM4A "))

    def test_only_missing_figures_are_measured(self):
        known = row("one", 64, "bell", -1.0, score_2f=50.0, nmr_p95_db=-3.0, bandwidth_hz=1e4)
        self.assertEqual(measuring._lacking(known, ["peaq", "visqol"]), ("visqol",))
        self.assertEqual(measuring._lacking(None, ["peaq"]), ("peaq",))


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "measurements.csv")

    def test_rows_are_read_back_and_replaced_by_key(self):
        results.merge(self.path, [row("one", 64, "bell", -1.0), row("one", 64, "choir", -2.0)])
        results.merge(self.path, [row("one", 64, "bell", -0.5)])
        found = results.read(self.path)
        self.assertEqual(len(found), 2)
        self.assertEqual(found["one", 64.0, "bell"], row("one", 64, "bell", -0.5))
        self.assertNotIn("visqol", found["one", 64.0, "choir"])

    def test_imports_join_columns_and_keep_own_measurements(self):
        results.merge(self.path, [row("one", 64, "bell", -1.0)])
        for number, text in enumerate((
                "clip,encoder,nominal_kbps,channels,odg,encode_user_s,error\n"
                "bell.flac,one,64,2,-3,1,\nbell.flac,two,64,2,-2,0.5,\nx.wav,two,64,2,,,broken\n",
                "clip,encoder,nominal_kbps,zimtohrli\nbell,two,64,0.001\n")):
            file = os.path.join(self.folder, f"{number}.csv")
            with open(file, "w", encoding="utf-8") as handle:
                handle.write(text)
            results.merge(self.path,
                          results.import_file(file, results.read(self.path)).values())
        found = results.read(self.path)
        self.assertEqual(set(found), {("one", 64.0, "bell"), ("two", 64.0, "bell")})
        self.assertEqual(found["one", 64.0, "bell"]["odg"], -1.0)
        two = found["two", 64.0, "bell"]
        self.assertEqual((two["odg"], two["zimtohrli"], two["user_s"], two["origin"]),
                         (-2.0, 0.001, 0.5, results.ELSEWHERE))

    def test_foreign_file_is_rejected_with_message(self):
        file = os.path.join(self.folder, "foreign.csv")
        with open(file, "w", encoding="utf-8") as handle:
            handle.write("a,b\n1,2\n")
        with self.assertRaisesRegex(LabError, "foreign.csv cannot be imported"):
            results.import_file(file, {})

    def test_a_missing_program_of_the_user_is_an_error(self):
        file = os.path.join(self.folder, "encoders.toml")
        with open(file, "w", encoding="utf-8") as handle:
            handle.write('[encoders.ghost]\ncommand = "no-such-program {in} {out}"\n')
        with self.assertRaisesRegex(LabError, "ghost"):
            encoders.known(file)

    def test_ours_are_timed_with_one_thread_and_with_all(self):
        found = speed.with_threads(encoders.ours("/somewhere/aacorn"))
        self.assertTrue(all("encode --jobs 1 " in found[f"aacorn-{effort}"].command
                            for effort in ("fast", "balanced", "best")))
        for name, one in found.items():
            if "threads" in name:
                self.assertIn(f"encode --jobs {os.cpu_count()} ", one.command)

    def test_an_unknown_metric_is_an_error(self):
        with self.assertRaisesRegex(LabError, "no metric loudness"):
            metrics.check(["loudness"])


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self):
        report.write(self.folder, self.folder, "aacorn")
        with open(self.path("Performance.md"), encoding="utf-8") as handle:
            return handle.read()

    def test_page_has_all_parts(self):
        results.merge(self.path("measurements.csv"), corpus())
        speed.write(self.path("speed.csv"), [
            {"encoder": name, "threads": 1, "seconds": 600.0, "kbps": 128.0, "user_min_s": time,
             "user_median_s": time, "wall_min_s": time, "wall_median_s": time, "rounds": 3,
             "source": "synthetic music"}
            for name, time in (("ffmpeg", 8.0), ("aacorn-fast", 0.5), ("aacorn-best", 1.0))])
        results.merge(self.path("ablation.csv"), [
            row(name, 96, clip, odg) for clip in ("bell", "choir", "drums")
            for name, odg in ((ablation.ALL, -1.0), ("without mid-side", -1.5))])
        results.merge(self.path("vbr.csv"), [
            row(f"{kind}-3", 3, clip, odg, 120 + odg) for kind, odgs in
            (("vbr", (-1.0, -1.1)), ("cbr", (-0.5, -1.5)))
            for clip, odg in zip(("bell", "choir"), odgs)])
        text = self.write()
        for part in ("## Quality by bitrate", "## Paired differences", "## Worst clips",
                     "## Mean results", "## Speed", "## Variable bitrate",
                     "## Effect of each tool", "## HE-AAC", "## Decoding",
                     "## Other languages", "## Reproduce the measurements"):
            self.assertIn(part, text)
        self.assertRegex(text, r"\| without mid-side \| \*\*−0.50 \[−0.50, −0.50\]\*\*")
        self.assertIn("| aacorn-fast | 128.0 | 0.50 | 0.50 | 1200 | 16.0 |", text)
        self.assertIn("0.07 / 0.71", text)
        self.assertIn("voice −0.10", text)
        self.assertIn("far †", text)
        pictures = re.findall(r"\]\((Performance/.*?\.svg)\)", text)
        self.assertEqual([os.path.basename(name) for name in pictures],
                         ["odg.svg", "nmr.svg", "speed-odg.svg"])
        for name in pictures:
            xml.etree.ElementTree.parse(self.path(name))

    def test_a_page_needs_measurements_only(self):
        results.merge(self.path("measurements.csv"), corpus())
        text = self.write()
        self.assertNotIn("## Speed", text)
        for word in ("None", "nan", "0 mono"):
            self.assertNotIn(word, text)

    def test_page_without_measurements_is_an_error(self):
        with self.assertRaisesRegex(LabError, "begin with"):
            self.write()

    def test_table_has_means_differences_and_worst_clips(self):
        text = board.text(corpus(), "fdkopen", lambda name: name != "far")
        line = next(line for line in text.splitlines() if line.startswith("aacorn-balanced"))
        self.assertIn("+0.20 [", line)
        self.assertIn("voice −0.10", line)
        self.assertNotIn("ViSQOL", text)
        self.assertNotIn("far", text)

    def test_levels_compare_spreads(self):
        rows = [row("vbr-1", 1, "bell", -1.0), row("vbr-1", 1, "choir", -1.0),
                row("cbr-1", 1, "bell", -0.5), row("cbr-1", 1, "choir", -1.5)]
        (level,) = vbr.levels(rows)
        self.assertAlmostEqual(level.spread[0], 0.0)
        self.assertAlmostEqual(level.spread[1], math.sqrt(0.5))


class Plots(unittest.TestCase):
    def test_labels_keep_apart_and_inside(self):
        placed = plot.apart([100.0, 101.0, 99.0, 438.0, 437.0], 18, 66, 438)
        ordered = sorted(placed)
        self.assertTrue(all(b - a >= 17.99 for a, b in zip(ordered, ordered[1:])))
        self.assertTrue(66 <= ordered[0] and ordered[-1] <= 438)
        self.assertLess(placed[2], placed[0])

    def test_ticks_are_round(self):
        self.assertEqual(plot.ticks(-3.1, 0.2), [-3.0, -2.0, -1.0, 0.0])
        self.assertEqual(plot.ticks(0.0, 0.5), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])

    def test_a_label_covers_no_dot(self):
        sheet = plot.Plot("", "", "", "", [1, 16], [0, 1], [1, 2])
        sheet.dot(4, 0.5, "#000", 6, "one")
        sheet.dot(4.4, 0.5, "#000", 6, "two")
        sheet.label_dot(4, 0.5, "first name", "#000", 400)
        left, _, right, _ = sheet.labels[0]
        self.assertFalse(left < sheet.x(4.4) < right)


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        unittest.main(verbosity=1)
