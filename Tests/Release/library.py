"""What somebody does with the library for C: compile the examples, and run them."""

from inside import Inside
from roots import Failure
from sound import compare, write_sound


class Library:
    """The library in a folder that belongs to the user."""

    def __init__(self, root, folder, version):
        self.inside = Inside(root)
        self.folder, self.version = folder, version
        self.file = self.inside.path("shared.m4a")
        write_sound(self.inside.path("sound.wav"))
        self.environment = {"PKG_CONFIG_PATH": f"{folder}/lib/pkgconfig"}

    def pkg_config(self, *words):
        return self.inside.run("pkg-config", *words, environment=self.environment)[0].split()

    def compiles(self):
        """With the shared library, and with the static one."""
        if (said := self.pkg_config("--modversion", "aacorn")) != [self.version]:
            raise Failure(f"pkg-config says that the library has version {said}.")
        flags = self.pkg_config("--cflags", "--libs", "aacorn")
        archive = f"{self.folder}/lib/libaacorn.a"
        static = [
            archive if flag == "-laacorn" else flag
            for flag in self.pkg_config("--static", "--cflags", "--libs", "aacorn")
        ]
        examples = f"{self.folder}/examples"
        for name in ("encode", "decode"):
            source = f"{examples}/{name}.c"
            self.inside.run("gcc", source, *flags, "-o", f"/trial/{name}")
            self.inside.run("gcc", source, *static, "-o", f"/trial/{name}-static")
        self.inside.run("g++", f"{examples}/encode.cpp", *flags, "-o", "/trial/encode-cpp")

    def run(self, *words):
        self.inside.run(*words, environment={"LD_LIBRARY_PATH": f"{self.folder}/lib"})

    def encodes(self):
        """The same bytes by both libraries."""
        self.run("/trial/encode", "/trial/sound.wav", "/trial/shared.m4a")
        self.inside.run("/trial/encode-static", "/trial/sound.wav", "/trial/static.m4a")
        self.run("/trial/encode-cpp", "/trial/cpp.m4a")
        made = []
        for name in ("shared", "static"):
            with open(self.inside.path(f"{name}.m4a"), "rb") as file:
                made.append(file.read())
        if not made[0] or made[0] != made[1]:
            raise Failure("The static library does not make the bytes that the shared one makes.")

    def decodes(self):
        self.run("/trial/decode", "/trial/shared.m4a", "/trial/decoded.wav")
        self.inside.run("/trial/decode-static", "/trial/shared.m4a", "/trial/static.wav")
        for name in ("decoded", "static"):
            compare(self.inside.path("sound.wav"), self.inside.path(f"{name}.wav"))
