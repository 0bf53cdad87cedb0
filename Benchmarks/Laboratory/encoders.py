"""The available encoders, and running them."""

import dataclasses
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import tomllib

from errors import LabError

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT_IN = os.path.join(HERE, "encoders.toml")
EFFORTS = ("fast", "balanced", "best")


@dataclasses.dataclass(frozen=True)
class Encoder:
    """A named command template; see encoders.toml for its placeholders."""

    name: str
    command: str
    extension: str = "aac"
    lowpass: tuple = ()
    exact: bool = False
    title: str = ""

    @property
    def program(self):
        """Returns the path of the program, or None if it is not installed."""
        return shutil.which(shlex.split(self.command)[0])

    @property
    def fingerprint(self):
        """Returns a hash of the program and its options, which detects outdated results."""
        digest = hashlib.sha256(self.command.encode())
        with open(self.program, "rb") as handle:
            digest.update(hashlib.file_digest(handle, "sha256").digest())
        return digest.hexdigest()[:12]

    def arguments(self, source, target, kbps):
        """Returns the arguments of the command."""
        values = {"{in}": source, "{out}": target, "{bitrate}": f"{kbps:g}",
                  "{bps}": str(round(kbps * 1000)), "{lowpass}": str(self._lowpass_at(kbps))}
        words = shlex.split(self.command)
        for mark, value in values.items():
            words = [word.replace(mark, value) for word in words]
        return words

    def _lowpass_at(self, kbps):
        points = self.lowpass
        if not points:
            return 0
        for (low, first), (high, second) in zip(points, points[1:]):
            if low <= kbps <= high:
                return round(first + (second - first) * (kbps - low) / (high - low))
        return points[0][1] if kbps < points[0][0] else points[-1][1]


def ours(aacorn, label="aacorn"):
    """Returns an encoder for each effort of an aacorn binary; constant rates need no correction."""
    command = shlex.quote(aacorn) + " encode -q -f -b {bps} --effort %s {in} -o {out}"
    return [Encoder(f"{label}-{effort}", command % effort, exact=True,
                    title=f"Aacorn, effort {effort}") for effort in EFFORTS]


def titles():
    """Returns the descriptions of encoders by name."""
    content = _content(BUILT_IN)
    named = {name: entry["title"] for name, entry in content["encoders"].items()}
    return named | content["titles"]


def _content(path):
    try:
        with open(path, "rb") as handle:
            return tomllib.load(handle)
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{path} is not TOML: {error}.") from None


def read(path, must_exist):
    """Returns the encoders of a TOML file, and the encoders with missing programs."""
    entries = _content(path).get("encoders", {})
    found, missing = [], []
    for name, entry in entries.items():
        unknown = set(entry) - {"command", "extension", "lowpass", "exact", "title"}
        if unknown or "command" not in entry:
            raise LabError(f"{path}: encoder {name} needs a command and may have title, extension, "
                           f"lowpass and exact; it has {', '.join(entry) or 'nothing'}.")
        lowpass = sorted((float(key), value) for key, value in entry.get("lowpass", {}).items())
        encoder = Encoder(name, entry["command"], entry.get("extension", "aac"), tuple(lowpass),
                          entry.get("exact", False), entry.get("title", ""))
        (found if encoder.program else missing).append(encoder)
    if missing and must_exist:
        names = ", ".join(f"{one.name} ({shlex.split(one.command)[0]})" for one in missing)
        raise LabError(f"{path} names programs that are not there: {names}.")
    return found, missing


def known(path=None):
    """Returns all other encoders by name: built-in entries found in PATH, then the user's file."""
    found, _ = read(BUILT_IN, must_exist=False)
    if path:
        found += read(path, must_exist=True)[0]
    return {encoder.name: encoder for encoder in found}


def run_timed(command):
    """Runs a command; returns (exit status, user seconds, wall seconds, end of its error output).

    The user time covers this child and the processes that it waited for, so several commands can
    run in parallel.
    """
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=errors)
        except OSError as error:
            return 127, 0.0, 0.0, str(error)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - begin
        size = errors.seek(0, os.SEEK_END)
        errors.seek(max(0, size - 300))
        text = errors.read().decode(errors="replace").strip()
    return child.returncode, usage.ru_utime, wall, text


def adts_payload(raw):
    """Returns the bytes of an ADTS stream without its headers, or None if it is not ADTS."""
    position, total, frames = 0, 0, 0
    while position + 7 <= len(raw):
        if raw[position] != 0xFF or raw[position + 1] & 0xF6 != 0xF0:
            break
        length = ((raw[position + 3] & 3) << 11 | raw[position + 4] << 3
                  | raw[position + 5] >> 5)
        header = 7 if raw[position + 1] & 1 else 9
        if length < header:
            break
        total += min(length, len(raw) - position) - header
        frames += 1
        position += length
    return total if frames >= 2 else None


def payload_bytes(path):
    """Returns the number of coded bytes in a file, without the container."""
    with open(path, "rb") as handle:
        total = adts_payload(handle.read())
    if total is not None:
        return total
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries", "packet=size",
         "-of", "csv=p=0", path], capture_output=True, text=True, check=False)
    sizes = [line.strip(", ") for line in done.stdout.split()]
    total = sum(int(size) for size in sizes if size.isdigit())
    if total == 0:
        raise LabError(f"{path} has no sound that ffprobe (Debian package ffmpeg) could find.")
    return total
