"""Runs trials inside namespaces: trials.py ROOT KIND TRIAL,TRIAL… SETTINGS

Prints the checksum of the encoded file, which is equal for all artefacts.
"""

import hashlib
import json
import sys

import inside
from command import Command
from library import Library
from package import node, wheel
from roots import Failure

KINDS = {"command": Command, "library": Library, "node": node, "wheel": wheel}


def main():
    root, kind, trials, settings = sys.argv[1:]
    inside.prepare(root)
    trial = KINDS[kind](root, **json.loads(settings))
    for name in trials.split(","):
        try:
            getattr(trial, name)()
        except Failure as failure:
            sys.exit(f"{kind} {name}: {failure}")
    with open(trial.file, "rb") as file:
        print(hashlib.sha256(file.read()).hexdigest())


main()
