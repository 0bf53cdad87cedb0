"""The programs under sanitizers: tests with threads, and fuzz targets."""

import re
from pathlib import Path

from products.graph import TOOLS, files_in, run, with_closure
from products.package import (
    CODEC, TEST_FLAGS, TESTED, is_unoptimized, link, package, runner, swift, tested_package)


def threads():
    """The tests of code with threads, under the thread sanitizer; the codec, which has none, is the one of `tests`."""
    flags = ["-sanitize=thread"]
    names = [f"Aacorn{name}Tests" for name in ("Devices", "Recording", "Playback", "Streaming", "Studio")]
    made = package(
        "threads", names, lambda name: [
            "-Onone" if is_unoptimized(name) else "-O", "-gline-tables-only", *TESTED, *TEST_FLAGS, *flags],
        known=tested_package(CODEC), in_c={"flags": ["-O2", "-g", "-fPIC", "-fsanitize=thread"]})
    start = runner("threads", TEST_FLAGS)
    proof = swift(
        "threads", "UnlockedAppend", ["Tests/ThreadSanitizer/UnlockedAppend.swift"], [made["AacornStreaming"]],
        ["-O", "-gline-tables-only", *TESTED, *TEST_FLAGS, *flags])

    source = Path("Tests/ThreadSanitizer/References.c")

    def finish(folder):
        references = folder / "References.o"
        run([TOOLS / "clang", "-O2", "-fPIC", "-c", source, "-o", references])
        wrapped = sorted(set(re.findall(r"__wrap_(\w+)", source.read_text())))
        options = [*flags, *(part for name in wrapped for part in ("-Xlinker", f"--wrap={name}"))]
        link(folder / "tests", [start, *made.values()], options, others=[references])
        link(folder / "unlocked-append", with_closure([proof]), options, others=[references])
        return folder

    return [start, proof, *made.values()], finish, source


def fuzz():
    """All fuzz targets, with libFuzzer and the address sanitizer. Only the codec is worth an optimization."""
    flags = ["-sanitize=fuzzer,address", "-use-ld=lld"]
    compiled = ["-gline-tables-only", "-enable-testing", *flags, *TEST_FLAGS]
    made = package(
        "fuzz", ["AacornCommands"], lambda name: ["-O" if name in CODEC else "-Onone", *compiled],
        in_c={"flags": ["-O1", "-g", "-fsanitize=address,fuzzer-no-link"]})
    targets_of_fuzz = swift(
        "fuzz", "Fuzz", files_in("Fuzz", suffix=".swift"), made.values(), ["-Onone", *compiled])

    def finish(folder):
        link(folder / "fuzz", with_closure([targets_of_fuzz]), flags)
        return folder / "fuzz"

    return [targets_of_fuzz], finish
