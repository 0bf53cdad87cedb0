"""Expected errors."""


class LabError(Exception):
    """A message for the user: the problem, the file, and the remedy."""
