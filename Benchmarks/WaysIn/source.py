"""The input signal: ten minutes with the properties of music, the same in every run."""

import wave

from errors import BindingsError

try:
    import numpy
except ImportError as error:
    raise BindingsError("numpy is missing; it is in the Debian package python3-numpy.") from error

RATE = 44_100


def write(path, seconds):
    """Writes a 16-bit WAV file with fading chords, a beat of noise, and background noise."""
    generator = numpy.random.default_rng(1)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for second in range(seconds):
            file.writeframes(_second(generator, second).tobytes())


def _second(generator, number):
    """Returns two chords and four beats."""
    samples = 0.002 * generator.standard_normal((RATE, 2))
    time = numpy.arange(RATE // 2) / RATE
    for half in range(2):
        part = samples[half * RATE // 2:(half + 1) * RATE // 2]
        root = 110 * 2 ** (((2 * number + half) * 5 % 12) / 12)
        for index, ratio in enumerate((1, 1.26, 1.5, 2)):
            # Higher partials fade sooner.
            tone = sum(numpy.sin(2 * numpy.pi * root * ratio * partial * time)
                       * numpy.exp(-time * (2 + partial)) / partial for partial in range(1, 9))
            part += 0.05 * tone[:, None] * ((0.3 + 0.2 * index), (0.9 - 0.2 * index))
    for beat in range(4):
        length = RATE // 20
        at = beat * RATE // 4
        fade = numpy.exp(-numpy.arange(length) / (length / 6))
        samples[at:at + length] += 0.2 * (
            generator.standard_normal((length, 1)) * fade[:, None] * (0.8, 0.6))
    return numpy.round(32767 * numpy.clip(samples, -1, 1)).astype("<i2")
