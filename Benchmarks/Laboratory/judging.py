"""Analyzes the results of a listening test by a plan that is fixed before anybody listens."""

import collections
import dataclasses
import glob
import itertools
import json
import math
import os

import numpy as np

import listening
from errors import LabError

ROUNDS = 10_000
ANSWERS = 10            # per sound in ABX
LEAST_SAMPLES, LEAST_LISTENERS = 5, 5
SCALES = {"abchr": (1.0, 5.0, 4.5), "mushra": (0.0, 100.0, 90.0)}

GRADES_PLAN = """\
1. A trial is one listener and one sample, with every sound graded. Of two trials of the same
   listener and sample, the first counts.
2. A trial is excluded if a hidden reference has a grade below {reference:g}, or the low anchor a
   higher grade than all other coded sounds.
3. A listener is excluded if more than a third of their trials are.
4. The grade of an encoder is the mean over the samples of the mean over the listeners. Every sample
   counts the same.
5. Intervals come from a blocked bootstrap of {rounds} rounds: each round draws samples and
   listeners, so that neither the choice of samples nor the taste of listeners makes a difference
   look certain.
6. Two encoders differ if the probability of no difference, by the same bootstrap, is below 5 %
   after Holm's correction for all pairs. Anchors are not compared.
7. Below {samples} samples or {listeners} listeners, every pair is undecided.
"""
ABX_PLAN = """\
1. A sound counts with {answers} answers of a listener; of two results, the first.
2. An encoder is audible if the probability of guessing that many right answers is below 5 % after
   Holm's correction for all encoders.
"""


@dataclasses.dataclass(frozen=True)
class Grade:
    """The grade of an encoder, with its 95 % interval."""

    name: str
    mean: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class Pair:
    """The difference of two encoders, and its corrected probability."""

    better: str
    worse: str
    difference: float
    probability: float

    @property
    def is_sure(self):
        return self.probability < 0.05


def read(folder):
    """Returns the key of a test and the results of its listeners."""
    with open(os.path.join(folder, listening.KEY), encoding="utf-8") as handle:
        key = json.load(handle)
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "results", "*.json"))):
        try:
            with open(path, encoding="utf-8") as handle:
                result = json.load(handle)
            if (result["test"], result["mode"]) != (key["test"], key["mode"]):
                raise LabError(f"{path} is the result of another test.")
            found.append({"listener": str(result["listener"]),
                          "trials": [_checked(trial) for trial in result["trials"]]})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LabError(f"{path} is not a result of the page: {error!r}.") from None
    if not found:
        raise LabError(f"{folder}/results contains no results. Listeners save them at the end of "
                       "the page.")
    return key, found


def _checked(trial):
    """Returns a trial with the types that the page writes."""
    made = {"sample": str(trial["sample"])}
    for name in ("grades", "references"):
        made[name] = {str(token): float(grade) for token, grade in trial.get(name, {}).items()}
    made["answers"] = {str(token): [bool(answer) for answer in answers]
                       for token, answers in trial.get("answers", {}).items()}
    return made


def _by_place(key, results):
    """Returns the first trial of each listener and sample, and the names of its sounds."""
    found = {}
    for result in results:
        for trial in result["trials"]:
            facts = key["samples"].get(trial["sample"])
            if facts:
                found.setdefault((result["listener"], trial["sample"]), (trial, facts["sounds"]))
    return found


def trials(key, results):
    """Returns the grades of valid trials by listener and sample, and the count of excluded ones."""
    lowest, highest, required = SCALES[key["mode"]]
    valid, excluded = {}, set()
    for place, (trial, sounds) in _by_place(key, results).items():
        grades = {sounds.get(token): grade for token, grade in trial["grades"].items()}
        if listening.HIDDEN_REFERENCE in sounds.values():
            hidden = [grades.pop(listening.HIDDEN_REFERENCE, math.nan)]
        else:
            hidden = [trial["references"].get(token, math.nan) for token in trial["grades"]]
        expected = set(sounds.values()) - {listening.REFERENCE, listening.HIDDEN_REFERENCE}
        coded = [grade for name, grade in grades.items() if name != listening.LOW_ANCHOR]
        is_complete = set(grades) == expected and all(
            lowest <= grade <= highest for grade in [*grades.values(), *hidden])
        if is_complete and min(hidden) >= required and grades.get(
                listening.LOW_ANCHOR, lowest) <= max(coded):
            valid[place] = grades
        else:
            excluded.add(place)
    for listener in {listener for listener, _ in excluded}:
        bad = [place for place in excluded if place[0] == listener]
        good = [place for place in valid if place[0] == listener]
        if 2 * len(bad) > len(good):
            excluded.update(good)
            for place in good:
                del valid[place]
    return valid, len(excluded)


def analyze(valid, rounds=ROUNDS, seed=1):
    """Returns the grades, the best first, and all pairs without anchors."""
    names = sorted({name for grades in valid.values() for name in grades})
    samples = sorted({sample for _, sample in valid})
    listeners = sorted({listener for listener, _ in valid})
    if not samples:
        raise LabError("No trial is valid, so there is nothing to analyze.")
    # Cells without a trial have no weight.
    cells = np.zeros((len(samples), len(listeners), len(names)))
    there = np.zeros((len(samples), len(listeners)))
    for (listener, sample), grades in valid.items():
        place = samples.index(sample), listeners.index(listener)
        cells[place], there[place] = [grades[name] for name in names], 1
    means = (cells.sum(axis=1) / there.sum(axis=1)[:, None]).mean(axis=0)
    lot = np.random.default_rng(seed)
    drawn = []
    while len(drawn) < rounds:
        picks = np.bincount(lot.integers(0, len(samples), len(samples)), minlength=len(samples))
        ears = np.bincount(lot.integers(0, len(listeners), len(listeners)),
                           minlength=len(listeners))
        heard = there @ ears
        picks = picks * (heard > 0)
        if picks.any():
            of_samples = np.einsum("slk,l->sk", cells, ears) / np.maximum(heard, 1)[:, None]
            drawn.append(picks @ of_samples / picks.sum())
    drawn = np.array(drawn)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    grades = sorted((Grade(*values) for values in zip(names, means, low, high)),
                    key=lambda grade: -grade.mean)
    anchors = {listening.LOW_ANCHOR, listening.HIGH_ANCHOR}
    is_enough = len(samples) >= LEAST_SAMPLES and len(listeners) >= LEAST_LISTENERS
    found = []
    for one, two in itertools.combinations(
            [grade.name for grade in grades if grade.name not in anchors], 2):
        first, second = names.index(one), names.index(two)
        differences = drawn[:, first] - drawn[:, second]
        tail = min(np.mean(differences <= 0), np.mean(differences >= 0))
        probability = max(2 * tail, 2 / rounds) if is_enough else 1.0
        found.append((probability, one, two, means[first] - means[second]))
    found.sort()
    corrected = holm([probability for probability, *_ in found])
    return grades, [Pair(one, two, float(difference), probability)
                    for (_, one, two, difference), probability in zip(found, corrected)]


def holm(probabilities):
    """Returns sorted probabilities with Holm's correction."""
    corrected, least = [], 0.0
    for index, probability in enumerate(probabilities):
        least = max(least, min(1.0, probability * (len(probabilities) - index)))
        corrected.append(float(least))
    return corrected


def abx(key, results):
    """Returns the right answers, all answers and the corrected probability of guessing, by
    encoder."""
    counts = collections.defaultdict(lambda: [0, 0])
    for trial, sounds in _by_place(key, results).values():
        for token, answers in trial["answers"].items():
            if token in sounds and len(answers) == ANSWERS:
                counts[sounds[token]][0] += sum(answers)
                counts[sounds[token]][1] += ANSWERS
    guessed = sorted((sum(math.comb(total, k) for k in range(right, total + 1)) / 2 ** total, name)
                     for name, (right, total) in counts.items())
    corrected = holm([probability for probability, _ in guessed])
    return {name: (*counts[name], probability)
            for (_, name), probability in zip(guessed, corrected)}


def write(folder):
    """Writes Listening.md into the folder of a test, and returns its path."""
    key, results = read(folder)
    lines = ["# Listening test", "",
             f"{len(key['samples'])} samples chosen by lot (seed {key['seed']}), "
             f"{key['rate_kbps']:g} kb/s, {len(results)} results.", "",
             "| Encoder | kb/s | Command |", "|---|--:|---|"]
    lines += [f"| {name} | {facts['kbps']:g} | `{facts['command']}` |"
              for name, facts in key["encoders"].items()]
    if key["mode"] == "abx":
        lines += ["", "| Encoder | Right | Probability of guessing | Conclusion |",
                  "|---|--:|--:|---|"]
        lines += [f"| {name} | {right} of {total} | {probability:.4f} "
                  f"| {'audible' if probability < 0.05 else 'undecided'} |"
                  for name, (right, total, probability) in abx(key, results).items()]
        plan = ABX_PLAN.format(answers=ANSWERS)
    else:
        valid, excluded = trials(key, results)
        grades, pairs = analyze(valid)
        listeners = len({listener for listener, _ in valid})
        lines += ["", f"{len(valid)} valid trials of {listeners} listeners; {excluded} excluded.",
                  "", "| Encoder | Grade | 95 % |", "|---|--:|--:|"]
        lines += [f"| {one.name} | {one.mean:.2f} | {one.low:.2f} to {one.high:.2f} |"
                  for one in grades]
        lines += ["", "| Pair | Difference | Probability | Conclusion |", "|---|--:|--:|---|"]
        lines += [f"| {pair.better}, {pair.worse} | {pair.difference:.2f} "
                  f"| {pair.probability:.4f} "
                  f"| {pair.better + ' is better' if pair.is_sure else 'undecided'} |"
                  for pair in pairs]
        plan = GRADES_PLAN.format(reference=SCALES[key["mode"]][2], rounds=ROUNDS,
                                  samples=LEAST_SAMPLES, listeners=LEAST_LISTENERS)
    lines += ["", "The plan, fixed before the test:", "", plan.rstrip()]
    path = os.path.join(folder, "Listening.md")
    with open(path, "w", encoding="utf-8") as handle:
        handle.write("\n".join(lines) + "\n")
    return path
