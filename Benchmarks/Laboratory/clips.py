"""The folder of clips for comparisons of encoders."""

import csv
import dataclasses
import os
import re
import wave

import encoders
import peaq
from errors import LabError


@dataclasses.dataclass(frozen=True)
class Clip:
    """A reference; `path` is a 16-bit WAV file. Its first `lead` seconds are graded apart."""

    name: str
    path: str
    kind: str
    channels: int
    rate: int
    seconds: float
    half: str = ""
    lead: float = 0.0


def load(folder, store, pattern=""):
    """Returns the clips of a folder with matching names; converts FLAC to WAV in `store`.

    A manifest.csv in the folder, with a column file, sets the class, the half and the lead of
    each clip.
    """
    if not os.path.isdir(folder):
        raise LabError(f"{folder} is not a folder of clips.")
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise LabError(f"“{pattern}” is not a regular expression: {error}.") from None
    listed = {}
    manifest = os.path.join(folder, "manifest.csv")
    if os.path.exists(manifest):
        with open(manifest, newline="", encoding="utf-8") as handle:
            listed = {line.get("file"): line for line in csv.DictReader(handle)}
    clips = []
    for file in sorted(os.listdir(folder)):
        name, suffix = os.path.splitext(file)
        if suffix.lower() not in (".wav", ".flac") or not wanted.search(name):
            continue
        path = os.path.join(store, name + ".wav")
        code, _, _, text = encoders.run_timed(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", os.path.join(folder, file),
             "-c:a", "pcm_s16le", "-bitexact", path])
        if code != 0:
            raise LabError(f"{file} cannot be read by ffmpeg: {text}")
        samples, rate = peaq.read_audio(path)
        facts = listed.get(file, {})
        lead = _lead(facts, file, len(samples) / rate)
        clips.append(Clip(name, path, facts.get("class", ""), samples.shape[1], rate,
                          len(samples) / rate, facts.get("half", ""), lead))
    if not clips:
        raise LabError(f"{folder} has no WAV or FLAC files"
                       + (f" matching {pattern}." if pattern else "."))
    return clips


def _lead(facts, file, seconds):
    """Returns the lead of a clip in seconds, which must leave something to grade."""
    text = facts.get("lead") or "0"
    try:
        lead = float(text)
    except ValueError:
        lead = -1
    if not 0 <= lead < seconds:
        raise LabError(f"manifest.csv: “{text}” is not a lead of {file}, which lasts "
                       f"{seconds:g} s.")
    return lead


def write(path, samples, rate):
    """Writes integers of 16 bits, one column for each channel, as a WAV file."""
    with wave.open(path, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())
