"""Many streams on one machine: the number for each core, and an hour with failing servers."""

import contextlib
import json
import os
import resource
import selectors
import socket
import subprocess
import time
import urllib.request
import xml.etree.ElementTree as XML

import servers

BITRATE = 128_000
#: The share of a stream's bits that must arrive within their playing time.
IN_TIME = 0.99
TICK = os.sysconf("SC_CLK_TCK")


def mount(number):
    return f"s{number:04}"


def times(pid):
    """Returns user and system seconds of a process and its ended children."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / TICK


def facts(pid):
    """Returns proportional memory in kB, and the numbers of threads and descriptors."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file)
    memory = int(lines["VmRSS"].split()[0])
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        pass
    return memory, int(lines["Threads"]), len(os.listdir(f"/proc/{pid}/fd"))


def received(port):
    """Returns the number of bytes that an Icecast server has received, by mount."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/admin/stats")
    request.add_header("Authorization", "Basic YWRtaW46c2VjcmV0")
    with urllib.request.urlopen(request, timeout=10) as answer:
        tree = XML.fromstring(answer.read())
    return {source.get("mount"): int(source.findtext("total_bytes_read") or 0)
            for source in tree.findall("source")}


class Stream:
    """A process of `aacorn stream` with its state, and its events in a file."""

    def __init__(self, arguments, folder, number, options):
        self.name = mount(number)
        self.status_port = servers.free_port()
        self.events = os.path.join(folder, f"events-{self.name}")
        with open(self.events, "wb") as events:
            self.process = subprocess.Popen(
                [os.path.abspath(arguments.aacorn), "stream", "noise.wav", "--loop", "--rate", "48000",
                 "--bitrate", str(BITRATE), "--json", "--listen-status", f"127.0.0.1:{self.status_port}", *options],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=events,
                env=dict(os.environ, AACORN_ICECAST_PASSWORD="secret"))

    def status(self):
        address = f"http://127.0.0.1:{self.status_port}/status"
        with urllib.request.urlopen(address, timeout=60) as answer:
            return json.load(answer)

    def report(self):
        """Returns the last event of the ended process, or None."""
        with open(self.events, encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        return next((event for event in events if event["event"] == "stopped"), None)


def aacorn(arguments, folder, port, count, effort):
    return [Stream(arguments, folder, number, [
        "--effort", effort, "--icecast", f"icecast://127.0.0.1:{port}/{mount(number)}"]).process
        for number in range(count)]


def ffmpeg(folder, port, count):
    program = servers.program("ffmpeg", "ffmpeg")
    return [subprocess.Popen(
        [program, "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", "noise.wav",
         "-c:a", "aac", "-b:a", str(BITRATE), "-f", "adts", "-content_type", "audio/aac",
         f"icecast://source:secret@127.0.0.1:{port}/{mount(number)}"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        for number in range(count)]


def liquidsoap(folder, port, count):
    lines = ["settings.init.allow_root.set(true)", "settings.log.level.set(2)"]
    for number in range(count):
        lines.append(
            f'output.icecast(%ffmpeg(format="adts", %audio(codec="aac", b="128k", channels=2, '
            f'samplerate=48000)), fallible=true, host="127.0.0.1", port={port}, password="secret", '
            f'mount="{mount(number)}", single("{folder}/noise.wav"))')
    script = os.path.join(folder, "many.liq")
    with open(script, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return [subprocess.Popen(
        [servers.program("liquidsoap", "liquidsoap"), script], cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)]


def end(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def starts(count):
    """Returns the function that starts each program with `count` streams."""
    return {
        "aacorn": lambda arguments, folder, port: aacorn(arguments, folder, port, count, "balanced"),
        "aacorn, fast": lambda arguments, folder, port: aacorn(arguments, folder, port, count, "fast"),
        "ffmpeg": lambda _, folder, port: ffmpeg(folder, port, count),
        "liquidsoap": lambda _, folder, port: liquidsoap(folder, port, count),
    }


def ways(count):
    """Returns the functions of `starts` for installed programs, and prints the missing ones."""
    found = starts(count)
    try:
        servers.program("liquidsoap", "liquidsoap")
    except servers.Missing as missing:
        print(f"Without liquidsoap: {missing}", flush=True)
        del found["liquidsoap"]
    return found


@contextlib.contextmanager
def on(core):
    """Runs processes started in this context on this core, like taskset; on any core if None."""
    before = os.sched_getaffinity(0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Ears:
    """Listeners of some streams that count bytes: the server updates its own counts too rarely."""

    MOST = 16

    def __init__(self, port, count):
        self.selector = selectors.DefaultSelector()
        for number in range(0, count, max(1, -(-count // self.MOST))):
            one = socket.create_connection(("127.0.0.1", port), 20)
            one.sendall(f"GET /{mount(number)} HTTP/1.0\r\n\r\n".encode())
            self.selector.register(one, selectors.EVENT_READ, number)
        self.received = dict.fromkeys((key.data for key in self.selector.get_map().values()), 0)

    def listen(self, seconds):
        """Returns the number of bytes received from each stream."""
        before, until = dict(self.received), time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0:
            for key, _ in self.selector.select(rest):
                data = key.fileobj.recv(1 << 16)
                self.received[key.data] += len(data)
                if not data:
                    self.selector.unregister(key.fileobj)
        return [self.received[number] - before[number] for number in before]

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()


class Measured:
    """The resources of streams in cores and kB, and received bits per second of some streams."""

    def __init__(self, processes, server, ears, seconds):
        begin, before = time.monotonic(), sum(times(one.pid) for one in processes)
        server_before = times(server.process.pid)
        amounts = ears.listen(seconds)
        lasted = time.monotonic() - begin
        self.cores = (sum(times(one.pid) for one in processes) - before) / lasted
        self.server = (times(server.process.pid) - server_before) / lasted
        known = [facts(one.pid) for one in processes]
        self.memory, self.threads, self.descriptors = (sum(column) for column in zip(*known))
        self.rates = [8 * amount / lasted for amount in amounts]


def measure(arguments, folder, name, start, count, cores=(None, None)):
    """Measures `count` streams of a program; returns None if they do not start in time."""
    with contextlib.ExitStack() as stack:
        with on(cores[1]):
            server = servers.icecast(folder, sources=count + 5, name=f"icecast-{time.monotonic_ns()}")
            server.start()
        stack.callback(server.kill)
        with on(cores[0]):
            processes = start(arguments, folder, server.port)
        stack.callback(end, processes)
        limit = time.monotonic() + 60
        while (arrived := len(received(server.port))) < count:
            if any(one.poll() is not None for one in processes):
                raise servers.Missing(f"{name} ended when {arrived} of {count} streams had come about.")
            if time.monotonic() > limit:
                return None
            time.sleep(0.2)
        ears = Ears(server.port, count)
        stack.callback(ears.close)
        # Receive the headers of the responses, and data delayed by the start.
        ears.listen(5)
        return Measured(processes, server, ears, arguments.seconds)


def load(arguments, _, folder):
    """Measures processor time and memory of N real-time streams of a file to one Icecast server."""
    if arguments.until_late:
        return saturate(arguments, folder)
    count = arguments.streams or 40
    print(f"{count} streams, stereo, 48 kHz, {BITRATE // 1000} kb/s AAC-LC, from a file in real time"
          f" to Icecast, for {arguments.seconds} s:")
    found = ways(count)
    print("                 of a core  streams a core  memory each  threads  descriptors  arrived")
    for name, start in found.items():
        took = measure(arguments, folder, name, start, count)
        if not took:
            raise servers.Missing(f"{name}: {count} streams did not come about in a minute.")
        print(f"  {name:14} {100 * took.cores:8.1f} %  {count / took.cores:14.0f}"
              f"  {took.memory / count / 1024:8.2f} MB  {took.threads:7}  {took.descriptors:11}"
              f"  {100 * min(took.rates) / BITRATE:5.1f} % at least", flush=True)
    return 0


def saturate(arguments, folder):
    """Raises the number of streams on one core, with the server on another, until data is late."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        raise servers.Missing("Two cores are needed, one for the programs and one for the server.")
    cores = allowed[0], allowed[1]
    # A stream uses two or three descriptors, here and at the server.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    first = arguments.streams or 40
    print(f"Streams on core {cores[0]}, stereo, 48 kHz, {BITRATE // 1000} kb/s AAC-LC, from a file in"
          f" real time to Icecast on core {cores[1]}, for {arguments.seconds} s; late is where a"
          f" listener to one of {Ears.MOST} gets less than {100 * IN_TIME:.0f} % of the data of {first}:")
    names = list(ways(first))
    print("                    streams  of the core  of the server's  arrived")
    with on(cores[1]):
        for name in names:
            limit(arguments, folder, name, first, cores)
    return 0


def limit(arguments, folder, name, first, cores):
    """Finds the maximum number of streams of a program that are in time, within 5 %."""
    normal, good, bad, count = None, 0, None, first
    while bad is None or bad - good > max(1, good // 20):
        took = measure(arguments, folder, name, starts(count)[name], count, cores)
        # An encoder's 128 kb/s may be slightly less.
        normal = normal or (took and sum(took.rates) / len(took.rates))
        share = min(took.rates) / normal if took and normal else 0
        print(f"  {name:14} {count:12} "
              + (f"{100 * took.cores:10.1f} %  {100 * took.server:13.1f} %  {100 * share:5.1f} %"
                 if took else "      they did not come about in a minute"), flush=True)
        if share >= IN_TIME:
            good = count
        else:
            bad = count
        count = (good + bad) // 2 if bad else count * 3 // 2
        if good == 0 and bad and bad <= 1:
            break
    print(f"  {name:14} {good:12} streams are in time", flush=True)


def soak(arguments, stack, folder):
    """Checks that every frame arrives or is counted as lost while servers fail in turns."""
    count = arguments.streams or 100
    found = [servers.icecast(folder, sources=count, name=f"icecast-{index}") for index in range(4)]
    for server in found:
        server.start()
        stack.callback(server.kill)
    streams = []
    for number in range(count):
        if number % 5 == 4:
            options = ["--hls", mount(number)]
        else:
            options = ["--icecast", f"icecast://127.0.0.1:{found[number % 5].port}/{mount(number)}"]
        streams.append(Stream(arguments, folder, number, options))
        stack.callback(streams[-1].process.kill)
    processes = [stream.process for stream in streams]
    begin = time.monotonic()
    memory = []
    turn = 0
    every = min(arguments.restart_every, max(10, arguments.seconds // 8))
    print("   time  memory  threads  descriptors  cores  live  dropped  reconnects", flush=True)
    spent, last = 0, begin
    while time.monotonic() < begin + arguments.seconds:
        time.sleep(max(0, min(every, begin + arguments.seconds - time.monotonic())))
        states = [stream.status() for stream in streams]
        outputs = [output for state in states for output in state["outputs"]]
        now, total = time.monotonic(), sum(times(one.pid) for one in processes)
        kilobytes, threads, descriptors = (sum(column) for column in zip(*(facts(one.pid) for one in processes)))
        memory.append(kilobytes)
        print("{:6.0f}s {:6d}k  {:7d}  {:11d}  {:5.2f}  {:4d}  {:7d}  {:10d}".format(
            now - begin, kilobytes, threads, descriptors, (total - spent) / (now - last),
            sum(state["healthy"] for state in states),
            sum(output["droppedFrames"] for output in outputs),
            sum(output["reconnects"] for output in outputs)), flush=True)
        spent, last = total, now
        if now + 30 >= begin + arguments.seconds:
            continue
        server = found[turn % 4]
        server.kill()
        # Every second outage is longer than the capacity of the queue.
        time.sleep(2 if turn % 8 < 4 else 20)
        server.start()
        turn += 1
    time.sleep(15)
    end(processes)
    return judge({stream.name: stream.report() for stream in streams}, count, memory)


def judge(reports, count, memory):
    wrong = []
    reports = {name: report for name, report in reports.items() if report}
    if len(reports) != count:
        wrong.append(f"{len(reports)} reports of {count} streams")
    frames = 0
    for name, report in reports.items():
        frames += report["frames"]
        if report["gaps"]:
            wrong.append(f"{name} has {report['gaps']} gaps")
        for output in report["outputs"]:
            total = output["frames"] + output["droppedFrames"]
            if total != report["frames"]:
                wrong.append(f"{name}: {total} of {report['frames']} frames accounted for")
            if output["kind"] == "hls" and output["droppedFrames"]:
                wrong.append(f"{name} dropped frames, and has no server")
    late = memory[len(memory) // 2:]
    if max(late) > min(late) * 1.1 + 2048:
        wrong.append(f"the memory grows from {min(late)} to {max(late)} kB")
    print(f"{frames} frames of {len(reports)} streams, all sent or counted as dropped."
          if not wrong else "\n".join(wrong[:20]))
    return 1 if wrong else 0
