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
///     31            16 15 13 12     9  8  7     5 4        0
///     [    values    ][  0  ][nonzero][0][ signs ][ length   ]   symbol, length of its codeword
///     [    offset    ][  0  ][   0   ][1][   0   ][ more bits]   link, bits for the second table
///
/// Values are two signed bytes, the first coefficient on top; of four coefficients the place in a
/// list of quads; for the scalefactor book one signed 16-bit difference. `signs` counts the sign
/// bits that follow, `nonzero` tells which values they are for, the first on top. Every book is
/// complete, so there is no invalid codeword.
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


def coefficients(book, index):
    """The coefficients of a codeword."""
    base = 2 * book["lav"] + 1 if book["signed"] else book["lav"] + 1
    digits = []
    for _ in range(book["dim"]):
        digits.insert(0, index % base)
        index //= base
    if book["signed"]:
        digits = [digit - book["lav"] for digit in digits]
    return digits


def spectral_values(book, index):
    """The entry of a codeword but for its length: values, signs, and which are not zero."""
    digits = coefficients(book, index)
    packed = index if book["dim"] == 4 else (digits[0] & 0xFF) << 8 | digits[1] & 0xFF
    nonzero = sum(8 >> place for place, digit in enumerate(digits) if digit)
    return packed << 16 | nonzero << 9 | bin(nonzero).count("1") << 5


def lanes(values):
    """Numbers of 16 bits side by side, the first in the lowest bits."""
    return sum((value & 0xFFFF) << 16 * place for place, value in enumerate(values))


def sign_lanes(width, nonzero, signs):
    """For each of `width` values all ones if its sign bit is set; `signs` holds the next bits."""
    masks = []
    for place in range(width):
        coded = nonzero >> (width - 1 - place) & 1
        masks.append(-(signs >> (width - 1) & 1) if coded else 0)
        signs <<= coded
    return lanes(masks)


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

    for name, number, sign in (("signedQuads", 1, "signed"), ("unsignedQuads", 3, "unsigned")):
        book = huffman["spectral"][number - 1]
        assert book["book"] == number and book["dim"] == 4
        text += literal(
            name, "UInt64", [lanes(coefficients(book, index)) for index in range(81)],
            f"Four {sign} values of 16 bits, the first in the lowest bits.", hex)
    for name, kind, width in (("quadSigns", "UInt64", 4), ("pairSigns", "UInt32", 2)):
        text += literal(
            name, kind,
            [sign_lanes(width, index >> width, index & (1 << width) - 1)
             for index in range(1 << 2 * width)],
            f"By the values that are not zero and the next {width} bits: ones in negative lanes.",
            hex)

    for name, key, lines in (
        ("long960", "long_960", 960), ("short120", "short_120", 120),
    ):
        text += band_offsets(name, bands[key], lines)
    text += literal(
        "predictionLimits", "UInt8", misc["pred_sfb_max_of_index"],
        "Bands that backward prediction may reach, by sampling frequency (14496-3, 4.6.6.2).")
    return {"DecodingTables.swift": text + "}\n"}


run(generate)
