"""Runs the commands of README.md and the guides as they are written, and compares the output that they show.

    Scripts/check-console            all pages
    Scripts/check-console PAGE…      only these, such as README.md

Each page has its own folder, in a namespace without a network and with a private sound server. Inputs that a
command names are made in advance. A command that would run forever is stopped like with Ctrl-C. A command for a
device or a server that does not exist must fail for that reason; a wrong option fails the check. Lines with
programs that would change this machine or need another one are listed, not run.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(
    str(path.relative_to(ROOT)) for folder in ("Documentation", "Sources") for path in ROOT.glob(f"{folder}/**/*.md"))]
# Programs that run here; all others are listed.
PROGRAMS = {"aacorn", "cat", "curl", "echo", "export", "ffmpeg", "find", "head", "mv", "openssl", "tail", "umask"}
# Commands that end only when the user stops them, unless an option limits them.
ENDLESS = re.compile(r"\baacorn (?:record|stream|studio|play)\b")
LIMITED = re.compile(r"\s(?:-d|--duration|--unpaced)\b|\baacorn play \S+\.m4a$")
# Devices and servers that no machine has.
ABSENT = re.compile(r"\bhw:\d|\w\.example\b|alsa_output\.|usb-Y|rtmp://127")
# The content of files that pages show or describe.
TEXTS = {
    "keys": "[live.example:443]\nrtmp-key = one\n[other.example]\nrtmp-key = two\n",
    "now.txt": "Anna - News\n",
}
# A value for a variable whose value a page omits.
SECRET = "0123456789abcdefghij"
SECONDS = 3
LIMIT = 60


def blocks(text):
    """The console blocks of a page: for each command its line, its text and the output that follows it."""
    for block in re.finditer(r"^( *)```console\n(.*?)^\1```", text, re.M | re.S):
        line, commands = text[:block.start()].count("\n") + 2, []
        for number, row in enumerate(block[2].splitlines()):
            row = row.removeprefix(block[1])
            if re.match(r"[$#] ", row):
                commands.append([line + number, row, []])
            elif commands and commands[-1][1].endswith("\\"):
                commands[-1][1] += "\n" + row
            elif commands:
                commands[-1][2].append(row)
        yield from commands


def uncommented(command):
    return re.sub(r"\s#.*", "", command).rstrip()


def programs_of(command):
    """The names of the programs that a command line starts."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "''", command.replace("\\\n", " "))
    return [
        next((word for word in part.split() if not re.match(r"\w+=|\d?[<>]", word)), "export")
        for part in re.split(r"\|\|?|&&|;|\$\(|\(", uncommented(bare)) if part.strip()]


class Page:
    """The folder in which the commands of a page run."""

    def __init__(self, path, folder, environment, inputs):
        self.path, self.folder, self.environment, self.inputs = path, folder, environment, inputs
        self.exports, self.faults, self.skipped, self.count = "", [], [], 0
        folder.mkdir(parents=True)

    def run(self):
        for number, row, shown in blocks((ROOT / self.path).read_text()):
            command = row[2:].replace("=…", f"={SECRET}")
            unknown = [program for program in programs_of(command) if program not in PROGRAMS]
            # A bare “…” represents other options. The requests need the studio of another line. Echo cancellation
            # needs real devices: PulseAudio hangs without.
            if row.startswith("#") or unknown or re.search(
                    r" …( |$)|^curl .*localhost|--voice ", uncommented(command), re.S):
                self.skipped.append(f"{self.path}:{number}: {command.splitlines()[0]}")
            elif command.startswith("export "):
                self.exports += uncommented(command) + "\n"
            else:
                self.count += 1
                self.step(number, command, shown)

    def step(self, number, command, shown):
        made = self.prepare(command)
        is_endless = ENDLESS.search(command) and not LIMITED.search(uncommented(command))
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            process = subprocess.Popen(
                ["bash", "-o", "pipefail", "-c", self.exports + command], cwd=self.folder, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
            try:
                process.wait(SECONDS if is_endless else LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT if is_endless else signal.SIGKILL)
                try:
                    process.wait(LIMIT)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            output.seek(0)
            printed = output.read()
        allowed = {0}
        if ABSENT.search(uncommented(command)):
            allowed |= {1, 3, 4}
        # Faults of a damaged file.
        if re.search(r"aacorn (?:inspect|repair) ", command):
            allowed |= {1}
        # FFmpeg's code after a signal.
        if is_endless and "ffmpeg" in command:
            allowed |= {255}
        if process.returncode not in allowed:
            self.faults.append(
                f"{self.path}:{number}: “{command}” ends with {process.returncode}:\n{printed[-2000:]}")
        for line in shown:
            if line.strip() and not any(alike(line, other) for other in printed.splitlines()):
                self.faults.append(
                    f"{self.path}:{number}: “{command}” does not print\n    {line}\nbut\n{printed[-2000:]}")
                break
        for path in made:
            path.unlink(missing_ok=True)

    def prepare(self, command):
        """Makes the inputs that a command names, and removes outputs of earlier commands of the same name."""
        words = shlex.split(command.replace("\\\n", " "), comments=True)
        outputs = {words[index + 1] for index, word in enumerate(words[:-1]) if word in ("-o", ">", "--output-folder")}
        outputs |= {word.lstrip(">") for word in words if word.startswith(">")}
        if words[:2] == ["aacorn", "record"] and not words[-1].startswith("-") or "ffmpeg" in words:
            outputs.add(words[-1])
        outputs |= {words[index + 1] for index, word in enumerate(words[:-1]) if word in ("--save", "--hls")}
        made = []
        for word in words:
            word = word.rpartition("=")[2] if "=" in word and not word.startswith("/") else word
            path, suffix = self.folder / word, Path(word).suffix
            if word in outputs or word.startswith(("/", "-", "http")) or not re.fullmatch(r"[\w./-]+", word):
                continue
            if word in ("music", "music/", "album/", "sounds") and not path.exists():
                path.mkdir()
                for name in "ab":
                    shutil.copy(self.inputs / "short.wav", path / f"{name}.wav")
            elif suffix and not path.exists() and (self.inputs / f"any{suffix}").exists():
                shutil.copy(self.inputs / f"any{suffix}", path)
                made.append(path)
            elif word in TEXTS and not path.exists():
                path.write_text(TEXTS[word])
                path.chmod(0o600)
                made.append(path)
        for name in outputs:
            path = self.folder / name
            if path.is_file() and words.count(name) == 1:
                path.unlink()
        return made


def alike(shown, printed):
    """Whether two lines differ only in numbers and in parts that “…” omits."""
    mask = [re.sub(r"\d+(\.\d+)?(?=×)|\d+", "0", re.sub(r"\s+", " ", line)).strip() for line in (shown, printed)]
    return re.fullmatch(".*".join(map(re.escape, mask[0].split("…"))), mask[1]) is not None


def make_inputs(folder, program):
    """One file for each suffix that the guides use; coded files are long enough for the times that they name."""
    def ffmpeg(*words):
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *words], check=True)

    tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=5"]
    ffmpeg(*tone, "-ac", "2", folder / "short.wav")
    ffmpeg("-f", "lavfi", "-i", "sine=duration=130", "-ac", "2", folder / "any.wav")
    ffmpeg(*tone, folder / "any.flac")
    ffmpeg("-f", "lavfi", "-i", "sine=duration=760", "-b:a", "32k", folder / "any.mp3")
    ffmpeg(*tone, "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=5", folder / "any.mkv")
    ffmpeg("-f", "lavfi", "-i", "color=size=64x64:duration=1", "-frames:v", "1", folder / "any.jpg")
    for suffix in ("m4a", "aac"):
        subprocess.run([program, "encode", "-q", "--tone", "130", "-o", folder / f"any.{suffix}"], check=True)
    ffmpeg("-i", folder / "any.m4a", "-c", "copy", folder / "any.ts")


def sound_server(environment):
    """A private PulseAudio with a loudspeaker and the microphone that the guides name."""
    words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "-L",
             "module-native-protocol-unix", "-L", "module-null-sink sink_name=speaker channels=4", "-L",
             "module-remap-source source_name=alsa_input.usb-X master=speaker.monitor channels=4"]
    server = subprocess.Popen(
        words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        found = subprocess.run(
            ["pactl", "list", "short", "sources"], env=environment, capture_output=True, text=True)
        if "alsa_input.usb-X" in found.stdout:
            return server
        time.sleep(0.05)
    server.kill()
    sys.exit("PulseAudio did not start.")


def main():
    pages = sys.argv[1:] or PAGES
    if not set(pages) <= set(PAGES):
        sys.exit(__doc__)
    if os.environ.get("AACORN_ALONE") != "yes":
        os.execvpe(
            "unshare", ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]),
                        sys.executable, *sys.argv],
            os.environ | {"AACORN_ALONE": "yes"})
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    # Guides name folders for servers. These exist only in this namespace.
    for path in ("/var", "/run"):
        for used in (ROOT, Path(tempfile.gettempdir()).resolve()):
            if used.is_relative_to(path):
                sys.exit(f"{used} would be hidden. Use a folder outside of {path}.")
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", path], check=True)
    for path in ("/var/www/html", "/run/studio"):
        os.makedirs(path)
    program = Path(os.environ["AACORN"]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name in ("home", "inputs", "bin", "runtime"):
            (folder / name).mkdir()
        (folder / "runtime").chmod(0o700)
        (folder / "bin/aacorn").symlink_to(program)
        environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder / "home"), "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(folder / "runtime"), "ALSA_CONFIG_PATH": "/dev/null"}
        make_inputs(folder / "inputs", program)
        server = sound_server(environment)
        try:
            found = []
            for path in pages:
                found.append(Page(path, folder / "pages" / path, environment, folder / "inputs"))
                begun = time.monotonic()
                found[-1].run()
                print(f"{path}: {found[-1].count} commands in {time.monotonic() - begun:.0f} s", flush=True)
        finally:
            server.terminate()
            server.wait()
    skipped = [line for page in found for line in page.skipped]
    print(f"{len(skipped)} commands are not run, because they change this machine or need another one:", *skipped,
          sep="\n  ")
    print(*(fault for page in found for fault in page.faults), sep="\n\n")
    print(f"{sum(page.count for page in found)} commands run, {sum(len(page.faults) for page in found)} faults")
    sys.exit(1 if any(page.faults for page in found) else 0)


main()
