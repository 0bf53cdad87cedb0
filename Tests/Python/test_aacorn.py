"""The package, used as by programs, compared with the command that AACORN names."""

import array
import copy
import gc
import math
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import wave
from pathlib import Path
from unittest import mock

import aacorn

try:
    import numpy
except ImportError:
    numpy = None

COMMAND = os.environ["AACORN"]
README = Path(os.environ["AACORN_README"])
RATE = 44100


def tones(frames, channels=2):
    """Returns 16-bit samples that are neither silence nor noise."""
    return array.array(
        "h",
        [
            int(9000 * math.sin(0.05 * (1 + channel) * frame) * (1 + frame % 4410 / 4410) / 2)
            for frame in range(frames)
            for channel in range(channels)
        ],
    )


def write_wave(path, samples, channels=2, rate=RATE):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def resident():
    """Returns the resident memory of this process in kilobytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("/proc/self/status has no VmRSS.")


def repeating(data):
    """Returns an M4A file with the offset of its first piece of audio in place of all offsets."""
    start = data.index(b"stco") + 8
    count = int.from_bytes(data[start:start + 4], "big")
    first = data[start + 4:start + 8]
    return data[:start + 4] + first * count + data[start + 4 + 4 * count:]


class OwnError(aacorn.AacornError):
    """An error of a program with its own initializer."""

    def __init__(self, path):
        super().__init__(f"{path} is damaged.", -7)
        self.path = path


class InFolder(unittest.TestCase):
    """Tests with a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Beside(InFolder):
    """Returns the command's output for the same input."""

    def command(self, *words):
        subprocess.run([COMMAND, *map(str, words)], check=True, capture_output=True)

    def test_encoded_bytes_equal_command(self):
        cases = [
            ("m4a", 2, ["-b", "96k"], {"bitrate": 96_000}),
            ("aac", 2, ["-b", "128k", "--effort", "best"], {"bitrate": 128_000, "effort": "best"}),
            ("aac", 1, ["--abr", "64k", "--crc"], {"average_bitrate": 64_000, "checksums": True}),
            ("latm", 2, ["--vbr", "3"], {"quality": 3}),
            ("m4a", 2, ["--profile", "he", "-b", "48k"], {"profile": "he", "bitrate": 48_000}),
            ("m4a", 2, ["--profile", "he2", "-b", "24k"], {"profile": "he2", "bitrate": 24_000}),
            ("m4a", 1, ["--title", "T"], {"title": "T"}),
        ]
        for suffix, channels, words, settings in cases:
            with self.subTest(words):
                samples = tones(50_000, channels)
                source, output = self.folder / "in.wav", self.folder / f"out.{suffix}"
                write_wave(source, samples, channels)
                self.command("encode", "-f", *words, source, "-o", output)
                ours = self.folder / f"ours.{suffix}"
                aacorn.write(ours, samples, RATE, channels=channels, **settings)
                self.assertEqual(ours.read_bytes(), output.read_bytes())

    def test_decoded_samples_equal_command(self):
        for suffix in ("m4a", "aac", "latm"):
            with self.subTest(suffix):
                path, plain = self.folder / f"a.{suffix}", self.folder / "a.raw"
                aacorn.write(path, tones(50_000), RATE, channels=2)
                self.command("decode", "-f", path, "-o", plain, "--sample-format", "f32")
                sound = aacorn.read(path)
                self.assertEqual(memoryview(sound.samples).tobytes(), plain.read_bytes())
                self.assertEqual((sound.sample_rate, sound.channels), (RATE, 2))


class Samples(unittest.TestCase):
    def test_pieces_make_no_difference(self):
        samples = tones(20_000)
        whole = aacorn.encode(samples, RATE, channels=2, format="adts")
        with aacorn.Encoder(RATE, 2, format="adts") as encoder:
            pieces = b"".join(encoder.push(samples[i : i + 998]) for i in range(0, 40_000, 998))
            self.assertEqual(pieces + encoder.finish(), whole)

    def test_sample_formats_give_equal_output(self):
        samples = tones(5000)
        floats = array.array("f", [sample / 32768 for sample in samples])
        expected = aacorn.encode(samples, RATE, channels=2)
        kinds = [samples.tobytes(), floats, array.array("d", floats), list(floats)]
        if numpy is not None:
            ours = numpy.frombuffer(samples, dtype=numpy.int16).reshape(-1, 2)
            kinds += [ours, numpy.array(ours), ours.astype(numpy.float64) / 32768]
            # Planar samples, and every second row.
            kinds.append(numpy.asfortranarray(ours))
            kinds.append(numpy.repeat(ours, 2, axis=0)[::2])
            kinds[-5].setflags(write=False)
        for kind in kinds:
            self.assertEqual(aacorn.encode(kind, RATE, channels=2), expected, type(kind))

    def test_shape_determines_channel_count(self):
        if numpy is None:
            self.skipTest("only numpy arrays have a shape")
        mono = numpy.zeros(3000, dtype=numpy.float32)
        self.assertEqual(aacorn.decode(aacorn.encode(mono, RATE)).channels, 1)
        self.assertEqual(aacorn.decode(aacorn.encode(mono.reshape(-1, 2), RATE)).channels, 2)

    def test_samples_of_one_dimension_need_a_number_of_channels(self):
        for kind in (aacorn.Encoder, aacorn.UnitEncoder):
            encoder = kind(RATE)
            with self.assertRaisesRegex(ValueError, "channels=1 for mono"):
                encoder.push(tones(100, 1))
            encoder.push(memoryview(tones(100)).cast("B").cast("h", [100, 2]))
            self.assertEqual(encoder.facts.channels, 2)
        with aacorn.Encoder(RATE, 1) as encoder:
            encoder.push(tones(100, 1))
            self.assertEqual(aacorn.decode(encoder.finish()).frames, 100)

    def test_wrong_shape_is_rejected_with_expected_shape(self):
        planes = memoryview(tones(100)).cast("B").cast("h", [2, 100])
        cube = memoryview(tones(100)).cast("B").cast("h", [2, 50, 2])
        tries = [
            (lambda: aacorn.Encoder(RATE, 2).push(planes), r"shape \(2, 100\).*\(frames, channels\) with 2 "),
            (lambda: aacorn.encode(planes, RATE, channels=2), r"shape \(2, 100\).*\(frames, channels\)"),
            (lambda: aacorn.Encoder(RATE, 2).push(cube), r"3 dimensions.*\(frames, channels\)"),
        ]
        if numpy is not None:
            array = numpy.array(planes)
            tries.append((lambda: aacorn.encode(array, RATE), r"shape \(2, 100\).*\(frames, channels\)"))
            self.assertEqual(aacorn.decode(aacorn.encode(array.T, RATE)).frames, 100)
        for call, message in tries:
            with self.assertRaisesRegex(ValueError, message):
                call()
        with self.assertRaisesRegex(TypeError, "numbers only"):
            aacorn.encode([[0.0, 0.0]], RATE)

    def test_invalid_data_is_rejected(self):
        for samples, error in [
            (5, TypeError),
            ("text", TypeError),
            (b"abc", ValueError),
            (array.array("B", [1, 2, 3, 4]), TypeError),
            (array.array("i", [1, 2]), TypeError),
            (array.array("h", [1, 2, 3]), ValueError),
        ]:
            with self.assertRaises(error):
                aacorn.encode(samples, RATE, channels=2)


class Errors(unittest.TestCase):
    def test_errors_have_messages(self):
        with self.assertRaises(aacorn.AacornError) as caught:
            aacorn.decode(b"nothing of the kind" * 100)
        self.assertLess(caught.exception.code, 0)
        for error, message, rate, settings in [
            (aacorn.AacornError, "1234 Hz", 1234, {}),
            (ValueError, "sample_rate cannot be", 2**32 + RATE, {}),
            (TypeError, "sample_rate must be a whole number, not '44100'", "44100", {}),
            (ValueError, "sample_rate must be a whole number, not 44100.5", 44100.5, {}),
            (ValueError, "sample_rate must be a whole number, not nan", math.nan, {}),
            (ValueError, "sample_rate must be a whole number, not inf", math.inf, {}),
            (ValueError, "profile is one of", RATE, {"profile": "hi"}),
            (ValueError, "effort is one of", RATE, {"effort": ["best"]}),
            (ValueError, "exclude each other", RATE, {"bitrate": 1, "quality": 2}),
            (TypeError, "bitrate must be a whole number, not '128k'", RATE, {"bitrate": "128k"}),
            (TypeError, "expected_frames must be a whole number, not '9'", RATE, {"expected_frames": "9"}),
            (ValueError, "expected_frames cannot be", RATE, {"expected_frames": 2**64 + 9}),
            (ValueError, "title holds a zero", RATE, {"title": "A\0B"}),
            (TypeError, "title must be a text, not 5", RATE, {"title": 5}),
        ]:
            with self.subTest(message), self.assertRaisesRegex(error, message):
                aacorn.Encoder(rate, **settings)

    def test_zero_does_not_select_a_default(self):
        samples = tones(100)
        names = ("channels", "bitrate", "average_bitrate", "quality", "bandwidth")
        for number in (0, -1, 0.0):
            tries = [{"sample_rate": number}, *({"sample_rate": RATE, name: number} for name in names)]
            for settings in tries:
                message = f"^{list(settings)[-1]} must be 1 or more, not {number}.$"
                with self.subTest(settings):
                    for kind in (aacorn.Encoder, aacorn.UnitEncoder):
                        with self.assertRaisesRegex(ValueError, message):
                            kind(**settings)
                    with self.assertRaisesRegex(ValueError, message):
                        aacorn.encode(samples, **{"channels": 2} | settings)
            with self.assertRaisesRegex(ValueError, "^bitrate must be 1 or more"):
                aacorn.Encoder(RATE).set_bitrate(number)
            with self.assertRaisesRegex(ValueError, "^max_frames must be 1 or more"):
                aacorn.Decoder(max_frames=number)

    def test_whole_numbers_may_be_floats(self):
        samples = tones(2000)
        self.assertEqual(
            aacorn.encode(samples, 44100.0, channels=2.0, bitrate=96e3),
            aacorn.encode(samples, 44100, channels=2, bitrate=96_000),
        )

    def test_errors_can_be_pickled(self):
        with self.assertRaises(aacorn.AacornError) as caught:
            aacorn.decode(b"nothing of the kind" * 100)
        for error in (caught.exception, OwnError("a.m4a")):
            again = pickle.loads(pickle.dumps(error))
            self.assertIs(type(again), type(error))
            self.assertEqual((str(again), again.code), (str(error), error.code))
            self.assertEqual(vars(copy.copy(error)), vars(error))
        self.assertEqual(pickle.loads(pickle.dumps(OwnError("a.m4a"))).path, "a.m4a")

    def test_error_passes_through_process_pool(self):
        with multiprocessing.Pool(1) as pool:
            result = pool.apply_async(aacorn.decode, [b"nothing of the kind" * 100])
            # A pool that cannot unpickle the error never has a result.
            with self.assertRaises(aacorn.AacornError):
                result.get(timeout=60)

    def test_objects_with_memory_cannot_be_copied(self):
        for thing in (aacorn.Encoder(RATE), aacorn.UnitEncoder(RATE), aacorn.Decoder()):
            for call in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    call(thing)

    def test_calls_after_finish_are_rejected(self):
        encoder = aacorn.Encoder(RATE, 2)
        encoder.push(tones(100))
        encoder.finish()
        with self.assertRaises(ValueError):
            encoder.push(tones(100))
        encoder.close()
        encoder.close()
        for call in (encoder.finish, lambda: encoder.facts, lambda: encoder.config):
            with self.assertRaises(ValueError):
                call()
        decoder = aacorn.Decoder()
        decoder.close()
        with self.assertRaises(ValueError):
            decoder.push(b"")


class Limits(unittest.TestCase):
    def test_more_frames_than_the_limit_are_an_error(self):
        for form in ("m4a", "adts"):
            data = aacorn.encode(tones(10_000), RATE, channels=2, format=form)
            frames = aacorn.decode(data).frames
            self.assertEqual(aacorn.decode(data, max_frames=frames).frames, frames)
            with self.assertRaisesRegex(aacorn.AacornError, f"more than {frames - 1} frames") as caught:
                aacorn.decode(data, max_frames=frames - 1)
            self.assertEqual(caught.exception.code, -4)

    def test_limit_counts_all_pushes(self):
        data = aacorn.encode(tones(10_000), RATE, channels=2, format="adts")
        with aacorn.Decoder(max_frames=15_000) as decoder:
            decoder.push(data)
            for _ in range(2):
                with self.assertRaisesRegex(aacorn.AacornError, "more than 15000 frames"):
                    decoder.push(data)

    def test_repeated_bytes_are_an_error(self):
        data = repeating(aacorn.encode(tones(200_000), RATE, channels=2))
        for call in (aacorn.decode, aacorn.inspect):
            with self.assertRaisesRegex(aacorn.AacornError, "list the same bytes") as caught:
                call(data)
            self.assertEqual(caught.exception.code, -4)

    def test_inspection_stores_no_samples(self):
        # Eight channels of silence: 256 MB of samples in some 200 kB.
        silence = bytes(2 * 8 * 4096)
        with aacorn.Encoder(48000, 8, format="adts", quality=1) as encoder:
            data = b"".join(encoder.push(silence) for _ in range(2048)) + encoder.finish()
        code = "import aacorn, resource, sys; print(aacorn.inspect(sys.stdin.buffer.read()).frames); "
        code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        lines = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True).stdout
        frames, kilobytes = map(int, lines.split())
        self.assertGreaterEqual(frames, 2048 * 4096)
        self.assertLess(kilobytes, 100_000)


class Lives(unittest.TestCase):
    def test_memory_does_not_grow(self):
        samples, data = tones(3000), aacorn.encode(tones(3000), RATE, channels=2)

        def use(count):
            for _ in range(count):
                aacorn.Encoder(RATE, 2).push(samples)
                decoder = aacorn.Decoder()
                decoder.push(data)
                decoder.finish()
            gc.collect()
            return resident()

        before = use(200)
        self.assertLess(use(600) - before, 8000)

    def test_other_threads_run_while_the_library_works(self):
        # Python does not switch threads here, so another thread runs only if a call releases the lock.
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(3600)
        samples = tones(400_000)
        encoder = aacorn.Encoder(RATE, 2, effort="fast")
        inside, seen = False, False

        def work():
            nonlocal inside
            for _ in range(200):
                inside = True
                encoder.push(samples)
                inside = False
                if seen:
                    break

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not seen:
            seen = inside
            time.sleep(0.001)
        thread.join()
        self.assertTrue(seen)

    def test_second_thread_is_rejected(self):
        samples = tones(2000)
        objects = [
            (aacorn.Encoder(RATE, 2), "aacorn_encoder_push_int16", samples),
            (aacorn.UnitEncoder(RATE, 2), "aacorn_encoder_push_int16", samples),
            (aacorn.Decoder(), "aacorn_decoder_push", aacorn.encode(samples, RATE, channels=2, format="adts")),
        ]
        for thing, name, data in objects:
            inside, leave = threading.Event(), threading.Event()
            original = getattr(aacorn._library.library, name)

            def push(*arguments):
                inside.set()
                leave.wait()
                return original(*arguments)

            with mock.patch.object(aacorn._library.library, name, push):
                thread = threading.Thread(target=thing.push, args=[data])
                thread.start()
                inside.wait()
                calls = [lambda: thing.push(data), thing.finish, thing.close]
                if isinstance(thing, aacorn.Decoder):
                    calls.append(thing.conceal)
                else:
                    calls += [lambda: thing.facts, lambda: thing.config, lambda: thing.set_bitrate(96_000)]
                failures = []
                for call in calls:
                    try:
                        call()
                    except RuntimeError as error:
                        failures.append(str(error))
                leave.set()
                thread.join()
            expected = f"Another thread is using this {type(thing).__name__}."
            self.assertEqual([failure[:len(expected)] for failure in failures], [expected] * len(calls))
            self.assertTrue(thing.push(data) + thing.finish())
            thing.close()


class Files(InFolder):
    def test_facts(self):
        path = self.folder / "a.m4a"
        aacorn.write(path, tones(44_100), RATE, channels=2, bitrate=96_000)
        facts = aacorn.inspect(path)
        self.assertEqual((facts.sample_rate, facts.channels, facts.frames), (RATE, 2, 44_100))
        self.assertEqual(facts.duration, 1)
        self.assertEqual(facts.byte_count, path.stat().st_size)
        self.assertEqual(facts, aacorn.inspect(path.read_bytes()))
        self.assertEqual(os.listdir(self.folder), ["a.m4a"])

    def test_changed_sample_rate_is_an_error(self):
        data = b"".join(
            aacorn.encode(tones(50_000), rate, channels=2, format="adts") for rate in (44100, 48000)
        )
        with self.assertRaisesRegex(aacorn.AacornError, "change within it"):
            aacorn.decode(data)
        with aacorn.Decoder() as decoder:
            parts = decoder.push(data) + decoder.finish()
        self.assertEqual({part.sample_rate for part in parts}, {44100, 48000})
        facts = aacorn.inspect(data)
        self.assertEqual(facts.sample_rate, 44100)
        self.assertEqual(facts.frames, sum(part.frames for part in parts))
        self.assertAlmostEqual(facts.duration, sum(part.duration for part in parts))

    def test_arrays_are_not_copied(self):
        samples = array.array("f", [0.0] * 2000)
        with aacorn._samples.borrowed_samples(samples, 2) as borrowed:
            self.assertEqual(borrowed.address, samples.buffer_info()[0])

    def test_failed_write_leaves_no_file(self):
        path = self.folder / "a.m4a"
        path.write_bytes(b"before")
        with self.assertRaises(aacorn.AacornError):
            aacorn.write(path, tones(100), 1234, channels=2)
        with self.assertRaisesRegex(ValueError, "give a format"):
            aacorn.write(self.folder / "a.mp3", tones(100), RATE)
        self.assertEqual(path.read_bytes(), b"before")
        self.assertEqual(os.listdir(self.folder), ["a.m4a"])

    def test_bare_units_need_the_configuration(self):
        with aacorn.Encoder(RATE, 2, profile="he", format="adts") as encoder:
            self.assertEqual(encoder.facts.profile, "he")
            self.assertEqual(len(encoder.config) > 1, True)
            encoder.set_bitrate(encoder.facts.bitrate + 4000)
        with aacorn.Decoder(b"\x12\x10") as decoder:
            # Silence: one unit with two channels.
            sounds = decoder.push(bytes([0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80]))
            sounds += decoder.conceal()
            self.assertEqual({(sound.sample_rate, sound.channels) for sound in sounds}, {(RATE, 2)})

    def test_units_equal_units_of_file(self):
        """Bare units and the encoder's configuration are sufficient to write a file."""
        samples = tones(30_123)
        for profile in ("lc", "he", "he2"):
            whole = aacorn.decode(aacorn.encode(samples, RATE, channels=2, profile=profile))
            for step in (len(samples), 4_000):
                with aacorn.UnitEncoder(RATE, 2, profile=profile) as encoder:
                    self.assertIsNone(encoder.facts.remainder)
                    units = []
                    for start in range(0, len(samples), step):
                        units += encoder.push(samples[start:start + step])
                    units += encoder.finish()
                    self.assertEqual(encoder.finish(), [])
                    with self.assertRaises(ValueError):
                        encoder.push(samples)
                    facts, config = encoder.facts, encoder.config
                length = facts.frames_per_unit
                self.assertEqual(
                    [(unit.position, unit.duration) for unit in units],
                    [(index * length - facts.priming, length) for index in range(len(units))],
                )
                self.assertEqual(
                    sum(unit.duration for unit in units),
                    facts.priming + 30_123 + facts.remainder,
                )
                with aacorn.Decoder(config) as decoder:
                    sounds = [sound for unit in units for sound in decoder.push(unit.data)]
                    sounds += decoder.finish()
                decoded = b"".join(sound.samples.tobytes() for sound in sounds)
                frame = 4 * 2
                kept = decoded[facts.priming * frame:(facts.priming + 30_123) * frame]
                self.assertEqual(kept, whole.samples.tobytes())

    def test_missing_library_is_reported(self):
        tried = subprocess.run(
            [sys.executable, "-c", "import aacorn"], capture_output=True, text=True,
            env=os.environ | {"AACORN_LIBRARY": "/nowhere/libaacorn.so"}, cwd=self.folder,
        )
        self.assertEqual(tried.returncode, 1)
        self.assertIn("/nowhere/libaacorn.so", tried.stderr)
        self.assertIn("another system or machine", tried.stderr)

    def test_readme_examples_work(self):
        lines = re.search(r"```python\n(.*?)```", README.read_text(), re.S)[1]
        samples = memoryview(tones(9000)).cast("B").cast("h", [9000, 2])
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            names = {"samples": samples}
            exec(lines, names)
            self.assertEqual(names["sound"].channels, 2)
            self.assertEqual(aacorn.decode(names["stream"]).sample_rate, RATE)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()
