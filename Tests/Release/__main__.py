"""Tests a release on clean systems: python3 Tests/Release FOLDER VERSION [TRIAL …]

Prints a table, and writes it into matrix.md next to the folder.
"""

import sys
import time
from pathlib import Path

import matrix
import roots
from artefacts import Release
from roots import Failure

TRIALS = {
    "sums": lambda release: release.sums(),
    "sources": lambda release: release.sources(),
    "package": lambda release: release.swift_package(),
    "lintian": lambda release: release.debian_quality(),
    "contents": lambda release: release.contents(),
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
    # Remove an old table, which looks like a table of this run.
    page = Path(folder).resolve().parent / "matrix.md"
    page.unlink(missing_ok=True)
    lines, outcomes, failures = [], [], []
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
        outcomes.append(outcome)
        lines.append(matrix.line_of(outcome))
    if len(release.encoded) > 1:
        failures.append("bytes")
        print(f"The artefacts encode the same sound differently: {release.encoded}", file=sys.stderr)
    matrix.print_lines(lines)
    page.write_text(matrix.markdown(version, outcomes, failures, whole=not chosen))
    print(f"as a page: {page}")
    if failures:
        sys.exit(f"{len(failures)} failed: {', '.join(failures)}")
    if not chosen:
        print("all artefacts encode the same sound to the same bytes")


main()
