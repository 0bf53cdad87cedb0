"""Measures the wait of the owner of a studio during an attack by two thousand hostile clients.

Fails if a response is invalid or takes longer than SLOWEST, without or with the hostile clients.
"""

import http.client
import json
import multiprocessing
import os
import resource
import secrets
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

import servers

CLIENTS = 2000
# Milliseconds.
SLOWEST = 200
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
BEGINNINGS = [
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"PUT /api/uploads/0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
    b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Aacorn: studio\r\n"
    b"Content-Length: 1000\r\n\r\n",
]


class Crowd:
    """Hostile clients, in a separate process.

    They send nothing, never end their headers, or send unrequested or permitted bodies. They
    connect again as soon as they are disconnected.
    """

    def __init__(self, port, count, present, cut):
        self.port = port
        self.present = present
        self.cut = cut
        self.poll = select.epoll()
        self.members = {}
        for index in range(count):
            self.connect(index)

    def connect(self, index):
        member = socket.socket()
        member.setblocking(False)
        member.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        member.bind((ADDRESSES[index % len(ADDRESSES)], 0))
        member.connect_ex(("127.0.0.1", self.port))
        self.members[member.fileno()] = (member, index)
        self.poll.register(member.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
        self.send(member, BEGINNINGS[index % len(BEGINNINGS)])

    @staticmethod
    def send(member, text):
        try:
            member.send(text)
        except OSError:
            pass

    def is_over(self, member):
        try:
            while member.recv(65536):
                pass
            return True
        except BlockingIOError:
            return False
        except OSError:
            return True

    def run(self):
        next_byte = time.monotonic()
        while True:
            for number, _ in self.poll.poll(0.05, 256):
                member, index = self.members[number]
                if self.is_over(member):
                    self.poll.unregister(number)
                    del self.members[number]
                    member.close()
                    self.cut.value += 1
                    self.connect(index)
            if time.monotonic() >= next_byte:
                next_byte += 1
                for member, index in list(self.members.values()):
                    if index % len(BEGINNINGS):
                        self.send(member, b"x")
            self.present.value = len(self.members)


def run_crowd(port, count, present, cut):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + 200)), hard))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Crowd(port, count, present, cut).run()


class Owner:
    """The authorized user of the studio, who measures response times."""

    def __init__(self, port, token):
        self.port = port
        self.headers = {
            "X-Aacorn": "studio", "Host": f"localhost:{port}", "Authorization": f"Bearer {token}"}
        self.kept = self.connection()

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, method, path, body=None, connection=None, **headers):
        own = connection or self.connection()
        try:
            own.request(method, path, body=body, headers={**self.headers, **headers})
            answer = own.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise servers.Missing(f"{method} {path} was not answered: {error!r}") from error
        if answer.status != 200:
            raise servers.Missing(f"{method} {path} was answered {answer.status}: {content}")
        if not connection:
            own.close()
        return content

    def begin_upload(self):
        body = "name=crowd.wav"
        content = self.ask(
            "POST", "/api/uploads", body, **{"Content-Type": "application/x-www-form-urlencoded"})
        return json.loads(content)["id"]

    def command(self, name, body=""):
        self.ask("POST", f"/api/{name}", body, **{
            "Content-Type": "application/x-www-form-urlencoded"})

    def first_event(self):
        """Opens a stream of events, and reads it up to the first event."""
        own = self.connection()
        try:
            own.request("GET", "/api/events", headers=self.headers)
            if not own.getresponse().read(1):
                raise servers.Missing("The stream of events ended before the first one.")
        except (OSError, http.client.HTTPException) as error:
            raise servers.Missing(f"No event came: {error!r}") from error
        own.close()

    def live_playlist(self):
        """Returns the path of the HLS playlist of a recording, once it lists segments."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            recording = json.loads(self.ask("GET", "/api/state"))["recording"] or {}
            for output in recording.get("outputs", []):
                if output["kind"] == "hls" and output["url"] and output["state"] == "live":
                    folder = output["url"].rpartition("/")[0]
                    for line in self.ask("GET", output["url"]).decode().splitlines():
                        if line and not line.startswith("#"):
                            playlist = f"{folder}/{line}"
                            if self.sounds_of(playlist):
                                return playlist
            time.sleep(0.1)
        raise servers.Missing("The recording has no live sound.")

    def sounds_of(self, playlist):
        """Returns the segments in a playlist, the newest one last."""
        lines = self.ask("GET", playlist).decode().splitlines()
        folder = playlist.rpartition("/")[0]
        return [f"{folder}/{line}" for line in lines if line and not line.startswith("#")]


def listen(owner, rounds):
    """Records and monitors like the page: requests playlists and the newest segments."""
    times = {"the live playlist": [], "the newest live sound": [], "the end of the recording": []}

    def timed(name, action):
        begin = time.monotonic()
        content = action()
        times[name].append((time.monotonic() - begin) * 1000)
        return content

    owner.command("record", "device=tone&format=m4a&output=hls")
    playlist = owner.live_playlist()
    for _ in range(rounds):
        sounds = timed("the live playlist", lambda: owner.sounds_of(playlist))
        if not timed("the newest live sound", lambda: owner.ask("GET", sounds[-1])):
            raise servers.Missing(f"{sounds[-1]} is empty.")
        # Spread the requests over time, because the hostile clients may pause briefly.
        time.sleep(0.05)
    timed("the end of the recording", lambda: owner.command("stop"))
    return times


def measure(owner, rounds):
    upload = owner.begin_upload()
    piece = bytes(256 * 1024)
    actions = {
        "a separate request": lambda: owner.ask("GET", "/api/recordings"),
        "over a persistent connection":
            lambda: owner.ask("GET", "/api/recordings", connection=owner.kept),
        "the first event": owner.first_event,
        "256 kB of an upload": lambda: owner.ask("PUT", f"/api/uploads/{upload}?at=0", piece),
        "the start of a recording": lambda: owner.command("record", "device=tone&format=m4a"),
        "its end": lambda: owner.command("stop"),
    }
    times = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            if name == "its end":
                # Without audio there is no file to complete.
                time.sleep(0.2)
            begin = time.monotonic()
            action()
            times[name].append((time.monotonic() - begin) * 1000)
    owner.ask("DELETE", f"/api/uploads/{upload}")
    return {**times, **listen(owner, rounds)}


def report(title, times):
    print(title)
    for name, values in times.items():
        values = sorted(values)
        late = values[int(len(values) * 0.99)]
        print(f"  {name:32} min {values[0]:7.2f}  median {statistics.median(values):7.2f}"
              f"  99 % {late:7.2f}  max {values[-1]:7.2f} ms")
    return [f"{title} {name} took {max(values):.0f} ms, and may take {SLOWEST}."
            for name, values in times.items() if max(values) > SLOWEST]


def crowd(arguments, stack, folder):
    token = secrets.token_hex(16)
    studio = subprocess.Popen(
        [arguments.aacorn, "studio", "--port", "0", "--folder", os.path.join(folder, "sound"),
         "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "AACORN_STUDIO_TOKEN": token})
    stack.callback(studio.wait, timeout=30)
    stack.callback(studio.send_signal, signal.SIGINT)
    port = None
    for line in studio.stdout:
        port = json.loads(line).get("port")
        if port:
            break
    if not port:
        raise servers.Missing("The studio did not start.")
    threading.Thread(target=lambda: [None for _ in studio.stdout], daemon=True).start()
    owner = Owner(port, token)
    rounds = arguments.rounds
    faults = report(f"Alone, {rounds} rounds:", measure(owner, rounds))

    present = multiprocessing.Value("q", 0)
    cut = multiprocessing.Value("q", 0)
    process = multiprocessing.Process(
        target=run_crowd, args=(owner.port, arguments.clients, present, cut), daemon=True)
    process.start()
    stack.callback(process.terminate)
    end = time.monotonic() + 60
    while present.value < arguments.clients or cut.value < arguments.clients:
        if time.monotonic() > end or not process.is_alive():
            raise servers.Missing(f"Only {present.value} hostile clients came.")
        time.sleep(0.05)
    # The server may have closed the earlier keep-alive connection because it was idle for too long.
    owner.kept = owner.connection()
    begin, cut_before = time.monotonic(), cut.value
    times = measure(owner, rounds)
    seconds = time.monotonic() - begin
    faults += report(
        f"Beside {present.value} hostile clients, of which "
        f"{(cut.value - cut_before) / seconds:.0f} a second were cut off and came again:", times)
    with open(f"/proc/{studio.pid}/status", encoding="ascii") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(f"The studio took {int(peak) // 1024} MB at most.")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0
