"""Clips made by program: kinds of sound that an encoder must code, with parameters chosen by lot.

Every clip begins with a second of its sound that is not graded.
"""

import numpy as np

RATE = 48_000
SECONDS = 5


def _times(seconds=SECONDS):
    return np.arange(int(seconds * RATE)) / RATE


def _noise(lot, count=SECONDS * RATE):
    return lot.standard_normal(count)


def _band(sound, low, high):
    """Returns the part of a sound between two frequencies, with edges of a tenth of an octave."""
    spectrum = np.fft.rfft(sound)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 1e-3))
    rise = np.clip((octaves - np.log2(low)) * 10 + 0.5, 0, 1)
    fall = np.clip((np.log2(high) - octaves) * 10 + 0.5, 0, 1)
    return np.fft.irfft(spectrum * rise * fall, len(sound))


def _smooth(gate, seconds):
    """Returns a gate with raised-cosine edges."""
    count = max(1, int(seconds * RATE))
    window = np.hanning(count + 2)[1:-1]
    return np.convolve(gate, window / window.sum(), "same")


def _pan(sound, position):
    """Places a sound between left (0) and right (1) at equal power."""
    angle = position * np.pi / 2
    return np.stack([np.cos(angle) * sound, np.sin(angle) * sound], 1)


def _note(lot, low, high):
    """Returns the frequency of a note in equal temperament, chosen by lot."""
    first, last = (round(12 * np.log2(hertz / 440)) for hertz in (low, high))
    return 440 * 2 ** (lot.integers(first, last + 1) / 12)


def _harmonics(phase, amplitudes, hertz):
    """Returns a sum of harmonics below 20 kHz; `phase` is in cycles."""
    sound = np.zeros(len(phase))
    for index, amplitude in enumerate(amplitudes, 1):
        if np.max(hertz) * index < 20_000:
            sound += amplitude * np.sin(2 * np.pi * index * phase)
    return sound


def _saw(hertz, times):
    return _harmonics(hertz * times, 1 / np.arange(1, 400), hertz)


def _square(hertz, times):
    order = np.arange(1, 400)
    return _harmonics(hertz * times, (order % 2) / order, hertz)


def _melody(lot, voice, low, high, length):
    """Plays notes of a voice, one after the other, with short fades."""
    sound = np.zeros(SECONDS * RATE)
    count = int(length * RATE)
    fade = np.clip(np.minimum(np.arange(count), count - np.arange(count)) / (0.005 * RATE), 0, 1)
    for start in range(0, len(sound) - count + 1, count):
        sound[start:start + count] = voice(_note(lot, low, high), _times(length)) * fade
    return sound


def _events(lot, gap, spread):
    """Returns times of events in seconds, about `gap` apart."""
    time, times = 0.1, []
    while time < SECONDS - 0.1:
        times.append(time)
        time += gap * (1 + spread * lot.uniform(-1, 1))
    return times


def _place(sound, event, time):
    start = int(time * RATE)
    end = min(len(sound), start + len(event))
    sound[start:end] += event[:end - start]


def _strokes(lot, gap, make, spread=0.3):
    """Places strokes that `make` returns, each at its own position between the channels."""
    sound = np.zeros((SECONDS * RATE, 2))
    for time in _events(lot, gap, spread):
        stroke = _pan(make(), lot.uniform(0.2, 0.8)) * lot.uniform(0.4, 1)
        _place(sound, stroke, time)
    return sound


def _decay(seconds, length):
    return np.exp(-_times(length) / seconds)


def _pluck(lot, hertz, seconds=1.5):
    """Returns a plucked string (Karplus and Strong)."""
    period = int(RATE / hertz)
    line = list(lot.uniform(-1, 1, period))
    sound = np.empty(int(seconds * RATE))
    for n in range(0, len(sound), period):
        block = np.array(line)
        sound[n:n + period] = block[:len(sound) - n]
        line = 0.4985 * (block + np.roll(block, 1))
    return sound


def sawtooth(lot):
    return _pan(_melody(lot, _saw, 80, 400, lot.choice([0.25, 0.5, 1])), lot.uniform(0.3, 0.7))


def square(lot):
    return _pan(_melody(lot, _square, 80, 500, lot.choice([0.25, 0.5, 1])), lot.uniform(0.3, 0.7))


def pulses(lot):
    hertz = lot.uniform(60, 250) * (1 + 0.05 * np.sin(2 * np.pi * lot.uniform(0.3, 2) * _times()))
    return _pan(_harmonics(np.cumsum(hertz) / RATE, np.ones(330) / 40, hertz), 0.5)


def opposite_phases(lot):
    tone = _square(_note(lot, 100, 600), _times()) + 0.3 * _saw(_note(lot, 300, 900), _times())
    return np.stack([tone, -tone], 1) + 0.02 * lot.standard_normal((SECONDS * RATE, 2))


def clicks(lot):
    def click():
        length = lot.integers(2, 40)
        return np.diff(np.concatenate([[0], lot.uniform(-1, 1, length), [0]]))
    return _strokes(lot, lot.uniform(0.15, 0.5), click)


def decaying_clicks(lot):
    seconds = lot.uniform(0.002, 0.02)
    return _strokes(lot, lot.uniform(0.1, 0.4),
                    lambda: _noise(lot, RATE // 5) * _decay(seconds, 0.2))


def wood(lot):
    def stroke():
        hertz = lot.uniform(500, 2500)
        return sum(np.sin(2 * np.pi * hertz * ratio * _times(0.3))
                   * _decay(0.02 / ratio, 0.3) / ratio for ratio in (1, 2.7, 5.4))
    return _strokes(lot, lot.uniform(0.06, 0.3), stroke)


def impacts(lot):
    def stroke():
        partials = lot.uniform(300, 9000, 25)
        return sum(np.sin(2 * np.pi * hertz * _times(0.8)) * _decay(lot.uniform(0.02, 0.2), 0.8)
                   for hertz in partials) / 5
    return _strokes(lot, lot.uniform(0.6, 1.2), stroke)


def beating(lot):
    hertz = _note(lot, 200, 700)
    sound = sum(np.sin(2 * np.pi * hertz * index * _times() * (1 + detune))
                / index for index in range(1, 7) for detune in (0, lot.uniform(0.001, 0.004)))
    return _pan(sound, lot.uniform(0.3, 0.7))


def sweep(lot):
    octaves = np.linspace(*(lot.permutation([np.log2(60), np.log2(18_000)])), SECONDS * RATE)
    tone = np.sin(2 * np.pi * np.cumsum(2 ** octaves) / RATE)
    move = np.linspace(0, 1, SECONDS * RATE) * np.pi / 2
    return np.stack([np.cos(move) * tone, np.sin(move) * tone], 1)


def plucked(lot):
    sound = np.zeros((SECONDS * RATE, 2))
    for time in _events(lot, lot.uniform(0.2, 0.6), 0.2):
        _place(sound, _pan(_pluck(lot, _note(lot, 100, 800)), lot.uniform(0.2, 0.8)), time)
    return sound


def gated_noise(lot):
    gates = []
    for _ in range(2):
        gate = (np.sin(2 * np.pi * (lot.uniform(1.5, 5) * _times() + lot.uniform())) > 0) * 1.0
        gates.append(_smooth(gate, lot.choice([0.0005, 0.005])) * _noise(lot))
    return np.stack(gates, 1)


def opposite_gates(lot):
    gate = _smooth((np.sin(2 * np.pi * lot.uniform(1, 4) * _times()) > 0) * 1.0, 0.005)
    sounds = [_saw(_note(lot, 100, 400), _times()) + 0.1 * _noise(lot) for _ in range(2)]
    return np.stack([gate * sounds[0], (1 - gate) * sounds[1]], 1)


def noise_bands(lot):
    low = lot.uniform(200, 4000)
    noise = _band(_noise(lot), low, low * lot.uniform(1.3, 3))
    gate = _smooth((np.sin(2 * np.pi * lot.uniform(1, 3) * _times()) > -0.3) * 1.0, 0.003)
    return np.stack([noise * gate, np.roll(noise, 400) * gate], 1)


def applause(lot):
    sound = np.zeros((SECONDS * RATE, 2))
    for time in lot.uniform(0, SECONDS - 0.05, int(lot.uniform(40, 400)) * SECONDS):
        clap = _noise(lot, RATE // 25) * _decay(lot.uniform(0.002, 0.008), 0.04)
        clap = _band(clap, lot.uniform(400, 900), lot.uniform(3000, 12_000))
        _place(sound, _pan(clap, lot.uniform()) * lot.uniform(0.1, 1), time)
    return sound


def ambience(lot):
    left, right = (_band(_noise(lot), 40, 14_000) for _ in range(2))
    spectrum = np.fft.rfft(np.stack([left, right], 1), axis=0)
    tilt = np.maximum(np.fft.rfftfreq(SECONDS * RATE, 1 / RATE), 50)[:, None] ** -0.6
    sound = np.fft.irfft(spectrum * tilt, SECONDS * RATE, axis=0)
    swell = 1 + 0.6 * np.sin(2 * np.pi * (0.5 * _times() + lot.uniform()))
    return sound * swell[:, None]


def chords(lot):
    sound = np.zeros((SECONDS * RATE, 2))
    for _ in range(5):
        hertz = _note(lot, 120, 900)
        tone = _harmonics(hertz * _times(), 1 / np.arange(1, 13) ** 1.5, hertz)
        sound += _pan(tone, lot.uniform())
    return sound


def chords_and_clicks(lot):
    return 0.3 * chords(lot) / 5 + 0.5 * clicks(lot)


def steps(lot):
    levels = 10 ** (-lot.uniform(0, 50, 10) / 20)
    level = _smooth(np.repeat(levels, SECONDS * RATE // 10), 0.002)
    return _pan((_saw(_note(lot, 150, 300), _times()) + 0.2 * _noise(lot)) * level, 0.5)


def voice(lot):
    """A voice: pulses through moving formants, with pauses and fricatives."""
    count = SECONDS * RATE
    pitch = lot.uniform(90, 240) * 2 ** (0.15 * np.cumsum(
        _band(_noise(lot), 0.3, 3)) / np.sqrt(count) * 3)
    phase = np.cumsum(np.clip(pitch, 60, 500)) / RATE
    source = np.diff(np.floor(phase), prepend=0) * 1.0
    sound = np.zeros(count)
    length = RATE // 8
    window = np.hanning(2 * length)
    for start in range(0, count - 2 * length, length):
        part = source[start:start + 2 * length] * window
        if lot.uniform() < 0.2:
            part = _band(_noise(lot, 2 * length) * window * 0.02, 3000, 11_000)
        else:
            frequencies = np.fft.rfftfreq(2 * length, 1 / RATE)
            gain = np.zeros(len(frequencies))
            for low, high in ((250, 850), (850, 2300), (2300, 3200), (3200, 4500)):
                center = lot.uniform(low, high)
                gain += 1 / (1 + ((frequencies - center) / (0.05 * center + 40)) ** 2) / low
            part = np.fft.irfft(np.fft.rfft(part) * gain * 300, 2 * length)
        if lot.uniform() < 0.85:
            sound[start:start + 2 * length] += part
    return _pan(sound, 0.5)


def bowed(lot):
    hertz = _note(lot, 200, 900)
    vibrato = hertz * (1 + 0.006 * np.sin(2 * np.pi * lot.uniform(4.5, 6.5) * _times()))
    amplitudes = 1 / np.arange(1, 60) * (0.5 + lot.uniform(0, 1, 59))
    tone = _harmonics(np.cumsum(vibrato) / RATE, amplitudes, hertz * 1.01)
    return _pan(tone + 0.02 * _band(_noise(lot), 800, 9000), lot.uniform(0.3, 0.7))


def bells(lot):
    def stroke():
        hertz = lot.uniform(300, 1500)
        ratios = np.array([0.5, 1, 1.19, 1.5, 2, 2.51, 3.01, 4.17, 5.43, 6.8, 8.2])
        return sum(np.sin(2 * np.pi * hertz * ratio * _times(2)) * _decay(1 / ratio, 2) / ratio
                   for ratio in ratios if hertz * ratio < 20_000)
    return _strokes(lot, lot.uniform(0.3, 0.9), stroke)


def drums(lot):
    sound = np.zeros((SECONDS * RATE, 2))
    beat = lot.uniform(0.2, 0.35)
    for index in range(int((SECONDS - 0.5) / beat)):
        t = _times(0.4)
        kick = np.sin(2 * np.pi * 50 * t + 8 * (1 - np.exp(-t / 0.03))) * _decay(0.1, 0.4)
        snare = (_noise(lot, len(t)) * 0.5 + np.sin(2 * np.pi * 190 * t)) * _decay(0.06, 0.4)
        hat = _band(_noise(lot, len(t)), 6000, 16_000) * _decay(0.03, 0.4)
        _place(sound, _pan([kick, hat, snare, hat][index % 4], 0.5), index * beat)
        _place(sound, _pan(hat * 0.3, 0.7), (index + 0.5) * beat)
    return sound


def modulated(lot):
    """Frequency modulation: many sidebands, as of an electric piano."""
    sound = np.zeros((SECONDS * RATE, 2))
    for time in _events(lot, lot.uniform(0.3, 0.8), 0.2):
        hertz, t = _note(lot, 120, 700), _times(1)
        index = lot.uniform(1, 8) * np.exp(-t / 0.3)
        tone = np.sin(2 * np.pi * hertz * t
                      + index * np.sin(2 * np.pi * hertz * lot.choice([1, 2, 3.5, 7]) * t))
        _place(sound, _pan(tone * _decay(0.4, 1), lot.uniform(0.2, 0.8)), time)
    return sound


def quiet_mix(lot):
    return 0.02 * (chords(lot) / 5 + 0.3 * drums(lot) + 0.1 * ambience(lot))


KINDS = {maker.__name__: maker for maker in (
    sawtooth, square, pulses, opposite_phases, clicks, decaying_clicks, wood, impacts, beating,
    sweep, plucked, gated_noise, opposite_gates, noise_bands, applause, ambience, chords,
    chords_and_clicks, steps, voice, bowed, bells, drums, modulated, quiet_mix)}


def clip(kind, number):
    """Returns a clip as 16-bit samples in two channels."""
    seed = [*kind.encode(), number]
    lot = np.random.default_rng(seed)
    sound = KINDS[kind](lot)
    peak = np.max(np.abs(sound))
    level = 0.02 if kind == "quiet_mix" else lot.uniform(0.3, 0.9)
    return np.round(sound / peak * level * 32_767).astype("<i2")
