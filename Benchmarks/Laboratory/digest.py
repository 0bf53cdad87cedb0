"""A digest of the bytes that the command encodes, which changes whenever its sound may have changed.

    python3 digest.py AACORN

Documentation/Performance.md has the digest of the encoder that it describes. Scripts/check-program
compares it with the digest of the built command. Needs only Python.
"""

import array
import hashlib
import os
import subprocess
import sys
import tempfile
import wave

RATE = 44100
SECONDS = 6
OPTIONS = ("", "--effort fast", "--effort best", "-b 64k", "-b 192k", "--abr 96k", "--vbr 3",
           "--profile he -b 48k", "--profile he2 -b 32k")


def of(program):
    """Returns the first twelve hexadecimal digits of the digest of a command."""
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "sound.wav"), os.path.join(folder, "sound.aac")
        with wave.open(source, "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(_sound().tobytes())
        for options in OPTIONS:
            subprocess.run([program, "encode", "-q", "-f", *options.split(), source, "-o", target],
                           check=True)
            with open(target, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:12]


def _sound():
    """Returns tones, noise, strokes and a pause; of integers, so that it is always equal."""
    samples = array.array("h")
    state = 1
    for n in range(SECONDS * RATE):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        noise = (state >> 16) - 32768
        beat, time = divmod(n, RATE // 3)
        fading = max(0, RATE // 3 - time)
        stroke = noise * max(0, 1500 - time) // 3000 if beat % 3 == 1 else 0
        chord = sum(_wave(n * hertz * part) // part
                    for hertz in ((110, 277), (131, 330), (98, 247))[beat % 3]
                    for part in (1, 2, 3, 5, 8))
        chord = chord * fading // RATE
        hiss = noise // 64 if beat % 5 < 4 else 0
        if beat % 7 == 6:
            chord = stroke = 0
        left, right = chord + stroke // 2 + hiss, chord * 5 // 8 + stroke + hiss * (beat % 2)
        if beat % 8 >= 4:
            left, right = chord, 2 * stroke + hiss
        samples.append(_limited(left))
        samples.append(_limited(right))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def _wave(position):
    """Returns two parabolas in the place of a sine, within ±16384."""
    phase = (position * 65536 // RATE & 0xFFFF) - 32768
    return phase * (32768 - abs(phase)) >> 14


def _limited(value):
    return max(-32768, min(32767, value))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(of(sys.argv[1]))
