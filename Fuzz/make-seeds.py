#!/usr/bin/env python3
"""Writes small valid inputs for every fuzz target into a folder, one folder a target.

Usage: make-seeds.py aacorn-command folder
Coded sound comes from the command and from the tests' fixtures, files of samples are built here.
"""

import json
import random
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND, FOLDER = sys.argv[1], Path(sys.argv[2])


def seed(target, name, data):
    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def encode(*options):
    command = [COMMAND, "encode", "--quiet", "-o", "-", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def encode_to_file(path, *options):
    """M4A with its tables at the front, which cannot be written to a pipe."""
    command = [COMMAND, "encode", "--quiet", "--force", "-o", str(path), *options]
    subprocess.run(command, check=True)
    return path.read_bytes()


def adts_payloads(stream):
    offset = 0
    while offset < len(stream):
        length = int.from_bytes(stream[offset + 3:offset + 6], "big") >> 5 & 0x1FFF
        yield stream[offset + 7:offset + length]
        offset += length


def coded():
    tone = ("--tone", "0.15")
    adts = encode("--format", "aac", *tone)
    small = encode("--format", "aac", "--bitrate", "32k", "--channels", "1", *tone)
    streams = {
        "adts": adts,
        "adts-small": small,
        "adts-crc": encode("--format", "aac", "--crc", "--bitrate", "48k", *tone),
        "adts-tagged": b"ID3\x04\0\0\0\0\0\x0a" + bytes(10) + small + b"TAG" + bytes(125),
        "latm": encode("--format", "latm", "--bitrate", "48k", *tone),
        "m4a-fragments": encode("--format", "m4a", "--bitrate", "32k", *tone),
        "m4a": encode_to_file(FOLDER / "seed.m4a", "--bitrate", "32k", "--title", "Seed", *tone),
    }
    (FOLDER / "seed.m4a").unlink()
    transport = json.loads(
        (ROOT / "Tests/AACContainersTests/Fixtures/transport-vectors.json").read_text())
    movies = json.loads((ROOT / "Tests/AACContainersTests/Fixtures/mp4-vectors.json").read_text())
    streams["loas-vector"] = bytes.fromhex(transport["loas"])
    streams["adif-vector"] = bytes.fromhex(transport["adif"])
    for name, value in movies.items():
        if isinstance(value, str):
            streams["mp4-" + name] = bytes.fromhex(value)
    for name, data in streams.items():
        kinds = {"adts": "adts", "latm": "latm", "loas": "latm", "adif": "adif", "m4a": "mp4",
                 "mp4": "mp4"}
        seed(kinds[name.split("-")[0]], name, data)
        seed("inspector", name, data)
    for index, payload in enumerate(list(adts_payloads(adts))[:6]):
        seed("access-unit", f"stereo-{index}", bytes([0x24, 4]) + payload)
    for index, payload in enumerate(list(adts_payloads(small))[:3]):
        seed("access-unit", f"mono-{index}", bytes([0x14, 4]) + payload)
    vectors = json.loads((ROOT / "Tests/AACCodecTests/Fixtures/codec-vectors.json").read_text())
    for stream in vectors["streams"]:
        for index, packet in enumerate(stream.get("packets", [])[:3]):
            seed("access-unit", f"{stream['name']}-{index}", bytes([0x24, 4])
                 + bytes.fromhex(packet))
    for index, text in enumerate(["1210", "1190", "1208", "119056e500", "2b920800",
                                  "eb8a0800", "138856e5a5488 0".replace(" ", ""),
                                  "0a00008000", "1200058420082107ff"]):
        seed("configuration", str(index), bytes.fromhex(text + "0" * (len(text) % 2)))


def wave(format_tag, channels, bits, data, extra=b""):
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", format_tag, channels, 44100, 44100 * block, block, bits) + extra
    chunks = b"fmt " + struct.pack("<I", len(form)) + form
    chunks += b"LIST\4\0\0\0INFO" + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def aiff(kind, bits, data, compression=b""):
    rate = bytes.fromhex("400eac44000000000000")
    common = struct.pack(">HIH", 2, len(data) // (bits // 4), bits) + rate + compression
    chunks = b"COMM" + struct.pack(">I", len(common)) + common
    chunks += b"SSND" + struct.pack(">III", len(data) + 8, 0, 0) + data
    return b"FORM" + struct.pack(">I", 4 + len(chunks)) + kind + chunks


def caf(flags, bits, data):
    description = struct.pack(">d4sIIIII", 44100.0, b"lpcm", flags, bits // 4, 1, 2, bits)
    return (b"caff\0\1\0\0desc" + struct.pack(">Q", 32) + description
            + b"chan" + struct.pack(">QIII", 12, 101 << 16 | 2, 0, 0)
            + b"data" + struct.pack(">qI", len(data) + 4, 0) + data)


def samples():
    data = bytes(range(96))
    extensible = struct.pack("<HHI", 22, 24, 3) + bytes.fromhex(
        "0100000000001000800000aa00389b71")
    files = {
        "wav16": wave(1, 2, 16, data), "wav8": wave(1, 1, 8, data),
        "wav24": wave(0xFFFE, 2, 24, data, extensible), "wavf": wave(3, 2, 32, data),
        "ulaw": wave(7, 1, 8, data), "rf64": b"RF64\xff\xff\xff\xffWAVEds64"
        + struct.pack("<IQQQI", 28, 200, 96, 24, 0) + wave(1, 2, 16, data)[12:],
        "aiff": aiff(b"AIFF", 16, data),
        "sowt": aiff(b"AIFC", 16, data, b"sowt\0\0"), "fl32": aiff(b"AIFC", 32, data, b"fl32\0\0"),
        "caf": caf(2, 16, data), "caff": caf(1, 32, data),
    }
    for name, contents in files.items():
        seed("pcm-file", name, contents)


def noise():
    source = random.Random(1)
    for index in range(12):
        seed("encoder", str(index), bytes([source.randrange(13)]) + source.randbytes(60))
        seed("resampler", str(index), source.randbytes(80))


coded()
samples()
noise()
