"""Encodes a WAV file to M4A, or decodes M4A to floating-point samples, like a Python program:

    python3 recode.py encode IN.wav OUT.m4a BITS-PER-SECOND
    python3 recode.py decode IN.m4a OUT.wav
"""

import struct
import sys
import wave

import aacorn
import numpy


def encode(source, target, bitrate):
    with wave.open(source, "rb") as file:
        rate, channels = file.getframerate(), file.getnchannels()
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, channels)
    with open(target, "wb") as file:
        file.write(aacorn.encode(samples, rate, bitrate=bitrate))


def decode(source, target):
    sound = aacorn.read(source)
    rate, samples = sound.sample_rate, numpy.ascontiguousarray(sound.samples, "<f4")
    channels = samples.shape[1]
    with open(target, "wb") as file:
        file.write(struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + samples.nbytes, b"WAVEfmt ", 16, 3,
                               channels, rate, 4 * channels * rate, 4 * channels, 32, b"data",
                               samples.nbytes))
        file.write(samples)


if sys.argv[1] == "encode":
    encode(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    decode(sys.argv[2], sys.argv[3])
