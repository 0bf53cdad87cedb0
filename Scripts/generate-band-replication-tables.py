#!/usr/bin/env python3
"""Writes Sources/AacornCodec/Tables/BandReplication*.swift from the JSON tables beside them.

Usage: generate-band-replication-tables.py [--check] [JSON folder]
With --check nothing is written; the exit status tells whether the files are up to date.
"""

import json
import sys

sys.dont_write_bytecode = True
from swift_tables import literal, run  # noqa: E402

FIRST_BITS = 8
MORE_BITS = 6
LINK = 0x80
# Bands that may be read beyond the end of the noise, so that nobody wraps around inside a slot.
NOISE_OVERLAP = 64

ORIGIN = "// Written by Scripts/generate-band-replication-tables.py from the JSON tables beside it.\n\n"

BOOKS = """\
/// The Huffman books of band replication (ISO/IEC 14496-3, 4.A.6.1) as look-up tables.
///
/// A table has an entry for each value of the next 8 bits, then blocks of 64 for the 6 bits after
/// those, and for the 6 after them. An entry is a difference or leads to a block:
///
///     15           8  7  6 5 4        0
///     [ difference ][0][ 0 ][ length ]   signed; length of the whole codeword
///     [   block    ][1][     0       ]
///
/// Every book is complete, so there is no invalid codeword.
enum BandReplicationBooks {
"""

CODEWORDS = """\
/// The codewords of the books of band replication (ISO/IEC 14496-3, 4.A.6.1), for writing.
///
/// An entry is the length in the top eight and the codeword in the low 24 bits; the first one is
/// that of the least difference, and the middle one that of 0.
enum BandReplicationCodewords {
"""

SIGNAL = """\
/// The filter bank's prototype and the noise of band replication.
enum BandReplicationTables {
"""

NAMES = {
    "t_huffman_env_1_5dB": ("levelInTime", "Levels in steps of 1.5 dB, differences in time."),
    "f_huffman_env_1_5dB": ("levelInFrequency", "The same, differences in frequency."),
    "t_huffman_env_bal_1_5dB": ("balanceInTime", "Balance in steps of 1.5 dB, in time."),
    "f_huffman_env_bal_1_5dB": ("balanceInFrequency", "The same, in frequency."),
    "t_huffman_env_3_0dB": ("coarseLevelInTime", "Levels in steps of 3 dB, in time."),
    "f_huffman_env_3_0dB": ("coarseLevelInFrequency", "The same in frequency; noise as well."),
    "t_huffman_env_bal_3_0dB": ("coarseBalanceInTime", "Balance in steps of 3 dB, in time."),
    "f_huffman_env_bal_3_0dB": ("coarseBalanceInFrequency", "The same in frequency; noise as well."),
    "t_huffman_noise_3_0dB": ("noiseInTime", "Noise levels, differences in time."),
    "t_huffman_noise_bal_3_0dB": ("noiseBalanceInTime", "Balance of noise, in time."),
}


def lookup_table(book):
    table = [0] * (1 << FIRST_BITS)

    def fill(start, width, depth, members):
        """Members are (code, bits left, entry); they share what was read before."""
        longer = {}
        for code, left, entry in members:
            if left <= width:
                spare = width - left
                for rest in range(1 << spare):
                    table[start + (code << spare | rest)] = entry
            else:
                extra = left - width
                longer.setdefault(code >> extra, []).append(
                    (code & ((1 << extra) - 1), extra, entry))
        for prefix, rest in sorted(longer.items()):
            assert depth < 3
            place = len(table)
            table.extend([0] * (1 << MORE_BITS))
            table[start + prefix] = (place - (1 << FIRST_BITS) >> MORE_BITS) << 8 | LINK
            fill(place, MORE_BITS, depth + 1, rest)

    fill(0, FIRST_BITS, 1, [
        (code, length, (index - book["lav"] & 0xFF) << 8 | length)
        for index, (code, length) in enumerate(zip(book["code"], book["len"]))
    ])
    assert all(table) and max(table) < 1 << 16
    return table


def books(folder):
    text = ORIGIN + BOOKS
    for book in json.loads((folder / "sbr_huffman.json").read_text())["books"]:
        name, comment = NAMES[book["name"]]
        text += literal(name, "UInt16", lookup_table(book), comment, hex)
    return text.replace("{\n\n", "{\n") + "}\n"


def codewords(folder):
    text = ORIGIN + CODEWORDS
    for book in json.loads((folder / "sbr_huffman.json").read_text())["books"]:
        name, comment = NAMES[book["name"]]
        assert len(book["len"]) == len(book["code"]) == 2 * book["lav"] + 1
        assert all(code < 1 << length <= 1 << 24
                   for length, code in zip(book["len"], book["code"]))
        words = [length << 24 | code for length, code in zip(book["len"], book["code"])]
        text += literal(name, "UInt32", words, comment, hex)
    return text.replace("{\n\n", "{\n") + "}\n"


def signal(folder):
    window = json.loads((folder / "sbr_qmf.json").read_text())["window"]
    noise = json.loads((folder / "sbr_tables.json").read_text())["noise_table_V"]
    noise += noise[:NOISE_OVERLAP]
    text = ORIGIN + SIGNAL
    text += literal(
        "prototype", "Float", window,
        "The prototype of the filter banks with alternating signs (14496-3, table 4.A.87).")
    text += literal(
        "noiseReal", "Float", [pair[0] for pair in noise],
        f"The noise (14496-3, table 4.A.88): 512 values and the first {NOISE_OVERLAP} again.")
    text += literal(
        "noiseImaginary", "Float", [pair[1] for pair in noise], "Its imaginary parts.")
    return text.replace("{\n\n", "{\n") + "}\n"


def generate(folder):
    return {
        "BandReplicationBooks.swift": books(folder),
        "BandReplicationCodewords.swift": codewords(folder),
        "BandReplicationTables.swift": signal(folder),
    }


run(generate)
