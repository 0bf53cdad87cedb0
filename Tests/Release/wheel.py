"""The Python wheel, used as by its users."""

from inside import Inside
from sound import compare, write_sound


class Wheel:
    """An environment in which pip has installed the wheel."""

    def __init__(self, root, version):
        self.inside = Inside(root)
        self.version = version
        self.file = self.inside.path("made.m4a")
        write_sound(self.inside.path("sound.wav"))

    def run(self, trial):
        self.inside.run(
            "/trial/environment/bin/python", "/trial/wheel_trial.py", trial, self.version
        )

    def encodes(self):
        self.run("encodes")

    def decodes(self):
        self.run("decodes")
        compare(self.inside.path("sound.wav"), self.inside.path("decoded.wav"))
