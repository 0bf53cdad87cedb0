"""The interfaces of the codec.

Each encodes source.wav in a folder to an M4A file at 128 kb/s, decodes it to a floating-point WAV
file, and returns the seconds.
"""

import json
import os
import subprocess

from errors import BindingsError
from running import ROOT, built, done, need, timed

HERE = os.path.dirname(os.path.abspath(__file__))
BITRATE = 128_000


class Way:
    """An interface with two commands, with `{in}` and `{out}`."""

    title = ""
    container = "m4a"
    environment = None

    def __init__(self, folder):
        self.folder = folder

    def encode(self, source, target):
        return timed(self.encoding(source, target), self.environment)

    def decode(self, source, target):
        return timed(self.decoding(source, target), self.environment)

    def close(self):
        pass


class Command(Way):
    title = "the command, one thread"

    def __init__(self, folder):
        super().__init__(folder)
        self.program = built("AACORN", "build", "release")

    def encoding(self, source, target):
        return [self.program, "encode", "-q", "-f", "--jobs", "1", "-b", str(BITRATE), source,
                "-o", target]

    def decoding(self, source, target):
        return [self.program, "decode", "-q", "-f", "--jobs", "1", "--sample-format", "f32", source,
                "-o", target]


class C(Way):
    title = "C, the examples"

    def __init__(self, folder):
        super().__init__(folder)
        need("gcc", "gcc")
        library = built("AACORN_C_LIBRARY", "build-c-library")
        for name in ("encode", "decode"):
            done(["gcc", "-O2", f"-I{library}/include", os.path.join(ROOT, "Examples/c", f"{name}.c"),
                  f"-L{library}/lib", f"-Wl,-rpath,{library}/lib", "-laacorn",
                  "-o", os.path.join(folder, f"c-{name}")])

    def encoding(self, source, target):
        return [os.path.join(self.folder, "c-encode"), source, target, "lc", str(BITRATE)]

    def decoding(self, source, target):
        return [os.path.join(self.folder, "c-decode"), source, target]


class Python(Way):
    title = "Python"

    def __init__(self, folder):
        super().__init__(folder)
        wheel = built("AACORN_WHEEL", "build-python-wheel")
        need("pip3", "python3-pip")
        place = os.path.join(folder, "python")
        done(["pip3", "install", "--quiet", "--no-deps", "--no-index",
              "--root-user-action=ignore", "--target", place, wheel])
        self.environment = {"PYTHONPATH": place}

    def encoding(self, source, target):
        return ["python3", os.path.join(HERE, "recode.py"), "encode", source, target, str(BITRATE)]

    def decoding(self, source, target):
        return ["python3", os.path.join(HERE, "recode.py"), "decode", source, target]


class Node(Way):
    title = "node, WebAssembly"

    def __init__(self, folder):
        super().__init__(folder)
        self.program = need("node", "nodejs")

    def encoding(self, source, target):
        return [self.program, os.path.join(HERE, "recode.mjs"), "encode", source, target, str(BITRATE)]

    def decoding(self, source, target):
        return [self.program, os.path.join(HERE, "recode.mjs"), "decode", source, target]


class Chromium(Way):
    """The work in a page with the file; the browser continues to run between the rounds."""

    title = "Chromium, WebAssembly"

    def __init__(self, folder):
        super().__init__(folder)
        need("chromium", "chromium")
        need("chromedriver", "chromium-driver")
        self.child = subprocess.Popen(
            [need("node", "nodejs"), os.path.join(HERE, "browser.mjs"), folder, str(BITRATE)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def encode(self, source, target):
        return self._ask("encode", source, target)

    def decode(self, source, target):
        return self._ask("decode", source, target)

    def _ask(self, *words):
        self.child.stdin.write(json.dumps(words) + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if not answer:
            raise BindingsError("The browser has ended, see above.")
        return tuple(json.loads(answer))

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class GStreamer(Way):
    """GStreamer's elements process streams, so the container is ADTS."""

    title = "GStreamer"
    container = "aac"

    def __init__(self, folder):
        super().__init__(folder)
        self.program = need("gst-launch-1.0", "gstreamer1.0-tools")
        inspect = need("gst-inspect-1.0", "gstreamer1.0-tools")
        for element, package in (("wavparse", "gstreamer1.0-plugins-good"),
                                 ("audioconvert", "gstreamer1.0-plugins-base"),
                                 ("aacparse", "gstreamer1.0-plugins-good"),
                                 ("aacornenc", None), ("aacorndec", None)):
            # --exists would also require GStreamer's own version.
            found = subprocess.run([inspect, element], check=False, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
            if found.returncode != 0:
                where = (f"it is in the Debian package {package}" if package
                         else "build the elements, and have GST_PLUGIN_PATH lead to them")
                raise BindingsError(f"GStreamer has no element {element}; {where}.")

    def encoding(self, source, target):
        return [self.program, "-q", "filesrc", f"location={source}", "!", "wavparse", "!",
                "audioconvert", "!", "aacornenc", f"bitrate={BITRATE}", "!", "aacparse", "!",
                "audio/mpeg,stream-format=adts", "!", "filesink", f"location={target}"]

    def decoding(self, source, target):
        return [self.program, "-q", "filesrc", f"location={source}", "!", "aacparse", "!", "aacorndec",
                "!", "audioconvert", "!", "audio/x-raw,format=F32LE", "!", "wavenc", "!", "filesink",
                f"location={target}"]


ALL = {"command": Command, "c": C, "python": Python, "node": Node, "chromium": Chromium,
       "gstreamer": GStreamer}
