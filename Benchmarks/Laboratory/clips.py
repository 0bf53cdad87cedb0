"""The folder of clips for comparisons of encoders."""

import csv
import dataclasses
import os
import re

import encoders
import peaq
from errors import LabError


@dataclasses.dataclass(frozen=True)
class Clip:
    """A reference; `path` is a 16-bit WAV file."""

    name: str
    path: str
    kind: str
    channels: int
    rate: int
    seconds: float


def load(folder, store, pattern=""):
    """Returns the clips of a folder with matching names; converts FLAC to WAV in `store`.

    A manifest.csv in the folder, with columns file and class, sets the class of each clip.
    """
    if not os.path.isdir(folder):
        raise LabError(f"{folder} is not a folder of clips.")
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise LabError(f"“{pattern}” is not a regular expression: {error}.") from None
    kinds = {}
    manifest = os.path.join(folder, "manifest.csv")
    if os.path.exists(manifest):
        with open(manifest, newline="", encoding="utf-8") as handle:
            kinds = {line.get("file"): line.get("class", "") for line in csv.DictReader(handle)}
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
        clips.append(Clip(name, path, kinds.get(file, ""), samples.shape[1], rate,
                          len(samples) / rate))
    if not clips:
        raise LabError(f"{folder} has no WAV or FLAC files"
                       + (f" matching {pattern}." if pattern else "."))
    return clips
