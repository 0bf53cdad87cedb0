"""A test sound that is not a tone, and its comparison with another sound."""

import struct
import wave

import numpy

from roots import Failure

RATE = 44100
SECONDS = 4


def write_sound(path):
    """Returns reproducible chords and beats in stereo."""
    random = numpy.random.default_rng(12)
    time = numpy.arange(RATE * SECONDS + 321) / RATE
    beat = numpy.exp(-25 * (time % 0.5)) * random.uniform(-0.2, 0.2, time.size)
    sides = [
        sum(0.1 * numpy.sin(2 * numpy.pi * f * time) for f in chord) + beat
        for chord in ((220, 277, 330), (220, 330, 440))
    ]
    samples = (numpy.stack(sides, axis=1) * 32767).astype("<i2")
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def read_sound(path):
    """Returns the samples of a WAV file of 16 bits or of floating point, from −1 to 1; a row for each moment.
    """
    with open(path, "rb") as file:
        data = file.read()
    position, form, samples = 12, None, None
    while position + 8 <= len(data):
        name, size = data[position : position + 4], struct.unpack_from("<I", data, position + 4)[0]
        body = data[position + 8 : position + 8 + size]
        if name == b"fmt ":
            form = struct.unpack_from("<HHIIHH", body)
        elif name == b"data":
            samples = body
        position += 8 + size + size % 2
    if form is None or samples is None or form[5] not in (16, 32):
        raise Failure(f"{path} is not a WAV file of 16 bits or floating point.")
    kind, scale = ("<i2", 32768) if form[5] == 16 else ("<f4", 1)
    return numpy.frombuffer(samples, kind).reshape(-1, form[1]) / scale


def compare(original, decoded):
    """Fails unless a sound has the length of another and is similar to it."""
    first, second = read_sound(original), read_sound(decoded)
    if first.shape != second.shape:
        raise Failure(f"{decoded} has {second.shape} samples and channels, not {first.shape}.")
    noise = numpy.mean((first - second) ** 2)
    ratio = 10 * numpy.log10(numpy.mean(first**2) / max(noise, 1e-12))
    if ratio < 12:
        raise Failure(f"{decoded} is {ratio:.1f} dB louder than its difference from the original, not 12.")
