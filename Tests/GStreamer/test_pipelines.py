"""The elements in pipelines of gst-launch-1.0, compared with the command that AACORN names."""

import array
import math
import os
import random
import re
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

COMMAND = os.environ["AACORN"]
# Loudspeaker masks of WAV files, in the order of the library.
MASKS = {1: 0x4, 2: 0x3, 3: 0x7, 4: 0x107, 5: 0x37, 6: 0x3F, 8: 0x63F}


def write_wave(path, rate, channels, frames):
    """Writes 16-bit audio with a different tone in every channel, drums and noise."""
    noise = random.Random(2024)
    samples = array.array("h")
    for n in range(frames):
        drum = 6000 * noise.uniform(-1, 1) * math.exp(-50 * (n / rate % 0.4))
        for channel in range(channels):
            tone = math.sin(2 * math.pi * (220 + 55 * channel) * n / rate)
            samples.append(round(9000 * tone + drum + noise.uniform(-80, 80)))
    data = samples.tobytes()
    form = struct.pack(
        "<HHIIHHHHI", 0xFFFE, channels, rate, rate * channels * 2, channels * 2, 16, 22, 16,
        MASKS[channels],
    ) + bytes.fromhex("0100000000001000800000aa00389b71")
    path.write_bytes(
        b"RIFF" + struct.pack("<I", 20 + len(form) + len(data)) + b"WAVEfmt "
        + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    )


def read_wave(path):
    """Returns the rate, the channels and the samples of a floating-point file."""
    data = path.read_bytes()
    offset = data.index(b"fmt ") + 8
    tag, channels, rate = struct.unpack_from("<HHI", data, offset)
    bits = struct.unpack_from("<H", data, offset + 14)[0]
    if tag == 0xFFFE:
        tag = struct.unpack_from("<H", data, offset + 24)[0]
    if (tag, bits) != (3, 32):
        raise AssertionError(f"{path.name} has no floating point")
    offset = data.index(b"data", offset) + 8
    size = struct.unpack_from("<I", data, offset - 4)[0]
    return rate, channels, array.array("f", data[offset:offset + size])


def adts_units(path):
    """Returns the units of a stream without their headers."""
    data = path.read_bytes()
    units, offset = [], 0
    while offset < len(data):
        if data[offset] != 0xFF or data[offset + 1] & 0xF0 != 0xF0:
            raise AssertionError(f"{path.name} has no frame at {offset}")
        size = (data[offset + 3] & 3) << 11 | data[offset + 4] << 3 | data[offset + 5] >> 5
        units.append(data[offset + (7 if data[offset + 1] & 1 else 9):offset + size])
        offset += size
    return units


# A rate, channels, and equal settings for the command and for the element.
SETTINGS = [
    (44100, 2, [], ""),
    (44100, 2, ["-b", "96000"], "bitrate=96000"),
    (48000, 2, ["--vbr", "3"], "vbr=3"),
    (44100, 2, ["--effort", "best"], "effort=best"),
    (44100, 2, ["--effort", "fast"], "effort=fast"),
    (32000, 1, [], ""),
    (7350, 1, [], ""),
    (96000, 2, [], ""),
    (48000, 3, [], ""),
    (48000, 4, [], ""),
    (48000, 5, [], ""),
    (48000, 6, [], ""),
    (48000, 8, [], ""),
    (44100, 2, ["--profile", "he", "-b", "48000"], "profile=he bitrate=48000"),
    (32000, 1, ["--profile", "he"], "profile=he"),
    (48000, 6, ["--profile", "he", "-b", "160000"], "profile=he bitrate=160000"),
    (44100, 2, ["--profile", "he2", "-b", "32000"], "profile=he2 bitrate=32000"),
    (48000, 2, ["--profile", "auto", "-b", "24000"], "profile=auto bitrate=24000"),
]


class Pipelines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.sounds = {}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def file(self, name):
        return self.folder / f"{self.id().rsplit('.', 1)[-1]}-{name}"

    def sound(self, rate, channels, frames=None):
        """Returns a file and its number of frames."""
        frames = frames or rate + 123
        path = self.folder / f"sound-{rate}-{channels}-{frames}.wav"
        if not path.exists():
            write_wave(path, rate, channels, frames)
        return path, frames

    def launch(self, *pipeline):
        """Runs a pipeline to its end, and returns its output.

        Failing pipelines are in elements.c, which documents the reason.
        """
        words = " ".join(str(part) for part in pipeline).split()
        ran = subprocess.run(
            ["gst-launch-1.0", *words], capture_output=True, text=True, timeout=300,
            env={**os.environ, "G_DEBUG": "fatal-criticals", "GST_DEBUG": "2", "GST_DEBUG_NO_COLOR": "1"},
        )
        said = ran.stdout + ran.stderr
        self.assertEqual(ran.returncode, 0, said)
        self.assertNotRegex(said, r"CRITICAL|Segmentation|Caught SIG")
        return said

    def command(self, *arguments):
        ran = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def encoded(self, source, suffix, *options):
        path = self.file(f"command.{suffix}")
        self.command("encode", "-q", "-f", *options, source, "-o", path)
        return path

    def decoded(self, source, *options):
        path = self.file("command.wav")
        self.command("decode", "-q", "-f", "--sample-format", "f32", *options, source, "-o", path)
        return read_wave(path)

    def output_of(self, *pipeline):
        """Returns the output samples of a pipeline."""
        path = self.file("output.wav")
        self.launch(*pipeline, "! wavenc ! filesink location=", path)
        return read_wave(path)

    def assert_same_sound(self, output, expected):
        """Compares two results of read_wave; describes the first difference."""
        self.assertEqual(output[:2], expected[:2])
        channels = output[1]
        differing = (n for n, (one, other) in enumerate(zip(output[2], expected[2])) if one != other)
        first = next(differing, None)
        self.assertTrue(
            output[2] == expected[2],
            f"{len(output[2]) // channels} frames instead of {len(expected[2]) // channels}, the first "
            f"other one at {None if first is None else first // channels}")

    def read(self, source):
        """Returns the start of a pipeline, with 16-bit samples."""
        return f"filesrc location={source} ! wavparse"

    def test_units_equal_units_of_command(self):
        for rate, channels, options, properties in SETTINGS:
            with self.subTest(rate=rate, channels=channels, properties=properties):
                source, _ = self.sound(rate, channels)
                expected = adts_units(self.encoded(source, "aac", *options))
                raw, adts = self.file("raw"), self.file("aac")
                self.launch(
                    self.read(source), "! aacornenc", properties, "! tee name=t",
                    "t. ! queue ! filesink location=", raw,
                    "t. ! queue ! aacparse ! audio/mpeg,stream-format=adts ! filesink location=", adts)
                self.assertTrue(raw.read_bytes() == b"".join(expected))
                self.assertTrue(adts_units(adts) == expected)

    def test_floating_point_encodes_to_same_units(self):
        source, _ = self.sound(44100, 2)
        raw = self.file("raw")
        self.launch(
            self.read(source), "! audioconvert ! audio/x-raw,format=F32LE ! aacornenc",
            "! filesink location=", raw)
        expected = b"".join(adts_units(self.encoded(source, "aac")))
        self.assertTrue(raw.read_bytes() == expected)

    def test_round_trip(self):
        for rate, channels, options, properties in SETTINGS:
            with self.subTest(rate=rate, channels=channels, properties=properties):
                source, frames = self.sound(rate, channels)
                expected = self.decoded(self.encoded(source, "m4a", *options))
                output = self.output_of(self.read(source), "! aacornenc", properties, "! aacorndec")
                self.assert_same_sound(output, expected)
                self.assertEqual(len(output[2]), frames * channels)

    def test_files_of_command_are_decoded(self):
        """M4A files are trimmed by their edit list, exact to the frame. GStreamer 1.22's qtdemux compares times
        before the edit list with the length after it, so it may omit audio at the end, as long as the delay.
        """
        for rate, channels, options, properties in SETTINGS:
            with self.subTest(rate=rate, channels=channels, properties=properties):
                source, frames = self.sound(rate, channels)
                coded = self.encoded(source, "m4a", *options)
                output = self.output_of(f"filesrc location={coded} ! qtdemux ! aacorndec")
                expected, count = self.decoded(coded), len(output[2])
                self.assert_same_sound(output, (*expected[:2], expected[2][:count]))
                self.assertGreater(count, (frames - 4096) * channels)

    def test_streams_of_command_are_decoded(self):
        """ADTS contains no trim."""
        for rate, channels, options, properties in SETTINGS:
            with self.subTest(rate=rate, channels=channels, properties=properties):
                source, _ = self.sound(rate, channels)
                coded = self.encoded(source, "aac", *options)
                output = self.output_of(f"filesrc location={coded} ! aacparse ! aacorndec")
                self.assert_same_sound(output, self.decoded(coded, "--untrimmed"))

    def test_files_of_muxers_contain_units(self):
        """The units are written to files, and read from them again."""
        for properties, options in (
            ("", []), ("profile=he bitrate=48000", ["--profile", "he", "-b", "48000"]),
            ("profile=he2 bitrate=32000", ["--profile", "he2", "-b", "32000"]),
        ):
            source, _ = self.sound(44100, 2)
            expected = adts_units(self.encoded(source, "aac", *options))
            for muxer, demuxer in (
                ("mp4mux", "qtdemux"), ("qtmux", "qtdemux"), ("mp4mux fragment-duration=200", "qtdemux"),
                ("matroskamux", "matroskademux"), ("flvmux", "flvdemux"),
            ):
                with self.subTest(properties=properties, muxer=muxer):
                    path, raw = self.file("muxed"), self.file("raw")
                    self.launch(
                        self.read(source), "! aacornenc", properties, f"! {muxer} ! filesink location=",
                        path)
                    self.launch(f"filesrc location={path} ! {demuxer} ! filesink location=", raw)
                    self.assertTrue(raw.read_bytes() == b"".join(expected))
                    if demuxer == "qtdemux":
                        self.assertIn("Faults       none", self.command("inspect", path))
                    rate, channels, output = self.output_of(
                        f"filesrc location={path} ! {demuxer} ! aacorndec")
                    self.assertEqual((rate, channels), (44100, 2))
                    self.assertGreaterEqual(len(output), 2 * 44100)

    def test_rtp(self):
        """Packets have no clipping: the output includes the delay and the padding."""
        source, _ = self.sound(44100, 2)
        for options, properties in (([], ""), (["--profile", "he2", "-b", "32000"], "profile=he2 bitrate=32000")):
            output = self.output_of(
                self.read(source), "! aacornenc", properties, "! rtpmp4gpay ! rtpmp4gdepay ! aacorndec")
            expected = self.decoded(self.encoded(source, "aac", *options), "--untrimmed")
            self.assert_same_sound(output, expected)

    def test_caps(self):
        for properties, fields in (
            ("", ["profile=(string)lc", "level=(string)2", "base-profile=(string)lc"]),
            ("profile=he", ["profile=(string)he-aac-v1", "base-profile=(string)lc"]),
            ("profile=he2", ["profile=(string)he-aac-v2", "base-profile=(string)lc"]),
        ):
            said = self.launch(
                "-v audiotestsrc num-buffers=9 ! audio/x-raw,rate=44100,channels=2 !",
                "aacornenc name=encoder", properties, "! fakesink")
            caps = re.search(r"encoder.GstPad:src: caps = (.*)", said)[1]
            for field in [*fields, "rate=(int)44100", "channels=(int)2", "codec_data=(buffer)"]:
                self.assertIn(field, caps)

    def test_loudspeakers_are_converted(self):
        """Other loudspeakers or rates are converted before the element."""
        self.launch(
            "audiotestsrc num-buffers=9 ! audio/x-raw,rate=50000,channels=4,channel-mask=(bitmask)0x33",
            "! audioconvert ! audioresample ! aacornenc ! fakesink")

    def test_damage(self):
        """A pipeline ends by itself and without a crash for any input."""
        for rate, channels, properties in (
            (44100, 2, ""), (44100, 2, "profile=he2 bitrate=32000"), (48000, 6, ""),
        ):
            source, frames = self.sound(rate, channels)
            for seed in range(4):
                _, _, output = self.output_of(
                    self.read(source), "! aacornenc", properties,
                    f"! breakmydata probability=0.001 seed={seed} ! aacorndec")
                self.assertEqual(len(output), frames * channels)
            coded = self.encoded(source, "aac")
            data, offset = bytearray(coded.read_bytes()), 0
            for unit in adts_units(coded):
                # Keep the headers: aacparse treats changed headers as a new stream.
                data[offset + 7 + len(unit) // 3] ^= 0x55
                offset += 7 + len(unit)
            coded.write_bytes(data[:-100])
            self.output_of(f"filesrc location={coded} ! aacparse ! aacorndec")


if __name__ == "__main__":
    unittest.main()
