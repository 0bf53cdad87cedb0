#!/usr/bin/env python3
"""Writes small valid inputs for every fuzz target to a folder, with a subfolder for each target.

Usage: make-seeds.py fuzzer folder
Coded sound comes from the command inside the fuzzer and from the tests' fixtures; files of samples,
and what servers, browsers and people say, are built here.
"""

import base64
import json
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND, FOLDER = sys.argv[1], Path(sys.argv[2])
ENVIRONMENT = os.environ | {"AACORN_FUZZ_COMMAND": "1"}


def seed(target, name, data):
    folder = FOLDER / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def encode(*options):
    command = [COMMAND, "encode", "--quiet", "-o", "-", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, env=ENVIRONMENT).stdout


def encode_to_file(path, *options):
    """Encodes M4A with its tables at the start, which cannot be written to a pipe."""
    command = [COMMAND, "encode", "--quiet", "--force", "-o", str(path), *options]
    subprocess.run(command, check=True, env=ENVIRONMENT)
    return path.read_bytes()


def adts_payloads(stream):
    offset = 0
    while offset < len(stream):
        length = int.from_bytes(stream[offset + 3:offset + 6], "big") >> 5 & 0x1FFF
        yield stream[offset + 7:offset + length]
        offset += length


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def boxes(data):
    offset = 0
    while offset < len(data):
        length, kind = struct.unpack_from(">I4s", data, offset)
        yield kind, data[offset + 8:offset + length]
        offset += length


def text_track(names, offset):
    """Returns a chapter track of QuickTime with one name per second."""
    sizes = b"".join(struct.pack(">I", 2 + len(name)) for name in names)
    full = bytes(4)
    return box(b"trak", box(b"tkhd", full + struct.pack(">IIII", 0, 0, 7, 0) + bytes(64)) + box(
        b"mdia", box(b"mdhd", full + struct.pack(">IIIIHH", 0, 0, 600, 600 * len(names), 0x55C4, 0))
        + box(b"hdlr", full + bytes(4) + b"text" + bytes(13)) + box(b"minf", box(
            b"stbl", box(b"stsd", full + struct.pack(">I", 1) + box(b"text", bytes(51)))
            + box(b"stts", full + struct.pack(">III", 1, len(names), 600))
            + box(b"stsc", full + struct.pack(">IIII", 1, 1, len(names), 1))
            + box(b"stsz", full + struct.pack(">II", 0, len(names)) + sizes)
            + box(b"stco", full + struct.pack(">II", 1, offset))))))


def chaptered(movie, names, list_count=0):
    """Returns the file with chapters of both kinds, and tags that are copied unchanged."""
    parts = list(boxes(movie))
    front = b"".join(box(b"free" if kind == b"moov" else kind, data) for kind, data in parts)
    front += box(b"free", b"".join(struct.pack(">H", len(name)) + name for name in names))
    offset = len(front) - sum(2 + len(name) for name in names)
    tags = box(b"----", box(b"mean", bytes(4) + b"org.aacorn") + box(b"name", bytes(4) + b"parts")
               + box(b"data", struct.pack(">II", 1, 0) + b" 0000000000000400 0000000000000800"))
    tags += box(b"trkn", box(b"data", struct.pack(">IIHHHH", 0, 0, 0, 1, 2, 0)))
    moov = b""
    for kind, data in boxes(dict(parts)[b"moov"]):
        if kind == b"trak":
            data += box(b"tref", box(b"chap", struct.pack(">I", 7)))
        if kind != b"udta":
            moov += box(kind, data)
    times = b"".join(struct.pack(">QB", index * 10_000_000, len(name)) + name
                     for index, name in enumerate(names[:list_count]))
    moov += text_track(names, offset) + box(
        b"udta", box(b"chpl", struct.pack(">IIB", 1 << 24, 0, list_count) + times)
        + box(b"meta", bytes(4) + box(b"hdlr", bytes(8) + b"mdirappl" + bytes(9))
              + box(b"ilst", tags)))
    return front + box(b"moov", moov)


def stating_loudness(movie):
    """Returns the file with its loudness in both box versions, and in tags of other programs."""
    front = b"".join(box(b"free" if kind == b"moov" else kind, data) for kind, data in boxes(movie))
    statement = bytes.fromhex("0000 2a02c0 23 04 01a723 04b013 05ab13 061413")
    several = bytes.fromhex("01000000 02 01") + statement + bytes(1) + statement
    loudness = box(b"ludt", box(b"tlou", several) + box(b"tlou", bytes(4) + statement)
                   + box(b"alou", bytes(4) + statement))
    tag = box(b"----", box(b"mean", bytes(4) + b"com.apple.iTunes")
              + box(b"name", bytes(4) + b"REPLAYGAIN_TRACK_GAIN")
              + box(b"data", struct.pack(">II", 1, 0) + b"-2.00 dB"))
    tags = box(b"udta", box(b"meta", bytes(4) + box(b"hdlr", bytes(8) + b"mdirappl" + bytes(9))
                            + box(b"ilst", tag)))
    moov = b""
    for kind, data in boxes(dict(boxes(movie))[b"moov"]):
        if kind == b"trak":
            data += box(b"udta", loudness)
        if kind != b"udta":
            moov += box(kind, data)
    return front + box(b"moov", moov + tags)


def section_checksum(data):
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte << 24
        for _ in range(8):
            register = (register << 1 ^ (0x04C11DB7 if register >> 31 else 0)) & 0xFFFFFFFF
    return struct.pack(">I", register)


def section(table, number, content):
    data = struct.pack(">BHHBH", table, 0xB000 + len(content) + 9, number, 0xC1, 0) + content
    return b"\0" + data + section_checksum(data)


def transport_stream(kind, data, before=b""):
    """Returns two tables and PES packets of a thousand bytes."""
    packets = []

    def put(identifier, payload):
        for start in range(0, len(payload), 184):
            part = payload[start:start + 184]
            counter = sum(1 for packet in packets if packet[0] == identifier) & 15
            rest = 184 - len(part)
            field = b"" if rest == 0 else (b"\0" if rest == 1 else
                                          bytes([rest - 1, 0]) + b"\xff" * (rest - 2))
            packets.append((identifier, bytes([
                0x47, (0x40 if start == 0 else 0) | identifier >> 8, identifier & 0xFF,
                (0x30 if rest else 0x10) | counter]) + field + part))

    put(0, section(0, 1, struct.pack(">HH", 1, 0xF000)))
    put(0x1000, section(2, 1, struct.pack(">HHBHH", 0xE100, 0xF000, kind, 0xE100, 0xF000)))
    for start in range(0, len(data), 1000):
        part = data[start:start + 1000]
        put(0x100, b"\0\0\1\xc0" + struct.pack(">H", len(part) + 8) + b"\x80\x80\5"
            + b"\x21\0\1\0\1" + part)
    return b"".join(before + packet for _, packet in packets)


def id3_tag():
    """Returns an ID3 tag of version 2.3 with texts in Latin 1 and UTF-16."""
    fields = {b"TIT2": b"\0Seed", b"TPE1": b"\1" + "Três".encode("utf-16"), b"TCON": b"\0(17)",
              b"COMM": b"\0eng\0words", b"TRCK": b"\x001/2",
              b"APIC": b"\0image/png\0\3\0\x89PNG\r\n\x1a\n"}
    frames = b"".join(name + struct.pack(">IH", len(field), 0) + field
                      for name, field in fields.items())
    return b"ID3\3\0\0" + bytes([0, 0, len(frames) >> 7, len(frames) & 127]) + frames


def coded():
    tone = ("--tone", "0.15")
    adts = encode("--format", "aac", *tone)
    small = encode("--format", "aac", "--bitrate", "32k", "--channels", "1", *tone)
    streams = {
        "adts": adts,
        "adts-small": small,
        "adts-crc": encode("--format", "aac", "--crc", "--bitrate", "48k", *tone),
        "adts-id3": id3_tag() + small,
        "adts-tagged": b"ID3\x04\0\0\0\0\0\x0a" + bytes(10) + small + b"TAG" + bytes(125),
        "adts-he": encode("--format", "aac", "--profile", "he", "--bitrate", "32k", *tone),
        "adts-he2": encode("--format", "aac", "--profile", "he2", "--bitrate", "24k", *tone),
        "latm": encode("--format", "latm", "--bitrate", "48k", *tone),
        "latm-he": encode("--format", "latm", "--profile", "he", "--bitrate", "32k", *tone),
        "latm-he2": encode("--format", "latm", "--profile", "he2", "--bitrate", "24k", *tone),
        "m4a-fragments": encode("--format", "m4a", "--bitrate", "32k", *tone),
        "m4a": encode_to_file(FOLDER / "seed.m4a", "--bitrate", "32k", "--title", "Seed", *tone),
    }
    (FOLDER / "seed.m4a").unlink()
    names = [b"One", b"\xfe\xff\0T\0w\0o", "Três".encode()]
    streams["m4a-chapters"] = chaptered(streams["m4a"], names)
    streams["m4a-list"] = chaptered(streams["m4a"], names[::2], 2)
    streams["m4a-loudness"] = stating_loudness(streams["m4a"])
    transport = json.loads(
        (ROOT / "Tests/AacornContainersTests/Fixtures/transport-vectors.json").read_text())
    movies = json.loads((ROOT / "Tests/AacornContainersTests/Fixtures/mp4-vectors.json").read_text())
    streams["ts-adts"] = transport_stream(0x0F, small)
    streams["ts-timed"] = transport_stream(0x0F, small, before=bytes(4))
    streams["ts-latm"] = transport_stream(0x11, streams["latm"])
    streams["loas-vector"] = bytes.fromhex(transport["loas"])
    streams["adif-vector"] = bytes.fromhex(transport["adif"])
    for name, value in movies.items():
        if isinstance(value, str):
            streams["mp4-" + name] = bytes.fromhex(value)
    for name, data in streams.items():
        kinds = {"adts": "adts", "latm": "latm", "loas": "latm", "adif": "adif", "m4a": "mp4",
                 "mp4": "mp4", "ts": "transport-stream"}
        seed(kinds[name.split("-")[0]], name, data)
        for target in ("inspector", "repair", "library", "coded-file", "coded-sound"):
            seed(target, name, data)
    for path in (ROOT / "Tests/AacornInspectionTests/Damaged").glob("*/*"):
        seed("repair", path.name, path.read_bytes())
    for index, payload in enumerate(list(adts_payloads(adts))[:6]):
        seed("access-unit", f"stereo-{index}", bytes([0x24, 4]) + payload)
    for index, payload in enumerate(list(adts_payloads(small))[:3]):
        seed("access-unit", f"mono-{index}", bytes([0x14, 4]) + payload)
    vectors = json.loads((ROOT / "Tests/AacornCodecTests/Fixtures/codec-vectors.json").read_text())
    for stream in vectors["streams"]:
        for index, packet in enumerate(stream.get("packets", [])[:3]):
            seed("access-unit", f"{stream['name']}-{index}", bytes([0x24, 4])
                 + bytes.fromhex(packet))
    units(adts, small, streams["adts-he"], streams["adts-he2"])
    for index, text in enumerate(["1210", "1190", "1208", "119056e500", "2b920800",
                                  "eb8a0800", "138856e5a5488 0".replace(" ", ""),
                                  "0a00008000", "1200058420082107ff"]):
        seed("configuration", str(index), bytes.fromhex(text + "0" * (len(text) % 2)))


def units(stereo, mono, replicated, parametric):
    """Writes units of the encoder, and silent units with random bytes of band replication."""
    def stream(configuration, units, choice=0):
        configuration = bytes.fromhex(configuration)
        return bytes([choice | len(configuration)]) + configuration + b"".join(
            struct.pack(">H", len(unit)) + unit for unit in units)

    source = random.Random(4)
    seed("decoder", "stereo", stream("1210", list(adts_payloads(stereo))[:8]))
    seed("decoder", "mono", stream("1208", list(adts_payloads(mono))[:8] + [b""], choice=0x80))
    seed("decoder", "replicated", stream("1390", list(adts_payloads(replicated))[:8]))
    seed("decoder", "parametric", stream("1388", list(adts_payloads(parametric))[:8]))
    for index in range(24):
        silent = []
        for _ in range(32):
            # A channel without bands; a fill element of 45 bytes with its own header and valid
            # frequencies.
            rest = source.getrandbits(339)
            bits = ("000" + "0000" + "01100100" + "0" * 11 + "000"
                    + "110" + "1111" + f"{31:08b}" + "1101" + "1" + "0" + "0101" * 2 + "0" * 7
                    + f"{rest:0339b}" + "111")
            bits += "0" * (-len(bits) % 8)
            silent.append(int(bits, 2).to_bytes(len(bits) // 8, "big"))
        seed("decoder", f"replication-{index}", stream("1388" if index % 2 else "1208", silent))


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
        seed("library", name, contents)
    # Flags, channels, bits, bytes per frame and frames: packed, in the upper bits of wider words of
    # either byte order, with planar channels, and with fraction bits.
    for name, flags, channels, bits, size, frames in [
        ("int16", 12, 2, 16, 4, 24), ("upper24", 4 | 16, 2, 24, 8, 12),
        ("lower20", 2 | 4, 1, 20, 4, 24), ("planes", 9 | 32, 2, 32, 4, 24),
        ("double", 1 | 2 | 8, 1, 64, 8, 12), ("fixed", 12 | 24 << 7, 1, 32, 4, 24),
    ]:
        seed("buffer", name, struct.pack(">HBBBB", flags, channels, bits, size, frames) + data)
    seed("buffer", "cookie", bytes.fromhex(
        "038080802200000004808080144015000600000000000000000005808080021210068080800102"))
    seed("buffer", "layout", struct.pack("<III", 121 << 16 | 6, 0, 0) + bytes([6]))


def tags():
    """Writes files with tags and without audio."""
    png = b"\x89PNG\r\n\x1a\n"
    picture = struct.pack(">II9sI16xI", 3, 9, b"image/png", 0, len(png)) + png
    entries = [b"TITLE=a", b"ARTIST=b", b"ARTIST=c", b"TRACKNUMBER=3/4", b"COMPILATION=1", b"BPM=99", b"MOOD=d",
               b"CHAPTER001=00:00:01.5", b"CHAPTER001NAME=e",
               b"METADATA_BLOCK_PICTURE=" + base64.b64encode(picture)]
    comment = struct.pack("<4xI", len(entries)) + b"".join(struct.pack("<I", len(e)) + e for e in entries)

    def block(kind, content):
        return struct.pack(">I", kind << 24 | len(content)) + content

    def pages(*packets):
        data = b""
        for index, packet in enumerate(packets):
            lengths = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
            data += b"OggS\0" + bytes([0 if index else 2]) + bytes(20) + bytes([len(lengths)]) + lengths + packet
        return data

    def chunk(order, name, content):
        return name + struct.pack(order + "I", len(content)) + content + bytes(len(content) % 2)

    info = chunk("<", b"LIST", b"INFO" + chunk("<", b"INAM", b"name\0") + chunk("<", b"ITRK", b"7\0"))
    wave = b"WAVE" + info + chunk("<", b"bext", b"text".ljust(338, b"\0")) + chunk("<", b"id3 ", id3_tag())
    form = b"AIFF" + chunk(">", b"NAME", b"name") + chunk(">", b"ANNO", b"note") + chunk(">", b"ID3 ", id3_tag())
    items = b"".join(struct.pack("<II", len(value), flags) + name + b"\0" + value for name, flags, value in [
        (b"Title", 0, b"a"), (b"Mood", 0, b"a\0b"), (b"Cover Art (Front)", 2, b"c\0" + png)])
    ape = items + b"APETAGEX" + struct.pack("<IIII8x", 2000, len(items) + 32, 3, 0)
    frames = b"".join(name + struct.pack(">IH", len(field), 0) + field for name, field in [
        (b"TXXX", b"\0MOOD\0calm"), (b"UFID", b"http://musicbrainz.org\0id"), (b"WXXX", b"\0\0http://a.b"),
        (b"TIPL", b"\3mix\0me"), (b"TYER", b"\x002001"), (b"TDAT", b"\x003105"),
        (b"CHAP", b"c\0" + bytes(16) + b"TIT2\0\0\0\2\0\0\0a")])
    named = b"ID3\4\0\0" + bytes([0, 0, len(frames) >> 7, len(frames) & 127]) + frames
    old = b"ID3\2\0\0\0\0\0\x10" + b"TT2\0\0\2\0aTCO\0\0\2\x007"
    for name, data in {
        "flac": b"fLaC" + block(0, bytes(34)) + block(6, picture) + block(0x84, comment),
        "vorbis": pages(b"\1vorbis", b"\3vorbis" + comment), "opus": pages(b"OpusHead", b"OpusTags" + comment),
        "flac-ogg": pages(b"\x7fFLAC", block(4, comment), block(0x86, picture)),
        "wav": b"RIFF" + struct.pack("<I", len(wave)) + wave, "aiff": b"FORM" + struct.pack(">I", len(form)) + form,
        "caf": b"caff\0\1\0\0info" + struct.pack(">QI", 16, 1) + b"title\0value\0",
        "mp3": id3_tag() + bytes(4) + ape + b"TAG" + b"a" * 124 + b"\x11", "id3v1": b"TAG" + b"a" * 122 + b"\0\7\x11",
        "id3v22": old, "id3v24": named, "items": box(b"\xa9nam", box(b"data", b"\0\0\0\1\0\0\0\0name"))
        + box(b"covr", box(b"data", bytes(8) + png)),
    }.items():
        seed("tags", name, data)
    # The choices for a file with many tags: its kind, their number and length, the filling, parts of the names, the
    # value, and whether the names differ.
    for kind in range(6):
        for name, suffix, different in ((0, 0, 1), (1, 2, 1), (3, 2, 0)):
            seed("tags", f"many-{kind}-{name}", bytes([kind, 4, 8, 1, name, suffix, 3 if kind == 3 else 0, different]))


def noise():
    source = random.Random(1)
    for index in range(12):
        seed("encoder", str(index), bytes([source.randrange(13)]) + source.randbytes(60))
        seed("resampler", str(index), source.randbytes(80))


def amf(value):
    """Encodes a value in Action Message Format 0."""
    if value is None:
        return b"\5"
    if isinstance(value, bool):
        return bytes([1, value])
    if isinstance(value, (int, float)):
        return b"\0" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\2" + struct.pack(">H", len(value)) + value.encode()
    members = b"".join(struct.pack(">H", len(k)) + k.encode() + amf(v) for k, v in value.items())
    return b"\3" + members + b"\0\0\x09"


def chunk(stream, kind, payload):
    """Returns a message of one chunk or, beyond 128 bytes, of several chunks."""
    pieces = [payload[i:i + 128] for i in range(0, len(payload), 128)] or [b""]
    head = bytes([stream]) + bytes(3) + len(payload).to_bytes(3, "big") + bytes([kind]) + bytes(4)
    return head + bytes([0xC0 | stream]).join(pieces)


def command(*values):
    return chunk(3, 20, b"".join(amf(value) for value in values))


def status(level, code, words=""):
    return {"level": level, "code": code, "description": words}


def servers():
    connected = command("_result", 1, {"fmsVer": "x"},
                        status("status", "NetConnection.Connect.Success"))
    begun = chunk(2, 5, struct.pack(">I", 5_000_000)) + chunk(2, 1, struct.pack(">I", 4096))
    talk = begun + connected + command("_result", 4, None, 1)
    started = command("onStatus", 0, None, status("status", "NetStream.Publish.Start"))
    refused = [command("_error", 1, None, status("error", "NetConnection.Connect.Rejected", words))
               for words in ("[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ] :",
                             "authmod=adobe : ?reason=needauth&user=anna&salt=abc=&challenge=def="
                             "&opaque=ghi=", "hunter2-is-secret is not a key")]
    said = {
        "publishes": talk + started + chunk(2, 4, b"\0\6\0\0\0\1") + started,
        "taken": talk + command("onStatus", 0, None, status("error", "NetStream.Publish.BadName")),
        "ends": talk + started + command("close", 0, None), "asks": refused[0] + refused[1],
        "tells": refused[2], "values": b"".join(map(amf, [1, True, "a", {"b": None}])),
        "array": b"\x0a\0\0\0\2" + amf(1) + amf("x") + b"\x08\0\0\0\1\0\1a\5\0\0\x09",
    }
    for name, data in said.items():
        seed("rtmp", name, data)
    answers = [
        b"HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\nHTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.0 401 Authentication Required\r\nWWW-Authenticate: Basic\r\n\r\nhunter2-is-secret",
        b"HTTP/1.0 403 Forbidden\r\nContent-Length: 40\r\n\r\n<html><body><b>Mountpoint in use</b>",
        b"HTTP/1.1 404 Not Found\n\n", b"ICY 200 OK\r\n\r\n", b"ICE/1.0 405 No\r\n\r\nHTTP/1.0 200 OK\r\n\r\n",
    ]
    for index, data in enumerate(answers):
        seed("icecast", str(index), data)


def broadcasts():
    answers = [
        b"ICY 200 OK\r\nicy-metaint: 256\r\n\r\n"
        + b"abcd" * 64 + b"\x02StreamTitle='It's on';".ljust(33, b"\0") + b"efgh" * 64 + b"\x00ij",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nabcd\r\n0\r\n\r\n",
        b"HTTP/1.0 206 Partial Content\nContent-Length: 3\n\nabcdef",
        b"HTTP/1.1 302 Found\r\nLocation: /other?x#y\r\n\r\n", b"http://[::1]:8000/live?a=b#c",
        b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\nlow.m3u8\n",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"i\",BYTERANGE=\"8@0\"\n"
        b"#EXT-X-BYTERANGE:9@8\na\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\nb\n#EXT-X-ENDLIST\n",
    ]
    for index, data in enumerate(answers):
        seed("http", str(index), data)


def requests():
    form = "device=&format=aac&mode=vbr&quality=4&sampleRate=44100&channels=1&voice=true&gain=-3.5"
    said = [
        "GET /?token=0123456789abcdef\nHost: localhost:4848\n\n",
        "GET /api/recordings\nHost: 127.0.0.1\nCookie: a=b; aacorn-studio-4848=0123456789abcdef\n\n",
        "HEAD /recordings/talk.m4a\nHost: [::1]:4848\nRange: bytes=10-20\nIf-Range: \"a-1\"\n\n",
        "GET /hls/fedcba9876543210/live.m3u8?_HLS_msn=3&_HLS_part=1\nHost: box.local\n\n",
        "GET http://localhost/a%20b/%C3%A4\nHost: localhost\nIf-None-Match: W/\"a-1\", \"b\"\n\n",
        "POST /api/record\nHost: localhost\nX-Aacorn: studio\nOrigin: http://localhost\n"
        "Authorization: Bearer 0123456789abcdef\nContent-Length: 90\n\n" + form
        + "&effects=speech%2C+limiter+-2&name=A+name&output=hls"
        + "&output=icecast://source:p%40ss@radio.example/live.aac",
        "PUT /api/uploads/1\nHost: 192.168.1.5:4848\nSec-Fetch-Site: same-origin\nRange: bytes=-5\n\nx",
    ]
    for index, text in enumerate(said):
        seed("request", str(index), text.encode())
    head = "POST /a?b HTTP/1.1\r\nHost: localhost:4848\r\n"
    sent = [
        "GET / HTTP/1.0\r\n\r\n\r\n" + head + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
        head + "Transfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n00a\r\n0123456789\r\n0\r\nX-Sum: 7\r\n\r\n",
        head + "X: \t y \r\nConnection: close, x\r\n\r\n" + head + "X: y\r\n z\r\n\r\n",
    ]
    for index, text in enumerate(sent):
        for choice in b"\0\4\x84":
            seed("connection", f"{index}-{choice}", bytes([choice]) + text.encode())


def extremes():
    """Writes choices for files of extreme numbers, the same in every run."""
    choices = random.Random(1)
    for index in range(300):
        seed("extremes", str(index), choices.randbytes(1000))


def texts():
    words = {
        "address": [
            "icecast://source:p%40ss@radio.example:8000/live.aac", "rtmps://anna:pw@live.example/app/KEY?a=b",
            "https://[fe80::1%25eth0]:8443/x", "http://proxy:3128", "[::1]:8080", "*:80", "127.0.0.1:4848",
            "rtmp://live.example/app/instance/key", "a%2Fb+c",
        ],
        "gaps": [
            '[\n{"position":5,"length":480,"cause":"overrun","filled":true,"time":"2026-11-20T10:00:00Z"},'
            '\n{"position":900,"length":48000,"cause":"paused","filled":false}\n]\n',
            '{"a":[1,-2.5e3,"\\u00e4\\ud83d\\ude00\\n",null,true,false,{}]}', '["]",{"x":"}"}]',
        ],
        "names": [
            "talk.m4a", "a/b/../c.AAC", ".hidden", "file:/tmp/a.wav", "1.0.5", '{ "name": "alsa\\"x" }', "Artist - Title\n",
            "1767225600000-0123456789abcdef", "<html><body class=x>No <b>entry</b></body>", "\u202eabc",
            "Größe \u0308.m4a", "[ AUX0, AUX4095 AUX4294967295 ]\n2\n48000\nusb\nMic\n44100", "FL,FR\n-1",
        ],
        "manifest": [
            "/data/one.wav\n\n./two/../two.flac\r\n",
            '{"input":"a.wav","output":"out/a.m4a","id":7,"bitrate":"64k","crc":true,"rate":48000}\n'
            '{"input":"b.wav","vbr":4,"title":"B\\u00e4r","effects":"limiter -1","output":null}\n',
            '{"line":1,"id":"x","input":"a.wav","output":"a.m4a","status":"damaged","settings":"aacorn-1 vbr=4",'
            '"inputSHA256":"00","inputBytes":5,"inputTime":1767225600000000000,"outputSHA256":null,"outputBytes":9,'
            '"samples":4,"sampleRate":48000,"attempts":2,"elapsed":0.125,"warnings":["short"]}\n'
            '{"line":2,"input":"b.wav","output":"b.m4a","status":"failed","error":"bad-input","message":"No sound."}\n',
            "3/16\n1\n0\n",
        ],
    }
    for target, list in words.items():
        for index, text in enumerate(list):
            seed(target, str(index), text.encode())
    # A PipeWire format: an object with properties, one of them with a choice of values.
    properties = [(1, 3, 1), (2, 3, 1), (0x10001, 3, 0x11B), (0x10003, 4, 48_000), (0x10004, 4, 2)]
    pod = b"".join(struct.pack("<6I", key, 0, 4, type, value, 0) for key, type, value in properties)
    pod += struct.pack("<10I", 0x10003, 0, 24, 19, 1, 0, 4, 4, 8000, 96_000)
    seed("names", "format", struct.pack("<4I", 8 + len(pod), 15, 0x40003, 3) + pod)
    seed("names", "bytes", bytes([0x66, 0xFC, 0x2E, 0x6D, 0x34, 0x61, 0xE2, 0x82]))
    playlist = ("#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n"
                "#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2.0,\nstream-live-20261120T190354123Z-1.m4s\n"
                '#EXT-X-PART:DURATION=0.5,URI="stream-live-20261120T190354123Z-2.0.m4s"\n'
                '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="stream-live-20261120T190354123Z-2.1.m4s"\n')
    seed("playlist", "live", b"\2\1\0\3\0\0\0\4" + playlist.encode())
    seed("playlist", "complete", b"\2\0\1" + playlist.encode() + b"#EXT-X-ENDLIST\n")
    tag = bytes.fromhex("494433040000000000 3f50524956000000350000".replace(" ", ""))
    seed("playlist", "tag", bytes(3) + tag + b"com.apple.streaming.transportStreamTimestamp\0" + bytes(8))
    lines = [
        (0, "talk.m4a -d 1h30m --split 100MB -b 128k --channel-map 1,3-4 --gain -3.5dB --voice"),
        (1, "--icecast icecast://radio.example/live.aac --hls-serve 127.0.0.1:8080 --bitrates 128k,64k"),
        (2, "--bind [::1] --port 4848 --folder x --open"), (3, "--json --watch"),
        (4, "a.m4a --rate 44.1k --channels 2 --check"), (5, "--raw s16le --rate 48000 -o - -qf --vbr=4 -"),
        (1, "rtmp://live.example/app -b 96k --adaptive --adaptive-range 48k..128k"),
        (1, "--device tone --save a.m4a --icecast icecast://a:b@radio.example:8000/live.aac --hls live"),
        (6, "--frames --plot=x.svg -- -a"), (7, "bash"),
    ]
    for index, (command, text) in enumerate(lines):
        seed("arguments", f"{command}-{index}", bytes([command]) + text.replace(" ", "\n").encode())
    seed("arguments", "9", b"\x09--speed\n1.25\n--volume\n50\n--loop\nlist\n10.wav\n2.wav\n")
    several = ["--source", "mic=tone", "--source", "bed=a.wav", "--gain", "bed=-12", "--pan", "bed=0.3",
               "--start", "bed=1:30", "--fade", "bed=2s/4s", "--stop", "bed=90", "--duck", "bed:mic=-6",
               "--cancel-echo", "mic=bed,tail=300,reference=mix", "--solo", "mix",
               "--effects",
               "highpass 80, gate -45dB, compressor 3:1 -18, limiter ceiling=-1, deesser 6.5k",
               "denoise 20"]
    seed("arguments", "sources", b"\0" + "\n".join(several).encode())
    seed("arguments", "credentials", b"\x08# all\nicecast-password = a = b\n[radio.example:8000]\nicecast-user=x\n")
    seed("arguments", "times", b"\x01" + b"1:30:00\n1.5m\n500ms\n0.128M\n-60\n\x1b[A\x1bOPq")


coded()
samples()
tags()
noise()
servers()
broadcasts()
requests()
extremes()
texts()
