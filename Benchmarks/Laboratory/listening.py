"""Makes a blind listening test: a folder with a static page, and the key beside it.

The names of files in the page are random; key.json has their meaning and must stay private until
the test has ended.
"""

import hashlib
import json
import os
import random
import secrets
import shutil
import tempfile

import numpy as np
import scipy.signal

import clips
import encoders
import measuring
import peaq
from errors import LabError

PAGE = os.path.join(encoders.HERE, "Listening")
REFERENCE, HIDDEN_REFERENCE = "reference", "hidden reference"
LOW_ANCHOR, HIGH_ANCHOR = "low anchor", "high anchor"
LOW_ANCHOR_HZ = 3_500
KEY = "key.json"


def make(folder, found, wanted, rate, mode, count, seed, pool, high):
    """Writes a test of some clips, chosen by lot, with each encoder at one rate.

    `high` is an encoder of a clearly better sound, the high anchor; None for a test without one.
    """
    if os.path.exists(os.path.join(folder, KEY)):
        raise LabError(f"{folder} contains a test. Choose another folder.")
    lot = random.Random(seed)
    found = [clip for clip in found if clip.channels == 2]
    if len(found) < count:
        raise LabError(f"The test needs {count} stereo clips, and there are {len(found)}.")
    chosen = sorted(lot.sample(found, count), key=lambda clip: clip.name)
    page = os.path.join(folder, "page")
    shutil.copytree(PAGE, page, dirs_exist_ok=True)
    key = {"mode": mode, "rate_kbps": rate, "seed": seed, "encoders": {}, "samples": {}}
    sounds = {clip.name: {REFERENCE: peaq.read_audio(clip.path)[0]} for clip in chosen}
    for encoder, kbps, name in _encoders(wanted, rate, high):
        with tempfile.TemporaryDirectory(prefix="laboratory-") as store:
            group = measuring.Group(encoder, kbps, tuple(chosen))
            encodes = measuring.encode_all(group, store, pool, {})
            mean = sum(encode.actual for encode in encodes) / len(encodes)
            key["encoders"][name] = {"command": encoder.command, "kbps": round(mean, 2),
                                     "fingerprint": encoder.fingerprint}
            for encode in encodes:
                sounds[encode.clip.name][name] = _decoded(encode, sounds[encode.clip.name])
    trials = []
    for number, clip in enumerate(chosen, 1):
        part = sounds[clip.name]
        if mode != "abx":
            part[LOW_ANCHOR] = _muffled(part[REFERENCE], clip.rate)
        if mode == "mushra":
            part[HIDDEN_REFERENCE] = part[REFERENCE]
        # Not from the lot: its seed may be public.
        tokens = {name: secrets.token_hex(8) for name in part}
        for name, sound in part.items():
            write_sound(os.path.join(page, tokens[name] + ".wav"), sound, clip.rate)
        stimuli = [token for name, token in tokens.items() if name != REFERENCE]
        sample = f"sample {number}"
        trials.append({"sample": sample, "reference": tokens[REFERENCE],
                       "stimuli": sorted(stimuli)})
        key["samples"][sample] = {"clip": clip.name,
                                  "sounds": {token: name for name, token in tokens.items()}}
    key["test"] = hashlib.sha256(json.dumps(trials).encode()).hexdigest()[:16]
    _write_json(os.path.join(page, "test.json"),
                {"test": key["test"], "mode": mode, "trials": trials})
    _write_json(os.path.join(folder, KEY), key)
    os.makedirs(os.path.join(folder, "results"), exist_ok=True)
    return key


def _encoders(wanted, rate, high):
    """Returns each encoder, its rate in kb/s and its name in the key."""
    found = [(encoder, rate, encoder.name) for encoder in wanted]
    return found + ([(high, 2 * rate, HIGH_ANCHOR)] if high else [])


def _decoded(encode, sounds):
    """Returns the decoded sound, as long as the reference and without delay."""
    path = encode.path + ".wav"
    code, _, _, text = encoders.run_timed(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", encode.path, "-c:a", "pcm_s16le",
         "-ar", str(encode.clip.rate), "-bitexact", path])
    if code != 0:
        raise LabError(f"ffmpeg cannot decode {encode.clip.name}: {text}")
    sound = peaq.read_audio(path)[0]
    reference = sounds[REFERENCE]
    sound = peaq.match_channels(reference, sound)
    delay = peaq.find_delay(reference, sound)
    sound = np.pad(sound[max(0, delay):], ((max(0, -delay), 0), (0, 0)))
    missing = max(0, len(reference) - len(sound))
    return np.pad(sound, ((0, missing), (0, 0)))[:len(reference)]


def _muffled(sound, rate):
    filters = scipy.signal.butter(8, LOW_ANCHOR_HZ, fs=rate, output="sos")
    return scipy.signal.sosfiltfilt(filters, sound, axis=0)


def write_sound(path, sound, rate):
    """Writes floating-point samples as a WAV file of 16 bits."""
    clips.write(path, np.clip(np.round(sound * 32_768), -32_768, 32_767), rate)


def _write_json(path, content):
    with open(path, "w", encoding="utf-8") as handle:
        json.dump(content, handle, indent=1)
        handle.write("\n")
