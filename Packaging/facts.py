"""What the packages have in common, for the scripts in Python; facts.bash is for those in bash."""

import os
import re
import subprocess
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent


def version():
    text = (SOURCES / "Sources/AacornCodec/AacornVersion.swift").read_text()
    return re.search(r'number: StaticString \{ "([0-9.]+)" \}', text)[1]


def epoch():
    """The time that files get, in seconds: that of the last commit, so that it is always the same."""
    return int(
        os.environ.get("SOURCE_DATE_EPOCH")
        or subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=SOURCES, check=True, capture_output=True
        ).stdout
    )
