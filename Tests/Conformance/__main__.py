"""Tests the decoder with a folder of streams and prints a table.

    Scripts/check-conformance                      the streams of AACORN_STREAMS, a folder, or of Scripts/fetch-streams
    Scripts/check-conformance FOLDER [STREAM…]

Every file is decoded by aacorn and by ffmpeg, as floats and without trimming, and compared sample
by sample. A stream passes if the difference satisfies the criterion of ISO/IEC 14496-4 for 16 bits:
a root mean square of at most 2⁻¹⁵/√12 of full scale, and no sample off by more than 2⁻¹⁴. Streams
with noise substitution, where every decoder generates its own noise, are compared by the energy in
each of sixteen bands of the spectrum; aacorn inspect identifies these streams. Streams with low delay,
which aacorn does not decode, must be rejected with a message, and no others. Streams with names that
begin with sbr_ and contain _ps_ must all decode to the same samples.

Streams with band replication are also cut into pieces, joined at random with 1,000 splices in all, and
decoded: at no splice may 20 ms be more than 3 dB louder than the stream on both sides.

Every block of a stream that ADTS can carry is read, written again and read: the content must be equal.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from random import Random

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST_RMS = 2.0**-15 / 12**0.5
LARGEST_DIFFERENCE = 2.0**-14
LARGEST_LEVEL_DIFFERENCE = 0.5
REPLICATED_PROFILES = ("HE-AAC", "HE-AACv2")
SPLICES = 1000
# The number of frames in a piece between two splices.
PIECE = 12
LARGEST_RISE = 3
# The unsupported profiles, and a part of the error message about them.
REFUSED_PROFILES = ("LD", "ELD")
REFUSAL = "which are not supported"


def run(*command, **variables):
    return subprocess.run(command, capture_output=True, check=False, timeout=600,
                          env=os.environ | variables)


def samples(data, channels):
    count = len(data) // (4 * channels) * channels
    return numpy.frombuffer(data[: 4 * count], numpy.float32).astype(float).reshape(-1, channels)


def reference(path):
    """Returns ffmpeg's decoded samples, or None, and the profile that it reports."""
    about = run("ffprobe", "-v", "error", "-select_streams", "a:0", "-show_entries",
                "stream=profile,channels", "-of", "json", path).stdout
    streams = json.loads(about or "{}").get("streams", [])
    if not streams:
        return None, ""
    data = run("ffmpeg", "-v", "error", "-flags2", "+skip_manual", "-i", path, "-map", "0:a:0",
               "-f", "f32le", "-").stdout
    channels = streams[0].get("channels", 0)
    sound = samples(data, channels) if data and channels else None
    return sound, streams[0].get("profile", "")


def decode(aacorn, path):
    """Returns aacorn's decoded samples, or None, and its error message."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "sound.raw")
        result = run(aacorn, "decode", path, "--untrimmed", "--sample-format", "f32", "--format",
                     "raw", "--json", "-o", output)
        report = json.loads(result.stdout.splitlines()[-1] if result.stdout else b"{}")
        if not os.path.exists(output):
            return None, str(report.get("message", ""))
        return samples(pathlib.Path(output).read_bytes(), report["channels"]), ""


def has_noise(aacorn, path):
    """Returns whether a stream uses noise substitution; false for a stream that cannot be inspected."""
    words = run(aacorn, "inspect", "--json", path).stdout.decode(errors="replace")
    return any(json.loads(line).get("tools", {}).get("noise", 0) > 0
               for line in words.splitlines() if line.startswith("{"))


def levels(signal):
    """Returns the energy in sixteen bands in decibels."""
    frames = signal[: len(signal) // 2048 * 2048].reshape(-1, 2048, signal.shape[1])
    powers = (abs(numpy.fft.rfft(frames * numpy.hanning(2048)[:, None], axis=1)) ** 2).mean((0, 2))
    bands = numpy.array_split(powers[1:], 16)
    return numpy.array([10 * numpy.log10(band.sum() + 1e-12) for band in bands])


def judge(ours, theirs, is_noisy):
    """Returns whether a stream passes, and the measured values."""
    count = min(len(ours), len(theirs))
    if count == 0:
        return False, "nothing to compare"
    if ours.shape[1] == 1 and theirs.shape[1] == 2:
        ours = numpy.repeat(ours, 2, axis=1)
    if ours.shape[1] != theirs.shape[1]:
        return False, f"{ours.shape[1]} channels, {theirs.shape[1]} expected"
    difference = ours[:count] - theirs[:count]
    rms = float((difference**2).mean() ** 0.5)
    largest = float(abs(difference).max())
    power = float((theirs[:count] ** 2).mean())
    ratio = 10 * numpy.log10(power / max(rms**2, 1e-30)) if power > 0 else float("inf")
    detail = f"{ratio:6.1f} dB, rms {rms:.1e}, largest {largest:.1e}"
    if abs(len(ours) - len(theirs)) > 4096:
        return False, f"{detail}, {len(ours)} samples, {len(theirs)} expected"
    if rms <= LARGEST_RMS and largest <= LARGEST_DIFFERENCE:
        return True, detail
    if not is_noisy():
        return False, detail
    mine, other = levels(ours[:count]), levels(theirs[:count])
    audible = other > other.max() - 80
    level = float(abs(mine - other)[audible].max())
    if level <= LARGEST_LEVEL_DIFFERENCE:
        return True, f"noise: every band within {level:.2f} dB"
    return False, f"{detail}, bands differ by {level:.1f} dB"


def frames_of(aacorn, path):
    """Returns the ADTS frames of a stream."""
    data = run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "adts", "-").stdout
    if not data:
        # FFmpeg cannot copy LATM to ADTS.
        with tempfile.NamedTemporaryFile(suffix=".aac") as file:
            run(aacorn, "cut", "-q", "-f", path, "-o", file.name)
            data = pathlib.Path(file.name).read_bytes()
    frames = []
    start = 0
    while start + 7 <= len(data):
        length = (data[start + 3] & 3) << 11 | data[start + 4] << 3 | data[start + 5] >> 5
        if length < 7:
            break
        frames.append(data[start : start + length])
        start += length
    return frames


def frame_levels(aacorn, frames):
    """Returns the power of the louder half of each frame, or of shorter parts of 1024 samples."""
    with tempfile.NamedTemporaryFile(suffix=".aac") as file:
        file.write(b"".join(frames))
        file.flush()
        sound, _ = decode(aacorn, file.name)
    length = len(sound) // len(frames)
    parts = sound[: length * len(frames)].reshape(len(frames), -1, min(1024, length), sound.shape[1])
    return (parts**2).mean((2, 3)).max(1)


def splice(aacorn, path, count, random):
    """Returns the rise in decibels at each of `count` splices, relative to the stream around it."""
    frames = frames_of(aacorn, path)
    levels = frame_levels(aacorn, frames)
    # The first piece has a header.
    starts = [0] + [random.randrange(len(frames) - PIECE) for _ in range(count)]
    made = frame_levels(aacorn, [frame for start in starts for frame in frames[start : start + PIECE]])
    rises = []
    for index in range(1, count + 1):
        end, start = starts[index - 1] + PIECE, starts[index]
        around = max(levels[end - 4 : end + 2].max(), levels[max(0, start - 2) : start + PIECE + 2].max(), 1e-6)
        place = index * PIECE
        rises.append(10 * numpy.log10(made[place : place + PIECE].max() / around))
    return rises


def splices(aacorn, paths):
    """Returns whether every splice of streams with band replication is no louder than its source."""
    random = Random(1)
    failed = 0
    worst = -200.0
    for index, path in enumerate(paths):
        count = SPLICES * (index + 1) // len(paths) - SPLICES * index // len(paths)
        for rise in splice(aacorn, path, count, random):
            worst = max(worst, rise)
            if rise > LARGEST_RISE:
                failed += 1
    print(f"{'FAILED' if failed else 'passed'}  {SPLICES} splices: {failed} louder than their source, "
          f"the worst by {worst:.1f} dB")
    return failed == 0


def written_again(aacorn, paths):
    """Returns whether every block of the streams that ADTS can carry can be written again."""
    tests = subprocess.run(
        [ROOT / "Scripts/compile", "AacornCodecTests"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        for index, path in enumerate(paths):
            if frames := frames_of(aacorn, path):
                pathlib.Path(folder, str(index)).write_bytes(b"".join(frames))
        count = len(os.listdir(folder))
        result = run(ROOT / "Scripts/run-tests", tests, "--filter", "blocksOfConformanceStreams",
                     AACORN_ADTS_STREAMS=folder)
    failed, output = result.returncode != 0, result.stdout.decode()
    detail = output if failed else next(line for line in output.splitlines() if "written again" in line)
    print(f"{'FAILED' if failed else 'passed'}  {count} streams: {detail}")
    return not failed


def main():
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("AACORN_STREAMS")
    fetched = "" if given else subprocess.run(
        [ROOT / "Scripts/fetch-streams"], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    folder = pathlib.Path(given or fetched or "of Scripts/fetch-streams")
    if not folder.is_dir():
        sys.exit(f"There is no folder {folder}.\nUsage: Scripts/check-conformance [FOLDER [STREAM…]]")
    names = sys.argv[2:] or sorted(
        path.name for path in folder.iterdir()
        if path.suffix in (".m4a", ".aac", ".mp4", ".3gp", ".ts", ".latm", ".adif"))
    listed = [line.split()[0] for line in (ROOT / "Tests/Conformance/streams.txt").read_text().splitlines()]
    missing = [name for name in listed if name not in names]
    if missing and not sys.argv[2:]:
        # The check tests the other streams, and Scripts/run-checks repeats this line at its end.
        print(f"Skipped: {len(missing)} of {len(listed)} streams of check-conformance, which are not in {folder}"
              + (f": {', '.join(missing)}" if names else ""), flush=True)
    if not names:
        sys.exit(f"There are no streams in {folder}." if given else 0)
    aacorn = os.environ["AACORN"]
    failures = []
    sounds = {}
    replicated = []
    decoded = []
    for name in names:
        path = str(folder / name)
        ours, words = decode(aacorn, path)
        theirs, profile = reference(path)
        if profile in REPLICATED_PROFILES:
            replicated.append(path)
        if profile in REFUSED_PROFILES:
            passes, detail = ours is None and REFUSAL in words, "rejected: " + words[:100]
        elif ours is None or theirs is None:
            passes = ours is None and theirs is None
            detail = ("neither decodes anything: " if passes
                    else "only one of both decodes it: ") + words[:80]
        else:
            decoded.append(path)
            passes, detail = judge(ours, theirs, lambda: has_noise(aacorn, path))
            if name.startswith("sbr_") and "ps_" in name:
                sounds[name] = hashlib.sha256(ours.tobytes()).hexdigest()
        print(f"{'passed' if passes else 'FAILED'}  {name:42} {detail}", flush=True)
        if not passes:
            failures.append(name)
    if len(set(sounds.values())) > 1:
        print("FAILED  the signaling modes do not decode to the same samples")
        failures.append("signaling")
    if replicated and not splices(aacorn, replicated):
        failures.append("splices")
    # Streams that are named might all be of a kind that ADTS cannot carry.
    if not sys.argv[2:] and decoded and not written_again(aacorn, decoded):
        failures.append("blocks")
    print(f"{len(names)} streams, {len(failures)} failed")
    sys.exit(1 if failures else 0)


main()
