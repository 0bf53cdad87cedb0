"""A disk that becomes full during the work."""

import subprocess

from sounds import Failure


class SmallDisk:
    """A file system in memory, invisible outside of our namespace."""

    def __init__(self, path, size):
        self.path, self.size = path, size

    def __enter__(self):
        self.path.mkdir(parents=True)
        self.mount(f"size={self.size}")
        return self

    def mount(self, options):
        ended = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path], capture_output=True, text=True
        )
        if ended.returncode:
            raise Failure(
                f"A small disk cannot be mounted: {ended.stderr.strip()} Run the check as root, or where user"
                " namespaces are allowed."
            )

    def grow(self):
        """Enlarges the disk for all outputs."""
        self.mount("remount,size=80%")

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", self.path], capture_output=True)
