"""The results: as a table for the terminal, and as a page."""

import platform

import roots
from roots import SOURCES

HEADINGS = ("artefact", "on", "version", "size", "what passed")


def print_lines(lines):
    """Prints cells in columns; the last column may be long."""
    table = [HEADINGS, *lines]
    widths = [max(len(line[column]) for line in table) for column in range(4)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)) + "  " + line[4])


def line_of(outcome):
    """Returns an outcome as cells."""
    size = f"{outcome.size / 1e6:.2f} MB" if outcome.size else ""
    return (outcome.artefact, outcome.system, outcome.version, size, tried_by(outcome))


def tried_by(outcome):
    return ", ".join(outcome.tried).replace("_", " ")


def markdown(version, outcomes, failures, whole):
    """Returns the results as Markdown, with sizes in bytes and the releases of the systems."""
    commit = roots.run(["git", "-C", SOURCES, "rev-parse", "HEAD"]).strip()
    changes = roots.run(["git", "-C", SOURCES, "status", "--porcelain"]).strip()
    state = f"commit {commit}" + (", with changes that are not committed" if changes else "")
    text = f"# Passed trials of Aacorn {version}\n\nMade from {state}; tested on {platform.machine()}.\n\n"
    text += "| Artefact | Bytes | System | Passed trials |\n|---|---:|---|---|\n"
    for outcome in outcomes:
        size = outcome.size or ""
        text += f"| `{outcome.artefact}` | {size} | {outcome.place} | {tried_by(outcome)} |\n"
    if failures:
        text += f"\nFailed: {', '.join(failures)}.\n"
    elif whole:
        text += "\nAll artefacts encode the same sound to the same bytes.\n"
    else:
        text += "\nOnly these were tested.\n"
    return text
