"""The npm package in node, used as by its users."""

from inside import Inside
from sound import compare, write_sound


class Node:
    """A folder in which npm has installed the package."""

    def __init__(self, root):
        self.inside = Inside(root)
        self.file = self.inside.path("made.m4a")
        write_sound(self.inside.path("sound.wav"))

    def run(self, trial):
        self.inside.run("/usr/bin/node", "/trial/node_trial.mjs", trial)

    def encodes(self):
        self.run("encodes")

    def decodes(self):
        self.run("decodes")
        compare(self.inside.path("sound.wav"), self.inside.path("decoded.wav"))

    def inspects(self):
        self.run("inspects")
