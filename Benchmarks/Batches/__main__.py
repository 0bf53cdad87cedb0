"""The program of Benchmarks/batch, which documents it."""

import argparse
import os
import sys

# Imports the signal and the search for programs from Benchmarks/bindings.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "WaysIn"))

import lines
import rates
from errors import BindingsError


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/batch", description="Archives of many files.")
    parts = parser.add_subparsers(dest="part", required=True)
    for module in (rates, lines):
        part = parts.add_parser(module.__name__, help=module.__doc__.splitlines()[0])
        module.add_options(part)
        part.set_defaults(run=module.run)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except BindingsError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
