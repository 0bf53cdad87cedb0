"""Writes sounds with every number of channels, all different, into a FOLDER."""

import math
import random
import struct
import sys
import wave

noise = random.Random(2024)
for name, rate, channels in (("mono", 32000, 1), ("stereo", 44100, 2), ("surround", 48000, 6)):
    samples = []
    for n in range(rate * 2 + 123):
        drum = noise.uniform(-6000, 6000) * math.exp(-50 * (n / rate % 0.4))
        samples += [
            round(9000 * math.sin(2 * math.pi * (220 + 55 * channel) * n / rate) + drum + noise.uniform(-80, 80))
            for channel in range(channels)]
    with wave.open(f"{sys.argv[1]}/{name}.wav", "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", None))
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))
