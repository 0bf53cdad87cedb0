"""Two thousand hostile clients beside the owner of a studio: how long the owner waits."""

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
import threading
import time

import servers

CLIENTS = 2000
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
BEGINNINGS = [
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"PUT /api/uploads/0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
    b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Aacorn: studio\r\n"
    b"Content-Length: 1000\r\n\r\n",
]


class Crowd:
    """Clients that say nothing, never end their headers, or send bodies that nobody wants or that
    anybody may send, and come again as soon as they are cut off. It runs in a process of its own."""

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
    """Who may use the studio, and looks at a clock while doing so."""

    def __init__(self, port, token):
        self.port = port
        self.headers = {
            "X-Aacorn": "studio", "Host": f"localhost:{port}", "Authorization": f"Bearer {token}"}
        self.kept = self.connection()

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(self, method, path, body=None, connection=None, **headers):
        own = connection or self.connection()
        own.request(method, path, body=body, headers={**self.headers, **headers})
        answer = own.getresponse()
        content = answer.read()
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
        """A stream of events, up to the first of them."""
        own = self.connection()
        own.request("GET", "/api/events", headers=self.headers)
        own.getresponse().read(1)
        own.close()


def measure(owner, rounds):
    upload = owner.begin_upload()
    piece = bytes(256 * 1024)
    actions = {
        "a request of its own": lambda: owner.ask("GET", "/api/recordings"),
        "over a connection that is kept":
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
                # Without sound there would be nothing to complete.
                time.sleep(0.2)
            begin = time.monotonic()
            action()
            times[name].append((time.monotonic() - begin) * 1000)
    owner.ask("DELETE", f"/api/uploads/{upload}")
    return times


def report(title, times):
    print(title)
    for name, values in times.items():
        values = sorted(values)
        late = values[int(len(values) * 0.99)]
        print(f"  {name:32} min {values[0]:7.2f}  median {statistics.median(values):7.2f}"
              f"  99 % {late:7.2f}  max {values[-1]:7.2f} ms")


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
    report(f"Alone, {rounds} rounds:", measure(owner, rounds))

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
    # What was kept before the crowd came is not there any more if it rested for too long.
    owner.kept = owner.connection()
    begin, cut_before = time.monotonic(), cut.value
    times = measure(owner, rounds)
    seconds = time.monotonic() - begin
    report(
        f"Beside {present.value} hostile clients, of which "
        f"{(cut.value - cut_before) / seconds:.0f} a second were cut off and came again:", times)
    with open(f"/proc/{studio.pid}/status", encoding="ascii") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
    print(f"The studio took {int(peak) // 1024} MB at most.")
