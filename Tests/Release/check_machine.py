"""Reports the missing requirements of this machine for trials on clean systems."""

import sys

import roots

try:
    roots.check_machine()
except roots.Failure as failure:
    sys.exit(str(failure))
