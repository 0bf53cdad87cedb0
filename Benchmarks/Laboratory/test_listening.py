"""Tests of the listening test with made-up listeners:  python3 test_listening.py"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np  # noqa: E402

import clips  # noqa: E402
import encoders  # noqa: E402
import judging  # noqa: E402
import listening  # noqa: E402
import measuring  # noqa: E402
import peaq  # noqa: E402
from errors import LabError  # noqa: E402

TRUTH = {"fine": 4.5, "good": 4.2, "poor": 3.2, listening.LOW_ANCHOR: 1.5}


def key(mode="abchr", names=TRUTH, samples=12):
    """Returns the key of a test with these sounds in each sample."""
    found = {}
    for number in range(samples):
        sounds = {f"{number}-{name}": name for name in names}
        sounds[f"{number}-r"] = listening.REFERENCE
        if mode == "mushra":
            sounds[f"{number}-h"] = "hidden reference"
        found[f"sample {number}"] = {"clip": f"clip{number}", "sounds": sounds}
    encoders = {name: {"command": name, "kbps": 96.0} for name in names}
    return {"test": "t", "mode": mode, "rate_kbps": 96.0, "seed": 1, "samples": found,
            "encoders": encoders}


def listener(name, the_key, lot, truth, noise=0.4):
    """Returns the result of a listener who hears the true grades with noise.

    Samples differ in difficulty, and listeners in strictness and taste. Without a noise (None) they
    guess.
    """
    strictness, trials = lot.gauss(0, 0.2), []
    taste = {sound: lot.gauss(0, 0.15) for sound in truth}
    for sample, facts in the_key["samples"].items():
        difficulty = random.Random(sample).gauss(0, 0.3)
        grades, references = {}, {}
        for token, sound in facts["sounds"].items():
            if sound == listening.REFERENCE:
                continue
            if noise is None:
                grades[token], references[token] = lot.uniform(1, 5), lot.uniform(1, 5)
                continue
            heard = (truth[sound] + taste[sound] + strictness + difficulty
                     + lot.gauss(0, noise))
            grades[token], references[token] = min(5.0, max(1.0, heard)), 5.0
        trials.append({"sample": sample, "grades": grades, "references": references})
    return {"test": "t", "mode": "abchr", "listener": name, "trials": trials}


def simulated(seed, truth, count=15, guessers=0):
    lot, made = random.Random(seed), key(names=truth)
    results = [listener(f"l{n}", made, lot, truth) for n in range(count)]
    results += [listener(f"g{n}", made, lot, truth, None) for n in range(guessers)]
    return made, results


class Making(unittest.TestCase):
    """A test with encoders that write WAV files."""

    def make(self, folder, mode):
        copy = encoders.Encoder("same", "cp {in} {out}", "wav", exact=True)
        late = encoders.Encoder(
            "late", "ffmpeg -nostdin -v error -i {in} -af adelay=20:all=1 -c:a pcm_s16le {out}",
            "wav", exact=True)
        source = os.path.join(folder, "clips")
        os.makedirs(source, exist_ok=True)
        for number in range(3):
            sound = np.random.default_rng(number).normal(0, 0.1, (48_000, 2))
            listening.write_sound(os.path.join(source, f"clip{number}.wav"), sound, 48_000)
        found = clips.load(source, tempfile.mkdtemp(dir=folder))
        out = tempfile.mkdtemp(dir=folder)
        with measuring.workers(1, ()) as pool:
            made = listening.make(out, found, [copy, late], 96, mode, 2, 1, pool,
                                  copy if mode != "abx" else None)
        return out, made

    def test_the_page_hides_the_names_and_sounds_are_aligned(self):
        for mode, count in (("abx", 3), ("abchr", 5), ("mushra", 6)):
            with tempfile.TemporaryDirectory() as folder:
                out, made = self.make(folder, mode)
                page = os.path.join(out, "page")
                for file in os.listdir(page):
                    if not file.endswith(".wav"):
                        with open(os.path.join(page, file), encoding="utf-8") as handle:
                            text = handle.read()
                        self.assertFalse([name for name in ("same", "late", "clip0", "anchor\"")
                                          if f'"{name}' in text], file)
                for facts in made["samples"].values():
                    self.assertEqual(len(facts["sounds"]), count)
                    sounds = {name: peaq.read_audio(os.path.join(page, token + ".wav"))[0]
                              for token, name in facts["sounds"].items()}
                    reference = sounds.pop("reference")
                    for name, sound in sounds.items():
                        self.assertEqual(len(sound), 48_000)
                        if name != listening.LOW_ANCHOR:
                            part = slice(2000, 46_000)
                            self.assertLess(np.max(np.abs(sound[part] - reference[part])), 1e-4)

    def test_the_seed_does_not_reveal_the_names(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = (self.make(folder, "abchr")[1] for _ in range(2))
        self.assertEqual([facts["clip"] for facts in one["samples"].values()],
                         [facts["clip"] for facts in two["samples"].values()])
        self.assertFalse(set(one["samples"]["sample 1"]["sounds"])
                         & set(two["samples"]["sample 1"]["sounds"]))


class Judging(unittest.TestCase):
    def test_listeners_of_known_ability_give_the_known_order(self):
        made, results = simulated(1, TRUTH)
        valid, excluded = judging.trials(made, results)
        grades, pairs = judging.analyze(valid, 2000)
        self.assertEqual([grade.name for grade in grades], list(TRUTH))
        self.assertTrue(all(pair.is_sure for pair in pairs))
        self.assertEqual((len(valid), excluded), (180, 0))
        self.assertEqual(len(pairs), 3)     # without the anchor

    def test_equal_encoders_seldom_differ(self):
        truth = {"one": 4.0, "two": 4.0, "three": 4.0, listening.LOW_ANCHOR: 1.5}
        wrong = 0
        for seed in range(40):
            valid, _ = judging.trials(*simulated(seed, truth, 8))
            wrong += any(pair.is_sure for pair in judging.analyze(valid, 1000)[1])
        self.assertLessEqual(wrong, 5)

    def test_intervals_contain_the_true_difference(self):
        inside = 0
        for seed in range(40):
            valid, _ = judging.trials(*simulated(seed, TRUTH, 8))
            grades, _ = judging.analyze(valid, 1000)
            expected = sum(TRUTH["poor"] + random.Random(f"sample {n}").gauss(0, 0.3)
                           for n in range(12)) / 12
            poor = next(grade for grade in grades if grade.name == "poor")
            inside += poor.low <= expected <= poor.high
        self.assertGreaterEqual(inside, 34)

    def test_pairs_are_undecided_with_few_listeners(self):
        for count in (1, 4):
            valid, _ = judging.trials(*simulated(1, TRUTH, count))
            self.assertFalse(any(pair.is_sure for pair in judging.analyze(valid, 500)[1]))

    def test_guessers_are_excluded(self):
        made, results = simulated(3, TRUTH, 6, guessers=20)
        valid, excluded = judging.trials(made, results)
        self.assertEqual({name[0] for name, _ in valid}, {"l"})
        self.assertEqual((len(valid), excluded), (72, 240))

    def test_trials_that_break_the_rules_are_excluded(self):
        made, (result,) = simulated(4, TRUTH, 1)
        trials = result["trials"]
        trials[0]["references"]["0-fine"] = 4.4
        trials[1]["grades"]["1-" + listening.LOW_ANCHOR] = 5.0
        del trials[2]["grades"]["2-good"]
        trials[3]["grades"]["3-good"] = 5.5
        valid, excluded = judging.trials(made, [result])
        self.assertEqual((len(valid), excluded), (8, 4))
        trials[4]["references"] = {}
        self.assertEqual(judging.trials(made, [result])[0], {})     # five of twelve

    def test_the_first_of_two_results_counts(self):
        made, results = simulated(5, TRUTH, 1)
        again = json.loads(json.dumps(results[0]))
        for trial in again["trials"]:
            trial["grades"] = dict.fromkeys(trial["grades"], 1.0)
        valid, _ = judging.trials(made, results + [again])
        self.assertEqual(valid, judging.trials(made, results)[0])

    def test_a_hidden_reference_is_a_sound_of_mushra(self):
        made = key("mushra")
        grades = {token: 95.0 if name == "hidden reference" else 20.0 * TRUTH[name]
                  for token, name in made["samples"]["sample 0"]["sounds"].items()
                  if name != listening.REFERENCE}
        result = {"listener": "l",
                  "trials": [{"sample": "sample 0", "grades": grades, "references": {}}]}
        valid, _ = judging.trials(made, [result])
        self.assertEqual(set(valid["l", "sample 0"]), set(TRUTH))
        grades["0-h"] = 80.0
        self.assertEqual(judging.trials(made, [result]), ({}, 1))

    def test_abx_counts_right_answers(self):
        made = key("abx", ["fine"], 1)
        answers = [True] * 9 + [False]
        results = 2 * [{"listener": "l",
                        "trials": [{"sample": "sample 0", "answers": {"0-fine": answers}}]}]
        right, total, probability = judging.abx(made, results)["fine"]
        self.assertEqual((right, total), (9, 10))
        self.assertAlmostEqual(probability, 11 / 1024)

    def test_holm_orders_and_corrects(self):
        self.assertEqual([round(one, 3) for one in judging.holm([0.01, 0.03, 0.04])],
                         [0.03, 0.06, 0.06])

    def test_the_report_is_written_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            made, results = simulated(1, TRUTH)
            with open(os.path.join(folder, "key.json"), "w", encoding="utf-8") as handle:
                json.dump(made, handle)
            os.mkdir(os.path.join(folder, "results"))
            self.assertRaisesRegex(LabError, "contains no results", judging.write, folder)
            for result in results:
                path = os.path.join(folder, "results", result["listener"] + ".json")
                with open(path, "w", encoding="utf-8") as handle:
                    json.dump(result, handle)
            with open(judging.write(folder), encoding="utf-8") as handle:
                text = handle.read()
            self.assertIn("| fine, good | 0.2", text)
            self.assertIn("good is better", text)
            self.assertIn("180 valid trials of 15 listeners; 0 excluded", text)
            with open(path, "w", encoding="utf-8") as handle:
                json.dump(results[0] | {"test": "other"}, handle)
            self.assertRaisesRegex(LabError, "another test", judging.write, folder)
            for trials in ([1], [{}], [{"sample": "sample 1", "grades": None}], None,
                           [{"sample": "sample 1", "grades": {"1-fine": "much"}}]):
                with open(path, "w", encoding="utf-8") as handle:
                    json.dump(results[0] | {"trials": trials}, handle)
                self.assertRaisesRegex(LabError, "is not a result", judging.write, folder)


@unittest.skipUnless(shutil.which("node"), "needs node of the Debian package nodejs")
class Page(unittest.TestCase):
    """The page's course, driven by a listener who knows the files."""

    def run_session(self, mode, choose):
        """Returns the result of a session; `choose` is JavaScript that grades a slot or answers."""
        sounds = ["a", "b", "c"] + (["h"] if mode == "mushra" else [])
        trials = [{"sample": f"sample {n}", "reference": f"r{n}",
                   "stimuli": [f"{n}{sound}" for sound in sounds]} for n in range(5)]
        code = f"""
            import {{ Session }} from "{listening.PAGE}/session.mjs"
            const test = {json.dumps({"test": "t", "mode": mode, "trials": trials})}
            let seed = 7
            const random = () => (seed = seed * 16807 % 2147483647) / 2147483647
            let session = new Session(test, random)
            while (!session.isFinished) {{
              const position = session.state.position
              session.advance()
              if (session.state.position !== position) throw new Error("advanced early")
              {choose}
              // Closing and opening the page changes nothing.
              session = new Session(test, random, JSON.parse(JSON.stringify(session.state)))
              session.advance()
            }}
            console.log(JSON.stringify(session.result))"""
        done = subprocess.run(["node", "--input-type=module", "-e", code], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_sound_and_its_hidden_reference_is_graded(self):
        result = self.run_session("abchr", """
            for (const slot of session.slots) session.grade(slot, slot.file.startsWith("r") ? 5 : 3)
        """)
        self.assertEqual(len(result["trials"]), 5)
        for trial in result["trials"]:
            number = trial["sample"][-1]
            self.assertEqual(trial["grades"], {number + sound: 3 for sound in "abc"})
            self.assertEqual(trial["references"], {number + sound: 5 for sound in "abc"})
        self.assertNotEqual([trial["sample"][-1] for trial in result["trials"]], list("01234"))

    def test_mushra_grades_all_sounds(self):
        result = self.run_session("mushra", """
            for (const slot of session.slots)
              session.grade(slot, slot.token.endsWith("h") ? 100 : 40)
        """)
        self.assertTrue(all(len(trial["grades"]) == 4 for trial in result["trials"]))

    def test_only_a_listener_with_perfect_hearing_answers_all_right(self):
        for knows, least, most in ((True, 150, 150), (False, 45, 105)):
            result = self.run_session("abx", f"""
                while (!session.isComplete)
                  session.answer({'session.hidden === session.trial.reference' if knows
                                  else 'true'})
            """)
            answers = [answer for trial in result["trials"]
                       for part in trial["answers"].values() for answer in part]
            self.assertEqual(len(answers), 150)
            self.assertTrue(least <= sum(answers) <= most)


if __name__ == "__main__":
    unittest.main()
