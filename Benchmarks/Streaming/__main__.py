"""The program of Benchmarks/stream, which documents it."""

import argparse
import contextlib
import datetime
import json
import os
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import wave

import crowd
import listeners
import many
import servers

RATE = 48_000
FRAME = 1024
# The delay of the encoder in frames.
PRIMING = 1024


def noise(path, seconds):
    """Writes stereo that never repeats, so that all frames differ."""
    generator = random.Random(1)
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        low = 0.0
        samples = []
        for _ in range(seconds * RATE):
            low += (generator.uniform(-1, 1) - low) * 0.2
            samples.append(int(low * 20_000))
        file.writeframes(b"".join(struct.pack("<hh", one, -one // 2) for one in samples))


class Stream:
    """`aacorn stream` to four outputs, with its events and its state."""

    def __init__(self, arguments, source, folder, ports, low_latency=False, environment=None):
        self.folder = folder
        self.status_port = servers.free_port()
        self.hls_port = servers.free_port()
        command = [
            arguments.aacorn, "stream", *source, "--json", "--rate", str(RATE), "-b", "128k",
            "--icecast", f"icecast://127.0.0.1:{ports[0]}/live",
            "--rtmp", f"rtmp://127.0.0.1:{ports[1]}/live",
            "--hls", os.path.join(folder, "hls"), "--save", os.path.join(folder, "saved.aac"),
            "--listen-status", f"127.0.0.1:{self.status_port}"]
        if low_latency:
            command += ["--hls-serve", f"127.0.0.1:{self.hls_port}", "--hls-part", "200ms",
                        "--hls-segment", "2s"]
        environment = dict(environment or os.environ, AACORN_ICECAST_PASSWORD="secret",
                           AACORN_RTMP_KEY="ours")
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment)
        self.events = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.errors = []
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                self.events.append(json.loads(line))

    def started(self):
        """Returns the wall clock time of the first sample."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for event in self.events:
                if event["event"] == "started":
                    return datetime.datetime.fromisoformat(
                        event["time"].replace("Z", "+00:00")).timestamp()
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise servers.Missing(
            "The stream did not start: " + b"".join(self.errors).decode(errors="replace"))

    def status(self):
        address = f"http://127.0.0.1:{self.status_port}/status"
        with urllib.request.urlopen(address, timeout=5) as answer:
            return json.load(answer)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        self.reader.join(timeout=10)
        return self.events[-1]

    def saved(self):
        with open(os.path.join(self.folder, "saved.aac"), "rb") as file:
            return listeners.Frames().take(file.read())


def start_servers(stack, folder):
    ports = []
    found = []
    for make in (servers.icecast, servers.nginx):
        server = make(folder)
        server.start()
        stack.callback(server.kill)
        ports.append(server.port)
        found.append(server)
    return found, ports


def spread(values):
    values = sorted(values)
    return (f"median {statistics.median(values) * 1000:6.0f} ms, "
            f"95 % within {values[int(len(values) * 0.95)] * 1000:6.0f} ms")


def latency(arguments, stack, folder):
    """Measures the time from capturing a frame's first sample to its last byte at a listener."""
    _, ports = start_servers(stack, folder)
    wav = os.path.join(folder, "noise.wav")
    noise(wav, arguments.seconds + 20)
    stream = Stream(arguments, ["--device", f"file:{wav}"], folder, ports, low_latency=True)
    stack.callback(stream.process.kill)
    start = stream.started()
    everyone = [
        listeners.IcecastListener(ports[0], "/live"), listeners.RTMPListener(ports[1], "ours"),
        listeners.HLSFolderListener(os.path.join(folder, "hls"), arguments.playlist),
        listeners.LowLatencyListener(stream.hls_port, arguments.playlist)]
    for listener in everyone:
        listener.start()
    time.sleep(arguments.seconds)
    for listener in everyone:
        listener.is_stopped = True
    stream.stop()
    index = {unit: number for number, unit in enumerate(stream.saved())}
    print("From capture of a frame's first sample to its arrival, the frame of 21 ms included:")
    for listener in everyone:
        # Skip the first seconds, which a server buffers for new listeners.
        times = [arrival - start - (index[unit] * FRAME - PRIMING) / RATE
                 for arrival, unit in listener.arrivals if unit in index]
        times = times[len(times) // 4:]
        if times:
            print(f"  {listener.label:14} {spread(times)}  ({len(times)} frames)")
        else:
            print(f"  {listener.label:14} nothing arrived")
    part = 0.2
    parts = everyone[3].arrivals
    if parts:
        print(f"  A low-latency player holds back three parts: {3 * part * 1000:.0f} ms more.")


def usage(pid):
    """Returns user and system seconds, and the peak memory in kB."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    tick = os.sysconf("SC_CLK_TCK")
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file)
    return (int(fields[11]) / tick, int(fields[12]) / tick, int(lines["VmHWM"].split()[0]),
            int(lines["VmRSS"].split()[0]))


def load(arguments, stack, folder):
    """Measures processor time and memory of aacorn and ffmpeg, from microphone to four outputs."""
    _, ports = start_servers(stack, folder)
    wav = os.path.join(folder, "noise.wav")
    noise(wav, 20)
    pulse = servers.Pulse(folder)
    stack.callback(pulse.stop)
    pulse.start(wav)
    stream = Stream(arguments, ["--backend", "pulse", "--device", "room.monitor"], folder, ports,
                    environment=pulse.environment)
    stack.callback(stream.process.kill)
    stream.started()
    other = os.path.join(folder, "ffmpeg")
    os.makedirs(other)
    tee = "|".join([
        f"[f=adts:content_type=audio/aac]icecast://source:secret@127.0.0.1:{ports[0]}/other",
        f"[f=flv]rtmp://127.0.0.1:{ports[1]}/live/other",
        f"[f=hls:hls_time=4:hls_segment_type=fmp4]{other}/index.m3u8", f"[f=adts]{other}/saved.aac"])
    ffmpeg = subprocess.Popen(
        [servers.program("ffmpeg", "ffmpeg"), "-v", "error", "-f", "pulse", "-i", "room.monitor",
         "-map", "0:a", "-c:a", "aac", "-b:a", "128k", "-flags", "+global_header", "-f", "tee",
         tee],
        env=pulse.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    stack.callback(ffmpeg.kill)
    time.sleep(3)
    before = {name: usage(pid) for name, pid in
              (("aacorn", stream.process.pid), ("ffmpeg", ffmpeg.pid))}
    time.sleep(arguments.seconds)
    if ffmpeg.poll() is not None:
        raise servers.Missing("ffmpeg ended prematurely.")
    print(f"One microphone to Icecast, RTMP, HLS and a file, for {arguments.seconds} s:")
    shares = {}
    for name, pid in (("aacorn", stream.process.pid), ("ffmpeg", ffmpeg.pid)):
        now = usage(pid)
        user, system = now[0] - before[name][0], now[1] - before[name][1]
        shares[name] = user + system
        print(f"  {name}: {user:.2f} s user, {system:.2f} s system, "
              f"{100 * (user + system) / arguments.seconds:.2f} % of a core, {now[2]} kB at most")
    print(f"  aacorn takes {shares['aacorn'] / max(shares['ffmpeg'], 0.01):.2f} of ffmpeg's time")
    stream.stop()


# A typical program of a radio station.
SHOW = [
    "--source", "host=room.monitor", "--source", "guest=speech", "--loop-track", "music",
    "--gain", "music=-8", "--duck", "music=-12", "--monitor", "headphones",
    "--effects", "highpass 80, gate -50, compressor 3:1 -20, limiter -1"]
LOSSES = {"gap", "warning", "track-failed", "track-ended", "device-lost", "suspended"}


def soak(arguments, stack, folder):
    """Streams a program while servers restart every few minutes; every frame is played, or counted as lost."""
    found, ports = start_servers(stack, folder)
    wav = os.path.join(folder, "noise.wav")
    noise(wav, 20)
    pulse = servers.Pulse(folder)
    stack.callback(pulse.stop)
    pulse.start(wav)
    stream = Stream(arguments, [*SHOW, "--source", f"music={wav}"], folder, ports,
                    environment=pulse.environment)
    stack.callback(stream.process.kill)
    start = stream.started()
    interval = arguments.restart_every or max(1, arguments.seconds / 12)
    end = time.monotonic() + arguments.seconds
    turn = 0
    memory = []
    print("   time  memory  Icecast: sent dropped reconnects   RTMP: sent dropped reconnects",
          flush=True)
    begin = time.monotonic()
    while time.monotonic() < end:
        time.sleep(max(0, min(interval, end - time.monotonic())))
        status = stream.status()
        memory.append(usage(stream.process.pid)[3])
        by_kind = {output["kind"]: output for output in status["outputs"]}
        numbers = [by_kind[kind][key] for kind in ("icecast", "rtmp")
                   for key in ("frames", "droppedFrames", "reconnects")]
        print("{:6.0f}s {:6d}k        {:9d} {:7d} {:10d}   {:10d} {:7d} {:10d}".format(
            time.monotonic() - begin, memory[-1], *numbers), flush=True)
        if time.monotonic() >= end or not arguments.restart_every:
            continue
        server = found[turn % 2]
        # Every second outage is longer than the capacity of the queue.
        away = 2 if turn % 4 < 2 else 20
        server.kill()
        time.sleep(away)
        server.start()
        turn += 1
    if arguments.restart_every:
        time.sleep(5)
    elapsed = time.time() - start
    final = stream.stop()
    frames = len(stream.saved())
    faults = [json.dumps(event) for event in stream.events if event["event"] in LOSSES
              or event["event"] == "monitor" and event["state"] != "started"]
    if final["lostSamples"]:
        faults.append(f"{final['lostSamples']} samples of the sources were lost.")
    if abs(frames * FRAME / RATE - elapsed) > 1:
        faults.append(f"The file has {frames * FRAME / RATE:.2f} s, and {elapsed:.2f} s have passed.")
    for output in final["outputs"]:
        if output["kind"] not in ("icecast", "rtmp"):
            continue
        total = output["frames"] + output["droppedFrames"]
        print(f"{output['kind']}: {output['frames']} sent + {output['droppedFrames']} dropped"
              f" = {total} of {frames} frames, {output['reconnects']} reconnects")
        if total != frames or turn == 0 and output["droppedFrames"]:
            faults.append(f"Frames for {output['kind']} were lost.")
    with open(os.path.join(folder, "hls", arguments.playlist), encoding="utf-8") as file:
        listed = file.read().count("#EXTINF")
    kept = sum(name.endswith(".m4s") for name in os.listdir(os.path.join(folder, "hls")))
    print(f"HLS: {kept} segments are kept, and {listed} listed")
    if kept > 3 * listed + 3:
        faults.append("Old segments stay.")
    late = memory[len(memory) // 4:]
    print(f"memory after the first quarter: {min(late)} to {max(late)} kB")
    if max(late) > min(late) + 2048:
        faults.append("The memory grows.")
    print(*faults or ["Nothing was lost, and nothing has grown."], sep="\n")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/stream")
    parser.add_argument("--aacorn", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--playlist", default="stream-0.m3u8", help=argparse.SUPPRESS)
    parser.add_argument("part", choices=[
        "latency", "load", "soak", "crowd", "many", "many-soak"])
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--restart-every", type=int, default=300)
    parser.add_argument("--clients", type=int, default=crowd.CLIENTS)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--streams", type=int)
    parser.add_argument("--until-late", action="store_true")
    arguments = parser.parse_args()
    arguments.seconds = arguments.seconds or {
        "latency": 30, "load": 60, "soak": 3600, "many": 60, "many-soak": 3600}.get(arguments.part)
    try:
        with tempfile.TemporaryDirectory(prefix="stream-") as folder, \
                contextlib.ExitStack() as stack:
            run = {"latency": latency, "load": load, "soak": soak, "crowd": crowd.crowd,
                   "many": many.load, "many-soak": many.soak}[arguments.part]
            if arguments.part.startswith("many"):
                noise(os.path.join(folder, "noise.wav"), 60)
            return run(arguments, stack, folder) or 0
    except servers.Missing as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
