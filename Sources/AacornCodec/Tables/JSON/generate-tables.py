#!/usr/bin/env python3
"""Writes the codec's tables as Swift, into Sources/AacornCodec/Tables, from the JSON beside this script.

    generate-tables.py            rewrites the files
    generate-tables.py --check    writes nothing, and fails if a file is not up to date

The numbers come from ISO/IEC 14496-3, and are stored in JSON. Each function under “Files” makes a file: it yields
the arrays, and its documentation becomes the documentation of the enumeration.
"""

import inspect
import json
import math
import sys
from pathlib import Path

TABLES = Path(__file__).resolve().parent.parent
HEX = "{:#x}"


def read(name):
    return json.loads((TABLES / f"JSON/{name}.json").read_text())


def array(name, kind, values, comment, form="{}"):
    """A static array of numbers."""
    if kind.startswith("UInt"):
        assert all(0 <= value < 1 << int(kind[4:]) for value in values), name
    lines, line = [], "   "
    for value in values:
        item = f" {form.format(value)},"
        if len(line) + len(item) > 100:
            lines.append(line)
            line = "   "
        line += item
    body = "\n".join([*lines, line])
    return f"  /// {comment}\n  // swift-format-ignore\n  static let {name}: [{kind}] = [\n{body}\n  ]\n"


def codewords(book):
    """The codewords of a Huffman book, with their lengths in the top 8 bits."""
    assert all(code < 1 << length <= 1 << 24 for length, code in zip(book["len"], book["code"]))
    # Every bit pattern begins with a codeword, so that a reader needs no check.
    assert sum(2.0 ** -length for length in book["len"]) == 1
    return [length << 24 | code for length, code in zip(book["len"], book["code"])]


def prefix_code(name, book, least, comment):
    """A static `PrefixCode` for consecutive numbers from `least`.

    Its codewords are a separate array, which the compiler stores as data.
    """
    words = array(f"{name}Words", "UInt32", codewords(book), comment, HEX).replace("static let", "private static let")
    start, end = f"  static let {name} = PrefixCode(", f"smallest: {least}, words: {name}Words)\n"
    return words + start + (end if len(start + end) <= 101 else f"\n    {end}")


# MARK: Files

def SpectralCodewords():
    """The codewords of the eleven spectral codebooks (ISO/IEC 14496-3, 4.6.3, tables 4.A.2–12).

    An entry contains the length in the top 8 bits and the codeword in the low 24 bits. The index of
    a tuple is a number with one digit per value, the first value first, in base 3 (books 1–4), 9
    (5, 6), 8 (7, 8), 13 (9, 10) or 17 (11). In signed books (1, 2, 5, 6), a digit is the value plus
    the largest value.
    """
    for book in read("aac_huffman")["spectral"]:
        yield array(
            f"book{book['book']}", "UInt32", codewords(book), f"Codebook {book['book']}.", HEX)


def ScaleFactorBook():
    """The book of scalefactor differences, −60…60 (ISO/IEC 14496-3, table 4.A.1)."""
    book = read("aac_huffman")["scalefactor"]
    assert len(book["len"]) == 1 - 2 * book["offset"]
    yield f"  /// The largest difference with a codeword.\n  static let largestDifference = {-book['offset']}\n"
    yield prefix_code("code", book, "-largestDifference", "The codewords.")


def ScaleFactorBandTables():
    """The offsets of the scalefactor bands (ISO/IEC 14496-3, 4.5.4, tables 4.129–4.147)."""
    bands, noise_shaping = read("aac_swb"), read("aac_misc")["tns"]
    for name in ("long", "short"):
        yield array(
            f"{name}NoiseShapingLimit", "Int", noise_shaping[f"max_bands_{name}_of_index"],
            f"The maximum number of bands with TNS in {name} windows (4.6.9.4, table 4.156).")
    for key, lines in (("long_1024", 1024), ("short_128", 128), ("long_960", 960), ("short_120", 120)):
        table, name = bands[key], key.replace("_", "")
        starts = [sum(map(len, table["offsets"][:number])) for number in table["set_of_index"]]
        yield array(
            f"{name}Offsets", "UInt16", sum(table["offsets"], []),
            f"The band offsets of windows of {lines} lines including the end, one set after another.")
        yield array(
            f"{name}Starts", "UInt16", starts, f"The start of each sampling frequency's set in `{name}Offsets`.")
    yield array(
        "predictionLimits", "UInt8", read("aac_misc")["pred_sfb_max_of_index"],
        "The maximum number of bands with backward prediction, by sampling frequency (14496-3, 4.6.6.2).")


BAND_REPLICATION_BOOKS = {
    "t_huffman_env_1_5dB": ("levelInTime", "Levels in steps of 1.5 dB, as differences in time."),
    "f_huffman_env_1_5dB": ("levelInFrequency", "Levels in steps of 1.5 dB, as differences in frequency."),
    "t_huffman_env_bal_1_5dB": ("balanceInTime", "Balance in steps of 1.5 dB, as differences in time."),
    "f_huffman_env_bal_1_5dB": ("balanceInFrequency", "Balance in steps of 1.5 dB, as differences in frequency."),
    "t_huffman_env_3_0dB": ("coarseLevelInTime", "Levels in steps of 3 dB, as differences in time."),
    "f_huffman_env_3_0dB": ("coarseLevelInFrequency", "Levels in steps of 3 dB and noise levels, as differences in frequency."),
    "t_huffman_env_bal_3_0dB": ("coarseBalanceInTime", "Balance in steps of 3 dB, as differences in time."),
    "f_huffman_env_bal_3_0dB": ("coarseBalanceInFrequency", "Balance in steps of 3 dB and of noise, as differences in frequency."),
    "t_huffman_noise_3_0dB": ("noiseInTime", "Noise levels, as differences in time."),
    "t_huffman_noise_bal_3_0dB": ("noiseBalanceInTime", "Balance of noise, as differences in time."),
}


def SBRBooks():
    """The books of band replication (ISO/IEC 14496-3, 4.A.6.1)."""
    for book in read("sbr_huffman")["books"]:
        name, comment = BAND_REPLICATION_BOOKS[book["name"]]
        assert len(book["code"]) == 2 * book["lav"] + 1
        yield prefix_code(name, book, -book["lav"], comment)


def SBRConstants():
    """The prototype filter and the noise of band replication."""
    yield array(
        "prototype", "Float", read("sbr_qmf")["window"],
        "The prototype filter of the filter banks, with alternating signs (14496-3, table 4.A.87).")
    # More than 512 values may be read, so that the index does not wrap around inside a slot.
    noise = read("sbr_tables")["noise_table_V"]
    real, imaginary = zip(*noise, *noise[:64])
    yield array(
        "noiseReal", "Float", real, "The real parts of the noise (14496-3, table 4.A.88): 512 values and the first 64 again.")
    yield array("noiseImaginary", "Float", imaginary, "The imaginary parts of the noise, in the same order.")


STEREO_BOOKS = {
    "iid_default_df": ("level", "level differences over bands"),
    "iid_default_dt": ("levelTime", "level differences over time"),
    "iid_fine_df": ("fineLevel", "fine level differences over bands"),
    "iid_fine_dt": ("fineLevelTime", "fine level differences over time"),
    "icc_df": ("coherence", "coherences over bands"),
    "icc_dt": ("coherenceTime", "coherences over time"),
    "ipd_df": ("phaseDifference", "phase differences over bands, modulo 8"),
    "ipd_dt": ("phaseDifferenceTime", "phase differences over time, modulo 8"),
    "opd_df": ("overallPhase", "overall phases over bands, modulo 8"),
    "opd_dt": ("overallPhaseTime", "overall phases over time, modulo 8"),
}
STEREO_FILTERS = {
    "g_8band_20": ("eightOfTwenty", "band 0 into eight bands, reduced to six, for 20 bands"),
    "g_2band_20": ("twoOfTwenty", "bands 1 and 2 into two bands each, for 20 bands"),
    "g_12band_34": ("twelveOfThirtyFour", "band 0 into twelve bands, for 34 bands"),
    "g_8band_34": ("eightOfThirtyFour", "band 1 into eight bands, for 34 bands"),
    "g_4band_34": ("fourOfThirtyFour", "bands 2 to 4 into four bands each, for 34 bands"),
}


def StereoBooks():
    """The books of parametric stereo (ISO/IEC 14496-3, annex 8.B)."""
    for book in read("ps_huffman")["books"]:
        name, about = STEREO_BOOKS[book["name"]]
        yield prefix_code(name, book, book["min_value"], f"The book of {about}.")


def middles(values):
    """The numbers halfway between neighbors."""
    return [(a + b) / 2 for a, b in zip(values, values[1:])]


def StereoTables():
    """The tables of parametric stereo (ISO/IEC 14496-3, 8.4 to 8.6.4)."""
    tables = read("ps_tables")
    ratios = [
        float(f"{10 ** (level / 20):.12g}")
        for levels in (tables["iid_default_db_index_0_to_7"], tables["iid_fine_db_index_0_to_15"])
        for level in [*(-level for level in levels[:0:-1]), *levels]]
    yield array(
        "levelRatios", "Float", ratios,
        "The ratios of left to right for level differences −7…7, then fine ones −15…15 (14496-3, 8.6.4.6.2).")
    yield array(
        "coherences", "Float", tables["icc_index_0_to_7"],
        "The correlations of left and right, by index (14496-3, 8.6.4.6.2).")
    yield array("coherenceAngles", "Float", tables["acos_of_icc_rad"], "The arc cosines of `coherences` in radians.")
    for key, (name, about) in STEREO_FILTERS.items():
        yield array(
            name, "Float", tables["hybrid_filters"][key], f"Taps 0…6 of the 13 taps of the filter that splits {about}.")
    for key in ("first", "second"):
        yield array(
            f"{key}OfTwenty", "UInt8", tables["band_20_pairs_of_34"][key],
            f"For each of 34 bands, the {key} of the two of 20 bands whose mean it is.")
    for count, word in ((20, "Twenty"), (34, "ThirtyFour")):
        yield array(
            f"bandsOf{word}", "UInt8", tables[f"k_to_par_{count}"],
            f"For each sub-subband, the one of {count} bands that contains it (14496-3, 8.6.4.3).")
    yield array(
        "centersOfTwenty", "Int8", tables["decorrelator"]["f_center_20_times_8_k0_9"],
        "The centers of the first sub-subbands for 20 bands, in eighths of a QMF band.")
    yield array(
        "centersOfThirtyFour", "Int8", tables["decorrelator"]["f_center_34_times_24_k0_31"],
        "The centers of the first sub-subbands for 34 bands, in 24ths of a QMF band.")
    yield array(
        "lanesOfTwenty", "UInt8", [0, 1, 2, 3, 4, 5, 10, 255, *range(6, 10), *range(11, 71)],
        "The sub-subband in each lane for 20 bands; 255 marks an unused lane.")
    yield array(
        "lanesOfThirtyFour", "UInt8", [*range(35), 255, *range(35, 91)],
        "The sub-subband in each lane for 34 bands; 255 marks an unused lane.")
    yield array(
        "levelBorders", "Float", middles(tables["iid_default_db_index_0_to_7"]),
        "The borders between the absolute values of the 15 levels, in decibels.")
    yield array(
        "fineLevelBorders", "Float", middles(tables["iid_fine_db_index_0_to_15"]),
        "The borders between the absolute values of the 31 fine levels, in decibels.")
    # Coherences are as far apart as the sines of half their angles.
    sines = [math.sqrt((1 - coherence) / 2) for coherence in tables["icc_index_0_to_7"]]
    yield array(
        "coherenceBorders", "Float", [float(f"{1 - 2 * sine * sine:.6f}") for sine in middles(sines)],
        "The borders between the coherences, as correlations in descending order.")


def swift_file(make):
    comment = "".join(f"/// {line}".rstrip() + "\n" for line in inspect.getdoc(make).splitlines())
    return f"{ORIGIN}\n\n{comment}enum {make.__name__} {{\n" + "\n".join(make()) + "}\n"


ORIGIN = "// Written by JSON/generate-tables.py from the tables beside it."
FILES = [
    SpectralCodewords, ScaleFactorBook, ScaleFactorBandTables, SBRBooks, SBRConstants,
    StereoBooks, StereoTables]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: generate-tables.py [--check]")
    texts = {TABLES / f"{make.__name__}.swift": swift_file(make) for make in FILES}
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    if not sys.argv[1:]:
        for path in stale:
            path.write_text(texts[path])
    elif stale:
        names = ", ".join(path.name for path in stale)
        sys.exit(f"These tables differ from their JSON; run Tables/JSON/generate-tables.py: {names}")


main()
