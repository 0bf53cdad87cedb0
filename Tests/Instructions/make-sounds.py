"""Writes chords of plucked strings, a drum and noise, equal in every run: FOLDER LENGTH…, in blocks of 1024 samples."""

import math
import random
import struct
import sys
import wave

RATE = 44100
folder, *lengths = sys.argv[1:]
noise = random.Random(2024)
samples = []
for n in range(max(map(int, lengths)) * 1024):
    beat, position = divmod(n, RATE // 3)
    time = position / RATE
    hiss = noise.uniform(-1, 1)
    drum = hiss * math.exp(-60 * time) * (beat % 2)
    for cents in (1, 1.003):
        base = (110, 131, 98, 147)[beat // 4 % 4] * (1 + beat % 3 * 0.5) * cents
        chord = sum(
            math.sin(2 * math.pi * base * partial * time) * math.exp(-3 * partial * time) / partial
            for partial in range(1, 8))
        samples.append(round(9000 * chord + 8000 * drum + 60 * hiss))
for length in lengths:
    part = samples[:int(length) * 2048]
    with wave.open(f"{folder}/{length}.wav", "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", None))
        file.writeframes(struct.pack(f"<{len(part)}h", *part))
