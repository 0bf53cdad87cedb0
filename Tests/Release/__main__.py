"""Tries what a release has on clean systems, and prints a table: python3 Tests/Release FOLDER VERSION"""

import sys
import time

import roots
from artefacts import Release
from roots import Failure

TRIALS = {
    "sums": lambda release: release.sums(),
    "sources": lambda release: release.sources(),
    "package": lambda release: release.swift_package(),
    "lintian": lambda release: release.debian_quality(),
    "deb": lambda release: release.debian_package(recommends=False),
    "deb-recommends": lambda release: release.debian_package(recommends=True),
    "deb-13": lambda release: release.debian_package(recommends=True, system="trixie"),
    "tarball": lambda release: release.tarball(),
    "rpm": lambda release: release.rpm_package(),
    "image": lambda release: release.image(),
    "c": lambda release: release.c_library(),
    "wheel": lambda release: release.python_wheel(),
    "npm": lambda release: release.npm_package(),
}


def main():
    folder, version, *chosen = sys.argv[1:]
    try:
        roots.check_machine()
        release = Release(folder, version)
    except Failure as failure:
        sys.exit(str(failure))
    lines, failures = [], []
    for name in chosen or TRIALS:
        start = time.monotonic()
        try:
            outcome = TRIALS[name](release)
        except Failure as failure:
            failures.append(name)
            print(f"{name} FAILED: {failure}", file=sys.stderr)
            lines.append((name, "", "", "", "FAILED"))
            continue
        print(f"{name} passed in {time.monotonic() - start:.0f} s", file=sys.stderr)
        lines.append(
            (outcome.artefact, outcome.system, outcome.version,
             f"{outcome.size / 1e6:.2f} MB" if outcome.size else "",
             ", ".join(outcome.tried).replace("_", " "))
        )
    if len(release.encoded) > 1:
        failures.append("bytes")
        print(f"They encode one sound differently: {release.encoded}", file=sys.stderr)
    print_table([("artefact", "on", "version", "size", "what passed"), *lines])
    if failures:
        sys.exit(f"{len(failures)} failed: {', '.join(failures)}")
    if not chosen:
        print("all of them encode one sound to the same bytes")


def print_table(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)) + "  " + line[4])


main()
