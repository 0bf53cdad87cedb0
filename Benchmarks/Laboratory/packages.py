"""Clips from packages of Debian, which packages.csv lists.

Each package is downloaded once, compared with the hash in the list and unpacked; its files are cut,
or rendered if they hold notes.
"""

import csv
import hashlib
import os
import shutil
import subprocess
import sys
import wave

import encoders
from errors import LabError

LIST = os.path.join(encoders.HERE, "packages.csv")
CLIP_SECONDS = 5
KEPT_RATES = (44100, 48000)
OTHER_RATE = 48000
RENDER_RATE = 48000
SYNTH_GAIN = "0.35"
LIST_SEPARATOR = "|"

MIDI_EXTENSIONS = (".mid", ".midi")
MODULE_EXTENSIONS = (".xm", ".it", ".mod", ".s3m")

SOUNDFONT = {
    "package": "fluid-soundfont-gm",
    "version": "3.1-5.3",
    "sha256_of_deb": "6f531493ac4e4d9772fd96b2488ea1790af81c196135fbdd25997da0781fc60e",
    "path": "usr/share/sounds/sf2/FluidR3_GM.sf2",
}

PROGRAM_PACKAGES = {
    "apt-get": "apt",
    "dpkg-deb": "dpkg",
    "ffmpeg": "ffmpeg",
    "ffprobe": "ffmpeg",
    "fluidsynth": "fluidsynth",
    "openmpt123": "openmpt123",
}


def run(command, purpose, folder=None):
    """Runs a program and returns what it printed, or raises an error that quotes its last line."""
    result = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        errors="replace", check=False,
    )
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines()
        reason = lines[-1] if lines else "it printed no reason"
        raise LabError(f"{command[0]} failed to {purpose}: {reason}")
    return result.stdout


def rows():
    """Returns the list of clips."""
    with open(LIST, newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def source_paths(row):
    """Returns the paths of all sources of a clip; those after the first share its folder."""
    first, *others = row["path_in_package"].split(LIST_SEPARATOR)
    folder = os.path.dirname(first)
    return [first] + [os.path.join(folder, other) for other in others]


def has_extension(row, extensions):
    """Returns whether the first source of a clip ends in one of the extensions."""
    return source_paths(row)[0].lower().endswith(extensions)


def check_programs(wanted):
    """Raises an error that names the Debian package of every program that is missing."""
    needed = ["apt-get", "dpkg-deb", "ffmpeg", "ffprobe"]
    if any(has_extension(row, MIDI_EXTENSIONS) for row in wanted):
        needed.append("fluidsynth")
    if any(has_extension(row, MODULE_EXTENSIONS) for row in wanted):
        needed.append("openmpt123")
    missing = [program for program in needed if shutil.which(program) is None]
    if missing:
        sentences = [
            f"The program {program} is missing; install the Debian package "
            f"{PROGRAM_PACKAGES[program]}."
            for program in missing
        ]
        raise LabError("\n".join(sentences))


def wanted_packages(wanted):
    """Returns a dictionary from package name to its version and hash, without repetitions."""
    packages = {}
    for row in wanted:
        entry = (row["version"], row["sha256_of_deb"])
        if packages.setdefault(row["package"], entry) != entry:
            raise LabError(f"The list gives two versions or hashes for {row['package']}.")
    if any(has_extension(row, MIDI_EXTENSIONS) for row in wanted):
        packages[SOUNDFONT["package"]] = (SOUNDFONT["version"], SOUNDFONT["sha256_of_deb"])
    return packages


def hash_file(path):
    """Returns the SHA-256 of a file in hexadecimal digits."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def find_deb(folder, package, version):
    """Returns the path of a downloaded package of this version, or None."""
    prefix = f"{package}_{version.replace(':', '%3a')}_"
    for name in sorted(os.listdir(folder)):
        if name.startswith(prefix) and name.endswith(".deb"):
            return os.path.join(folder, name)
    return None


def download_package(folder, package, version, expected_hash):
    """Downloads one package unless it is there already, and verifies its hash."""
    path = find_deb(folder, package, version)
    if path is None:
        run(["apt-get", "download", f"{package}={version}"],
            f"download {package} in version {version} (is \"apt-get update\" needed, or has "
            "the version left the archive?)", folder)
        path = find_deb(folder, package, version)
    if path is None:
        raise LabError(f"apt-get downloaded no file for {package} in version {version}.")
    actual_hash = hash_file(path)
    if actual_hash != expected_hash:
        raise LabError(
            f"The package {os.path.basename(path)} has the SHA-256 {actual_hash}, but the list "
            f"says {expected_hash}."
        )
    return path


def unpack_packages(packages, work_folder):
    """Downloads and unpacks all packages, and returns a dictionary from name to folder."""
    debs = os.path.join(work_folder, "debs")
    os.makedirs(debs, exist_ok=True)
    folders = {}
    for package, (version, expected_hash) in sorted(packages.items()):
        print(f"Package {package} {version}", file=sys.stderr)
        path = download_package(debs, package, version, expected_hash)
        folder = os.path.join(work_folder, "unpacked", package)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        run(["dpkg-deb", "-x", path, folder], f"unpack {os.path.basename(path)}")
        folders[package] = folder
    return folders


def render_midi(source, soundfont, target):
    """Renders a MIDI file into a WAV file of floating-point samples."""
    run(["fluidsynth", "-n", "-i", "-q", "-g", SYNTH_GAIN, "-r", str(RENDER_RATE),
         "-T", "wav", "-O", "float", "-F", target, soundfont, source],
        f"render {source}")


def render_module(source, target):
    """Renders a tracker module into a WAV file of floating-point samples."""
    run(["openmpt123", "--batch", "--quiet", "--samplerate", str(RENDER_RATE), "--channels", "2",
         "--float", "--force", "--output", target, source],
        f"render {source}")


def prepare_sources(row, folders, work_folder):
    """Returns the audio files of a clip, after rendering those that hold notes."""
    paths = [os.path.join(folders[row["package"]], path) for path in source_paths(row)]
    for path in paths:
        if not os.path.isfile(path):
            raise LabError(f"The package {row['package']} has no file {path} for {row['name']}.")
    is_midi = has_extension(row, MIDI_EXTENSIONS)
    if not is_midi and not has_extension(row, MODULE_EXTENSIONS):
        return paths
    rendered = os.path.join(work_folder, "rendered")
    os.makedirs(rendered, exist_ok=True)
    target = os.path.join(rendered, f"{row['package']}_{os.path.basename(paths[0])}.wav")
    if not os.path.isfile(target):
        unfinished = f"{target[:-4]}.part.wav"
        if is_midi:
            soundfont = os.path.join(folders[SOUNDFONT["package"]], SOUNDFONT["path"])
            render_midi(paths[0], soundfont, unfinished)
        else:
            render_module(paths[0], unfinished)
        os.replace(unfinished, target)
    return [target]


def probe_stream(path):
    """Returns the sampling rate and the number of channels of an audio file."""
    text = run(["ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                "stream=sample_rate,channels", "-of", "csv=p=0", path],
               f"read the format of {path}")
    rate, channels = text.strip().strip(",").split(",")[:2]
    return int(rate), int(channels)


def cut_clip(sources, start_seconds, target):
    """Joins the sources, cuts five seconds and writes them as a WAV file of 16 bits."""
    rate, channels = probe_stream(sources[0])
    rate = rate if rate in KEPT_RATES else OTHER_RATE
    layout = "mono" if channels == 1 else "stereo"
    command = ["ffmpeg", "-v", "error", "-y", "-threads", "1"]
    filters = []
    for index, source in enumerate(sources):
        command += ["-i", source]
        filters.append(f"[{index}:a:0]aresample={rate},aformat=sample_fmts=flt:"
                       f"channel_layouts={layout}[part{index}]")
    parts = "".join(f"[part{index}]" for index in range(len(sources)))
    first_sample = round(float(start_seconds) * rate)
    last_sample = first_sample + CLIP_SECONDS * rate
    filters.append(f"{parts}concat=n={len(sources)}:v=0:a=1,atrim=start_sample={first_sample}:"
                   f"end_sample={last_sample},asetpts=N/SR/TB[clip]")
    command += ["-filter_complex", ";".join(filters), "-map", "[clip]", "-t", str(CLIP_SECONDS),
                "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact",
                "-c:a", "pcm_s16le", target]
    run(command, f"cut {os.path.basename(target)}")
    check_length(target)


def check_length(path):
    """Raises an error when a clip does not last exactly five seconds."""
    with wave.open(path, "rb") as clip:
        frames, rate = clip.getnframes(), clip.getframerate()
    if frames != CLIP_SECONDS * rate:
        raise LabError(f"The clip {path} lasts {frames / rate:.3f} s in place of "
                        f"{CLIP_SECONDS} s; its source is too short.")


def build_clips(output_folder, work_folder):
    """Builds all clips of the list in the output folder, and returns the list."""
    wanted = rows()
    check_programs(wanted)
    os.makedirs(output_folder, exist_ok=True)
    folders = unpack_packages(wanted_packages(wanted), work_folder)
    for number, row in enumerate(wanted, start=1):
        print(f"Clip {number} of {len(wanted)}: {row['name']}", file=sys.stderr)
        sources = prepare_sources(row, folders, work_folder)
        target = os.path.join(output_folder, f"{row['name']}.wav")
        cut_clip(sources, row["start_seconds"], target)
    return wanted
