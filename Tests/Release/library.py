"""The C library, used as by its users: compile the examples, and run them."""

from inside import Inside
from roots import Failure
from sound import compare, write_sound


class Library:
    """The library in a folder owned by the user."""

    def __init__(self, root, folder, version):
        self.inside = Inside(root)
        self.folder, self.version = folder, version
        self.file = self.inside.path("shared.m4a")
        write_sound(self.inside.path("sound.wav"))
        self.environment = {"PKG_CONFIG_PATH": f"{folder}/lib/pkgconfig"}

    def pkg_config(self, *words):
        return self.inside.run("pkg-config", *words, environment=self.environment)[0].split()

    def compiles(self):
        if (said := self.pkg_config("--modversion", "aacorn")) != [self.version]:
            raise Failure(f"pkg-config reports the version {said} of the library.")
        flags = self.pkg_config("--cflags", "--libs", "aacorn")
        examples = f"{self.folder}/examples"
        for name in ("encode", "decode"):
            self.inside.run("gcc", f"{examples}/{name}.c", *flags, "-o", f"/trial/{name}")
        static = f"{self.folder}/lib/libaacorn.a"
        self.inside.run(
            "gcc", f"-I{self.folder}/include", f"{examples}/encode.c", static, "-lm", "-o", "/trial/encode-static"
        )
        self.inside.run("g++", f"{examples}/encode.cpp", *flags, "-o", "/trial/encode-cpp")

    def run(self, *words):
        self.inside.run(*words, environment={"LD_LIBRARY_PATH": f"{self.folder}/lib"})

    def encodes(self):
        self.run("/trial/encode", "/trial/sound.wav", "/trial/shared.m4a")
        self.run("/trial/encode-static", "/trial/sound.wav", "/trial/static.m4a")
        self.inside.run("cmp", "/trial/shared.m4a", "/trial/static.m4a")
        self.run("/trial/encode-cpp", "/trial/cpp.m4a")

    def decodes(self):
        self.run("/trial/decode", "/trial/shared.m4a", "/trial/decoded.wav")
        compare(self.inside.path("sound.wav"), self.inside.path("decoded.wav"))
