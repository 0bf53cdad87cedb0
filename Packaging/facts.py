"""Common parts of the Python scripts for packages; facts.bash is for the bash scripts."""

import os
import re
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent

# The address of this repository, a placeholder until it has a public one; Scripts/check-repository compares pages,
# sources and manifests with it.
ADDRESS = "https://git.example/aacorn"
# While it is a placeholder, each page with the address contains this text.
NO_ADDRESS = "This repository has no public address yet; use the address of your clone."


def version():
    text = (SOURCES / "Sources/AacornCodec/AacornVersion.swift").read_text()
    return re.search(r'number: StaticString \{ "([0-9.]+)" \}', text)[1]


def epoch():
    """The time of files in seconds: the time of the last commit, for reproducible builds."""
    return int(
        os.environ.get("SOURCE_DATE_EPOCH")
        or subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=SOURCES, check=True, capture_output=True
        ).stdout
    )
