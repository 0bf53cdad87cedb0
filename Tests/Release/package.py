"""The Python wheel and the npm package, each used by a script as by its users."""

from inside import Inside
from sound import compare, write_sound


class Package:
    """A folder or an environment in which the package is installed."""

    def __init__(self, root, *words):
        self.inside, self.words = Inside(root), words
        self.file = self.inside.path("made.m4a")
        write_sound(self.inside.path("sound.wav"))

    def run(self, trial):
        self.inside.run(*self.words, trial)

    def encodes(self):
        self.run("encodes")

    def decodes(self):
        self.run("decodes")
        compare(self.inside.path("sound.wav"), self.inside.path("decoded.wav"))

    def inspects(self):
        self.run("inspects")


def node(root):
    return Package(root, "/usr/bin/node", "/trial/node_trial.mjs")


def wheel(root, version):
    return Package(root, "/trial/environment/bin/python", "/trial/wheel_trial.py", version)
