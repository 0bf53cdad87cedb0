"""Says what this machine lacks for trials on clean systems."""

import sys

import roots

try:
    roots.check_machine()
except roots.Failure as failure:
    sys.exit(str(failure))
