"""Short sounds, and the outputs of a single run of the command."""

import hashlib
import random
import subprocess
import wave
from array import array
from pathlib import Path

RATE = 44100
BITRATE = 96000
OPTIONS = ["-b", "96k", "--output-folder", "out"]
# The invalid file among the sounds.
POISON = "0100/poison.wav"


class Failure(Exception):
    """The failure of a trial, with a message."""


class Sounds:
    """Files in folders of a hundred, and the digests of their outputs."""

    def __init__(self, folder, count, program):
        self.folder, self.count, self.program = Path(folder), count, program
        self.names = []
        for index in range(count):
            name = f"{index // 100 * 100:04}/{index:05}.wav"
            write_sound(self.folder / "sounds" / name, index)
            self.names.append(name)
        poison = self.folder / "sounds" / POISON
        poison.parent.mkdir(exist_ok=True)
        poison.write_bytes(b"RIFF\x10\x00\x00\x00WAVE and then something else")
        self.reference = {}

    def work_folder(self, path):
        """Creates a folder for a trial, with the sounds and a manifest."""
        path.mkdir(parents=True)
        (path / "sounds").symlink_to(self.folder.resolve() / "sounds")
        names = sorted([*self.names, POISON])
        (path / "all.txt").write_text("".join(f"sounds/{name}\n" for name in names))
        return path

    def run_alone(self, path):
        """Creates the reference outputs."""
        self.work_folder(path)
        words = [self.program, "batch", "--jobs", "2", "--quiet", *OPTIONS, "all.txt"]
        ended = subprocess.run(words, cwd=path, capture_output=True, text=True)
        if ended.returncode != 1:
            raise Failure(f"aacorn batch ended with {ended.returncode}: {ended.stderr[-1000:]}")
        self.reference = digests_of_folder(path / "out" / "sounds")
        if len(self.reference) != self.count:
            raise Failure(f"aacorn batch made {len(self.reference)} files of {self.count}.")

    def compare(self, digests, what):
        """Checks that outputs, by the names of their inputs without suffix, equal the reference."""
        missing = self.reference.keys() - digests.keys()
        more = digests.keys() - self.reference.keys()
        both = self.reference.keys() & digests.keys()
        other = [name for name in both if digests[name] != self.reference[name]]
        for names, fault in ((missing, "missing"), (more, "too many"), (other, "different")):
            if names:
                raise Failure(f"{what}: {len(names)} outputs are {fault}, such as {min(names)}.")


def write_sound(path, index, seconds=None):
    """Returns about half a second of a noisy tone, in mono or stereo."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    chance = random.Random(index)
    channels = 1 + index % 2
    length = channels * chance.randrange(50, 4000)
    period = array("h", (chance.randrange(-9000, 9000) for _ in range(length)))
    frames = int(RATE * (seconds or chance.uniform(0.3, 0.9)))
    samples = (period * (frames * channels // len(period) + 1))[: frames * channels]
    with wave.open(str(path), "wb") as sound:
        sound.setparams((channels, 2, RATE, frames, "NONE", ""))
        sound.writeframes(samples.tobytes())


def digest(data):
    return hashlib.sha256(data).hexdigest()


def digests_of_folder(folder):
    """Returns the digests of the outputs in a folder, without hidden files."""
    return {
        str(path.relative_to(folder).with_suffix("")): digest(path.read_bytes())
        for path in folder.rglob("*.m4a")
        if not path.name.startswith(".")
    }


def digests_of_table(folder):
    """Returns the digests in a Parquet table, and the errors."""
    import pyarrow.dataset

    made, errors = {}, {}
    for batch in pyarrow.dataset.dataset(folder, format="parquet").to_batches():
        for row in batch.to_pylist():
            name = row["path"].rsplit("/sounds/", 1)[1].removesuffix(".wav")
            if name in made or name in errors:
                raise Failure(f"{folder} has {name} twice.")
            if row["error"] is None:
                made[name] = digest(row["aac"])
            else:
                errors[name] = row["error"]
    return made, errors
