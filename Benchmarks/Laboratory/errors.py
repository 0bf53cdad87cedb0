"""What goes wrong in an expected way."""


class LabError(Exception):
    """A sentence for the user: what is wrong, with which file, and what to do."""
