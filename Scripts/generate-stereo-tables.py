#!/usr/bin/env python3
"""Writes StereoTables.swift and StereoCodewords.swift of Sources/AacornCodec/Tables from the JSON
tables beside them.

Usage: generate-stereo-tables.py [--check] [JSON folder]
With --check nothing is written; the exit status tells whether the files are up to date.
"""

import json
import math
import sys

sys.dont_write_bytecode = True
from swift_tables import literal, lookup_table, run  # noqa: E402

NEXT_BITS = 6

HEADER = """\
// Written by Scripts/generate-stereo-tables.py from the JSON tables beside this file.

/// The tables of parametric stereo (ISO/IEC 14496-3, 8.4 to 8.6.4 and annex 8.B).
///
/// The Huffman books are tables as those of `DecodingTables`: an entry is a symbol, a signed 16-bit
/// number above the length of its whole codeword, or a link to a table for the bits that follow.
/// Since codewords reach 20 bits, a table that is linked to has links as well:
///
///     31            16 15     9  8  7     5 4        0
///     [    value     ][   0   ][0][   0   ][ length   ]   symbol, length of the whole codeword
///     [    offset    ][   0   ][1][   0   ][ more bits]   link, bits that index the next table
///
/// Every book is complete, so there is no invalid codeword.
enum StereoTables {
"""

CODEWORDS = """\
// Written by Scripts/generate-stereo-tables.py from the JSON tables beside this file.

/// The codewords of parametric stereo's levels and coherences (ISO/IEC 14496-3, annex 8.B), and the
/// borders between their steps.
///
/// An entry has the length in its top eight bits and the codeword in the rest. The middle one is
/// that of difference 0.
enum StereoCodewords {
"""

BOOKS = {
    "iid_default_df": ("levelBook", "level differences over bands"),
    "iid_default_dt": ("levelTimeBook", "level differences over time"),
    "iid_fine_df": ("fineLevelBook", "fine level differences over bands"),
    "iid_fine_dt": ("fineLevelTimeBook", "fine level differences over time"),
    "icc_df": ("coherenceBook", "coherences over bands"),
    "icc_dt": ("coherenceTimeBook", "coherences over time"),
    "ipd_df": ("phaseDifferenceBook", "phase differences over bands, modulo 8"),
    "ipd_dt": ("phaseDifferenceTimeBook", "phase differences over time, modulo 8"),
    "opd_df": ("overallPhaseBook", "overall phases over bands, modulo 8"),
    "opd_dt": ("overallPhaseTimeBook", "overall phases over time, modulo 8"),
}

FILTERS = {
    "g_8band_20": ("eightOfTwenty", "band 0 into eight, of which six are left, for 20 bands"),
    "g_2band_20": ("twoOfTwenty", "bands 1 and 2 into two, for 20 bands"),
    "g_12band_34": ("twelveOfThirtyFour", "band 0 into twelve, for 34 bands"),
    "g_8band_34": ("eightOfThirtyFour", "band 1 into eight, for 34 bands"),
    "g_4band_34": ("fourOfThirtyFour", "bands 2 to 4 into four each, for 34 bands"),
}


def symbols(book):
    return [
        (code, length, ((index + book["min_value"]) & 0xFFFF) << 16 | length)
        for index, (code, length) in enumerate(zip(book["code"], book["len"]))
    ]


def middles(values):
    """The numbers halfway between neighbors."""
    return [(a + b) / 2 for a, b in zip(values, values[1:])]


def borders(levels, coherences):
    """Where the nearest step becomes another one: of levels in decibels, and of coherences."""
    # Coherences are as far apart as the sines of half their angles.
    sines = [math.sqrt((1 - x) / 2) for x in coherences]
    return [
        ("levelBorders", middles(levels[0]), "Decibels above which a level is the next one of 15."),
        ("fineLevelBorders", middles(levels[1]),
         "Decibels above which a level is the next one of 31."),
        ("coherenceBorders", [float(f"{1 - 2 * x * x:.6f}") for x in middles(sines)],
         "Correlations below which a coherence is the next one."),
    ]


def encoding(huffman, levels, coherences):
    """The tables that only an encoder needs."""
    text = CODEWORDS.rstrip("\n")
    for book in huffman["books"]:
        if book["name"][:3] not in ("iid", "icc"):
            continue
        name, about = BOOKS[book["name"]]
        assert book["min_value"] == -(book["entries"] // 2) and max(book["len"]) <= 24
        text += literal(
            name.replace("Book", "Words"), "UInt32",
            [length << 24 | code for length, code in zip(book["len"], book["code"])],
            f"The codewords of {about}.", hex)
    for name, values, about in borders(levels, coherences):
        text += literal(name, "Float", values, about)
    return text + "}\n"


def generate(folder):
    huffman = json.loads((folder / "ps_huffman.json").read_text())
    tables = json.loads((folder / "ps_tables.json").read_text())
    text = HEADER.rstrip("\n")

    for book in huffman["books"]:
        name, about = BOOKS[book["name"]]
        table = lookup_table(symbols(book), NEXT_BITS)
        text += literal(name, "UInt32", table, f"The book of {about}.", hex)

    default = tables["iid_default_db_index_0_to_7"]
    fine = tables["iid_fine_db_index_0_to_15"]
    ratios = [
        float(f"{10 ** (sign * level / 20):.12g}")
        for levels in (default, fine)
        for sign, level in [(-1, x) for x in levels[:0:-1]] + [(1, x) for x in levels]
    ]
    text += literal(
        "levelRatios", "Float", ratios,
        "Left over right of level differences −7...7 and, fine, −15...15 (14496-3, 8.6.4.6.2).")
    text += literal(
        "coherences", "Float", tables["icc_index_0_to_7"],
        "The correlation of left and right by its index (14496-3, 8.6.4.6.2).")
    text += literal(
        "coherenceAngles", "Float", tables["acos_of_icc_rad"],
        "The arc cosines of `coherences`.")
    for key, (name, about) in FILTERS.items():
        text += literal(
            name, "Float", tables["hybrid_filters"][key],
            f"Taps 0...6 of 13 of the filter that splits {about}.")
    pairs = tables["band_20_pairs_of_34"]
    for key in ("first", "second"):
        text += literal(
            f"{key}OfTwenty", "UInt8", pairs[key],
            f"The {key} of the two of 20 bands whose mean a band of 34 is.")
    for count, word in ((20, "Twenty"), (34, "ThirtyFour")):
        text += literal(
            f"bandsOf{word}", "UInt8", tables[f"k_to_par_{count}"],
            f"The one of {count} bands that a sub-subband belongs to (14496-3, 8.6.4.3).")
    text += literal(
        "centersOfTwenty", "Int8", tables["decorrelator"]["f_center_20_times_8_k0_9"],
        "Middles of the first sub-subbands of 20 bands, in eighths of a QMF band.")
    text += literal(
        "centersOfThirtyFour", "Int8", tables["decorrelator"]["f_center_34_times_24_k0_31"],
        "Middles of the first sub-subbands of 34 bands, in 24ths of a QMF band.")
    text += literal(
        "lanesOfTwenty", "UInt8", [0, 1, 2, 3, 4, 5, 10, 255, *range(6, 10), *range(11, 71)],
        "The sub-subband in each lane for 20 bands; 255 is none.")
    text += literal(
        "lanesOfThirtyFour", "UInt8", [*range(35), 255, *range(35, 91)],
        "The sub-subband in each lane for 34 bands; 255 is none.")
    return {
        "StereoTables.swift": text + "}\n",
        "StereoCodewords.swift": encoding(
            huffman, (default, fine), tables["icc_index_0_to_7"]),
    }


run(generate)
