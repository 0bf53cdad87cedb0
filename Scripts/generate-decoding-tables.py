#!/usr/bin/env python3
"""Writes Sources/AacornCodec/Tables/DecodingTables.swift from the JSON tables beside it.

Usage: generate-decoding-tables.py [--check] [JSON folder]
With --check nothing is written; the exit status tells whether the file is up to date.
"""

import json
import sys

sys.dont_write_bytecode = True
from swift_tables import literal, lookup_table, run  # noqa: E402

HEADER = """\
// Written by Scripts/generate-decoding-tables.py from the JSON tables beside this file.

/// Look-up tables that turn the next bits of a stream into a Huffman symbol, and the bands of
/// 960-sample frames, which only a reader needs.
///
/// A table starts with one entry for each value of the next 8 bits. An entry is either a symbol or
/// a link to a second table for codewords longer than that:
///
///     31            16 15     9  8  7     5 4        0
///     [    values    ][   0   ][0][nonzero][ length   ]   symbol, length of the whole codeword
///     [    offset    ][   0   ][1][   0   ][ more bits]   link, bits that index the second table
///
/// Values are four signed nibbles or two signed bytes, the first coefficient on top; for the
/// scalefactor book one signed 16-bit difference. `nonzero` counts the sign bits that follow.
/// Every book is complete, so there is no invalid codeword.
enum DecodingTables {
"""

SELECTOR = """\
  /// The table of spectral book 1...11 (ISO/IEC 14496-3, 4.A.1).
  static func spectral(_ book: Int) -> [UInt32] {
    switch book {
    case 1: book1
    case 2: book2
    case 3: book3
    case 4: book4
    case 5: book5
    case 6: book6
    case 7: book7
    case 8: book8
    case 9: book9
    case 10: book10
    default: book11
    }
  }
"""


def spectral_values(book, index):
    """The entry of a codeword but for its length."""
    base = 2 * book["lav"] + 1 if book["signed"] else book["lav"] + 1
    digits = []
    for _ in range(book["dim"]):
        digits.insert(0, index % base)
        index //= base
    if book["signed"]:
        digits = [digit - book["lav"] for digit in digits]
    width = 16 // book["dim"]
    packed = 0
    for digit in digits:
        packed = packed << width | digit & ((1 << width) - 1)
    return packed << 16 | sum(digit != 0 for digit in digits) << 5


def band_offsets(name, table, lines):
    """Flattened offsets of all sets, and where the set of each sampling frequency starts."""
    starts = []
    flat = []
    for offsets in table["offsets"]:
        starts.append(len(flat))
        flat += offsets
    text = literal(
        f"{name}BandOffsets", "UInt16", flat,
        f"Band offsets of windows of {lines} lines, one set after another (14496-3, 4.5.4).")
    text += literal(
        f"{name}BandSetStarts", "UInt16", [starts[s] for s in table["set_of_index"]],
        f"For each sampling frequency, where its set starts in `{name}BandOffsets`.")
    text += literal(
        f"{name}BandCounts", "UInt8", table["num_swb_of_index"],
        f"For each sampling frequency, the bands of a window of {lines} lines.")
    return text


def generate(folder):
    huffman = json.loads((folder / "aac_huffman.json").read_text())
    bands = json.loads((folder / "aac_swb.json").read_text())
    misc = json.loads((folder / "aac_misc.json").read_text())
    text = HEADER + SELECTOR

    for book in huffman["spectral"]:
        symbols = [
            (code, length, spectral_values(book, index) | length)
            for index, (code, length) in enumerate(zip(book["code"], book["len"]))
        ]
        sign = "signed" if book["signed"] else "unsigned"
        text += literal(
            f"book{book['book']}", "UInt32", lookup_table(symbols),
            f"Book {book['book']}: {book['dim']} {sign} values up to {book['lav']}.", hex)
    book = huffman["scalefactor"]
    symbols = [
        (code, length, ((index + book["offset"]) & 0xFFFF) << 16 | length)
        for index, (code, length) in enumerate(zip(book["code"], book["len"]))
    ]
    text += literal(
        "scaleFactorBook", "UInt32", lookup_table(symbols),
        "The book of scalefactor differences, -60...60 (14496-3, table 4.A.1).", hex)

    for name, key, lines in (
        ("long960", "long_960", 960), ("short120", "short_120", 120),
    ):
        text += band_offsets(name, bands[key], lines)
    text += literal(
        "predictionLimits", "UInt8", misc["pred_sfb_max_of_index"],
        "Bands that backward prediction may reach, by sampling frequency (14496-3, 4.6.6.2).")
    return {"DecodingTables.swift": text + "}\n"}


run(generate)
