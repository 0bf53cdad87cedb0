"""Listeners that record the arrival time of each AAC frame."""

import os
import socket
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request

import servers


class Frames:
    """Splits an ADTS stream into access units."""

    def __init__(self):
        self.rest = b""

    def take(self, data):
        data = self.rest + data
        units, at = [], 0
        while len(data) - at >= 7:
            size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
            if data[at] != 0xFF or data[at + 1] & 0xF6 != 0xF0 or size < 7:
                # A listener that joins late starts in the middle of a frame.
                found = data.find(b"\xff", at + 1)
                at = found if found > 0 else len(data)
                continue
            if len(data) - at < size:
                break
            units.append(data[at + (7 if data[at + 1] & 1 else 9):at + size])
            at += size
        self.rest = data[at:]
        return units


class Listener(threading.Thread):
    """Collects (wall time, access unit) until it is stopped; reconnects after a disconnection."""

    def __init__(self, name):
        super().__init__(daemon=True)
        self.label = name
        self.arrivals = []
        self.is_stopped = False

    def note(self, units):
        now = time.time()
        self.arrivals += [(now, unit) for unit in units]

    def run(self):
        while not self.is_stopped:
            try:
                self.listen()
            except (OSError, ValueError, urllib.error.URLError):
                pass
            time.sleep(0.05)


class IcecastListener(Listener):
    def __init__(self, port, mount):
        super().__init__("Icecast")
        self.port, self.mount = port, mount

    def listen(self):
        frames = Frames()
        with socket.create_connection(("127.0.0.1", self.port), 5) as link:
            link.settimeout(2)
            link.sendall(f"GET {self.mount} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            head = b""
            while b"\r\n\r\n" not in head:
                data = link.recv(4096)
                if not data:
                    return
                head += data
            if b" 200 " not in head.split(b"\r\n")[0]:
                return
            self.note(frames.take(head.split(b"\r\n\r\n", 1)[1]))
            while not self.is_stopped:
                data = link.recv(65536)
                if not data:
                    return
                self.note(frames.take(data))


class RTMPListener(Listener):
    """Receives through ffmpeg, which forwards the stream without decoding it."""

    def __init__(self, port, key):
        super().__init__("RTMP")
        self.address = f"rtmp://127.0.0.1:{port}/live/{key}"
        self.process = None

    def listen(self):
        frames = Frames()
        self.process = subprocess.Popen(
            [servers.program("ffmpeg", "ffmpeg"), "-v", "quiet", "-fflags", "nobuffer",
             "-probesize", "32", "-analyzeduration", "0", "-i", self.address, "-c", "copy",
             "-f", "adts", "-flush_packets", "1", "pipe:1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        while not self.is_stopped:
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                break
            self.note(frames.take(data))
        self.process.kill()
        self.process.wait()


class HLSFolderListener(Listener):
    """Receives segments when the playlist lists them."""

    def __init__(self, folder, playlist):
        super().__init__("HLS, segments")
        self.folder, self.playlist, self.seen = folder, playlist, set()

    def listen(self):
        with open(os.path.join(self.folder, self.playlist), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for name in (line for line in lines if line and not line.startswith("#")):
            if name not in self.seen:
                self.seen.add(name)
                with open(os.path.join(self.folder, name), "rb") as segment:
                    self.note(fragment_units(segment.read()))


class LowLatencyListener(Listener):
    """Requests each part before it exists, like a low-latency player."""

    def __init__(self, port, playlist):
        super().__init__("HLS, parts")
        self.base = f"http://127.0.0.1:{port}/"
        self.playlist = playlist
        self.seen = set()

    def get(self, name):
        with urllib.request.urlopen(self.base + name, timeout=10) as answer:
            return answer.read()

    def listen(self):
        query = ""
        while not self.is_stopped:
            lines = self.get(self.playlist + query).decode().splitlines()
            sequence = next(int(line.split(":")[1]) for line in lines
                            if line.startswith("#EXT-X-MEDIA-SEQUENCE"))
            parts = 0
            for line in lines:
                if line.startswith("#EXT-X-PART:"):
                    name = line.split('URI="')[1].split('"')[0]
                    parts += 1
                    if name not in self.seen:
                        self.seen.add(name)
                        self.note(fragment_units(self.get(name)))
                elif line and not line.startswith("#"):
                    sequence += 1
                    parts = 0
            query = f"?_HLS_msn={sequence}&_HLS_part={parts}"


def boxes(data):
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if size < 8:
            return
        yield kind, data[at + 8:at + size]
        at += size


def fragment_units(data):
    """Returns the access units of a segment or a part: MP4 fragments, or ADTS after an ID3 tag."""
    if data[:3] == b"ID3":
        size = 0
        for byte in data[6:10]:
            size = size << 7 | byte
        return Frames().take(data[10 + size:])
    units, sizes = [], []
    for kind, content in boxes(data):
        if kind == b"moof":
            run = next(run for name, track in boxes(content) if name == b"traf"
                       for box, run in boxes(track) if box == b"trun")
            flags, count = struct.unpack(">II", run[:8])
            at = 8 + (4 if flags & 1 else 0) + (4 if flags & 4 else 0)
            step = sum(4 for bit in (0x100, 0x200, 0x400, 0x800) if flags & bit)
            skip = 4 if flags & 0x100 else 0
            sizes = [struct.unpack(">I", run[at + i * step + skip:at + i * step + skip + 4])[0]
                     for i in range(count)]
        elif kind == b"mdat":
            at = 0
            for size in sizes:
                units.append(content[at:at + size])
                at += size
    return units
