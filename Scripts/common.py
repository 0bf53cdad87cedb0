"""Functions that several scripts share. Scripts/common.bash has those of the scripts in bash."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def needs(*programs):
    """Fails unless all these programs are installed: PROGRAM, or PROGRAM:PACKAGE if the package has another name."""
    for program, _, package in (name.partition(":") for name in programs):
        if not shutil.which(program):
            sys.exit(f"{program} is missing. Scripts/setup --gate installs the package {package or program}.")


def compiled(product):
    """Compiles a product and returns the path that Scripts/compile prints."""
    result = subprocess.run([ROOT / "Scripts/compile", product], stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(result.returncode)
    return result.stdout.strip()
