"""Compares the peak memory of the command, and the instructions of its start, with Tests/Memory/limits.txt.

    Scripts/check-memory            fails if a figure is more than 15 % above the stored one
    Scripts/check-memory --store    stores the figures of this architecture

A day is streamed as fast as possible, to a folder with HLS and to a file. Its peak may grow by at most four
megabytes after the second hour: a leak of ten bytes a frame would add six. The figures are also in
.build/checks/times.json.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LIMITS = Path(__file__).resolve().parent / "limits.txt"
DAY, BITRATE = 24 * 3600, 16_000


def peak(program, *words, sample=None):
    """The peak memory of the command in kilobytes; calls `sample` with the current peak several times a second."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=errors)
        ended = threading.Event()

        def watch():
            while not ended.wait(0.2):
                try:
                    found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process.pid}/status").read_text())
                except OSError:
                    return
                if found:
                    sample(int(found[1]))

        thread = threading.Thread(target=watch, daemon=True)
        if sample:
            thread.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        if process.returncode:
            errors.seek(0)
            sys.exit(f"aacorn {' '.join(map(str, words))} failed: {errors.read().decode(errors='replace')}")
    return usage.ru_maxrss


def stream_of_a_day(program, folder):
    """The peak memory of a day's stream, and its growth after the second hour, both in kilobytes."""
    saved = folder / "day.aac"
    early = []

    def sample(kilobytes):
        # Bytes of the file stand for the time of the stream.
        if not early and saved.exists() and saved.stat().st_size >= 2 * 3600 * BITRATE // 8:
            early.append(kilobytes)

    last = peak(
        program, "stream", "--device", "silence", "--unpaced", "--rate", "8000", "-c", "1", "-b", str(BITRATE),
        "--effort", "fast", "-d", f"{DAY}s", "--hls", str(folder), "--save", str(saved), sample=sample)
    if not early:
        sys.exit("The stream has no second hour.")
    return last, last - early[0]


def start(program, folder):
    """The instructions of `aacorn --version`, which has to load the program."""
    log = folder / "valgrind"
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}", program, "--version"],
        check=True, capture_output=True)
    return int(re.search(r"Collected : (\d+)", log.read_text())[1])


def figures(program, folder):
    sound, coded, out = folder / "in.wav", folder / "in.m4a", folder / "out"
    peak(program, "record", "--device", "sweep", "--unpaced", "-d", "300s", sound)
    last, growth = stream_of_a_day(program, folder)
    yield "stream-day", last, "kB"
    print(f"A day of streaming: the peak grew by {growth} kB after the second hour; the limit is 4000 kB.")
    if growth > 4000:
        sys.exit("A stream's memory grows with time. Benchmarks/stream soak finds which output is the cause.")
    yield "start", start(program, folder), "instructions"
    yield "encode", peak(program, "encode", "-q", "-j", "1", sound, "-o", coded), "kB"
    yield "encode-j2", peak(program, "encode", "-q", "-j", "2", sound, "-o", f"{out}.m4a"), "kB"
    yield "decode", peak(program, "decode", "-q", "-j", "1", coded, "-o", f"{out}.wav"), "kB"
    yield "record", peak(program, "record", "-q", "--device", "tone", "--unpaced", "-d", "600s", f"{out}2.m4a"), "kB"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/check-memory", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--store", action="store_true")
    arguments = parser.parse_args()
    machine = platform.machine()
    lines = [line for line in LIMITS.read_text().splitlines() if not line.startswith(f"{machine} ")]
    stored = {
        words[1]: int(words[2]) for line in LIMITS.read_text().splitlines() if (words := line.split())[:1] == [machine]}
    begin, failed = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="aacorn-memory-") as name:
        folder = Path(name)
        # Valgrind does not support the debug information of a newer compiler.
        subprocess.run(["strip", "-o", folder / "aacorn", os.environ["AACORN"]], check=True)
        for name, value, unit in figures(folder / "aacorn", folder):
            before = stored.get(name)
            print(f"{name}: {value} {unit}; stored: {before or 'none'}", flush=True)
            lines.append(f"{machine} {name} {value}")
            if before is None or value > before * 1.15:
                failed.append(name)
    print(f"{time.monotonic() - begin:.0f} s")
    if arguments.store:
        LIMITS.write_text("\n".join(lines) + "\n")
    elif not stored:
        print(f"{LIMITS} has no figures for {machine}, so nothing was compared; --store stores them.")
    elif failed:
        sys.exit(f"More than 15 % above the stored figure, or without one: {', '.join(failed)}. If the growth is "
                 "justified, Scripts/check-memory --store stores the new figures.")


main()
