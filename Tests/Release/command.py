"""The command, used as by a new user."""

import http.client
import json
import re
import subprocess
from urllib.parse import urlsplit

from inside import Inside, wait_until
from roots import Failure
from servers import Icecast, Listener
from sound import compare, write_sound

TOKEN = "a-token-of-a-trial-0123456789"


class Command:
    """The command of a system, run by an ordinary user."""

    def __init__(self, root, command="/usr/bin/aacorn", version=""):
        self.inside = Inside(root)
        self.command, self.version = command, version
        self.file = self.inside.path("lc.m4a")
        write_sound(self.inside.path("sound.wav"))

    def aacorn(self, *words, **options):
        return self.inside.run(self.command, *words, **options)

    def inspect(self, name):
        """Returns the command's report about a file; fails if the file has faults."""
        report = json.loads(self.aacorn("inspect", "--json", f"/trial/{name}")[0].splitlines()[-1])
        if report["faults"] or not report["frames"]:
            raise Failure(f"{name} has faults: {report}")
        return report

    def reports_version(self):
        said = self.aacorn("--version")[0].strip()
        if said != f"aacorn {self.version}":
            raise Failure(f"aacorn --version prints “{said}”.")

    def records(self):
        self.aacorn("record", "--device", "tone", "-d", "2s", "/trial/recording.m4a")
        if self.inspect("recording.m4a")["samples"] != 96000:
            raise Failure("A recording of two seconds does not have 96000 samples.")

    def encodes(self):
        for name, profile, rate in (("lc", "lc", "128k"), ("he", "he", "48k"), ("he2", "he2", "32k")):
            self.aacorn(
                "encode", "--profile", profile, "-b", rate, "/trial/sound.wav", "-o", f"/trial/{name}.m4a"
            )
            self.inspect(f"{name}.m4a")

    def decodes(self):
        self.aacorn("decode", "/trial/lc.m4a", "-o", "/trial/decoded.wav")
        compare(self.inside.path("sound.wav"), self.inside.path("decoded.wav"))

    def cuts_segments(self):
        """HLS into a folder needs no library."""
        self.aacorn("stream", "/trial/sound.wav", "--hls", "/trial/live")
        with open(self.inside.path("live/stream-0.m3u8"), encoding="utf-8") as file:
            playlist = file.read()
        if "#EXT-X-ENDLIST" not in playlist:
            raise Failure(f"The playlist has no end:\n{playlist}")
        names = re.findall(r'^[^#\n].*|(?<=URI=").*(?=")', playlist, re.MULTILINE)
        whole = b""
        for name in names:
            with open(self.inside.path(f"live/{name}"), "rb") as file:
                whole += file.read()
        with open(self.inside.path("segments.mp4"), "wb") as file:
            file.write(whole)
        self.inspect("segments.mp4")

    def streams(self):
        """Streams to a radio server, from which a listener receives the stream."""
        with Icecast() as server:
            stream = self.inside.start(
                self.command, "stream", "/trial/sound.wav", "--loop",
                "--icecast", f"icecast://127.0.0.1:{server.port}/live.aac",
                environment={"AACORN_ICECAST_PASSWORD": server.password},
            )
            listener = Listener(server.port, "/live.aac")
            wait_until("a listener receives the stream", lambda: listener.has_received(40000), stream)
            if (code := stream.end()) != 0:
                raise Failure(f"{stream} ended with {code}:\n{stream.said()}")
        with open(self.inside.path("received.aac"), "wb") as file:
            file.write(listener.whole_frames())
        self.inspect("received.aac")

    def serves_studio(self):
        """Serves the page to the browser with the printed address, and to no other."""
        studio = self.inside.start(
            self.command, "studio", "--port", "0", "--folder", "/trial/talks"
        )
        found = wait_until(
            "the studio prints its address", lambda: re.search(r"http://\S+", studio.said()), studio
        )
        address = urlsplit(found[0])

        def get(path, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=60)
            connection.request("GET", path, headers={"Host": address.netloc} | headers)
            answer = connection.getresponse()
            return answer, answer.read().decode(errors="replace")

        if get("/api/recordings")[0].status not in (401, 403):
            raise Failure("The studio accepts requests without a token.")
        answer, _ = get(f"{address.path}?{address.query}")
        cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
        if not cookie:
            raise Failure(f"The studio responds to its own address with {answer.status} and no cookie.")
        answer, page = get("/", Cookie=cookie)
        if answer.status != 200 or "<title>" not in page or "Aacorn" not in page:
            raise Failure(f"The studio's page has the status {answer.status}:\n{page[:500]}")
        for script in re.findall(r'<script[^>]* src="([^"]+)"', page):
            if get(f"/{script.removeprefix('./').lstrip('/')}", Cookie=cookie)[0].status != 200:
                raise Failure(f"The studio does not serve {script} of its page.")
        if get("/api/recordings", Cookie=cookie)[0].status != 200:
            raise Failure("The studio does not list recordings.")
        if (code := studio.end()) != 0:
            raise Failure(f"The studio ended with {code}:\n{studio.said()}")

    def reads_flac(self):
        """With a library that is loaded on demand."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", self.inside.path("sound.wav"),
             self.inside.path("sound.flac")],
            check=True,
        )
        self.aacorn("encode", "/trial/sound.flac", "-o", "/trial/flac.m4a")
        self.aacorn("decode", "/trial/flac.m4a", "-o", "/trial/flac.wav")
        compare(self.inside.path("sound.wav"), self.inside.path("flac.wav"))

    def names_packages(self):
        """Without the libraries, errors name the missing packages."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", self.inside.path("sound.wav"),
             self.inside.path("sound.flac")],
            check=True,
        )
        for package, code, words in (
            ("libcurl4", 4, ["stream", "/trial/sound.wav", "--icecast", "icecast://127.0.0.1:1/x"]),
            ("libsndfile1", 1, ["encode", "/trial/sound.flac"]),
            ("libpulse0", 3, ["record", "-d", "1s", "/trial/nothing.m4a"]),
            ("libpulse0", 3, ["play", "/trial/lc.m4a"]),
            ("libcurl4", 3, ["play", "http://127.0.0.1:9/x"]),
        ):
            said = "".join(
                self.aacorn(*words, code=code, environment={"AACORN_ICECAST_PASSWORD": "x"})
            )
            if package not in said:
                raise Failure(f"aacorn {words[0]} does not report that {package} is missing:\n{said}")
            if "cannot open shared object" in said:
                raise Failure(f"aacorn {words[0]} prints the message of the loader, too:\n{said}")
