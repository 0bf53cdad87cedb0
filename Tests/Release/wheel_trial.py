"""Uses the wheel in an environment where pip has installed it."""

import sys
import wave

import aacorn
import numpy


def encodes():
    with wave.open("/trial/sound.wav") as file:
        rate = file.getframerate()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
    with open("/trial/made.m4a", "wb") as file:
        file.write(aacorn.encode(samples, rate, bitrate=128_000))


def decodes():
    sound = aacorn.read("/trial/made.m4a")
    whole = numpy.clip(numpy.rint(sound.samples * 32768), -32768, 32767).astype("<i2")
    with wave.open("/trial/decoded.wav", "wb") as file:
        file.setnchannels(whole.shape[1])
        file.setsampwidth(2)
        file.setframerate(sound.sample_rate)
        file.writeframes(whole.tobytes())


version, trial = sys.argv[1:]
if aacorn.__version__ != version:
    sys.exit(f"aacorn.__version__ is {aacorn.__version__}, not {version}.")
{"encodes": encodes, "decodes": decodes}[trial]()
